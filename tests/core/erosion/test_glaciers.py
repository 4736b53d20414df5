# SPDX-License-Identifier: GPL-3.0-or-later
"""Glaciers: U-shaped troughs along the drainage, lakes in their basins, moraines at their ends."""

import dataclasses

import numpy as np
import pytest

from terrain_addon.core import Cache, Layer, Recipe, Water, evaluate, presets, solve
from terrain_addon.core.analysis.cross_sections import cross_section_exponent
from terrain_addon.core.erosion import GlacialSettings, SnowLine, glaciated
from terrain_addon.core.erosion.glaciers.envelope import FAR, lower_envelope
from terrain_addon.core.erosion.glaciers.ice_flow import ice_discharge, snow_balance
from terrain_addon.core.erosion.glaciers.moraines import moraines
from terrain_addon.core.erosion.surface.eroded_terrain import RiverCourses
from terrain_addon.core.hydrology import find_lakes, route, spill_levels
from terrain_addon.core.hydrology.d8 import NONE
from terrain_addon.core.layers import LAYERS
from terrain_addon.core.layers.shape.erosion import erosion
from terrain_addon.core.layers.shape.erosion.erosion import Erosion
from terrain_addon.core.recipe.palette import Palette, Region
from tests.core.erosion.drawn_rivers import drainage_of, measured, recipe as with_river

SMALL = {"size_x": 4000.0, "size_y": 4000.0, "seed": 5}
CUT = 3.0  # meters: where ice was


def glacial(recipe: Recipe, **settings) -> Recipe:
    """The same recipe with glaciers in its erosion."""
    layers = [
        dataclasses.replace(
            layer, settings=dataclasses.replace(layer.settings, glaciers=True, **settings)
        )
        if isinstance(layer.settings, Erosion)
        else layer
        for layer in recipe.layers
    ]
    return dataclasses.replace(recipe, layers=tuple(layers))


def mountains(**settings) -> Recipe:
    """Small mountains that are quick to erode."""
    noise = LAYERS["fractal_noise"](height=700, size=2000, octaves=3)
    layers = (Layer.of(noise), Layer.of(Erosion(resolution="128", **settings)))
    return Recipe(layers=layers, **SMALL)


def height_of(recipe: Recipe, count: int = 129):
    return evaluate(recipe, recipe.grid(count), fields=()).height


def drainages(**settings):
    """The drainage of the mountains without and with glaciers."""
    return [drainage_of(solve(one)) for one in (mountains(), glacial(mountains(), **settings))]


@pytest.mark.slow
@pytest.mark.parametrize("seed", [911, 1234, 77])
def test_valleys_are_u_shaped_where_ice_was_and_v_shaped_elsewhere(seed):
    alps = dataclasses.replace(presets.load("alps"), seed=seed)
    before, after = (height_of(one, 1025) for one in (alps, glacial(alps)))
    ice = before - after > CUT
    assert 0.2 < ice.mean() < 0.7
    assert 1.5 < cross_section_exponent(after, 1.0, ice) < 2.5
    assert 1.2 < cross_section_exponent(after, 1.0, ~ice) < 1.45
    assert cross_section_exponent(before, 1.0, ice) < 1.55


def test_windows_and_threads_have_the_same_bits(monkeypatch):
    made = glacial(mountains())
    grid = made.grid(257)
    whole = evaluate(made, grid).height
    solution = solve(made)
    monkeypatch.setattr(erosion, "default_threads", lambda: 1)
    for i, j, nx, ny in ((0, 0, 257, 40), (100, 70, 90, 130)):
        part = evaluate(made, grid.window(i, j, nx, ny), solution=solution, cache=Cache(0)).height
        np.testing.assert_array_equal(part, whole[j : j + ny, i : i + nx])


def test_a_loaded_solution_has_the_glaciers(tmp_path):
    made = glacial(mountains(rivers=1.0))
    solution = solve(made)
    solution.save(tmp_path / "solution")
    loaded = type(solution).load(tmp_path / "solution")
    here, there = (
        evaluate(made, made.grid(65), solution=one, cache=Cache(0)).height
        for one in (solution, loaded)
    )
    np.testing.assert_array_equal(here, there)


