# SPDX-License-Identifier: GPL-3.0-or-later
import dataclasses
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from terrain_addon.core import Cancelled, evaluate, hydrology, noise, presets
from terrain_addon.core.analysis import realism
from terrain_addon.core.erosion.smoothing import box
from terrain_addon.core.hydrology.d8 import receivers
from terrain_addon.core.layers import LAYERS


def by_key(height, spacing):
    return {m.key: m for m in realism.measure(height, spacing)}


def test_a_real_mountain_lies_within_the_range():
    matplotlib = pytest.importorskip("matplotlib")
    path = Path(matplotlib.get_data_path()) / "sample_data" / "jacksboro_fault_dem.npz"
    with np.load(path) as data:
        height = data["elevation"].astype(np.float32)
    measures = realism.measure(height, 83.0)
    assert all(m.inside for m in measures), realism.report(measures)


@pytest.mark.parametrize("seed", range(20))
def test_default_erosion_makes_land_like_real_mountains(seed):
    made = dataclasses.replace(presets.load("alps"), seed=seed)
    usual = dataclasses.replace(LAYERS["erosion"](), valley_spacing=490.0)  # 0 comes to 491 m
    assert made.layers[-1].settings == usual, "the layer as it comes"
    height = evaluate(made, made.pixel_grid(512)).height
    measures = realism.measure(height, made.size_x / 512)
    assert sum(m.inside for m in measures) >= 8, realism.report(measures)


@pytest.mark.parametrize("seed", range(4))
def test_uneven_rock_makes_mountains_and_no_domes(seed):
    """Rock as uneven as can be keeps most measures within those of real mountains; hard patches of
    many valleys would stand alone on plains."""
    made = dataclasses.replace(presets.load("alps"), seed=seed)
    uneven = dataclasses.replace(made.layers[-1].settings, rock_hardness_variation=1.0)
    layers = (*made.layers[:-1], dataclasses.replace(made.layers[-1], settings=uneven))
    made = dataclasses.replace(made, layers=layers)
    height = evaluate(made, made.pixel_grid(512)).height
    measures = realism.measure(height, made.size_x / 512)
    assert sum(m.inside for m in measures) >= 7, realism.report(measures)


def test_gullies_and_rock_do_not_dam_the_rivers():
    """Nor do they lead them astray, into a hollow beside the valley's floor: rivers of the Alps
    fill no hollow of the surface that is as deep as gullies are."""
    made = presets.load("alps")
    grid = made.pixel_grid(512)
    height = evaluate(made, grid).height
    tree = hydrology.route(height)
    depth = hydrology.spill_levels(height, tree) - height
    rivers = hydrology.drainage_area(tree, grid.dx) > (0.1 * made.size_x) ** 2
    assert np.quantile(depth[rivers], 0.99) < 9
    assert depth[rivers].max() < 20


FOUND_OUT = ("hollows", "concavity", "skew", "landforms")


def plain_noise(seed, gain):
    x = np.arange(512) / 512 * 3
    fbm = noise.sample_grid("perlin", x, x, seed=seed, fractal="fbm", octaves=8, gain=gain)
    return by_key(fbm * 300, 2.0)


@pytest.mark.parametrize("seed", range(10))
def test_plain_noise_is_found_out(seed):
    """With the gain that presets have."""
    measures = plain_noise(seed, 0.45)
    for key in (*FOUND_OUT, "hack"):
        assert not measures[key].inside, key


def test_rougher_noise_is_found_out_too():
    hack = []
    for seed in range(3):
        measures = plain_noise(seed, 0.5)
        for key in FOUND_OUT:
            assert not measures[key].inside, key
        hack.append(measures["hack"].value)
    assert np.mean(hack) < 0.51


@pytest.mark.parametrize("gain", [0.55, 0.6])
def test_still_rougher_noise_has_ridges_and_rivers_but_not_the_rest(gain):
    for seed in range(3):
        measures = plain_noise(seed, gain)
        for key in ("hollows", "concavity", "skew"):
            assert not measures[key].inside, key
        assert measures["landforms"].inside
        assert sum(m.inside for m in measures.values()) <= 7


