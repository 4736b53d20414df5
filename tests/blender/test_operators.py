# SPDX-License-Identifier: GPL-3.0-or-later
"""Operators: what they do, and what they say where they cannot."""

import dataclasses
import json
import os

import bpy
import numpy as np
import pytest

from terrain_addon.blender.app.preferences import presets_folder
from terrain_addon.blender.properties import user_presets
from terrain_addon.blender.properties.recipe import read
from terrain_addon.core import Water, presets
from terrain_addon.core.layers import LAYERS
from terrain_addon.core.recipe import MAX_LAYERS


def names(mesh):
    return [item.name for item in mesh.terrain.layers]


def selected():
    return [item.name for item in bpy.context.selected_objects]


@pytest.fixture
def own(recipe):
    """A preset of the user's own."""
    user_presets.save("Of a test", recipe)
    return "Of a test"


@pytest.mark.smoke
def test_add_makes_a_terrain_of_the_preset(own, recipe):
    assert bpy.ops.terrain.add(preset=own, resolution=17) == {"FINISHED"}
    item = bpy.context.object
    assert selected() == [item.name]
    assert read(item.data.terrain) == recipe
    assert len(item.data.vertices) == 17 * 17
    assert [m.name for m in item.data.materials] == ["Simple Terrain"]


def test_add_takes_place_size_and_seed(own):
    bpy.ops.terrain.add(
        preset=own, resolution=9, size=200, seed=7, location=(1, 2, 3), rotation=(0, 0, 1)
    )
    item = bpy.context.object
    assert item.location[:] == (1, 2, 3)
    assert item.rotation_euler.z == pytest.approx(1)
    terrain = item.data.terrain
    assert (terrain.size_x, terrain.size_y, terrain.seed) == (200, 200, 7)


@pytest.mark.slow
def test_every_built_in_preset_can_be_added():
    for name in presets.names():
        assert bpy.ops.terrain.add(preset=name, resolution=33) == {"FINISHED"}
        assert read(bpy.context.object.data.terrain) == presets.load(name)


def test_adding_nothing_that_exists_changes_nothing(own):
    (presets_folder() / "Broken.json").write_text('{"layers": 3}')
    try:
        with pytest.raises(RuntimeError, match="layers: expected a list"):
            bpy.ops.terrain.add(preset="Broken")
    finally:
        user_presets.remove("Broken")
    assert not bpy.data.objects
    assert not bpy.data.meshes


def test_a_terrain_that_cannot_be_built_leaves_all_as_it_was(add, recipe, monkeypatch):
    before = add()
    # A seed of its own: the land of no other test is in the cache.
    user_presets.save("Bad", dataclasses.replace(recipe, seed=4242, water=Water(show=True)))

    def fail(*_):
        raise ValueError("It cannot be")

    monkeypatch.setattr(LAYERS["terrace"], "apply", fail)
    with pytest.raises(RuntimeError, match="It cannot be"):
        bpy.ops.terrain.add(preset="Bad", resolution=17)
    assert bpy.context.object == before and before.select_get()
    assert list(bpy.data.objects) == [before]
    assert list(bpy.data.meshes) == [before.data]


def test_a_new_terrain_opens_in_edit_mode_if_the_user_wants_all_to(recipe):
    user_presets.save("Wet", dataclasses.replace(recipe, water=Water(show=True, rivers=True)))
    bpy.context.preferences.edit.use_enter_edit_mode = True
    try:
        bpy.ops.terrain.add(preset="Wet", resolution=33)
    finally:
        bpy.context.preferences.edit.use_enter_edit_mode = False
    assert bpy.context.mode == "EDIT_MESH"
    assert len(bpy.context.object.children) == 2


@pytest.mark.smoke
def test_layers_are_added_above_the_active_one_copied_moved_and_removed(add):
    mesh = add().data
    mesh.terrain.active_layer = 0
    bpy.ops.terrain.layer_add(kind="smooth")
    assert names(mesh) == ["Fractal Noise", "Smooth", "Terrace"]
    assert mesh.terrain.active_layer == 1
    mesh.terrain.layers[1].smooth.radius = 7
    bpy.ops.terrain.layer_duplicate()
    assert names(mesh) == ["Fractal Noise", "Smooth", "Smooth", "Terrace"]
    assert mesh.terrain.layers[2].smooth.radius == 7
    bpy.ops.terrain.layer_move(direction="DOWN")
    assert names(mesh) == ["Fractal Noise", "Smooth", "Terrace", "Smooth"]
    assert bpy.ops.terrain.layer_move(direction="DOWN") == {"CANCELLED"}
    bpy.ops.terrain.layer_remove()
    assert names(mesh) == ["Fractal Noise", "Smooth", "Terrace"]
    assert mesh.terrain.active_layer == 2


