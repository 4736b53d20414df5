# SPDX-License-Identifier: GPL-3.0-or-later
"""Domain warps at points and on grids, and their promises."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

from terrain_addon.core import noise
from tests.core.noise import plain_simplex
from tests.core.noise.places import axes, axis


@pytest.mark.parametrize("dimensions", [2, 3])
@given(
    kind=st.sampled_from(noise.WARPS),
    fractal=st.sampled_from(noise.WARP_FRACTALS),
    seed=st.integers(-(2**33), 2**33),
    x=axes,
    y=axes,
    octaves=st.integers(1, 4),
    gain=st.sampled_from([0.5, 0.75]),
)
def test_warp_equals_the_plain_reference(
    dimensions: int, kind: str, x: Any, y: Any, **options: Any
) -> None:
    options |= {"amplitude": 2.5, "frequency": 0.25, "lacunarity": 2.0}
    points = np.stack([axis(x, 3), axis(y, 3), axis(y, 3)[::-1] + 0.71][:dimensions])
    warped = noise.warp(kind, *points, **options)
    expected = np.transpose([plain_simplex.warp(kind, *p, **options) for p in points.T])
    error = np.abs(np.stack(warped) - expected)
    if dimensions == 2 or kind == "basic_grid":
        assert error.max() < 1e-5
    else:  # where vertices are as near as each other, rounding decides which is taken
        assert np.median(error) < 1e-5
        assert error.max() < 0.02


@given(
    kind=st.sampled_from(noise.WARPS),
    fractal=st.sampled_from(noise.WARP_FRACTALS),
    seed=st.integers(-(2**33), 2**33),
    x=axes,
    y=axes,
    octaves=st.integers(1, 4),
    gain=st.sampled_from([0.0, 0.5, 0.75]),
    period=st.sampled_from([None, (5, 3), (6, 6)]),
    frequency=st.sampled_from([0.25, -0.25]),
    square=st.sampled_from([0, 1, -1]),
)
def test_warped_grids_equal_points(kind: str, x: Any, y: Any, square: int, **options: Any) -> None:
    options |= {"amplitude": 2.5, "lacunarity": 2.0}
    columns, rows = (noise.RegularAxis.counted(p[0], p[1], 0, n) for p, n in ((x, 7), (y, 5)))
    if square:
        rows = noise.RegularAxis.counted(y[0], square * x[1], 0, 5)
    grid = np.stack(noise.warp_grid(kind, columns, rows, **options))
    points = np.stack(noise.warp(kind, columns.values, rows.values[:, None], **options))
    np.testing.assert_allclose(grid, points, rtol=0, atol=2.5e-5)


@pytest.mark.parametrize("kind", noise.WARPS)
@pytest.mark.parametrize("fractal", noise.WARP_FRACTALS)
def test_any_part_of_a_warped_grid_has_the_same_bits(kind: str, fractal: str) -> None:
    x, y = np.arange(600) * 0.037 - 5, np.arange(530) * 0.051 + 2
    options: dict[str, Any] = {"fractal": fractal, "frequency": 1.0, "octaves": 3}
    whole = np.stack(noise.warp_grid(kind, x, y, **options))
    for rows, columns in ((slice(7, 8), slice(0, 1)), (slice(500, 530), slice(3, 590))):
        part = noise.warp_grid(kind, x[columns], y[rows], **options)
        assert np.array_equal(part, whole[:, rows, columns])


@pytest.mark.parametrize("kind", noise.WARPS)
@pytest.mark.parametrize("fractal", noise.WARP_FRACTALS)
def test_any_window_of_warped_square_cells_has_the_same_bits(kind: str, fractal: str) -> None:
    x = noise.RegularAxis.counted(-5.3, 0.037, 300, 600)
    y = noise.RegularAxis.counted(2.2, 0.037, -90, 530)
    options: dict[str, Any] = {"fractal": fractal, "frequency": 1.0, "octaves": 3}
    whole = np.stack(noise.warp_grid(kind, x, y, **options))
    for rows, columns in ((slice(7, 8), slice(0, 1)), (slice(500, 530), slice(3, 590))):
        part = noise.warp_grid(kind, x[columns], y[rows], **options)
        assert np.array_equal(part, whole[:, rows, columns])


def test_warped_grids_of_nothing_or_far_away() -> None:
    assert noise.warp_grid("opensimplex2", [], [1.0, 2.0])[0].shape == (2, 0)
    far = 1e9 + np.arange(9) / 7
    for kind in noise.WARPS:
        grid = noise.warp_grid(kind, far, far[:4], frequency=1.0)
        points = noise.warp(kind, *np.meshgrid(far, far[:4]), frequency=1.0)
        np.testing.assert_allclose(grid, points, rtol=0, atol=1e-5)
    with pytest.raises(ValueError, match="one-dimensional"):
        noise.warp_grid("basic_grid", 1.0, [2.0])
    with pytest.raises(ValueError, match="^x holds NaN"):
        noise.warp_grid("basic_grid", [float("nan")], [2.0])


@pytest.mark.parametrize("dimensions", [2, 3])
@pytest.mark.parametrize("kind", noise.WARPS)
def test_warped_points_do_not_depend_on_their_company(kind: str, dimensions: int) -> None:
    options: dict[str, Any] = {"fractal": "progressive", "frequency": 0.3, "octaves": 3}
    points = np.random.default_rng(3).uniform(-40, 40, (dimensions, 40_000))
    whole = np.stack(noise.warp(kind, *points, **options))
    for part in (slice(0, 1), slice(17, 40), slice(16_000, 17_003)):
        assert np.array_equal(
            np.stack(noise.warp(kind, *points[:, part], **options)), whole[:, part]
        )
    dense = points * 1e-2
    assert np.array_equal(
        np.stack(noise.warp(kind, *dense[:, :9], **options)),
        np.stack(noise.warp(kind, *dense, **options))[:, :9],
    )


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"kind": "swirl"}, "no warp 'swirl'"),
        ({"fractal": "fbm"}, "no warp fractal 'fbm'"),
        ({"octaves": 0}, "octaves must be a whole number from 1 to 32"),
        ({"octaves": 2.5}, "octaves must be a whole number from 1 to 32"),
        ({"seed": 1.5}, "seed must be a whole number, not 1.5"),
        ({"lacunarity": -2.0}, "lacunarity must be above 0"),
        ({"period": (2.5, 3)}, "period must be a whole number of at least 1"),
        ({"period": (2, 3), "lacunarity": 1.5}, "needs a whole lacunarity"),
        ({"amplitude": float("nan")}, "amplitude must be a finite number"),
        ({"x": float("nan")}, "^x holds NaN"),
        ({"x": [1.0, float("inf")]}, "^x holds NaN"),
        ({"z": float("nan")}, "^z holds NaN"),
    ],
)
def test_bad_warps_are_explained(change: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        noise.warp(**{"kind": "basic_grid", "x": 1.0, "y": 2.0, **change})
