# SPDX-License-Identifier: GPL-3.0-or-later
"""What a scenery keeps: the user's objects and choices, other scenes, and itself on changes."""

import dataclasses
import math
import tracemalloc
from typing import Any

import bmesh
import bpy
import numpy as np
import pytest

from terrain_addon.blender.materials import haze, sky
from terrain_addon.blender.materials.node_trees import is_for
from terrain_addon.blender.materials.water import inland_material, sea_material
from terrain_addon.blender.objects import orphans
from terrain_addon.blender.objects.scenery import SceneryChoices, set_up
from terrain_addon.blender.objects.scenery.framing import HighestPoints
from terrain_addon.core import Layer, Palette, Recipe, Region, Water, presets
from terrain_addon.core.layers import LAYERS

NAMES = ["Terrain Camera", "Terrain Sun", "Terrain Surroundings"]


def island(**water):
    hill = Layer.of(LAYERS["falloff"](shape="circle", depth=200.0))
    return Recipe(seed=3, layers=(hill,), water=Water(show=True, level=-20.0, **water))


def scenery(**settings):
    assert bpy.ops.terrain.scenery(**settings) == {"FINISHED"}
    bpy.context.view_layer.update()


def names(scene=None):
    return sorted(item.name for item in (scene or bpy.context.scene).objects)


def surroundings(scene=None):
    objects = (scene or bpy.context.scene).objects
    return next(item for item in objects if item.name.startswith("Terrain Surroundings"))


def shown(item):
    """Names of the objects that surroundings show."""
    nodes = item.modifiers[0].node_group.nodes
    found = [node.inputs["Object"].default_value for node in nodes if node.type == "OBJECT_INFO"]
    return {one.name if one else None for one in found}


def length(material):
    """The length of the haze of a material, 0 without any."""
    nodes: Any = material.node_tree.nodes
    hazes = [node for node in nodes if node.type == "GROUP" and is_for(node.node_tree, haze.HAZE)]
    assert len(hazes) < 2
    return hazes[0].inputs["Length"].default_value if hazes else 0.0


def another_scene(terrain):
    """A new scene that shows a terrain and its water."""
    scene = bpy.data.scenes.new("Other")
    for item in (terrain, *terrain.children):
        scene.collection.objects.link(item)
    return scene


# Objects


def test_what_cannot_be_framed_loses_nothing(add):
    item = add(island())
    scenery()
    world, before = bpy.context.scene.world, names()
    bmesh.new().to_mesh(item.data)
    with pytest.raises(RuntimeError, match="has no points: rebuild it first"):
        bpy.ops.terrain.scenery(daylight="evening")
    assert names() == before
    assert bpy.context.scene.camera == bpy.data.objects["Terrain Camera"]
    assert bpy.context.scene.world == world


def test_it_never_deletes_what_the_user_copied_or_renamed(add):
    add(island())
    scenery()
    camera: Any = bpy.context.scene.camera
    copy = camera.copy()
    bpy.context.collection.objects.link(copy)
    full = camera.copy()
    full.data = camera.data.copy()
    bpy.context.collection.objects.link(full)
    bpy.data.objects["Terrain Sun"].name = "My Sun"
    scenery()
    kept = ["My Sun", "Terrain Camera.001", "Terrain Camera.002"]
    assert names() == sorted(["Land", "Sea", *NAMES, *kept])
    bpy.data.objects.remove(bpy.data.objects["Terrain Camera"])
    scenery()
    assert names() == sorted(["Land", "Sea", *NAMES, *kept])


def test_new_objects_have_the_names_of_the_old_ones(add):
    add(island())
    for _ in range(3):
        scenery()
    assert names() == ["Land", "Sea", *NAMES]
    assert [camera.name for camera in bpy.data.cameras] == ["Terrain Camera"]
    assert [light.name for light in bpy.data.lights] == ["Terrain Sun"]
    assert surroundings().data.name == surroundings().modifiers[0].node_group.name == NAMES[2]


def test_framing_takes_little_more_memory_than_the_points(add):
    item = add(resolution=1025)
    points = len(item.data.vertices)
    tracemalloc.start()
    ground = HighestPoints(item, mirrored=False, level=-math.inf)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 35 * points
    heights = np.array([vertex.co.z for vertex in item.data.vertices])
    assert ground.center[2] == pytest.approx(heights.mean(), abs=1e-3)
    assert ground.low[2] == pytest.approx(heights.min()) and ground.high[2] == heights.max()


# Scenes


def elevation(scene):
    texture = sky.radiance(scene.world).nodes["Sky Texture"]
    return math.degrees(texture.sun_elevation)