def test_water_runs_on_the_ground_that_the_ice_left():
    rivers, ice = drainages()
    assert not np.array_equal(rivers.directions, ice.directions)
    tree = route(ice.height, ice.directions == NONE)
    np.testing.assert_array_equal(tree.directions, ice.directions)
    # No rain is lost: what leaves the terrain is what left it before.
    total = [one.area[one.directions == NONE].sum(dtype=np.float64) for one in (rivers, ice)]
    assert total[1] == pytest.approx(total[0], rel=1e-4)
    assert ice.deposition.min() >= 0
    assert (ice.deposition > rivers.deposition + 1).sum() > 20  # debris on the floors


def test_glaciers_leave_basins_for_lakes_with_level_water():
    def lakes_of(drainage):
        tree = route(drainage.height, drainage.directions == NONE)
        return find_lakes(drainage.height, tree, drainage.spacing, min_depth=5.0)

    rivers, ice = drainages()
    before, after = lakes_of(rivers), lakes_of(ice)
    assert after.depth.sum() > 2 * before.depth.sum()
    assert lakes_of(drainages(basins=1.0)[1]).depth.sum() > 2 * after.depth.sum()
    surface = ice.height + after.depth
    for lake in after.lakes:
        wet = (after.depth > 0) & (np.abs(surface - lake.level) < 1e-2)
        assert wet.sum() * ice.spacing**2 >= 0.99 * lake.area


def test_rivers_fall_all_along_and_run_over_lakes_instead_of_through_their_sills():
    made = glacial(mountains(rivers=1.0))
    solution = solve(made)
    drainage = drainage_of(solution)
    (courses,) = (one for one in solution.parts.values() if isinstance(one, RiverCourses))
    spill = spill_levels(drainage.height, route(drainage.height, drainage.directions == NONE))
    assert (spill - drainage.height).max() > 10
    x, y, z = courses.points[:3]
    for river in np.split(z, courses.ends[:-1]):
        assert (np.diff(river) <= 0).all()
    place = (
        np.clip(np.rint((at - start) / drainage.spacing).astype(int), 0, len(spill) - 1)
        for at, start in ((y, drainage.y0), (x, drainage.x0))
    )
    row, column = place
    deep = (spill - drainage.height)[row, column] > 5
    assert deep.sum() > 5
    assert (spill[row, column] - z)[deep].max() < 1  # in the lake, not on its ground


@pytest.mark.parametrize("case", ["ridge", "meeting"])
def test_drawn_rivers_stay_downhill_and_keep_their_water(case):
    made = glacial(with_river(case, 1, "128"), snow_line=40.0)
    without = with_river(case, 1, "128")
    assert not np.array_equal(height_of(made, 129), height_of(without, 129))
    along = measured(made, 257)
    assert along.cells == 1 and along.off < 1
    assert along.rises == 0 and along.dams == 0
    assert along.samples >= 0.99


def test_ice_begins_where_the_colors_show_snow():
    def colored(start, measure="relative"):
        regions = (Region(name="Rock", start=-1e5), Region(name="Snow", start=start))
        palette = Palette(measure=measure, full_height=500.0, regions=regions)
        return dataclasses.replace(glacial(mountains()), palette=palette)

    low, high = height_of(colored(0.4)), height_of(colored(0.8))
    assert (low < high - CUT).mean() > 0.1
    np.testing.assert_array_equal(
        height_of(glacial(colored(0.4), snow_line=100.0)),
        height_of(glacial(colored(0.8), snow_line=100.0)),
    )
    np.testing.assert_array_equal(
        height_of(colored(100.0, "meters")), height_of(glacial(colored(0.4), snow_line=100.0))
    )
    np.testing.assert_array_equal(
        height_of(colored(0.2, "signed")), height_of(colored(100.0, "meters"))
    )
    # Without glaciers, colors are no reason to compute heights again.
    assert mountains().read_by_layers == (None,)
    assert colored(0.4).read_by_layers == (None, 0.4, True)


def test_the_snow_line_is_measured_on_the_terrain():
    assert SnowLine(0.25, relative=True).on(-100.0, 300.0) == 0.0
    assert SnowLine(50.0, relative=False).on(-100.0, 300.0) == 50.0
    assert Palette(regions=(Region(name="Rock"),)).snow_line is None


