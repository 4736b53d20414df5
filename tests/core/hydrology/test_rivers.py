# SPDX-License-Identifier: GPL-3.0-or-later
import math

import numpy as np
import pytest
from hypothesis import given
from numpy.testing import assert_array_equal

from terrain_addon.core import hydrology as hy
from terrain_addon.core.erosion.surface.channels import DEPTH, carve
from terrain_addon.core.numerics.resample import bilinear_exact
from tests.core.hydrology.strategies import heights_and_outlets


def rivers_of(height, outlets=None, spacing=2.0, min_area=8.0):
    tree = hy.route(height, outlets)
    area = hy.drainage_area(tree, spacing)
    return hy.find_rivers(height, tree.directions, area, spacing, min_area=min_area), tree, area


@given(heights_and_outlets())
def test_rivers_flow_down_and_grow(case):
    height, outlets = case
    rivers, tree, area = rivers_of(height, outlets)
    for river in rivers:
        assert river.x.size >= 2
        assert (np.diff(river.z) <= 0).all()
        assert (np.diff(river.flow) >= 0).all()
        assert_array_equal(river.width, hy.rivers.WIDTH * np.sqrt(river.flow))
        way = np.hypot(river.x - river.x[0], river.y - river.y[0])
        assert river.head[0] == hy.rivers.TRICKLE
        assert (np.diff(river.head * river.width) >= 0).all()
        assert (river.head[way >= hy.rivers.SPRING * river.width] == 1).all()
        assert (river.flow >= 8.0).all()
        for along, cells in ((river.x, height.shape[1]), (river.y, height.shape[0])):
            assert along.min() >= 0
            assert along.max() <= 2.0 * (cells - 1)
    # Every channel cell but the mouths' begins or continues exactly one river.
    channels = ((area >= 8.0) & (tree.directions != 8)).sum()
    assert sum(river.x.size - 1 for river in rivers) == channels


def valley():
    j, i = np.mgrid[0:60, 0:80].astype(np.float32)
    return 0.2 * i + np.abs(j - 30 - 4 * np.sin(i / 9)) + np.float32(5)


def test_a_valley_has_one_river_in_it():
    height = valley()
    rivers, _, _ = rivers_of(height, spacing=1.0, min_area=400.0)
    river = rivers[0]
    assert abs(river.y - (30 + 4 * np.sin(river.x / 9))).max() < 1.6
    assert rivers[0].flow[-1] >= rivers[-1].flow[-1]


@pytest.mark.parametrize("width", [0.0, 1.0, 40.0])
def test_rivers_begin_with_no_width(width):
    height = valley()
    tree = hy.route(height, None)
    area = hy.drainage_area(tree, 1.0)
    found = hy.find_rivers(height, tree.directions, area, 1.0, min_area=100.0, width=width)
    assert len(found) == 3
    for river in found:
        way = np.append(0.0, np.cumsum(np.hypot(np.diff(river.x), np.diff(river.y))))
        assert river.head[0] == 0
        assert (river.head[way >= 12 * river.width][1:] == 1).all()
        assert (river.head[way <= 3 * river.width] <= 0.5).all(), "half of it after a quarter"
    assert (found[0].head[1:] < 1).any() == (width > 0)


@given(heights_and_outlets())
def test_lines_climb_no_higher_than_they_may(case):
    height, outlets = case
    tree = hy.route(height, outlets)
    level, area = hy.spill_levels(height, tree), hy.drainage_area(tree, 2.0)
    found = hy.find_rivers(level, tree.directions, area, 2.0, min_area=8.0, climb=0.1)
    free = hy.find_rivers(level, tree.directions, area, 2.0, min_area=8.0)
    assert len(found) == len(free)
    for river in found:
        ground = bilinear_exact(level, river.y / 2, river.x / 2)
        assert (ground <= river.z + 0.1 * river.width + 1e-4).all()


def test_carved_beds_lie_below_the_water_and_banks_fade():
    height = valley() * np.float32(0.3)
    x, y = np.arange(80.0), np.arange(60.0)
    rivers, _, _ = rivers_of(height, spacing=1.0, min_area=400.0)
    wide = [hy.RiverLine(r.x, r.y, r.z, np.full(r.x.size, 4.0), r.flow, r.head) for r in rivers[:1]]
    after = carve(height, x, y, (1.0, 1.0), wide)
    assert (after <= height).all()
    assert (after < height).sum() > 50
    j, i = (np.rint(v).astype(int) for v in (wide[0].y, wide[0].x))
    assert (after[j, i] <= wide[0].z - DEPTH * 4 + 0.5).all()
    assert_array_equal(carve(height, x, y, (1.0, 1.0), []), height)


