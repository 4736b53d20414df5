# SPDX-License-Identifier: GPL-3.0-or-later
import numpy as np
import pytest

from terrain_addon.core import Layer, Recipe, evaluate
from terrain_addon.core.layers import LAYERS
from terrain_addon.core.numerics import Curve

GROUND = Layer.of(LAYERS["fractal_noise"](height=300.0, octaves=4))


def mapped(**values):
    """The terrain and what levels make of it."""
    recipe = Recipe(layers=(GROUND, Layer.of(LAYERS["levels"](**values))))
    grid = recipe.grid(65)
    return (
        evaluate(Recipe(layers=(GROUND,)), grid).height.astype(float),
        evaluate(recipe, grid).height,
    )


def test_by_default_nothing_changes():
    terrain, made = mapped()
    np.testing.assert_allclose(made, terrain, atol=1e-3)


def test_a_range_is_stretched_and_goes_on_straight():
    terrain, made = mapped(input_min=-50.0, input_max=50.0, output_min=100.0, output_max=400.0)
    np.testing.assert_allclose(made, 250 + 3 * terrain, atol=2e-3)


@pytest.mark.parametrize("gamma", [0.5, 2.2])
@pytest.mark.parametrize("clamp", [False, True])
@pytest.mark.parametrize("invert", [False, True])
def test_gamma_clamp_invert(gamma, clamp, invert):
    terrain, made = mapped(input_min=-100.0, input_max=100.0, output_min=0.0, output_max=10.0,
                        gamma=gamma, clamp=clamp, invert=invert)  # fmt: skip
    t = (terrain + 100) / 200
    inside = np.clip(t, 0, 1) ** (1 / gamma)
    expected = inside if clamp else inside + (t - np.clip(t, 0, 1))
    np.testing.assert_allclose(made, 10 * (1 - expected if invert else expected), atol=1e-3)
    assert terrain.min() < -100 and terrain.max() > 100, "the terrain reaches beyond the range"
    if clamp:
        assert made.min() == 0 and made.max() == 10


def test_gamma_above_1_raises_the_middle():
    terrain, raised = mapped(
        input_min=-300.0, input_max=300.0, output_min=-300.0, output_max=300.0, gamma=2.0
    )
    assert (raised[np.abs(terrain) < 200] > terrain[np.abs(terrain) < 200]).all()


@pytest.mark.parametrize("high", [20.0, 20.0 + 1e-7])
def test_no_range_makes_a_step(high):
    terrain, made = mapped(input_min=20.0, input_max=high, output_min=1.0, output_max=5.0)
    np.testing.assert_array_equal(made, np.where(terrain >= 20, 5, 1))


def test_a_range_upside_down_turns_the_terrain_over():
    terrain, made = mapped(input_min=100.0, input_max=0.0, output_min=0.0, output_max=100.0)
    np.testing.assert_allclose(made, 100 - terrain, atol=1e-3)


def test_a_curve_bends_what_is_inside_after_the_gamma_and_before_the_inversion():
    ends = {"input_min": -100.0, "input_max": 100.0, "output_min": 0.0, "output_max": 10.0}
    terrain, made = mapped(**ends, gamma=2.0, invert=True, curve="0 0, 0.5 0.25, 1 1")
    t = (terrain + 100) / 200
    inside = np.clip(t, 0, 1)
    bent = Curve.through(((0.0, 0.0), (0.5, 0.25), (1.0, 1.0)))(np.sqrt(inside).astype(np.float32))
    np.testing.assert_allclose(made, 10 * (1 - (bent + t - inside)), atol=2e-3)


def test_a_straight_curve_changes_nothing_and_without_one_bits_stay():
    terrain, made = mapped(curve="0 0, 1 1")
    np.testing.assert_allclose(made, terrain, atol=1e-3)
    assert np.array_equal(mapped()[1], mapped(curve="")[1])


def test_windows_and_threads_of_a_curve_have_the_same_bits():
    levels = Layer.of(LAYERS["levels"](curve="0 0.1, 0.2 0.4, 0.7 0.5, 1 1"))
    recipe = Recipe(layers=(GROUND, levels))
    grid = recipe.grid(129)
    whole = evaluate(recipe, grid).height
    window = evaluate(recipe, grid.window(31, 17, 50, 41)).height
    assert np.array_equal(whole[17:58, 31:81], window)


def test_a_curve_goes_through_json_and_a_wrong_one_names_itself():
    recipe = Recipe(layers=(Layer.of(LAYERS["levels"](curve="0 0, 0.5 0.8, 1 1")),))
    assert Recipe.from_json(recipe.to_json()) == recipe
    wrong = recipe.to_json().replace("0.5 0.8", "0.5")
    with pytest.raises(ValueError, match="curve: expected points"):
        Recipe.from_json(wrong)
