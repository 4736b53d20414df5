# SPDX-License-Identifier: GPL-3.0-or-later
"""Equal to values that the published implementations computed."""

from __future__ import annotations

import csv
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from terrain_addon.core import noise
from terrain_addon.core.noise.lattice import classic_bases
from tests.core.noise import plain
from tests.core.noise.plain_bases import BASES

REFERENCE = Path(__file__).parents[2] / "reference"
FNL = {
    "octaves": 5,
    "lacunarity": 2.13,
    "gain": 0.47,
    "weighted_strength": 0.35,
    "ping_pong_strength": 2.4,
}
FREQUENCY = float(np.float32(0.037))


def table(name: str) -> list[dict[str, str]]:
    with (REFERENCE / name).open(newline="") as file:
        return list(csv.DictReader(file))


def groups(
    name: str, keys: tuple[str, ...], columns: tuple[str, ...]
) -> list[tuple[tuple[str, ...], NDArray[np.float64]]]:
    """Rows grouped by the values of ``keys``; per group the columns as float64 arrays."""
    found: dict[tuple[str, ...], list[list[float]]] = {}
    for row in table(name):
        found.setdefault(tuple(row[k] for k in keys), []).append([float(row[c]) for c in columns])
    return [(key, np.array(rows).T) for key, rows in found.items()]


def furthest(a: Any, b: Any) -> float:
    return float(np.abs(np.asarray(a, np.float64) - b).max())


@pytest.mark.parametrize("name", ["noiselib_white", "noiselib_gradient", "cosine_value_lattice"])
def test_classics_that_have_seeds(name: str) -> None:
    basis = {"noiselib_white": "white", "noiselib_gradient": "noiselib"}.get(name, "cosine_value")
    for (seed,), (x, y, value) in groups(f"{name}.csv", ("seed",), ("x", "y", "value")):
        assert furthest(noise.sample(basis, x, y, seed=int(seed)), value) < 1e-6


def test_hash_gradient() -> None:
    ((_, (x, y, value)),) = groups("hash_gradient_perlin.csv", (), ("x", "y", "value"))
    assert furthest(noise.sample("hash_perlin", x, y), value) < 1e-6
    ((_, (ix, iy, gx, gy)),) = groups("hash_gradient_vectors.csv", (), ("ix", "iy", "gx", "gy"))
    vectors = [plain.hash_vector(int(i), int(j)) for i, j in zip(ix, iy, strict=True)]
    assert furthest(np.transpose(vectors), np.array([gx, gy])) < 1e-6


def test_noiselib_octave_sum() -> None:
    columns = ("x", "y", "value")
    keys = ("seed", "octaves", "persistence")
    for (seed, octaves, gain), (x, y, value) in groups("noiselib_fractal.csv", keys, columns):
        result = noise.sample(
            "noiselib", x, y, seed=int(seed), fractal="fbm", octaves=int(octaves),
            gain=float(gain), normalize=False,
        )  # fmt: skip
        assert furthest(result, value) < 1e-6


def test_cosine_value_map() -> None:
    keys = ("seed", "octaves_inclusive", "persistence", "zoom")
    for (seed, octaves, gain, zoom), (i, j, value) in groups(
        "cosine_value_map.csv", keys, ("i", "j", "value")
    ):
        assert np.array_equal(np.diff(np.unique(i)), np.ones(int(i.max())))
        result = noise.sample_grid(
            "cosine_value", np.unique(i) / float(zoom), np.unique(j) / float(zoom),
            seed=int(seed), fractal="fbm", octaves=int(octaves) + 1, gain=float(gain),
            normalize=False, octave_seeds="same",
        )  # fmt: skip
        assert furthest(result[j.astype(int), i.astype(int)], value) < 2e-6


def test_minimal_standard_generator_and_shuffle() -> None:
    for (seed,), (index, value) in groups("lcg.csv", ("seed",), ("index", "value")):
        state = int(seed)
        for _, expected in sorted(zip(index, value, strict=True)):
            state = classic_bases.park_miller(state)
            assert state == expected
    for row in table("permutation.csv"):
        expected = [int(row[f"p{k}"]) for k in range(256)]
        assert classic_bases.permutation(int(row["seed"])).tolist() == expected


class ParkMiller:
    """The tutorial's generator, rule for rule; ``%`` of JavaScript truncates."""

    def __init__(self, seed: int) -> None:
        self.s = int(math.fmod(seed, 2147483647))
        if self.s <= 0:
            self.s += 2147483646

    def random(self) -> float:
        self.s = self.s * 16807 % 2147483647
        return (self.s - 1) / 2147483646


