# SPDX-License-Identifier: GPL-3.0-or-later
"""Elevation models joined, cropped, turned, resampled and filled."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

from terrain_addon.core import elevation
from terrain_addon.core.elevation import Elevation, Georeference, System, fill_voids, join, voids
from tests.core.formats.test_geotiff import real

UTM = System(code=32632)
PLACE = Georeference((1000.0, 2000.0), (30.0, 0.0), (0.0, 30.0), UTM)


def model(height=None, place=PLACE):
    return Elevation.at(real()[::-1].copy() if height is None else height, place)


def places_of(one):
    """Heights by their coordinates."""
    rows, columns = one.height.shape
    return {
        tuple(np.round(one.georeference.at(i, j), 6)): one.height[j, i]
        for j in range(rows)
        for i in range(columns)
    }


def test_the_lengths_of_a_degree_are_those_of_the_ellipsoid():
    """Lengths of the table of the National Geospatial-Intelligence Agency."""
    for latitude, x, y in ((0, 111320, 110574), (45, 78847, 111132), (60, 55800, 111412)):
        np.testing.assert_allclose(elevation.meters_per_degree(latitude), (x, y), rtol=1e-5)


def test_web_mercator_is_true_to_scale_in_the_middle():
    place = Georeference(
        (0.0, 8399737.9), (10.0, 0.0), (0.0, 10.0), System.coded(3857)
    )  # latitude 60
    np.testing.assert_allclose(place.spacing(1, 1), (5.0, 5.0), rtol=1e-6)


@given(st.integers(0, 3), st.integers(1, 9), st.integers(1, 9))
def test_quarter_turns_move_heights_as_a_turn_of_the_plane_does(quarters, columns, rows):
    height = np.arange(rows * columns, dtype=np.float32).reshape(rows, columns)
    one = Elevation.at(height, Georeference((0.0, 0.0), (30.0, 0.0), (0.0, 20.0)))
    made = elevation.turned(one, quarters)
    assert places_of(made) == places_of(one), "each height stays at its place on the Earth"
    middle = (np.array(height.shape) - 1) / 2
    angle = np.radians(90 * quarters)
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    for j in range(rows):
        for i in range(columns):
            x, y = turn @ (i - middle[1], j - middle[0])
            j2, i2 = y + (made.height.shape[0] - 1) / 2, x + (made.height.shape[1] - 1) / 2
            assert made.height[round(j2), round(i2)] == height[j, i]
    assert made.spacing == ((30.0, 20.0) if quarters % 2 == 0 else (20.0, 30.0))


@pytest.mark.parametrize("angle", [10.0, 33.0, 45.0, 80.0, 130.0, -20.0, 360.0])
def test_a_turned_plane_is_a_plane_at_the_same_places(angle):
    y, x = np.mgrid[:90, :120].astype(np.float32)
    made = elevation.rotated(model(3 * x - 2 * y), angle)
    rows, columns = made.height.shape
    assert rows > 40 and columns > 40 and not made.voids.any()
    for j, i in ((0, 0), (rows - 1, 0), (rows // 2, columns // 2), (3, columns - 1)):
        column, row = PLACE.samples_at(*made.georeference.at(i, j))
        assert -1e-6 < column < 119 + 1e-6 and -1e-6 < row < 89 + 1e-6
        np.testing.assert_allclose(made.height[j, i], 3 * column - 2 * row, atol=2e-3)
    a, b = made.georeference.column_step
    np.testing.assert_allclose(
        np.degrees(np.arctan2(b, a)), -((angle + 180) % 360 - 180), atol=1e-6
    )
    np.testing.assert_allclose(np.array(made.spacing), (30, 30))


@pytest.mark.parametrize("angle", [30.0, 50.0])
@pytest.mark.parametrize("shape", [(100, 100), (60, 300), (300, 60), (100, 140)])
def test_a_turned_model_is_as_large_as_it_can_be(shape, angle):
    """No rectangle with another proportion, whose corners stay inside, is larger by a hundredth."""
    made = elevation.rotated(Elevation(np.zeros(shape, np.float32)), angle)
    area = (made.height.shape[0] - 1) * (made.height.shape[1] - 1)
    turn = np.radians(angle)
    c, s = np.cos(turn), np.sin(turn)
    best = 0.0
    for share in np.linspace(0.02, 50, 20_000):  # height over width
        width = min((shape[1] - 1) / (c + share * s), (shape[0] - 1) / (s + share * c))
        best = max(best, width * width * share)
    assert 0.93 * best < area <= 1.0001 * best


def test_coarser_samples_are_means_and_finer_ones_follow_the_terrain():
    one = model()
    coarse = elevation.resampled(one, 90.0)
    np.testing.assert_allclose(
        coarse.height[1:-1, 1:-1],
        [[one.height[3 * j - 1 : 3 * j + 2, 3 * i - 1 : 3 * i + 2].mean()
          for i in range(1, coarse.height.shape[1] - 1)]
         for j in range(1, coarse.height.shape[0] - 1)],
        rtol=1e-5,
    )  # fmt: skip
    assert coarse.georeference.at(5, 7) == PLACE.at(15, 21)
    fine = elevation.resampled(one, 10.0)
    assert fine.height.shape == (3 * 102 + 1, 3 * 130 + 1) and fine.spacing == (10.0, 10.0)
    off = np.abs(fine.height[::3, ::3] - one.height)
    step = np.abs(np.diff(one.height))
    assert off.max() < 0.2 * step.max() and off.mean() < 0.1 * step.mean()
    assert fine.georeference.at(15, 21) == PLACE.at(5, 7)


def test_a_checkerboard_does_not_alias():
    board = np.indices((120, 120)).sum(0) % 2 * np.float32(100)
    coarse = elevation.resampled(Elevation(board, (1.0, 1.0)), 2.5)
    assert np.abs(coarse.height[1:-1, 1:-1] - 50).max() < 9, "samples would be 0 or 100"


def test_cells_that_are_not_square_become_square():
    y, x = np.mgrid[:80, :60].astype(np.float32)
    made = elevation.squared(Elevation(20 * x + 30 * y, (20.0, 30.0)))
    assert made.spacing == (20.0, 20.0) and made.height.shape == (119, 60)
    y, x = np.mgrid[:119, :60].astype(np.float32)
    np.testing.assert_allclose(made.height, 20 * x + 20 * y, atol=2e-3)


def test_tiles_are_joined_along_their_shared_rows_and_columns():
    whole = model()
    parts = [whole.window(i, j, 131 - 60 if i else 61, 103 - 50 if j else 51)
             for j in (0, 50) for i in (0, 60)]  # fmt: skip
    for order in (parts, parts[::-1]):
        made = join(order)
        np.testing.assert_array_equal(made.height, whole.height)
        assert made.georeference == whole.georeference and made.spacing == whole.spacing
        assert "4 files joined; where they overlap they differ by 0 at most." in made.notes
    made = join([parts[0], parts[3]])
    assert int(made.voids.sum()) == 131 * 103 - 61 * 51 - 71 * 53 + 1
    other = Elevation(parts[1].height + 2, parts[1].spacing, parts[1].georeference)
    assert "differ by 2 at most" in join([parts[0], other]).notes[-1]


@pytest.mark.parametrize(
    ("place", "message"),
    [
        (
            Georeference((1000.0, 2000.0), (25.0, 0.0), (0.0, 30.0), System(code=32632)),
            "other spacings",
        ),
        (
            Georeference((1000.0, 2000.0), (30.0, 0.0), (0.0, 30.0), System(code=32633)),
            "other spacings",
        ),
        (
            Georeference((1010.0, 2000.0), (30.0, 0.0), (0.0, 30.0), System(code=32632)),
            "between each",
        ),
        (
            Georeference((1000.0 + 30e7, 2000.0), (30.0, 0.0), (0.0, 30.0), System(code=32632)),
            "more than",
        ),
        (None, "say where they lie"),
    ],
)
def test_files_that_do_not_fit_are_not_joined(place, message):
    other = Elevation(real()) if place is None else model(place=place)
    with pytest.raises(ValueError, match=message):
        join([model(), other])


def test_a_part_is_cropped_by_its_coordinates():
    part = model().crop(1000 + 30 * 9.5, 2000 + 30 * 3, 1000 + 30 * 20, 1e9)
    np.testing.assert_array_equal(part.height, real()[::-1][3:, 10:21])
    assert part.georeference.at(0, 0) == (1300.0, 2090.0)
    for corners in ((0, 0, 10, 10), (10, 0, 0, 10), (np.nan, 0, 10, 10)):
        with pytest.raises(ValueError, match="No sample lies there|west, south, east"):
            model().crop(*corners)


def test_a_void_in_a_plane_is_the_plane():
    y, x = np.mgrid[:64, :64].astype(np.float32)
    plane = 5 * x - 3 * y + 100
    for hole in (np.s_[20:23, 30:44], np.s_[8:40, 8:40], np.s_[:9, :9], np.s_[63, 10:60]):
        height = plane.copy()
        height[hole] = np.nan
        filled = fill_voids(Elevation(height)).height
        known = ~np.isnan(height)
        np.testing.assert_array_equal(filled[known], plane[known])
        inside = plane[hole]
        at_border = hole[0] in (slice(None, 9), 63)  # nothing is known beyond: it flattens there
        worst = np.abs(filled[hole] - inside).max()
        assert worst < (0.6 if at_border else 0.02) * np.ptp(inside), (hole, worst)


def test_a_filled_void_lies_between_its_borders_and_is_smooth():
    height = real()
    height[40:60, 50:75] = np.nan
    filled = fill_voids(Elevation(height)).height[39:61, 49:76]
    border = np.concatenate([filled[0], filled[-1], filled[:, 0], filled[:, -1]])
    assert border.min() <= filled.min() and filled.max() <= border.max()
    inner = filled[1:-1, 1:-1]
    mean = (filled[:-2, 1:-1] + filled[2:, 1:-1] + filled[1:-1, :-2] + filled[1:-1, 2:]) / 4
    assert np.abs(inner - mean).max() < 0.02 * np.ptp(border), "Laplace's equation"


def test_a_large_void_is_filled_only_if_asked():
    height = real()
    reach = voids.REACH
    height[20 : 20 + 2 * reach, 20 : 20 + 2 * reach] = np.nan
    assert not fill_voids(Elevation(height)).voids.any()
    height[20 : 21 + 2 * reach, 20 : 21 + 2 * reach] = np.nan
    with pytest.raises(ValueError, match="A void is large, 1 of its samples"):
        fill_voids(Elevation(height))
    assert not fill_voids(Elevation(height), large=True).voids.any()
    with pytest.raises(ValueError, match="nothing but voids"):
        fill_voids(Elevation(np.full((9, 9), np.nan, np.float32)), large=True)


def test_what_needs_heights_everywhere_refuses_voids():
    height = real()
    height[0, 0] = np.nan
    for change in (lambda m: elevation.resampled(m, 9.0), lambda m: elevation.rotated(m, 9.0)):
        with pytest.raises(ValueError, match="has voids: fill them first"):
            change(model(height))
