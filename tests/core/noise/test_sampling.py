# SPDX-License-Identifier: GPL-3.0-or-later
"""Points and grids against the plain reference, and the promises that both make."""

from __future__ import annotations

import itertools
import threading
import tracemalloc
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, strategies as st

from terrain_addon.core import noise
from terrain_addon.core.noise.cellular import points as cellular
from terrain_addon.core.noise.sampling import sample as sampling
from terrain_addon.core.numerics.blocks import SAMPLES
from terrain_addon.core.numerics.progress import Cancelled
from tests.core.noise import plain, plain_simplex
from tests.core.noise.places import axes, axis
from tests.core.noise.plain_bases import BASES

SUMS = ["none", "fbm", "ridged", "billow", "ping_pong"]

fractals = st.fixed_dictionaries(
    {
        "seed": st.integers(-(2**33), 2**33),
        "fractal": st.sampled_from(SUMS),
        "octaves": st.integers(1, 5),
        "lacunarity": st.sampled_from([1.0, 1.5, 2.0, 2.13, 3.0]),
        "gain": st.sampled_from([0.3, 0.5, 1.0, -0.4]),
        "weighted_strength": st.sampled_from([0.0, 0.0, 0.5, 1.0]),
        "octave_seeds": st.sampled_from(noise.OCTAVE_SEEDS),
    }
)


def as_single(basis: str, options: dict[str, Any]) -> dict[str, Any]:
    """FastNoiseLite's settings are float32; so are those of its bases here."""
    if not noise.BASES[basis].single_precision:
        return options
    return {
        key: float(np.float32(value)) if isinstance(value, float) else value
        for key, value in options.items()
    }


@pytest.mark.parametrize("basis", sorted(noise.BASES))
@given(options=fractals, x=axes, y=axes, z=st.none() | st.sampled_from([0.0, 0.3, -5.75]))
def test_points_equal_the_plain_reference(
    basis: str, options: dict[str, Any], x: Any, y: Any, z: float | None
) -> None:
    if 3 not in noise.BASES[basis].dimensions:
        z = None
    points = np.stack([axis(x, 4), axis(y, 4)])
    # In space simplex noise has small jumps: far from the origin, where coordinates are rounded,
    # the two computations may fall on different sides of one.
    assume(z is None or not basis.startswith("opensimplex2") or np.abs(points).max() < 1e6)
    point_z = None if z is None else np.full(4, z)
    result = noise.sample(basis, points[0], points[1], point_z, **options)
    expected = [
        plain.fractal_sum(
            BASES[basis], [*map(float, p), *([] if z is None else [z])], **as_single(basis, options)
        )
        for p in points.T
    ]
    assert result.dtype == np.float32
    np.testing.assert_allclose(result, expected, rtol=0, atol=4e-6)


@pytest.mark.parametrize("basis", sorted(noise.BASES))
@given(
    options=fractals,
    x=axes,
    y=axes,
    z=st.none() | st.sampled_from([0.0, 0.3, -5.75]),
    shape=st.tuples(st.integers(1, 40), st.integers(1, 40)),
)
def test_grids_equal_points(
    basis: str, options: dict[str, Any], x: Any, y: Any, z: Any, shape: tuple[int, int]
) -> None:
    if 3 not in noise.BASES[basis].dimensions:
        z = None
    columns, rows = axis(x, shape[1]), axis(y, shape[0])
    grid = noise.sample_grid(basis, columns, rows, z, **options)
    assert grid.shape == shape
    assert grid.dtype == np.float32
    points = noise.sample(basis, columns, rows[:, None], z, **options)
    np.testing.assert_allclose(grid, points, rtol=0, atol=2e-6)


@pytest.mark.parametrize("basis", ["perlin", "noiselib"])
def test_points_are_as_exact_as_float32_is(basis: str) -> None:
    """Fades lose no digit where their terms would cancel."""
    x, y = np.arange(600) * 0.01 - 7, np.arange(600) * 0.01 + 3.123
    grid = noise.sample_grid(basis, x, y, seed=1)
    points = noise.sample(basis, x, y[:, None], seed=1)
    np.testing.assert_allclose(grid, points, rtol=0, atol=6e-7)


