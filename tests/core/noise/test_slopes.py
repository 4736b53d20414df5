# SPDX-License-Identifier: GPL-3.0-or-later
"""Slopes of every basis in closed form, against differences of the plain references."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

from terrain_addon.core import noise
from terrain_addon.core.noise.cellular import points as cellular
from terrain_addon.core.noise.fractals import eroded
from terrain_addon.core.noise.fractals.octave import NARROW_CELL, STEEPEST, Octave
from terrain_addon.core.noise.lattice.bases import LatticeNoise
from terrain_addon.core.noise.sampling import arguments
from terrain_addon.core.noise.simplex.bases import Simplex
from terrain_addon.core.noise.simplex.points import SCALES
from terrain_addon.core.noise.simplex.points_3d import KINDS_3D
from terrain_addon.core.numerics.work_arrays import Scratch
from tests.core.noise import plain_bases, plain_fractals

DIMENSIONS = [(name, axes) for name, basis in noise.BASES.items() for axes in basis.dimensions]
CELLULAR = st.fixed_dictionaries(
    {
        "distance_function": st.sampled_from([c.key for c in cellular.DISTANCES]),
        "return_type": st.sampled_from([c.key for c in cellular.RETURNS]),
        "jitter": st.sampled_from([0.0, 0.3, 1.0, 1.7]),
    }
)
# How far from the origin, the step of the differences, and how far they may be off: numbers there
# have a last digit, and what is bent has another slope a step away.
PLACES = [(20.0, 1e-5, 1e-3), (1e6, 1e-5, 3e-3), (3e9, 2.0**-10, 3e-2)]


def slopes(
    name: str, coords: np.ndarray[Any, Any], octave: Octave, chosen: dict[str, Any] | None = None
) -> np.ndarray[Any, Any]:
    """Values and slopes (3, n) at coordinates (axes, n)."""
    basis = noise.BASES[name]
    complete = {s.name: s.default for s in basis.settings} | (chosen or {})
    out = np.empty((3, coords.shape[1]), np.float32)
    basis.with_settings(complete).slopes(octave, coords.copy(), out, Scratch())
    return out


@pytest.mark.parametrize(("name", "dimensions"), DIMENSIONS)
@given(
    seed=st.integers(0, 2**32 - 1),
    place=st.sampled_from(PLACES),
    chosen=CELLULAR,
    salt=st.integers(0),
)
def test_slopes_are_those_of_the_plain_reference(
    name: str,
    dimensions: int,
    seed: int,
    place: tuple[float, ...],
    chosen: dict[str, Any],
    salt: int,
) -> None:
    chosen = chosen if name == "cellular" else {}
    far, step, off = place
    coords = np.random.default_rng(salt).uniform(-far, far, (dimensions, 6))
    found = slopes(name, coords, Octave(seed, wide=far > 2**29), chosen)
    alone = noise.sample(name, *coords, seed=seed, **chosen)
    np.testing.assert_allclose(found[0], alone, rtol=1e-6, atol=2e-6)

    def reference(*point: float) -> float:
        return plain_bases.BASES[name](seed, *point, **chosen)

    for point, (_, *slope) in zip(coords.T, found.T, strict=True):
        for axis in range(2):
            sides = plain_fractals.sided_slopes(reference, point, axis, step)
            # A crease may lie within a step; then the slope is that of the side without.
            error = min(abs(slope[axis] - side) for side in (*sides, sum(sides) / 2))
            assert error <= off * (1 + slope[axis] ** 2), (point, axis, slope[axis], sides)


@pytest.mark.parametrize(("name", "dimensions"), DIMENSIONS)
@given(period=st.tuples(st.integers(1, 9), st.integers(1, 9)), salt=st.integers(0))
def test_slopes_of_noise_that_repeats_are_its_own(
    name: str, dimensions: int, period: tuple[int, int], salt: int
) -> None:
    """The lattice of simplex noise is stretched then, and its slopes with it."""
    coords = np.random.default_rng(salt).uniform(-9, 9, (dimensions, 400))
    octave = Octave(5, period=period)
    _, *found = slopes(name, coords, octave)
    far = coords.copy()
    far[:2] += np.array([[3], [-7]]) * np.array(period)[:, None]
    np.testing.assert_allclose(slopes(name, far, octave)[1:], found, atol=2e-5)
    step = 2.0**-9
    for axis, slope in enumerate(found):
        # Of fourth order: the noise here is float32, so that steps cannot be small.
        near, wide = (
            np.subtract(*(slopes(name, coords + s * step * np.eye(dimensions)[:, [axis]], octave)[0]
                          for s in (k, -k))) / (2 * k * step)
            for k in (1, 2)
        )  # fmt: skip
        error = np.abs(slope - (4 * near - wide) / 3)
        assert np.mean(error < 1e-3) > 0.9  # the others lie at a crease or a jump


@pytest.mark.parametrize(("name", "dimensions"), DIMENSIONS)
@given(seed=st.integers(0, 2**32 - 1), chosen=CELLULAR, data=st.data())
def test_slopes_times_values_stay_within_the_bound(
    name: str, dimensions: int, seed: int, chosen: dict[str, Any], data: Any
) -> None:
    if name == "cellular":
        chosen = {**chosen, "jitter": data.draw(st.floats(0, 2))}
    period = data.draw(st.none() | st.tuples(st.integers(1, 5), st.integers(1, 5)))
    rng = np.random.default_rng(seed)
    coords = np.concatenate(
        [rng.uniform(-99, 99, (dimensions, 900)), rng.integers(-9, 9, (dimensions, 90)) / 2], axis=1
    )
    value, *found = slopes(name, coords, Octave(seed, period=period), chosen)
    assert np.isfinite(found).all()
    assert np.abs(found * value).max() <= STEEPEST


@pytest.mark.parametrize(("name", "dimensions"), DIMENSIONS)
def test_the_bound_is_above_all_that_formulas_can_come_to(name: str, dimensions: int) -> None:
    basis, t = noise.BASES[name], np.linspace(0, 1, 2001)
    if isinstance(basis, LatticeNoise):
        lattice, most = basis, 26.0
        weights, bends = np.zeros((2, lattice.blend.taps, t.size))
        lattice.blend.weights(t, weights)
        lattice.blend.slopes(t, bends)
        weight, bend = (float(np.abs(each).sum(axis=0).max()) for each in (weights, bends))
        axes = 3 if lattice.plane_of_3d else dimensions
        scale = lattice.scale[axes]
        if lattice.gradient:
            gradient = 2**0.5 if axes == 3 else 1.0
            value = scale * gradient * axes**0.5 * weight**axes
            slope = value / axes**0.5 + value * bend / weight
        else:
            value = scale * weight**axes * (2.0**31 if scale < 1e-3 else 1.0)
            slope = value * bend / weight
    elif isinstance(basis, Simplex):
        if dimensions == 2:
            radius, vertices = (0.5, 3) if name == "opensimplex2" else (2 / 3, 4)
            scale = SCALES[name]
        else:
            _, radius, scale = KINDS_3D[name]
            vertices, scale = (4 if name == "opensimplex2" else 8), scale * 2**0.5
        # A torus changes the map to the lattice by up to 0.5 in each entry of two columns.
        most, stretched = 240.0, 1 + 0.5 * (2 * dimensions) ** 0.5
        t = t * radius  # squared distance
        value = scale * vertices * float(((radius - t) ** 4 * t**0.5).max())
        slope = scale * vertices * float(((radius - t) ** 3 * (radius + 7 * t)).max())
        assert value * slope * stretched <= 530
    else:
        most = 620.0
        away = 1 + 2 * (0.43701595 if dimensions == 2 else 0.39614353)  # of the second nearest
        metric = away**2 + dimensions**0.5 * away  # hybrid, above all others
        steepest = (1 + 4 * metric) ** 0.5  # 2 * way + 1, where way**2 + way <= metric
        value, slope = metric**2 / 2 - 1, metric * steepest  # of the product
    assert value * slope <= most < STEEPEST


@pytest.mark.parametrize("metric", [c.key for c in cellular.DISTANCES])
def test_quotients_of_points_that_nearly_coincide_stay_within_the_bound(metric: str) -> None:
    """Without a limit their slopes there would be 100 times as steep."""
    lines = np.arange(1200)

    def points(jitter: float) -> tuple[dict[str, Any], np.ndarray[Any, Any]]:
        """Settings, and feature points (2, rows, columns) from the middles of their cells."""
        chosen = {"distance_function": metric, "return_type": "distance2_div", "jitter": jitter}
        hashing = cellular.feature_points(2, chosen)
        return chosen, np.stack(hashing.mesh([lines, lines], Octave(1), Scratch()))

    # At jitter 1, how far neighbors along x lie less than a cell apart, and how far beside.
    less, beside = points(1.0)[1][:, :, :-1] - points(1.0)[1][:, :, 1:]
    nearest = np.argmin(np.where(less > 0.5, np.abs(beside) / less, 9.0))
    chosen, at = points(1 / float(less.flat[nearest]))
    at = at + np.stack(np.meshgrid(lines, lines)).astype(np.float64)
    first, second = at[:, :, :-1], at[:, :, 1:]
    close = np.hypot(*(second - first)) < 4e-4
    assert close.any()
    first, second = first[:, close], second[:, close]
    for share in (0.0, 0.01, 0.3, 0.5):
        coords = first + share * (second - first)
        value, *found = slopes("cellular", coords, Octave(1), chosen)
        assert np.isfinite(found).all()
        assert np.abs(found).max() <= 516
        assert np.abs(found * value).max() <= STEEPEST


@given(
    case=st.sampled_from(DIMENSIONS),
    warp=st.floats(-10, 10),
    gain=st.floats(-2, 2),
    octaves=st.integers(1, 9),
    chosen=CELLULAR,
)
def test_swiss_octaves_are_sampled_no_farther_than_reported(
    case: tuple[str, int], warp: float, gain: float, octaves: int, chosen: dict[str, Any]
) -> None:
    name, dimensions = case
    reported: list[float] = []
    farthest: list[float] = []
    evaluate = eroded.Swiss.evaluate

    def watched(self: Any, total: Any, octave: Any, coords: Any, out: Any) -> None:
        def sampled(number: int, moved: Any) -> Any:
            farthest.append(float(np.abs(moved - coords).max()))
            return octave(number, moved)

        reported.append(self.farthest(total))
        evaluate(self, total, sampled, coords, out)

    coords = np.random.default_rng(octaves).uniform(-9, 9, (dimensions, 300))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(eroded.Swiss, "evaluate", watched)
        noise.sample(
            name, *coords, fractal="swiss", octaves=octaves, gain=gain, swiss_warp=warp,
            **(chosen if name == "cellular" else {}),
        )  # fmt: skip
    assert max(farthest) <= reported[0]
    assert (
        octaves == 1
        or abs(warp) < 0.1
        or name == "white"
        or max(farthest) > 0
        or (name == "cellular" and chosen["return_type"] == "cell_value")
    )


@pytest.mark.parametrize(("name", "dimensions"), DIMENSIONS)
@pytest.mark.parametrize("fractal", ["swiss", "jordan"])
def test_far_octaves_are_the_same_in_wider_integers(
    name: str, dimensions: int, fractal: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As far out as narrow ones are used, however far slopes push."""
    octaves = 6
    finest = 2.0 ** (octaves - 1)
    free = {"swiss": 10 * STEEPEST * 2 * finest, "jordan": 0.0}[fractal]
    rng = np.random.default_rng(6)
    places = ((NARROW_CELL - free) / finest - 1) * rng.choice([-1.0, 1.0], (dimensions, 400))
    coords = places - rng.uniform(0, 9, places.shape) * np.sign(places)
    warps = {f"{fractal}_warp": 10.0}
    seen = []

    def sampled() -> Any:
        with monkeypatch.context() as patch:
            patch.setattr(Octave, "place_all", watched)
            return noise.sample(name, *coords, fractal=fractal, octaves=octaves, **warps)

    place_all = Octave.place_all

    def watched(octave: Octave, coords: Any, out: Any) -> None:
        seen.append(octave.wide)
        place_all(octave, coords, out)

    narrow = sampled()
    assert not any(seen)
    monkeypatch.setattr(arguments, "NARROW_CELL", 0.0)
    wide = sampled()
    assert all(seen[octaves:])
    np.testing.assert_array_equal(narrow, wide)


