# SPDX-License-Identifier: GPL-3.0-or-later
"""Sun, sky, haze, camera and surroundings for a terrain."""

import dataclasses
import json
import math
import struct

import addon_utils
import bpy
import numpy as np
import pytest
from bpy_extras.object_utils import world_to_camera_view
from mathutils import Matrix, Vector

from terrain_addon.blender.materials import haze, terrain_material
from terrain_addon.blender.materials.node_trees import is_for
from terrain_addon.blender.materials.sky import DAYLIGHT
from terrain_addon.blender.materials.water import sea_material
from terrain_addon.blender.objects.scenery import EDGES, FRAMINGS, SceneryChoices, set_up
from terrain_addon.blender.objects.scenery.surroundings import plain_material
from terrain_addon.core import Layer, Recipe, Water, presets
from terrain_addon.core.layers import LAYERS

PRESETS = [name for name in presets.names() if presets.load(name).layers]


def scenery(**settings):
    assert bpy.ops.terrain.scenery(**settings) == {"FINISHED"}
    bpy.context.view_layer.update()
    return bpy.context.scene


def added(kind):
    return [item for item in bpy.context.scene.objects if item.type == kind]


def island(size=1000.0, level=0.0):
    hill = Layer.of(LAYERS["falloff"](shape="circle", depth=0.2 * size))
    noise = Layer.of(LAYERS["fractal_noise"](size=size / 2, height=size / 10))
    water = Water(show=True, level=level)
    return Recipe(size_x=size, size_y=size, seed=3, layers=(noise, hill), water=water)


def hits(scene, x, y):
    """What a ray of the camera hits; x and y from -1 to 1 across the picture: hit, direction."""
    camera, render = scene.camera, scene.render
    half = math.tan(camera.data.angle / 2)
    aspect = render.resolution_y / render.resolution_x
    inner = Vector((x * half, y * half * aspect, -1.0)).normalized()
    direction = camera.matrix_world.to_3x3() @ inner
    place = camera.matrix_world.translation
    graph = bpy.context.evaluated_depsgraph_get()
    return scene.ray_cast(graph, place, direction)[0], direction


def assert_no_edge_in_view(scene, *, horizon=True, lowest=-0.02):
    """Below the horizon there is ground or water everywhere, and above it some sky."""
    sky = 0
    for y in np.linspace(-1, 1, 15):
        for x in np.linspace(-1, 1, 21):
            hit, direction = hits(scene, float(x), float(y))
            sky += not hit
            # The last degree belongs to the haze.
            assert hit or direction.z > lowest, (x, y, direction.z)
    assert bool(sky) == horizon


def assert_above_ground(scene):
    graph = bpy.context.evaluated_depsgraph_get()
    place = scene.camera.matrix_world.translation
    below, at = scene.ray_cast(graph, place, Vector((0, 0, -1)))[:2]
    assert below and (place - at).length > 1e-3
    assert not scene.ray_cast(graph, place, Vector((0, 0, 1)))[0]


@pytest.mark.parametrize("name", PRESETS)
def test_the_camera_stands_free_and_sees_no_edge(add, name):
    recipe = presets.load(name)
    add(recipe, resolution=129)
    scene = scenery()
    assert_above_ground(scene)
    # The horizon of the Moon is near: nothing is beyond the copies, and the mesh has fewer of them
    # in the viewport than in renders.
    assert_no_edge_in_view(scene, lowest=-0.3 if recipe.sky == "moon" else -0.02)


def test_the_camera_looks_up_a_valley_from_above_its_floor(add):
    item = add(presets.load("canyon"), resolution=129)
    scene = scenery()
    camera = scene.camera
    assert camera.data.lens == 26.0
    place, toward = camera.location, camera.matrix_world.to_3x3() @ Vector((0, 0, -1))
    right = toward.cross(Vector((0, 0, 1))).normalized()
    reach = 0.1 * item.dimensions.x
    ahead = place + toward * reach
    walls = [
        max(item_height(item, *(ahead + side * share * reach * right).xy) for share in (0.5, 1))
        for side in (-1, 1)
    ]
    assert min(walls) > item_height(item, *place.xy) + 100
    (sun,) = added("LIGHT")
    to_sun = sun.matrix_world.to_3x3() @ Vector((0, 0, 1))
    assert 60 < math.degrees(toward.xy.angle(to_sun.xy)) < 76
    scenery(framing="overview")
    assert scene.camera.data.lens == 35.0


