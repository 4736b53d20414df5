# SPDX-License-Identifier: GPL-3.0-or-later
"""A heightfield as a Blender mesh: built once, then moved in place.

Attributes are written directly. For a million points this takes 0.1 s, where ``from_pydata`` takes
seconds, and moving the points takes a few milliseconds.
"""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, cast

import bpy
import numpy as np
from numpy.typing import NDArray

from ...core import Grid
from ...core.numerics import row_bands
from ...core.output import InlandWater, Legend, positions, topology, uvs
from ..data.attributes import clear_geometry, values_of
from . import new_grid
from .transfer import UserData

COLOR, HEIGHT, SLOPE, UV_MAP = "Color", "height", "slope", "UVMap"
SURFACE_ATTRIBUTES = ("surface_ground", "surface_cover")
"""Weights of the surface classes in two sets of four: rock, scree, soil and sand; grass, wood, snow
and ice. Only the natural material has them."""
OURS = (COLOR, HEIGHT, SLOPE, UV_MAP, *SURFACE_ATTRIBUTES)
_FIELD = ("POINT", "FLOAT")
_TYPES = {
    **dict.fromkeys((COLOR, *SURFACE_ATTRIBUTES), ("POINT", "FLOAT_COLOR")),
    UV_MAP: ("CORNER", "FLOAT2"),
}
"""Domain and type of an attribute by name, for those that are no field."""

LOOKS = 100
"""Faces checked to see whether the mesh is still the grid, few enough for a slider's updates."""

Array = NDArray[np.float32]


@dataclass(frozen=True)
class Surface:
    """What a mesh shows: float32 heights in meters, slopes in degrees, linear RGBA, fields.

    Without colors, a mesh of the same shape keeps all but its heights: previews leave the rest to
    the full result, as it takes longer than the heights. ``water`` holds rivers and lakes, None if
    none are shown. ``legend`` explains the colors if they show a mask instead of the palette.
    ``surfaces`` are weights of the surface classes for the natural material, in two sets of four,
    (2, ..., 4) float32.
    """

    grid: Grid
    height: Array
    slope: Array | None = None
    colors: Array | None = None
    fields: Mapping[str, Array] = field(default_factory=dict)
    water: InlandWater | None = None
    legend: Legend | None = None
    surfaces: Array | None = None


def is_grid(mesh: bpy.types.Mesh, nx: int, ny: int) -> bool:
    """Return whether a mesh that was built as nx x ny points still has these points and faces.

    Only some faces are checked.
    """
    if len(mesh.vertices) != nx * ny or len(mesh.polygons) != (nx - 1) * (ny - 1):
        return False
    faces = mesh.polygons
    for face in _some(len(faces)):
        j, i = divmod(face, nx - 1)
        first = j * nx + i
        points: Any = faces[face].vertices
        if sorted(points[:]) != [first, first + 1, first + nx, first + nx + 1]:
            return False
    return True


def is_in_place(mesh: bpy.types.Mesh, grid: Grid, height: Array) -> bool:
    """Return whether all points of a mesh lie on a grid at these heights.

    This takes 0.5 ms for 513 x 513 points and 2 ms for 1025 x 1025.
    """
    if mesh.is_editmode:
        return True  # the edit mesh holds its points
    points = values_of(mesh.attributes["position"]).reshape(grid.ny, grid.nx, 3)
    xs, ys = grid.x.astype(np.float32), grid.y.astype(np.float32)  # double precision is slower
    near = 1e-6 * (abs(xs[0]) + abs(ys[0]))
    heights = height.reshape(grid.shape)
    return all(
        np.abs(points[rows, :, 0] - xs).max() <= near
        and np.abs(points[rows, :, 1] - ys[rows, None]).max() <= near
        and np.array_equal(points[rows, :, 2], heights[rows])
        for rows in row_bands(grid.shape)
    )