def test_each_scene_has_a_sky_of_its_own(add):
    item = add(island())
    first = bpy.context.scene
    set_up(first, item, SceneryChoices("morning"))
    other = another_scene(item)
    other.world = first.world  # as in a copy of a scene
    set_up(other, item, SceneryChoices("evening"))
    assert elevation(first) == pytest.approx(23.0) and elevation(other) == pytest.approx(9.0)
    set_up(first, item, SceneryChoices("noon"))
    assert elevation(first) == pytest.approx(58.0) and elevation(other) == pytest.approx(9.0)
    assert len(bpy.data.worlds) == 2
    assert len(first.objects) == len(other.objects) == 5


def test_a_copy_of_the_world_is_not_set_with_its_original(add):
    item = add(island())
    first = bpy.context.scene
    set_up(first, item, SceneryChoices("morning"))
    other = another_scene(item)
    other.world = first.world.copy()
    set_up(other, item, SceneryChoices("evening"))
    assert elevation(first) == pytest.approx(23.0) and elevation(other) == pytest.approx(9.0)


def test_a_sky_without_its_texture_is_replaced(add):
    add(island())
    scenery()
    nodes = sky.radiance(bpy.context.scene.world).nodes
    nodes.remove(nodes["Sky Texture"])
    scenery(daylight="evening")
    assert elevation(bpy.context.scene) == pytest.approx(9.0)


def test_objects_that_another_scene_shows_stay_there(add):
    item = add(island())
    first = bpy.context.scene
    set_up(first, item)
    other = another_scene(item)
    for name in ("Terrain Camera", "Terrain Sun"):
        other.collection.objects.link(bpy.data.objects[name])
    before = names(other)
    set_up(first, item)
    assert names(other) == before
    assert len(first.objects) == 5


def test_each_terrain_has_a_plain_in_the_color_of_its_border(add):
    def flat(color):
        return Recipe(palette=Palette(regions=(Region(color=color),)))

    colors = {}
    for color in ("#7E7C77", "#204D75"):
        item = add(flat(color))
        scene = another_scene(item)
        set_up(scene, item)
        colors[color] = surroundings(scene)
    (plain,) = [one for one in bpy.data.materials if one.name.startswith("Terrain Plain")]
    node = next(node for node in plain.node_tree.nodes if node.type == "ATTRIBUTE")
    assert node.attribute_type == "OBJECT"
    for color, item in colors.items():
        wanted = item.parent.data.attributes["Color"].data[0].color[:3]
        assert list(item[node.attribute_name]) == pytest.approx(list(wanted), rel=1e-4), color


# Haze


