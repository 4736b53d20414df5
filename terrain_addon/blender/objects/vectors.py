# SPDX-License-Identifier: GPL-3.0-or-later
"""Curves of the vectors of a file: an object for each class, with all its lines."""

from collections.abc import Iterator, Mapping
from typing import Any, cast

import bpy
import numpy as np
from numpy.typing import NDArray

from ...core.layers import LAYERS
from ...core.vectors import KINDS, Placed
from ..data.terrains import own_collections
from ..mesh.sculpted import heights_at
from . import drawn_objects

_KIND, _WIDTH, _ISLANDS = "terrain_vectors", "terrain_vectors_width", "terrain_vectors_islands"
"""Custom properties of the objects: a class of vectors, the width in meters of what has a radius of
1, and on a collection of areas with holes, its class."""
_PLAIN = (0.8, 0.8, 0.8)
"""Color of lines and areas whose class is not known."""


def add(
    context: bpy.types.Context, terrain: bpy.types.Object, name: str, classes: Mapping[str, Placed]
) -> list[bpy.types.Object]:
    """Return new curves on the surface of a terrain, in a collection of that name.

    Each class is one curve, whose splines have the width of their line as radius, relative to the
    widest. Areas with holes are faces of a mesh, in a collection with the curve of the others.

    Raises ValueError, and adds nothing, if the mesh of the terrain is no grid any more.
    """
    mesh = cast(bpy.types.Mesh, terrain.data)
    heights = {kind: heights_at(mesh, *one.points.T) for kind, one in classes.items()}
    collection = bpy.data.collections.new(name)
    own_collections(context, terrain.users_collection)[0].children.link(collection)
    items: list[bpy.types.Object] = []
    for kind, one in classes.items():
        points = np.column_stack([one.points, heights[kind]])
        items += _objects(terrain, f"{name} {KINDS[kind].label}", one, points, collection)
    return items


def is_imported(item: bpy.types.Object) -> bool:
    """Return whether an object holds vectors of a file."""
    return _KIND in item


def imported(terrain: bpy.types.Object) -> Iterator[tuple[str, str, float]]:
    """Yield class, name as a shape, and the width of a radius of 1, of the vectors of a terrain."""
    seen: set[str] = set()
    for child in terrain.children:
        kind = child.get(_KIND)
        if kind not in KINDS:
            continue
        group = next((one for one in child.users_collection if one.get(_ISLANDS) == kind), None)
        name = group.name if group else child.name
        if name not in seen:
            seen.add(name)
            yield kind, name, float(child.get(_WIDTH, 0.0))


def _objects(
    terrain: bpy.types.Object,
    name: str,
    one: Placed,
    points: NDArray[np.float64],
    collection: bpy.types.Collection,
) -> Iterator[bpy.types.Object]:
    """Yield the curve of a class, and the mesh of its areas with holes."""
    layer = KINDS[one.kind].layer
    color = LAYERS[layer].line_color if layer else _PLAIN
    widest = float(one.widths.max(initial=0.0))
    lines = np.split(points, one.starts[1:])
    number = np.arange(len(lines))
    with_holes = np.isin(number, one.outer[one.outer != number]) if one.is_area else number < 0
    simple = number[(one.outer == number) & ~with_holes] if one.is_area else number
    if with_holes.any():
        group = bpy.data.collections.new(f"{name} All")  # objects precede collections of a name
        group[_ISLANDS] = one.kind
        collection.children.link(group)
        collection = group
        data = _filled(name, [[lines[n] for n in np.flatnonzero(one.outer == border)]
                              for border in np.flatnonzero(with_holes)])  # fmt: skip
        item = bpy.data.objects.new(f"{name} with Islands", data)
        item.display_type = "WIRE"
        item[_KIND] = one.kind
        yield drawn_objects.add_child(terrain, item, color, [collection])
    if len(simple):
        radii = one.widths[simple] / widest if widest else np.ones(len(simple))
        data = _curve(name, [lines[n] for n in simple], radii, closed=one.is_area)
        item = bpy.data.objects.new(data.name, data)
        item[_KIND], item[_WIDTH] = one.kind, widest
        yield drawn_objects.add_child(terrain, item, color, [collection])


def _curve(
    name: str, lines: list[NDArray[np.float64]], radii: NDArray[np.float64], *, closed: bool
) -> bpy.types.Curve:
    """Return a curve of straight lines (n, 3), each with its radius."""
    curve: Any = bpy.data.curves.new(name, "CURVE")
    curve.dimensions = "3D"
    for line, radius in zip(lines, radii.tolist(), strict=True):
        spline = curve.splines.new("POLY")
        spline.points.add(len(line) - 1)
        places = np.ones((len(line), 4), np.float32)
        places[:, :3] = line
        spline.points.foreach_set("co", places.ravel())
        spline.points.foreach_set("radius", np.full(len(line), radius, np.float32))
        spline.use_cyclic_u = closed
    return curve


def _filled(name: str, areas: list[list[NDArray[np.float64]]]) -> bpy.types.Mesh:
    """Return a mesh of the faces between borders and holes, (n, 3) each, level at the mean height
    of each border."""
    parts = [_faces(name, rings) for rings in areas]
    starts = np.cumsum([0, *(len(places) for places, _ in parts)])
    mesh = bpy.data.meshes.new(name)
    places = np.concatenate([places for places, _ in parts])
    faces = [
        [corner + start for corner in face]
        for (_, own), start in zip(parts, starts[:-1].tolist(), strict=True)
        for face in own
    ]
    mesh.from_pydata(places, [], faces)  # type: ignore[arg-type]
    return mesh


def _faces(
    name: str, rings: list[NDArray[np.float64]]
) -> tuple[NDArray[np.float64], list[list[int]]]:
    """Return the places and the faces of an area, by Blender's own filling of flat curves."""
    curve: Any = _curve(name, rings, np.ones(len(rings)), closed=True)
    curve.dimensions, curve.fill_mode = "2D", "BOTH"
    item = bpy.data.objects.new(name, curve)
    filled = bpy.data.meshes.new_from_object(item)
    try:
        places = np.array([(*vertex.co[:2], 0) for vertex in filled.vertices], np.float64)
        places[:, 2] = rings[0][:, 2].mean()
        return places, [list(cast(Any, face.vertices)) for face in filled.polygons]
    finally:
        bpy.data.batch_remove([item, curve, filled])
