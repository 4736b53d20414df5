# SPDX-License-Identifier: GPL-3.0-or-later
"""Fractal noise: the published sums and maps, from the settings of the layer alone."""

import csv
import dataclasses
from pathlib import Path

import numpy as np
import pytest

from terrain_addon.core import Cache, Grid, Layer, Recipe, evaluate, noise
from terrain_addon.core.layers import LAYERS, LayerKind
from terrain_addon.core.layers.generate.fractal_noise import with_noise_settings
from terrain_addon.core.numerics import axis as square
from terrain_addon.core.settings import settings_of

REFERENCE = Path(__file__).parents[2] / "reference"
FractalNoise = LAYERS["fractal_noise"]


def rows_of(name):
    """The numbers of a reference table, a dictionary per row."""
    with (REFERENCE / name).open() as file:
        return [
            {key: float(text) for key, text in row.items() if key != "colour"}
            for row in csv.DictReader(file)
        ]


def made(kind, grid, seed=0):
    recipe = Recipe(seed=seed, layers=(Layer.of(kind),))
    return evaluate(recipe, grid).height


def at(kind, x, y, seed=0):
    """The layer at one place in meters, far from any rounding of a regular grid."""
    return made(kind, Grid(1, 1, x, y, 1.0, 1.0), seed)[0, 0]


def test_noiselib_octave_sums():
    rows = rows_of("noiselib_fractal.csv")
    for row in rows:
        kind = FractalNoise(
            basis="noiselib",
            height=1.0,
            size=1.0,
            octaves=int(row["octaves"]),
            gain=row["persistence"],
            normalize=False,
        )
        got = at(kind, row["x"], row["y"], seed=int(row["seed"]))
        assert got == pytest.approx(row["value"], abs=1e-5)


def test_tutorial_octave_sums():
    for row in rows_of("permutation_fractal.csv"):
        kind = FractalNoise(
            basis="permutation_perlin",
            height=1.0,
            size=1.0,
            octaves=int(row["octaves"]),
            gain=row["persistence"],
            lacunarity=row["lacunarity"],
            octave_seeds="offset",
            animate=True,
            evolution=row["z"],
        )
        got = at(kind, row["x"], row["y"], seed=int(row["seed"]))
        assert got == pytest.approx(row["value"], abs=1e-5)


def test_tutorial_map():
    rows = rows_of("tutorial_heightmap.csv")
    first = rows[0]
    width, height = int(first["width"]), int(first["height"])
    kind = FractalNoise(
        basis="permutation_perlin",
        height=1.0,
        size=1.0,
        octaves=int(first["octaves"]),
        gain=first["persistence"],
        lacunarity=first["lacunarity"],
        octave_seeds="offset",
    )
    steps = first["x_increment"] * 100 / width, first["y_increment"] * 100 / height
    grid = Grid(width, height, 0.0, 0.0, *steps)
    got = made(kind, grid, seed=int(first["seed"]))
    assert len(rows) == width * height
    for row in rows:
        assert got[int(row["y"]), int(row["x"])] == pytest.approx(row["value"], abs=1e-5)


def test_cosine_value_map():
    rows = rows_of("cosine_value_map.csv")
    maps = {(r["seed"], r["octaves_inclusive"], r["persistence"], r["zoom"]) for r in rows}
    assert len(maps) == 2
    for seed, last_octave, persistence, zoom in maps:
        kind = FractalNoise(
            basis="cosine_value",
            height=1.0,
            size=zoom,
            octaves=int(last_octave) + 1,
            gain=persistence,
            normalize=False,
            octave_seeds="same",
        )
        mine = [r for r in rows if (r["seed"], r["zoom"]) == (seed, zoom)]
        nx, ny = (int(max(r[axis] for r in mine)) + 1 for axis in "ij")
        got = made(kind, Grid(nx, ny, 0.0, 0.0, 1.0, 1.0), seed=int(seed))
        for row in mine:
            assert got[int(row["j"]), int(row["i"])] == pytest.approx(row["value"], abs=1e-5)


@pytest.mark.parametrize("basis", noise.BASES)
@pytest.mark.parametrize("fractal", noise.FRACTALS)
def test_every_basis_and_fractal_stays_near_its_height(basis, fractal):
    kind = FractalNoise(basis=basis, fractal=fractal, height=50.0, octaves=5)
    got = made(kind, Recipe().grid(65))
    assert np.isfinite(got).all()
    assert np.ptp(got) > 5 and np.abs(got).max() < 1.3 * 50


