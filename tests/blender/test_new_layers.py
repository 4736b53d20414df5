# SPDX-License-Identifier: GPL-3.0-or-later
"""What Add Layer and Add Colour put in, how menus order it, and what panels say beside values."""

import math

import bpy
import numpy as np
import pytest

from terrain_addon.blender import property_groups
from terrain_addon.blender.live import rebuild, surface
from terrain_addon.blender.properties.recipe import read, write
from terrain_addon.blender.ui import draw, menus
from terrain_addon.core import Layer, Recipe, Region, presets
from terrain_addon.core.layers import GENERATE, LAYERS, MASKS, SHAPE
from terrain_addon.core.recipe import default_settings_for, rescale
from terrain_addon.core.settings import settings_of


def heights(mesh):
    return attribute(mesh, "height")


def attribute(mesh, name):
    out = np.empty(len(mesh.vertices), np.float32)
    mesh.attributes[name].data.foreach_get("value", out)
    return out


def colors(mesh):
    out = np.empty(len(mesh.vertices) * 4, np.float32)
    mesh.attributes["Color"].data.foreach_get("color", out)
    return out.reshape(-1, 4)[:, :3]


def last_layer(mesh):
    return read(mesh.terrain).layers[-1].settings


@pytest.fixture
def wide(add):
    """Alps of 20 km, with the last layer active."""
    alps = presets.load("alps")
    mesh = add(rescale(alps, 20000 / alps.size_x), resolution=129).data
    mesh.terrain.active_layer = len(mesh.terrain.layers) - 1
    return mesh


@pytest.mark.parametrize("key", LAYERS)
def test_an_added_layer_fits_the_terrain(wide, key):
    before = heights(wide)
    bpy.ops.terrain.layer_add(kind=key)
    low, high = float(before.min()), float(before.max())
    added = read(wide.terrain).layers[wide.terrain.active_layer].settings
    assert added == default_settings_for(LAYERS[key], 20000.0, 20000.0, (low, high))
    follows = any(setting.unit == "shape" for setting in settings_of(LAYERS[key]))  # none so far
    if key not in ("height_map", "levels", "group", "from_nodes") and not follows:
        assert np.abs(heights(wide) - before).max() > 10


@pytest.mark.slow
def test_new_erosion_acts_last_and_other_layers_after_the_active_one(wide):
    """In a preset the first layer is the active one: erosion would wear down hills without the
    rest of the land."""
    terrain = wide.terrain

    def kinds():
        return [layer.kind for layer in terrain.layers]

    bpy.ops.terrain.layer_add(kind="levels")
    bpy.ops.terrain.layer_add(kind="smooth")
    before = kinds()
    terrain.active_layer = 0
    bpy.ops.terrain.layer_add(kind="terrace")
    assert kinds() == [before[0], "terrace", *before[1:]]
    assert terrain.active_layer == 1
    bpy.ops.terrain.layer_add(kind="erosion")
    assert kinds() == [before[0], "terrace", *before[1:], "erosion"]
    assert terrain.active_layer == len(before) + 1
    terrain.active_layer = 0
    bpy.ops.terrain.layer_duplicate()
    assert kinds()[1] == before[0]


@pytest.mark.parametrize("sea", [False, True])
def test_new_erosion_knows_of_a_sea_that_is_shown(wide, sea):
    wide.terrain.water.show = sea
    bpy.ops.terrain.layer_add(kind="erosion")
    assert last_layer(wide).sea == sea


def test_the_slider_of_a_new_valley_spacing_starts_from_where_the_land_is(wide):
    bpy.ops.terrain.layer_add(kind="erosion")
    longer = max(wide.terrain.size_x, wide.terrain.size_y)
    assert last_layer(wide).valley_spacing == pytest.approx(longer / 22, rel=0.05)
    assert last_layer(wide).strata_thickness > 0


def test_new_snow_knows_of_a_sea_that_is_shown(wide):
    bpy.ops.terrain.layer_add(kind="snow")
    inland = last_layer(wide).line
    wide.terrain.water.show, wide.terrain.water.level = True, 1000.0
    bpy.ops.terrain.layer_add(kind="snow")
    assert last_layer(wide).line > inland + 100


