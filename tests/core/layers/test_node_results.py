# SPDX-License-Identifier: GPL-3.0-or-later
"""Results of node trees in recipes: text, values, and the terrain that the nodes see."""

import dataclasses

import numpy as np
import pytest

from terrain_addon.core import (
    FractalNoise,
    FromGeometryNodes,
    Layer,
    NodesMask,
    Recipe,
    Smooth,
    evaluate,
)
from terrain_addon.core.evaluation import below_key, terrain_below
from terrain_addon.core.layers import packed, unpacked
from terrain_addon.core.recipe import grouped

SIZE = {"size_x": 800.0, "size_y": 400.0}
RAMP = np.linspace(-0.5, 1.5, 9, dtype=np.float32) * np.ones((5, 1), np.float32)
STORED = packed(RAMP, "digest")


def masked(**settings):
    mask = NodesMask(**{"nodes": "Mine", "stored": STORED} | settings)
    return Recipe(layers=[Layer.of(FractalNoise(), masks=(mask,))], **SIZE)


def test_values_come_back_within_half_a_step():
    values = np.random.default_rng(1).normal(20, 90, (40, 70)).astype(np.float32)
    found = unpacked(packed(values, "abc"))
    assert found.made_from == "abc"
    step = (values.max() - values.min()) / 65535
    assert np.abs(found.values.values - values).max() <= 0.51 * step
    level = np.full((2, 3), 7.25, np.float32)
    assert (unpacked(packed(level, "")).values.values == level).all()


@pytest.mark.parametrize(
    "text",
    [
        "x",
        "9 5 0 1 d !",
        STORED[:-8],
        STORED.replace("9 5", "9 6"),
        STORED.replace("9 5", "-9 -5"),
        STORED.replace("1.5", "nan"),
    ],
)
def test_damaged_results_are_refused(text):
    with pytest.raises(ValueError, match="is damaged"):
        NodesMask(nodes="Mine", stored=text)


def test_a_mask_is_the_result_limited_and_the_layer_its_meters():
    recipe = masked()
    plain = Recipe(layers=[FractalNoise()], **SIZE)
    grid = recipe.grid(33)
    expected = np.interp(grid.x, np.linspace(-400, 400, 9), RAMP[0]).clip(0, 1)
    whole, part = evaluate(plain, grid).height, evaluate(recipe, grid).height
    np.testing.assert_allclose(part, whole * expected, atol=2e-3)
    inverted = evaluate(masked(invert=True), grid).height
    np.testing.assert_allclose(inverted, whole * (1 - expected), atol=2e-3)
    layer = FromGeometryNodes(nodes="Mine", stored=STORED, factor=10.0)
    heights = evaluate(Recipe(layers=[layer], **SIZE), grid).height
    np.testing.assert_allclose(heights[3, ::4], 10 * RAMP[0], atol=1e-3)


def test_windows_and_json_have_the_same_bits():
    recipe = Recipe.from_json(masked().to_json())
    grid = recipe.grid(33)
    whole = evaluate(masked(), grid).height
    part = evaluate(recipe, grid.window(5, 3, 20, 9)).height
    assert (part == whole[3:12, 5:25]).all()


def test_without_nodes_nothing_changes_and_without_a_result_a_message_says_what_to_do():
    plain = Recipe(layers=[FractalNoise()], **SIZE)
    grid = plain.grid(9)
    idle = masked(nodes="", stored="")
    assert (evaluate(idle, grid).height == evaluate(plain, grid).height).all()
    for recipe in (masked(stored=""), Recipe(layers=[FromGeometryNodes(nodes="Mine")], **SIZE)):
        with pytest.raises(ValueError, match="nodes 'Mine' have no result: open the terrain"):
            evaluate(recipe, grid)


def test_nodes_see_what_lies_below_their_layer_and_group():
    noise, smooth = Layer.of(FractalNoise()), Layer.of(Smooth())
    layers = [noise, *grouped([smooth, Layer.of(FractalNoise(seed=4))])]
    recipe = Recipe(layers=layers, **SIZE)
    grid = recipe.grid(17)
    for place, below in ((0, []), (1, [noise]), (2, [noise, smooth]), (3, [noise])):
        expected = evaluate(Recipe(layers=below, **SIZE), grid)
        assert (terrain_below(recipe, place, grid).height == expected.height).all()


def test_the_digest_changes_with_the_terrain_below_alone():
    recipe = Recipe(layers=[FractalNoise(), Smooth()], **SIZE)
    key = below_key(recipe, 1, ("tree",))
    above = dataclasses.replace(recipe, layers=[recipe.layers[0], Layer.of(Smooth(radius=90.0))])
    assert below_key(above, 1, ("tree",)) == key
    assert below_key(recipe, 1, ("other",)) != key
    seeded = dataclasses.replace(recipe, seed=9)
    assert below_key(seeded, 1, ("tree",)) != key
