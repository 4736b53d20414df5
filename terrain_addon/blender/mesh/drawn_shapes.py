# SPDX-License-Identifier: GPL-3.0-or-later
"""Shapes by name: curves, meshes, empties and collections of them, relative to a terrain.

What a terrain is made from, the objects of its shapes and the terrains that are its maps, is noted
here, so that it can follow them.
"""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, cast

import bpy
import numpy as np
from mathutils import Matrix
from numpy.typing import NDArray

from ...core import Shape
from ...core.shapes import CLOSED, FACE, FRAME, OPEN
from ..data.terrains import is_terrain_object, objects_of, terrain_named
from . import shape_readers
from .shape_readers import RADIUS

DRAWN = "terrain_drawn"
"""Custom property of what was drawn or imported for a terrain and lies on its surface."""
_WITH_GEOMETRY = ("CURVE", "CURVES", "FONT", "MESH", "SURFACE")
DEEPEST = 8
"""Levels of collection instances within each other that are followed."""
Values = NDArray[np.float64]


@dataclass(frozen=True)
class Sources:
    """What the shapes of a terrain were read from, and its maps that are terrains, as plain data.

    ``own`` are the session_uids of the objects that show it, ``members`` those of the objects that
    make its shapes and maps, with their data and collections.
    """

    names: tuple[str, ...]
    maps: tuple[str, ...]
    own: frozenset[int]
    members: frozenset[int]

    def is_outdated(self) -> bool:
        """Return whether other objects have these names now."""
        return _members(self.names) | _terrains(self.maps) != self.members


@dataclass
class Followed:
    """What the shapes and maps of all terrains were read from."""

    terrains: dict[int, Sources] = field(default_factory=dict)
    """By the session_uid of the terrain's mesh."""
    known: set[int] = field(default_factory=set[int])
    """The session_uids of the meshes whose shapes and maps were looked up in this file."""
    reading: bool = False
    """Whether shapes are being read, which evaluates a scene."""
    shapes: dict[int, tuple[Shape, ...]] = field(default_factory=dict)
    """The shapes that were read last, by the session_uid of the terrain's mesh."""
    rendered: bpy.types.Depsgraph | None = None
    """Evaluated state of the frame that is rendered, while there is one."""

    def forget(self, uid: int) -> None:
        """Drop what is known of a terrain, by the session_uid of its mesh."""
        self.terrains.pop(uid, None)
        self.shapes.pop(uid, None)


FOLLOWED = Followed()


@contextmanager
def rendering(graph: bpy.types.Depsgraph) -> Iterator[None]:
    """Read shapes as they are in the frame that is rendered, within the context."""
    FOLLOWED.rendered = graph
    try:
        yield
    finally:
        FOLLOWED.rendered = None


@dataclass(frozen=True)
class _Part:
    """Lines of one object, in the coordinates of the world or of the terrain."""

    points: Values
    starts: NDArray[np.intp]
    kinds: NDArray[np.uint8]


def shapes_of(
    mesh: bpy.types.Mesh, names: Iterable[str], maps: Iterable[str] = ()
) -> tuple[Shape, ...]:
    """Return the named shapes in the coordinates of the terrain; skip names without a shape.

    Objects precede collections. Of several objects that show the terrain, the first one's place
    counts. From now on the terrain follows these objects, and the terrains that are its ``maps``.
    Raises ValueError for points that are no place, and for a map that is made from this terrain.
    """
    names, maps = tuple(names), tuple(maps)
    FOLLOWED.known.add(mesh.session_uid)
    if not names and not maps:
        FOLLOWED.forget(mesh.session_uid)
        return ()
    users = objects_of(mesh)
    _follow(mesh, users, names, maps)
    found = {name: sources for name in names if (sources := list(_sources(name)))}
    if not found:
        return ()
    FOLLOWED.reading = True
    try:
        FOLLOWED.shapes[mesh.session_uid] = shapes = _read(users, found)
    finally:
        FOLLOWED.reading = False
    return shapes


def shape_named(mesh: bpy.types.Mesh, name: str) -> Shape:
    """Return a shape in the coordinates of a terrain, which does not follow it; ValueError if there
    is none of that name."""
    sources = list(_sources(name))
    if not sources:
        raise ValueError(missing(name))
    FOLLOWED.reading = True
    try:
        return _read(objects_of(mesh), {name: sources})[0]
    finally:
        FOLLOWED.reading = False


def last_read(mesh: bpy.types.Mesh) -> tuple[Shape, ...]:
    """Return the shapes of a terrain as they were when it was last built: nothing is evaluated."""
    return FOLLOWED.shapes.get(mesh.session_uid, ())


def _follow(
    mesh: bpy.types.Mesh,
    users: Iterable[bpy.types.Object],
    names: tuple[str, ...],
    maps: tuple[str, ...],
) -> None:
    """Note what a terrain is made from; ValueError for a map that is made from it."""
    for name in maps:
        if mesh.session_uid in _origins(_terrains([name])):
            raise ValueError(
                f"The terrain {name!r} is this one, or made from it: choose another as a map"
            )
    own = frozenset(user.session_uid for user in users)
    members = frozenset(_members(names) | _terrains(maps))
    FOLLOWED.terrains[mesh.session_uid] = Sources(names, maps, own, members)


