# SPDX-License-Identifier: GPL-3.0-or-later
"""What surrounds a terrain in a picture, so that no cut edge is visible.

One object, a child of the terrain, whose geometry nodes follow the terrain's mesh. They are
rebuilt when its sea, rivers or lakes come or go.
"""

import math as maths
from collections.abc import Callable, Sequence
from typing import Any, cast

import bpy
import numpy as np
from mathutils import Vector
from numpy.typing import NDArray

from ... import materials
from ...app.undo import note_new_data
from ...data import water_objects
from ...data.attributes import values_of
from ...data.scenery_objects import kind_of, nodes_of, set_kind, surroundings_of
from ...materials import haze, parameters, sky
from ...materials.node_trees import (
    add,
    arrange,
    attribute,
    math,
    mix,
    mix_number,
    new_material,
    out,
    ramp,
    shared,
    vector,
)
from ...materials.water import deep_sea_material, water_side_material
from ...mesh.terrain_mesh import COLOR, SURFACE_ATTRIBUTES

NAME = "Terrain Surroundings"
HORIZON = 60.0
"""Distance of the horizon, relative to half the terrain's size."""
_RINGS, _RINGS_WITHOUT_AIR = (1, 2), (1, 4)
"""Rings of mirrored copies around the terrain, in the viewport and in renders."""
_SLOPE = 0.6
"""Width of the slope of the sea floor beside a terrain, relative to half its size."""
_DEEP = 0.1
"""Depth of that sea floor below the lowest point, relative to half the terrain's size."""
_LOW_AIR = 5.0
"""Density of the haze over the plain: air near the ground holds more of it than at the height of
mountains, and without it the plain would be a dark band below the sky."""
_PLAIN = "terrain_plain"
"""Custom property of surroundings that holds the color of the plain: linear RGB."""
_USUAL = [0.12, 0.11, 0.08, 1.0]
"""Color of a plain whose terrain has none."""
_LEVEL = 0.15
"""Largest relief and mean height of the border of a mountain that stands alone, relative to its
relief."""
_FLAT = 0.05
"""Relief of flattened copies relative to the terrain."""
_EDGE = (0.72, 1.0)
"""Where the relief of such copies rises to that of the terrain: from their middle, relative to half
their size."""
_BASE = 0.06
"""Thickness of the base below the lowest point, relative to half the terrain's size."""


def kind_for(terrain: bpy.types.Object, edges: str) -> str:
    """Return the kind of surroundings for a choice of edges, or to replace another kind."""
    if edges in ("block", "none"):
        return edges
    if is_under_water(terrain):
        return "sea"
    return "alone" if _stands_alone(terrain) else "horizon"


def surround(terrain: bpy.types.Object, edges: str) -> bpy.types.Object:
    """Make surroundings for a choice of edges, in no collection yet."""
    frame = bpy.data.meshes.new(NAME)
    corners = np.array([(-1, -1, 0), (1, -1, 0), (1, 1, 0), (-1, 1, 0)], float)
    corners = np.concatenate([corners, corners * HORIZON])
    faces = [(k, 4 + k, 4 + (k + 1) % 4, (k + 1) % 4) for k in range(4)]
    frame.from_pydata(corners.tolist(), [], faces)
    item = bpy.data.objects.new(NAME, frame)
    kind = kind_for(terrain, edges)
    modifier: Any = item.modifiers.new(NAME, "NODES")
    modifier.node_group = _NODES[kind](terrain)
    item.parent = terrain
    item.hide_select = True
    set_kind(item, kind)
    item[_PLAIN] = (_border_mean(terrain, COLOR) or _USUAL)[:3]
    parameters.follow(terrain)
    return item


def refresh(terrain: bpy.types.Object) -> None:
    """Rebuild the nodes of a terrain's surroundings if its sea, rivers or lakes came or went."""
    for item in surroundings_of(terrain):
        modifier: Any = item.modifiers.get(NAME)
        old = getattr(modifier, "node_group", None)
        if item.library or not old or not _is_behind(old, terrain, kind_of(item)):
            continue
        note_new_data()
        kind = kind_for(terrain, kind_of(item))
        set_kind(item, kind)
        modifier.node_group = _NODES[kind](terrain)
        if not old.users:
            bpy.data.batch_remove([old])
        modifier.node_group.name = NAME
        for material in materials_of(item):
            materials.match_haze(material, terrain.data)


