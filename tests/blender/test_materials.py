# SPDX-License-Identifier: GPL-3.0-or-later
"""The natural and the simple material of a terrain."""

import dataclasses
import math
from typing import Any

import bpy
import numpy as np
import pytest
from mathutils import Vector

from terrain_addon.blender.materials import classes, close_up, parameters, terrain_material
from terrain_addon.blender.mesh.terrain_mesh import COLOR, SURFACE_ATTRIBUTES
from terrain_addon.core import Palette, Recipe, Region, Water
from terrain_addon.core.layers import LAYERS
from terrain_addon.core.recipe import SURFACES

SCALES = ("convexity_fine", "convexity_medium", "convexity_broad")


@pytest.fixture
def recipe(natural):
    return natural


def ground(*regions, **more):
    """A recipe of flat ground."""
    return Recipe(palette=Palette(measure="meters", regions=regions), **more)


def render(item, size=24, across=900.0, sun=None, above=None):
    """Linear RGB of a terrain from above: (size, size, 3), of so many meters.

    In white light from everywhere, or from a sun in that direction alone, and from so many meters
    above it.
    """
    scene = bpy.context.scene
    for other in [one for one in scene.objects if one.type in ("CAMERA", "LIGHT")]:
        bpy.data.objects.remove(other)
    camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    camera.data.type, camera.data.ortho_scale = "ORTHO", across
    camera.data.clip_end = 5000.0
    camera.location.z = above or 2.2 * across
    scene.collection.objects.link(camera)
    scene.camera = camera
    world = scene.world = scene.world or bpy.data.worlds.new("World")
    if world.node_tree is None:
        world.use_nodes = True
    background = next(node for node in world.node_tree.nodes if node.type == "BACKGROUND")
    background.inputs["Color"].default_value = (1, 1, 1, 1)
    background.inputs["Strength"].default_value = float(sun is None)
    if sun:
        lamp = bpy.data.objects.new("Sun", bpy.data.lights.new("Sun", "SUN"))
        lamp.rotation_euler = Vector(sun).to_track_quat("Z", "Y").to_euler()
        scene.collection.objects.link(lamp)
    scene.render.engine = "CYCLES"
    scene.cycles.device, scene.cycles.samples, scene.cycles.use_denoising = "CPU", 4, False
    scene.render.resolution_x = scene.render.resolution_y = size
    scene.view_settings.view_transform = "Raw"
    settings = scene.render.image_settings
    if hasattr(settings, "media_type"):
        settings.media_type = "IMAGE"
    settings.file_format = "OPEN_EXR"
    path = bpy.app.tempdir + "material.exr"
    scene.render.filepath = path
    bpy.ops.render.render(write_still=True)
    image = bpy.data.images.load(path)
    flat = np.empty(size * size * 4, np.float32)
    image.pixels.foreach_get(flat)
    pixels = flat.reshape(size, size, 4)[..., :3]
    bpy.data.images.remove(image)
    return pixels


def node_of(item, name):
    """The node of a group in the material of a terrain."""
    return dict(_groups(item.data.materials[0].node_tree))[name]


@pytest.mark.smoke
def test_the_natural_material_has_a_named_group_for_each_class(add):
    material = add().data.materials[0]
    assert material == terrain_material()
    groups = dict(_groups(material.node_tree))
    for one in SURFACES.values():
        node = groups[f"Terrain {one.label}"]
        assert set(classes.OUTPUTS) - {"Tone"} <= set(node.inputs.keys())
        assert set(classes.OUTPUTS) == set(node.outputs.keys())
    assert {"Bed Thickness", "Strata", "Warm Tone"} <= set(groups["Terrain Rock"].inputs.keys())
    assert {"Absorption", "Murkiness", "Foam Width"} <= set(groups["Terrain Seabed"].inputs.keys())
    assert {"Wander", "Sharpness", "Snow Slope"} <= set(groups["Terrain Borders"].inputs.keys())
    again = add().data.materials[0]
    assert again == material and len(bpy.data.materials) == 1


def _groups(tree):
    """Names and nodes of the groups in a tree, and in these."""
    for node in tree.nodes:
        if node.type == "GROUP":
            yield node.node_tree.name, node
            yield from _groups(node.node_tree)


