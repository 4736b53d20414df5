# SPDX-License-Identifier: GPL-3.0-or-later
"""Equal to FastNoiseLite itself, where its Python binding is installed.

Its C++ works in float32: the comparison stays near the origin, where that is good enough.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from terrain_addon.core import noise

binding = pytest.importorskip(
    "pyfastnoiselite.pyfastnoiselite", reason="pyfastnoiselite is not installed"
)

NOISES = {
    "opensimplex2": "OpenSimplex2",
    "opensimplex2s": "OpenSimplex2S",
    "cellular": "Cellular",
    "perlin": "Perlin",
    "value_cubic": "ValueCubic",
    "value": "Value",
}
FRACTALS = {"none": "None", "fbm": "FBm", "ridged": "Ridged", "ping_pong": "PingPong"}
DISTANCES = {
    "euclidean": "Euclidean",
    "euclidean_sq": "EuclideanSq",
    "manhattan": "Manhattan",
    "hybrid": "Hybrid",
}
RETURNS = {
    "cell_value": "CellValue",
    "distance": "Distance",
    "distance2": "Distance2",
    "distance2_add": "Distance2Add",
    "distance2_sub": "Distance2Sub",
    "distance2_mul": "Distance2Mul",
    "distance2_div": "Distance2Div",
}


def entry(enum: str, name: str) -> Any:
    return getattr(getattr(binding, enum), f"{enum}_{name}")


def live(basis: str, fractal: str, seed: int, octaves: int) -> Any:
    """FastNoiseLite set up like the options below."""
    source = binding.FastNoiseLite(seed)
    source.noise_type = entry("NoiseType", NOISES[basis])
    source.fractal_type = entry("FractalType", FRACTALS[fractal])
    source.fractal_octaves = octaves
    source.fractal_lacunarity = 2.0
    source.fractal_gain = 0.5
    source.fractal_weighted_strength = 0.3
    source.fractal_ping_pong_strength = 2.5
    source.frequency = 1.0
    return source


def options(fractal: str, seed: int, octaves: int) -> dict[str, Any]:
    return {
        "fractal": fractal,
        "seed": seed,
        "octaves": octaves,
        "weighted_strength": 0.3,
        "ping_pong_strength": 2.5,
    }


def points(dimensions: int, reach: float) -> NDArray[np.float32]:
    return np.random.default_rng(7).uniform(-reach, reach, (dimensions, 20_000)).astype(np.float32)


@pytest.mark.parametrize("dimensions", [2, 3])
@pytest.mark.parametrize("fractal", FRACTALS)
@pytest.mark.parametrize("basis", [name for name in NOISES if name != "cellular"])
def test_noise(basis: str, fractal: str, dimensions: int) -> None:
    for seed in (0, 1337, -5):
        coords = points(dimensions, 8)
        expected = live(basis, fractal, seed, 3).gen_from_coords(coords)
        result = noise.sample(basis, *coords, **options(fractal, seed, 3))
        # Folding multiplies every difference.
        assert_close(result, expected, 2 * 2.5 if fractal == "ping_pong" else 1)


@pytest.mark.parametrize("dimensions", [2, 3])
@pytest.mark.parametrize("returned", RETURNS)
@pytest.mark.parametrize("distance", DISTANCES)
def test_cellular(distance: str, returned: str, dimensions: int) -> None:
    coords = points(dimensions, 8)
    source = live("cellular", "none", 99, 1)
    source.cellular_distance_function = entry("CellularDistanceFunction", DISTANCES[distance])
    source.cellular_return_type = entry("CellularReturnType", RETURNS[returned])
    source.cellular_jitter = 0.9
    expected = source.gen_from_coords(coords)
    result = noise.sample(
        "cellular", *coords, seed=99, distance_function=distance, return_type=returned, jitter=0.9
    )
    assert_close(result, expected)


@pytest.mark.parametrize("dimensions", [2, 3])
@pytest.mark.parametrize("distance", DISTANCES)
def test_of_cells_equally_near_the_same_one_counts(distance: str, dimensions: int) -> None:
    line = np.arange(-3, 3.5, 0.5, dtype=np.float32)
    coords = np.stack([c.ravel() for c in np.meshgrid(*[line] * dimensions)])
    source = live("cellular", "none", 99, 1)
    source.cellular_distance_function = entry("CellularDistanceFunction", DISTANCES[distance])
    source.cellular_return_type = entry("CellularReturnType", RETURNS["cell_value"])
    source.cellular_jitter = 0.0
    settings: dict[str, Any] = {"distance_function": distance, "return_type": "cell_value"}
    result = noise.sample("cellular", *coords, seed=99, jitter=0.0, **settings)
    assert_close(result, source.gen_from_coords(coords))


def assert_close(
    result: NDArray[np.float32], expected: NDArray[np.float32], steepness: float = 1.0
) -> None:
    """Equal to 1e-5 but for the few points where the float32 of C++ is worse than that."""
    error = np.abs(result - expected) / steepness
    assert np.quantile(error, 0.99) < 1e-5
    assert np.mean(error > 4e-5) < 2e-4
