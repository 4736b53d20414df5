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
    river = River(ends, ends * 0, ends * 0 + 10, ends * 0 + 3, ends * 0 + 1e5)
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
