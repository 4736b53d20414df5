# SPDX-License-Identifier: GPL-3.0-or-later
"""What is asked of a noise is checked, whatever else is asked."""

from __future__ import annotations

from fractions import Fraction
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


def test_what_is_written_into_can_be_written() -> None:
    out = np.zeros((7, 7), np.float32)
    out.flags.writeable = False
    for basis in ("perlin", "cellular", "opensimplex2"):
        with pytest.raises(ValueError, match="out must be an array that can be written into"):
            noise.sample_grid(basis, AXIS, AXIS, out=out)


@pytest.mark.parametrize("kind", [np.float16, np.float32, np.longdouble, Fraction])
def test_numbers_of_any_type_are_taken_as_they_are(kind: Any) -> None:
    """A float16 overflows beside most limits; pytest makes an error of NumPy's warning."""
    names = ("lacunarity", "gain", "weighted_strength", "ping_pong_strength", "fade_under")
    half: Any = dict.fromkeys(names, 0.5)
    options: dict[str, Any] = {"fractal": "ping_pong", "octaves": 3}
    expected = noise.sample("perlin", AXIS, AXIS, **half, spacing=0.5, **options)
    half = dict.fromkeys(names, kind(0.5))
    got = noise.sample("perlin", AXIS, AXIS, **half, spacing=kind(0.5), **options)
    assert np.array_equal(got, expected)
    plane = noise.sample_grid("perlin", AXIS, AXIS, kind(0.5))
    assert np.array_equal(plane, noise.sample_grid("perlin", AXIS, AXIS, 0.5))
    names = ("amplitude", "frequency", "lacunarity", "gain")
    got, expected = (
        noise.warp("basic_grid", AXIS, AXIS, fractal="independent", **dict.fromkeys(names, number))
        for number in (kind(0.5), 0.5)
    )
    assert np.array_equal(got, expected)


@pytest.mark.parametrize("number", [np.float16(np.inf), np.longdouble("1e4000"), 10**400,
                                    Fraction(10**400)])  # fmt: skip
def test_numbers_beyond_all_floats_are_refused(number: Any) -> None:
    with pytest.raises(ValueError, match="gain must be a finite number"):
        noise.sample("perlin", AXIS, AXIS, gain=number)


def test_numbers_of_numpy_are_settings_too() -> None:
    expected = noise.sample("cellular", AXIS, AXIS, jitter=0.5)
    for kind in (np.float16, np.float32, np.longdouble):
        assert np.array_equal(noise.sample("cellular", AXIS, AXIS, jitter=kind(0.5)), expected)
        with pytest.raises(ValueError, match="jitter: .*inf.* is not a finite number"):
            noise.sample("cellular", AXIS, AXIS, jitter=kind(np.inf))


FAR = [
    np.array([0.0, np.longdouble("1e4000")]),  # more than float64 can hold
    np.array([0.0, 1.7e308]),
    np.array([-1.7e308, 1.7e308]),  # farther apart than float64 can tell
    np.array([0.0, 1e37]),
    np.array([0x7F800001, 0], np.uint32).view(np.float32),  # a NaN that signals
]


@pytest.mark.parametrize("x", FAR)
@pytest.mark.parametrize("function", [noise.sample, noise.sample_grid, noise.warp, noise.warp_grid])
def test_what_lies_too_far_away_is_refused_for_that(function: Any, x: Any) -> None:
    kind = "opensimplex2"
    with pytest.raises(ValueError, match="NaN or infinite|beyond 2\\*\\*52 cells"):
        function(kind, x, AXIS[:2])
    with pytest.raises(ValueError, match="NaN or infinite|beyond 2\\*\\*52 cells"):
        function(kind, AXIS[:2], x)