def test_layers_have_a_most(add):
    mesh = add(resolution=3).data
    while len(mesh.terrain.layers) < MAX_LAYERS:
        bpy.ops.terrain.layer_add(kind="levels")
    with pytest.raises(RuntimeError, match=f"at most {MAX_LAYERS} layers"):
        bpy.ops.terrain.layer_add(kind="levels")
    assert len(mesh.terrain.layers) == MAX_LAYERS


@pytest.mark.smoke
def test_regions_are_added_between_and_one_stays(add):
    palette = add().data.terrain.palette
    palette.active_region = 0
    bpy.ops.terrain.region_add()
    assert sorted(round(r.start, 3) for r in palette.regions) == [0.0, 0.25, 0.5]
    bpy.ops.terrain.region_remove()
    bpy.ops.terrain.region_remove()
    assert len(palette.regions) == 1
    assert not bpy.ops.terrain.region_remove.poll()


def test_every_palette_can_be_loaded(add):
    terrain = add().data.terrain
    for name in presets.palette_names():
        bpy.ops.terrain.palette_load(name=name)
        assert read(terrain).palette == presets.load_palette(name)


@pytest.mark.smoke
def test_presets_are_saved_listed_loaded_and_removed(add, recipe):
    mesh = add().data
    bpy.ops.terrain.preset_save(name="  My Land ")
    assert user_presets.users_own() == ["My Land"]
    saved = json.loads((presets_folder() / "My Land.json").read_text())
    assert saved == recipe.to_dict()
    bpy.ops.terrain.random_seed()
    bpy.ops.terrain.preset_load(preset="My Land")
    assert read(mesh.terrain) == recipe
    bpy.ops.terrain.preset_remove(preset="My Land")
    assert user_presets.users_own() == []
    assert not bpy.ops.terrain.preset_remove.poll()


@pytest.mark.parametrize("name", ["", "   ", "../outside", ".hidden"])
def test_presets_need_a_name_that_can_be_a_file(add, name):
    add()
    with pytest.raises(RuntimeError, match="cannot name a preset"):
        bpy.ops.terrain.preset_save(name=name)
    assert user_presets.users_own() == []


def test_presets_that_come_along_are_not_replaced(add):
    add()
    for name in ("rolling_downs", "Rolling Downs", "rolling downs", "ISLAND"):
        with pytest.raises(RuntimeError, match="is a built-in preset"):
            bpy.ops.terrain.preset_save(name=name)


def test_a_damaged_file_among_the_presets_harms_no_other():
    presets_folder().mkdir(parents=True)
    (presets_folder() / "half.json").write_text('{"about": "\\ud83c land"}')
    (presets_folder() / os.fsdecode(b"lat\xe9in.json")).write_text("{}")
    assert user_presets.users_own() == ["half"]
    assert bpy.ops.terrain.add(preset="island", resolution=9) == {"FINISHED"}
    with pytest.raises(RuntimeError, match="half a character"):
        bpy.ops.terrain.add(preset="half", resolution=9)


CHANGING = ("rebuild", "layer_add", "random_seed", "preset_load", "region_add", "palette_load")


@pytest.mark.parametrize("operator", CHANGING)
def test_without_a_terrain_operators_are_off(operator):
    assert not getattr(bpy.ops.terrain, operator).poll()
    mesh = bpy.data.meshes.new("Foreign")
    item = bpy.data.objects.new("Foreign", mesh)
    bpy.context.collection.objects.link(item)
    bpy.context.view_layer.objects.active = item
    assert not getattr(bpy.ops.terrain, operator).poll()
    with pytest.raises(RuntimeError, match="Select a terrain"):
        getattr(bpy.ops.terrain, operator)()


@pytest.mark.parametrize("operator", CHANGING)
def test_in_edit_mode_operators_are_off(add, operator):
    item = add()
    built = item.data.terrain.built
    bpy.ops.object.mode_set(mode="EDIT")
    try:
        with pytest.raises(RuntimeError, match="Return to Object Mode"):
            getattr(bpy.ops.terrain, operator)()
        assert not bpy.ops.terrain.add.poll()
        item.data.terrain.seed = 5  # a script may, but the mesh is not touched
        assert item.data.terrain.built == built
    finally:
        bpy.ops.object.mode_set(mode="OBJECT")
    bpy.ops.terrain.rebuild()
    assert item.data.terrain.built != built


