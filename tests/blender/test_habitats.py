# SPDX-License-Identifier: GPL-3.0-or-later
"""Fields that plants depend on, on meshes: attributes, masks, images, and the panel Climate."""

import dataclasses

import bpy
import numpy as np

from terrain_addon.blender.live.surface import is_current
from terrain_addon.blender.properties.recipe import read, rewrite
from terrain_addon.core import Climate, Layer, Recipe, evaluate
from terrain_addon.core.layers import LAYERS
from terrain_addon.core.recipe import rescale

NOISE = Layer.of(LAYERS["fractal_noise"](height=300.0, size=600.0, octaves=3))
LEVELS = LAYERS["levels"](output_min=100.0, output_max=300.0)
HILLS = Recipe(layers=(NOISE, Layer.of(LEVELS)), material="simple")


def values(mesh, name):
    out = np.empty(len(mesh.vertices), np.float32)
    mesh.attributes[name].data.foreach_get("value", out)
    return out


def test_a_layer_acts_where_a_habitat_says(add):
    mesh = add(HILLS, 33).data
    mask = mesh.terrain.layers[1].mask_field
    mask.use, mask.field = True, "sun"
    mask.low, mask.high, mask.fade = 1.0, 9.0, 0.0
    assert is_current(mesh)
    recipe = read(mesh.terrain)
    raised = (
        values(mesh, "height")
        - evaluate(dataclasses.replace(HILLS, layers=(NOISE,)), recipe.grid(33)).height.ravel()
        > 50
    )
    assert 0.1 < raised.mean() < 0.9
    mesh.terrain.climate.own = True
    mesh.terrain.climate.latitude = -47.0
    assert is_current(mesh)
    south = evaluate(read(mesh.terrain), recipe.grid(33)).height
    np.testing.assert_array_equal(values(mesh, "height"), south.ravel())
    assert np.abs(south - evaluate(recipe, recipe.grid(33)).height).max() > 50


def test_attributes_and_colors_follow_the_climate(add):
    mesh = add(dataclasses.replace(HILLS, attributes=("temperature",)), 17).data
    first = values(mesh, "temperature")
    mesh.terrain.climate.own = True
    mesh.terrain.climate.temperature = first[0] + 20.0
    assert is_current(mesh)
    warm = evaluate(read(mesh.terrain), HILLS.grid(17)).fields["temperature"]
    np.testing.assert_array_equal(values(mesh, "temperature"), warm.ravel())
    assert (warm.ravel() > first + 5).all()
    mesh.terrain.attributes.temperature = False
    mesh.terrain.mask_view = "temperature"
    shown = mesh.terrain.legend.low
    mesh.terrain.climate.temperature = -10.0
    assert float(mesh.terrain.legend.low) < float(shown) - 10 and is_current(mesh)
    assert "temperature" not in mesh.attributes


def test_a_climate_comes_and_goes_with_recipes(add):
    climate = Climate(temperature=21.0, height=50.0, latitude=-8.0)
    terrain = add(dataclasses.replace(HILLS, climate=climate), 9).data.terrain
    assert read(terrain).climate == climate
    rewrite(terrain, lambda recipe: rescale(recipe, 2.0))
    assert read(terrain).climate == dataclasses.replace(climate, height=100.0)
    terrain.climate.own = False
    assert read(terrain).climate is None


def test_an_image_shows_a_habitat(add):
    add(HILLS, 17)
    bpy.ops.terrain.bake(image="field", field="moisture", width=64)
    assert any("Moisture" in image.name for image in bpy.data.images)