def test_terrain_without_a_valley_is_shown_whole(add):
    item = add(island(), resolution=65)
    scene = scenery()
    assert scene.camera.data.lens == 35.0
    notes = set_up(scene, item, SceneryChoices(framing="valley", edges="block"))
    assert notes[0].startswith("There is no valley") == (scene.camera.data.lens == 70.0)


@pytest.mark.parametrize(("framing", "above", "scale"), [("flight", 100, 1), ("ground", 2, 0.5)])
def test_a_viewer_stands_on_dry_ground_with_a_free_view(add, framing, above, scale):
    item = add(presets.load("island"), resolution=129)
    item.scale, item.rotation_euler.z = [scale] * 3, 0.7
    scene = scenery(framing=framing)
    camera, graph = scene.camera, bpy.context.evaluated_depsgraph_get()
    assert camera.data.lens == 26.0 and camera.data.clip_start < scale * above / 10
    hit, at, _, _, below, _ = scene.ray_cast(graph, camera.location, Vector((0, 0, -1)))
    assert hit and below == item
    assert camera.location.z - at.z == pytest.approx(scale * above, rel=1e-3)
    ahead = camera.matrix_world.to_3x3() @ Vector((0, 0, -1))
    free = scale * min(10 * above, 80)
    assert not scene.ray_cast(graph, camera.location, ahead, distance=free)[0]


def test_the_ground_before_the_eyes_is_dry_and_not_steep(add):
    item = add(presets.load("island"), resolution=257)
    scene = scenery(framing="ground")
    camera, graph = scene.camera, bpy.context.evaluated_depsgraph_get()
    feet = camera.location - Vector((0, 0, 2.0))
    for turned in (-0.5, 0.0, 0.5):
        ahead = camera.matrix_world.to_3x3() @ Vector((0, 0, -1))
        ahead = (Matrix.Rotation(turned, 3, "Z") @ ahead).to_2d().normalized()
        for away in (6.0, 12.0, 24.0):
            above = feet + Vector((*(ahead * away), 100.0))
            hit, at, _, _, below, _ = scene.ray_cast(graph, above, Vector((0, 0, -1)))
            assert hit and below == item
            assert abs(at.z - feet.z) < 0.4 * away


def test_ground_below_the_sea_is_shown_whole(add):
    item = add(island(level=500.0), resolution=33)
    notes = set_up(bpy.context.scene, item, SceneryChoices(framing="ground"))
    assert notes[0].startswith("There is no free place")
    assert bpy.context.scene.camera.data.lens == 35.0


@pytest.mark.slow
@pytest.mark.parametrize(("sky", "redder"), [("mars", True), ("moon", False)])
def test_mars_and_the_moon_have_skies_of_their_own(add, sky, redder):
    recipe = dataclasses.replace(presets.load("mars"), sky=sky)
    item = add(recipe, resolution=33)
    scenery(clouds=True)
    nodes = bpy.data.node_groups["Terrain Sky"].nodes
    horizon, zenith = (tuple(socket.default_value)[:3] for socket in colors_of(nodes["Gradient"]))
    assert nodes["Air"].inputs["Factor"].default_value == 1.0
    assert bool(hazes(item.data.materials[0])) == redder
    assert (horizon[0] > horizon[2] > zenith[2] > 0) == redder
    assert redder or horizon == zenith == (0, 0, 0)
    assert not bpy.data.objects.get("Terrain Clouds")
    item.data.terrain.sky = "earth"
    scenery()
    assert nodes["Air"].inputs["Factor"].default_value == 0.0
    assert hazes(item.data.materials[0])


def colors_of(mix):
    return [socket for socket in mix.inputs if socket.enabled and socket.type == "RGBA"]