def test_carving_windows_fit_together():
    height = valley()
    x, y = np.arange(80.0), np.arange(60.0)
    rivers, _, _ = rivers_of(height, spacing=1.0, min_area=100.0)
    whole = carve(height, x, y, (1.0, 1.0), rivers)
    part = carve(height[20:50, 10:60], x[10:60], y[20:50], (1.0, 1.0), rivers)
    assert_array_equal(part, whole[20:50, 10:60])


def test_parts_of_a_river_are_the_stretches_inside():
    line = np.linspace(-10, 10, 21)
    winding = hy.RiverLine(line, 6 * np.cos(line / 2), -line, line * 0 + 1, line + 11, line * 0 + 1)
    inside = abs(winding.y) <= 4
    parts = winding.parts(inside)
    assert len(parts) >= 3
    assert all(abs(part.y).max() <= 4 and part.x.size > 1 for part in parts)
    assert_array_equal(np.concatenate([part.flow for part in parts]), winding.flow[inside])
    assert winding.parts(line < 100)[0].x.size == 21
    assert winding.parts(line > 9) == []


def test_water_of_a_surface():
    height = valley()
    height[10:16, 40:50] -= 3  # a hollow on the valley's side
    x, y = np.linspace(-395, 395, 80), np.linspace(-295, 295, 60)
    water = hy.surface_water(height, x, y, min_area=4e4, sea=6.0, lake_area=500.0)
    assert len(water.lakes.lakes) == 1
    assert abs(water.rivers[0].x).max() <= 395
    assert 6.0 <= water.rivers[0].z[-1] <= 6.5, "at the sea, not on its floor"
    for river in water.rivers:
        i, j = np.rint((river.x + 395) / 10).astype(int), np.rint((river.y + 295) / 10).astype(int)
        assert np.abs(height[j, i] - river.z).max() < 3.5
    # Elevation models have their northernmost row first.
    north_first = hy.surface_water(height[::-1], x, y[::-1], min_area=4e4, sea=6.0, lake_area=500.0)
    assert len(north_first.lakes.lakes) == 1
    for river, same in zip(water.rivers, north_first.rivers, strict=True):
        np.testing.assert_allclose(same.y[-1], river.y[-1], atol=10)


def test_water_of_what_is_no_surface_is_refused():
    height = valley()
    x, y = np.arange(80.0), np.arange(60.0)
    for wrong in ((y, x), (x[:5], y)):
        with pytest.raises(ValueError, match=r"not the shape \(60, 80\)"):
            hy.surface_water(height, *wrong, min_area=100.0)
    for sea in (np.nan, np.inf):
        with pytest.raises(ValueError, match="sea must be finite"):
            hy.surface_water(height, x, y, min_area=100.0, sea=sea)


@given(heights_and_outlets())
def test_a_river_ends_on_the_line_of_the_one_it_flows_into(case):
    height, outlets = case
    tree = hy.route(height, outlets)
    level, area = hy.spill_levels(height, tree), hy.drainage_area(tree, 2.0)
    for climb in (0.1, np.inf):
        rivers = hy.find_rivers(level, tree.directions, area, 2.0, min_area=8.0, climb=climb)
        begun = {(x, y) for r in rivers for x, y in zip(r.x[:-1], r.y[:-1], strict=True)}
        sinks = {(2.0 * i, 2.0 * j) for j, i in np.argwhere(tree.directions == 8)}
        for river in rivers:
            assert (river.x[-1], river.y[-1]) in begun | sinks


def test_lines_turn_without_the_corners_of_the_grid():
    """Also where another river joins."""
    j, i = np.mgrid[0:60, 0:80].astype(np.float32)
    main = np.abs(j - np.minimum(i, 40))
    tributary = np.where(j > 40, np.abs(i - 40), np.inf)
    height = np.hypot(i, j) * np.float32(0.01) + np.minimum(main, tributary).astype(np.float32)
    rivers, _, _ = rivers_of(height, spacing=1.0, min_area=100.0)
    assert any(river.y[0] > 50 for river in rivers)
    along = np.unwrap(np.arctan2(np.diff(rivers[0].y), np.diff(rivers[0].x)))
    assert rivers[0].x.size > 70
    assert np.abs(np.diff(along)).max() < math.radians(12)
