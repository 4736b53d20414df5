# SPDX-License-Identifier: GPL-3.0-or-later
"""Nine variations: their values, their pictures, and what a choice writes."""

import bpy
import numpy as np
import pytest

from terrain_addon.blender.live import rebuild
from terrain_addon.blender.live.variations import variations
from terrain_addon.blender.operators import variations as subject
from terrain_addon.blender.operators.variations.sheet import Sheet
from terrain_addon.core import Layer, Recipe
from terrain_addon.core.layers import LAYERS

DUNES = Recipe(layers=(Layer.of(LAYERS["dunes"]()),), material="simple")


def test_a_picture_writes_its_value(add):
    terrain = add(DUNES).data.terrain
    terrain.seed = 5
    assert bpy.ops.terrain.variations(setting="seed", number=4) == {"FINISHED"}
    assert terrain.seed == 8
    group = terrain.layers[0].dunes
    height = group.height
    assert bpy.ops.terrain.variations(setting="layer.height", number=9) == {"FINISHED"}
    assert group.height == pytest.approx(2 * height, rel=1e-2)


@pytest.mark.slow
def test_pictures_are_those_of_the_values_and_of_no_others(add):
    terrain = add(DUNES).data.terrain
    recipe = subject.read(terrain)
    chosen = subject._Subject.of(terrain, "seed")
    recipes = [chosen.varied(recipe, value) for value in chosen.values]
    assert [one.seed for one in recipes] == [recipe.seed + n for n in range(9)]
    variations.start(recipes)
    variations.finish()
    first = {place: picture.copy() for place, picture in variations.pictures.items()}
    assert sorted(first) == [*range(9)] and not variations.errors
    assert len({picture.tobytes() for picture in first.values()}) == 9
    variations.start(recipes)
    variations.finish()
    assert all(np.array_equal(first[place], variations.pictures[place]) for place in first)
    variations.start(recipes)
    variations.reset()
    assert not variations.is_busy() and not variations.pictures


def test_a_picture_that_cannot_be_made_says_why(add):
    terrain = add(DUNES).data.terrain
    bpy.ops.terrain.layer_add(kind="height_map")
    layer = terrain.layers[terrain.active_layer]
    with rebuild.quiet():
        layer.height_map.source = "nothing"
    recipe = subject.read(terrain)
    variations.start([recipe])
    variations.finish()
    assert "nothing" in variations.errors[0] and not variations.pictures
    variations.reset()


def test_only_settings_of_the_active_layer_that_matter_are_offered(add):
    terrain = add(DUNES).data.terrain
    bpy.ops.terrain.layer_add(kind="falloff")
    names = [item[0] for item in subject.setting_items(None, bpy.context)]
    assert names[0] == "seed" and "layer.depth" in names
    assert not {"layer.floor", "layer.wobble_size", "layer.wobble_octaves"} & set(names)
    terrain.layers[terrain.active_layer].falloff.mode = "multiply"
    names = [item[0] for item in subject.setting_items(None, bpy.context)]
    assert "layer.floor" in names and "layer.depth" not in names


def test_without_a_viewport_it_says_what_to_open(add):
    add(DUNES)
    for area in bpy.context.screen.areas:
        if area.type == "VIEW_3D":
            area.type = "TEXT_EDITOR"
    with pytest.raises(ValueError, match="Open a 3D Viewport"):
        Sheet.over(bpy.context, "Seed", [])
    assert not Sheet.shown
