# SPDX-License-Identifier: GPL-3.0-or-later
"""Land that rivers wear down to a sea."""

import numpy as np
import pytest

from terrain_addon.core.analysis.derivatives import steepness
from terrain_addon.core.erosion.rivers.solver import drain
from terrain_addon.core.hydrology.d8 import NONE
from tests.core.erosion.lands import EXTENT, axis, hills, island
from tests.core.erosion.test_fluvial import FINE, below_spill, eroded, settings


def test_coast_is_gentle_and_the_ground_under_the_sea_stays():
    terrain = island(256)
    height = eroded(terrain, sea=0.0)
    gy, gx = np.gradient(height, EXTENT / 256)
    shore = np.abs(height) < 0.5
    assert np.median(np.hypot(gx, gy)[shore]) < 0.2
    deep = terrain < -15
    assert np.abs(height - terrain)[deep].mean() < 1.5
    assert below_spill(height, sea=0.0) < 0.03


def test_pools_below_the_sea_stay_and_have_no_scars():
    x = axis(256)
    away = np.hypot(x[None, :] + 50, x[:, None])
    terrain = 30 + 0.03 * np.hypot(x[None, :], x[:, None]).astype(np.float32)
    terrain[:, x > 350] = -20
    terrain[away < 25] = -5
    drainage = drain(terrain, EXTENT / 256, FINE, sea=0.0)
    assert drainage.seabed is not None
    sea = (drainage.directions == NONE) & (drainage.seabed < 0)
    assert sea.any() and (drainage.height[sea] == 0).all()
    height = eroded(terrain, FINE, sea=0.0)
    assert (height[away < 15] < 0).all()
    assert (height[(away > 60) & (x[None, :] < 250)] > 0).all()


def shore_length(height):
    """Samples on land beside the sea."""
    wet = np.pad(height <= 0, 1, mode="edge")
    beside = wet[2:, 1:-1] | wet[:-2, 1:-1] | wet[1:-1, 2:] | wet[1:-1, :-2]
    return (beside & (height > 0)).sum()


@pytest.mark.parametrize("mode", ["uplift", "plateau"])
def test_a_risen_sea_drowns_the_mouths_of_valleys(mode):
    terrain = island(256)
    before, after = (
        eroded(
            terrain, settings(type=mode, incision=50.0, resolution="256", sea_rise=rise), sea=0.0
        )
        for rise in (0.0, 10.0)
    )
    assert shore_length(after) > 1.25 * shore_length(before)
    assert not (after > 0)[terrain < -3].any()  # no new land
    assert 0.7 < (after > 0).sum() / (before > 0).sum() < 0.95
    # All lies as much lower, but for the plateau of relic land.
    down = before - after
    assert np.median(down[terrain < -30]) == pytest.approx(10.0, abs=0.1)
    inland = np.median(down[before > 30])
    assert inland == pytest.approx(10.0, abs=0.1) if mode == "uplift" else 0 < inland < 8


@pytest.mark.parametrize("seed", [1, 3])
def test_land_behind_the_coast_is_not_flat(seed):
    terrain = hills(256, 256, seed) - 100
    height = eroded(terrain, FINE, sea=0.0, seed=seed)
    slope = steepness(height, EXTENT / 256, EXTENT / 256)
    low = (terrain > 8) & (terrain < 50)
    assert (slope[low] < 0.1).mean() < 0.2  # a third where it rises with its height alone


@pytest.mark.parametrize("age", [0.5, 1.0])
def test_relic_land_does_not_drown_in_its_sea(age):
    terrain = island(256)
    height = eroded(
        terrain, settings(type="plateau", age=age, incision=50.0, resolution="256"), sea=0.0
    )
    assert (height > 0).mean() == pytest.approx((terrain > 0).mean(), rel=0.1)
    deep = terrain < -15
    assert np.abs(height - terrain)[deep].mean() < 1.5