def _terrains(names: Iterable[str]) -> set[int]:
    """Return the session_uids of the named terrains and of their meshes."""
    found = [item for name in names if (item := terrain_named(name))]
    return {one.session_uid for item in found for one in (item, cast(Any, item.data))}


def _origins(uids: set[int]) -> set[int]:
    """Return session_uids, and those of everything that their terrains are made from."""
    found, waiting = set(uids), list(uids)
    while waiting:
        if sources := FOLLOWED.terrains.get(waiting.pop()):
            waiting += sources.members - found
            found |= sources.members
    return found


def sources_first(uids: Iterable[int]) -> list[int]:
    """Sort terrains, given by session_uid, so that each follows the ones it is made from."""
    return sorted(uids, key=lambda uid: len(_origins({uid})))


def _read(
    users: list[bpy.types.Object], found: Mapping[str, list[tuple[bpy.types.Object, Matrix]]]
) -> tuple[Shape, ...]:
    graph = FOLLOWED.rendered or bpy.context.evaluated_depsgraph_get()
    place = cast(Any, users[0].evaluated_get(graph)).matrix_world if users else Matrix()
    every = {one.session_uid: one for sources in found.values() for one, _ in sources}
    geometry = _geometry(every.values(), cast(bpy.types.Scene, graph.scene))
    shapes: list[Shape] = []
    for name, sources in found.items():
        parts: list[_Part] = []
        for item, outside in sources:
            own = cast(Any, item.evaluated_get(graph)).matrix_world
            matrix = place.inverted_safe() @ outside @ own
            parts += [_moved(one, matrix) for one in geometry[item.session_uid]]
        shapes.append(_joined(name, parts))
    return tuple(shapes)


def objects(names: Iterable[str]) -> dict[int, bpy.types.Object]:
    """Return the objects that make the named shapes, by session_uid."""
    return {item.session_uid: item for name in names for item, _ in _sources(name, instancers=True)}


def exists(name: str) -> bool:
    """Return whether there is an object or a collection of that name that can be a shape."""
    return any(True for _ in _sources(name))


def missing(name: str) -> str:
    """Return what to say where there is no object or collection of a name."""
    return (
        f"There is no object or collection {name!r}: redraw it, or give its name to what the "
        "terrain is to follow"
    )


def _members(names: Iterable[str]) -> set[int]:
    """Return the session_uids of the collections, objects and data of the named shapes."""
    uids: set[int] = set()
    for name in names:
        if (
            not shape_readers.is_in_file(bpy.data.objects.get(name))
            and name in bpy.data.collections
        ):
            top = bpy.data.collections[name]
            uids |= {collection.session_uid for collection in (top, *top.children_recursive)}
        for item, _ in _sources(name, instancers=True):
            uids.add(item.session_uid)
            if item.data:
                uids.add(item.data.session_uid)
    return uids


def suggestions(group: Any, context: Any, typed: str) -> Iterator[tuple[str, str]]:
    """Yield the possible names of a shape, and what each is, for the search of a text field."""
    for item in bpy.data.objects:
        if is_shape(item) and shape_readers.is_in_file(item):
            yield item.name, item.type.replace("_", " ").capitalize()
    for collection in bpy.data.collections:
        if any(map(is_shape, collection.all_objects)):
            yield collection.name, "Collection"


def is_shape(item: bpy.types.Object) -> bool:
    """Return whether an object can be a shape: terrains and what belongs to them cannot."""
    if item.type not in (*_WITH_GEOMETRY, "EMPTY") or is_terrain_object(item):
        return False
    belongs = item.parent and is_terrain_object(item.parent) and item.type == "MESH"
    return not belongs or bool(item.get(DRAWN))


def _sources(name: str, *, instancers: bool = False) -> Iterator[tuple[bpy.types.Object, Matrix]]:
    """Yield the objects that make a shape, with the transforms of their instances."""
    item = bpy.data.objects.get(name)
    if item and shape_readers.is_in_file(item):
        yield from _instances([item], Matrix(), 0, instancers)
    elif collection := bpy.data.collections.get(name):
        yield from _instances(collection.all_objects, Matrix(), 0, instancers)


def _instances(
    items: Iterable[bpy.types.Object], place: Matrix, depth: int, instancers: bool
) -> Iterator[tuple[bpy.types.Object, Matrix]]:
    for item in items:
        inner = item.instance_collection if item.instance_type == "COLLECTION" else None
        if inner and depth < DEEPEST:
            if instancers:
                yield item, place
            offset = Matrix.Translation(cast(Any, -inner.instance_offset))
            within = cast(Any, place @ item.matrix_world @ offset)
            yield from _instances(inner.all_objects, within, depth + 1, instancers)
        elif is_shape(item):
            yield item, place