def test_masks_of_layers_fit_the_terrain_and_are_off(wide):
    bpy.ops.terrain.layer_add(kind="gullies")
    for layer in wide.terrain.layers:  # of the preset, and added
        assert layer.mask_noise.size == 6000
        assert (layer.mask_height.high, layer.mask_height.fade) == (20000, 400)
    assert read(wide.terrain).layers[-1].masks == ()


def test_a_mask_that_is_switched_on_starts_at_the_range_of_the_terrain(wide):
    low, high = float(heights(wide).min()), float(heights(wide).max())
    mask, slopes = wide.terrain.layers[1].mask_height, wide.terrain.layers[1].mask_slope
    mask.use = slopes.use = True
    assert mask.low <= low < mask.low + 0.1 * (high - low)
    assert mask.high - 0.1 * (high - low) < high <= mask.high
    assert 0 < mask.fade < 0.1 * (high - low)
    steepest = attribute(wide, "slope").max()
    assert slopes.low == 0 and steepest <= math.degrees(slopes.high) < steepest + 10


@pytest.mark.slow
def test_a_mask_that_was_set_keeps_its_range_when_it_is_switched_off_and_on(wide):
    mask = wide.terrain.layers[1].mask_height
    mask.use = True
    mask.low = 700
    before = (mask.low, mask.high, mask.fade)
    mask.use = False
    mask.use = True
    assert (mask.low, mask.high, mask.fade) == before
    other = wide.terrain.layers[0].mask_height
    other.high = 1234  # by a script, which switches it on later
    other.use = True
    assert (other.low, other.high, other.fade) == (0, 1234, 400)


def test_a_mask_by_a_field_acts_where_the_field_is_high(wide):
    mask = wide.terrain.layers[-1].mask_field
    mask.use = True
    assert (mask.low, mask.high, mask.fade) == (0.5, 1, 0.5)
    wide.terrain.attributes.erosion_depth = True
    most = attribute(wide, "erosion_depth").max()
    mask.field = "erosion_depth"
    assert 0.3 * most < mask.low < mask.high < 1.1 * most
    assert most <= mask.high and mask.fade == pytest.approx(mask.low)
    mask.field = "sky_view"
    assert (mask.low, mask.high, mask.fade) == (0.5, 1, 0.5)
    mask.use = False
    mask.field = "slope"  # not in use: nothing to look at yet
    assert (mask.low, mask.high, mask.fade) == (0.5, 1, 0.5)


def test_the_range_of_a_mask_comes_with_its_switch_in_one_undo_and_one_rebuild(wide, monkeypatch):
    made = []
    written = surface.write
    monkeypatch.setattr(rebuild, "write", lambda *a: (made.append(a[2]), written(*a)))
    bpy.ops.ed.undo_push(message="Before")
    wide.terrain.layers[1].mask_height.use = True
    assert len(made) == 1
    bpy.ops.ed.undo_push(message="Mask")
    bpy.ops.ed.undo()
    mask = bpy.context.object.data.terrain.layers[1].mask_height
    assert (mask.use, mask.low, mask.high) == (False, 0, 20000)


@pytest.mark.slow
def test_presets_and_copies_keep_the_ranges_of_their_masks(wide):
    layer = Layer.of(LAYERS["levels"](), masks=(MASKS["height"](), MASKS["field"](field="slope")))
    recipe = Recipe(layers=(Layer.of(LAYERS["fractal_noise"]()), layer))
    write(wide.terrain, recipe)
    assert read(wide.terrain).layers[1].masks == layer.masks
    wide.terrain.active_layer = 1
    bpy.ops.terrain.layer_duplicate()
    assert read(wide.terrain).layers[2].masks == layer.masks


def test_a_land_of_the_usual_size_gets_plain_layers(add):
    mesh = add().data
    for key in ("dunes", "gullies", "volcano"):
        bpy.ops.terrain.layer_add(kind=key)
        assert read(mesh.terrain).layers[mesh.terrain.active_layer].settings == LAYERS[key]()


