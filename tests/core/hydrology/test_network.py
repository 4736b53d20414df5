# SPDX-License-Identifier: GPL-3.0-or-later
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from numpy.testing import assert_allclose, assert_array_equal

from terrain_addon.core import hydrology as hy
from tests.core.hydrology import brute_force as slow
from tests.core.hydrology.strategies import heights_and_outlets


@given(heights_and_outlets())
def test_stream_order_is_strahlers(case):
    height, outlets = case
    tree = hy.route(height, outlets)
    for channels in (np.ones(height.shape, bool), hy.drainage_area(tree, 1.0) > 2):
        expected = slow.strahler(tree.directions, channels)
        assert_array_equal(hy.stream_order(tree, channels), expected)


@given(heights_and_outlets())
def test_lengths_follow_the_paths(case):
    height, outlets = case
    tree = hy.route(height, outlets)
    down, up = np.zeros(height.shape), np.zeros(height.shape)
    for cell, path in slow.paths(tree.directions).items():
        steps = [slow.step_length(tree.directions, *c) for c in path[:-1]]
        down[cell] = sum(steps)
        for count, below in enumerate(path):
            up[below] = max(up[below], sum(steps[:count]))
    assert_allclose(hy.downstream_length(tree, 2.0), 2 * down, rtol=1e-5)
    assert_allclose(hy.upstream_length(tree, 2.0), 2 * up, rtol=1e-5)


@given(heights_and_outlets())
def test_watersheds_share_an_outlet(case):
    height, outlets = case
    tree = hy.route(height, outlets)
    numbers = {tuple(cell): k for k, cell in enumerate(np.argwhere(outlets).tolist())}
    expected = np.zeros(height.shape, int)
    for cell, path in slow.paths(tree.directions).items():
        expected[cell] = numbers[path[-1]]
    assert_array_equal(hy.watersheds(tree), expected)


@given(heights_and_outlets())
def test_lakes_fill_the_hollows(case):
    height, outlets = case
    tree = hy.route(height, outlets)
    lakes = hy.find_lakes(height, tree, 1.0)
    level = slow.priority_flood(height, outlets)
    assert_array_equal(lakes.depth, level - height)
    assert_array_equal(lakes.label > 0, lakes.depth > 0)
    for number, lake in enumerate(lakes.lakes, 1):
        water = lakes.label == number
        assert lake.area == water.sum()
        assert (level[water] == lake.level).all()
        assert lake.depth == lakes.depth[water].max()
        assert height[lake.outlet] == lake.level
    areas = [lake.area for lake in lakes.lakes]
    assert areas == sorted(areas, reverse=True)


def test_small_and_shallow_lakes_stay_dry():
    height = np.full((9, 20), 5.0, np.float32)
    height[4, 2] = 1.0  # deep but small
    height[3:6, 6:10] = 4.9  # wide but shallow
    height[2:7, 12:18] = 2.0
    tree = hy.route(height)
    assert len(hy.find_lakes(height, tree, 10.0).lakes) == 3
    kept = hy.find_lakes(height, tree, 10.0, min_depth=0.5, min_area=500.0)
    assert [(lake.level, lake.depth, lake.area) for lake in kept.lakes] == [(5.0, 3.0, 3000.0)]
    assert (kept.depth > 0).sum() == 30


@given(heights_and_outlets())
def test_heights_above_rivers_are_those_above_the_first_river_downstream(case):
    height, outlets = case
    tree = hy.route(height, outlets)
    rivers = hy.drainage_area(tree, 1.0) > 2
    above = hy.height_above_rivers(height, tree, rivers)
    for cell, path in slow.paths(tree.directions).items():
        beds = [height[tuple(c)] for c in path if rivers[tuple(c)]]
        assert above[cell] == (height[cell] - max(beds) if beds else np.inf)


@pytest.mark.parametrize("kind", [np.uint8, np.int64, np.float32])
def test_masks_of_numbers_are_refused(kind: Any):
    """As indices they would mark rows, or count 255 for one."""
    height = np.random.default_rng(1).random((8, 8), np.float32)
    tree = hy.route(height)
    marks: Any = np.eye(8, dtype=kind)
    calls = [
        lambda: hy.route(height, marks),
        lambda: hy.stream_order(tree, marks),
        lambda: hy.height_above_rivers(height, tree, marks),
        lambda: hy.find_lakes(height, tree, 1.0, rivers=marks),
    ]
    for call in calls:
        with pytest.raises(ValueError, match=f"must be bool.* not {marks.dtype}"):
            call()


def test_fields_of_another_shape_are_refused():
    tree = hy.route(np.random.default_rng(1).random((8, 8), np.float32))
    other, marks = np.ones((10, 10), np.float32), np.ones((4, 4), bool)
    right = np.ones((8, 8), np.float32)
    calls = [
        lambda: hy.stream_order(tree, marks),
        lambda: hy.accumulate(tree, other),
        lambda: hy.spill_levels(other, tree),
        lambda: hy.find_lakes(other, tree, 1.0),
        lambda: hy.multiple_flow_area(other, tree, 1.0),
        lambda: hy.height_above_rivers(right, tree, marks),
        lambda: hy.height_above_rivers(other, tree, right > 0),
        lambda: hy.find_rivers(other, tree.directions, right, 1.0, min_area=1.0),
        lambda: hy.find_rivers(right, tree.directions, other, 1.0, min_area=1.0),
    ]
    for call in calls:
        with pytest.raises(ValueError, match=r"of the shape .*, the grid of \(8, 8\)"):
            call()