@pytest.mark.parametrize("basis", sorted(noise.BASES))
@pytest.mark.parametrize("fractal", ["fbm", "ridged"])
def test_any_part_of_a_grid_has_the_same_bits(basis: str, fractal: str) -> None:
    x, y = np.arange(700) / 41 - 3, np.arange(540) / 37 + 11
    options: dict[str, Any] = {"seed": 9, "fractal": fractal, "octaves": 6}
    whole = noise.sample_grid(basis, x, y, **options)
    parts = [
        (slice(None), slice(None)),
        (slice(13, 301), slice(100, 431)),
        (slice(None, None, 2), slice(None, None, 2)),
        (slice(1, None, 3), slice(5, None, 7)),
        (slice(100, 101), slice(None)),
        (slice(None), slice(77, 78)),
        (slice(100, 101), slice(77, 78)),
        (slice(200, 203), slice(50, 53)),
        (slice(None, None, -1), slice(None, None, -1)),
    ]
    for rows, columns in parts:
        part = noise.sample_grid(basis, x[columns], y[rows], **options)
        assert np.array_equal(part, whole[rows, columns]), (rows, columns)
    shuffled = np.random.default_rng(1).permutation(200)
    part = noise.sample_grid(basis, x[shuffled], y[shuffled[:50]], **options)
    assert np.array_equal(part, whole[np.ix_(shuffled[:50], shuffled)])


@pytest.mark.parametrize("basis", sorted(noise.BASES))
@pytest.mark.parametrize("fractal", ["fbm", "ridged"])
def test_any_window_of_a_grid_of_square_cells_has_the_same_bits(basis: str, fractal: str) -> None:
    x = noise.RegularAxis.counted(-3.1, 1 / 41, 17, 700)
    y = noise.RegularAxis.counted(0.7, -1 / 41, -800, 540)
    options: dict[str, Any] = {"seed": 9, "fractal": fractal, "octaves": 6}
    whole = noise.sample_grid(basis, x, y, **options)
    for rows, columns in (
        (slice(0, 540), slice(0, 700)),
        (slice(13, 301), slice(100, 431)),
        (slice(537, 540), slice(0, 650)),
        (slice(100, 101), slice(0, 700)),
        (slice(0, 540), slice(77, 78)),
        (slice(100, 101), slice(77, 78)),
        (slice(200, 203), slice(50, 53)),
    ):
        part = noise.sample_grid(basis, x[columns], y[rows], **options)
        assert np.array_equal(part, whole[rows, columns]), (rows, columns)
    turned = noise.sample_grid(basis, -x, -y, **options)
    assert np.array_equal(turned[5:9, 600:], noise.sample_grid(basis, -x[600:], -y[5:9], **options))


@pytest.mark.parametrize("basis", sorted(noise.BASES))
def test_threads_change_no_bit(basis: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sampling, "TERMS_PER_THREAD", 1)
    x, y = np.arange(600) / 50, np.arange(800) / 50
    options: dict[str, Any] = {"fractal": "fbm", "octaves": 4}
    single = noise.sample_grid(basis, x, y, **options)
    assert np.array_equal(single, noise.sample_grid(basis, x, y, threads=3, **options))


@pytest.mark.parametrize("basis", sorted(noise.BASES))
def test_seeds_and_octaves_differ_and_repeat(basis: str) -> None:
    x, y = np.random.default_rng(0).uniform(-50, 50, (2, 500))
    a, b = (noise.sample(basis, x, y, seed=seed) for seed in (1, 2))
    assert np.array_equal(a, noise.sample(basis, x, y, seed=1 + 2**32))
    assert abs(np.corrcoef(a, b)[0, 1]) < 0.3
    assert 0.1 < np.ptp(a) <= 2.2


@pytest.mark.parametrize("basis", sorted(noise.BASES))
@pytest.mark.parametrize("z", [None, 0.4])
def test_periods_repeat(basis: str, z: float | None) -> None:
    if z is not None and 3 not in noise.BASES[basis].dimensions:
        return
    x, y = np.linspace(-4, 8, 61), np.linspace(-3, 7, 47)[:, None]
    options: dict[str, Any] = {"fractal": "fbm", "octaves": 4, "period": (5, 3), "seed": 4}
    tile = noise.sample(basis, x, y, z, **options)
    for dx, dy in ((5, 0), (0, 3), (-10, 6)):
        moved = noise.sample(basis, x + dx, y + dy, z, **options)
        np.testing.assert_allclose(tile, moved, rtol=0, atol=1e-5)
    grid = noise.sample_grid(basis, x, y[:, 0], z, **options)
    np.testing.assert_allclose(grid, tile, rtol=0, atol=2e-6)
    with pytest.raises(ValueError, match="whole lacunarity"):
        noise.sample(basis, x, y, z, **{**options, "lacunarity": 2.1})