def test_a_layer_can_be_added_where_heights_are_not_known(add):
    mesh = add().data
    mesh.terrain.live = False
    mesh.attributes.remove(mesh.attributes["height"])
    bpy.ops.terrain.layer_add(kind="snow")
    assert mesh.terrain.layers[1].snow.line == 100


def test_snow_is_white_and_goes_with_its_layer_in_one_undo(wide):
    plain, before = read(wide.terrain), colors(wide)
    bpy.ops.ed.undo_push(message="Before")
    bpy.ops.terrain.layer_add(kind="snow")
    palette = wide.terrain.palette
    assert palette.regions[-1].based_on == "snow"
    assert palette.regions[-1].high == pytest.approx(last_layer(wide).depth / 4)
    white = (colors(wide) > 0.7).all(axis=1).mean()
    assert white > (before > 0.7).all(axis=1).mean() + 0.05
    bpy.ops.ed.undo_push(message="Add Layer")
    bpy.ops.ed.undo()
    mesh = bpy.context.object.data
    assert read(mesh.terrain) == plain
    np.testing.assert_array_equal(colors(mesh), before)


def test_snow_is_coloured_once_and_other_layers_are_not(wide):
    for kind in ("snow", "dunes", "snow"):
        bpy.ops.terrain.layer_add(kind=kind)
        assert [r.based_on for r in wide.terrain.palette.regions].count("snow") == 1


def test_added_colours_have_names_places_and_colours_of_their_own(add):
    palette = add().data.terrain.palette
    palette.active_region = 0
    for _ in range(2):
        bpy.ops.terrain.region_add()
    rows = sorted((round(r.start, 3), r.name) for r in palette.regions)
    assert [name for _, name in rows] == ["Low", "Color 3", "Color 4", "High"]
    assert [start for start, _ in rows] == [0.0, 0.25, 0.375, 0.5]
    low, new, newest, high = sorted(palette.regions, key=lambda region: region.start)
    for channel in range(3):
        ends = sorted((low.color[channel], high.color[channel]))
        assert ends[0] < new.color[channel] < ends[1]
        between = sorted((new.color[channel], high.color[channel]))
        assert between[0] <= newest.color[channel] <= between[1]


def test_a_colour_can_be_added_to_none(add):
    palette = add().data.terrain.palette
    palette.regions.clear()
    bpy.ops.terrain.region_add()
    assert len(palette.regions) == 1


def test_the_menu_has_every_kind_of_layer_once_with_an_icon_of_its_own():
    listed = menus.layers_of(GENERATE) + menus.layers_of(SHAPE)
    assert sorted(listed) == sorted(LAYERS)
    icons = [LAYERS[key].icon for key in listed]
    assert len(set(icons)) == len(icons)
    function = bpy.types.UILayout.bl_rna.functions["operator"]
    assert set(icons) <= set(function.parameters["icon"].enum_items.keys())
    assert listed[0] == "fractal_noise"


def test_kinds_that_the_menu_does_not_know_come_last(monkeypatch):
    monkeypatch.setattr(menus, "USUAL_ORDER", ("dunes",))
    first, *others = menus.layers_of(GENERATE)
    assert first == "dunes" and "volcano" in others and "dunes" not in others


def test_what_is_automatic_is_reported(add):
    erosion = Layer.of(LAYERS["erosion"](resolution="128"))
    mesh = add(Recipe(size_x=4400.0, size_y=3000.0, layers=(erosion,))).data
    group = mesh.terrain.layers[0].erosion
    assert draw.notes(group, LAYERS["erosion"])("valley_spacing") == "Automatic: 200 m"
    assert draw.notes(group, LAYERS["erosion"])("strength") == ""
    unit = bpy.context.scene.unit_settings
    reported = draw.notes(group, LAYERS["erosion"])
    unit.scale_length = 0.01  # as the sliders beside it
    assert reported("valley_spacing") == "Automatic: 2 m"
    unit.scale_length, unit.system = 1.0, "IMPERIAL"
    assert reported("valley_spacing") == "Automatic: 656'"
    unit.system = "NONE"
    assert reported("valley_spacing") == "Automatic: 200"
    group.valley_spacing = 150
    assert draw.notes(group, LAYERS["erosion"])("valley_spacing") == ""


