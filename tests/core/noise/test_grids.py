# SPDX-License-Identifier: GPL-3.0-or-later
"""Grids of every basis against points: odd shapes, narrow cells, far places, seams, memory."""

from __future__ import annotations

import tracemalloc
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

from terrain_addon.core import Grid, noise
from terrain_addon.core.noise.cellular import grid as cellular_grid
from terrain_addon.core.noise.hashing.fastnoise_hash import GRADIENTS_2D
from terrain_addon.core.noise.lattice import bands
from terrain_addon.core.noise.sampling import sample
from terrain_addon.core.noise.simplex import bases as simplex_bases, diagonals, kernel_rows
from tests.core.noise.places import axis

SIMPLEX = ["opensimplex2", "opensimplex2s"]
FAST = [*SIMPLEX, "cellular", "perlin", "value", "value_cubic"]

places = st.tuples(
    st.floats(-1e5, 1e5), st.sampled_from([1e-4, 0.003, 0.06, 0.24, 0.51, 0.97, 1.9, 41.0, -0.17])
)


@pytest.mark.parametrize("basis", FAST)
@given(
    x=places,
    y=places,
    shape=st.tuples(st.integers(1, 70), st.integers(1, 90)),
    seed=st.integers(0, 2**32 - 1),
    fractal=st.sampled_from(["fbm", "ridged", "hybrid_multifractal"]),
    lacunarity=st.sampled_from([1.0, 1.7, 2.0, 3.1]),
    period=st.none() | st.tuples(st.integers(1, 9), st.integers(1, 9)),
)
def test_grids_equal_points(
    basis: str, x: Any, y: Any, shape: tuple[int, int], period: Any, **options: Any
) -> None:
    if period is not None:
        options["lacunarity"] = float(int(options["lacunarity"]))
    columns, rows = axis(x, shape[1]), axis(y, shape[0])
    grid = noise.sample_grid(basis, columns, rows, octaves=4, period=period, **options)
    points = noise.sample(basis, columns, rows[:, None], octaves=4, period=period, **options)
    np.testing.assert_allclose(grid, points, rtol=0, atol=2e-6)


@pytest.mark.parametrize("basis", ["value", "value_cubic", "cosine_value", "white"])
@given(
    x=places,
    y=places,
    shape=st.tuples(st.integers(1, 70), st.integers(2, 90)),
    seed=st.integers(0, 2**32 - 1),
    lacunarity=st.sampled_from([0.3, 1.7, 2.0, 3.1]),
    shuffled=st.booleans(),
    data=st.data(),
)
def test_rows_that_coarse_octaves_share(
    basis: str, x: Any, y: Any, shape: tuple[int, int], seed: int, lacunarity: float,
    shuffled: bool, data: st.DataObject,
) -> None:  # fmt: skip
    columns, rows = axis(x, shape[1]), axis(y, shape[0])
    if shuffled:
        rows = np.random.default_rng(seed).permutation(rows)
    options: dict[str, Any] = {"seed": seed, "fractal": "fbm", "octaves": 6}
    options["lacunarity"] = lacunarity
    grid = noise.sample_grid(basis, columns, rows, **options)
    points = noise.sample(basis, columns, rows[:, None], **options)
    np.testing.assert_allclose(grid, points, rtol=0, atol=2e-6)
    start = data.draw(st.integers(0, shape[0] - 1))
    stop = data.draw(st.integers(start + 1, shape[0]))
    window = noise.sample_grid(basis, columns[1:], rows[start:stop], **options)
    assert np.array_equal(window, grid[start:stop, 1:])


