# SPDX-License-Identifier: GPL-3.0-or-later
"""docs/scripts/tell_apart.py: how well a classifier tells presets from real terrain."""

import sys
from pathlib import Path

import numpy as np
import pytest

from terrain_addon.core import noise

SCRIPTS = str(Path(__file__).parents[2] / "docs" / "scripts")


@pytest.fixture
def script(monkeypatch):
    monkeypatch.syspath_prepend(SCRIPTS)
    import tell_apart  # pyright: ignore[reportMissingImports]

    return tell_apart


def terrain(seed, gain=0.5):
    where = np.arange(320) / 60
    return 100 * noise.sample_grid(
        "perlin", where, where, seed=seed, fractal="fbm", octaves=5, gain=gain
    )


def test_the_area_under_the_curve_is_known(script):
    made, real = np.array([0.0, 1.0, 2.0]), np.array([1.0, 3.0])
    assert script.auc(made, real) == pytest.approx((1.5 + 3) / 6)
    assert script.auc(made, made + 5) == 1
    assert script.auc(made + 5, made) == 0
    assert script.auc(made, made) == 0.5


def test_the_regression_finds_what_differs(script):
    """The coefficients of two normal distributions of unit variance are their distance."""
    rng = np.random.default_rng(1)
    made, real = rng.standard_normal((2, 20_000, 3))
    real[:, 1] += 1.5
    assert script.fitted(made, real) == pytest.approx([-1.125, 0, 1.5, 0], abs=0.06)


@pytest.mark.slow
def test_terrain_of_one_kind_is_not_separated_and_of_another_kind_is(script):
    """On seeds that it did not learn from."""

    def thirds(first, gain):
        parts = (terrain(first + k, gain) for k in range(script.THIRDS))
        return script.features_of([script.patches(part) for part in parts])

    one, again, rougher = thirds(1, 0.5), thirds(11, 0.5), thirds(21, 0.6)
    assert abs(script.separation(one, again) - 0.5) < 0.25
    assert script.separation(one, rougher) > 0.97


def test_features_do_not_depend_on_the_scale(script):
    patches = np.array(script.patches(terrain(3)), np.float64)
    found = script.features(patches)
    assert 40 <= len(found) <= 70
    for name, values in script.features(17 * patches + 300).items():
        assert values.shape == (len(patches),)
        assert values == pytest.approx(found[name], rel=1e-6, abs=1e-6), name


def test_level_ground_makes_no_patches(script):
    height = terrain(3)
    height[:, :200] = 5
    assert 0 < len(script.patches(height)) < len(script.patches(terrain(3)))


def test_places_of_a_pool_weigh_the_same(script):
    """However many patches each has; third by third."""
    many, few = (
        [{script.ALIKE: np.full(n, value)} for n in sizes]
        for sizes, value in (((6, 5, 4), 1.0), ((2, 3, 4), 2.0))
    )
    found = [part[script.ALIKE].tolist() for part in script.pooled([many, few])]
    assert found == [[1.0] * n + [2.0] * n for n in (6, 5, 4)]


def test_voids_make_no_patches_and_cells_become_square(script):
    height = terrain(3)
    height[100:140, :120] = np.nan
    whole, holed = (
        script.thirds_of(script.elevation.Elevation(one)) for one in (terrain(3), height)
    )
    counts = [[len(part) for part in parts] for parts in (whole, holed)]
    assert counts[1][0] < counts[0][0] and counts[1][2] == counts[0][2]
    wide = script.elevation.Elevation(np.repeat(terrain(3), 2, axis=1), (1.0, 2.0))
    square = script.thirds_of(wide)
    assert [len(part) for part in square] == counts[0]


@pytest.mark.slow
def test_presets_are_listed_with_their_figures(script, monkeypatch, capsys):
    pytest.importorskip("matplotlib")
    monkeypatch.setattr(sys, "argv", ["tell_apart.py", "rolling_downs", "--features"])
    monkeypatch.setattr(script, "SAMPLES", (192,))
    script.main()
    title, figures, *features = capsys.readouterr().out.splitlines()
    assert "Jacksboro fault" in title
    name, auc = figures.split()
    assert name == "rolling_downs"
    assert 0.9 < float(auc) <= 1
    assert len(features) == 10