def materials_of(item: bpy.types.Object) -> set[Any]:
    """Return the materials of an object and of its geometry nodes."""
    found = {slot.material for slot in item.material_slots}
    for group in nodes_of(item):
        setters = (node for node in group.nodes if node.type == "SET_MATERIAL")
        found |= {node.inputs["Material"].default_value for node in setters}
    return {one for one in found if one}


def _is_behind(tree: Any, terrain: bpy.types.Object, kind: str) -> bool:
    """Return whether nodes show water that is gone or empty, or none that there is."""
    shown = {
        node.inputs["Object"].default_value for node in tree.nodes if node.type == "OBJECT_INFO"
    }
    own = {item for items in water_objects.waters_of(terrain).values() for item in items}
    wanted = set(_waters(terrain) if kind == "horizon" else filter(None, [_sea(terrain)]))
    return None in shown or shown & own != wanted


def _mirrored(terrain: bpy.types.Object) -> Any:
    """Return mirrored copies, which continue a terrain without a seam, and the plain or sea
    beyond."""
    return _mirrored_by(terrain, lambda made: [made.ground, *map(made.info, _waters(terrain))])


def _alone(terrain: bpy.types.Object) -> Any:
    """Return the same for a mountain that stands alone, of which there would be one in each copy:
    the copies are flat but for their borders."""
    return _mirrored_by(terrain, lambda made: [_flattened(made)])


def _mirrored_by(terrain: bpy.types.Object, shown: Callable[["_Surroundings"], list[Any]]) -> Any:
    made = _Surroundings(terrain)
    tree = made.tree
    viewport = out(add(tree, "GeometryNodeIsViewport"))
    airless = sky.is_airless(sky.air_above(terrain))
    few, many = (2.0 * rings + 1 for rings in (_RINGS_WITHOUT_AIR if airless else _RINGS))
    across = math(tree, "MULTIPLY_ADD", viewport, few - many, many)
    made.show(_copies(made, shown(made), across))
    if made.sea:
        made.show(made.frame(across, made.level, _material_of(made.sea)))
        made.show(made.frame(across, made.at(0.0), deep_sea_material()))
    elif not airless:  # which shows every plain as a plain; the horizon of a small body is near
        # Any higher, and one could look under the plain where a valley leaves the terrain.
        made.show(made.frame(across, made.at(0.0), plain_material()))
    return made.done()


def _at_sea(terrain: bpy.types.Object) -> Any:
    """Return the sea up to the horizon, and its floor, which falls off from the terrain's
    border."""
    made = _Surroundings(terrain)
    floor = made.at(0.0, -_DEEP)
    made.show(made.extruded(floor, 1.0 + _SLOPE, None))
    made.show(made.frame(1.0 + _SLOPE, floor, deep_sea_material()))
    if made.sea:
        made.show(made.frame(1.0, made.level, _material_of(made.sea)))
    return made.done()


def _on_base(terrain: bpy.types.Object) -> Any:
    """Return the sides of a block cut from the ground and the water, and the table that it stands
    on."""
    made = _Surroundings(terrain)
    bottom = made.at(0.0, -_BASE)
    made.show(made.extruded(bottom, 1.0, _matt_material("Terrain Base", (0.085, 0.07, 0.058))))
    if made.sea:
        made.show(made.extruded(made.level, 1.0, water_side_material(), upward=True))
    made.show(made.frame(0.0, bottom, _matt_material("Terrain Table", (0.42, 0.41, 0.39))))
    return made.done()


_NODES = {"horizon": _mirrored, "alone": _alone, "sea": _at_sea, "block": _on_base}
"""What makes the geometry nodes, by kind of surroundings."""