@pytest.mark.parametrize("basis", ["value", "value_cubic", "perlin"])
@pytest.mark.parametrize("fractal", ["fbm", "ridged"])
def test_bands_of_any_height_have_the_same_bits(
    basis: str, fractal: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    x = np.arange(200) / 60 - 1.3
    grid = noise.sample_grid(basis, x, x, fractal=fractal, octaves=7)
    for height in (1, 5, 64):
        monkeypatch.setattr(bands, "BAND", height)
        assert np.array_equal(grid, noise.sample_grid(basis, x, x, fractal=fractal, octaves=7))


@pytest.mark.parametrize("basis", SIMPLEX)
@pytest.mark.parametrize("step", [0.004, 0.3, 0.9])
@pytest.mark.parametrize("fractal", ["fbm", "ridged"])
def test_blocks_and_tiles_of_diagonals_change_no_bit(
    basis: str, step: float, fractal: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    x = np.arange(200) * step - 90
    options: dict[str, Any] = {"fractal": fractal, "octaves": 2, "lacunarity": 1.1, "seed": 5}
    grid = noise.sample_grid(basis, x, x[120::-1], **options)
    monkeypatch.setattr(kernel_rows, "LARGEST_TABLE", 0)
    assert np.array_equal(grid, noise.sample_grid(basis, x, x[120::-1], **options))
    monkeypatch.setattr(simplex_bases, "ROWS", 77)
    monkeypatch.setattr(simplex_bases, "COLUMNS", 61)
    monkeypatch.setattr(diagonals, "SAMPLES", 133)
    monkeypatch.setattr(diagonals, "LEAST", 2)
    monkeypatch.setattr(kernel_rows, "FEW", 0)
    assert np.array_equal(grid, noise.sample_grid(basis, x, x[120::-1], **options))


@pytest.mark.parametrize("basis", SIMPLEX)
@given(
    x=st.floats(-1e5, 1e5),
    y=st.floats(-1e5, 1e5),
    step=st.sampled_from([1e-4, 0.003, 0.06, 0.24, 0.51, 0.97, 1.9]),
    signs=st.tuples(st.sampled_from([1, -1]), st.sampled_from([1, -1])),
    shape=st.tuples(st.integers(1, 300), st.integers(1, 300)),
    seed=st.integers(0, 2**32 - 1),
    fractal=st.sampled_from(["fbm", "ridged", "hybrid_multifractal"]),
    lacunarity=st.sampled_from([1.0, 1.7, 2.0, 3.1]),
    octave_seeds=st.sampled_from(noise.OCTAVE_SEEDS),
    period=st.none() | st.tuples(st.integers(1, 9), st.integers(1, 9)) | st.just((5, 5)),
)
def test_grids_of_square_cells_equal_points(
    basis: str, x: float, y: float, step: float, signs: tuple[int, int], shape: tuple[int, int],
    period: Any, **options: Any,
) -> None:  # fmt: skip
    if period is not None:
        options["lacunarity"] = float(int(options["lacunarity"]))
    columns = noise.RegularAxis.counted(x, signs[0] * step, -7, shape[1])
    rows = noise.RegularAxis.counted(y, signs[1] * step, 1, shape[0])
    grid = noise.sample_grid(basis, columns, rows, octaves=4, period=period, **options)
    places = columns.values, rows.values[:, None]
    points = noise.sample(basis, *places, octaves=4, period=period, **options)
    np.testing.assert_allclose(grid, points, rtol=0, atol=2e-6)


@pytest.mark.parametrize("basis", SIMPLEX)
def test_which_grids_are_made_along_their_diagonals(
    basis: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    plans: list[type] = []
    monkeypatch.setattr(sample, "run_plan", lambda plan, *rest: plans.append(type(plan)))
    terrain = Grid.points(2000.0, 1000.0, 2049, 1025)
    window = terrain.window(5, 7, 2, 1)
    x = np.arange(400) * 0.1
    for rows, columns in (
        (terrain.across / 70.0, terrain.along / 70.0),
        (-(window.along - 3.0) / 70.0, window.across / 70.0),
        (x, 3 - x),
        (x, x * 1.001),
        (x, x[:20]),  # small ones take longer so, and as arrays promise nothing
        (30 * x, 30 * x),
    ):
        noise.sample_grid(basis, columns, rows, fractal="fbm", octaves=3)
    assert [plan is simplex_bases.DiagonalGrid for plan in plans] == [1, 1, 1, 0, 0, 0]


def plain_simplex(basis: str, x: Any, y: Any) -> Any:
    """The sum of all kernels in reach, in float64 and in x and y, of seed 0."""
    squared, scale, reach = {
        "opensimplex2": (1 / 2, 99.83685446303647, (0, 1)),
        "opensimplex2s": (2 / 3, 18.24196194486065, (-1, 2)),
    }[basis]
    skewed = [coord + (x + y) * (3**0.5 - 1) / 2 for coord in (x, y)]
    cells = [np.floor(coord) for coord in skewed]
    gradients = np.stack(GRADIENTS_2D).astype(np.float64)
    total = np.zeros(np.broadcast_shapes(x.shape, y.shape))
    for right in range(reach[0], reach[1] + 1):
        for up in range(reach[0], reach[1] + 1):
            i, j = cells[0] + right, cells[1] + up
            turn = (i + j) * (3 - 3**0.5) / 6
            dx, dy = x - (i - turn), y - (j - turn)
            keys = [k.astype(np.int64) * p for k, p in ((i, 501125321), (j, 1136930381))]
            value = ((keys[0] ^ keys[1]) & 0xFFFFFFFF) * 0x27D4EB2D & 0xFFFFFFFF
            index = ((value ^ value >> 15) & 254) >> 1
            kernel = np.maximum(squared - dx * dx - dy * dy, 0) ** 4
            total += kernel * (gradients[0][index] * dx + gradients[1][index] * dy)
    return total * scale


@pytest.mark.parametrize("basis", SIMPLEX)
@pytest.mark.parametrize("place", [0.0, -3000.5, 2e6])
def test_simplex_grids_are_exact(basis: str, place: float) -> None:
    x, y = place + np.arange(300) / 17.3, np.arange(320) / 19.1 - place
    for rows in (y, np.arange(320) / 17.3 - place):  # the second with square cells
        grid = noise.sample_grid(basis, x, rows)
        np.testing.assert_allclose(
            grid, plain_simplex(basis, x, rows[:, None]), rtol=0, atol=1.5e-6
        )


@pytest.mark.parametrize("basis", SIMPLEX)
def test_far_simplex_grids_equal_points(basis: str) -> None:
    x, y = 3e9 + np.arange(40) / 7, np.array([-8e10, 0.25, 5e9])
    grid = noise.sample_grid(basis, x, y)
    assert np.array_equal(grid, noise.sample(basis, x, y[:, None]))


def test_grids_in_any_order_have_the_same_bits() -> None:
    """Also where samples lie so far apart that no table of vertices fits."""
    x = np.concatenate([np.arange(50) / 9, [-4e6, 3e6, 17.5, -2.25]])
    order = np.random.default_rng(4).permutation(x.size)
    for basis in FAST:
        grid = noise.sample_grid(basis, x, x, fractal="fbm", octaves=2)
        moved = noise.sample_grid(basis, x[order], x[order], fractal="fbm", octaves=2)
        assert np.array_equal(grid[np.ix_(order, order)], moved), basis
        near = noise.sample_grid(basis, x[:50], x[:50] * 1.01, fractal="fbm", octaves=2)
        grid = noise.sample_grid(basis, x, x * 1.01, fractal="fbm", octaves=2)
        assert np.array_equal(grid[:50, :50], near), basis


@pytest.mark.slow
@pytest.mark.parametrize("basis", FAST)
@pytest.mark.parametrize("spacing", [1 / 256, 0.4, 30.0])
def test_memory_beyond_the_output_is_small(
    basis: str, spacing: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sample, "TERMS_PER_THREAD", 1)
    x = np.arange(8192) * spacing
    out = np.empty((96, 8192), np.float32)
    tracemalloc.start()
    noise.sample_grid(
        basis, x, x[:96], fractal="fbm", octaves=16, lacunarity=1.1, out=out, threads=2
    )
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 64 << 20


@pytest.mark.parametrize("spacing", [3.7, 14.4])
def test_narrow_cells_of_whole_blocks_take_little_memory(
    spacing: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    x, out = np.arange(2048) * spacing, np.empty((256, 2048), np.float32)
    options: dict[str, Any] = {"return_type": "cell_value", "seed": 5, "fractal": "fbm"}
    tracemalloc.start()
    noise.sample_grid("cellular", x, x[:256], out=out, octaves=2, lacunarity=1.1, **options)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 32 << 20
    monkeypatch.setattr(cellular_grid, "LATTICE", 2**40)
    whole = noise.sample_grid("cellular", x, x[:256], octaves=2, lacunarity=1.1, **options)
    assert np.array_equal(out, whole)
