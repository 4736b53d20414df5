# SPDX-License-Identifier: GPL-3.0-or-later
import warnings

import numpy as np
import pytest
from hypothesis import given
from numpy.testing import assert_allclose, assert_array_equal

from terrain_addon.core import hydrology as hy
from terrain_addon.core.hydrology.d8 import LENGTHS, NONE, OFFSETS, OPPOSITE, receivers
from tests.core.hydrology import brute_force as slow
from tests.core.hydrology.strategies import heights, heights_and_outlets


def test_opposite_directions_cancel():
    for code, (dj, di) in enumerate(OFFSETS):
        assert OFFSETS[OPPOSITE[code]] == (-dj, -di)
        assert LENGTHS[code] == pytest.approx(np.hypot(dj, di))


@given(heights())
def test_receiver_is_the_steepest_lower_neighbor(height):
    outlets = hy.border(height.shape)
    codes = hy.steepest_directions(height, outlets)
    for j, i in np.ndindex(height.shape):
        slopes = {
            code: (height[j, i] - height[b, a]) / LENGTHS[code]
            for code, b, a in slow.neighbors(height.shape, j, i)
        }
        steepest = max(slopes.values(), default=0)
        if outlets[j, i] or steepest <= 0:
            assert codes[j, i] == NONE
        else:
            assert slopes[int(codes[j, i])] == pytest.approx(steepest, rel=1e-6)


@given(heights_and_outlets())
def test_spill_levels_equal_a_priority_flood(case):
    height, outlets = case
    level = hy.spill_levels(height, hy.route(height, outlets))
    assert_array_equal(level, slow.priority_flood(height, outlets))


def test_spill_levels_equal_a_priority_flood_on_rough_land():
    rng = np.random.default_rng(4)
    for shape in ((70, 90), (1, 300), (300, 2), (65, 64)):
        height = rng.standard_normal(shape, np.float32).cumsum(0).cumsum(1)
        height *= np.float32(0.05)
        height += rng.random(shape, dtype=np.float32)
        outlets = hy.border(shape)
        level = hy.spill_levels(height, hy.route(height, outlets))
        assert_array_equal(level, slow.priority_flood(height, outlets))


@given(heights_and_outlets())
def test_every_cell_drains_to_an_outlet(case):
    height, outlets = case
    tree = hy.route(height, outlets)
    ends = {path[-1] for path in slow.paths(tree.directions).values()}
    assert all(outlets[cell] for cell in ends)
    assert_array_equal(tree.directions == NONE, outlets)


@given(heights_and_outlets())
def test_drainage_area_counts_the_cells_upstream(case):
    height, outlets = case
    tree = hy.route(height, outlets)
    expected = np.zeros(height.shape)
    for path in slow.paths(tree.directions).values():
        for cell in path:
            expected[cell] += 1
    assert_array_equal(hy.drainage_area(tree, 3.0), expected * 9)
    rain = np.arange(height.size, dtype=np.float32).reshape(height.shape)
    total = hy.accumulate(tree, rain)
    assert total[outlets].sum() == rain.sum()


@given(heights_and_outlets())
def test_tree_order_is_breadth_first(case):
    height, outlets = case
    tree = hy.route(height, outlets)
    assert_array_equal(np.sort(tree.order), np.arange(height.size))
    receiver = receivers(tree.directions)
    for below, donors, parent in tree.upstream():
        assert_array_equal(tree.order[below][parent], receiver[tree.order[donors]])


@pytest.mark.parametrize("run", [1, 9, 1000])
@given(heights_and_outlets())
def test_runs_go_through_all_levels_upstream(run, case):
    height, outlets = case
    tree = hy.route(height, outlets)
    levels = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("terrain_addon.core.hydrology.tree.RUN", run)
        for cells, parts in tree.runs():
            for below, donors, parent in parts:
                levels.append((cells[below][parent], cells[donors]))
    order = tree.order
    expected = [(order[a][parent], order[b]) for a, b, parent in tree.upstream()]
    for made, wanted in zip(levels, expected, strict=True):
        for one, other in zip(made, wanted, strict=True):
            assert_array_equal(one, other)


@given(heights_and_outlets())
def test_cells_outside_hollows_keep_the_steepest_descent(case):
    height, outlets = case
    before = hy.steepest_directions(height, outlets)
    after = hy.resolve_depressions(height, before, outlets)
    level = hy.spill_levels(height, hy.build_tree(after))
    changed = before != after
    # Only cells on a way out of a hollow change: they are wet, or the pass itself.
    passes = (height == level) & changed
    assert (level[changed & ~passes] > height[changed & ~passes]).all()


@given(heights_and_outlets())
def test_multiple_flow_loses_no_water(case):
    height, outlets = case
    tree = hy.route(height, outlets)
    area = hy.multiple_flow_area(height, tree, 2.0)
    assert area[outlets].sum() == pytest.approx(4.0 * height.size, rel=1e-5)
    assert (area >= 4.0 * (1 - 1e-6)).all()


def test_multiple_flow_divides_by_slope():
    # A cone: D8 gathers the water on eight spokes, multiple flow spreads it evenly.
    y, x = np.mgrid[-20:21, -20:21].astype(np.float32)
    height = -np.hypot(x, y)
    tree = hy.route(height)
    ring = np.abs(np.hypot(x, y) - 15) < 0.5
    single = hy.drainage_area(tree, 1.0)[ring]
    spread = hy.multiple_flow_area(height, tree, 1.0)[ring]
    assert spread.std() / spread.mean() < 0.25 * single.std() / single.mean()


def test_high_exponent_comes_near_to_single_flow():
    rng = np.random.default_rng(1)
    height = rng.random((30, 40), dtype=np.float32).cumsum(0)
    tree = hy.route(height)
    area = hy.multiple_flow_area(height, tree, 1.0, exponent=1e9)
    assert_allclose(np.corrcoef(area.ravel(), hy.drainage_area(tree, 1).ravel())[0, 1], 1, atol=0.2)


@pytest.mark.parametrize("shape", [(1, 1), (1, 7), (7, 1), (2, 2)])
def test_tiny_grids(shape):
    height = np.zeros(shape, np.float32)
    tree = hy.route(height)
    assert_array_equal(hy.drainage_area(tree, 1.0), np.ones(shape))
    assert_array_equal(hy.spill_levels(height, tree), height)


def test_flat_land_drains():
    height = np.zeros((33, 20), np.float32)
    tree = hy.route(height)
    outlets = hy.border(height.shape)
    assert hy.drainage_area(tree, 1.0)[outlets].sum() == height.size


def test_wrong_input_is_refused():
    height = np.zeros((4, 5), np.float32)
    height[1, 2] = np.nan
    with pytest.raises(ValueError, match="1 values that are not finite"):
        hy.route(height)
    with pytest.raises(ValueError, match="outlet"):
        hy.route(np.zeros((4, 5), np.float32), np.zeros((4, 5), bool))
    with pytest.raises(ValueError, match="shape"):
        hy.route(np.zeros((4, 5), np.float32), np.ones((5, 4), bool))
    with pytest.raises(ValueError, match="must be 2D"):
        hy.route(np.zeros(5, np.float32))
    with pytest.raises(ValueError, match="circle"):
        hy.build_tree(np.array([[3, 2]], np.uint8))


def test_a_cliff_beside_flat_land_is_no_warning():
    height = np.zeros((5, 5), np.float32)
    height[0] = 100
    tree = hy.route(height)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        hy.multiple_flow_area(height, tree, 1.0, exponent=20.0)
