# SPDX-License-Identifier: GPL-3.0-or-later
"""The measures of realism against slow and simple computations in float64."""

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from numpy.lib.stride_tricks import sliding_window_view
from numpy.testing import assert_allclose, assert_array_equal

from terrain_addon.core import hydrology, noise
from terrain_addon.core.analysis import realism
from terrain_addon.core.analysis.realism import smoothing, streams
from terrain_addon.core.analysis.realism.definitions import DEFINITIONS
from terrain_addon.core.hydrology.d8 import receivers


def by_key(height, spacing, smoothed=False):
    return {m.key: m for m in realism.measure(height, spacing, smoothed=smoothed)}


@pytest.fixture(scope="module")
def rivers():
    """Land of several bands, not square."""
    x, y = np.arange(390) / 130, np.arange(450) / 130
    return noise.sample_grid("perlin", x, y, seed=4, fractal="ridged", octaves=8) * 300


def test_landforms_of_bands_fit_together(rivers):
    whole = realism.landforms(rivers, 2.0)
    for start in (0, 100, 160, 300):
        part = realism.landforms(rivers[start : start + 60], 2.0)
        assert_array_equal(part, whole[start : start + 36])
    assert len(np.unique(whole)) >= 7


@pytest.mark.parametrize("share", [1.0, 0.02])
def test_landforms_follow_from_the_lines_of_sight(rivers, share):
    """Against one sample after the other, with the landforms classified as in the paper. On gentle
    land most horizons are level."""
    height = rivers[:60, :60] * np.float32(share)
    terrain, flat = height.astype(np.float64), np.tan(np.radians(1.0))
    found = realism.landforms(height, 2.0)
    ways = [(j, i) for j in (-1, 0, 1) for i in (-1, 0, 1) if (j, i) != (0, 0)]
    for j, i in np.ndindex(found.shape):
        signs = []
        for dj, di in ways:
            tangents = [
                (terrain[j + 12 + dj * k, i + 12 + di * k] - terrain[j + 12, i + 12])
                / (2.0 * k * np.hypot(dj, di))
                for k in (1, 2, 3, 4, 6, 8, 10, 12)
            ]
            up, down = max(*tangents, 0.0), max(*(-t for t in tangents), 0.0)
            signs.append(np.sign(up - down) * (max(up, down) > flat))
        higher, lower = signs.count(1), signs.count(-1)
        if lower == 8:
            assert found[j, i] == 2  # peak
        elif higher == 8:
            assert found[j, i] == 10  # pit
        elif higher <= 2 and lower <= 2 and higher + lower < 3:
            assert found[j, i] == 1  # flat
        elif higher == 0 and lower in (5, 6, 7):
            assert found[j, i] == realism.RIDGE
        elif lower == 0 and higher in (5, 6, 7):
            assert found[j, i] == realism.VALLEY


def test_measures_are_those_of_the_whole_land_at_once(rivers):
    """A few rows at a time or all in one go, in float64."""
    terrain, made = rivers.astype(np.float64), by_key(rivers, 2.0)
    along, across = np.gradient(terrain, 2.0)
    slope = np.hypot(along, across)
    median, steep = np.quantile(slope, [0.5, 0.95])
    assert made["slopes"].value == pytest.approx(steep / median, rel=1e-5)
    low, high = np.quantile(terrain, [0.005, 0.995])
    mean = np.clip(terrain, low, high).mean()
    assert made["hypsometric"].value == pytest.approx((mean - low) / (high - low), rel=1e-5)

    smooth = terrain
    for _ in range(2):
        smooth = np.pad(smooth, 1, mode="edge")
        smooth = smooth[:-2] + 2 * smooth[1:-1] + smooth[2:]
        smooth = (smooth[:, :-2] + 2 * smooth[:, 1:-1] + smooth[:, 2:]) / 16
    along, across = np.diff(smooth, 2, axis=0)[:, 1:-1], np.diff(smooth, 2, axis=1)[1:-1]
    bend = along + across - (along + across).mean()
    for key, order in (("skew", 3), ("kurtosis", 4)):
        moment = (bend**order).mean() / bend.std() ** order
        assert made[key].value == pytest.approx(moment, rel=1e-5)

    square = terrain[:390, :390]
    j, i = np.mgrid[:390, :390].reshape(2, -1)
    terms = np.stack([np.ones(j.size), j, i], axis=1)
    plane = terms @ np.linalg.lstsq(terms, square.ravel(), rcond=None)[0]
    window = np.hanning(390)
    waves = np.fft.fft2((square - plane.reshape(390, 390)) * window * window[:, None])
    number = np.fft.fftfreq(390) * 390
    ring = np.rint(np.hypot(number[:, None], number)).astype(int)
    power = np.array([np.mean(np.abs(waves[ring == k]) ** 2) for k in range(1, 100)])
    edges = np.geomspace(4, 390 / 4, 14)
    points = []
    for start, end in pairwise(edges):
        near = np.arange(1, 100)
        near = near[(near >= start) & (near < end)]
        if near.size:
            points.append((np.log(near).mean(), np.log(power[near - 1]).mean()))
    x, y = np.transpose(points)
    fall = -np.polyfit(x, y, 1)[0]
    assert made["spectral_slope"].value == pytest.approx(fall, rel=1e-5)


