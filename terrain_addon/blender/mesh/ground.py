# SPDX-License-Identifier: GPL-3.0-or-later
"""The ground of a terrain below or above a point."""

from typing import Any, cast

import bpy
from mathutils import Vector

from ..data.terrains import terrain_of
from .signature import Signature


def below(item: bpy.types.Object, at: Vector) -> Vector | None:
    """Return the point of a terrain below or above a point of the scene.

    It is interpolated between four points of the mesh: a panel asks at every redraw, and
    `sculpted.heights_at` copies all of them. None beyond the border, and for a mesh that is not the
    grid of its terrain.
    """
    mesh = cast(bpy.types.Mesh, item.data)
    built = Signature.built(terrain_of(mesh))
    nx, ny = built.nx, built.ny
    if nx < 2 or ny < 2 or len(mesh.vertices) != nx * ny:
        return None
    local = item.matrix_world.inverted_safe() @ at
    x = (local.x / built.size_x + 0.5) * (nx - 1)
    y = (local.y / built.size_y + 0.5) * (ny - 1)
    if not (0 <= x <= nx - 1 and 0 <= y <= ny - 1):
        return None
    i, j = min(int(x), nx - 2), min(int(y), ny - 2)
    vertices: Any = mesh.vertices
    low, high = (
        vertices[k * nx + i].co.lerp(vertices[k * nx + i + 1].co, x - i) for k in (j, j + 1)
    )
    return item.matrix_world @ low.lerp(high, y - j)