def is_under_water(terrain: bpy.types.Object) -> bool:
    """Return whether the sea covers the whole border of a terrain."""
    sea = _sea(terrain)
    heights = _heights(terrain)
    if sea is None or not len(heights):
        return False
    return bool(heights[_border(terrain)].max() < sea.bound_box[0][2])


def sea_level(terrain: bpy.types.Object) -> float:
    """Return the height of a terrain's sea in the world, minus infinity if there is none."""
    sea = _sea(terrain)
    return (terrain.matrix_world @ Vector(sea.bound_box[0])).z if sea else -maths.inf


def _sea(terrain: bpy.types.Object) -> Any:
    """Return a terrain's sea; None if there is none, or if it is empty."""
    seas: list[Any] = water_objects.waters_of(terrain).get("Sea", [])
    return next((item for item in seas if item.data.polygons), None)


def _waters(terrain: bpy.types.Object) -> list[Any]:
    """Return the water objects of a terrain, without an empty sea."""
    waters = water_objects.waters_of(terrain)
    waters["Sea"] = list(filter(None, [_sea(terrain)]))
    return [item for items in waters.values() for item in items]


def _border(terrain: bpy.types.Object) -> NDArray[np.bool_]:
    """Return the points at the border of a terrain: (n,) bool."""
    mesh: Any = terrain.data
    flat = values_of(mesh.attributes["position"])[:, :2]
    low, high = flat.min(axis=0), flat.max(axis=0)
    near = 1e-5 * (high - low)
    return ((flat <= low + near) | (flat >= high - near)).any(axis=1)


def _heights(terrain: bpy.types.Object) -> NDArray[np.float32]:
    mesh: Any = terrain.data
    return values_of(mesh.attributes["position"])[:, 2]


def _border_mean(terrain: bpy.types.Object, name: str) -> list[float]:
    """Return the mean of a color attribute along a terrain's border, empty if there is none."""
    mesh: Any = terrain.data
    colors = mesh.attributes.get(name)
    if colors is None or (colors.domain, colors.data_type) != ("POINT", "FLOAT_COLOR"):
        return []
    return values_of(colors)[_border(terrain)].mean(axis=0, dtype=float).tolist()


def _stands_alone(terrain: bpy.types.Object) -> bool:
    """Return whether a terrain rises from a low and level border."""
    heights = _heights(terrain)
    if not len(heights):
        return False
    border = heights[_border(terrain)]
    low, relief = heights.min(), max(float(np.ptp(heights)), 1e-6)
    return bool(np.ptp(border) < _LEVEL * relief and border.mean() - low < _LEVEL * relief)


def plain_material() -> bpy.types.Material:
    """Return a plain in the color that the surroundings carry."""
    return shared(bpy.data.materials, "Terrain Plain", _new_plain)


def _new_plain() -> Any:
    material = _new_matt("Terrain Plain", _USUAL[:3], of_object=True)
    haze.thicken(material, _LOW_AIR)
    return material


def _matt_material(name: str, color: tuple[float, ...]) -> bpy.types.Material:
    """Return a matt material of one color."""
    return shared(bpy.data.materials, name, lambda: _new_matt(name, color))


def _new_matt(name: str, color: Sequence[float], *, of_object: bool = False) -> Any:
    material, output = new_material(name)
    tree = material.node_tree
    material.diffuse_color = (*color, 1.0)
    shown = attribute(tree, _PLAIN, "Color", of="OBJECT") if of_object else (*color, 1.0)
    body = add(tree, "ShaderNodeBsdfDiffuse", {"Color": shown}, name="Color")
    tree.links.new(out(body), output.inputs["Surface"])
    arrange(tree)
    return material


def _material_of(item: Any) -> Any:
    return item.data.materials[0] if item.data.materials else None


