# SPDX-License-Identifier: GPL-3.0-or-later
"""A mask to look at: it colours the terrain, and is no part of the land."""

import dataclasses

import bpy
import numpy as np
import pytest

from terrain_addon.blender.live import rebuild
from terrain_addon.blender.live.surface import is_current
from terrain_addon.blender.properties import user_presets
from terrain_addon.blender.properties.declare import permanent_number
from terrain_addon.blender.properties.mask_view import COLORS, ITEMS
from terrain_addon.blender.properties.recipe import read
from terrain_addon.core import Layer, evaluate
from terrain_addon.core.analysis import FIELDS
from terrain_addon.core.evaluation.stack import layer_weight
from terrain_addon.core.layers import LAYERS
from terrain_addon.core.output import LAYER_MASKS
from terrain_addon.core.output.mask_view import field_colors, weight_colors


@pytest.fixture
def made(monkeypatch):
    """The recipes of all lands that were made since, oldest first."""
    recipes = []
    make_surface = rebuild.make_surface

    def counted(recipe, *args, **kwargs):
        recipes.append(recipe)
        return make_surface(recipe, *args, **kwargs)

    monkeypatch.setattr(rebuild, "make_surface", counted)
    return recipes


@pytest.fixture
def mesh(add):
    """A terrain whose active, upper layer has a mask by height."""
    mesh = add().data
    mesh.terrain.active_layer = 1
    mesh.terrain.layers[1].mask_height.high = 40.0
    mesh.terrain.layers[1].mask_height.use = True
    return mesh


def colors(mesh):
    out = np.empty((len(mesh.vertices), 4), np.float32)
    mesh.attributes["Color"].data.foreach_get("color", out.reshape(-1))
    return out


def positions(mesh):
    out = np.empty(len(mesh.vertices) * 3, np.float32)
    mesh.attributes["position"].data.foreach_get("vector", out)
    return out


def palette_colors(mesh):
    recipe = read(mesh.terrain)
    field = evaluate(recipe, recipe.grid(mesh.terrain.resolution))
    return recipe.palette.colors(field.height, field.fields["slope"], *field.range).reshape(-1, 4)


def shown_colors(mesh):
    """What the colours of a mesh should be, from its settings alone, and what they mean."""
    recipe, shown = read(mesh.terrain), mesh.terrain.mask_view
    grid = recipe.grid(mesh.terrain.resolution)
    if shown == LAYER_MASKS:
        place = mesh.terrain.active_layer
        made, legend = weight_colors(recipe.layers[place], layer_weight(recipe, place, grid))
    else:
        made, legend = field_colors(shown, evaluate(recipe, grid))
    return made.reshape(-1, 4), legend


def assert_shows(mesh):
    expected, legend = shown_colors(mesh)
    np.testing.assert_array_equal(colors(mesh), expected)
    kept = mesh.terrain.legend
    assert (kept.text, kept.low, kept.high) == (legend.text, legend.low, legend.high)
    assert kept.colors.split() == list(legend.colors)
    assert is_current(mesh)


def assert_shows_its_palette(mesh):
    np.testing.assert_array_equal(colors(mesh), palette_colors(mesh))
    assert mesh.terrain.legend.text == "" and is_current(mesh)


def test_each_mask_that_follows_from_the_heights_is_shown_without_making_the_land(mesh, made):
    before = positions(mesh)
    made.clear()
    for name in [name for name, field in FIELDS.items() if field.make]:
        mesh.terrain.mask_view = name
        assert_shows(mesh)
        assert mesh.terrain.legend.text.startswith(FIELDS[name].label)
    mesh.terrain.mask_view = COLORS
    assert_shows_its_palette(mesh)
    assert not made
    np.testing.assert_array_equal(positions(mesh), before)


def test_the_mask_of_the_active_layer_follows_its_sliders_and_the_choice_of_the_layer(mesh, made):
    mesh.terrain.mask_view = LAYER_MASKS
    assert_shows(mesh)
    assert len(np.unique(colors(mesh), axis=0)) > 3
    made.clear()
    for high in (60.0, 5.0):
        mesh.terrain.layers[1].mask_height.high = high
        assert_shows(mesh)
    assert len(made) == 2
    mesh.terrain.layers[0].fractal_noise.octaves = 3
    assert_shows(mesh)
    made.clear()
    seen = colors(mesh)
    mesh.terrain.active_layer = 0
    assert_shows(mesh)
    assert "everywhere" in mesh.terrain.legend.text
    assert len(np.unique(colors(mesh), axis=0)) == 1
    mesh.terrain.active_layer = 1
    np.testing.assert_array_equal(colors(mesh), seen)
    assert not made