def test_more_width_depth_and_reach_cut_more():
    def lost(**settings):
        rivers, ice = drainages(moraines=0.0, **settings)
        assert (ice.height <= rivers.height + 1e-3).all()
        return (rivers.height - ice.height).mean(), (rivers.height - ice.height > CUT).mean()

    usual = lost()
    assert lost(trough_depth=0.5)[0] > 1.2 * usual[0]
    assert lost(trough_width=1.2)[1] > 1.1 * usual[1]
    assert lost(ice_reach=0.5)[1] < 0.9 * usual[1]
    assert lost(snow_line=1e5) == (0, 0)


def test_the_sea_fills_troughs_and_rivers_end_at_its_new_shore():
    dry = mountains(sea=True)
    dry = dataclasses.replace(dry, water=Water(level=-50.0))
    land, fjords = (drainage_of(solve(one)) for one in (dry, glacial(dry, snow_line=50.0)))
    drowned = (land.height > -50) & (fjords.height < -60)
    assert drowned.sum() > 20
    assert (fjords.directions[fjords.height <= -50] == NONE).all()


@pytest.mark.parametrize(
    "settings",
    [{"trough_width": 0.0}, {"trough_depth": 0.0}, {"ice_reach": 0.0}, {"trough_width": 10.0}],
)
def test_extreme_settings_give_finite_terrain(settings):
    rivers, ice = drainages(**settings)
    assert np.isfinite(ice.height).all()
    assert np.ptp(ice.height) < 2 * np.ptp(rivers.height)


@pytest.mark.parametrize(("size_x", "size_y"), [(4000.0, 10.0), (10.0, 4000.0)])
def test_glaciers_on_a_strip(size_x, size_y):
    made = dataclasses.replace(glacial(mountains()), size_x=size_x, size_y=size_y)
    assert np.isfinite(height_of(made, 33)).all()


def test_moraines_lie_around_the_ends_of_the_ice_and_leave_rivers_their_way():
    rivers, plain = drainages(moraines=0.0, snow_line=100.0, ice_reach=0.5)
    _, ice = drainages(moraines=1.0, snow_line=100.0, ice_reach=0.5)
    ridge = ice.height - plain.height
    assert 5 < ridge.max() < 0.06 * ice.unit
    assert 0 < (ridge > 1).mean() < 0.1
    assert ridge[rivers.above_rivers == 0].max() == 0
    assert ridge[rivers.height > 100].max() == 0


def test_moraines_need_ice():
    rivers, _ = drainages()
    none = np.zeros(rivers.height.shape, bool)
    assert not moraines(none, np.flatnonzero(none), rivers, 100.0, 1.0).any()


def test_ice_gathers_above_the_snow_line_and_melts_below_it():
    height = np.repeat(np.arange(10.0, dtype=np.float32)[:, None], 3, axis=1)
    tree = route(height, height == 0)
    balance = snow_balance(height, 5.0, 0.5)
    ice = ice_discharge(tree, balance)
    assert (ice[height == 5] > 0).all() and ice.min() == 0
    assert ice[6, 1] == pytest.approx(balance[6:, 1].sum())
    assert ice[2, 1] == pytest.approx(max(balance[2:, 1].sum(), 0))
    assert ice_discharge(tree, snow_balance(height, 20.0, 2.0)).max() == 0


def test_an_envelope_is_the_lowest_parabola():
    rng = np.random.default_rng(3)
    shape, count = (40, 50), 12
    cells = np.sort(rng.choice(shape[0] * shape[1], count, replace=False))
    bed, rise = rng.uniform(0, 50, count), np.full(count, 0.5)
    made = lower_envelope(shape, cells, bed, rise, np.full(count, 60.0), 50.0)
    y, x = np.mgrid[: shape[0], : shape[1]]
    rows, columns = np.divmod(cells, shape[1])
    every = [
        b + 0.5 * ((y - j) ** 2 + (x - i) ** 2) for b, j, i in zip(bed, rows, columns, strict=True)
    ]
    np.testing.assert_allclose(made, np.min(every, axis=0), rtol=1e-5)
    assert (lower_envelope(shape, cells[:0], bed[:0], rise[:0], rise[:0], 50.0) == FAR).all()


def test_terrain_without_ice_is_what_it_was():
    rivers, _ = drainages()
    assert glaciated(rivers, GlacialSettings(), 1e5) is rivers