PLAIN = {"MATH", "MAP_RANGE", "VECT_MATH", "SEPARATE_COLOR", "TEX_COORD", "CAMERA"}
"""Nodes that do not read the terrain."""


def test_no_height_of_a_bump_depends_on_what_selects_a_class(add):
    """Cycles evaluates it three times."""
    tree = add().data.materials[0].node_tree
    bumps = [node for node in tree.nodes if node.type == "BUMP"]
    assert len(bumps) == 9
    textures = {"TEX_NOISE", "TEX_VORONOI", "TEX_WAVE"}
    for node in bumps:
        found = _above(node.inputs["Height"], ())
        assert found & textures and found <= {*PLAIN, *textures}


def _above(socket, around):
    """The types of the nodes that an input depends on; ``around`` are the groups it is within."""
    found = set()
    for link in socket.links:
        node = link.from_node
        if node.type == "GROUP":
            (inner,) = (one for one in node.node_tree.nodes if one.type == "GROUP_OUTPUT")
            found |= _above(inner.inputs[link.from_socket.name], (*around, node))
        elif node.type == "GROUP_INPUT":
            found |= _above(around[-1].inputs[link.from_socket.name], around[:-1])
        else:
            found |= {node.type}.union(*(_above(one, around) for one in node.inputs))
    return found


def test_attributes_are_written_only_when_the_material_asks(add, recipe):
    mesh = add(dataclasses.replace(recipe, material="simple")).data
    names = set(mesh.attributes.keys())
    assert not names.intersection((*SCALES, *SURFACE_ATTRIBUTES))
    assert parameters.PROPERTY not in mesh
    assert mesh.materials[0] == terrain_material("simple") != terrain_material("natural")
    mesh.terrain.material = "natural"
    assert set(mesh.attributes.keys()) == {*names, *SCALES, *SURFACE_ATTRIBUTES}
    assert mesh.materials[0] == terrain_material("natural")
    assert mesh[parameters.PROPERTY][parameters.PLACE][2] == 1000.0
    mesh.terrain.material = "simple"
    assert set(mesh.attributes.keys()) == names
    assert parameters.PROPERTY not in mesh
    assert mesh.materials[0] == terrain_material("simple")
    assert mesh.attributes.active_color.name == COLOR


def test_the_displaced_material_displaces(add, recipe):
    item = add(dataclasses.replace(recipe, material="displaced"))
    material = item.data.materials[0]
    assert material.displacement_method == "DISPLACEMENT"
    output = next(n for n in material.node_tree.nodes if n.type == "OUTPUT_MATERIAL")
    (link,) = output.inputs["Displacement"].links
    assert link.from_node.type == "DISPLACEMENT"
    assert len([node for node in material.node_tree.nodes if node.type == "BUMP"]) == 8
    assert set(SURFACE_ATTRIBUTES) <= set(item.data.attributes.keys())


def test_materials_of_the_user_stay(add):
    mesh = add().data
    mine = bpy.data.materials.new("Mine")
    mesh.materials[0] = mine
    mesh.materials.append(terrain_material("natural"))
    mesh.terrain.material = "simple"
    assert list(mesh.materials) == [mine, terrain_material("simple")]


def test_weights_of_the_classes_follow_the_palette(add):
    mesh = add(ground(Region(name="Meadow", color="#4C5437"))).data

    def weights():
        values = np.empty((len(mesh.vertices), 8), np.float32)
        for n, name in enumerate(SURFACE_ATTRIBUTES):
            part = np.empty(len(mesh.vertices) * 4, np.float32)
            mesh.attributes[name].data.foreach_get("color", part)
            values[:, 4 * n : 4 * n + 4] = part.reshape(-1, 4)
        return values

    assert (weights() == np.eye(8)[4]).all()
    mesh.terrain.palette.regions[0].surface = "ice"
    assert (weights() == np.eye(8)[7]).all()
    mesh.terrain.mask_view = "slope"
    assert not set(SURFACE_ATTRIBUTES) & set(mesh.attributes.keys()), "a view has plain colors"
    mesh.terrain.mask_view = "colors"
    assert (weights() == np.eye(8)[7]).all()


