# SPDX-License-Identifier: GPL-3.0-or-later
"""Elevation data is made finer: its means, its rivers, and forms below its spacing."""

from functools import cache

import numpy as np
import pytest
from hypothesis import given, strategies as st

from terrain_addon.core import (
    Erosion,
    FractalNoise,
    Grid,
    GulliesLayer,
    HeightMap,
    Layer,
    Map,
    Recipe,
    evaluate,
    hydrology as hy,
)

SIDE, CELLS, FINER = 3000.0, 64, 4
CELL = SIDE / CELLS
GRID = Grid.pixels(SIDE, SIDE, CELLS * FINER, CELLS * FINER)
STREAM = 60 * CELL**2
"""Drainage area of the rivers that must stay."""


@cache
def fine() -> np.ndarray:
    """Eroded terrain, of which the data holds the means over cells."""
    layers = (FractalNoise(size=1200.0, height=300.0), Erosion(valley_spacing=150.0))
    return evaluate(Recipe(size_x=SIDE, size_y=SIDE, layers=layers), GRID).height


def means(height: np.ndarray) -> np.ndarray:
    return height.reshape(CELLS, FINER, CELLS, FINER).mean((1, 3))


def amplified(*layers: GulliesLayer) -> Recipe:
    data = Map(
        "Data",
        means(fine()).astype(np.float32),
        to_border=False,
        spacing=(CELL, CELL),
        in_meters=True,
    )
    land = Layer.of(HeightMap(source="Data"))
    return Recipe(size_x=SIDE, size_y=SIDE, layers=(land, *layers), maps=(data,))


def gullies(keep_mean: float) -> GulliesLayer:
    return GulliesLayer(
        scale=1.5 * CELL, depth=0.16 * CELL, slope_start=3.0, slope_full=25.0, keep_mean=keep_mean
    )


def height_of(*layers: GulliesLayer) -> np.ndarray:
    return evaluate(amplified(*layers), GRID, fields=()).height


def test_the_means_over_cells_are_those_of_the_data() -> None:
    wanted = means(fine())
    smooth, loose, kept = (
        float((means(height) - wanted).std())
        for height in (height_of(), height_of(gullies(0.0)), height_of(gullies(CELL)))
    )
    assert kept < 0.4 * smooth
    assert kept < 0.4 * loose


def test_forms_below_the_spacing_are_about_as_strong_as_in_the_fine_terrain() -> None:
    def strength(height: np.ndarray) -> float:
        """Power of waves between one and two cells long."""
        window = np.hanning(len(height))
        power = np.abs(np.fft.rfft2((height - height.mean()) * window * window[:, None])) ** 2
        waves = np.hypot(np.fft.fftfreq(len(height))[:, None], np.fft.rfftfreq(len(height)))
        return float(power[(waves > 0.5 / FINER) & (waves < 1 / FINER)].mean())

    real = strength(fine())
    assert strength(height_of()) < 0.1 * real
    assert 0.2 * real < strength(height_of(gullies(CELL))) < 2 * real


def test_the_rivers_of_the_data_stay_within_a_cell() -> None:
    def streams(height: np.ndarray, least: float) -> np.ndarray:
        return hy.drainage_area(hy.route(height), GRID.dx) > least

    def widened(marked: np.ndarray) -> np.ndarray:
        steps = range(-FINER, FINER + 1)
        return np.any([np.roll(marked, (j, i), (0, 1)) for j in steps for i in steps], axis=0)

    before = streams(height_of(), STREAM)
    after = streams(height_of(gullies(CELL)), STREAM / 4)
    assert before.sum() > 200
    assert (before & widened(after)).sum() > 0.97 * before.sum()


@given(st.floats(0.1, 0.9), st.floats(0.01, 100.0))
def test_the_depth_follows_from_the_data_within_limits(roughness: float, height: float):
    """For forms that fall by a factor from each width to the next."""
    rng, size = np.random.default_rng(5), 64
    data = np.zeros((size, size))
    for power in range(6):
        few = rng.normal(0, height * roughness ** (5 - power), (size >> power,) * 2)
        data += few.repeat(2**power, 0).repeat(2**power, 1)
    gullies = GulliesLayer.on_data(
        Map("Data", data.astype(np.float32), spacing=(30.0, 30.0), in_meters=True)
    )
    assert 0 <= gullies.depth <= 0.16 * 30
    deeper = GulliesLayer.on_data(
        Map("Data", (2 * data).astype(np.float32), spacing=(30.0, 30.0), in_meters=True)
    )
    assert deeper.depth == pytest.approx(min(2 * gullies.depth, 4.8), abs=0.02)


def test_detail_from_the_spectrum_restores_what_coarser_data_lacks():
    """The data averaged over 2 x 2 cells, and made as fine as it was."""

    def forms(height: np.ndarray) -> float:
        blocks = height.reshape(CELLS, FINER, CELLS, FINER).mean((1, 3))
        return float((height - blocks.repeat(FINER, 0).repeat(FINER, 1)).std())

    data = amplified().maps[0]
    detail = GulliesLayer.on_data(data)
    assert detail.keep_mean == pytest.approx(CELL, abs=0.01)
    smooth, made, real = forms(height_of()), forms(height_of(detail)), forms(fine())
    assert smooth < made < 1.1 * real
    wanted = means(fine())
    error = (means(height_of(detail)) - wanted).std()
    assert error < 0.5 * (means(height_of()) - wanted).std()


def test_a_map_without_meters_is_no_data():
    for data in (
        Map("a", np.zeros((4, 4), np.float32)),
        Map("a", np.zeros((4, 4), np.float32), in_meters=True),
    ):
        with pytest.raises(ValueError, match="no elevation data"):
            GulliesLayer.on_data(data)


def test_windows_agree_to_the_bit_and_coarse_grids_have_no_gullies() -> None:
    recipe = amplified(gullies(CELL))
    whole = evaluate(recipe, GRID, fields=()).height
    for i, j, nx, ny in ((0, 0, 40, 30), (100, 130, 33, 50), (216, 206, 40, 50)):
        window = evaluate(recipe, GRID.window(i, j, nx, ny), fields=()).height
        assert np.array_equal(window, whole[j : j + ny, i : i + nx])
    coarse = Grid.pixels(SIDE, SIDE, CELLS, CELLS)
    plain = evaluate(amplified(), coarse, fields=()).height
    assert np.array_equal(evaluate(recipe, coarse, fields=()).height, plain)
