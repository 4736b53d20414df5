# SPDX-License-Identifier: GPL-3.0-or-later
import numpy as np
import pytest

from terrain_addon.core.erosion import channels
from terrain_addon.core.hydrology import River

LENGTH = 1000.0


@pytest.mark.parametrize("ratio", [1, 4, 256])
def test_beds_on_oblong_cells_have_no_dams_and_few_stamps(ratio, monkeypatch):
    spacing = (40 / ratio, 40.0)
    x, y = np.arange(0, LENGTH, spacing[0]), np.arange(-200.0, 201.0, spacing[1])
    ends = np.array([0.0, LENGTH])
    river = River(ends, ends * 0, ends * 0 + 10, ends * 0 + 3, ends * 0 + 1e5, ends * 0 + 1)
    stamped = []
    stamp = channels._stamp

    def counting(*given):
        stamped.append(next(one for one in given if np.shape(one)[:1] == (4,)).shape[1])
        stamp(*given)

    monkeypatch.setattr(channels, "_stamp", counting)
    land = np.full((y.size, x.size), 100.0, np.float32)
    carved = channels.carve(land, x, y, spacing, [river])
    np.testing.assert_allclose(carved[5], 10 - channels.DEPTH * 3, atol=1e-4)
    assert (carved[[0, -1]] == 100).all()
    assert sum(stamped) <= LENGTH / (channels.STEP * 10) + 2


def test_banks_meet_the_land_without_a_wall_and_without_a_sharp_edge():
    x = y = np.arange(-100.0, 101.0)
    ends = np.array([x[0] - 50, x[-1] + 50])
    river = River(ends, ends * 0, ends * 0, ends * 0 + 20, ends * 0 + 1e5, ends * 0 + 1)
    for land in (0.0, 2.0, 6.0):  # metres above the water
        height = np.full((y.size, x.size), land, np.float32)
        across = channels.carve(height, x, y, (1.0, 1.0), [river])[:, 100]
        assert (across <= land).all() and (across[np.abs(y) > 20] == land).all()
        np.testing.assert_allclose(across[np.abs(y) < 10], -channels.DEPTH * 20, atol=1e-4)
        slope = np.diff(across[y >= 0])
        assert (slope > -1e-6).all()
        assert slope.max() < 0.6 * max(land, 2.0)
        assert np.abs(np.diff(slope)).max() < 0.3 * max(land, 2.0)