def test_rivers_are_measured_as_by_hand(rivers):
    """Slopes and lengths of streams by drainage area, from masks over the whole land."""
    made, tree = by_key(rivers, 2.0), hydrology.route(rivers)
    area = hydrology.drainage_area(tree, 2.0).astype(np.float64)
    inner = ~hydrology.border(rivers.shape)
    below = receivers(tree.directions).reshape(rivers.shape)
    drop = np.maximum(rivers - rivers.ravel()[below].astype(np.float64), 0)
    slope = drop / np.where(tree.directions >= 4, 2 * np.sqrt(2.0), 2.0)
    length = hydrology.upstream_length(tree, 2.0).astype(np.float64)

    def exponent(edges, mean, least):
        points = []
        for low, high in pairwise(edges):
            chosen = inner & (area >= low) & (area < high)
            if chosen.sum() > least:
                points.append((np.log(area[chosen]).mean(), mean(chosen)))
        x, y = np.transpose(points)
        return np.polyfit(x, y, 1)[0]

    edges = np.geomspace(120.0, 0.03 * rivers.size * 4, 13)
    concavity = exponent(edges, lambda chosen: np.log(slope[chosen].mean()), 15)
    assert made["concavity"].value == pytest.approx(-concavity, rel=1e-4)
    edges = np.geomspace(400.0, area[inner].max(), 12)
    hack = exponent(edges, lambda chosen: np.log(length[chosen]).mean(), 5)
    assert made["hack"].value == pytest.approx(hack, rel=1e-4)
    hollows = (hydrology.spill_levels(rivers, tree) > rivers + 1e-6 * np.ptp(rivers)).mean()
    assert made["hollows"].value == pytest.approx(hollows, rel=1e-6)


def mirrored(values, reach):
    return np.pad(values, reach, mode="symmetric")


def smoothed_slowly(terrain, sigma):
    """A Gaussian in two dimensions at once, with the border mirrored."""
    reach = round(4 * sigma)
    offsets = np.arange(-reach, reach + 1)
    kernel = np.exp(-(offsets[:, None] ** 2 + offsets**2) / (2 * sigma**2))
    windows = sliding_window_view(mirrored(terrain, reach), kernel.shape)
    return np.einsum("jiab,ab->ji", windows, kernel / kernel.sum())


def laplacian_slowly(terrain):
    along, across = np.diff(terrain, 2, axis=0)[:, 1:-1], np.diff(terrain, 2, axis=1)[1:-1]
    return along + across


def nearest_slowly(cells):
    """(H, W) squares of distances, and places, from all pairs."""
    places = np.flatnonzero(cells)
    rows, columns = np.divmod(places, cells.shape[1])
    order = np.lexsort((rows, columns))
    rows, columns, places = rows[order], columns[order], places[order]
    square, place = np.zeros(cells.shape, np.int64), np.zeros(cells.shape, np.int64)
    for j, i in np.ndindex(cells.shape):
        to = (rows - j) ** 2 + (columns - i) ** 2
        square[j, i], place[j, i] = to.min(), places[to.argmin()]
    return square, place


@pytest.mark.parametrize("share", [0.5, 0.02, 0.0005])
@pytest.mark.parametrize("shape", [(70, 45), (33, 90), (1, 50), (50, 1)])
def test_the_nearest_cell_is_found(shape, share):
    cells = np.random.default_rng(7).random(shape) < share
    cells[0, -1] = True
    square, place = nearest_slowly(cells)
    distance, found = streams.nearest(cells)
    assert_array_equal(distance, np.sqrt(square).astype(np.float32))
    assert_array_equal(found, place)
    distance, found = streams.nearest(cells, 7)
    assert_array_equal(distance <= 7, square <= 49)
    assert_array_equal(distance[square <= 49], np.sqrt(square[square <= 49]).astype(np.float32))
    assert_array_equal(found, np.where(square <= 49, place, 0))
    assert np.isinf(distance[square > 49]).all()


def test_bands_find_the_same_nearest_cells():
    """A field of several bands each way."""
    cells = np.random.default_rng(3).random((700, 640)) < 0.001
    distance, place = streams.nearest(cells)
    j, i = np.divmod(np.arange(cells.size)[::997], 640)
    rows, columns = np.nonzero(cells)
    square: Any = ((rows - j[:, None]) ** 2 + (columns - i[:, None]) ** 2).min(axis=1)
    assert_array_equal(distance.ravel()[::997], np.sqrt(square).astype(np.float32))
    found = np.divmod(place.ravel()[::997], 640)
    assert_array_equal((found[0] - j) ** 2 + (found[1] - i) ** 2, square)


