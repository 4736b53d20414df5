# SPDX-License-Identifier: GPL-3.0-or-later
"""The valley that a picture shows."""

import numpy as np
import pytest

from terrain_addon.core.analysis.valleys import largest_valley

SPACING = 50.0


def ground(width=80, depth=120):
    """Two valleys along Y, the one at three quarters of the width twice as deep."""
    y, x = np.mgrid[0:depth, 0:width] / width
    shallow = np.exp(-(((x - 0.25) / 0.06) ** 2))
    deep = np.exp(-(((x - 0.75) / 0.08) ** 2))
    return 800 + 200 * y - 250 * shallow - 500 * deep


def test_the_deeper_valley_is_found_and_looked_up():
    valley = largest_valley(ground(), SPACING)
    assert valley.start[0] == pytest.approx(0.75 * 80 * SPACING, abs=2 * SPACING)
    assert valley.end[0] == pytest.approx(valley.start[0], abs=2 * SPACING)
    assert valley.end[1] > valley.start[1] + 0.2 * 120 * SPACING
    assert 300 < valley.depth < 500
    assert valley.floor == pytest.approx(ground().min(axis=1).mean(), abs=150)


@pytest.mark.parametrize("steps", range(1, 4))
def test_it_does_not_depend_on_which_way_the_terrain_is_turned(steps):
    turned = largest_valley(np.rot90(ground(), steps), SPACING)
    assert turned.depth == pytest.approx(largest_valley(ground(), SPACING).depth, rel=0.05)


@pytest.mark.parametrize("shape", ["plain", "cone", "spur"])
def test_terrain_without_a_valley_has_none(shape):
    y, x = np.mgrid[-40:41, -40:41] / 40.0
    heights = {"plain": 0 * x, "cone": -300 * np.hypot(x, y), "spur": -300 * np.abs(x) + 50 * y}
    assert largest_valley(heights[shape], SPACING) is None


def test_a_small_grid_has_none():
    assert largest_valley(np.zeros((2, 3)), SPACING) is None