@pytest.mark.parametrize("surface", list(SURFACES))
def test_the_palettes_color_holds_in_every_class(add, surface):
    region = Region(name="Ground", color="#7E7C77", surface=surface)
    item = add(ground(region))
    found = render(item).mean((0, 1))
    np.testing.assert_allclose(found, 0.21, rtol=0.35)
    item.data.terrain.palette.regions[0].color = (0.05, 0.2, 0.05)
    red, green, blue = render(item).mean((0, 1))
    assert green > 2.5 * red and green > 2.5 * blue, "an edit of the palette shows at once"


@pytest.mark.slow
@pytest.mark.parametrize("surface", list(SURFACES))
def test_ground_close_to_the_camera_is_as_light_as_farther_away(add, monkeypatch, surface):
    light = []
    for fade in ((1e4, 2e4), (1e-3, 2e-3)):  # all is close to the camera; nothing is
        monkeypatch.setattr(close_up, "FADE", fade)
        bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
        item = add(ground(Region(name="Ground", color="#7E7C77", surface=surface)))
        light.append(render(item, 96, across=12.0, sun=(0, -0.8, 0.6)).mean())
    assert light[0] == pytest.approx(light[1], rel=0.25)


def test_without_weights_the_colors_are_plain(add):
    item = add(ground(Region(color="#7E7C77")))
    item.data.terrain.mask_view = "slope"
    colors = np.empty(len(item.data.vertices) * 4, np.float32)
    item.data.attributes[COLOR].data.foreach_get("color", colors)
    pixels = render(item)
    assert pixels.std((0, 1)).max() < 0.02  # the noise of a few samples
    np.testing.assert_allclose(pixels.mean((0, 1)), colors[:3], atol=0.03)


def test_borders_between_classes_are_sharp(add):
    """Half sand, half black rock: the colors between are rare, and both show."""
    ramp = LAYERS["ramp"](height=100.0)
    regions = [
        Region(name="Sand", color="#C2B280"),
        Region(name="Rock", color="#101010", start=0.5),
    ]
    recipe = Recipe(palette=Palette(blend=1.0, regions=regions), layers=(ramp,))
    natural = render(add(recipe, 65), 64)[..., 0]
    simple = render(add(dataclasses.replace(recipe, material="simple"), 65), 64)[..., 0]

    def between(red):
        low, high = np.quantile(red, (0.02, 0.98))
        share = (red - low) / (high - low)
        return ((share > 0.3) & (share < 0.7)).mean()

    assert between(natural) < 0.5 * between(simple)


@pytest.mark.parametrize(("depth", "limit"), [(2.0, 0.75), (60.0, 0.2)])
def test_the_sea_darkens_the_ground_below_it(add, depth, limit):
    region = Region(name="Sand", color="#AF9F85")
    item = add(ground(region, water=Water(show=True, level=depth)))
    below = render(item).mean((0, 1))
    item.data.terrain.water.show = False
    dry = render(item).mean((0, 1))
    assert below[0] < limit * dry[0]
    assert below[0] / dry[0] < below[2] / dry[2], "red light is absorbed first"


@pytest.mark.parametrize(("depth", "least", "most"), [(0.0, 1.3, 2.0), (90.0, 0.9, 1.2)])
def test_light_from_deep_water_hardly_depends_on_which_way_the_floor_faces(add, depth, least, most):
    ramp = LAYERS["ramp"](height=350.0)
    water = Water(show=depth > 0.0, level=350.0 + depth)
    item = add(ground(Region(color="#AF9F85"), layers=(ramp,), water=water))
    both = []
    for angle in (0.0, math.pi):
        item.rotation_euler.z = angle
        both.append(render(item, sun=(1.0, 0.0, 2.0)).mean())
    assert least < max(both) / min(both) < most


def test_shadows_of_the_land_show_on_deep_water_but_not_on_the_floor_below_it(add):
    """On the floor they would be spots in the open sea, away from the land."""
    add(ground(Region(color="#AF9F85"), water=Water(show=True, level=150.0)))
    square = bpy.data.meshes.new("Card")
    square.from_pydata([(-90, -90, 0), (90, -90, 0), (90, 90, 0), (-90, 90, 0)], [], [(0, 1, 2, 3)])
    card = bpy.data.objects.new("Card", square)
    card.visible_camera = False
    bpy.context.collection.objects.link(card)
    spots = []
    for height in (100.0, 200.0):
        card.location.z = height
        color = render(None, size=48, sun=(0.5, 0.0, 1.0))
        red, _, blue = np.median(color, axis=(0, 1))
        assert blue > 0.008 and blue > 5 * red, "the water itself scatters light"
        seen = color.mean(axis=2)
        spots.append(float((seen < 0.5 * np.median(seen)).mean()))
    assert spots[0] == 0.0 and spots[1] == pytest.approx((180 / 900) ** 2, rel=0.15)


