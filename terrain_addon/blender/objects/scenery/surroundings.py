# SPDX-License-Identifier: GPL-3.0-or-later
"""What surrounds a terrain in a picture, so that no cut edge is visible.

One object, a child of the terrain, whose geometry nodes follow the terrain's mesh.
"""

import math as maths
from typing import Any, cast

import bpy
import numpy as np
from mathutils import Vector
from numpy.typing import NDArray

from ...data import water_objects
from ...data.attributes import values_of
from ...mesh.terrain_mesh import COLOR
from ..node_trees import add, arrange, math, new_material, out, shared, vector
from ..water_materials import deep_sea_material, water_side_material

NAME = "Terrain Surroundings"
HORIZON = 60.0
"""Distance of the horizon, relative to half the terrain's size."""
_RINGS = (1, 2)
"""Rings of mirrored copies around the terrain, in the viewport and in renders."""
_SLOPE = 0.6
"""Width of the slope of the sea floor beside a terrain, relative to half its size."""
_DEEP = 0.1
"""Depth of that sea floor below the lowest point, relative to half the terrain's size."""
_BASE = 0.06
"""Thickness of the base below the lowest point, relative to half the terrain's size."""


def mirrored(terrain: bpy.types.Object) -> bpy.types.Object:
    """Mirrored copies, which continue a terrain without a seam, and the plain or sea beyond."""
    made = _Surroundings(terrain)
    tree = made.tree
    viewport = out(add(tree, "GeometryNodeIsViewport"))
    few, many = (2.0 * rings + 1 for rings in _RINGS)
    across = math(tree, "MULTIPLY_ADD", viewport, few - many, many)
    made.show(_copies(made, across))
    if made.sea:
        made.show(made.frame(across, made.level, _material_of(made.sea)))
        made.show(made.frame(across, made.at(0.0), deep_sea_material()))
    else:
        # Any higher, and one could look under the plain where a valley leaves the terrain.
        made.show(made.frame(across, made.at(0.0), _plain(terrain)))
    return made.done()


def at_sea(terrain: bpy.types.Object) -> bpy.types.Object:
    """The sea up to the horizon, and its floor, which falls off from the terrain's border."""
    made = _Surroundings(terrain)
    floor = made.at(0.0, -_DEEP)
    made.show(made.extruded(floor, 1.0 + _SLOPE, None))
    made.show(made.frame(1.0 + _SLOPE, floor, deep_sea_material()))
    if made.sea:
        made.show(made.frame(1.0, made.level, _material_of(made.sea)))
    return made.done()


def on_base(terrain: bpy.types.Object) -> bpy.types.Object:
    """The sides of a block cut from the ground and the water, and the table that it stands on."""
    made = _Surroundings(terrain)
    bottom = made.at(0.0, -_BASE)
    made.show(made.extruded(bottom, 1.0, _plain_material("Terrain Base", (0.085, 0.07, 0.058))))
    if made.sea:
        made.show(made.extruded(made.level, 1.0, water_side_material(), upward=True))
    made.show(made.frame(0.0, bottom, _plain_material("Terrain Table", (0.42, 0.41, 0.39))))
    return made.done()


def is_under_water(terrain: bpy.types.Object) -> bool:
    """Whether the sea covers the whole border of a terrain."""
    sea = _sea(terrain)
    if sea is None:
        return False
    heights = _heights(terrain)
    return bool(heights[_border(terrain)].max() < sea.bound_box[0][2])


def sea_level(terrain: bpy.types.Object) -> float:
    """The height of a terrain's sea in the world, minus infinity if there is none."""
    sea = _sea(terrain)
    return (terrain.matrix_world @ Vector(sea.bound_box[0])).z if sea else -maths.inf


def _sea(terrain: bpy.types.Object) -> Any:
    """A terrain's sea; None if there is none, or if it is empty."""
    seas: list[Any] = water_objects.of(terrain).get("Sea", [])
    return next((item for item in seas if item.data.polygons), None)


def _border(terrain: bpy.types.Object) -> NDArray[np.bool_]:
    """The points at the border of a terrain: (n,) bool."""
    mesh: Any = terrain.data
    flat = values_of(mesh.attributes["position"])[:, :2]
    low, high = flat.min(axis=0), flat.max(axis=0)
    near = 1e-5 * (high - low)
    return ((flat <= low + near) | (flat >= high - near)).any(axis=1)