class _Surroundings:
    """Geometry nodes in the making. Coordinates are those of the terrain."""

    def __init__(self, terrain: bpy.types.Object) -> None:
        self.terrain, self.sea = terrain, _sea(terrain)
        self.tree: Any = bpy.data.node_groups.new(NAME, cast(Any, "GeometryNodeTree"))
        for way in ("INPUT", "OUTPUT"):
            self.tree.interface.new_socket("Mesh", in_out=way, socket_type="NodeSocketGeometry")
        self._given = add(self.tree, "NodeGroupInput")
        self._joined = add(self.tree, "GeometryNodeJoinGeometry")
        add(self.tree, "NodeGroupOutput", {0: out(self._joined)})
        self.ground = self.info(terrain)
        box = add(self.tree, "GeometryNodeBoundBox", {"Geometry": self.ground})
        self._low, self._high = box.outputs["Min"], box.outputs["Max"]
        self.size = vector(self.tree, "SUBTRACT", self._high, self._low)
        self.half = vector(self.tree, "SCALE", self.size, Scale=0.5)

    def done(self) -> Any:
        """Return the finished nodes."""
        arrange(self.tree)
        return self.tree

    def show(self, geometry: Any) -> None:
        """Add geometry to the object."""
        self.tree.links.new(geometry, self._joined.inputs[0])

    def info(self, item: bpy.types.Object) -> Any:
        """Return the mesh of an object, in its own coordinates."""
        return add(self.tree, "GeometryNodeObjectInfo", {"Object": item}).outputs["Geometry"]

    def at(self, share: float, below: float = 0.0) -> Any:
        """Return a height between the lowest (0) and the highest point (1), and ``below``, relative
        to half the size."""
        low, high = self.part(self._low, "Z"), self.part(self._high, "Z")
        height = math(self.tree, "MULTIPLY_ADD", math(self.tree, "SUBTRACT", high, low), share, low)
        half = math(self.tree, "MAXIMUM", self.part(self.half, "X"), self.part(self.half, "Y"))
        return math(self.tree, "MULTIPLY_ADD", half, below, height)

    @property
    def level(self) -> Any:
        """The height of the sea."""
        box = add(self.tree, "GeometryNodeBoundBox", {"Geometry": self.info(self.sea)})
        return self.part(box.outputs["Max"], "Z")

    def frame(self, across: Any, height: Any, material: Any) -> Any:
        """Return a plane up to the horizon with a hole of a number of terrains across."""
        place = add(self.tree, "GeometryNodeInputPosition").outputs[0]
        outer = math(self.tree, "GREATER_THAN", vector(self.tree, "LENGTH", place), 2.0)
        hole = math(self.tree, "SUBTRACT", 1.0, outer)
        factor = math(self.tree, "MULTIPLY_ADD", hole, across, outer)
        flat = vector(
            self.tree, "MULTIPLY", vector(self.tree, "SCALE", place, Scale=factor), self.half
        )
        moved = self.moved(out(self._given), flat, height)
        return self._colored(moved, material)

    def extruded(self, height: Any, across: float, material: Any, *, upward: bool = False) -> Any:
        """Return the faces from the terrain's border to a height, or up to it where the border is
        lower.

        Their far edges are moved away from the middle of the terrain by a factor ``across``.
        """
        faces = add(self.tree, "GeometryNodeInputMeshEdgeNeighbors").outputs[0]
        border = math(self.tree, "LESS_THAN", faces, 1.5)
        edges = out(
            add(
                self.tree,
                "GeometryNodeSeparateGeometry",
                {"Geometry": self.ground, "Selection": border},
                domain="EDGE",
            )
        )
        sides = add(
            self.tree, "GeometryNodeExtrudeMesh", {"Mesh": edges, "Offset Scale": 0.0}, mode="EDGES"
        )
        place = add(self.tree, "GeometryNodeInputPosition").outputs[0]
        if upward:
            height = math(self.tree, "MAXIMUM", height, self.part(place, "Z"))
        far = vector(self.tree, "MULTIPLY", place, (across, across, 1.0))
        moved = self.moved(sides.outputs["Mesh"], far, height, sides.outputs["Top"])
        flat = out(add(self.tree, "GeometryNodeSetShadeSmooth", {0: moved, "Shade Smooth": False}))
        return self._colored(flat, material) if material else moved

    def moved(self, mesh: Any, place: Any, height: Any, which: Any = None) -> Any:
        """Return a mesh with other places of its points, and other heights."""
        parts = add(self.tree, "ShaderNodeSeparateXYZ", {0: place}).outputs
        level = add(self.tree, "ShaderNodeCombineXYZ", {0: parts[0], 1: parts[1], 2: height})
        inputs = {"Geometry": mesh, "Position": out(level)}
        if which is not None:
            inputs["Selection"] = which
        return out(add(self.tree, "GeometryNodeSetPosition", inputs))

    def _colored(self, mesh: Any, material: Any) -> Any:
        return out(add(self.tree, "GeometryNodeSetMaterial", {0: mesh, "Material": material}))

    def part(self, vector: Any, axis: str) -> Any:
        return add(self.tree, "ShaderNodeSeparateXYZ", {0: vector}).outputs[axis]