def test_fine_octaves_fade_and_keep_the_rest() -> None:
    x = np.arange(64) / 16 + 0.013
    options: dict[str, Any] = {"fractal": "fbm", "octaves": 8, "seed": 3}
    faded = noise.sample_grid("perlin", x, x, fade_under=2.0, **options)
    # Cells of octaves 0 to 3 are 16, 8, 4 and 2 samples wide, and 1 or less after that.
    bound = sum(0.5**k for k in range(8)) / sum(0.5**k for k in range(4))
    kept = noise.sample_grid("perlin", x, x, **{**options, "octaves": 4}) / bound
    np.testing.assert_allclose(faded, kept, rtol=0, atol=1e-6)
    assert np.array_equal(
        noise.sample_grid("perlin", x[:9], x[:9], fade_under=2.0, spacing=1 / 16, **options),
        faded[:9, :9],
    )
    exact = noise.sample_grid("perlin", x, x, **options)
    assert np.abs(exact - faded).max() > 0.001


@pytest.mark.parametrize("basis", ["perlin", "cellular", "opensimplex2"])
@pytest.mark.parametrize("normalize", [False, True])
@pytest.mark.parametrize("octave_seeds", noise.OCTAVE_SEEDS)
def test_octaves_of_a_plain_sum_add_up(basis: str, normalize: bool, octave_seeds: str) -> None:
    x, y = np.random.default_rng(1).uniform(-9, 9, (2, 500))
    options: dict[str, Any] = {
        "fractal": "fbm", "octaves": 5, "gain": 0.7, "seed": 3, "normalize": normalize,
        "octave_seeds": octave_seeds, "fade_under": 2.0, "spacing": 1 / 15,
    }  # fmt: skip
    whole = noise.sample(basis, x, y, **options)
    parts = [noise.sample(basis, x, y, only=part, **options) for part in ((0, 2), (2, 3), (3, 5))]
    np.testing.assert_allclose(sum(parts), whole, rtol=0, atol=2e-6)
    assert all(np.abs(part).max() > 0.01 for part in parts)
    assert np.array_equal(noise.sample(basis, x, y, only=(0, 5), **options), whole)
    assert not noise.sample(basis, x, y, only=(4, 5), **{**options, "spacing": 1.0}).any()


def test_only_plain_sums_have_octaves_of_their_own() -> None:
    for fractal, options in (("ridged", {}), ("swiss", {}), ("fbm", {"weighted_strength": 0.4})):
        given: dict[str, Any] = {"fractal": fractal, "octaves": 3, **options}
        with pytest.raises(ValueError, match="Only fbm without weighting"):
            noise.sample("perlin", 0.5, 0.5, only=(0, 2), **given)
        whole = noise.sample("perlin", 0.5, 0.5, only=(0, 3), **given)
        assert whole == noise.sample("perlin", 0.5, 0.5, **given)
    for only in ((0, 0), (-1, 1), (2, 4), (3, 3), (0.5, 1), 1, (0, 1, 2)):
        bad: Any = only
        with pytest.raises(ValueError, match=r"only|The end of only"):
            noise.sample("perlin", 0.5, 0.5, fractal="fbm", octaves=3, only=bad)
    assert noise.sample("perlin", 0.5, 0.5, only=(0, 1)) == noise.sample("perlin", 0.5, 0.5)


def test_progress_ends_at_one() -> None:
    x = np.arange(900) / 100
    seen: list[float] = []
    noise.sample_grid("perlin", x, x, progress=seen.append)
    assert seen == sorted(seen)
    assert seen[-1] == 1


@pytest.mark.parametrize("threads", [1, 2])
def test_cancel_stops(threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sampling, "TERMS_PER_THREAD", 1)
    x = np.arange(1800) / 100
    polls = itertools.count()
    with pytest.raises(Cancelled):
        # The second of two threads may do all the work, and leave one poll to the first.
        noise.sample_grid(
            "perlin", x, x, threads=threads, cancelled=lambda: next(polls) > 1 - threads
        )
    assert next(polls) == 3 - threads


