# SPDX-License-Identifier: GPL-3.0-or-later
"""Volcanoes, cinder cones and lava flows have the proportions that are measured in nature."""

import dataclasses

import numpy as np
import pytest

from terrain_addon.core import Grid, Layer, Recipe, evaluate, presets
from terrain_addon.core.layers import LAYERS
from terrain_addon.core.layers.generate.patterns._cone import SLIMNESS, cinder_cone

STRATOVOLCANO = {
    "height": 1700.0, "radius": 5400.0, "profile": "exponential", "steepening": 2.1,
}  # fmt: skip


def made(key, grid, seed=1, **values):
    return evaluate(Recipe(seed=seed, layers=(Layer.of(LAYERS[key](**values)),)), grid).height


def square(size, count):
    step = size / (count - 1)
    return Grid(count, count, -size / 2, -size / 2, step, step)


def test_an_exponential_volcano_steepens_as_stratovolcanoes_do():
    """30 to 35 degrees near the top, 5 to 10 at the foot: Peter Francis and Clive Oppenheimer,
    Volcanoes, 2004."""
    row = Grid(541, 1, 0.0, 0.0, 10.0, 1.0)
    height = made("volcano", row, crater=0.0, **STRATOVOLCANO)[0].astype(float)
    slope = np.degrees(np.arctan(-np.diff(height) / 10))
    assert height[0] == pytest.approx(1700, abs=1) and height[-1] == pytest.approx(0, abs=1)
    assert 30 <= slope[38] <= 35.5
    assert 5 <= slope[432:464].mean() <= 10
    assert np.diff(slope[2:]).max() < 0.1, "no bulge"


def test_a_breach_opens_the_crater_on_a_side_of_the_seed():
    angle = np.linspace(0, 2 * np.pi, 72, endpoint=False)
    grid = square(1400, 141)
    column = np.rint((378 * np.cos(angle) + 700) / 10).astype(int)
    row = np.rint((378 * np.sin(angle) + 700) / 10).astype(int)
    lowest = []
    for seed in range(3):
        crater = {"crater": 0.07, "crater_depth": 0.14, **STRATOVOLCANO}
        closed = made("volcano", grid, seed=seed, **crater)[row, column]
        opened = made("volcano", grid, seed=seed, breach=0.8, **crater)[row, column]
        assert np.ptp(closed) < 60
        assert np.ptp(opened) > 0.6 * 0.8 * 0.14 * 1700
        assert np.mean(opened > closed - 1) > 0.5, "the rest of the rim stands"
        lowest.append(int(opened.argmin()))
    assert len(set(lowest)) == 3


def test_an_irregular_volcano_has_another_outline_with_each_seed():
    grid = square(11_000, 56)
    outlines = [
        made("volcano", grid, seed=seed, irregularity=0.5, crater=0.0, **STRATOVOLCANO) > 400
        for seed in range(3)
    ]
    for one, two in ((0, 1), (1, 2), (0, 2)):
        both, either = outlines[one] & outlines[two], outlines[one] | outlines[two]
        assert 0.4 < both.sum() / either.sum() < 0.93


def test_the_seed_moves_the_summit_of_a_wandering_volcano_within_its_share():
    grid = square(11_000, 56)
    places = []
    for seed in range(4):
        height = made("volcano", grid, seed=seed, crater=0.0, wander=0.2, **STRATOVOLCANO)
        row, column = np.unravel_index(height.argmax(), height.shape)
        places.append((grid.x[column], grid.y[row]))
        assert 0 < np.hypot(*places[-1]) < 0.2 * 5400 + grid.dx
    assert len(set(places)) == 4


def test_side_summits_rise_above_the_flank_and_a_collapse_cuts_into_one_side():
    """A scar opens on less than half of the mountain, and nothing is cut below its foot."""
    grid = square(11_000, 111)
    angle = np.arctan2(grid.y[:, None], grid.x[None, :])
    risen = []
    for seed in range(4):
        plain = made("volcano", grid, seed=seed, crater=0.0, **STRATOVOLCANO)
        more = made("volcano", grid, seed=seed, crater=0.0, side_summits=3, **STRATOVOLCANO)
        assert (more >= plain).all()
        risen.append(float((more - plain).max()))
        scarred = made("volcano", grid, seed=seed, crater=0.0, collapse=1.0, **STRATOVOLCANO)
        lost = plain - scarred
        assert scarred.min() >= 0 and lost.min() >= -1e-3 and 10 < lost.max() < 0.5 * 1700
        whole = np.exp(1j * angle[lost > 10]).mean()
        assert abs(whole) > 0.2
    assert max(risen) > 100