@pytest.mark.parametrize("dimensions", [2, 3])
def test_what_is_flat_in_its_cells_has_no_slopes(dimensions: int) -> None:
    coords = np.random.default_rng(2).uniform(-9, 9, (dimensions, 50))
    for name, chosen in (("white", {}), ("cellular", {"return_type": "cell_value"})):
        value, *found = slopes(name, coords, Octave(3), chosen)
        assert np.ptp(value) > 0.5
        assert not np.any(found)


@pytest.mark.parametrize("metric", [c.key for c in cellular.DISTANCES])
def test_slopes_on_a_feature_point_are_finite(metric: str) -> None:
    coords = np.array([[0.0, 1.0, 1e-25, -1e-13], [0.0, -2.0, 0.0, 1e-13]])
    for returned in cellular.RETURNS:
        chosen = {"distance_function": metric, "return_type": returned.key, "jitter": 0.0}
        found = slopes("cellular", coords, Octave(3), chosen)
        assert np.isfinite(found).all()
        assert np.abs(found).max() <= 4


@pytest.mark.parametrize("name", noise.BASES)
@pytest.mark.parametrize("fractal", ["swiss", "jordan", "damped_fbm"])
def test_windows_of_fractals_of_slopes_have_the_bits_of_the_whole(name: str, fractal: str) -> None:
    x, y = np.arange(190) / 11 - 3, np.arange(230) / 9 + 5
    chosen: dict[str, Any] = {"seed": 4, "fractal": fractal, "octaves": 4}
    whole = noise.sample_grid(name, x, y, **chosen)
    for part in (slice(20, 50), slice(33, 34)):
        window = noise.sample_grid(name, x[part], y[70:75], **chosen)
        assert np.array_equal(window, whole[70:75, part])
    assert np.array_equal(noise.sample(name, x[::-1], y[:, None], **chosen), whole[:, ::-1])
