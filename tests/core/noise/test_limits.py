# SPDX-License-Identifier: GPL-3.0-or-later
"""No sum of octaves overflows: it is finite, or refused with a message."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

from terrain_addon.core import noise
from terrain_addon.core.layers import LAYERS

AXIS = np.linspace(-3.0, 3.0, 20)
FUNCTIONS = [noise.sample, noise.sample_grid]


@given(
    fractal=st.sampled_from(sorted(noise.FRACTALS)),
    basis=st.sampled_from(["perlin", "value", "opensimplex2", "noiselib", "white"]),
    octaves=st.integers(1, 32),
    gain=st.floats(-8, 8),
    weighted_strength=st.sampled_from([0.0, 1.0, -4.0, 1e30]),
    normalize=st.booleans(),
    data=st.data(),
)
def test_any_sum_is_finite_or_refused(
    fractal: str, basis: str, octaves: int, gain: float, normalize: bool, data: Any, **more: Any
) -> None:
    if "offset" in [s.name for s in noise.FRACTALS[fractal].settings]:
        more["offset"] = data.draw(st.floats(0, 10))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            values = noise.sample(
                basis, AXIS, 0.3, fractal=fractal, octaves=octaves, gain=gain, normalize=normalize,
                **more,
            )  # fmt: skip
        except ValueError as error:
            message = str(error)
        else:
            assert np.isfinite(values).all()
            return
    assert "use fewer octaves" in message


@pytest.mark.parametrize("fractal", ["swiss", "jordan", "damped_fbm"])
@given(data=st.data(), octaves=st.integers(1, 12), seed=st.integers(0, 1000))
def test_any_setting_of_a_fractal_of_slopes_makes_finite_noise(
    fractal: str, data: Any, octaves: int, seed: int
) -> None:
    limits = {s.name: (s.min, s.max) for s in noise.FRACTALS[fractal].settings}
    chosen = {name: data.draw(st.floats(*ends)) for name, ends in limits.items()}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        x = np.linspace(-3.0, 3.0, 500)
        values = noise.sample("perlin", x, 0.3, fractal=fractal, octaves=octaves, seed=seed,
                              **chosen)  # fmt: skip
    assert np.isfinite(values).all()
    if fractal == "damped_fbm":  # each octave is weakened, none is strengthened
        assert np.abs(values).max() <= 1


def test_damping_below_zero_is_refused() -> None:
    """There it would divide by zero where slopes are of a certain steepness."""
    with pytest.raises(ValueError, match=r"damping: -1.0 is below the smallest value, 0"):
        noise.sample("perlin", AXIS, 0.3, fractal="damped_fbm", octaves=3, damping=-1.0)
    with pytest.raises(ValueError, match="damping"):
        LAYERS["fractal_noise"](fractal="damped_fbm", damping=-0.5)


@pytest.mark.parametrize("fractal", sorted(noise.FRACTALS))
@pytest.mark.parametrize("lacunarity", [1e-3, 1e-30])
def test_octaves_may_grow_ever_wider(fractal: str, lacunarity: float) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        values = noise.sample(
            "perlin", AXIS, 0.3, fractal=fractal, octaves=32, lacunarity=lacunarity
        )
    assert np.isfinite(values).all()


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"fractal": "multifractal", "octaves": 24, "gain": 2.0}, "beyond what numbers can hold"),
        ({"fractal": "hetero_terrain", "octaves": 24, "gain": 2.0}, "beyond what numbers"),
        ({"fractal": "multifractal", "octaves": 20, "offset": 0.0}, "less than numbers can tell"),
        ({"fractal": "swiss", "octaves": 8, "gain": 1e4}, "beyond 2.*smaller lacunarity or gain"),
        ({"fractal": "fbm", "octaves": 3, "weighted_strength": 1e30}, "beyond what numbers"),
        ({"gain": 1e300}, "gain must be a finite number, of at most 1e.36"),
        ({"lacunarity": 1e300}, "lacunarity must be a finite number"),
        ({"fractal": "fbm", "octaves": 32, "lacunarity": 1e30}, "beyond 2.* cells"),
        ({"gain": "a"}, "gain must be a finite number, .* not 'a'"),
        ({"lacunarity": None}, "lacunarity must be a finite number, .* not None"),
        ({"fade_under": "a"}, "fade_under must be a finite number"),
        ({"fade_under": 2.0, "spacing": "a"}, "spacing must be a finite number, .* not 'a'"),
        ({"fade_under": 2.0, "spacing": np.nan}, "spacing must be a finite number"),
        ({"fade_under": 2.0, "spacing": np.ones(2)}, "spacing must be a finite number"),
        ({"fade_under": 2.0, "spacing": -1}, "spacing must be a distance .* 0 or more, not -1"),
        ({"spacing": -0.5}, "spacing must be a distance of samples, 0 or more, not -0.5"),
        ({"octave_seeds": np.array(["same"])}, "octave_seeds must be one of .* not array"),
        ({"octave_seeds": np.arange(3)}, "octave_seeds must be one of .*same, not array"),
        ({"octave_seeds": 1}, "octave_seeds must be one of increment, offset, same, not 1"),
        ({"weighted_strength": "a"}, "weighted_strength must be a finite number, .* not 'a'"),
        ({"ping_pong_strength": np.inf}, "ping_pong_strength must be a finite number"),
        ({"octaves": True}, "octaves must be a whole number from 1 to 32, not True"),
        ({"normalize": "no"}, "normalize must be True or False, not 'no'"),
        ({"period": (1,)}, "period must be two whole numbers, along x and y"),
        ({"period": (1, 2, 3)}, "period must be two whole numbers"),
        ({"period": 5}, "period must be two whole numbers"),
        ({"period": (3, 2**52)}, "repeats after 2.* cells or more"),
        ({"period": (10**400, 1)}, "repeats after 2.* cells or more"),
    ],
)
def test_what_cannot_be_is_refused(function: Any, options: dict[str, Any], message: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(ValueError, match=message):
            function("perlin", AXIS, AXIS, **options)


@pytest.mark.parametrize("basis", ["opensimplex2", "opensimplex2s"])
@pytest.mark.parametrize(("z", "most"), [(None, 2 * 10**9), (0.3, 2 * 10**6)])
def test_simplex_noise_repeats_as_late_as_vertices_can_be_distinguished(
    basis: str, z: float | None, most: int
) -> None:
    y = AXIS * most
    ends = [noise.sample(basis, x, y, z, period=(most, most)) for x in (1e-6, most - 1e-6)]
    np.testing.assert_allclose(*ends, rtol=0, atol=1e-4)
    for period in ((2 * most, most), (2**51, 2**51)):
        with pytest.raises(ValueError, match="cannot repeat after .* use fewer octaves"):
            noise.sample(basis, AXIS, AXIS, z, period=period)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"amplitude": "a"}, "amplitude must be a finite number"),
        ({"gain": 1e300}, "gain must be a finite number"),
        ({"gain": 1e30, "octaves": 32}, "use fewer octaves"),
        ({"lacunarity": 1e30, "octaves": 32, "fractal": "independent"}, "beyond 2.* cells"),
        ({"period": (3,)}, "period must be two whole numbers"),
    ],
)
def test_what_no_warp_can_be_is_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        noise.warp("opensimplex2", AXIS, 1.0, **options)


@pytest.mark.parametrize("basis", ["perlin", "opensimplex2", "opensimplex2s", "cellular"])
def test_octaves_of_narrow_and_of_wide_cells_are_summed_alike(basis: str) -> None:
    x = np.linspace(1e6, 1e6 + 1, 100)
    near, far = (noise.sample(basis, x * f, 0.5 * f, seed=k) for k, f in enumerate((1.0, 4096.0)))
    values = noise.sample(
        basis, x, 0.5, fractal="fbm", octaves=2, lacunarity=4096.0, gain=1.0, normalize=False
    )
    np.testing.assert_allclose(values, near + far, atol=1e-5)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("basis", sorted(noise.BASES))
def test_periods_of_more_cells_than_32_bits_count(basis: str) -> None:
    """Coordinates below 0 are brought to the end of the period."""
    places = np.array([-3.7, -0.2, 5.1])
    for period in ((2**31, 2**31), (2**29, 2**30)):
        points = noise.sample(basis, places, places[:, None], period=period)
        grid = noise.sample_grid(basis, places, places, period=period)
        np.testing.assert_allclose(grid, points, rtol=0, atol=2e-6)
        again = noise.sample(basis, places + period[0], places[:, None], period=period)
        np.testing.assert_allclose(again, points, rtol=0, atol=2e-5)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("kind", noise.WARPS)
def test_warps_of_such_periods(kind: str) -> None:
    places = np.array([-3.7, -0.2, 5.1])
    options: dict[str, Any] = {"frequency": 1.0, "period": (2**31, 2**31)}
    points = noise.warp(kind, places, places[:, None], **options)
    grid = noise.warp_grid(kind, places, places, **options)
    np.testing.assert_allclose(grid, points, rtol=0, atol=1e-5)


@pytest.mark.parametrize("fractal", ["fbm", "ridged", "billow", "ping_pong"])
@given(weighting=st.floats(0, 1), folds=st.floats(0, 100), seed=st.integers(0, 1000))
def test_within_the_reported_ranges_sums_stay_within_one(
    fractal: str, weighting: float, folds: float, seed: int
) -> None:
    values = noise.sample(
        "value", AXIS, AXIS[:, None], fractal=fractal, octaves=4, seed=seed,
        weighted_strength=weighting, ping_pong_strength=folds,
    )  # fmt: skip
    assert np.abs(values).max() <= 1 + 1e-5


def test_below_the_reported_range_folds_leave_it() -> None:
    chosen: dict[str, Any] = {"fractal": "ping_pong", "octaves": 2}
    assert noise.sample("value", AXIS, 0.3, ping_pong_strength=-2.0, **chosen).min() < -2
    flat = noise.sample("value", AXIS, 0.3, ping_pong_strength=0.0, **chosen)
    np.testing.assert_allclose(flat, -1, atol=1e-6)


@pytest.mark.parametrize("function", [noise.warp, noise.warp_grid])
def test_a_warp_says_itself_what_it_does_not_know(function: Any) -> None:
    with pytest.raises(TypeError, match=f"^{function.__name__}.* unexpected .* 'foo'"):
        function("basic_grid", AXIS, AXIS, foo=1)