def test_ground_is_a_mirror_where_it_is_wet_but_not_below_the_water(add):
    """The surface of the water mirrors the sky there."""

    def mirrored(level):
        item = add(ground(Region(color="#000000"), water=Water(show=True, level=level)))
        for child in item.children:
            bpy.data.objects.remove(child)
        node = node_of(item, "Terrain Seabed")
        node.inputs["Foam"].default_value = (0, 0, 0, 1)
        red = render(item, sun=(0.0, 0.0, 1.0))[..., 0].mean()
        bpy.data.objects.remove(item)
        return red

    dry, wet, below = (mirrored(level) for level in (-5.0, -0.1, 1.0))
    assert wet > 20 * max(dry, below)


def in_foam(add):
    """Black ground just below the sea, all of it as near to the shore as foam is."""
    item = add(ground(Region(color="#000000"), water=Water(show=True, level=0.1)))
    for child in item.children:
        bpy.data.objects.remove(child)
    node_of(item, "Terrain Seabed").inputs["Foam Width"].default_value = 10.0
    return item


def test_foam_has_holes_near_the_camera(add):
    """Bands of solid foam have few edges within two meters."""
    seen = render(in_foam(add), size=64, across=2.0)[..., 1]
    assert np.abs(np.diff(seen)).mean() > 0.08 * seen.mean()


def test_surf_is_on_some_of_the_shore(add):
    seen = render(in_foam(add), size=64, across=900.0)[..., 1]
    stretches = seen.reshape(16, 4, 16, 4).mean((1, 3))
    most = stretches.max()
    assert 0.1 < (stretches > 0.4 * most).mean() < 0.6
    assert 0.1 < (stretches < 0.1 * most).mean() < 0.6


def test_litter_takes_the_place_of_stones(add):
    """Leaves are smaller, so that more edges are in a picture."""
    item = add(ground(Region(color="#7E7C77", surface="grass")))
    node = node_of(item, "Terrain Grass")
    node.inputs["Stoniness"].default_value = 1.0
    for name in classes.RELIEF:
        node.inputs[name].default_value = 0.0
    edges = []
    for litter in (1.0, 0.0):
        node.inputs["Litter"].default_value = litter
        seen = render(item, size=64, across=2.0)[..., 1]
        edges.append(np.abs(np.diff(seen)).mean() / seen.std())
    assert edges[0] > 1.3 * edges[1]


def test_ground_lies_between_stones(add):
    """Between stones that touch, most would be as dark as a crack."""
    item = add(ground(Region(color="#7E7C77", surface="scree")))
    node = node_of(item, "Terrain Scree")
    node.inputs["Stoniness"].default_value = 1.0
    for name in classes.RELIEF:
        node.inputs[name].default_value = 0.0
    seen = render(item, size=128, across=4.0)[..., 1]
    low, middle = np.quantile(seen, (0.02, 0.5))
    assert middle > 1.4 * low


def test_boulders_lie_on_scree_between_close_stones_and_specks_as_fine_as_pixels(add):
    item = add(ground(Region(color="#7E7C77", surface="scree")))
    heights = (40.0, 250.0, 2500.0)

    def seen():
        return [render(item, size=64, across=40.0, above=above)[..., 1] for above in heights]

    with_boulders = seen()
    groups = dict(_groups(item.data.materials[0].node_tree))
    (result,) = (n for n in groups["Terrain Boulders"].node_tree.nodes if n.type == "GROUP_OUTPUT")
    for link in [link for socket in result.inputs for link in socket.links]:
        result.id_data.links.remove(link)
    close, middle, far = (
        np.abs(one - other).mean() / other.mean()
        for one, other in zip(with_boulders, seen(), strict=True)
    )
    assert middle > 0.04
    assert close < 0.002 and far < 0.002