def test_height_size_and_offset_are_meters():
    recipe = Recipe()
    grid = recipe.grid(41)
    base = made(FractalNoise(), grid)
    np.testing.assert_allclose(made(FractalNoise(height=-250.0), grid), -2.5 * base, rtol=1e-5)
    moved = made(FractalNoise(offset_x=grid.dx * 3, offset_y=-grid.dy * 2), grid)
    np.testing.assert_allclose(moved[:-2, 3:], base[2:, :-3], atol=1e-3)
    doubled = Grid.points(2000.0, 2000.0, 41, 41)
    np.testing.assert_allclose(made(FractalNoise(size=800.0), doubled), base, atol=1e-4)


@pytest.mark.parametrize("quarters", [0, 1, 2, 3, -1, 5])
def test_quarter_turns_turn_the_terrain(quarters):
    grid = Recipe().grid(33)
    turned = made(FractalNoise(rotation=90.0 * quarters), grid)
    # Row 0 is the south, so counter-clockwise is rot90 the other way round.
    np.testing.assert_allclose(turned, np.rot90(made(FractalNoise(), grid), -quarters), atol=1e-3)


@pytest.mark.parametrize("basis", noise.BASES)
@pytest.mark.parametrize("settings", [{}, {"octaves": 9, "keep_fine": False}])
def test_the_ways_of_a_quarter_turn_and_of_any_turn_agree(basis, settings):
    grid = Recipe().grid(33)
    if basis in {"white", "cellular"}:
        pytest.skip("has jumps, where the rounding of a turn shows")
    quarter = made(FractalNoise(basis=basis, rotation=90.0, **settings), grid)
    nearly = made(FractalNoise(basis=basis, rotation=90.0 + 1e-9, **settings), grid)
    np.testing.assert_allclose(nearly, quarter, atol=0.01)


def test_any_turn_turns_the_terrain():
    """A point and its turned place have the same height."""
    angle = np.radians(37.0)
    for x, y in ((120.0, 35.0), (-300.0, 210.0), (5.0, -444.0)):
        u, v = np.cos(angle) * x - np.sin(angle) * y, np.sin(angle) * x + np.cos(angle) * y
        turned = at(FractalNoise(rotation=37.0), u, v)
        assert turned == pytest.approx(at(FractalNoise(), x, y), abs=1e-3)


def test_evolution_flows():
    grid = Recipe().grid(33)

    def frame(z, basis="perlin"):
        return made(FractalNoise(basis=basis, animate=True, evolution=z, octaves=3), grid)

    steps = [np.abs(frame(z + 0.01) - frame(z)).max() for z in (-1.3, 0.0, 0.995, 2.5)]
    assert 0 < max(steps) < 10, "no jumps"
    assert np.abs(frame(2.7) - frame(0.2)).max() > 20
    flat = made(FractalNoise(basis="permutation_perlin", octaves=3), grid)
    np.testing.assert_allclose(frame(0.0, "permutation_perlin"), flat, atol=1e-4)


def test_evolution_is_ignored_by_flat_noises():
    flat = next(key for key, basis in noise.BASES.items() if 3 not in basis.dimensions)
    grid = Recipe().grid(9)
    evolved = made(FractalNoise(basis=flat, animate=True, evolution=3.3), grid)
    np.testing.assert_array_equal(evolved, made(FractalNoise(basis=flat), grid))


