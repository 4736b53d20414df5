# SPDX-License-Identifier: GPL-3.0-or-later
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from terrain_addon.core import Cache, Layer, Recipe, evaluate, hydrology as hy
from terrain_addon.core.erosion.rivers import fans, solutions, solver, stream_power, valley_floors
from terrain_addon.core.erosion.rivers.base_level import base_level
from terrain_addon.core.erosion.rivers.grids import Grids
from terrain_addon.core.erosion.rivers.settings import FluvialSettings
from terrain_addon.core.erosion.smoothing import box
from terrain_addon.core.erosion.surface.settings import SurfaceSettings
from terrain_addon.core.hydrology import receivers, tree
from terrain_addon.core.layers import LAYERS
from terrain_addon.core.numerics.array_cache import ArrayCache
from tests.core.erosion.lands import EXTENT, hills

PLAIN = SurfaceSettings(resolution="128")
RELIC = SurfaceSettings(resolution="128", type="plateau")
SMOOTH = SurfaceSettings(resolution="128", rock_roughness=0.0)


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


def test_kept_drainage_is_that_of_the_same_land_rock_and_rain():
    terrain, twice = hills(64, 64), np.full((64, 64), 2, np.float32)
    how = PLAIN
    given: list[dict[str, Any]] = [
        {},
        {"rain": twice},
        {"hardness": 1 / twice},
        {"rain": 2 * twice},
    ]
    given.append({"rain": twice, "hardness": 1 / twice})

    def grids(terrain: Any, **options: Any) -> Grids:
        return Grids.of(terrain, EXTENT / 64, how, **options)

    cache = ArrayCache[Any](2**25, 24)
    solved = solutions.cached_drainage
    made = [solved(grids(terrain, **one), how, cache, sea=None, seed=0) for one in given]
    made.append(solved(grids(terrain + 1), how, cache, sea=None, seed=0))
    made.append(solved(grids(terrain), how, cache, sea=0.0, seed=0))
    made.append(solved(grids(terrain), how, cache, sea=None, seed=1))
    larger = Grids.of(2 * terrain, 2 * EXTENT / 64, how)  # the same, in units of the valley spacing
    assert_array_equal(larger.finest.terrain, grids(terrain).finest.terrain)
    made.append(solved(larger, how, cache, sea=None, seed=0))
    assert len({id(one) for one in made}) == len(made)
    known = solved(grids(terrain), SMOOTH, cache, sea=None, seed=0)
    assert known is made[0]


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


def test_a_drainage_is_solved_once(monkeypatch: pytest.MonkeyPatch):
    """For all gullies tried with one cache, and within one evaluation even without a cache."""
    solved: list[object] = []
    eroded = solver.eroded

    def counted(*args: Any, **options: Any) -> solver.Drainage:
        solved.append(args)
        return eroded(*args, **options)

    monkeypatch.setattr(solutions, "eroded", counted)
    erosion = {"resolution": "128", "gully_depth": 0.1}

    def recipe(*kinds: Any) -> Recipe:
        return Recipe(layers=(Layer.of(LAYERS["fractal_noise"]()), *map(Layer.of, kinds)))

    for limit in (0, 2**28):  # stages larger than the limit displace nothing
        solved.clear()
        cache = Cache(limit)
        for depth in (0.1, 0.2, 0.3):
            one = recipe(LAYERS["erosion"](**erosion | {"gully_depth": depth}))
            for size in (33, 65):
                evaluate(one, one.grid(size), cache=cache)
        assert len(solved) == 1
    solved.clear()
    two = recipe(LAYERS["erosion"](**erosion), LAYERS["erosion"](**erosion), LAYERS["coast"]())
    evaluate(two, two.grid(33))
    assert len(solved) == 2