def test_grass_does_not_climb_the_foot_of_a_wall(add):
    """The plain bends the normals of the faces there: half of their ground was green."""
    regions = (Region(color="#00FF00", surface="grass"),)
    palette = Palette(measure="meters", regions=regions, rock_on_slopes=True, rock_color="#FF0000")
    wall = LAYERS["ramp"](height=300.0, size=200.0, center_x=100.0, smoothness=0.0)
    seen = render(add(Recipe(palette=palette, layers=(wall,))), size=96, across=120.0)
    first_face = seen[:, 48:73]
    assert (first_face[..., 1] > first_face[..., 0]).mean() < 0.35


@pytest.mark.parametrize("surface", ["grass", "scree"])
def test_grain_fades_where_it_is_as_fine_as_a_pixel(add, surface):
    """At full strength, ground from afar looked like sandpaper."""
    item = add(ground(Region(color="#4C5437", surface=surface)))

    def grain(above):
        seen = render(item, size=60, across=120.0, sun=(1, 0, 0.5), above=above)[..., 1]
        return seen.std() / seen.mean()

    assert grain(4500.0) < 0.9 * grain(1500.0)


def rock_face(add, *layers):
    """The mean light of rock by height, on a slope of 45 degrees: a value for each 1.25 meters."""
    region = Region(color="#7E7C77", surface="rock")
    item = add(ground(region, layers=(LAYERS["ramp"](height=1000.0), *layers)))
    node = node_of(item, "Terrain Rock")
    for name in classes.RELIEF:
        node.inputs[name].default_value = 0.0
    seen = render(item, size=96, across=120.0, above=2000.0)[30:66, :, 1].mean(0)
    bpy.data.objects.remove(item)
    return seen / seen.mean()


@pytest.mark.slow
def test_beds_are_thick_and_thin_and_show_only_where_the_recipe_has_them(add):
    """Beds of one thickness look like a contour map, and massive rock has none."""
    beds = LAYERS["strata"](sharpness=0.0, dip=0.0)  # leaves the heights as they are
    bedded, massive = rock_face(add, beds), rock_face(add)
    assert bedded.std() > 1.5 * massive.std()
    limits = np.flatnonzero(np.abs(np.diff(bedded)) > 0.07)
    thick = np.diff(limits)
    thick = thick[thick > 1]  # a limit may take two pixels
    assert thick.max() > 2.5 * thick.min()


def test_beds_dip_as_those_that_erosion_cuts(natural):
    rivers = LAYERS["erosion"](bed_contrast=0.5, strike=30.0, dip=20.0)
    *across, shown = parameters.beds(dataclasses.replace(natural, layers=(rivers,)))
    strike = (math.cos(math.radians(30.0)), math.sin(math.radians(30.0)), 0.0)
    right = (strike[1], -strike[0], 0.0)
    assert np.dot(across, strike) == pytest.approx(0.0, abs=1e-9)
    assert np.dot(across, right) == pytest.approx(math.sin(math.radians(20.0)))
    assert np.linalg.norm(across) == pytest.approx(1.0) and shown == 0.75
    massive = ground(Region(color="#7E7C77", surface="rock"))
    assert parameters.beds(massive) == [0.0, 0.0, 1.0, parameters.MASSIVE]


def test_no_ground_is_black_where_its_class_prefers_other_places(add):
    """The shares of classes had no sum there: steep sand close to the camera was black."""
    region = Region(color="#AF9F85", surface="sand")
    item = add(ground(region, layers=(LAYERS["ramp"](height=3700.0),)))
    _, middle, *_ = item.ray_cast(Vector((0, 0, 1e4)), Vector((0, 0, -1)))
    seen = render(item, across=6.0, above=middle.z + 30.0)
    assert seen.min() > 0.1


def test_a_copy_has_constants_of_its_own(add):
    item = add(ground(Region(name="Sand", color="#AF9F85")))
    copy = item.copy()
    copy.data = item.data.copy()
    bpy.context.collection.objects.link(copy)
    before = item.data[parameters.PROPERTY].to_dict()
    copy.data.terrain.size_x = 3000.0
    assert copy.data[parameters.PROPERTY][parameters.PLACE][2] == 3000.0
    assert item.data[parameters.PROPERTY][parameters.PLACE][2] == 1000.0
    assert item.data[parameters.PROPERTY].to_dict() == before
    assert math.isclose(before["red_ground"][3], 0.43, rel_tol=0.05)