@pytest.mark.slow
def test_clouds_are_seen_and_cast_shadows(add, tmp_path):
    """The Sun shines through gaps: a white plane is lit in parts."""
    item = add(Recipe(material="simple"), resolution=3)
    scene = scenery(edges="none", haze=0.0)
    clear = spread_of_light(scene, item, tmp_path)
    scene = scenery(edges="none", haze=0.0, clouds=True)
    assert spread_of_light(scene, item, tmp_path) > 4 * clear
    nodes = bpy.data.node_groups["Terrain Sky, Seen"].nodes
    assert nodes["Cover"].inputs[1].default_value == 1.0
    scenery(daylight="overcast", clouds=True)
    assert not bpy.data.objects.get("Terrain Clouds")
    assert nodes["Cover"].inputs[1].default_value == 0.0


def spread_of_light(scene, item, tmp_path):
    """The standard deviation of a picture of flat ground from above, relative to its mean."""
    camera = scene.camera
    camera.matrix_world = Matrix.Translation((0, 0, 500))
    camera.data.type, camera.data.ortho_scale = "ORTHO", 800
    render = scene.render
    render.engine, scene.cycles.samples = "CYCLES", 16
    scene.cycles.use_denoising = False
    render.resolution_x = render.resolution_y = 24
    render.filepath = str(tmp_path / "ground.exr")
    if hasattr(render.image_settings, "media_type"):
        render.image_settings.media_type = "IMAGE"
    render.image_settings.file_format = "OPEN_EXR"
    plain = bpy.data.materials.new("Plain")
    item.data.materials[0] = plain
    bpy.ops.render.render(write_still=True)
    picture = bpy.data.images.load(render.filepath)
    pixels = np.empty(24 * 24 * 4, np.float32)
    picture.pixels.foreach_get(pixels)
    bpy.data.images.remove(picture)
    gray = pixels.reshape(-1, 4)[:, :3].mean(1)
    return gray.std() / gray.mean()


@pytest.mark.parametrize("size", [100.0, 50e3])
@pytest.mark.parametrize("edges", ["horizon", "block"])
def test_terrains_of_all_sizes_fill_the_picture(add, size, edges):
    item = add(island(size), resolution=65)
    scene = scenery(edges=edges)
    assert_above_ground(scene)
    assert_no_edge_in_view(scene, horizon=edges == "horizon")
    assert item.name == "Land"
    far = (scene.camera.location - item.location).length
    assert 0.3 * size < far < 5 * size
    assert scene.camera.data.clip_start < 0.01 * size and scene.camera.data.clip_end > 30 * size
    assert not scene.camera.data.dof.use_dof


@pytest.mark.parametrize("sea", [False, True])
def test_a_terrain_that_was_moved_turned_and_scaled(add, sea, recipe):
    item = add(island() if sea else recipe, resolution=65)
    turn = Matrix.Rotation(2.0, 4, "Z")
    item.matrix_world = (
        Matrix.Translation((5e4, -3e4, 900)) @ turn @ Matrix.Diagonal((2, 2, 1.5, 1))
    )
    scene = scenery()
    assert_above_ground(scene)
    assert_no_edge_in_view(scene)
    toward = scene.camera.matrix_world.to_3x3() @ Vector((0, 0, -1))
    away = item.matrix_world.translation - scene.camera.matrix_world.translation
    assert abs(toward.xy.normalized().cross(away.xy.normalized())) < 0.35


def test_a_portrait_shows_the_terrain_too(add):
    add(island(), resolution=65)
    scene = bpy.context.scene
    scene.render.resolution_x, scene.render.resolution_y = 1080, 1920
    scenery()
    assert_above_ground(scene)


@pytest.mark.smoke
def test_the_surroundings_follow_the_terrain(add):
    """Mirrored copies meet the terrain where it ends, also after a change of its size."""
    item = add(presets.load("alps"), resolution=65)
    scene = scenery()
    item.data.terrain.size_x = 7000
    bpy.context.view_layer.update()
    graph = bpy.context.evaluated_depsgraph_get()
    for y in (-2000, 0, 2100):
        near = [
            scene.ray_cast(graph, Vector((x, y, 1e5)), Vector((0, 0, -1)))[1].z
            for x in (3499.5, 3500.5)
        ]
        assert abs(near[0] - near[1]) < 2
        assert near[0] == pytest.approx(item_height(item, 3499.5, y), abs=1)


