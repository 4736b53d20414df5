# SPDX-License-Identifier: GPL-3.0-or-later
"""What a terrain brings into the scene beside its mesh: material and sea."""

import dataclasses
import json
import struct

import addon_utils
import bpy
import numpy as np
import pytest

from terrain_addon.blender.materials import terrain_material
from terrain_addon.blender.materials.water import sea_material
from terrain_addon.blender.objects import water_kinds
from terrain_addon.blender.objects.sea import LOWER
from terrain_addon.blender.properties.recipe import read
from terrain_addon.core import Palette, Recipe, Region, Water
from terrain_addon.core.numerics import srgb


def seas():
    return [item for item in bpy.data.objects if item.name.startswith("Sea")]


def corners(sea):
    return np.array([vertex.co for vertex in sea.data.vertices])


def test_materials_are_made_once_and_left_to_the_user(add):
    first, second = add(), add()
    assert first.data.materials[0] == second.data.materials[0] == terrain_material("simple")
    terrain_material("simple").name = "Renamed"
    terrain_material("simple").roughness = 0.2
    assert add().data.materials[0].name == "Renamed"
    first.data.materials.clear()
    first.data.terrain.seed = 4
    assert not first.data.materials


def test_the_sea_is_a_child_at_the_water_level_and_follows(add):
    item = add()
    water = item.data.terrain.water
    assert not seas()
    water.show = True
    (sea,) = seas()
    assert sea.parent == item
    assert sea.data.materials[0] == sea_material()
    assert corners(sea).min(0).tolist() == [-500, -500, 0]
    water.level = 12
    item.data.terrain.size_x = 300
    assert seas() == [sea]
    assert corners(sea).min(0).tolist() == [-150, -500, 12]
    assert corners(sea).max(0).tolist() == [150, 500, 12]
    assert not sea.data.validate(verbose=True)
    assert sea.data.polygons[0].normal.z == 1
    water.show = False
    assert not seas()
    assert not [mesh for mesh in bpy.data.meshes if mesh.name.startswith("Sea")]


def test_a_terrain_is_added_with_its_sea(recipe):
    from terrain_addon.blender.properties import user_presets

    user_presets.save("Wet", dataclasses.replace(recipe, water=Water(show=True, level=5.0)))
    bpy.ops.terrain.add(preset="Wet", resolution=9)
    (sea,) = seas()
    assert sea.parent == bpy.context.object
    assert corners(sea)[:, 2].tolist() == [5, 5, 5, 5]
    user_presets.remove("Wet")


def test_the_panel_works_with_the_sea_selected_too(add):
    from terrain_addon.blender.data.terrains import active_mesh

    item = add()
    item.data.terrain.water.show = True
    bpy.context.view_layer.objects.active = seas()[0]
    assert active_mesh(bpy.context) == item.data
    bpy.ops.terrain.random_seed()


def test_a_sea_that_is_missing_comes_with_the_next_change(add):
    """As on a terrain that was appended or copied by a script, or whose sea was deleted."""
    item = add()
    item.data.terrain.water.show = True
    bpy.data.objects.remove(seas()[0])
    item.data.terrain.seed = 5
    (sea,) = seas()
    assert sea.parent == item
    bpy.data.objects.remove(sea)
    bpy.ops.terrain.rebuild()
    assert len(seas()) == 1


def test_a_sea_that_was_moved_by_hand_stays_until_it_is_set_anew(add):
    terrain = add().data.terrain
    terrain.water.show = True
    (sea,) = seas()
    sea.data.vertices[0].co.x = -9000
    terrain.seed = 5
    assert sea.data.vertices[0].co.x == -9000
    terrain.water.level = 3
    assert sea.data.vertices[0].co.x == -500


def test_the_sea_lies_below_flat_ground_at_its_level(add):
    """Both in one plane would be drawn as patches of either. It comes back up with the ground."""
    item = add()
    mesh = item.data
    mesh.terrain.water.show = True
    (sea,) = seas()
    recipe = read(mesh.terrain)
    heights = np.empty(len(mesh.vertices), np.float32)
    mesh.attributes["height"].data.foreach_get("value", heights)
    assert heights.min() < 0, "some ground lies below"
    for flat in (0, 3, 300, 0, 300):
        some = np.where(np.arange(heights.size) < flat, 0, heights - 1).astype(np.float32)
        mesh.attributes["height"].data.foreach_set("value", some)
        water_kinds.sync(mesh, recipe, None)
        plane = -1000 * LOWER if flat > 3 else 0
        assert corners(sea)[:, 2].tolist() == pytest.approx([plane] * 4)
    sea.data.vertices[0].co.z = 7
    water_kinds.sync(mesh, recipe, None)
    assert sea.data.vertices[0].co.z == 7, "moved by hand"


def test_each_object_of_a_shared_terrain_has_a_sea(add):
    item = add()
    copy = item.copy()
    bpy.context.collection.objects.link(copy)
    item.data.terrain.water.show = True
    assert {sea.parent for sea in seas()} == {item, copy}


def seen_from_above(tmp_path, size):
    """A render of the middle of the land under an even white light: (size, size, 3)"""
    scene = bpy.context.scene
    scene.world = bpy.data.worlds.new("White")
    if scene.world.node_tree is None:
        scene.world.use_nodes = True
    scene.world.node_tree.nodes["Background"].inputs["Color"].default_value = (1, 1, 1, 1)
    camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    camera.data.type, camera.data.ortho_scale = "ORTHO", 900
    camera.location.z = 800
    camera.data.clip_end = 2000
    scene.collection.objects.link(camera)
    scene.camera = camera
    scene.render.engine = "CYCLES"
    scene.cycles.samples = 16
    scene.render.resolution_x = scene.render.resolution_y = size
    scene.view_settings.view_transform = "Standard"
    scene.render.filepath = str(tmp_path / "land.png")
    bpy.ops.render.render(write_still=True)
    picture = bpy.data.images.load(scene.render.filepath)
    pixels = np.empty(size * size * 4, np.float32)
    picture.pixels.foreach_get(pixels)
    return pixels.reshape(size, size, 4)[:, :, :3]


@pytest.mark.parametrize("color", ["#C2B280", "#228B22"])
def test_cycles_renders_the_colours_with_a_fine_grain(add, color, tmp_path):
    """On the whole the palette's colour, and no two spots quite alike, though the mesh is flat."""
    flat = Recipe(palette=Palette(regions=(Region(name="Land", start=0.0, color=color),)))
    add(flat, resolution=9)
    found = seen_from_above(tmp_path, 48)
    np.testing.assert_allclose(found.mean((0, 1)), srgb.channels(color), atol=0.04)
    assert 0.01 < found.max(2).std() < 0.1


def test_an_exporter_finds_the_vertex_colors_in_the_material(add, tmp_path):
    addon_utils.enable("io_scene_gltf2")
    add()
    path = str(tmp_path / "land.glb")
    of_material = {"export_vertex_color": "MATERIAL", "export_all_vertex_colors": False}
    bpy.ops.export_scene.gltf(filepath=path, **of_material)
    written = (tmp_path / "land.glb").read_bytes()
    (length,) = struct.unpack("<I", written[12:16])
    contents = json.loads(written[20 : 20 + length])
    assert "COLOR_0" in contents["meshes"][0]["primitives"][0]["attributes"]
