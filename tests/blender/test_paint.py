# SPDX-License-Identifier: GPL-3.0-or-later
"""*Paint* makes a map, enters the mode that paints it, and selects what strokes go to."""

import bpy
import numpy as np
import pytest

from terrain_addon.blender.data.terrains import problem
from terrain_addon.blender.live import paint_overlay, rebuild
from terrain_addon.blender.ui import draw
from terrain_addon.core import Erosion, FractalNoise, Recipe
from terrain_addon.core.layers import LAYERS

MASK = "terrain.layers[1].mask_map"


def heights(mesh):
    rebuild.update(mesh)
    values = np.empty(len(mesh.vertices), np.float32)
    mesh.attributes["height"].data.foreach_get("value", values)
    return values


@pytest.fixture
def land(add):
    item = add(Recipe(layers=(FractalNoise(), LAYERS["terrace"]()), material="simple"))
    yield item
    bpy.ops.object.mode_set(mode="OBJECT")


def test_a_mask_is_painted_at_once(land):
    mask = land.data.terrain.layers[1].mask_map
    everywhere = heights(land.data)
    assert bpy.ops.terrain.paint_map(settings=MASK) == {"FINISHED"}
    assert land.mode == "WEIGHT_PAINT" and mask.use
    assert mask.source == land.vertex_groups.active.name == "Terrace Mask"
    nowhere = heights(land.data)
    assert not np.array_equal(nowhere, everywhere)
    land.vertex_groups.active.add(range(len(land.data.vertices)), 1.0, "REPLACE")
    np.testing.assert_allclose(heights(land.data), everywhere, atol=1e-5)
    assert not rebuild.error_of(land.data)


def test_a_map_that_exists_is_painted_on(land):
    mask = land.data.terrain.layers[1].mask_map
    colors = land.data.color_attributes.new("Where", "BYTE_COLOR", "POINT")
    land.data.color_attributes.new("Other", "BYTE_COLOR", "POINT")
    mask.source = colors.name
    bpy.ops.terrain.paint_map(settings=MASK)
    assert land.mode == "VERTEX_PAINT" and land.data.attributes.active_color_name == "Where"
    bpy.ops.object.mode_set(mode="OBJECT")
    groups = [land.vertex_groups.new(name=name) for name in ("A", "B")]
    mask.source = groups[0].name
    bpy.ops.terrain.paint_map(settings=MASK)
    assert land.mode == "WEIGHT_PAINT" and land.vertex_groups.active.name == "A"
    assert mask.source == "A" and len(land.vertex_groups) == 2


def test_names_of_new_maps_are_free(land):
    bpy.data.images.new("Terrace Mask", 4, 4)
    land.vertex_groups.new(name="Terrace Mask 2")
    bpy.ops.terrain.paint_map(settings=MASK)
    assert land.data.terrain.layers[1].mask_map.source == "Terrace Mask 3"


def test_what_blender_cannot_paint_says_so(land):
    mask = land.data.terrain.layers[1].mask_map
    land.data.attributes.new("Numbers", "FLOAT", "POINT")
    for name in ("Numbers", "hill.tif"):
        mask.source = name
        with pytest.raises(RuntimeError, match="clear the field to paint a new map"):
            bpy.ops.terrain.paint_map(settings=MASK)
        assert land.mode == "OBJECT" and mask.source == name


@pytest.mark.parametrize("setting", ["rain_map", "hardness_map"])
def test_a_new_map_of_erosion_changes_nothing_yet(add, setting):
    item = add(Recipe(layers=(FractalNoise(), Erosion(resolution="128")), material="simple"))
    before = heights(item.data)
    bpy.ops.terrain.paint_map(settings="terrain.layers[1].erosion", setting=setting)
    assert item.mode == "WEIGHT_PAINT"
    np.testing.assert_array_equal(heights(item.data), before)
    item.vertex_groups.active.add(range(500), 1.0, "REPLACE")
    assert not np.array_equal(heights(item.data), before)
    bpy.ops.object.mode_set(mode="OBJECT")


def overlays():
    areas = (area for screen in bpy.data.screens for area in screen.areas)
    return [area.spaces.active.overlay for area in areas if area.type == "VIEW_3D"]


def test_the_land_is_seen_through_weights_until_painting_ends(land):
    first, *others = overlays()
    assert others, "no other workspace has a viewport"
    first.weight_paint_mode_opacity = 0.75
    bpy.ops.terrain.paint_map(settings=MASK)
    assert {one.weight_paint_mode_opacity for one in overlays()} == {paint_overlay.OPACITY}
    others[0].weight_paint_mode_opacity = 0.25  # the user's choice stays
    bpy.ops.object.mode_set(mode="OBJECT")
    paint_overlay.follow_mode()  # the message bus is silent in the background
    assert [one.weight_paint_mode_opacity for one in overlays()] == [
        0.75,
        0.25,
        *[paint_overlay.USUAL] * (len(others) - 1),
    ]


def test_settings_of_layers_can_be_changed_while_a_map_is_painted(land):
    bpy.ops.terrain.paint_map(settings=MASK)
    land.vertex_groups.active.add(range(len(land.data.vertices)), 1.0, "REPLACE")
    assert problem(bpy.context, setting=True)
    assert not problem(bpy.context, setting=True, painting=True)
    before = heights(land.data)
    land.data.terrain.layers[0].opacity = 0.5
    assert not np.array_equal(heights(land.data), before)
    assert land.mode == "WEIGHT_PAINT" and not rebuild.error_of(land.data)
    assert draw.is_painted(bpy.context, "Terrace Mask")
    assert not draw.is_painted(bpy.context, "Other")
