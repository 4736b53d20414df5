# SPDX-License-Identifier: GPL-3.0-or-later
"""Cliffs of hard beds: their beds, joints, talus and outliers.

Forms are tested against Selby (1993), Hillslope Materials and Processes, 2nd edition, and Statham
(1976), A scree slope rockfall model, Earth Surface Processes 1.
"""

import dataclasses

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from terrain_addon.core import Layer, Recipe, evaluate, presets
from terrain_addon.core.erosion.cliffs import Cliffs, HardBeds
from terrain_addon.core.erosion.joints import Joints
from terrain_addon.core.erosion.talus_cones import cones, reach_of, steps_for
from terrain_addon.core.layers import LAYERS
from terrain_addon.core.recipe.rescaling import rescale

SIZE = {"size_x": 1000.0, "size_y": 800.0}
GROUND = Layer.of(LAYERS["fractal_noise"](octaves=4, height=250.0, size=500.0))
STRATA = LAYERS["strata"](
    type="cliffs", cap_height=40.0, cap=40.0, depth=60.0, outliers=0.5, dip=2.0, thickness=15.0
)


def recipe_of(*kinds, **settings):
    return Recipe(layers=(GROUND, *map(Layer.of, kinds)), **SIZE, **settings)


def on_ramp(slope=0.2, cap=50.0, talus=0.5, joints=0.0):
    """Return the spacing, a cliff across a slope that rises along X, its talus, and where it is."""
    x = np.arange(300) * 2.0
    ground = np.tile((x - 300) * slope, (40, 1)).astype(np.float32)
    form = Cliffs(
        HardBeds(-1e4, np.array([-cap / 2]), np.array([cap / 2])), 75, 0.0, 10.0, talus, 34
    )
    flat = np.zeros_like(ground)
    height, depth = form.made(ground, flat, flat + np.float32(joints), flat + 1, (2.0, 2.0))
    return height[20], depth[20]


def test_windows_have_the_same_bits():
    recipe = recipe_of(STRATA)
    grid = recipe.grid(97)
    whole = evaluate(recipe, grid).height
    for i, j, nx, ny in ((0, 0, 30, 20), (40, 31, 17, 23), (5, 70, 1, 1)):
        part = evaluate(recipe, grid.window(i, j, nx, ny)).height
        assert_array_equal(part, whole[j : j + ny, i : i + nx])


def test_margins_do_not_depend_on_the_seed_and_hold_far_cones():
    """A margin that followed the beds of another seed would leave seams."""
    grid = Recipe(**SIZE).grid(65)
    for seed in (3, 4):
        recipe = recipe_of(dataclasses.replace(STRATA, variety=2.0, talus=1.0), seed=seed)
        whole = evaluate(recipe, grid).height
        part = evaluate(recipe, grid.window(20, 20, 9, 9)).height
        assert_array_equal(part, whole[20:29, 20:29])


def test_terrain_in_cliffs_scales():
    recipe = recipe_of(STRATA)
    small = evaluate(recipe, recipe.grid(65)).height
    large = rescale(recipe, 4.0)
    assert_allclose(evaluate(large, large.grid(65)).height, small * 4, atol=0.2)


def test_talus_rests_at_its_angle_and_reaches_a_share_of_the_cliff():
    """Talus of most rock stands at 32 to 36 degrees (Statham 1976; Selby 1993)."""
    height, depth = on_ramp()
    slope = np.degrees(np.arctan(np.diff(height) / 2))
    deep = (depth[1:] > 8) & (slope < 60)
    assert deep.sum() > 5
    assert 32 < np.median(slope[deep]) < 36
    assert depth.max() == pytest.approx(25, abs=4)
    assert slope.max() > 65  # the cliff above it


def test_more_talus_lies_below_higher_cliffs():
    low, high = (on_ramp(cap=cap)[1].sum() for cap in (25.0, 50.0))
    assert 3 < high / low < 5  # a wedge grows as the square of its height


def test_no_talus_lies_on_the_cap():
    height, depth = on_ramp()
    assert depth[height > 24].max() < 1


@pytest.mark.parametrize("slope", [0.1, 0.3])
def test_cliffs_are_as_steep_on_any_ground(slope):
    height, _ = on_ramp(slope, talus=0.0)
    steepest = np.degrees(np.arctan(np.diff(height).max() / 2))
    assert steepest == pytest.approx(75, abs=4)