def item_height(item, x, y):
    return item.ray_cast(Vector((x, y, 1e5)), Vector((0, 0, -1)))[1].z


def test_a_block_has_sides_and_water_and_stands_on_a_table(add):
    add(island(level=-10.0), resolution=65)
    scene = scenery(edges="block")
    graph = bpy.context.evaluated_depsgraph_get()
    (around,) = [item for item in scene.objects if item.name == "Terrain Surroundings"]
    shown = around.evaluated_get(graph).data
    points = np.array([vertex.co for vertex in shown.vertices])
    assert points[:, 2].max() == pytest.approx(-10.0)
    heights = np.array([vertex.co.z for vertex in bpy.context.object.data.vertices])
    assert points[:, 2].min() < heights.min()
    sides = np.abs(points[:, :2]).max(1)
    assert ((sides < 500.01) | (sides > 1000)).all()
    used = {face.material_index for face in shown.polygons}
    assert {shown.materials[index].name for index in used} == {
        "Terrain Base",
        "Water Side",
        "Terrain Table",
    }


def test_the_picture_of_a_block_has_it_whole(add):
    item = add(presets.load("alps"), resolution=33)
    item.location = (5000, -300, 20)
    for _ in range(3):
        assert bpy.ops.terrain.scenery(edges="block") == {"FINISHED"}
    scene = bpy.context.scene
    kinds = sorted(one.type for one in scene.objects if one != item)
    assert kinds == ["CAMERA", "LIGHT", "MESH"]
    assert len(bpy.data.cameras) == len(bpy.data.lights) == len(bpy.data.worlds) == 1
    assert scene.world.node_tree
    bpy.context.view_layer.update()
    for corner in item.bound_box:
        at = world_to_camera_view(scene, scene.camera, item.matrix_world @ Vector(corner))
        assert 0 < at.x < 1 and 0 < at.y < 1
        assert scene.camera.data.clip_start < at.z < scene.camera.data.clip_end


@pytest.mark.parametrize("daylight", DAYLIGHT)
def test_sun_and_sky_agree(add, daylight, tmp_path):
    add()
    scene = scenery(daylight=daylight)
    wanted = DAYLIGHT[daylight]
    (sun,) = added("LIGHT")
    toward = sun.matrix_world.to_3x3() @ Vector((0, 0, 1))
    assert math.degrees(math.asin(toward.z)) == pytest.approx(wanted.elevation, abs=0.01)
    assert math.degrees(sun.data.angle) == pytest.approx(wanted.angle)
    group = next(one for one in bpy.data.node_groups if one.name == "Terrain Sky")
    texture = next(node for node in group.nodes if node.type == "TEX_SKY")
    newest = bpy.app.version >= (5, 0, 0)
    assert texture.sky_type == ("MULTIPLE_SCATTERING" if newest else "NISHITA")
    assert not texture.sun_disc
    assert math.degrees(texture.sun_elevation) == pytest.approx(wanted.elevation)
    assert scene.view_settings.exposure == pytest.approx(wanted.exposure)
    if daylight == "evening":
        assert brightest(scene, tmp_path) == pytest.approx(
            math.atan2(toward.y, toward.x) % math.tau, abs=0.35
        )


def brightest(scene, tmp_path):
    """The azimuth of the brightest part of the sky, from a picture of the whole sky."""
    for item in list(scene.objects):
        item.hide_render = True
    camera = scene.camera.data
    camera.type = "PANO"
    owner = camera if hasattr(camera, "panorama_type") else camera.cycles
    owner.panorama_type = "EQUIRECTANGULAR"
    scene.camera.matrix_world = Matrix.Rotation(math.pi / 2, 4, "X")  # to +Y
    pixels = rendered(scene, (48, 24), tmp_path)
    columns = pixels[12:].sum((0, 2))
    return (math.pi / 2 - (np.argmax(columns) - 23.5) / 48 * math.tau) % math.tau