def _geometry(
    items: Iterable[bpy.types.Object], scene: bpy.types.Scene
) -> Mapping[int, list[_Part]]:
    """Read the lines of each object in local coordinates at a scene's frame, by session_uid."""
    found: dict[int, list[_Part]] = {}
    for item in items:
        if item.type in _WITH_GEOMETRY:
            with shape_readers.lines_of(item, scene) as mesh:
                found[item.session_uid] = list(_lines(mesh))
        else:
            found[item.session_uid] = [_frame()]
    return found


def _lines(mesh: bpy.types.Mesh) -> Iterator[_Part]:
    """Yield the faces of a mesh, and its edges without faces as chains."""
    count = len(mesh.vertices)
    if not count:
        return
    flat = np.empty(3 * count, np.float32)
    mesh.vertices.foreach_get("co", flat)
    points = np.ones((count, 4))
    points[:, :3] = flat.reshape(-1, 3)
    if radii := cast(Any, mesh.attributes.get(RADIUS)):
        values = np.empty(count, np.float32)
        radii.data.foreach_get("value", values)
        points[:, 3] = values
    faces, loops = len(mesh.polygons), len(mesh.loops)
    corners, starts = np.empty(loops, np.int32), np.empty(faces, np.int32)
    mesh.loops.foreach_get("vertex_index", corners)
    mesh.polygons.foreach_get("loop_start", starts)
    points[corners, 3] = 1  # joined meshes have no radius
    if faces:
        yield _Part(points[corners], starts.astype(np.intp), np.full(faces, FACE, np.uint8))
    edges = np.empty(2 * len(mesh.edges), np.int32)
    mesh.edges.foreach_get("vertices", edges)
    if faces:
        sides = np.empty(loops, np.int32)
        mesh.loops.foreach_get("edge_index", sides)
        free = np.ones(len(mesh.edges), bool)
        free[sides] = False
        edges = edges.reshape(-1, 2)[free].ravel()
    yield from _chains(points, edges.reshape(-1, 2), corners)


def _chains(points: Values, edges: NDArray[np.int32], used: NDArray[np.int32]) -> Iterator[_Part]:
    """Yield edges as lines from one end or fork to the next, closed lines, and single points."""
    count = len(points)
    ends = np.bincount(edges.ravel(), minlength=count)
    # The two neighbors of each point that has two.
    both = np.concatenate([edges, edges[:, ::-1]])
    both = both[np.argsort(both[:, 0], kind="stable")]
    first = np.searchsorted(both[:, 0], np.arange(count))
    neighbors = both[:, 1].tolist()
    begin, degree = first.tolist(), ends.tolist()
    seen: set[tuple[int, int]] = set()
    lines: list[list[int]] = []
    kinds: list[int] = []

    def follow(point: int, following: int) -> list[int]:
        line = [point]
        while (point, following) not in seen:
            seen.update(((point, following), (following, point)))
            line.append(following)
            if degree[following] != 2:
                break
            one, two = neighbors[begin[following]], neighbors[begin[following] + 1]
            point, following = following, two if one == point else one
        return line

    for point in np.flatnonzero((ends > 0) & (ends != 2)).tolist():
        for place in range(begin[point], begin[point] + degree[point]):
            if (point, neighbors[place]) not in seen:
                lines.append(follow(point, neighbors[place]))
                kinds.append(OPEN)
    for point in np.flatnonzero(ends == 2).tolist():
        if (point, neighbors[begin[point]]) not in seen:
            lines.append(follow(point, neighbors[begin[point]])[:-1])
            kinds.append(CLOSED)
    alone = ends == 0
    alone[used] = False
    for point in np.flatnonzero(alone).tolist():
        lines.append([point])
        kinds.append(OPEN)
    if lines:
        starts = np.cumsum([0, *map(len, lines)])[:-1]
        yield _Part(points[np.concatenate(lines)], starts, np.array(kinds, np.uint8))


def _frame() -> _Part:
    """Return the origin of an empty and the tips of its axes, in its own coordinates."""
    points = np.ones((4, 4))
    points[:, :3] = np.eye(4)[:, 1:]
    return _Part(points, np.zeros(1, np.intp), np.array([FRAME], np.uint8))


def _moved(part: _Part, matrix: Matrix) -> _Part:
    """Transform a part by a matrix."""
    values = np.array(matrix)
    points = part.points.copy()
    points[:, :3] = part.points[:, :3] @ values[:3, :3].T + values[:3, 3]
    return _Part(points, part.starts, part.kinds)


def _joined(name: str, parts: list[_Part]) -> Shape:
    if not parts:
        return Shape.empty(name)
    shifts = np.cumsum([0, *(len(part.points) for part in parts)])[:-1]
    return Shape(
        name,
        np.concatenate([part.points for part in parts]),
        np.concatenate([one.starts + shift for one, shift in zip(parts, shifts, strict=True)]),
        np.concatenate([part.kinds for part in parts]),
    )