def test_shape_keys_are_refused(add):
    item = add()
    built = item.data.terrain.built
    item.shape_key_add(name="Basis")
    with pytest.raises(RuntimeError, match="Remove the shape keys"):
        bpy.ops.terrain.random_seed()
    item.data.terrain.seed = 5
    assert item.data.terrain.built == built


def test_every_operator_is_in_a_menu():
    """So that search finds it: Blender searches menus."""
    import inspect

    from terrain_addon.blender.ui import field_choice, menus, node_menu

    text = "".join(inspect.getsource(one) for one in (field_choice, menus, node_menu))
    for name in dir(bpy.ops.terrain):
        internal = "INTERNAL" in getattr(bpy.ops.terrain, name).bl_options  # not for users
        assert internal or f'"terrain.{name}"' in text, name


@pytest.mark.smoke
def test_every_operator_and_setting_has_a_tooltip_without_full_stop_or_line_break():
    for name in dir(bpy.ops.terrain):
        rna = getattr(bpy.ops.terrain, name).get_rna_type()
        texts = [rna.description]
        inherited = {"align", "location", "rotation", "rna_type"}
        texts += [p.description for p in rna.properties if p.identifier not in inherited]
        for text in texts:
            assert text, name
            assert not text.endswith("."), text
            assert "\n" not in text, text


@pytest.mark.slow
def test_the_size_of_an_added_terrain_scales_all_of_it():
    bpy.ops.terrain.add(preset="volcano", resolution=65)
    plain = bpy.context.object.data
    bpy.ops.terrain.add(preset="volcano", resolution=65, size=500)
    small = bpy.context.object.data
    factor = 500 / max(plain.terrain.size_x, plain.terrain.size_y)
    np.testing.assert_allclose(points(small), points(plain) * factor, atol=0.02)
    assert read(small.terrain).water.level == pytest.approx(
        read(plain.terrain).water.level * factor
    )


@pytest.mark.slow
def test_size_and_seed_are_those_of_the_preset_again_the_next_time():
    bpy.ops.terrain.add(preset="volcano", resolution=9, size=77, seed=5)
    bpy.ops.terrain.add(preset="mesa", resolution=9)
    recipe = presets.load("mesa")
    assert read(bpy.context.object.data.terrain) == recipe


@pytest.mark.slow
def test_a_scaled_land_is_the_same_land(add):
    recipe = presets.load("eroded_hills")
    item = add(recipe, resolution=65)
    before = points(item.data)
    bpy.ops.terrain.scale(factor=4)
    np.testing.assert_allclose(points(item.data), before * 4, rtol=1e-5, atol=1e-3)
    bpy.ops.terrain.scale(factor=0.25)
    assert read(item.data.terrain) == recipe
    item.data.terrain.size_x = 0.5
    with pytest.raises(RuntimeError, match="size_x"):
        bpy.ops.terrain.scale(factor=1e-4)


@pytest.mark.smoke
def test_a_plain_mesh_is_left_alone(add, recipe):
    item = add(recipe)
    before = points(item.data)
    assert bpy.ops.terrain.make_plain() == {"FINISHED"}
    assert not item.data.terrain.is_terrain
    assert not bpy.ops.terrain.rebuild.poll()
    np.testing.assert_array_equal(points(item.data), before)
    assert item.data.materials[0]


def points(mesh):
    out = np.empty(len(mesh.vertices) * 3, np.float32)
    mesh.attributes["position"].data.foreach_get("vector", out)
    return out.reshape(-1, 3)


def test_the_world_that_a_scene_had_is_saved(add, tmp_path):
    add()
    bpy.context.scene.world = bpy.data.worlds.new("Mine")
    assert bpy.ops.terrain.scenery() == {"FINISHED"}
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "land.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "land.blend"))
    assert bpy.context.scene.world.name == "Terrain Sky"
    assert "Mine" in bpy.data.worlds


def test_a_list_has_no_place_below_its_first(add):
    terrain = add().data.terrain
    count = len(terrain.layers)
    terrain.active_layer = terrain.palette.active_region = -5
    assert (terrain.active_layer, terrain.palette.active_region) == (0, 0)
    assert bpy.ops.terrain.layer_add(kind="smooth") == {"FINISHED"}
    assert len(terrain.layers) == count + 1