def test_an_appended_haze_gets_the_sky_of_its_new_scene(add, tmp_path):
    add(island())
    scenery(daylight="evening")
    path = str(tmp_path / "land.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    bpy.ops.wm.append(directory=f"{path}/Object/", filename="Land")
    bpy.context.view_layer.objects.active = bpy.data.objects["Land"]
    material = bpy.data.objects["Land"].data.materials[0]
    node = next(one for one in material.node_tree.nodes if one.label == "Haze")
    node.inputs["Color"].default_value = (1, 0.5, 0.5, 1)
    scenery(daylight="noon", haze=3.0)
    node = next(one for one in material.node_tree.nodes if one.label == "Haze")
    own = sky.radiance(bpy.context.scene.world)
    assert own in [getattr(one, "node_tree", None) for one in node.node_tree.nodes]
    assert length(material) == pytest.approx(3000.0, rel=1e-3)
    assert tuple(node.inputs["Color"].default_value) == (1, 0.5, 0.5, 1)


@pytest.mark.parametrize("choice", ["AUTO", "NONE", "FRONT"])
def test_haze_gives_back_the_users_sampling(add, choice):
    material = add(island()).data.materials[0]
    material.cycles.emission_sampling = choice
    for _ in range(2):
        scenery(haze=10.0)
        assert material.cycles.emission_sampling == ("NONE" if choice == "AUTO" else choice)
    scenery(haze=0.0)
    assert material.cycles.emission_sampling == choice


def test_another_material_and_later_water_have_the_haze_too(add):
    item = add(dataclasses.replace(island(), water=Water()))
    scenery(haze=5.0)
    natural = item.data.materials[0]
    wanted = length(natural)
    assert wanted == pytest.approx(5000.0, rel=1e-3)
    item.data.terrain.material = "simple"
    assert item.data.materials[0] != natural
    assert length(item.data.materials[0]) == wanted
    item.data.terrain.water.show = item.data.terrain.water.rivers = True
    assert length(sea_material()) == length(inland_material()) == wanted
    scenery(haze=0.0)
    item.data.terrain.material = "natural"
    assert item.data.materials[0] == natural
    assert length(natural) == 0.0


# Surroundings


def far_sea(item):
    """The height of the sea at the horizon, None where there is none."""
    graph = bpy.context.evaluated_depsgraph_get()
    mesh: Any = item.evaluated_get(graph).data
    if "Sea" not in [one and one.name for one in mesh.materials]:
        return None
    number = [one and one.name for one in mesh.materials].index("Sea")
    faces = [face for face in mesh.polygons if face.material_index == number]
    points = {tuple(mesh.vertices[at].co) for face in faces for at in face.vertices}
    return max(points)[2] if max(points)[0] > 1e4 else None


def test_the_far_sea_follows_show_and_level(add):
    item = add(island())
    scenery()
    water = item.data.terrain.water
    assert far_sea(surroundings()) == pytest.approx(-20.0)
    water.show = False
    assert shown(surroundings()) == {"Land"}
    assert far_sea(surroundings()) is None
    water.show = True
    bpy.context.view_layer.update()
    assert shown(surroundings()) == {"Land", "Sea"}
    assert far_sea(surroundings()) == pytest.approx(-20.0)
    water.level = -1000.0  # no ground below
    bpy.context.view_layer.update()
    assert far_sea(surroundings()) is None
    water.level = -30.0
    bpy.context.view_layer.update()
    assert far_sea(surroundings()) == pytest.approx(-30.0)
    assert len([one for one in bpy.data.node_groups if one.name.startswith(NAMES[2])]) == 1


def test_mirrored_copies_show_later_rivers(add, recipe):
    item = add(recipe)
    scenery(haze=4.0)
    item.data.terrain.water.rivers = item.data.terrain.water.lakes = True
    assert shown(surroundings()) == {"Land", "Rivers", "Lakes"}
    item.data.terrain.water.rivers = False
    assert shown(surroundings()) == {"Land", "Lakes"}


def test_surroundings_show_the_material_as_their_terrain_does(add):
    """They show its meshes as instances, to which a modifier may leave no property."""
    item = add(island())
    scenery()
    values = item["terrain_material"].to_dict()
    assert surroundings()["terrain_material"].to_dict() == values
    item.data.terrain.size_x = 3000.0
    assert surroundings()["terrain_material"].to_dict() == item["terrain_material"].to_dict()
    assert item["terrain_material"].to_dict() != values


def delete(item):
    bpy.ops.object.select_all(action="DESELECT")
    item.select_set(True)
    bpy.ops.object.delete()
    bpy.context.view_layer.update()


def test_surroundings_go_with_their_terrain_and_come_back(add):
    item = add(island())
    scenery()
    bpy.ops.ed.undo_push(message="Before")
    delete(item)
    bpy.ops.ed.undo_push(message="Delete")
    orphans.sweep()
    assert names() == ["Terrain Camera", "Terrain Sun"]
    assert NAMES[2] not in bpy.data.meshes and NAMES[2] not in bpy.data.node_groups
    bpy.ops.ed.undo()
    assert names() == ["Land", "Sea", *NAMES]
    assert shown(surroundings()) == {"Land", "Sea"}
    assert surroundings().parent == bpy.data.objects["Land"]
    orphans.sweep()
    assert names() == ["Land", "Sea", *NAMES]


def test_surroundings_that_are_deleted_alone_stay_away(add):
    item = add(island())
    scenery()
    around = surroundings()
    around.hide_select = False
    delete(around)
    orphans.sweep()
    assert item.data.terrain.water.show
    item.data.terrain.water.show = False
    assert names() == ["Land", "Terrain Camera", "Terrain Sun"]


def test_a_sea_that_is_deleted_is_switched_off_and_leaves_the_horizon(add):
    """The nodes of the surroundings use it, so Blender keeps it in the file."""
    item = add(island())
    scenery()
    delete(bpy.data.objects["Sea"])
    orphans.sweep()
    assert not item.data.terrain.water.show
    assert "Sea" not in bpy.data.objects
    assert shown(surroundings()) == {"Land"}


def height_at(x, y):
    graph = bpy.context.evaluated_depsgraph_get()
    down = bpy.context.scene.ray_cast(graph, (x, y, 1e5), (0, 0, -1))
    assert down[0]
    return down[1].z


def test_a_mountain_that_stands_alone_has_no_copies_beside_it(add):
    """Its surroundings are flat, and continue it without a step."""
    cone = Layer.of(LAYERS["volcano"](height=400.0, radius=400.0))
    add(Recipe(layers=(cone,)), resolution=65)
    scenery()
    size = bpy.context.object.data.terrain.size_x
    top = max(height_at(x, 0.0) for x in np.linspace(-0.1 * size, 0.1 * size, 9))
    beside = [height_at(size + x, 0.0) for x in np.linspace(-0.4 * size, 0.4 * size, 33)]
    assert max(beside) < 0.2 * top
    for y in np.linspace(-0.45, 0.45, 7) * size:
        inside, outside = (height_at(x, y) for x in (0.4999 * size, 0.5001 * size))
        assert inside == pytest.approx(outside, abs=0.005 * top)


def test_mountains_up_to_the_border_have_copies(add):
    item = add(presets.load("alps"), resolution=65)
    scenery()
    size = item.data.terrain.size_x
    assert height_at(0.95 * size, 0.1 * size) == pytest.approx(
        height_at(0.05 * size, 0.1 * size), abs=1.0
    )