def test_joints_move_the_rim_by_meters_on_any_ground():
    for slope in (0.1, 0.3):
        rims = [np.argmax(on_ramp(slope, talus=0.0, joints=out)[0] > 0) for out in (0.0, 20.0)]
        assert 2 * (rims[0] - rims[1]) == pytest.approx(20, abs=4)


def test_joints_break_the_rim_into_blocks():
    """Faces along two sets of joints at right angles, with level blocks between."""
    joints = Joints(spacing=20.0, depth=10.0, strike=0.0, seed=3)
    out = joints.outward(np.arange(300.0), np.arange(300.0))
    across, along = (np.abs(np.diff(out, axis=axis)) for axis in (0, 1))
    for steps in (across, along):
        assert np.quantile(steps, 0.98) > 5 * np.median(steps)


def test_a_cone_is_round():
    apex = np.full((121, 121), -1e9, np.float32)
    apex[60, 60] = 0
    steps = steps_for(50.0, 1.0)
    fallen = -cones(apex, (1.0, 1.0), 45.0, steps)
    y, x = np.mgrid[-60:61, -60:61]
    far = np.hypot(x, y)
    ring = (far > 2) & (far < 50)
    assert_allclose(fallen[ring] / far[ring], 1, atol=0.03)
    assert reach_of(steps) < 3 * 50


def test_beds_differ_as_much_as_set():
    """Thickness of beds is near lognormal (Talling 2001, Sedimentology 48)."""
    even, uneven = (HardBeds.of(0.0, 50.0, 2000.0, 20.0, variety, 5) for variety in (0.0, 0.6))
    pairs = [np.log(np.diff(beds.bottoms[:-1])) for beds in (even, uneven)]
    assert pairs[0].std() < 1e-6
    assert pairs[1].std() == pytest.approx(0.6, abs=0.12)
    assert np.exp(np.median(pairs[1])) == pytest.approx(20, rel=0.25)
    assert (uneven.tops > uneven.bottoms).all() and (np.diff(uneven.rims) > 0).all()


def test_ledges_take_no_margin():
    assert LAYERS["strata"]().halo(1.0, 1.0) == 0


def separate(cells):
    """Return the sizes of the pieces of true cells, by steps to all eight neighbors."""
    left, sizes = {*zip(*np.nonzero(cells), strict=True)}, []
    while left:
        found = [left.pop()]
        for j, i in found:
            near = {(j + dj, i + di) for dj in (-1, 0, 1) for di in (-1, 0, 1)} & left
            left -= near
            found += near
        sizes.append(len(found))
    return sizes


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, 9, 17])
def test_outliers_stand_apart_and_their_tops_lie_in_the_plane_of_the_cap(seed):
    """Mesas and buttes are pieces of one bed, whose dip their tops keep (Selby 1993)."""
    recipe = dataclasses.replace(presets.load("butte_desert"), seed=seed)
    grid = recipe.grid(129)
    height = evaluate(recipe, grid).height
    beds = recipe.layers[2].settings
    angle = np.radians(beds.direction)
    along = grid.x[None, :] * np.cos(angle) + grid.y[:, None] * np.sin(angle)
    above = height - (beds.cap_height - np.tan(np.radians(beds.dip)) * along)
    tops = above > -0.2 * beds.cap
    assert 0.03 < tops.mean() < 0.4
    assert len([size for size in separate(tops) if size > 3]) >= 4
    # Within the unevenness of the bed, the ground upon it and what is left above it.
    assert np.quantile(np.abs(above[above > -10]), 0.9) < 25
    low = height < np.quantile(height, 0.4)
    gy, gx = np.gradient(height, grid.dy, grid.dx)
    assert np.degrees(np.arctan(np.hypot(gx, gy)))[low].mean() < 6  # pediments (Selby 1993)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, 2, 9, 22])
def test_every_seed_has_a_canyon(seed):
    """Deep below its plateau, and much of the land."""
    recipe = dataclasses.replace(presets.load("canyon"), seed=seed)
    height = evaluate(recipe, recipe.grid(97)).height
    low, plateau = np.quantile(height, (0.02, 0.95))
    assert plateau - low > 400
    assert 0.35 < (height < plateau - 200).mean() < 0.85