def test_planes_and_cones_have_known_measures():
    j, i = np.mgrid[-64:64, -64:64].astype(np.float32)
    plane = by_key(i + 0.01 * np.sin(j), 1.0)
    assert plane["hypsometric"].value == pytest.approx(0.5, abs=0.01)
    assert plane["slopes"].value == pytest.approx(1.0, abs=0.01)
    assert plane["hollows"].value == 0
    forms = realism.landforms(-np.abs(i), 1.0)
    assert (forms[:, 64 - 12] == realism.RIDGE).all()
    assert (realism.landforms(np.abs(i), 1.0)[:, 64 - 12] == realism.VALLEY).all()
    assert (realism.landforms(np.zeros((64, 64), np.float32), 1.0) == 1).all()


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
    """Against one sample after the other, with the landforms told apart as in the paper. On gentle
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
    slope = np.hypot(*np.gradient(terrain, 2.0))
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


def test_spectral_slope_of_noise_with_a_known_spectrum():
    rng = np.random.default_rng(1)
    wave = np.hypot(np.fft.fftfreq(256)[:, None], np.fft.fftfreq(256))
    wave[0, 0] = 1
    field = np.fft.ifft2(np.fft.fft2(rng.standard_normal((256, 256))) * wave**-1.5).real
    assert realism.spectral_slope(field.astype(np.float32)) == pytest.approx(3.0, abs=0.3)


def test_what_cannot_be_measured_is_refused():
    with pytest.raises(ValueError, match="Flat"):
        realism.measure(np.zeros((64, 64), np.float32), 1.0)
    with pytest.raises(ValueError, match="At least 32"):
        realism.measure(np.ones((64, 8), np.float32), 1.0)
    with pytest.raises(Cancelled):
        realism.measure(np.eye(64, dtype=np.float32), 1.0, cancelled=lambda: True)


Y, X = np.mgrid[-64:64, -64:64].astype(np.float32)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    ("height", "undefined"),
    [
        (X, {"spectral_slope", "bifurcation"}),
        (-np.hypot(X, Y), {"hack", "bifurcation"}),
        (np.maximum(20 - np.hypot(X, Y), 0), {"bifurcation", "slopes"}),
        (np.where((X == 0) & (Y == 0), np.float32(5), 0), {"hypsometric", "bifurcation", "slopes"}),
        (np.floor(X / 16), {"bifurcation", "slopes"}),
    ],
    ids=["ramp", "cone", "cone on a plain", "spike", "stairs"],
)
def test_what_a_land_does_not_have_is_none(height, undefined):
    measures = realism.measure(height.astype(np.float32), 1.0)
    assert {m.key for m in measures if np.isnan(m.value)} == undefined
    assert all(abs(m.value) < 1e4 for m in measures if m.key not in undefined)
    assert not any(m.inside for m in measures if m.key in undefined)
    text = realism.report(measures)
    assert text.count(" none ") == len(undefined)
    assert "nan" not in text


def test_report_names_every_measure():
    rng = np.random.default_rng(1)
    measures = realism.measure(rng.random((64, 64), dtype=np.float32), 1.0)
    text = realism.report(measures)
    assert all(m.label in text for m in measures)
    assert len(measures) == 10


def test_gullies_stay_off_crests():
    """Along which they would look like rails."""
    made = presets.load("alps")
    grid = made.pixel_grid(512)
    *others, last = made.layers

    def height(depth):
        settings = dataclasses.replace(last.settings, gully_depth=depth)
        layers = (*others, dataclasses.replace(last, settings=settings))
        return evaluate(dataclasses.replace(made, layers=layers), grid).height

    smooth = height(0.0)
    change = np.abs(height(last.settings.gully_depth) - smooth)
    above = smooth - box(smooth, round(0.25 * last.settings.unit(made.size_x) / grid.dx))
    low, middle, high = np.quantile(above, [0.5, 0.8, 0.97])
    sides = change[(above > low) & (above < middle)].mean()
    assert change[above > high].mean() < 0.45 * sides