def rendered(scene, size, tmp_path, samples=1):
    """Return a picture by Cycles as linear colors, (H, W, 3), from the bottom up."""
    render, (width, height) = scene.render, size
    render.engine, scene.cycles.samples = "CYCLES", samples
    render.resolution_x, render.resolution_y = size
    render.filepath = str(tmp_path / f"{samples}.exr")
    if hasattr(render.image_settings, "media_type"):
        render.image_settings.media_type = "IMAGE"
    render.image_settings.file_format = "OPEN_EXR"
    bpy.ops.render.render(write_still=True)
    picture = bpy.data.images.load(render.filepath)
    pixels = np.empty(width * height * 4, np.float32)
    picture.pixels.foreach_get(pixels)
    bpy.data.images.remove(picture)
    return pixels.reshape(height, width, 4)[:, :, :3]


def test_the_sky_gives_the_share_of_light_of_a_clear_day(add, tmp_path):
    item = add()
    scene = scenery()
    for other in scene.objects:
        other.hide_render = other.type != "LIGHT"
    bpy.ops.mesh.primitive_plane_add(size=1000.0, location=(0, 0, 5000.0))
    scene.camera.matrix_world = Matrix.Translation((0, 0, 5100.0))
    (sun,) = added("LIGHT")
    luminance = []
    for hidden in (False, True):
        sun.hide_render = hidden
        color = rendered(scene, (4, 4), tmp_path, 256).mean((0, 1))
        luminance.append(color @ (0.2126, 0.7152, 0.0722))
    assert item.hide_render and luminance[1] / luminance[0] == pytest.approx(0.2, abs=0.02)


def test_it_replaces_what_it_made_before(add):
    add(island(), resolution=33)
    scenery()
    before = counts()
    scenery(edges="block")
    scenery(daylight="overcast")
    assert counts() == before
    assert [len(added(kind)) for kind in ("CAMERA", "LIGHT")] == [1, 1]


@pytest.mark.parametrize("kind", ["HOSEK_WILKIE", "PREETHAM", "SINGLE_SCATTERING"])
def test_it_accepts_any_sky_model_of_the_group(add, kind):
    """Users may choose one, and Blender 5 opens the sky of Blender 4 as single scattering."""
    add(island(), resolution=33)
    scenery()
    texture = bpy.data.node_groups["Terrain Sky"].nodes["Sky Texture"]
    if kind not in texture.bl_rna.properties["sky_type"].enum_items:
        pytest.skip("this Blender has no such model")
    texture.sky_type = kind
    scenery(daylight="noon")
    assert len(added("CAMERA")) == 1


def counts():
    kinds = ("objects", "cameras", "lights", "meshes", "worlds", "node_groups")
    return {kind: len(getattr(bpy.data, kind)) for kind in kinds}


def test_an_exposure_that_changes_is_reported(add):
    item = add()
    scene = bpy.context.scene
    scene.view_settings.view_transform = "AgX"
    scene.view_settings.exposure = -1.5
    assert set_up(scene, item) == [
        "The exposure of the scene is now 0.95, it was -1.5",
        "The look of the scene is now AgX - High Contrast, it was None",
    ]
    assert set_up(scene, item) == []
    scene.view_settings.view_transform = "Standard"
    scene.view_settings.look = "None"
    assert set_up(scene, item) == []
    assert scene.view_settings.look == "None"


