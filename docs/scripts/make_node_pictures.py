# SPDX-License-Identifier: GPL-3.0-or-later
"""Render the picture of the guide *Nodes*: moss in wet valleys, by five nodes.

    python docs/scripts/make_node_pictures.py

Needs bpy. Writes docs/pictures/nodes_moss.jpg. The picture of the nodes is taken in a real window
by tests/window/drive_nodes.py.
"""

from __future__ import annotations

import dataclasses
import os
import sys
from pathlib import Path
from typing import Any

import bpy
from mathutils import Vector, noise

ROOT = Path(__file__).resolve().parents[2]
PICTURES = ROOT / "docs" / "pictures"
sys.path[:0] = [str(ROOT), str(ROOT / "docs" / "scripts")]

import studio  # noqa: E402

import terrain_addon  # noqa: E402
from terrain_addon.blender.materials.node_trees import add, out  # noqa: E402
from terrain_addon.blender.objects.field_nodes import node_group  # noqa: E402
from terrain_addon.blender.objects.scenery import SceneryChoices  # noqa: E402
from terrain_addon.blender.operators.add import make_terrain  # noqa: E402
from terrain_addon.core import presets  # noqa: E402
from terrain_addon.core.recipe import rescale  # noqa: E402

EYE, TARGET = (36.0, -47.0, 4.0), (27.0, 25.0, -2.0)


def moss_nodes(terrain: bpy.types.Object, moss: bpy.types.Object) -> Any:
    """Return the nodes of the guide: moss where it is wet, larger in valleys."""
    tree: Any = bpy.data.node_groups.new("Moss", "GeometryNodeTree")
    tree.interface.new_socket("Geometry", in_out="OUTPUT", socket_type="NodeSocketGeometry")
    points = {"Terrain": terrain, "Density": 40.0, "Field": "wetness", "Low": 0.4, "High": 0.7}
    spread = add(tree, "GeometryNodeGroup", node_tree=node_group("points"))
    valley = add(tree, "GeometryNodeGroup", node_tree=node_group("field"))
    for node, values in ((spread, points), (valley, {"Terrain": terrain, "Field": "valley"})):
        for name, value in values.items():
            node.inputs[name].default_value = value
    one = add(tree, "GeometryNodeObjectInfo", {"Object": moss, "As Instance": True})
    inputs = {
        "Points": spread.outputs["Points"],
        "Instance": one.outputs["Geometry"],
        "Rotation": spread.outputs["Rotation"],
        "Scale": valley.outputs["Value"],
    }
    made = out(add(tree, "GeometryNodeInstanceOnPoints", inputs))
    tree.links.new(made, add(tree, "NodeGroupOutput").inputs[0])
    return tree


def moss_model() -> bpy.types.Object:
    """Return a cushion of moss, 60 cm wide, off the picture."""
    bpy.ops.mesh.primitive_ico_sphere_add(subdivisions=4, radius=0.32, location=(0, 0, -500))
    item: Any = bpy.context.object
    for vertex in item.data.vertices:
        rough = 1 + 0.35 * noise.noise(vertex.co * 6) + 0.25 * noise.noise(vertex.co * 25)
        vertex.co = Vector((vertex.co.x, vertex.co.y, 0.45 * vertex.co.z)) * rough
    item.data.shade_smooth()
    material: Any = bpy.data.materials.new("Moss")
    if material.node_tree is None:
        material.use_nodes = True
    shader = material.node_tree.nodes["Principled BSDF"]
    shader.inputs["Base Color"].default_value = (0.085, 0.12, 0.018, 1.0)
    shader.inputs["Roughness"].default_value = 1.0
    item.data.materials.append(material)
    return item


def main(width: int = 1280, samples: int = 32, points: int = 1025) -> None:
    """Build small hills with moss, and render them from near the ground."""
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    terrain_addon.register()
    hills = presets.load("eroded_hills")
    recipe = rescale(hills, 300.0 / hills.size_x)
    names = (*recipe.attributes, "wetness", "valley")
    dark = presets.load_palette("volcanic")
    recipe = dataclasses.replace(recipe, attributes=tuple(dict.fromkeys(names)), palette=dark)
    terrain = make_terrain("Hills", recipe, points, bpy.context.scene.collection)
    item = bpy.data.objects.new("Moss", bpy.data.meshes.new("Moss"))
    bpy.context.scene.collection.objects.link(item)
    modifier: Any = item.modifiers.new("Moss", "NODES")
    modifier.node_group = moss_nodes(terrain, moss_model())
    eye_level(terrain)
    setting = SceneryChoices(edges="horizon")
    path = PICTURES / "nodes_moss.jpg"
    if len(sys.argv) > 1:
        path = Path(sys.argv[1])
    studio.photograph(
        terrain, path, width=width, height=width * 9 // 16, samples=samples, setting=setting
    )


def eye_level(terrain: bpy.types.Object) -> None:
    """Let the picture be taken from a place above the ground."""
    framed = studio.set_up

    def near(scene: Any, *arguments: Any) -> None:
        framed(scene, *arguments)
        places = []
        for x, y, above in (EYE, TARGET):
            _, at, _, _ = terrain.ray_cast((x, y, 1e4), (0, 0, -1))
            places.append(at + Vector((0, 0, above)))
        camera = scene.camera
        camera.location = places[0]
        camera.rotation_euler = (places[1] - places[0]).to_track_quat("-Z", "Y").to_euler()
        camera.data.clip_start = 0.05

    studio.set_up = near


if __name__ == "__main__":
    main(*(int(one) for one in sys.argv[2:]))
    sys.stdout.flush()
    os._exit(0)  # bpy 4.x may hang at its exit