def test_what_seamless_makes_of_settings_is_reported(add):
    noise = LAYERS["fractal_noise"](
        size=800.0, lacunarity=2.1, rotation=30.0, warp_amount=1.0, warp_size=500.0
    )
    layer = Layer(settings=noise, masks=(MASKS["noise"](size=1300.0),))
    mesh = add(Recipe(size_x=2000.0, size_y=1000.0, layers=(layer,))).data
    item = mesh.terrain.layers[0]
    group = item.fractal_noise
    names = ("size", "lacunarity", "rotation", "warp_size", "height")

    def reported():
        return [draw.notes(group, LAYERS["fractal_noise"])(name) for name in names]

    assert reported() == [""] * 5
    group.seamless = item.mask_noise.seamless = True
    assert reported() == ["Seamless: 1 km", "Seamless: 2", "Seamless: 0°", "", ""]
    assert draw.notes(item.mask_noise, MASKS["noise"])("size") == "Seamless: 1 km"
    group.size, group.lacunarity, group.rotation = 2000 / 3, 3.0, math.pi / 2
    assert reported() == [""] * 5


def test_a_map_that_is_not_named_yet_is_reported(add):
    bpy.data.images.new("Relief", 4, 4)
    item = add(Recipe(layers=(Layer.of(LAYERS["height_map"]()),))).data.terrain.layers[0]
    for group, kind, words in (
        (item.height_map, LAYERS["height_map"], "No map yet: flat"),
        (item.mask_map, MASKS["map"], "No map yet: acts everywhere"),
    ):
        assert [draw.notes(group, kind)(name) for name in ("source", "low")] == [words, ""]
        group.source = "Relief"
        assert draw.notes(group, kind)("source") == ""


@pytest.mark.parametrize(("name", "value"), [("use", True), ("field", "sky_view")])
def test_a_mask_is_fitted_once(wide, monkeypatch, name, value):
    """Fitting writes the field, too, whose callback must not fit the mask again."""
    mask = wide.terrain.layers[-1].mask_field
    mask.use = name == "field"
    calls, fit_mask = [], property_groups.fit_mask
    monkeypatch.setattr(
        property_groups, "fit_mask", lambda *a, **k: calls.append(a) or fit_mask(*a, **k)
    )
    setattr(mask, name, value)
    assert len(calls) == 1


def test_ranges_of_masks_come_with_their_unit(add):
    terrain = add().data.terrain
    group = terrain.layers[0].mask_field
    for name, words in (
        ("ridge", "Values from 0 to 1"),
        ("slope", "Values from 0 to 90 degrees"),
        ("erosion_depth", "Values in meters"),
        ("plan_curvature", "Values in radians per 100 m"),
    ):
        group.field = name
        assert draw.notes(group, MASKS["field"])("field") == words
    terrain.palette.regions[0].based_on = "snow"
    assert draw.notes(terrain.palette.regions[0], Region)("based_on") == "Values in meters"


def test_what_is_not_valid_has_no_notes(add):
    group = add().data.terrain.layers[0].mask_field
    group["field"] = 12345  # of a newer version
    assert draw.notes(group, MASKS["field"])("field") == ""


def test_masks_are_offered_from_the_plainest_on():
    assert list(MASKS)[:5] == ["height", "slope", "field", "noise", "map"]


def test_the_colour_of_snow_is_scaled_with_the_land(wide):
    bpy.ops.terrain.layer_add(kind="snow")
    before = read(wide.terrain).palette.regions[-1].high
    bpy.ops.terrain.scale(factor=0.5)
    assert read(wide.terrain).palette.regions[-1].high == pytest.approx(before / 2)


def test_a_layer_can_be_added_where_all_points_were_deleted(add):
    mesh = add().data
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.ops.mesh.select_all(action="SELECT")
    bpy.ops.mesh.delete(type="VERT")
    bpy.ops.object.mode_set(mode="OBJECT")
    assert len(heights(mesh)) == 0
    bpy.ops.terrain.layer_add(kind="terrace")
    assert mesh.terrain.layers[mesh.terrain.active_layer].kind == "terrace"
    bpy.ops.terrain.rebuild()
    assert len(mesh.vertices) == 33 * 33