def test_haze_is_in_front_of_every_material_once_and_can_go(add):
    item = add(island(), resolution=33)
    mine = item.data.materials[0]
    output = next(node for node in mine.node_tree.nodes if node.type == "OUTPUT_MATERIAL")
    shader = output.inputs["Surface"].links[0].from_socket.node.name
    for length in (10.0, 4.0):
        scenery(haze=length)
        for material in (mine, sea_material()):
            (node,) = hazes(material)
            assert material.cycles.emission_sampling == "NONE"
            assert node.inputs["Length"].default_value == pytest.approx(
                length * max(item.dimensions.xy), rel=1e-3
            )
    assert hazes(mine)[0].inputs["Shader"].links[0].from_node.name == shader
    hazes(mine)[0].inputs["Color"].default_value = (1, 0.5, 0.5, 1)
    scenery(haze=3.0)
    assert tuple(hazes(mine)[0].inputs["Color"].default_value) == (1, 0.5, 0.5, 1)
    scenery(haze=0.0)
    assert not hazes(mine) and not hazes(sea_material())
    assert mine.cycles.emission_sampling == "AUTO"
    assert output.inputs["Surface"].links[0].from_node.name == shader


def test_the_plain_lies_in_thicker_haze(add):
    add()
    scenery(haze=4.0)
    (land,) = hazes(bpy.data.objects["Land"].data.materials[0])
    plain = plain_material()
    haze.match(plain, bpy.data.objects["Land"].data.materials[0])
    (low,) = hazes(plain)
    lengths = [node.inputs["Length"].default_value for node in (land, low)]
    assert lengths[1] == pytest.approx(lengths[0] / 5)


def hazes(material):
    return [node for node in material.node_tree.nodes if node.type == "GROUP" and is_haze(node)]


def is_haze(node):
    return is_for(node.node_tree, haze.HAZE)


def test_haze_leaves_a_material_without_a_shader(add):
    item = add()
    bare = bpy.data.materials.new("Bare")
    if bare.node_tree is None:
        bare.use_nodes = True
    bare.node_tree.nodes.clear()
    item.data.materials[0] = bare
    scenery()
    assert not bare.node_tree.nodes


def test_undo_takes_it_back(add):
    item = add()
    bpy.ops.ed.undo_push(message="Before")
    scene = scenery()
    bpy.ops.ed.undo_push(message="Scenery")
    assert scene.camera
    bpy.ops.ed.undo()
    scene = bpy.context.scene
    assert not added("CAMERA") and not added("LIGHT") and not scene.camera
    assert scene.view_settings.exposure == 0
    assert not hazes(bpy.data.objects["Land"].data.materials[0])
    del item


def test_rivers_and_lakes_are_part_of_the_surroundings(add):
    wet = Water(rivers=True, lakes=True, min_lake_depth=0.05, min_lake_size=0.005)
    noise = LAYERS["fractal_noise"](size=800.0, height=200.0)
    add(Recipe(seed=2, layers=(Layer.of(noise),), water=wet), resolution=65)
    scenery()
    (around,) = [one for one in added("MESH") if one.name == "Terrain Surroundings"]
    nodes = around.modifiers[0].node_group.nodes
    shown = {n.inputs["Object"].default_value.name for n in nodes if n.type == "OBJECT_INFO"}
    assert shown == {"Land", "Rivers", "Lakes"}


def test_settings_are_those_of_the_operator():
    operator = bpy.ops.terrain.scenery.get_rna_type().properties
    usual = SceneryChoices()
    assert operator["daylight"].default == usual.daylight in DAYLIGHT
    assert operator["edges"].default == usual.edges in EDGES
    assert operator["framing"].default == usual.framing in FRAMINGS
    assert operator["haze"].default == usual.haze
    assert operator["clouds"].default == usual.clouds


def test_an_exporter_finds_the_vertex_colors_behind_the_haze(add, tmp_path):
    addon_utils.enable("io_scene_gltf2")
    item = add()
    item.data.materials[0] = terrain_material("simple")
    scenery()
    path = str(tmp_path / "terrain.glb")
    of_material = {"export_vertex_color": "MATERIAL", "export_all_vertex_colors": False}
    item.select_set(True)
    bpy.ops.export_scene.gltf(filepath=path, use_selection=True, **of_material)
    written = (tmp_path / "terrain.glb").read_bytes()
    (length,) = struct.unpack("<I", written[12:16])
    contents = json.loads(written[20 : 20 + length])
    assert "COLOR_0" in contents["meshes"][0]["primitives"][0]["attributes"]
