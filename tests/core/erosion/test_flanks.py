# SPDX-License-Identifier: GPL-3.0-or-later
"""Where gullies and rock are, and where the land stays smooth."""

import numpy as np
import pytest

from terrain_addon.core.erosion.rivers.drainage import Drainage
from terrain_addon.core.erosion.surface.settings import SurfaceSettings
from terrain_addon.core.erosion.surface.surface import sample_surface

UNIT, CELLS = 50.0, 200
SPACING = UNIT / 10
BARE = {"talus": 89.0, "gully_depth": 0.0, "rock_roughness": 0.0}


def scarp(length):
    """Two plains, and a slope of 45 degrees between that is ``length`` meters long."""
    x = (np.arange(CELLS) - CELLS / 2) * SPACING
    height = np.repeat(np.clip(x + length / 2, 0, length)[None, :], CELLS, axis=0)
    height = height.astype(np.float32)
    return Drainage(
        height=height,
        directions=np.zeros(height.shape, np.uint8),
        area=np.full(height.shape, 1e-3 * UNIT**2, np.float32),
        above_rivers=np.full(height.shape, np.inf, np.float32),
        deposition=np.zeros_like(height),
        seabed=None,
        spacing=SPACING,
        x0=float(x[0]),
        y0=float(x[0]),
        unit=UNIT,
        sea=None,
    )


def added(length, **settings):
    """Deviation, in meters, of what is added to the middle of such a slope."""
    x, y = np.linspace(-8.0, 8.0, 9), np.linspace(-350.0, 350.0, 701)
    terrain = scarp(length)
    fine, smooth = (
        sample_surface(terrain, x, y, SurfaceSettings(**(BARE | one)), spacing=(1.0, 1.0))
        for one in (settings, {})
    )
    return float((fine - smooth).std())


@pytest.mark.parametrize(
    ("forms", "most"), [({"gully_depth": 1.0}, 0.4), ({"rock_roughness": 1.0}, 0.7)]
)
def test_a_slope_as_long_as_its_gullies_are_apart_is_no_string_of_beads(forms, most):
    short, long = added(0.6 * UNIT, **forms), added(4 * UNIT, **forms)
    assert 0 < short < most * long