# A random number of state / (2**31 - 1) would shuffle the table of 743 in another way.
@pytest.mark.parametrize(
    "seed",
    [0, -1, -7, -12345, -(2**31), 9 - 2**32, 2**31 - 1, 1, 42, 743, 2**31 - 2, 2**31, 2**32 - 3],
)
def test_seeds_of_zero_and_below_follow_the_tutorial(seed: int) -> None:
    generator, expected = ParkMiller(seed), list(range(256))
    for last in reversed(range(256)):
        chosen = math.floor(generator.random() * (last + 1))
        expected[last], expected[chosen] = expected[chosen], expected[last]
    assert classic_bases.permutation(seed).tolist() == expected
    x, y = np.random.default_rng(3).uniform(-9, 9, (2, 8))
    plainly = [plain.gradients_of_table(expected, *map(float, p)) for p in zip(x, y, strict=True)]
    for found in (
        noise.sample("permutation_perlin", x, y, seed=seed),
        np.diag(noise.sample_grid("permutation_perlin", x, y, seed=seed)),
        noise.sample("permutation_perlin", x, y, seed=seed + (2**32 if seed > 0 else -(2**32))),
    ):
        assert furthest(found, plainly) < 1e-6


def test_permutation_perlin() -> None:
    for (seed,), (x, y, z, value) in groups(
        "permutation_perlin.csv", ("seed",), ("x", "y", "z", "value")
    ):
        assert furthest(noise.sample("permutation_perlin", x, y, z, seed=int(seed)), value) < 1e-6


def test_tutorial_octave_sum() -> None:
    keys = ("seed", "octaves", "persistence", "lacunarity")
    for (seed, octaves, gain, lacunarity), (x, y, z, value) in groups(
        "permutation_fractal.csv", keys, ("x", "y", "z", "value")
    ):
        result = noise.sample(
            "permutation_perlin", x, y, z, seed=int(seed), fractal="fbm", octaves=int(octaves),
            gain=float(gain), lacunarity=float(lacunarity), octave_seeds="offset",
        )  # fmt: skip
        assert furthest(result, value) < 2e-6


def test_tutorial_map() -> None:
    keys = ("seed", "width", "height", "octaves", "persistence", "lacunarity", "x_increment")
    ((key, (i, j, value)),) = groups("tutorial_heightmap.csv", keys, ("x", "y", "value"))
    seed, width, height, octaves, gain, lacunarity, step = (float(k) for k in key)
    result = noise.sample_grid(
        "permutation_perlin",
        np.arange(width) / width * step * 100,
        np.arange(height) / height * step * 100,
        seed=int(seed), fractal="fbm", octaves=int(octaves), gain=gain, lacunarity=lacunarity,
        octave_seeds="offset",
    )  # fmt: skip
    assert furthest(result[j.astype(int), i.astype(int)], value) < 2e-6


@pytest.mark.parametrize("dimensions", [2, 3])
def test_fastnoiselite(dimensions: int) -> None:
    columns = ("x", "y", "z", "value") if dimensions == 3 else ("x", "y", "value")
    for (seed, basis, fractal), (*point, value) in groups(
        f"fastnoiselite_noise{dimensions}.csv", ("seed", "noise", "fractal"), columns
    ):
        coords = [c * FREQUENCY for c in point]
        options: dict[str, Any] = {"seed": int(seed), "fractal": fractal, **FNL}
        assert furthest(noise.sample(basis, *coords, **options), value) < 1e-5, (basis, fractal)
        if dimensions == 2:
            grid = noise.sample_grid(basis, *coords, **options)
            assert furthest(grid.diagonal(), value) < 1e-5, (basis, fractal)


def test_fastnoiselite_cellular() -> None:
    keys = ("seed", "distance_function", "return_type")
    for (seed, distance, returned), (x, y, value) in groups(
        "fastnoiselite_cell2.csv", keys, ("x", "y", "value")
    ):
        options: dict[str, Any] = {
            "seed": int(seed), "distance_function": distance, "return_type": returned,
            "jitter": 0.85,
        }  # fmt: skip
        x, y = x * FREQUENCY, y * FREQUENCY
        assert furthest(noise.sample("cellular", x, y, **options), value) < 1e-5, returned
        grid = noise.sample_grid("cellular", x, y, **options).diagonal()
        assert furthest(grid, value) < 1e-5, returned


@pytest.mark.parametrize("axes", ["xy", "xyz"])
def test_fastnoiselite_warp(axes: str) -> None:
    for (seed, kind, fractal), rows in groups(
        f"fastnoiselite_warp{len(axes)}.csv",
        ("seed", "warp", "fractal"),
        (*axes, *(f"{axis}_out" for axis in axes)),
    ):
        points, expected = np.split(np.asarray(rows), 2)
        warped = noise.warp(
            kind, *points, seed=int(seed), amplitude=30, frequency=0.02, fractal=fractal, octaves=3
        )
        assert furthest(warped, expected) < 3e-5, (kind, fractal)


def test_plain_reference_agrees_with_the_tables_too() -> None:
    for dimensions in (2, 3):
        columns = ("x", "y", "z", "value") if dimensions == 3 else ("x", "y", "value")
        for (seed, basis, fractal), rows in groups(
            f"fastnoiselite_noise{dimensions}.csv", ("seed", "noise", "fractal"), columns
        ):
            for *point, value in rows.T[::5]:
                there = [c * FREQUENCY for c in point]
                single = {k: v if k == "octaves" else float(np.float32(v)) for k, v in FNL.items()}
                result = plain.fractal_sum(
                    BASES[basis], there, seed=int(seed), fractal=fractal, **single  # type: ignore[arg-type]
                )  # fmt: skip
                assert abs(result - value) < 1e-5