def test_grids_that_resolve_all_octaves_agree_to_the_bit():
    kind = FractalNoise(octaves=5, size=410.0, keep_fine=False)  # cells of 25.6 m and wider
    whole = made(kind, Recipe().grid(321))
    for factor in (2, 4):
        coarse = made(kind, Recipe().grid(320 // factor + 1))
        np.testing.assert_array_equal(coarse, whole[::factor, ::factor])
    assert (made(kind, Recipe().grid(41)) != whole[::8, ::8]).any()
    kept = FractalNoise(octaves=5, size=410.0)
    np.testing.assert_array_equal(made(kept, Recipe().grid(41)), whole[::8, ::8])


def test_fading_takes_away_what_a_grid_cannot_show_and_nothing_else():
    recipe = Recipe()  # cells of 400, 200, 100 ... 3.125 m
    fine, coarse = recipe.grid(1025), recipe.grid(33)
    kept, faded = FractalNoise(), FractalNoise(keep_fine=False)
    np.testing.assert_array_equal(made(kept, fine), made(faded, fine))
    assert np.abs(made(kept, coarse) - made(faded, coarse)).max() > 0.5
    # At 31 m between points the octaves of 400, 200 and 100 m are whole, those from 25 m on gone.
    full = sum(0.5**k for k in range(8))
    three = FractalNoise(octaves=3, height=100 * sum(0.5**k for k in range(3)) / full)
    four = FractalNoise(octaves=4, height=100 * sum(0.5**k for k in range(4)) / full)
    a, b, got = made(three, coarse), made(four, coarse), made(faded, coarse)
    assert (np.minimum(a, b) - 1e-3 <= got).all() and (got <= np.maximum(a, b) + 1e-3).all()


def test_windows_of_a_faded_terrain_agree():
    kind, grid = FractalNoise(keep_fine=False), Recipe().grid(65)
    part = made(kind, grid.window(10, 20, 3, 40))
    np.testing.assert_array_equal(part, made(kind, grid)[20:60, 10:13])


@pytest.mark.parametrize("basis", ["opensimplex2", "opensimplex2s"])
@pytest.mark.parametrize("rotation", [0.0, 90.0, 180.0])
@pytest.mark.parametrize("warp", [0.0, 50.0])
@pytest.mark.parametrize("seamless", [False, True])
def test_windows_of_terrain_made_along_diagonals_have_the_same_bits(
    basis, rotation, warp, seamless, monkeypatch
):
    monkeypatch.setattr(square, "LEAST", 2)  # arrays, that know no origin, would show
    kind = FractalNoise(
        basis=basis, rotation=rotation, warp_amount=warp, seamless=seamless, size=310.0,
        offset_x=7.7, offset_y=-123.4,
    )  # fmt: skip
    for grid in (Recipe().grid(101), Recipe().pixel_grid(100)):
        whole = made(kind, grid)
        for i, j, nx, ny in ((0, 0, 30, 20), (40, 31, 60, 23), (96, 5, 1, 95), (50, 50, 1, 1)):
            part = made(kind, grid.window(i, j, nx, ny))
            np.testing.assert_array_equal(part, whole[j : j + ny, i : i + nx])


def test_settings_of_a_basis_are_settings_of_the_layer():
    grid = Recipe().grid(33)
    for key, basis in noise.BASES.items():
        usual = made(FractalNoise(basis=key), grid)
        for setting in basis.settings:
            shown = {s.name: s.shown_if for s in settings_of(FractalNoise)}[setting.name]
            assert shown and shown[0] == "basis" and key in shown[1]
            for choice in setting.choices[:4]:
                kind = FractalNoise(basis=key, **{setting.name: choice.key})
                changed = bool((made(kind, grid) != usual).any())
                assert changed == (choice.key != setting.default)


def test_a_new_basis_appears_by_itself(monkeypatch):
    """Choices and settings come from the registry of bases."""
    cellular = next(basis for basis in noise.BASES.values() if basis.settings)
    monkeypatch.setitem(noise.BASES, "perlin", cellular)
    monkeypatch.setattr(noise.FRACTALS["fbm"], "settings", noise.FRACTALS["swiss"].settings)
    found = {
        setting.name: setting.shown_if for setting in settings_of(with_noise_settings(LayerKind))
    }
    for setting in cellular.settings:
        assert found[setting.name] == ("basis", ("perlin", "cellular"))
    assert found["swiss_warp"] == ("fractal", ("fbm", "swiss"))


def test_settings_of_a_fractal_are_used():
    grid = Recipe().grid(33)
    low, high = (
        made(FractalNoise(fractal="multifractal", offset=offset), grid) for offset in (0.2, 1.5)
    )
    assert np.abs(high - low).max() > 5


def test_warp_equals_noise_at_warped_places():
    kind = FractalNoise(
        warp_amount=60.0, warp_size=250.0, octaves=4, size=300.0, height=1.0, seed=5
    )
    grid = Recipe().grid(33)
    x, y = noise.warp(
        "opensimplex2", grid.x, grid.y[:, None], seed=5, amplitude=60.0, frequency=1 / 250,
        fractal="independent", octaves=3,
    )  # fmt: skip
    expected = noise.sample("perlin", x / 300, y / 300, seed=5, fractal="fbm", octaves=4)
    np.testing.assert_allclose(made(kind, grid), expected, atol=1e-4)
    straight = made(FractalNoise(octaves=4, size=300.0, height=1.0, seed=5), grid)
    assert np.abs(made(kind, grid) - straight).max() > 0.05


@pytest.mark.parametrize("warp", [0.0, 70.0])
@pytest.mark.parametrize("rotation", [0.0, 90.0, 31.0])
@pytest.mark.parametrize("basis", noise.BASES)
def test_seamless_borders_meet(basis, rotation, warp):
    """The first and last rows and columns are one, and the terrain goes on across the border."""
    kind = FractalNoise(
        basis=basis, seamless=True, size=330.0, lacunarity=2.2, rotation=rotation, offset_x=17.3,
        warp_amount=warp, height=1.0, octaves=4,
    )  # fmt: skip
    recipe = Recipe(size_x=1300.0, size_y=900.0, layers=(Layer.of(kind),))
    grid = recipe.grid(131)
    height = evaluate(recipe, grid).height
    jumps = np.abs(height[:, 0] - height[:, -1]), np.abs(height[0] - height[-1])
    # White noise and cell borders: a point right on a jump may fall on either side of it.
    for jump in jumps:
        assert np.quantile(jump, 0.95 if basis in ("white", "cellular") else 1) < 1e-4
    if basis != "white":
        inner = np.abs(np.diff(height, axis=1)).max()
        across = np.abs(height[:, 1] - height[:, -2]).max()
        assert across < 2.5 * inner
    usual = FractalNoise(size=330.0, octaves=4, basis=basis, height=1.0)
    plain = evaluate(dataclasses.replace(recipe, layers=(Layer.of(usual),)), grid).height
    assert np.abs(plain[:, 0] - plain[:, -1]).max() > 0.05


@pytest.mark.parametrize("warp", [0.0, 30.0])
def test_seamless_octaves_fade_by_the_size_that_their_cells_have(warp):
    """Sizes beyond the terrain become the whole of it."""
    small, large = (
        made(FractalNoise(
            size=size, seamless=True, keep_fine=False, octaves=12, warp_amount=warp
        ), Recipe().grid(65))
        for size in (Recipe().size_x, 1e7)
    )  # fmt: skip
    np.testing.assert_array_equal(small, large)


@pytest.mark.parametrize("fractal", noise.FRACTALS)
def test_every_fractal_can_be_seamless(fractal):
    recipe = Recipe(layers=(Layer.of(FractalNoise(fractal=fractal, seamless=True, height=1.0)),))
    height = evaluate(recipe, recipe.grid(65)).height
    np.testing.assert_allclose(height[:, 0], height[:, -1], atol=2e-4)
    np.testing.assert_allclose(height[0], height[-1], atol=2e-4)


@pytest.mark.parametrize("rotation", [90.0, 360.0, 3600.0, -720.0])
def test_bent_windows_of_whole_turns_fit_the_whole(rotation):
    """The sine of 360 degrees is not 0: x then followed from the first row of a window."""
    kind = FractalNoise(
        basis="value", offset_x=1000.0, warp_amount=200.0, warp_octaves=12, rotation=rotation,
        octave_seeds="offset",
    )  # fmt: skip
    recipe = Recipe(layers=(Layer.of(kind),))
    grid = recipe.grid(33)
    window = dataclasses.replace(grid, nx=9, ny=7, i0=11, j0=13)
    whole = evaluate(recipe, grid).height[13:20, 11:20]
    np.testing.assert_array_equal(evaluate(recipe, window).height, whole)


@pytest.mark.parametrize("settings", [{}, {"rotation": 30.0}, {"warp_amount": 0.5}])
def test_another_height_takes_the_noise_that_is_there(settings, monkeypatch):
    cache, sampled = Cache(), []
    values = FractalNoise._values
    monkeypatch.setattr(FractalNoise, "_values", lambda *of: sampled.append(of) or values(*of))
    grid = Recipe().grid(33)
    for height in (100.0, 0.3, 200.0):
        recipe = Recipe(layers=(Layer.of(FractalNoise(height=height, **settings)),))
        kept = evaluate(recipe, grid, cache=cache).height
        sampled_before = len(sampled)
        np.testing.assert_array_equal(kept, evaluate(recipe, grid).height)
        assert sampled_before == (1 if height == 100.0 else len(sampled) - 1)
    sampled.clear()
    for other in (dataclasses.replace(recipe, seed=1), dataclasses.replace(recipe, size_x=900.0)):
        made = evaluate(other, other.grid(33), cache=cache).height
        np.testing.assert_array_equal(made, evaluate(other, other.grid(33)).height)
    assert len(sampled) == 4
