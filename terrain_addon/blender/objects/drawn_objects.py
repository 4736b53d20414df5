# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects that shape a terrain: new curves and empties on its surface, selected objects, and the
collection of all of them."""

import math
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Any, cast

import bpy
import numpy as np
from mathutils import Matrix
from numpy.typing import NDArray

from ...core.shapes import AREA, PLACE
from ..data import water_objects
from ..data.terrains import is_borrowed, objects_of, own_collections, terrain_of
from ..mesh.drawn_shapes import DRAWN, is_shape, objects
from ..mesh.sculpted import heights_at
from ..properties.drawn_kinds import Kind
from ..properties.recipe import read_bare

SPAN, SWING, RADIUS = 0.7, 0.06, 0.15
"""Length of a new line, its bends, and the radius of a new area, as shares of the longer and the
shorter side of the terrain."""
BAYS = (1.3, 0.75, 1.05, 1.25, 0.65, 0.95, 0.7, 1.2, 0.85, 1.1, 0.6)
"""Factors on the radius at the points of a new area: a circle would look artificial."""
POINTS = 5
"""Of a new line."""
CLOSE = 1e-6
"""Distance from the surface, relative to the coordinates, at which a point lies on it."""
_SHAPES = "terrain_shapes"
"""Custom property that holds the collection of what shapes a terrain."""


def add(
    context: bpy.types.Context, terrain: bpy.types.Object, name: str, kind: Kind
) -> bpy.types.Object:
    """Return a new child of a terrain object for a kind of layer or mask, in the same collections,
    that moves with it and is seen through the ground, in the color of the kind.

    A curve without points, or for a PLACE an empty on the surface, a quarter as large as the
    terrain.
    """
    data = None
    if kind.drawn != PLACE:
        data = bpy.data.curves.new(name, "CURVE")
        data.dimensions = "3D"
    collections = own_collections(context, terrain.users_collection)
    item = add_child(terrain, bpy.data.objects.new(name, data), kind.line_color, collections)
    if kind.drawn == PLACE:
        mesh = cast(bpy.types.Mesh, terrain.data)
        settings = terrain_of(mesh)
        item.empty_display_size = min(settings.size_x, settings.size_y) / 4
        item.location.z = float(heights_at(mesh, np.zeros(1), np.zeros(1))[0])
    return item


def add_child(
    terrain: bpy.types.Object,
    item: bpy.types.Object,
    color: tuple[float, float, float],
    collections: Iterable[bpy.types.Collection],
) -> bpy.types.Object:
    """Return a new object as a child of a terrain that is seen through the ground, in a color."""
    for collection in collections:
        collection.objects.link(item)
    item.parent = terrain
    item.show_in_front, item[DRAWN] = True, True
    cast(Any, item).color = (*color, 1.0)
    include(terrain, item)
    return item


def selected(context: bpy.types.Context, terrain: bpy.types.Object, name: str) -> str:
    """Return the name of the shape that the other selected objects make: that of the object, or of
    a new collection of several. Raises ValueError if none can be a shape."""
    items = selected_shapes(context, terrain)
    if not items:
        raise ValueError(
            "Select the curves, meshes or empties that the terrain is to follow, and the terrain "
            "last"
        )
    if len(items) == 1:
        include(terrain, items[0])
        return items[0].name
    collection = bpy.data.collections.new(name)
    while bpy.data.objects.get(collection.name):  # objects precede collections
        collection.name += "s"
    context.scene.collection.children.link(collection)
    for item in items:
        collection.objects.link(item)
    include(terrain, collection)
    return collection.name


def selected_shapes(
    context: bpy.types.Context, terrain: bpy.types.Object
) -> list[bpy.types.Object]:
    """Return the other selected objects that can be shapes."""
    return [item for item in context.selected_objects if item != terrain and is_shape(item)]


def collection_of(terrain: bpy.types.Object) -> bpy.types.Collection:
    """Return the collection, in no scene, of what a terrain follows and of its rivers and lakes:
    where nothing should grow. What is drawn later is added to it."""
    found: Any = terrain.get(_SHAPES)
    if found is None:
        found = bpy.data.collections.new(f"{terrain.name} Shapes")
        terrain[_SHAPES] = found
        waters = water_objects.waters_of(terrain)
        for child in terrain.children:
            if is_line(child) or child in (*waters.get("Rivers", ()), *waters.get("Lakes", ())):
                found.objects.link(child)
        settings = terrain_of(cast(bpy.types.Mesh, terrain.data))
        for name in read_bare(settings).shape_names:
            include(terrain, bpy.data.objects.get(name) or bpy.data.collections.get(name))
    return found


def include(
    terrain: bpy.types.Object, item: bpy.types.Object | bpy.types.Collection | None
) -> None:
    """Add an object or a collection to the collection of a terrain, if it has one."""
    found: Any = terrain.get(_SHAPES)
    if found is None or item is None:
        return
    group = found.children if isinstance(item, bpy.types.Collection) else found.objects
    if item.name not in group:
        group.link(item)


def add_points(curve: bpy.types.Object, drawn: str) -> None:
    """Add a spline across the middle of the terrain to a curve, on the surface."""
    item = cast(bpy.types.Object, curve.parent)
    settings = terrain_of(cast(bpy.types.Mesh, item.data))
    shorter = min(settings.size_x, settings.size_y)
    if drawn == AREA:
        angles = np.arange(len(BAYS)) * (2 * math.pi / len(BAYS))
        across, along = RADIUS * shorter * np.array(BAYS) * [np.cos(angles), np.sin(angles)]
    else:
        shares = np.linspace(-0.5, 0.5, POINTS)
        across = SPAN * shares * max(settings.size_x, settings.size_y)
        along = -SWING * shorter * np.sin(2 * np.pi * shares)
    if settings.size_x < settings.size_y:
        across, along = -along, across
    spline: Any = cast(Any, curve.data).splines.new("BEZIER")
    spline.bezier_points.add(len(across) - 1)
    spline.use_cyclic_u = drawn == AREA
    for point, x, y in zip(spline.bezier_points, across, along, strict=True):
        point.co = (x, y, 0)
        point.handle_left_type = point.handle_right_type = "AUTO"
    drape(curve, item)


def scale(mesh: bpy.types.Mesh, names: Iterable[str], factor: float) -> list[str]:
    """Scale the shapes of those names that are children of a terrain, from its middle.

    Empties keep their own scale, a factor on settings of the layer. Returns the names of objects
    that are no children, which stay as they are.
    """
    owners = objects_of(mesh)
    others: list[str] = []
    for item in objects(names).values():
        if item.parent not in owners:
            others.append(item.name)
            continue
        own = item.scale.copy()
        outside: Any = item.matrix_parent_inverse
        item.matrix_basis = (
            outside.inverted_safe() @ Matrix.Scale(factor, 4) @ outside @ item.matrix_basis
        )
        if item.type == "EMPTY":
            item.scale = own
    return others


def drape(curve: bpy.types.Object, terrain: bpy.types.Object, offset: float = 0.0) -> None:
    """Put all points of a curve on the surface of a terrain, that far above it in meters.

    Handles move with their points. The plan of a curve that is not tilted stays the same to the
    bit: Blender computes handles anew when a point is set, but not when all are at once. Raises
    ValueError as :func:`.heights_at` does.
    """
    matrix = np.array(_to_terrain(curve, terrain))
    up = np.array(_to_terrain(curve, terrain).inverted_safe())[:3, 2]
    splines = list(splines_of(curve))
    places = [values_of(points, "co")[:, :3] for _, points, _ in splines]
    if not places:
        return
    place = np.concatenate(places) @ matrix[:3, :3].T + matrix[:3, 3]
    ground = heights_at(cast(bpy.types.Mesh, terrain.data), place[:, 0], place[:, 1])
    rises = np.split(ground + offset - place[:, 2], np.cumsum([len(one) for one in places])[:-1])
    near = CLOSE * (1 + np.abs(place).max(initial=0))
    moved = False
    for (_, points, names), rise in zip(splines, rises, strict=True):
        if np.abs(rise).max(initial=0) <= near:
            continue
        for name in names:
            values = values_of(points, name)
            values[:, :3] += rise[:, None] * up
            points.foreach_set(name, values.astype(np.float32).ravel())
        moved = True
    if moved:
        cast(Any, curve.data).update_tag()


def drape_drawn(mesh: bpy.types.Mesh) -> None:
    """Put the curves that were drawn for a terrain on its surface, unless a layer reads the heights
    of their points.

    Curves in Edit Mode stay under the mouse. Those that are tilted, animated or modified stay too:
    their plan would change with their heights, and so would the terrain.
    """
    for curve, terrain in kept_on_ground(mesh):
        with suppress(ValueError):  # of a mesh that is no grid any more
            drape(curve, terrain)


def kept_on_ground(mesh: bpy.types.Mesh) -> Iterator[tuple[bpy.types.Object, bpy.types.Object]]:
    """Yield the curves that :func:`drape_drawn` puts on a terrain, and its object."""
    recipe = read_bare(terrain_of(mesh))
    flat = objects(recipe.shapes_in_plan)
    read = objects(set(recipe.shape_names) - set(recipe.shapes_in_plan))
    for terrain in objects_of(mesh):
        for child in terrain.children if flat else ():
            uid = child.session_uid
            if uid in flat and uid not in read and _can_be_draped(child):
                yield child, terrain


def is_drawn(item: bpy.types.Object | None) -> bool:
    """Return whether an object is a curve that was drawn for a terrain."""
    return item is not None and is_line(item) and bool(item.get(DRAWN))


def _can_be_draped(item: bpy.types.Object) -> bool:
    """Return whether an object is a drawn curve that keeps its plan on any ground."""
    curve: Any = item.data
    if not is_drawn(item) or is_borrowed(curve) or curve.is_editmode:
        return False
    to_terrain: Any = _to_terrain(item, cast(bpy.types.Object, item.parent))
    across, along, _ = to_terrain.col[2][:3]
    changes = item.modifiers or item.constraints or curve.shape_keys or curve.animation_data
    return not (across or along or changes)


def _to_terrain(curve: bpy.types.Object, terrain: bpy.types.Object) -> Matrix:
    """Return the transform from the coordinates of a curve to those of a terrain."""
    if curve.parent == terrain:  # known before Blender has evaluated a new object
        return cast(Any, curve.matrix_parent_inverse @ curve.matrix_basis)
    return cast(Any, terrain.matrix_world.inverted_safe() @ curve.matrix_world)


def splines_of(curve: bpy.types.Object) -> Iterator[tuple[Any, Any, Sequence[str]]]:
    """Yield each spline of a curve, its points, and the names of their places."""
    for spline in cast(Any, curve.data).splines:
        if spline.type == "BEZIER":
            yield spline, spline.bezier_points, ("co", "handle_left", "handle_right")
        else:
            yield spline, spline.points, ("co",)


def values_of(points: Any, name: str) -> NDArray[np.float64]:
    """Return the places (n, 3), or with weights (n, 4), of the points of a spline."""
    flat = np.empty(len(points) * len(getattr(points[0], name)), np.float32)
    points.foreach_get(name, flat)
    return flat.reshape(len(points), -1).astype(np.float64)


def is_line(item: bpy.types.Object | None) -> bool:
    """Return whether an object is a curve of splines."""
    return bool(item) and isinstance(item.data, bpy.types.Curve) and item.type == "CURVE"
