# SPDX-License-Identifier: GPL-3.0-or-later
import numpy as np
import pytest

from terrain_addon.core.erosion.surface import channels
from terrain_addon.core.erosion.surface.eroded_terrain import RiverCourses
from terrain_addon.core.hydrology import RiverLine

LENGTH = 1000.0


@pytest.mark.parametrize("ratio", [1, 4, 256])
def test_beds_on_oblong_cells_have_no_dams_and_few_stamps(ratio, monkeypatch):
    spacing = (40 / ratio, 40.0)
    x, y = np.arange(0, LENGTH, spacing[0]), np.arange(-200.0, 201.0, spacing[1])
    ends = np.array([0.0, LENGTH])
    river = RiverLine(ends, ends * 0, ends * 0 + 10, ends * 0 + 3, ends * 0 + 1e5, ends * 0 + 1)
    stamped = []
    stamp = channels._stamp

    def counting(*given):
        stamped.append(next(one for one in given if np.shape(one)[:1] == (5,)).shape[1])
        stamp(*given)

    monkeypatch.setattr(channels, "_stamp", counting)
    terrain = np.full((y.size, x.size), 100.0, np.float32)
    carved = channels.carve(terrain, x, y, spacing, [river])
    np.testing.assert_allclose(carved[5], 10 - channels.DEPTH * 3, atol=1e-4)
    assert (carved[[0, -1]] == 100).all()
    assert sum(stamped) <= LENGTH / (channels.STEP * 10) + 2


def test_banks_meet_the_land_without_a_wall_and_without_a_sharp_edge():
    x = y = np.arange(-100.0, 101.0)
    ends = np.array([x[0] - 50, x[-1] + 50])
    river = RiverLine(ends, ends * 0, ends * 0, ends * 0 + 20, ends * 0 + 1e5, ends * 0 + 1)
    for terrain in (0.0, 2.0, 6.0):  # meters above the water
        height = np.full((y.size, x.size), terrain, np.float32)
        across = channels.carve(height, x, y, (1.0, 1.0), [river])[:, 100]
        assert (across <= terrain).all() and (across[np.abs(y) > 20] == terrain).all()
        np.testing.assert_allclose(across[np.abs(y) < 10], -channels.DEPTH * 20, atol=1e-4)
        slope = np.diff(across[y >= 0])
        assert (slope > -1e-6).all()
        assert slope.max() < 0.6 * max(terrain, 2.0)
        assert np.abs(np.diff(slope)).max() < 0.3 * max(terrain, 2.0)


def test_a_river_grows_wider_and_deeper_ahead_of_what_joins_it():
    x, y = np.arange(-200.0, 201.0), np.arange(-60.0, 61.0)
    place = np.arange(-220.0, 221.0, 4.0)
    width = np.where(place < 0, 10.0, 30.0)
    width[-1] = 90.0  # of the river that it joins
    river = RiverLine(place, place * 0, place * 0, width, place * 0 + 1e5, place * 0 + 1)
    terrain = np.full((y.size, x.size), 20.0, np.float32)
    carved = channels.carve(terrain, x, y, (1.0, 1.0), [river])
    bed = carved[60]
    assert np.abs(np.diff(bed)).max() < 0.03  # no step
    assert (np.diff(bed) < 1e-6).all()
    np.testing.assert_allclose(bed[[0, -1]], [-1.2, -3.6], atol=1e-4)
    wide = (carved < 0).sum(axis=0)
    assert (np.abs(np.diff(wide)) <= 2).all()
    assert 10 <= wide[0] < 22 and 30 <= wide[-1] < 45


def winding(count, seed):
    """A river that winds over the plane, narrow and wide in turn."""
    rng = np.random.default_rng(seed)
    x, y = np.cumsum(rng.normal(0, 30, (2, count)), axis=1)
    width = 0.5 + 12 * rng.random(count) ** 4
    z = np.linspace(80, 60, count)
    return RiverLine(x, y, z, width, np.sort(1e5 * rng.random(count)), np.ones(count))


def test_only_stretches_near_a_window_are_followed_and_windows_keep_the_bits_of_the_whole():
    rivers = [winding(400, seed) for seed in range(12)]
    x, y, spacing = np.arange(-300.0, 300.0, 2.0), np.arange(-250.0, 250.0, 2.0), (2.0, 2.0)
    terrain = np.full((y.size, x.size), 75.0, np.float32)
    whole = channels.carve(terrain, x, y, spacing, rivers)
    assert (whole < 75).mean() > 0.1
    # All points of a river, as if none of it were left out.
    every = [channels._densified(one, channels.STEP * 2.0, (0, one.x.size - 1)) for one in rivers]
    expected = terrain.copy()
    for bed in every:
        near = bed[:, channels._near(bed, x, y, spacing)]
        channels._stamp(expected, terrain, x, y, spacing, 2.0, near, None)
    np.testing.assert_array_equal(whole, expected)
    for j, i in ((0, 0), (100, 130), (190, 240)):
        rows, columns = slice(j, j + 60), slice(i, i + 60)
        part = channels.carve(terrain[rows, columns], x[columns], y[rows], spacing, rivers)
        np.testing.assert_array_equal(part, whole[rows, columns])
        found = RiverCourses.of(rivers).near(x[columns], y[rows], spacing)
        again = channels.carve(terrain[rows, columns], x[columns], y[rows], spacing, found)
        np.testing.assert_array_equal(again, part)


def test_rivers_elsewhere_cost_a_window_nothing(monkeypatch):
    """Neither whole rivers nor the far parts of long ones are made dense."""
    made = []
    densified = channels._densified

    def counting(*given):
        made.append(densified(*given))
        return made[-1]

    monkeypatch.setattr(channels, "_densified", counting)
    x, spacing = np.arange(0.0, 100.0, 1.0), (1.0, 1.0)
    along = np.linspace(-1e5, 1e5, 20001)
    level, width = np.linspace(60, 50, along.size), np.full(along.size, 4.0)
    across = RiverLine(along, along * 0 + 50, level, width, width, width)
    elsewhere = RiverLine(along, along * 0 + 5000, level, width, width, width)
    courses = RiverCourses.of([elsewhere, across, *[elsewhere] * 50])
    assert len(courses.near(x, x, spacing)) == 1
    terrain = np.full((100, 100), 70.0, np.float32)
    channels.carve(terrain, x, x, spacing, [across, elsewhere])
    assert len(made) == 1
    assert 100 < made[0].shape[1] < 300
    assert RiverCourses.of([]).near(x, x, spacing) == []