@pytest.mark.parametrize("basis", ["perlin", "opensimplex2", "cellular", "noiselib"])
def test_wide_grids_ask_often_whether_to_go_on(basis: str) -> None:
    """A row of a grid may take long by itself."""
    polls = itertools.count()
    x = np.arange(100_000) / 100
    noise.sample_grid(basis, x, x[:8], cancelled=lambda: next(polls) < 0)
    assert next(polls) > 10


@pytest.mark.parametrize("threads", [1, 2])
def test_no_thread_is_left_behind(threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sampling, "TERMS_PER_THREAD", 1)
    x = np.arange(1800) / 100
    before = set(threading.enumerate())  # those of libraries that other tests use go on
    with pytest.raises(Cancelled):
        noise.sample_grid("perlin", x, x, threads=threads, cancelled=lambda: True)
    assert set(threading.enumerate()) <= before


def test_out_is_used_and_checked() -> None:
    x = np.arange(20) / 7
    out = np.empty((20, 20), np.float32)
    assert noise.sample_grid("value", x, x, out=out) is out
    assert np.array_equal(out, noise.sample_grid("value", x, x))
    with pytest.raises(ValueError, match="float32 of shape"):
        noise.sample_grid("value", x, x, out=np.empty((20, 21), np.float32))


def test_empty_and_scalar_coordinates() -> None:
    assert noise.sample("perlin", [], []).shape == (0,)
    assert noise.sample("perlin", 1.5, 2.5).shape == ()
    assert noise.sample_grid("perlin", np.zeros(0), np.zeros(3)).shape == (3, 0)


@pytest.mark.slow
@pytest.mark.parametrize("spacing", [1 / 512, 30.0])
def test_memory_beyond_the_output_is_small(spacing: float) -> None:
    x = np.arange(8192) * spacing
    out = np.empty((512, 8192), np.float32)
    tracemalloc.start()
    noise.sample_grid("perlin", x, x[:512], fractal="fbm", octaves=12, out=out)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 64 << 20


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"basis": "perlim"}, "no noise basis 'perlim'"),
        ({"fractal": "fmb"}, "no fractal 'fmb'"),
        ({"octaves": 0}, "whole number from 1 to 32"),
        ({"octaves": 33}, "whole number from 1 to 32"),
        ({"octaves": 2.5}, "whole number from 1 to 32"),
        ({"lacunarity": 0.0}, "lacunarity must be above 0"),
        ({"lacunarity": float("nan")}, "lacunarity must be a finite number"),
        ({"gain": float("inf")}, "gain must be a finite number"),
        ({"octave_seeds": "random"}, "octave_seeds must be one of"),
        ({"seed": 1.5}, "seed must be a whole number"),
        ({"x": [0.0, float("nan")]}, "x holds NaN"),
        ({"y": [0.0, float("inf")]}, "y holds NaN"),
        ({"x": [0.0, 1e18]}, "beyond 2\\*\\*52 cells"),
        ({"octaves": 32, "lacunarity": 8.0}, "beyond 2\\*\\*52 cells"),
        ({"period": (0, 4)}, "period must be"),
        ({"jitter": 0.5}, "no setting 'jitter'"),
    ],
)
@pytest.mark.parametrize("function", [noise.sample, noise.sample_grid])
def test_bad_input_is_explained(function: Any, change: dict[str, Any], message: str) -> None:
    options: dict[str, Any] = {"basis": "perlin", "x": [0.0, 1.0], "y": [0.0, 1.0]}
    with pytest.raises(ValueError, match=message):
        function(**{"fractal": "fbm", **options, **change})


def test_dimensions_are_checked() -> None:
    with pytest.raises(ValueError, match="no third dimension"):
        noise.sample("noiselib", 0.0, 0.0, 0.0)
    with pytest.raises(ValueError, match="one-dimensional"):
        noise.sample_grid("perlin", np.zeros((2, 2)), np.zeros(2))
    with pytest.raises(ValueError, match="fade_under"):
        noise.sample_grid("perlin", np.zeros(2), np.zeros(2), fade_under=0.0)


def test_registries_describe_themselves() -> None:
    for entries in (noise.BASES, noise.FRACTALS):
        for name, entry in entries.items():
            assert entry.name == name
            assert entry.label
            assert entry.help
            assert not entry.help.endswith(".")