def _heights(terrain: bpy.types.Object) -> NDArray[np.float32]:
    mesh: Any = terrain.data
    return values_of(mesh.attributes["position"])[:, 2]


def _plain(terrain: bpy.types.Object) -> bpy.types.Material:
    """A plain in the mean color of a terrain's border."""
    mesh: Any = terrain.data
    mean = (0.12, 0.11, 0.08)
    colors = mesh.attributes.get(COLOR)
    if colors is not None and colors.domain == "POINT" and colors.data_type == "FLOAT_COLOR":
        mean = tuple(values_of(colors)[_border(terrain), :3].mean(axis=0).tolist())
    return _plain_material("Terrain Plain", mean)


def _plain_material(name: str, color: tuple[float, ...]) -> bpy.types.Material:
    """A matt material of one color."""

    def make() -> Any:
        material, output = new_material(name)
        body = add(material.node_tree, "ShaderNodeBsdfDiffuse", name="Color")
        material.node_tree.links.new(out(body), output.inputs["Surface"])
        arrange(material.node_tree)
        return material

    material = shared(bpy.data.materials, name, make)
    if body := material.node_tree.nodes.get("Color"):
        body.inputs["Color"].default_value = material.diffuse_color = (*color, 1.0)
    return material


def _material_of(item: Any) -> Any:
    return item.data.materials[0] if item.data.materials else None


class _Surroundings:
    """An object with geometry nodes in the making. Coordinates are those of the terrain."""

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

    def done(self) -> bpy.types.Object:
        """The finished object, in no collection yet."""
        arrange(self.tree)
        frame = bpy.data.meshes.new(NAME)
        corners = np.array([(-1, -1, 0), (1, -1, 0), (1, 1, 0), (-1, 1, 0)], float)
        corners = np.concatenate([corners, corners * HORIZON])
        faces = [(k, 4 + k, 4 + (k + 1) % 4, (k + 1) % 4) for k in range(4)]
        frame.from_pydata(corners.tolist(), [], faces)
        item = bpy.data.objects.new(NAME, frame)
        modifier: Any = item.modifiers.new(NAME, "NODES")
        modifier.node_group = self.tree
        item.parent = self.terrain
        item.hide_select = True
        return item

    def show(self, geometry: Any) -> None:
        """Add geometry to the object."""
        self.tree.links.new(geometry, self._joined.inputs[0])

    def info(self, item: bpy.types.Object) -> Any:
        """The mesh of an object, in its own coordinates."""
        return add(self.tree, "GeometryNodeObjectInfo", {"Object": item}).outputs["Geometry"]

    def at(self, share: float, below: float = 0.0) -> Any:
        """A height between the lowest (0) and the highest point (1), and ``below``, relative to
        half the size."""
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
        """A plane up to the horizon with a hole of a number of terrains across."""
        place = add(self.tree, "GeometryNodeInputPosition").outputs[0]
        outer = math(self.tree, "GREATER_THAN", vector(self.tree, "LENGTH", place), 2.0)
        hole = math(self.tree, "SUBTRACT", 1.0, outer)
        factor = math(self.tree, "MULTIPLY_ADD", hole, across, outer)
        flat = vector(
            self.tree, "MULTIPLY", vector(self.tree, "SCALE", place, Scale=factor), self.half
        )
        moved = self._moved(out(self._given), flat, height)
        return self._colored(moved, material)

    def extruded(self, height: Any, across: float, material: Any, *, upward: bool = False) -> Any:
        """Faces from the terrain's border to a height, or up to it where the border is lower.

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
        moved = self._moved(sides.outputs["Mesh"], far, height, sides.outputs["Top"])
        flat = out(add(self.tree, "GeometryNodeSetShadeSmooth", {0: moved, "Shade Smooth": False}))
        return self._colored(flat, material) if material else moved

    def _moved(self, mesh: Any, place: Any, height: Any, which: Any = None) -> Any:
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


def _copies(made: _Surroundings, across: Any) -> Any:
    """Copies of the terrain and its water on the cells of a grid, except on the middle one.

    Every other row and column is mirrored.
    """
    tree = made.tree
    tile = add(tree, "GeometryNodeGeometryToInstance")
    tree.links.new(made.ground, tile.inputs[0])
    for items in water_objects.of(made.terrain).values():
        for item in items:
            tree.links.new(made.info(item), tile.inputs[0])
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