def test_without_cells_none_is_near():
    distance, place = streams.nearest(np.zeros((40, 50), bool))
    assert np.isinf(distance).all() and not place.any()


def test_heights_are_smoothed_by_a_gaussian(rivers):
    height = rivers[:90, :70]
    made = smoothing.smoothed(height, smoothing.gaussian(1.5))
    assert_allclose(made, smoothed_slowly(height.astype(np.float64), 1.5), rtol=1e-6, atol=1e-5)


def test_smoothing_comes_first(rivers):
    """The measures of smoothed heights are those of heights that were smoothed before."""
    smooth = smoothing.smoothed(rivers, smoothing.gaussian(1.5))
    after, before = by_key(rivers, 2.0, smoothed=True), by_key(smooth, 2.0)
    assert len(after) == 21 and len(before) == 10
    for key, one in before.items():
        assert after[key].value == one.value


def test_local_relief_is_that_of_a_window(rivers):
    height = rivers[:140, :100]
    padded = np.pad(height, 32, mode="edge")
    windows = sliding_window_view(padded, (65, 65))
    assert_array_equal(streams.local_relief(height, 32), np.ptp(windows, axis=(2, 3)))


def test_broad_curvature_is_the_laplacian_of_a_gaussian(rivers):
    height = smoothing.smoothed(rivers, smoothing.gaussian(1.5))
    bend = laplacian_slowly(smoothed_slowly(height.astype(np.float64), 2.0))
    made = by_key(rivers, 2.0, smoothed=True)
    skew = ((bend - bend.mean()) ** 3).mean() / bend.std() ** 3
    assert made["broad_skew"].value == pytest.approx(skew, rel=1e-4)
    crests, valleys = np.quantile(bend, [0.01, 0.99])
    assert made["tails"].value == pytest.approx(-crests / valleys, rel=1e-4)


def test_ground_around_streams_is_measured_as_by_hand(rivers):
    made = by_key(rivers[:240, :200], 2.0, smoothed=True)
    height = smoothing.smoothed(rivers[:240, :200], smoothing.gaussian(1.5))
    tree = hydrology.route(height)
    area = hydrology.drainage_area(tree, 2.0)
    order = hydrology.stream_order(tree, area > 100 * 2.0**2)
    assert (order == 3).sum() > 100
    terrain = height.astype(np.float64)
    along, across = np.gradient(terrain, 2.0)
    slope = np.hypot(along, across)

    square, place = nearest_slowly(order > 0)
    apart = np.sqrt(square) / np.sqrt(square).mean()
    crests, middle = slope[apart >= 2.2], slope[(apart >= 0.8) & (apart <= 1.4)]
    expected = np.median(crests) / np.median(middle)
    assert made["crest_slopes"].value == pytest.approx(expected, rel=1e-4)

    large, _ = nearest_slowly(order == 3)
    banks, above = slope[large <= 9], slope[(large >= 16) & (large <= 49)]
    expected = np.median(banks) / np.median(above)
    assert made["bank_slopes"].value == pytest.approx(expected, rel=1e-4)

    windows = sliding_window_view(np.pad(terrain, 32, mode="edge"), (65, 65))
    relief = np.ptp(windows, axis=(2, 3)).ravel()[place]
    low = (terrain - terrain.ravel()[place] < 0.05 * relief) & (square <= 32**2)
    widths = [(low & (order.ravel()[place] == k)).sum() / (order == k).sum() for k in (3, 1)]
    assert made["valley_widths"].value == pytest.approx(widths[0] / widths[1], rel=1e-3)


def test_crests_and_creases_tell_apart():
    """Sharp crests over round valleys, and upside down."""
    x = np.linspace(0, 6, 200, endpoint=False)
    folds = -np.abs(np.sin(np.pi * x)) * 100
    terrain = (folds + 20 * np.sin(x)[:, None]).astype(np.float32)
    sharp, round_ = (by_key(one, 1.0, smoothed=True) for one in (terrain, -terrain))
    for key, limit in (("skew", 0), ("broad_skew", 0), ("tails", 1)):
        values = sharp[key].value, round_[key].value
        assert (values[0] < limit < values[1]) != (key == "tails")


def test_words_say_on_which_side_a_value_lies():
    low = realism.Measure("skew", -0.5, -0.21, -0.05)
    high = realism.Measure("skew", 0.5, -0.21, -0.05)
    assert "crests are too sharp" in low.verdict and "crests are too round" in high.verdict
    assert realism.Measure("skew", -0.1, -0.21, -0.05).verdict == ""
    assert realism.Measure("skew", np.nan, -0.21, -0.05).verdict == "nothing to measure"
    for one in DEFINITIONS.values():
        assert 0 < len(one.below) <= 46 and 0 < len(one.above) <= 46, "fits the popup"
    share = realism.Measure("hollows", 0.0912, 0.002, 0.082)
    assert share.text == "9.12 %" and share.range_text == "0.2 to 8.2 %"