def test_a_modifier_that_builds_a_new_mesh_leaves_no_black_ground(add):
    """It drops the property of the mesh that the material reads; two surfaces blend here."""
    item = add(ground(Region(name="Meadow", start=-100.0), Region(name="Rock", start=100.0)))
    before = render(item).mean()
    item.modifiers.new("Solidify", "SOLIDIFY").thickness = 1.0
    assert render(item).mean() > 0.7 * before


def _solidify(item):
    item.modifiers.new("Solidify", "SOLIDIFY").thickness = 1.0


def _array(item):
    item.modifiers.new("Array", "ARRAY").count = 1


def _remesh(item):
    if bpy.app.version < (5, 0, 0):
        pytest.skip("this Blender drops the colors too")
    remesh = item.modifiers.new("Remesh", "REMESH")
    remesh.mode, remesh.voxel_size = "VOXEL", 20.0


def _subdivide(item):
    tree: Any = bpy.data.node_groups.new("Subdivide", "GeometryNodeTree")  # type: ignore[arg-type]
    for way in ("INPUT", "OUTPUT"):
        tree.interface.new_socket("Mesh", in_out=way, socket_type="NodeSocketGeometry")
    given, result = (tree.nodes.new(f"NodeGroup{way}") for way in ("Input", "Output"))
    finer = tree.nodes.new("GeometryNodeSubdivideMesh")
    tree.links.new(given.outputs[0], finer.inputs[0])
    tree.links.new(finer.outputs[0], result.inputs[0])
    item.modifiers.new("Nodes", "NODES").node_group = tree


MODIFIERS = (_solidify, _array, _remesh, _subdivide)


@pytest.mark.parametrize("modify", MODIFIERS)
def test_the_sea_is_as_deep_behind_a_modifier_that_builds_a_new_mesh(add, modify):
    item = add(ground(Region(name="Sand", color="#AF9F85"), water=Water(show=True, level=60.0)))
    bpy.data.objects.remove(next(child for child in item.children))
    before = render(item).mean((0, 1))
    modify(item)
    np.testing.assert_allclose(render(item).mean((0, 1)), before, rtol=0.2, atol=0.01)
    item.data.terrain.water.show = False
    assert render(item)[..., 0].mean() > 5 * before[0]


def numbers(item: Any) -> Any:
    """The numbers that renders of an object find on it."""
    bpy.context.view_layer.update()
    found = item.evaluated_get(bpy.context.evaluated_depsgraph_get()).get(parameters.PROPERTY)
    return found.to_dict() if found else None


def test_every_object_of_a_terrain_has_the_numbers_of_its_mesh(add, tmp_path):
    item = add(ground(Region(name="Sand", color="#AF9F85")))
    other = bpy.data.objects.new("Other", item.data)
    bpy.context.collection.objects.link(other)
    copy = item.copy()
    copy.data = item.data.copy()
    bpy.context.collection.objects.link(copy)
    assert numbers(item) == numbers(other) == numbers(copy)
    item.data.terrain.size_x = 3000.0
    assert numbers(item) == numbers(other) == item.data[parameters.PROPERTY].to_dict()
    assert numbers(item) != numbers(copy)
    other.data = copy.data
    assert numbers(item) != numbers(other) == numbers(copy)
    item.data.terrain.material = "simple"
    assert numbers(item) is None
    path = str(tmp_path / "land.blend")
    bpy.data.libraries.write(path, {other})
    bpy.ops.wm.append(directory=f"{path}/Object/", filename=other.name)
    appended = bpy.data.objects["Other.001"]
    assert numbers(appended) == numbers(other)


def test_the_objects_of_an_older_file_get_the_numbers_of_their_mesh(add, tmp_path):
    item = add(ground(Region(name="Sand", color="#AF9F85")))
    del item[parameters.PROPERTY]
    path = str(tmp_path / "land.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    item: Any = bpy.data.objects["Land"]
    assert numbers(item) == item.data[parameters.PROPERTY].to_dict()