def _flattened(made: _Surroundings) -> Any:
    """Return the ground, with the relief and the colors of its border all over."""
    tree, terrain = made.tree, made.terrain
    place = add(tree, "GeometryNodeInputPosition").outputs[0]
    away = vector(tree, "ABSOLUTE", vector(tree, "DIVIDE", place, made.half))
    farther = math(tree, "MAXIMUM", made.part(away, "X"), made.part(away, "Y"))
    edge = ramp(tree, farther, *_EDGE)
    heights = _heights(terrain)
    relief = max(float(np.ptp(heights)), 1e-6)
    level = made.at((heights[_border(terrain)].mean() - heights.min()) / relief)
    scale = mix_number(tree, edge, _FLAT, 1.0)
    above = math(tree, "SUBTRACT", made.part(place, "Z"), level)
    mesh = made.moved(made.ground, place, math(tree, "MULTIPLY_ADD", above, scale, level))
    for name in (COLOR, *SURFACE_ATTRIBUTES):
        if mean := _border_mean(terrain, name):
            mesh = _blended(tree, mesh, name, edge, mean)
    return mesh


def _blended(tree: Any, mesh: Any, name: str, share: Any, other: list[float]) -> Any:
    """Return a mesh with a share of its color attribute, and of a constant."""
    settings = {"data_type": "FLOAT_COLOR"}
    own = out(add(tree, "GeometryNodeInputNamedAttribute", {"Name": name}, **settings))
    inputs = {"Geometry": mesh, "Name": name, "Value": mix(tree, share, tuple(other), own)}
    return out(add(tree, "GeometryNodeStoreNamedAttribute", inputs, domain="POINT", **settings))


def _copies(made: _Surroundings, shown: list[Any], across: Any) -> Any:
    """Copy what is shown to the cells of a grid, except the middle one.

    Every other row and column is mirrored.
    """
    tree = made.tree
    tile = add(tree, "GeometryNodeGeometryToInstance")
    for geometry in shown:
        tree.links.new(geometry, tile.inputs[0])
    steps = math(tree, "SUBTRACT", across, 1.0)
    place = add(tree, "GeometryNodeInputPosition").outputs[0]
    odd: dict[int, Any] = {2: 1.0}
    for number, axis in enumerate("XY"):
        size = made.part(made.size, axis)
        step = math(tree, "ROUND", math(tree, "DIVIDE", made.part(place, axis), size))
        turned = math(tree, "FLOORED_MODULO", step, 2.0)
        odd[number] = math(tree, "MULTIPLY_ADD", turned, -2.0, 1.0)
    lengths = {
        f"Size {axis}": math(tree, "MULTIPLY", made.part(made.size, axis), steps) for axis in "XY"
    }
    counts = {f"Vertices {axis}": across for axis in "XY"}
    grid = add(tree, "GeometryNodeMeshGrid", {**lengths, **counts})
    distance = vector(tree, "LENGTH", place)
    near = math(tree, "MULTIPLY", made.part(made.size, "X"), 1e-3)
    beside = math(tree, "GREATER_THAN", distance, near)
    inputs = {
        "Points": grid.outputs["Mesh"],
        "Selection": beside,
        "Instance": out(tile),
        "Scale": out(add(tree, "ShaderNodeCombineXYZ", odd)),
    }
    return out(add(tree, "GeometryNodeInstanceOnPoints", inputs))