def test_cinder_cones_have_the_proportions_of_real_ones():
    """Height 0.18 and crater 0.40 of the base, flanks of 26 to 33 degrees, half as steep when old:
    Charles Wood, Morphometric Evolution of Cinder Cones and Morphometric Analysis of Cinder Cone
    Degradation, 1980."""
    r = np.linspace(0, 1.1, 111, dtype=np.float32)
    fresh, old = (2 * SLIMNESS * cinder_cone(r, 0 * r, age, 0.0, 0 * r) for age in (0.0, 1.0))
    assert fresh.max() / 2 == pytest.approx(0.18, abs=0.01)
    assert r[fresh.argmax()] == pytest.approx(0.40, abs=0.02)
    slopes = [np.degrees(np.arctan(-np.diff(cone) / 0.01))[50:90] for cone in (fresh, old)]
    assert slopes[0].min() >= 26 and slopes[0].max() <= 33
    assert 8 <= slopes[1].mean() <= 20
    assert fresh[0] < 0.6 * fresh.max() and old[0] > 0.9 * old.max()


def test_a_breached_cone_is_open_down_to_its_foot_on_one_side():
    r = np.linspace(0, 1, 51, dtype=np.float32)
    turn, whole = np.zeros_like(r), np.ones_like(r)
    ahead = cinder_cone(r, 0 * r, 0.0, whole, turn)
    behind = cinder_cone(-r, 0 * r, 0.0, whole, turn)
    assert ahead.max() < 0.5
    assert behind.max() > 0.9


def test_cinder_cones_stand_apart_and_share_a_place_with_no_density():
    grid = square(3000, 151)
    cones = made("cinder_cones", grid, density=0.1, height=54.0)
    assert 35 < cones.max() < 56
    assert 0.03 < np.mean(cones > 1) < 0.5
    assert not made("cinder_cones", grid, density=0.0).any()


SLOPE = Layer.of(LAYERS["ramp"](height=300.0, size=2000.0, smoothness=0.0))


def flowed(seed=1, **values):
    """The lava on a plain slope that rises along X, and its field, at 5 m."""
    flows = LAYERS["lava_flows"](
        seed=seed, center_x=500.0, spread=50.0, length=1000.0, width=120.0, thickness=10.0,
        roughness=0.0, **values,
    )  # fmt: skip
    recipe = Recipe(layers=(SLOPE, Layer.of(flows)), size_x=2000.0, size_y=2000.0)
    grid = recipe.grid(401)
    below = evaluate(dataclasses.replace(recipe, layers=(SLOPE,)), grid).height
    terrain = evaluate(recipe, grid, fields=("lava",))
    return grid, terrain.height - below, terrain.fields["lava"]


def test_lava_runs_down_the_slope_with_levees_and_a_steep_front():
    """Margins stand still first and become levees, fronts are steep: Geoffrey Hulme, The
    Interpretation of Lava Flow Morphology, 1974."""
    grid, lava, field = flowed(flows=1, levees=0.5)
    x = grid.x[np.flatnonzero((lava > 1).any(axis=0))]
    assert 400 < x.max() < 640, "it begins at the vent"
    assert 400 < x.max() - x.min() < 1200
    across = lava[:, 270]  # X = 350 m, in the upper half
    wet = np.flatnonzero(across > 0.5)
    middle = across[wet.mean().round().astype(int)]
    assert 50 <= 5 * wet.size <= 220
    assert middle < 0.8 * across.max(), "a channel between levees"
    assert 6 < lava.max() < 16
    assert field.min() == 0 and field.max() == 1
    assert (field[lava == 0] == 0).all()


def test_a_flow_goes_beside_those_before_it():
    _, one, _ = flowed(flows=1)
    _, two, _ = flowed(flows=3)
    assert (two > 1).sum() > 1.5 * (one > 1).sum()


def test_lava_shorter_than_the_cells_leaves_the_terrain():
    flows = Layer.of(LAYERS["lava_flows"](length=1.0))
    recipe = Recipe(layers=(SLOPE, flows), size_x=2000.0, size_y=2000.0)
    grid = recipe.grid(17)
    below = evaluate(dataclasses.replace(recipe, layers=(SLOPE,)), grid).height
    np.testing.assert_array_equal(evaluate(recipe, grid).height, below)


@pytest.mark.slow
def test_each_seed_makes_another_volcano():
    """Thirty seeds used to make the same mountain."""
    recipe = presets.load("volcano")
    grid = recipe.grid(65)
    made = [
        evaluate(dataclasses.replace(recipe, seed=seed), grid).height.ravel() for seed in range(4)
    ]
    away = np.hypot(*np.meshgrid(grid.x, grid.y)).ravel()
    flank = (away > 1500) & (away < 4500)
    # What is left after the mean cone has little in common.
    rings = np.digitize(away, np.arange(0, 9000, 300))
    rest = []
    for height in made:
        means = np.bincount(rings, height) / np.maximum(np.bincount(rings), 1)
        rest.append((height - means[rings])[flank])
        assert rest[-1].std() > 60
    alike = np.corrcoef(rest)[np.triu_indices(4, 1)]
    assert np.abs(alike).max() < 0.6


def test_a_crater_too_small_to_compute_is_none():
    grid = square(1400, 15)
    peak = made("volcano", grid, crater=0.0)
    np.testing.assert_array_equal(made("volcano", grid, crater=5e-324, breach=1.0), peak)