def test_the_mask_of_a_layer_that_is_off_is_what_it_would_be(mesh, made):
    mesh.terrain.mask_view = LAYER_MASKS
    seen = colors(mesh)
    mesh.terrain.layers[1].enabled = False
    assert_shows(mesh)
    np.testing.assert_array_equal(colors(mesh), seen)
    assert "would act" in mesh.terrain.legend.text
    made.clear()
    mesh.terrain.layers[1].mask_height.high = 5.0
    assert_shows(mesh)
    assert (colors(mesh) != seen).any() and not made


def test_a_painted_mask_of_a_layer_that_is_off_is_read_too(mesh):
    west = np.linspace(0, 1, len(mesh.vertices), dtype=np.float32)
    mesh.attributes.new("West", "FLOAT", "POINT").data.foreach_set("value", west)
    mesh.terrain.mask_view = LAYER_MASKS
    mesh.terrain.layers[1].enabled = False
    mesh.terrain.layers[1].mask_map.source = "West"
    mesh.terrain.layers[1].mask_map.use = True
    assert_shows(mesh)


def test_operators_of_layers_leave_the_right_mask(mesh):
    mesh.terrain.mask_view = LAYER_MASKS
    for operator, arguments in (
        ("layer_add", {"kind": "levels"}),
        ("layer_remove", {}),
        ("layer_move", {"direction": "UP"}),
        ("layer_duplicate", {}),
    ):
        assert getattr(bpy.ops.terrain, operator)(**arguments) == {"FINISHED"}
        assert_shows(mesh)


def test_the_land_changes_under_a_mask(mesh):
    for name in ("slope", "ridge"):
        mesh.terrain.mask_view = name
        mesh.terrain.seed += 1
        assert_shows(mesh)
        mesh.terrain.resolution = 17 if name == "slope" else 33
        assert_shows(mesh)


def test_what_layers_leave_is_shown_and_where_none_does_the_colours_stay_with_a_reason(mesh, made):
    before = colors(mesh)
    mesh.terrain.mask_view = "snow"
    np.testing.assert_array_equal(colors(mesh), before)
    assert "No layer produces 'Snow'" in mesh.terrain.legend.text
    assert not mesh.terrain.legend.low and is_current(mesh) and not rebuild.error_of(mesh)
    mesh.terrain.palette.regions[0].color = (1, 0, 0)
    np.testing.assert_array_equal(colors(mesh), palette_colors(mesh))
    mesh.terrain.seed = 8
    np.testing.assert_array_equal(colors(mesh), palette_colors(mesh))
    assert bpy.ops.terrain.layer_add(kind="snow") == {"FINISHED"}
    assert_shows(mesh)
    assert mesh.terrain.legend.text.endswith(" meters")
    mesh.terrain.mask_view = COLORS
    made.clear()
    mesh.terrain.mask_view = "snow"  # the mesh does not carry it: the cache knows
    assert_shows(mesh)
    assert not made


def test_a_mask_of_a_layer_that_cannot_be_made_gives_its_reason(mesh):
    mesh.terrain.layers[1].enabled = False
    mesh.terrain.layers[1].mask_field.field = "flow"
    mesh.terrain.layers[1].mask_field.use = True
    mesh.terrain.mask_view = LAYER_MASKS
    assert "Flow" in mesh.terrain.legend.text and not mesh.terrain.legend.low
    np.testing.assert_array_equal(colors(mesh), palette_colors(mesh))
    while mesh.terrain.layers:
        bpy.ops.terrain.layer_remove()
    assert "There is no layer" in mesh.terrain.legend.text and is_current(mesh)


def test_a_mask_that_the_mesh_carries_stays_an_attribute(mesh):
    mesh.terrain.attributes.ridge = True
    mesh.terrain.mask_view = "ridge"
    assert_shows(mesh)
    mesh.terrain.attributes.ridge = False
    assert "ridge" not in mesh.attributes
    assert_shows(mesh)


@pytest.mark.slow
def test_recipes_presets_and_bakes_know_nothing_of_it(mesh):
    plain = read(mesh.terrain)
    bpy.ops.terrain.bake()
    baked = np.array(bpy.data.images[0].pixels)
    mesh.terrain.bake.image = "color"
    bpy.ops.terrain.bake()
    colored = {image.name: np.array(image.pixels) for image in bpy.data.images}
    mesh.terrain.mask_view = "slope"
    assert read(mesh.terrain) == plain
    bpy.ops.terrain.bake()
    assert {image.name for image in bpy.data.images} == set(colored)
    for image in bpy.data.images:
        np.testing.assert_array_equal(np.array(image.pixels), colored[image.name])
    assert any(np.array_equal(pixels, baked) for pixels in colored.values())
    user_presets.save("Of a test", dataclasses.replace(plain, seed=44))
    bpy.ops.terrain.preset_load(preset="Of a test")
    assert mesh.terrain.mask_view == "slope" and mesh.terrain.seed == 44
    assert_shows(mesh)