def _some(count: int) -> range:
    """Return about `LOOKS` numbers below ``count``, evenly spread."""
    return range(0, count, max(1, count // LOOKS))


@contextmanager
def new(name: str, grid: Grid) -> Iterator[bpy.types.Mesh]:
    """Yield a new mesh with the points and faces of a grid; move the points in the context.

    If that fails, the mesh is removed.
    """
    mesh = new_grid.new(name, grid.nx, grid.ny, UV_MAP)
    try:
        add_attributes(mesh)
        yield mesh
    except Exception:
        bpy.data.meshes.remove(mesh)
        raise


def build(
    mesh: bpy.types.Mesh, surface: Surface, old: Grid | None, old_fields: Iterable[str] = ()
) -> None:
    """Give an existing mesh the points and faces of another grid.

    Materials and custom properties stay. Vertex groups and the user's own attributes are
    transferred from the ``old`` grid; a mesh without one is taken for the new grid. ``old_fields``
    are the fields that the terrain wrote. Raises ValueError, and changes nothing, if the user has
    an attribute with one of our names.
    """
    check_own(mesh, surface.fields)
    grid = surface.grid
    carried = _carried(mesh, old or grid, grid, old_fields) if mesh.vertices else None
    clear_geometry(mesh)
    _connect(mesh, grid.nx, grid.ny)
    add_attributes(mesh)
    if carried:
        carried.write(mesh, (grid.nx, grid.ny))
    move(mesh, surface)


def _carried(mesh: bpy.types.Mesh, old: Grid, new: Grid, old_fields: Iterable[str]) -> UserData:
    """Return the data that the user added, for a mesh of the ``new`` grid.

    This includes our UV map if the user changed it on an intact grid.
    """
    shape = (old.nx, old.ny)
    ours = {name for name in (*OURS, *old_fields) if is_own(mesh, name)}
    if not is_grid(mesh, *shape):
        return UserData.read_nearest(mesh, old, new, ours)
    uv_map: Any = mesh.uv_layers.get(UV_MAP)
    theirs = uv_map and not np.allclose(values_of(mesh.attributes[UV_MAP]), uvs(*shape), atol=1e-5)
    return UserData.read(mesh, shape, ours - ({UV_MAP} if theirs else set()))


def add_attributes(mesh: bpy.types.Mesh) -> None:
    """Add the attributes that a terrain always has."""
    for name in (COLOR, HEIGHT, SLOPE):
        _own(mesh, name)
    mesh.attributes.active_color_name = COLOR
    mesh.attributes.default_color_name = COLOR


def _connect(mesh: bpy.types.Mesh, nx: int, ny: int) -> None:
    """Add the points, edges, faces and UVs of a grid to an empty mesh."""
    made = topology(nx, ny)
    mesh.vertices.add(made.vertices)
    mesh.edges.add(len(made.edge_verts))
    mesh.loops.add(len(made.corner_verts))
    mesh.polygons.add(len(made.face_offsets) - 1)
    _set(mesh, ".edge_verts", "value", made.edge_verts)
    _set(mesh, ".corner_vert", "value", made.corner_verts)
    _set(mesh, ".corner_edge", "value", made.corner_edges)
    mesh.polygons.foreach_set("loop_start", made.face_offsets[:-1])
    mesh.uv_layers.new(name=UV_MAP, do_init=False)
    _set(mesh, UV_MAP, "vector", uvs(nx, ny))


def move(mesh: bpy.types.Mesh, surface: Surface) -> None:
    """Write the heights of ``surface`` to a mesh of the same shape, and what else it has.

    Raises ValueError as :func:`build` does.
    """
    check_own(mesh, surface.fields)
    _set(mesh, "position", "vector", positions(surface.grid, surface.height))
    _set(mesh, _own(mesh, HEIGHT), "value", surface.height)
    if surface.colors is None:
        mesh.update()
        return
    _set(mesh, _own(mesh, SLOPE), "value", surface.slope)
    for name, values in surface.fields.items():
        _set(mesh, _own(mesh, name), "value", values)
    classify(mesh, surface.surfaces)
    color(mesh, surface.colors)


def set_positions(mesh: bpy.types.Mesh, points: Array) -> None:
    """Write only the positions, (points, 3) float32."""
    _set(mesh, "position", "vector", points)
    mesh.update()


def color(mesh: bpy.types.Mesh, colors: Array) -> None:
    """Write only the colors, linear RGBA float32 (points, 4). Raises as :func:`build` does."""
    check_own(mesh)
    _set(mesh, _own(mesh, COLOR), "color", colors)
    mesh.update()


def classify(mesh: bpy.types.Mesh, surfaces: Array | None) -> None:
    """Write only the weights of surface classes; None removes them. Raises as :func:`build`
    does."""
    check_own(mesh)
    if surfaces is None:
        remove_attributes(mesh, SURFACE_ATTRIBUTES)
        return
    for name, weights in zip(SURFACE_ATTRIBUTES, surfaces, strict=True):
        _set(mesh, _own(mesh, name), "color", weights)


def is_painted_over(mesh: bpy.types.Mesh) -> bool:
    """Return whether the active color attribute is the one that the next change overwrites."""
    return mesh.attributes.active_color_name == COLOR


def remove_attributes(mesh: bpy.types.Mesh, names: Iterable[str]) -> None:
    """Remove fields that the recipe no longer includes."""
    for name in names:
        if is_own(mesh, name):
            mesh.attributes.remove(mesh.attributes[name])


def is_own(mesh: bpy.types.Mesh, name: str) -> bool:
    """Return whether a mesh has an attribute of the type that a terrain writes under that name."""
    attribute = mesh.attributes.get(name)
    kind = attribute and (attribute.domain, attribute.data_type)
    return kind == _TYPES.get(name, _FIELD)


def check_own(mesh: bpy.types.Mesh, fields: Iterable[str] = ()) -> None:
    """Raise ValueError if an attribute of the user's has a name that a terrain writes."""
    for name in (*OURS, *fields):
        if name in mesh.attributes and not is_own(mesh, name):
            raise ValueError(f"The mesh has another attribute named {name!r}: rename it first")


def recorded(mesh: bpy.types.Mesh, names: Iterable[str]) -> list[Array] | None:
    """Return the fields that were last written, flat; None if the user removed or replaced one."""
    fields: list[Array] = []
    for name in names:
        if not is_own(mesh, name):
            return None
        fields.append(values_of(mesh.attributes[name]).reshape(-1))
    return fields


def range_of(mesh: bpy.types.Mesh, name: str) -> tuple[float, float] | None:
    """Return the lowest and highest value of a field that was last written; None if unknown."""
    made = recorded(mesh, (name,))
    if not made or not made[0].size:  # all points may have been deleted by hand
        return None
    return float(made[0].min()), float(made[0].max())


def range_of_points(mesh: bpy.types.Mesh) -> tuple[float, float] | None:
    """Return the lowest and highest point of a mesh in meters; None if it has none."""
    if not mesh.vertices:
        return None
    height = values_of(mesh.attributes["position"]).reshape(-1, 3)[:, 2]
    return float(height.min()), float(height.max())


def _own(mesh: bpy.types.Mesh, name: str) -> str:
    """Return the name of our attribute; add the attribute if the user removed it."""
    if name not in mesh.attributes:
        domain, kind = _TYPES.get(name, _FIELD)
        mesh.attributes.new(name, cast(Any, kind), cast(Any, domain))
    return name


def _set(mesh: bpy.types.Mesh, name: str, field: str, values: Any) -> None:
    cast(Any, mesh.attributes[name]).data.foreach_set(field, values.reshape(-1))
