# SPDX-License-Identifier: GPL-3.0-or-later
"""Land at the ends of what the settings of Erosion can ask for."""

import tracemalloc
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from terrain_addon.core.erosion.rivers.settings import FluvialSettings
from terrain_addon.core.erosion.rivers.solver import drain
from terrain_addon.core.erosion.smoothing import box
from terrain_addon.core.erosion.surface.settings import SurfaceSettings
from terrain_addon.core.erosion.surface.surface import sample_surface
from terrain_addon.core.settings.params import settings_of
from tests.core.erosion.lands import EXTENT, hills


def settings(**changes: Any) -> FluvialSettings:
    """Quick ones, with those changes."""
    return FluvialSettings(**{"resolution": "128", **changes})


@pytest.mark.parametrize("seed", [4, 6])
def test_no_place_of_the_strength_slider_makes_another_world(seed):
    terrain = hills(256, 256, seed)
    slider = next(one for one in settings_of(FluvialSettings) if one.name == "strength")
    assert slider.soft_min is not None and slider.soft_max is not None
    ends = [
        np.ptp(drain(terrain, EXTENT / 256, settings(strength=end), seed=seed).height)
        / np.ptp(terrain)
        for end in (slider.soft_min, slider.soft_max)
    ]
    assert 3 > ends[0] > 1 > ends[1] > 0.2  # at 0 more than five times as high


def test_valleys_are_no_wider_than_the_land():
    terrain = hills(128, 128)
    widest, wider, widest_of_all = (
        drain(terrain, EXTENT / 128, settings(valley_spacing=spacing)).height
        for spacing in (EXTENT, 3 * EXTENT, 1e6)
    )
    assert_array_equal(wider, widest)
    assert_array_equal(widest_of_all, widest)  # which had depths of 100 km
    assert settings(valley_spacing=EXTENT).note_on("valley_spacing", EXTENT) == ""
    assert settings(valley_spacing=1e6).note_on("valley_spacing", 800.0) == "At most: 800 m"


def test_valleys_far_narrower_than_a_cell_take_no_memory_of_their_own():
    how = SurfaceSettings(resolution="128", valley_spacing=1e-4, strata_contrast=1.0)
    drainage = drain(hills(64, 64), EXTENT / 64, how)
    x = np.linspace(-EXTENT / 2, EXTENT / 2, 33)
    tracemalloc.start()
    height = sample_surface(drainage, x, x, how)  # scree on ledges was as fine as the valleys
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert np.isfinite(height).all()
    assert most < 100 * drainage.height.nbytes


@pytest.mark.parametrize("seed", [0, 2, 3])
def test_thin_sediment_on_gentle_land_makes_no_worms(seed):
    def roughness(valley_floor):
        how = FluvialSettings(valley_spacing=EXTENT / 2, valley_floor=valley_floor, fans=0.0)
        height = drain(hills(256, 256, seed), EXTENT / 256, how, seed=seed).height
        return np.quantile(np.abs(height - box(height, 3)), 0.99)

    assert roughness(0.15) < 1.05 * roughness(0.0)


@pytest.mark.parametrize(("mode", "lowest"), [("uplift", 0.0), ("plateau", -50.0)])
def test_next_to_no_relief_has_a_result(mode, lowest):
    terrain = (hills(64, 64).astype(np.float64) * 5e-41).astype(np.float32)  # of 1e-38 meters
    assert np.ptp(terrain) > 0
    height = drain(terrain, EXTENT / 64, settings(type=mode, incision=50.0)).height
    assert height.min() > lowest - 1 and height.max() < 2