@pytest.mark.smoke
def test_undo_and_redo(mesh):
    bpy.context.preferences.edit.use_global_undo = True
    bpy.ops.ed.undo_push(message="colours")
    mesh.terrain.mask_view = "slope"
    bpy.ops.ed.undo_push(message="slope")
    bpy.data.meshes["Land"].terrain.mask_view = LAYER_MASKS
    bpy.ops.ed.undo_push(message="layer")
    bpy.data.meshes["Land"].terrain.active_layer = 0
    bpy.ops.ed.undo_push(message="another layer")
    for undo, shown, active in (
        (True, LAYER_MASKS, 1),
        (True, "slope", 1),
        (True, COLORS, 1),
        (False, "slope", 1),
        (False, LAYER_MASKS, 1),
        (False, LAYER_MASKS, 0),
    ):
        (bpy.ops.ed.undo if undo else bpy.ops.ed.redo)()
        mesh = bpy.data.meshes["Land"]
        assert (mesh.terrain.mask_view, mesh.terrain.active_layer) == (shown, active)
        (assert_shows_its_palette if shown == COLORS else assert_shows)(mesh)


def test_a_saved_file_shows_the_mask_and_says_so(mesh, tmp_path, made):
    mesh.terrain.mask_view = LAYER_MASKS
    path = str(tmp_path / "land.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    made.clear()
    bpy.ops.wm.open_mainfile(filepath=path)
    mesh = bpy.data.meshes["Land"]
    assert_shows(mesh)
    rebuild.CACHE.clear()  # as after a start of Blender
    for name in ("slope", "hillshade"):
        mesh.terrain.mask_view = name
        assert_shows(mesh)
    mesh.terrain.mask_view = COLORS
    assert_shows_its_palette(mesh)
    assert not made


def test_without_live_the_mask_waits_for_update(mesh):
    mesh.terrain.live = False
    before = colors(mesh)
    mesh.terrain.mask_view = "slope"
    np.testing.assert_array_equal(colors(mesh), before)
    assert not is_current(mesh) and mesh.terrain.legend.text == ""
    bpy.ops.terrain.rebuild()
    assert_shows(mesh)


def test_a_copy_shows_what_it_is_reported_and_leaves_the_first_alone(mesh):
    mesh.terrain.mask_view = "slope"
    copy = mesh.copy()
    assert_shows(copy)
    copy.terrain.mask_view = LAYER_MASKS
    assert_shows(copy)
    assert_shows(mesh)
    copy.terrain.mask_view = COLORS
    assert_shows_its_palette(copy)
    assert_shows(mesh)


def test_points_that_were_moved_by_hand_stay_where_they_are(mesh):
    mesh.vertices[40].co.z += 500
    before = positions(mesh)
    mesh.terrain.mask_view = "slope"
    assert_shows(mesh)
    np.testing.assert_array_equal(positions(mesh), before)


def test_the_button_shows_and_leaves(mesh):
    assert bpy.ops.terrain.show(mask=LAYER_MASKS) == {"FINISHED"}
    assert_shows(mesh)
    assert bpy.ops.terrain.show(mask=COLORS) == {"FINISHED"}
    assert_shows_its_palette(mesh)


def test_what_files_hold_of_a_choice_is_made_from_its_key_and_all_masks_are_there():
    keys = [item[0] for item in ITEMS]
    assert keys == [COLORS, LAYER_MASKS, *FIELDS]
    assert [item[4] for item in ITEMS] == [permanent_number(key) for key in keys]
    assert len({item[4] for item in ITEMS}) == len(keys)


def test_a_file_made_before_there_was_a_choice_needs_no_rebuild(add, made):
    """Its look is that of the palette alone."""
    mesh = add().data
    built = mesh.terrain.built
    mesh.terrain.mask_view = "slope"
    assert mesh.terrain.built != built
    mesh.terrain.mask_view = COLORS
    assert mesh.terrain.built == built


def test_in_line_with_a_layer_that_takes_the_whole_land(add, made):
    """Showing a mask does not evaluate costly layers again."""
    recipe = dataclasses.replace(
        read(add().data.terrain),
        layers=(
            Layer.of(LAYERS["fractal_noise"]()),
            Layer.of(LAYERS["erosion"]()),
            Layer.of(LAYERS["smooth"]()),
        ),
    )
    mesh = add(recipe).data
    made.clear()
    for name in ("flow", "erosion_depth", "wetness", LAYER_MASKS):
        mesh.terrain.mask_view = name
        assert_shows(mesh)
    assert not made


@pytest.mark.parametrize("edited", [False, True])
def test_a_plain_mesh_gets_its_colours_back_and_keeps_its_points(mesh, edited):
    expected = palette_colors(mesh)
    mesh.terrain.mask_view = "hillshade"
    if edited:
        mesh.vertices[5].co.z += 100
    before = positions(mesh)
    bpy.ops.terrain.make_plain()
    np.testing.assert_array_equal(colors(mesh), expected)
    np.testing.assert_array_equal(positions(mesh), before)
