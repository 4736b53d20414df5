# SPDX-License-Identifier: GPL-3.0-or-later
"""Points: the ways to find cells and what is hashed around them agree."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from terrain_addon.core import noise
from terrain_addon.core.noise.hashing import cells, lookup

BASES = ["opensimplex2", "opensimplex2s", "perlin", "value", "value_cubic", "white"]
OCTAVES: dict[str, Any] = {"fractal": "fbm", "octaves": 9, "gain": 0.9, "seed": 3}


def places(dimensions: int, scale: float) -> list[Any]:
    """Scattered points, some of them on lattice lines or just below."""
    coords = np.random.default_rng(1).uniform(-scale, scale, (dimensions, 5000))
    coords[:, :50] = np.rint(coords[:, :50])
    coords[:, 50:100] = np.nextafter(np.rint(coords[:, 50:100]), -np.inf)
    return [*coords]


@pytest.mark.parametrize("basis", BASES)
@pytest.mark.parametrize("dimensions", [2, 3])
@pytest.mark.parametrize("scale", [2.5, 900.0, 2e5])
@pytest.mark.parametrize("fractal", ["fbm", "ridged"])
def test_halved_cells_are_those_of_each_octave(
    basis: str, dimensions: int, scale: float, fractal: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    coords = places(dimensions, scale)
    options = {**OCTAVES, "fractal": fractal}
    halved = noise.sample(basis, *coords, **options)
    monkeypatch.setattr(cells, "LARGEST_SHIFT", -1)
    np.testing.assert_allclose(halved, noise.sample(basis, *coords, **options), rtol=0, atol=2e-6)


@pytest.mark.parametrize("basis", ["perlin", "opensimplex2s"])
@pytest.mark.parametrize(("lacunarity", "scale"), [(2.0, 0.9), (0.5, 2.0**28)])
def test_cells_are_halved_as_often_as_there_are_octaves(
    basis: str, lacunarity: float, scale: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    options: dict[str, Any] = {"fractal": "fbm", "gain": 1.0, "normalize": False, "seed": 3}
    options.update(lacunarity=lacunarity, octaves=29 if lacunarity > 1 else 32)
    coords = [coord / 1.5 for coord in places(2, scale)]
    halved = noise.sample(basis, *coords, **options)
    monkeypatch.setattr(cells, "LARGEST_SHIFT", -1)
    np.testing.assert_allclose(halved, noise.sample(basis, *coords, **options), rtol=0, atol=2e-5)


@pytest.mark.parametrize("basis", [*BASES, "cellular", "permutation_perlin"])
@pytest.mark.parametrize("dimensions", [2, 3])
@pytest.mark.parametrize(("lacunarity", "period"), [(2.0, None), (1.7, None), (2.0, (8, 6))])
def test_tables_and_hashes_have_the_same_bits(
    basis: str,
    dimensions: int,
    lacunarity: float,
    period: tuple[int, int] | None,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    coords = places(dimensions, 4.0)
    options = {**OCTAVES, "lacunarity": lacunarity, "period": period}
    tables = noise.sample(basis, *coords, **options)
    monkeypatch.setattr(lookup, "LARGEST_TABLE", 0)
    assert np.array_equal(tables, noise.sample(basis, *coords, **options))
