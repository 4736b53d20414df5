# SPDX-License-Identifier: GPL-3.0-or-later
"""What is asked of a noise is checked, whatever else is asked."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from terrain_addon.core import noise

AXIS = np.linspace(0.0, 3.0, 7)


@pytest.mark.parametrize("function", [noise.sample, noise.sample_grid])
@pytest.mark.parametrize("fractal", ["none", "fbm"])
@pytest.mark.parametrize("octaves", [0, 33, 2.5, "2", None])
def test_octaves_are_checked_with_every_fractal(function: Any, fractal: str, octaves: Any) -> None:
    with pytest.raises(ValueError, match="octaves must be a whole number from 1 to 32"):
        function("perlin", AXIS, AXIS, fractal=fractal, octaves=octaves)


def test_without_a_fractal_one_octave_is_summed() -> None:
    one, many = (noise.sample("perlin", AXIS, AXIS, octaves=octaves) for octaves in (1, 5))
    np.testing.assert_array_equal(one, many)


@pytest.mark.parametrize("function", [noise.sample, noise.sample_grid])
@pytest.mark.parametrize("seed", ["a", 1.0, 2.5, None, [1]])
def test_a_seed_is_a_whole_number(function: Any, seed: Any) -> None:
    with pytest.raises(ValueError, match="seed must be a whole number, not"):
        function("perlin", AXIS, AXIS, seed=seed)


@pytest.mark.parametrize("function", [noise.sample, noise.sample_grid])
@pytest.mark.parametrize("name", [["perlin"], np.arange(3), 7, None, "Perlin"])
def test_a_basis_or_fractal_that_is_no_name_is_refused(function: Any, name: Any) -> None:
    with pytest.raises(ValueError, match="There is no noise basis .*; known: perlin, value"):
        function(name, AXIS, AXIS)
    with pytest.raises(ValueError, match="There is no fractal .*; known: none, fbm"):
        function("perlin", AXIS, AXIS, fractal=name)


@pytest.mark.parametrize("function", [noise.sample, noise.sample_grid, noise.warp, noise.warp_grid])
@pytest.mark.parametrize("x", ["a", 1j, object(), 10**400, [[1], [2, 3]]])
def test_coordinates_are_numbers(function: Any, x: Any) -> None:
    kind = "perlin" if "sample" in function.__name__ else "basic_grid"
    with pytest.raises(ValueError, match="x must be numbers, not"):
        function(kind, x, AXIS)
    with pytest.raises(ValueError, match="y must be numbers, not"):
        function(kind, AXIS, x)


@pytest.mark.parametrize(
    "values", [["1.5", "2"], b"3", [1 + 2j], np.array(["2020-01-01"], "datetime64[D]")]
)
def test_text_dates_and_complex_numbers_are_no_coordinates(values: Any) -> None:
    with pytest.raises(ValueError, match="x must be numbers, not"):
        noise.sample("perlin", values, 0.5)
    with pytest.raises(ValueError, match="x must be numbers, not"):
        noise.warp_grid("basic_grid", values, AXIS)


@pytest.mark.parametrize("z", ["a", [1.0, 2.0], 10**400])
def test_the_plane_of_a_grid_is_a_number(z: Any) -> None:
    with pytest.raises(ValueError, match="z must be a finite number"):
        noise.sample_grid("perlin", AXIS, AXIS, z)


def test_what_is_written_into_is_an_array_and_threads_are_whole() -> None:
    with pytest.raises(ValueError, match="out must be an array, not 3"):
        noise.sample_grid("perlin", AXIS, AXIS, out=3)  # pyright: ignore[reportArgumentType]
    with pytest.raises(ValueError, match="threads must be a whole number of at least 1, not 0"):
        noise.sample_grid("perlin", AXIS, AXIS, threads=0)
