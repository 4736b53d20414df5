# SPDX-License-Identifier: GPL-3.0-or-later
"""The handles of the active layer of a terrain: on its surface, and in its object's space."""

from dataclasses import dataclass
from typing import Any, cast

import bpy
import numpy as np
from mathutils import Matrix, Vector
from mathutils.geometry import intersect_line_plane
from numpy.typing import NDArray

from ...core.layers import Handle
from ..data.terrains import active_layer, is_borrowed, terrain_of
from ..mesh.drawn_shapes import last_read
from ..mesh.signature import Signature
from ..properties.recipe import read_layer

MOST = 6
"""Handles of a layer."""


@dataclass
class Dragged:
    """The handle that is dragged: its number, -1 for none, and the height that it keeps."""

    number: int = -1
    height: float = 0.0


dragged = Dragged()


def handles_of(mesh: bpy.types.Mesh) -> list[Handle]:
    """Return the handles of the active layer, () while it is off or not valid."""
    terrain = terrain_of(mesh)
    item = active_layer(terrain)
    if item is None or not item.enabled:
        return []
    try:
        settings = read_layer(item).settings
    except ValueError:  # the panel of the layer says why
        return []
    shapes = {shape.name: shape for shape in last_read(mesh)}
    handles = settings.handles(terrain.size_x, terrain.size_y, shapes)
    return [handle for handle in handles if not handle.moves or moved_object(handle)][:MOST]


def moved_object(handle: Handle) -> bpy.types.Object | None:
    """Return the object that a handle moves; None for collections and what cannot be moved."""
    item = bpy.data.objects.get(handle.moves)
    return None if item is None or is_borrowed(item) or any(item.lock_location[:2]) else item


def on_surface(mesh: bpy.types.Mesh, points: NDArray[np.float64]) -> list[Vector]:
    """Return points (n, 2) of a terrain with the heights of its mesh, in the object's space.

    Beyond the border, the height is that of the border.
    """
    built = Signature.built(terrain_of(mesh))
    grid, vertices = built.grid, mesh.vertices
    if not grid or len(vertices) != grid.nx * grid.ny:
        return [Vector((x, y, 0.0)) for x, y in points.tolist()]
    columns, rows = (
        np.clip(np.rint((meters - start) / step), 0, count - 1).astype(int).tolist()
        for meters, start, step, count in (
            (points[:, 0], grid.x0, grid.dx, grid.nx),
            (points[:, 1], grid.y0, grid.dy, grid.ny),
        )
    )
    heights = (vertices[j * grid.nx + i].co.z for i, j in zip(columns, rows, strict=True))
    return [Vector((x, y, z)) for (x, y), z in zip(points.tolist(), heights, strict=True)]


def place_of(mesh: bpy.types.Mesh, handle: Handle, number: int) -> Vector:
    """Return where a handle is, in the object's space: on the surface, unless it is dragged."""
    place = on_surface(mesh, np.array([handle.place]))[0]
    if dragged.number == number:
        place.z = dragged.height
    return place


def under_mouse(
    item: bpy.types.Object, origin: Vector, direction: Vector, height: float
) -> Vector | None:
    """Return where a line of sight meets the level of a height, in the object's space.

    ``origin`` and ``direction`` are those of the line in the world; None where it meets no level.
    """
    inside: Any = item.matrix_world.inverted_safe()
    near = inside @ origin
    far = inside @ (origin + direction)
    level = Vector((0.0, 0.0, height))
    found = cast(Any, intersect_line_plane)(near, far, level, Vector((0.0, 0.0, 1.0)))
    return found if found is not None and (found - near).dot(far - near) > 0 else None


def moved_by(item: bpy.types.Object, start: Matrix, by: Vector) -> Matrix:
    """Return the transform ``start`` in the world, moved by a vector in an object's space."""
    across: Any = item.matrix_world.to_3x3()
    return cast(Matrix, cast(Any, Matrix.Translation(across @ by)) @ start)