@pytest.mark.parametrize("basis", ["opensimplex2", "opensimplex2s"])
def test_simplex_noise_next_to_the_lines_of_its_lattice(basis: str) -> None:
    """Offsets that round to a whole cell, from either side."""
    line = (np.arange(-2.0, 3, 0.5)[:, None] + [-1e-9, -1e-11, 0.0, 1e-11, 1e-9]).ravel()
    u, v = (c.ravel() for c in np.meshgrid(line, line))
    x, y = u - (u + v) * plain_simplex.UNSKEW, v - (u + v) * plain_simplex.UNSKEW
    expected = [BASES[basis](3, *point) for point in zip(x, y, strict=True)]
    np.testing.assert_allclose(noise.sample(basis, x, y, seed=3), expected, rtol=0, atol=1e-5)


@given(
    distance=st.sampled_from([c.key for c in cellular.DISTANCES]),
    returned=st.sampled_from([c.key for c in cellular.RETURNS]),
    x=axes,
    y=axes,
    jitter=st.sampled_from([0.0, 0.5, 1.0]),
)
def test_cellular_grids_equal_points_and_the_plain_reference(
    distance: str, returned: str, x: Any, y: Any, jitter: float
) -> None:
    # Off the middle between feature points, where one bit decides which is nearer.
    columns, rows = axis(x, 5) + 0.0123, axis(y, 4) + 0.0371
    options = {"distance_function": distance, "return_type": returned, "jitter": jitter}
    grid = noise.sample_grid("cellular", columns, rows, seed=11, **options)
    points = noise.sample("cellular", columns, rows[:, None], seed=11, **options)
    assert np.array_equal(grid, points)
    expected = [[plain_simplex.cellular(11, p, q, **options) for p in columns] for q in rows]
    np.testing.assert_allclose(grid, expected, rtol=0, atol=4e-6)


@pytest.mark.parametrize("distance", [c.key for c in cellular.DISTANCES])
def test_of_cells_equally_near_the_first_counts(distance: str) -> None:
    line = np.arange(-3, 3.5, 0.5)
    settings: dict[str, Any] = {"distance_function": distance, "return_type": "cell_value"}
    options: dict[str, Any] = {**settings, "seed": 11, "jitter": 0.0}
    expected = [[plain_simplex.cellular(11, x, y, jitter=0.0, **settings) for x in line]
                for y in line]  # fmt: skip
    for got in (
        noise.sample_grid("cellular", line, line, **options),
        noise.sample("cellular", line, line[:, None], **options),
    ):
        np.testing.assert_allclose(got, expected, rtol=0, atol=1e-6)


@pytest.mark.parametrize("basis", ["perlin", "opensimplex2s", "cellular"])
@pytest.mark.parametrize("fractal", ["fbm", "ridged", "damped_fbm"])
def test_sampling_points_asks_whether_to_stop(basis: str, fractal: str) -> None:
    x = np.linspace(0, 9, 40_000)
    options: dict[str, Any] = {"fractal": fractal, "octaves": 4}
    polls = itertools.count()
    values = noise.sample(basis, x, x, **options, cancelled=lambda: next(polls) < 0)
    np.testing.assert_array_equal(values, noise.sample(basis, x, x, **options))
    assert next(polls) >= 4 * 40_000 / SAMPLES
    with pytest.raises(Cancelled):
        noise.sample(basis, x, x, **options, cancelled=lambda: True)


@pytest.mark.parametrize("kind", noise.WARPS)
@pytest.mark.parametrize("fractal", noise.WARP_FRACTALS)
def test_warps_ask_whether_to_stop(kind: str, fractal: str) -> None:
    x = np.arange(500) / 9
    options: dict[str, Any] = {"frequency": 1.0, "fractal": fractal, "octaves": 2}
    for warp, places in (
        (noise.warp, (x, x[:, None])),
        (noise.warp_grid, (x, x)),
        (noise.warp_grid, (x, x[::2])),
    ):
        polls = itertools.count()
        moved = warp(kind, *places, **options, cancelled=lambda p=polls: next(p) < 0)
        np.testing.assert_array_equal(moved, warp(kind, *places, **options))
        assert next(polls) > 3
        with pytest.raises(Cancelled):
            warp(kind, *places, **options, cancelled=lambda: True)
