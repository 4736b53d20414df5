# SPDX-License-Identifier: GPL-3.0-or-later
import numpy as np
import pytest
from numpy.testing import assert_array_equal

from terrain_addon.core import hydrology as hy
from terrain_addon.core.erosion.rivers import fans, solver, stream_power, valley_floors
from terrain_addon.core.erosion.rivers.base_level import base_level
from terrain_addon.core.erosion.rivers.grids import Grids
from terrain_addon.core.erosion.rivers.settings import FluvialSettings
from terrain_addon.core.erosion.smoothing import box
from terrain_addon.core.erosion.surface.settings import SurfaceSettings
from terrain_addon.core.hydrology import receivers, tree
from tests.core.erosion.lands import EXTENT, hills

PLAIN = SurfaceSettings(resolution="128")
RELIC = SurfaceSettings(resolution="128", type="plateau")


@pytest.mark.parametrize("how", [PLAIN, RELIC])
def test_grids_can_be_eroded_again(how: FluvialSettings):
    """Steps work in place, but not on what they are given. Random factors are those of their place
    whether a grid keeps them or not, and bands and runs of any size give the same bits."""
    grids = Grids.of(hills(100, 128), EXTENT / 128, how, rain=np.full((100, 128), 2, np.float32))
    first = solver.eroded(grids, how)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(stream_power, "KEPT", 0)
        patch.setattr(receivers, "BAND", 7)
        patch.setattr(tree, "RUN", 100)
        for module in (stream_power, valley_floors, fans):
            patch.setattr(module, "SAMPLES", 600)
        again = solver.eroded(grids, how)
    for name in ("height", "directions", "area", "above_rivers", "deposition"):
        assert_array_equal(getattr(again, name), getattr(first, name))


def test_outlets_are_held_at_the_broad_land_and_above_the_sea():
    terrain = hills(60, 80)
    broad, edge = box(terrain, 5), hy.border(terrain.shape)
    base = base_level(terrain, broad, None)
    assert (base.outlets & ~edge).sum() == 0
    assert base.outlets.sum() == pytest.approx(edge.sum() / 4, abs=2)
    assert_array_equal(base.heights, broad[base.outlets])
    assert_array_equal(base_level(terrain, broad, None, incision=5.0).heights, base.heights - 5)
    sea = float(np.quantile(terrain, 0.3))
    drowned = base_level(terrain, broad, sea, incision=20.0)
    assert_array_equal(drowned.outlets[terrain <= sea], True)
    assert drowned.heights.min() == np.float32(sea)
    risen = base_level(terrain, broad, sea, rise=3.0)
    assert_array_equal(risen.outlets, drowned.outlets)
    at_sea = risen.heights < np.float32(sea)
    assert at_sea.sum() == (terrain <= sea).sum()
    assert (risen.heights[at_sea] == np.float32(sea - 3.0)).all()
    field = np.zeros_like(terrain)
    drowned.hold(field)
    assert_array_equal(field[drowned.outlets], drowned.heights)
    assert (field[~drowned.outlets] == 0).all()
