# SPDX-License-Identifier: GPL-3.0-or-later
"""Musgrave's fractals and those of slopes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

from terrain_addon.core import noise
from terrain_addon.core.noise.fractals import eroded, musgrave
from tests.core.noise import plain_fractals
from tests.core.noise.plain_bases import BASES

MUSGRAVE = ["multifractal", "hetero_terrain", "hybrid_multifractal", "ridged_multifractal"]
SLOPES = ["swiss", "jordan", "damped_fbm"]
SMOOTH = sorted(set(noise.BASES) - {"white", "hash_perlin", "cellular"})

options = st.fixed_dictionaries(
    {
        "seed": st.integers(0, 2**31),
        "octaves": st.integers(1, 5),
        "lacunarity": st.sampled_from([1.5, 2.0, 2.25]),
        "gain": st.sampled_from([0.25, 0.5, 0.75]),
    }
)


@given(
    fractal=st.sampled_from(MUSGRAVE),
    basis=st.sampled_from(["perlin", "value", "opensimplex2", "noiselib"]),
    chosen=options,
    offset=st.sampled_from([0.5, 1.0, 1.25]),
)
def test_musgrave_equals_the_plain_reference(
    fractal: str, basis: str, chosen: dict[str, Any], offset: float
) -> None:
    x, y = np.random.default_rng(chosen["seed"]).uniform(-20, 20, (2, 5))
    chosen = {**chosen, "fractal": fractal, "offset": offset}
    result = noise.sample(basis, x, y, normalize=False, **chosen)
    expected = [plain_fractals.musgrave(BASES[basis], p, **chosen) for p in zip(x, y, strict=True)]
    np.testing.assert_allclose(result, expected, rtol=1e-5, atol=1e-5)


@given(fractal=st.sampled_from(SLOPES), basis=st.sampled_from(SMOOTH), chosen=options)
def test_turbulence_equals_the_plain_reference(
    fractal: str, basis: str, chosen: dict[str, Any]
) -> None:
    x, y = np.random.default_rng(chosen["seed"]).uniform(-9, 9, (2, 5))
    chosen = {**chosen, "fractal": fractal}
    result = noise.sample(basis, x, y, normalize=False, **chosen)
    expected = [
        plain_fractals.turbulence(BASES[basis], p, **chosen) for p in zip(x, y, strict=True)
    ]
    np.testing.assert_allclose(result, expected, rtol=0, atol=3e-4)


@pytest.mark.parametrize("fractal", MUSGRAVE + SLOPES)
def test_grids_equal_points_and_stay_within_one(fractal: str) -> None:
    x, y = np.arange(160) / 11 - 3, np.arange(130) / 9 + 5
    chosen: dict[str, Any] = {"seed": 4, "fractal": fractal, "octaves": 6}
    grid = noise.sample_grid("perlin", x, y, **chosen)
    points = noise.sample("perlin", x, y[:, None], **chosen)
    np.testing.assert_allclose(grid, points, rtol=0, atol=2e-6)
    assert -1 <= grid.min() < grid.max() <= 1
    assert np.ptp(grid) > 0.1
    part = noise.sample_grid("perlin", x[20:50], y[70:75], **chosen)
    assert np.array_equal(part, grid[70:75, 20:50])
    tile = noise.sample_grid("perlin", x, y, **chosen, period=(4, 4))
    moved = noise.sample_grid("perlin", x + 4, y - 8, **chosen, period=(4, 4))
    np.testing.assert_allclose(tile, moved, rtol=0, atol=2e-5)


@pytest.mark.parametrize("fractal", [name for name in noise.FRACTALS if name != "none"])
def test_a_coarse_grid_keeps_the_level(fractal: str) -> None:
    x = np.arange(400) / 20 + 0.013
    chosen: dict[str, Any] = {"fractal": fractal, "octaves": 9, "seed": 8, "fade_under": 2.0}
    fine = noise.sample_grid("perlin", x, x, **{**chosen, "fade_under": None})
    coarse = noise.sample_grid("perlin", x[::4], x[::4], **chosen)
    assert abs(fine.mean() - coarse.mean()) < 0.15 * fine.std()
    assert np.corrcoef(fine[::4, ::4].ravel(), coarse.ravel())[0, 1] > 0.9


def test_settings_of_fractals_are_checked() -> None:
    with pytest.raises(ValueError, match="offset: -1.0 is below"):
        noise.sample("perlin", 0.0, 0.0, fractal="multifractal", octaves=3, offset=-1.0)
    with pytest.raises(ValueError, match="no setting 'offset'"):
        noise.sample("perlin", 0.0, 0.0, fractal="fbm", octaves=3, offset=1.0)
    assert all(isinstance(noise.FRACTALS[n], eroded.SlopeFractal) for n in SLOPES)
    assert musgrave.OFFSET in noise.FRACTALS["hetero_terrain"].settings


def test_scattered_points_are_the_same_seen_from_any_cell() -> None:
    rng = np.random.default_rng(3)
    x, y = rng.uniform(-40, 40, (2, 500))
    for jitter in (0.0, 0.5, 1.0):
        seen: dict[tuple[float, float], tuple[float, float]] = {}
        for dx, dy, first, second in noise.scattered(x, y, 17, jitter):
            assert all(n.min() >= 0 and n.max() < 1 for n in (first, second))
            places = np.round(np.stack([x - dx, y - dy], axis=1), 3)
            for place, numbers in zip(places, zip(first, second, strict=True), strict=True):
                assert seen.setdefault(tuple(place), numbers) == numbers
        offsets = np.array(list(seen)) % 1
        spread = np.ptp(offsets, axis=0)
        assert (np.abs(spread - jitter) < 0.03).all()
    assert len(seen) < 85 * 85
