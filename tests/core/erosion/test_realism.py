# SPDX-License-Identifier: GPL-3.0-or-later
import dataclasses
import json
from pathlib import Path

import numpy as np
import pytest

from terrain_addon.core import Cancelled, Recipe, evaluate, hydrology, noise, presets
from terrain_addon.core.analysis import realism
from terrain_addon.core.analysis.realism.definitions import FORMS
from terrain_addon.core.erosion.smoothing import box
from terrain_addon.core.layers import LAYERS

ALPS = Path(__file__).parents[2] / "schema" / "recorded" / "presets" / "alps.json"
"""The preset before its forms were chosen for tilted beds."""


def by_key(height, spacing):
    return {m.key: m for m in realism.measure(height, spacing, smoothed=False)}


def test_a_real_mountain_lies_within_the_range():
    matplotlib = pytest.importorskip("matplotlib")
    path = Path(matplotlib.get_data_path()) / "sample_data" / "jacksboro_fault_dem.npz"
    with np.load(path) as data:
        height = data["elevation"].astype(np.float32)
    for smoothed, count in ((True, 21), (False, 10)):
        measures = realism.measure(height, 83.0, smoothed=smoothed)
        assert len(measures) == count
        assert all(m.inside for m in measures), realism.report(measures)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "least"), [("alps", 11), ("badlands", 11), ("dry_wash", 10)])
def test_presets_make_terrain_like_real_terrain(name, least):
    """On seeds that their settings were not chosen by; measure_presets.py takes ten."""
    for seed in (100, 101):
        made = dataclasses.replace(presets.load(name), seed=seed)
        grid = made.pixel_grid(400)
        measures = realism.measure(evaluate(made, grid).height, grid.dx)
        inside = sum(m.inside for m in measures if m.key in FORMS)
        assert inside >= least, realism.report(measures)


@pytest.mark.parametrize("seed", range(4))
def test_uneven_rock_makes_mountains_and_no_domes(seed):
    """Rock as uneven as can be keeps most measures within those of real mountains; hard patches of
    many valleys would stand alone on plains."""
    made = Recipe.from_dict(json.loads(ALPS.read_bytes())[0]["recipe"])
    made = dataclasses.replace(made, seed=seed)
    uneven = LAYERS["erosion"](valley_spacing=490.0, rock_hardness_variation=1.0)
    layers = (*made.layers[:-1], dataclasses.replace(made.layers[-1], settings=uneven))
    made = dataclasses.replace(made, layers=layers)
    height = evaluate(made, made.pixel_grid(512)).height
    measures = realism.measure(height, made.size_x / 512, smoothed=False)
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


def plain_heights(seed, gain):
    x = np.arange(512) / 512 * 3
    fbm = noise.sample_grid("perlin", x, x, seed=seed, fractal="fbm", octaves=8, gain=gain)
    return fbm * np.float32(300)


def plain_noise(seed, gain):
    return by_key(plain_heights(seed, gain), 2.0)


@pytest.mark.parametrize("gain", [0.45, 0.5, 0.55, 0.6])
def test_smoothed_noise_is_found_out(gain):
    for seed in range(3):
        measures = realism.measure(plain_heights(seed, gain), 2.0)
        inside = {m.key for m in measures if m.inside}
        assert not inside & {"hollows", "skew", "broad_skew", "tails"}
        assert len(inside & set(FORMS)) <= 11


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
    for smoothed in (True, False):
        measures = realism.measure(height.astype(np.float32), 1.0, smoothed=smoothed)
        missing = {m.key for m in measures if np.isnan(m.value)}
        if smoothed:
            assert {"bifurcation", "bank_slopes", "valley_widths"} <= missing
        else:
            assert missing == undefined
        assert all(abs(m.value) < 1e4 for m in measures if m.key not in missing)
        assert not any(m.inside for m in measures if m.key in missing)
        text = realism.report(measures)
        assert text.count(" none ") == text.count("nothing to measure") == len(missing)
        assert "nan" not in text


def test_report_names_every_measure():
    rng = np.random.default_rng(1)
    measures = realism.measure(rng.random((64, 64), dtype=np.float32), 1.0)
    text = realism.report(measures)
    assert all(m.label in text for m in measures)
    assert len(measures) == 21


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
