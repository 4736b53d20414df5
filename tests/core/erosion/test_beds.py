# SPDX-License-Identifier: GPL-3.0-or-later
"""Layers of rock that show as ledges."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from terrain_addon.core.analysis.derivatives import steepness
from terrain_addon.core.erosion.rivers.beds import CLIFF, HARDER, MOST, RockBeds
from terrain_addon.core.erosion.rivers.solver import drain
from terrain_addon.core.erosion.surface.surface import REACH, sample_surface
from tests.core.erosion.lands import EXTENT, axis, hills, island
from tests.core.erosion.test_fluvial import below_spill, settings

SAMPLES = 512
beds = st.builds(
    RockBeds.of,
    low=st.floats(-1000, 1000),
    high=st.floats(1000, 4000),
    thickness=st.floats(1, 500),
    contrast=st.floats(0.0, 1.0),
    seed=st.integers(0, 2**31 - 1),
)


@given(beds)
def test_ledges_keep_the_order_of_heights_and_their_mean(made):
    table = made.ledges()
    after = table.heights + table.values
    assert (np.diff(table.heights) > 0).all()
    assert (np.diff(after) > 0).all()
    assert np.abs(table.values).max() <= np.diff(made.tops).max()
    fine = np.linspace(table.heights[0], table.heights[-1], 100_001)
    mean = np.interp(fine, table.heights, table.values).mean()
    assert abs(mean) < 1e-3 * made.thickness


@given(beds)
def test_hard_beds_are_cliffs_and_soft_ones_benches(made):
    """A straight slope that cuts them: each hard bed stands as steep as its setting."""
    table = made.ledges()
    slopes = 1 + np.diff(table.values) / np.diff(table.heights)
    bench, apron, cliff = slopes.reshape(-1, 3).T
    assert_allclose(cliff, 1 + (CLIFF - 1) * made.contrast / made.softer[2::2], rtol=1e-6)
    assert (bench <= 1 + 1e-9).all()
    assert (bench <= apron * (1 + 1e-9)).all()


@given(beds)
def test_each_bed_has_its_hardness(made):
    middles = ((made.tops[1:] + made.tops[:-1]) / 2).astype(np.float32)[None, :]
    factors = made.softness(2.0).at(middles / np.float32(2))[0]
    kind = np.where(np.arange(1, made.tops.size) % 2 == 0, 1.0, -1.0)
    assert_allclose(factors, made.softer[1:] / (1 + kind * HARDER * made.contrast), rtol=1e-5)
    assert_array_equal(made.softness(2.0).at(np.full((1, 1), 1e6, np.float32)), 1.0)


def test_beds_reach_to_the_top_of_any_land_that_is_not_too_finely_layered():
    for thickness in (0.01, 1.0, 90.0, 5000.0):
        made = RockBeds.of(-50.0, 3000.0, thickness, 0.5, 3)
        assert made.tops.size <= MOST + 5
        assert made.tops[0] < -50 + thickness
        if thickness >= 1:
            assert made.tops[-1] > 2900


def layered(relief, type="uplift", **changes):
    """Land with layers of rock, its beds, and the same land without."""
    terrain = hills(256, 256)
    terrain *= np.float32(relief / np.ptp(terrain))
    usual = {"type": type, "incision": relief / 2, "age": 0.6}
    where = axis(SAMPLES)
    made = []
    for contrast in (0.5, 0.0):
        how = settings(**usual, **changes, strata_contrast=contrast, resolution="256")
        eroded = drain(terrain, EXTENT / 256, how)
        made.append((sample_surface(eroded, where, where, how), eroded.beds))
    return made


def steeper_in_hard_rock(height, rock):
    """How many times as steep hard beds are as the soft ones between, on slopes of any kind."""
    slope = steepness(height, EXTENT / SAMPLES, EXTENT / SAMPLES)
    bed = np.searchsorted(rock.tops, height)
    steep = slope > np.quantile(slope, 0.4)
    hard = bed % 2 == 0
    return float(np.median(slope[steep & hard]) / np.median(slope[steep & ~hard]))


@pytest.mark.parametrize("mode", ["uplift", "plateau"])
@pytest.mark.parametrize("relief", [150.0, 400.0])
def test_layers_of_rock_show_as_ledges_of_usual_thickness(mode, relief):
    (with_beds, rock), (without, none) = layered(relief, mode)
    assert none is None
    assert steeper_in_hard_rock(without, rock) < 1.03
    assert steeper_in_hard_rock(with_beds, rock) > 1.1
    assert below_spill(with_beds) < 0.015
    assert 0.8 < np.ptp(with_beds) / np.ptp(without) < 1.2


def test_usual_thickness_grows_with_the_land_and_its_valleys():
    how = settings(strata_contrast=0.5)
    assert how.bed_thickness(1000.0, 100.0) == pytest.approx(28, abs=1)
    assert how.bed_thickness(4000.0, 100.0) == 2 * how.bed_thickness(1000.0, 100.0)
    assert how.bed_thickness(2000.0, 200.0) == 2 * how.bed_thickness(1000.0, 100.0)
    assert how.bed_thickness(0.0, 100.0) > 0
    assert settings(strata_thickness=7.0).bed_thickness(1000.0, 100.0) == 7


def test_valley_floors_have_no_ledges():
    """Where rivers run, the land is that of the drainage grid."""
    how = settings(strata_contrast=1.0, gully_depth=0.0, rock_roughness=0.0, talus=89.0)
    terrain = drain(hills(128, 128), EXTENT / 128, how)
    where = axis(SAMPLES)
    moved = np.abs(
        sample_surface(terrain, where, where, how) - terrain.sample(terrain.height, where, where)
    )
    above = terrain.sample(np.minimum(terrain.above_rivers, 100), where, where)
    assert moved[above < 0.1].max() < 0.1 * moved.max()


def test_gentle_land_has_no_ledges():
    """They would run along it as ribbons."""
    how = settings(
        type="plateau", age=0.3, incision=100.0, strata_contrast=1.0, gully_depth=0.0,
        rock_roughness=0.0, talus=89.0,
    )  # fmt: skip
    terrain = drain(hills(128, 128) * np.float32(0.3), EXTENT / 128, how)
    where = axis(SAMPLES)
    layered, plain = (
        sample_surface(one, where, where, how) for one in (terrain, replace(terrain, beds=None))
    )
    slope = terrain.sample(
        steepness(terrain.height, terrain.spacing, terrain.spacing), where, where
    )
    high = terrain.sample(np.minimum(terrain.above_rivers, 100), where, where) > 10
    moved = np.abs(layered - plain)[high]
    gentle = slope[high] < 0.1
    assert gentle.mean() > 0.01
    assert moved[gentle].max() < 0.1 * moved.max()


def test_ledges_are_the_same_in_windows_bands_and_threads():
    how = settings(strata_contrast=0.7)
    terrain = drain(hills(128, 128), EXTENT / 128, how)
    where, apart = axis(300), (EXTENT / 300, EXTENT / 300)
    whole = sample_surface(terrain, where, where, how, spacing=apart)
    for band, threads in ((7, 1), (64, 2), (300, 4)):
        made = sample_surface(terrain, where, where, how, spacing=apart, band=band, threads=threads)
        assert_array_equal(made, whole)
    rows, columns = slice(40, 170), slice(100, 290)
    part = sample_surface(terrain, where[columns], where[rows], how, spacing=apart)
    inner = slice(REACH, -REACH)
    assert_array_equal(part[inner, inner], whole[rows, columns][inner, inner])


def test_the_sea_floor_has_no_ledges():
    """It stays as it was, however steep."""
    how = settings(strata_contrast=1.0, talus=80.0)
    terrain = drain(island(256) * np.float32(4), EXTENT / 256, how, sea=0.0)
    where = axis(SAMPLES)
    layered, plain = (
        sample_surface(one, where, where, how) for one in (terrain, replace(terrain, beds=None))
    )
    under = plain < -5
    assert under.mean() > 0.2
    assert np.abs(layered - plain)[under].max() < 0.5
    assert np.abs(layered - plain)[~under].max() > 2
