# SPDX-License-Identifier: GPL-3.0-or-later
import numpy as np
import pytest

from terrain_addon.core import Grid, Layer, Recipe, evaluate
from terrain_addon.core.layers import LAYERS

# A ramp of exactly one meter of height per meter along X.
RAMP = (
    Layer.of(LAYERS["falloff"](shape="x", curve=1.0, shift=1.0, depth=-500.0)),
    Layer.of(LAYERS["levels"](input_max=500.0, output_max=500.0)),
)


def profile(seed=0, **values):
    """Heights before and after along the eastern half: 0 to 500 m."""
    grid = Grid(5001, 1, 0.0, 0.0, 0.1, 1.0)
    ground = Recipe(seed=seed, layers=RAMP)
    made = Recipe(seed=seed, layers=(*RAMP, Layer.of(LAYERS["terrace"](**values))))
    return evaluate(ground, grid).height[0], evaluate(made, grid).height[0]


def treads(terrain, made, step):
    """Heights at which the terrain is flat: at least a third of a step long."""
    flat = np.abs(np.diff(made)) < 0.05 * np.diff(terrain).mean()
    heights = made[:-1][flat]
    groups = np.split(heights, np.flatnonzero(np.diff(heights) > step / 4) + 1)
    return np.array([np.mean(g) for g in groups if g.size > step / 3 / 0.1])


@pytest.mark.parametrize("jitter", [0.0, 1.0])
@pytest.mark.parametrize("sharpness", [0.0, 0.3, 0.8, 0.99, 1.0])
def test_land_that_rises_still_rises(sharpness, jitter):
    _, made = profile(sharpness=sharpness, jitter=jitter, step=30.0)
    assert (np.diff(made) >= -1e-3).all()


def test_without_sharpness_the_terrain_stays():
    terrain, made = profile(sharpness=0.0, jitter=0.7, step=30.0)
    np.testing.assert_allclose(made, terrain, atol=0.01)


def test_terraces_lie_at_multiples_of_the_step():
    terrain, made = profile(sharpness=0.95, jitter=0.0, step=30.0, low=7.0)
    np.testing.assert_allclose(treads(terrain, made, 30)[1:-1], 7 + 30 * np.arange(1, 16), atol=0.5)


def test_full_sharpness_has_nothing_but_terraces():
    _, made = profile(sharpness=1.0, jitter=0.0, step=50.0)
    np.testing.assert_allclose(np.unique(made), np.arange(0, 501, 50), atol=1e-3)
    _, jittered = profile(sharpness=1.0, jitter=1.0, step=50.0)
    assert len(np.unique(np.round(jittered, 2))) in (10, 11, 12)


def test_jitter_moves_terraces_by_less_than_half_a_step():
    terrain, made = profile(sharpness=0.95, jitter=1.0, step=50.0)
    heights = treads(terrain, made, 50)
    moved = heights - np.round(heights / 50) * 50
    assert 3 < np.abs(moved).max() < 25
    assert profile(sharpness=0.95, jitter=1.0, step=50.0, seed=1)[1].tolist() != made.tolist()


@pytest.mark.parametrize("jitter", [0.0, 0.8])
def test_a_number_of_terraces_between_two_heights(jitter):
    terrain, made = profile(
        by="count", count=5, low=100.0, high=300.0, sharpness=0.97, jitter=jitter
    )
    outside = (terrain <= 100) | (terrain >= 300)
    np.testing.assert_allclose(made[outside], terrain[outside], atol=1e-3)
    inside = treads(terrain[~outside], made[~outside], 40)
    if jitter == 0:
        np.testing.assert_allclose(inside[(inside > 101) & (inside < 299)],
                                   [140, 180, 220, 260], atol=1)  # fmt: skip
    assert (np.diff(made) >= -1e-3).all()


@pytest.mark.parametrize(("low", "high"), [(100.0, 100.0), (100.0, 50.0), (0.0, 1e-9)])
def test_no_room_for_terraces_leaves_the_terrain(low, high):
    terrain, made = profile(by="count", low=low, high=high)
    np.testing.assert_array_equal(made, terrain)


def test_land_too_high_for_the_step_is_refused():
    high = Layer.of(LAYERS["fractal_noise"](height=1e5))
    tower = Layer.of(LAYERS["fractal_noise"](height=1e5, seed=1), blend="multiply")
    for step, fine in ((25.0, False), (1e5, True)):
        recipe = Recipe(layers=(high, tower, Layer.of(LAYERS["terrace"](step=step))))
        grid = recipe.grid(33)
        if fine:
            assert np.isfinite(evaluate(recipe, grid).height).all()
        else:
            with pytest.raises(ValueError, match="too far for steps of 25 m: use a larger Step"):
                evaluate(recipe, grid)
