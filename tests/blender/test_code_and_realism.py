# SPDX-License-Identifier: GPL-3.0-or-later
"""Operators that tell about a terrain: code of a noise layer, comparison with real mountains."""

import bpy
import pytest

from terrain_addon.blender.live.surface import Target
from terrain_addon.blender.properties.recipe import read
from terrain_addon.core import Layer, Recipe, checks, evaluate, realism
from terrain_addon.core.layers import LAYERS
from terrain_addon.core.output import engine_code


def land(**noise):
    kinds = (LAYERS["fractal_noise"](**noise), LAYERS["terrace"]())
    return Recipe(seed=12, layers=tuple(Layer.of(kind) for kind in kinds))


@pytest.mark.parametrize("language", engine_code.LANGUAGES)
def test_code_of_the_active_layer_is_copied(add, language, capfd):
    recipe = land(size=333.0, seed=5)
    item = add(recipe)
    item.data.terrain.active_layer = 0
    assert bpy.ops.terrain.layer_copy_code(language=language) == {"FINISHED"}
    assert f"Copied {engine_code.LANGUAGES[language]} code" in capfd.readouterr().out
    copied = bpy.context.window_manager.clipboard
    if not copied:  # without a window there is no clipboard; drive_tools.py looks at a real one
        pytest.skip("this Blender has no clipboard")
    missing = engine_code.left_out(recipe, recipe.layers[0])
    assert missing == ["one other layer"]
    assert copied == engine_code.generate(
        recipe.layers[0].settings, language, seed=12, missing=missing
    )


def test_what_engines_cannot_make_is_reported(add):
    add(land(basis="noiselib")).data.terrain.active_layer = 0
    with pytest.raises(RuntimeError, match="FastNoiseLite cannot make this layer"):
        bpy.ops.terrain.layer_copy_code(language="cpp")


def test_other_layers_have_no_code(add):
    item = add(land())
    item.data.terrain.active_layer = 1
    assert not bpy.ops.terrain.layer_copy_code.poll()


@pytest.mark.slow
def test_realism_is_reported(add, capfd):
    recipe = land()
    add(recipe)
    grid = recipe.pixel_grid(512)
    height = evaluate(recipe, grid).height
    for smoothed, count in ((True, 21), (False, 10)):
        assert bpy.ops.terrain.realism(smoothed=smoothed) == {"FINISHED"}
        reported = capfd.readouterr().out
        measures = realism.measure(height, grid.dx, smoothed=smoothed)
        assert len(measures) == count
        for line in realism.report(measures).splitlines():
            assert line in reported


def test_flat_land_has_no_realism(add):
    add(Recipe())
    with pytest.raises(RuntimeError, match="Flat terrain has nothing to measure"):
        bpy.ops.terrain.realism()


def test_what_was_checked_is_reported(add, capfd):
    item = add(land())
    assert bpy.ops.terrain.draw(kind="road") == {"FINISHED"}
    assert bpy.ops.terrain.check() == {"FINISHED"}
    reported = capfd.readouterr().out
    recipe = read(item.data.terrain)
    height = evaluate(recipe, Target.of(item.data.terrain).grid).height
    found = checks.check(recipe, height, Target.of(item.data.terrain).grid)
    assert {one.key for one in found} >= {"pits", "gradient", "cut", "fill", "culverts"}
    for one in found:
        assert one.text in reported
