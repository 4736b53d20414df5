# SPDX-License-Identifier: GPL-3.0-or-later
"""Validate the arguments of sample(), sample_grid() and warp()."""

from __future__ import annotations

import math
import numbers
import operator
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...settings.params import short_repr
from ..basis import BASES, Basis
from ..fractals.fbm import FRACTALS, LARGEST, FractalArguments, FractalSum, fractal_sum, powers
from ..fractals.octave import LARGEST_CELL, NARROW_CELL, Axis, Octave

MAX_OCTAVES = 32
NUMBERS = "biufO"
"""dtype kinds of coordinates; objects if they convert to float."""
OCTAVE_SEEDS = ("increment", "offset", "same")
OCTAVE_OFFSET = 2.0
"""Shift between octaves with ``octave_seeds="offset"``, in noise units, as in the tutorial."""


def known(what: str, name: str, names: Iterable[str]) -> str:
    """Return one of those names, or ValueError."""
    names = list(names)
    if not isinstance(cast(Any, name), str) or name not in names:
        raise ValueError(f"There is no {what} {short_repr(name)}; known: {', '.join(names)}")
    return name


def checked(
    basis: str,
    dimensions: int,
    given: FractalArguments,
    spacing: float,
    settings: Mapping[str, Any],
) -> tuple[Basis, FractalSum]:
    """Return the basis with its settings and the sum of its octaves; ValueError for bad
    arguments."""
    noise = BASES[known("noise basis", basis, BASES)]
    kind = FRACTALS[known("fractal", given.fractal, FRACTALS)]
    names = [setting.name for setting in (*noise.settings, *kind.settings)]
    for name in settings:
        if name not in names:
            raise ValueError(
                f"{noise.label} noise with fractal {given.fractal!r} has no setting {name!r}; "
                f"known: {', '.join(names) or 'none'}"
            )
    basis_settings, fractal_settings = (
        {s.name: s.checked(settings.get(s.name, s.default), s.name) for s in owner.settings}
        for owner in (noise, kind)
    )
    if dimensions not in noise.dimensions:
        raise ValueError(f"{noise.label} noise has no third dimension: leave z out")
    numbers = {
        name: finite_number(name, getattr(given, name), noise.single_precision)
        for name in ("lacunarity", "gain", "weighted_strength", "ping_pong_strength")
    }
    given = replace(given, **numbers)
    if given.lacunarity <= 0:
        raise ValueError(f"lacunarity must be above 0, not {given.lacunarity:g}")
    if not isinstance(cast(Any, given.normalize), (bool, np.bool_)):
        raise ValueError(f"normalize must be True or False, not {short_repr(given.normalize)}")
    spacing = finite_number("spacing", spacing)
    if spacing < 0:
        raise ValueError(f"spacing must be a distance of samples, 0 or more, not {spacing:g}")
    fade_under = given.fade_under
    if fade_under is not None and not finite_number("fade_under", fade_under) > 0:
        raise ValueError(f"fade_under must be a number of samples above 0, not {fade_under}")
    given = replace(given, octaves=whole("octaves", given.octaves, 1, MAX_OCTAVES))
    if given.fractal == "none":
        given = replace(given, octaves=1, weighted_strength=0.0)
    total = fractal_sum(kind, _octaves(given), given, fractal_settings, dimensions, spacing)
    return noise.with_settings(basis_settings), total


def part(total: FractalSum, only: tuple[int, int]) -> FractalSum:
    """Select octaves of a plain sum, with the amplitudes that they have in it."""
    count = len(total.gains)
    try:
        start, stop = only
    except (TypeError, ValueError):
        raise ValueError(f"only must be two numbers of octaves, not {short_repr(only)}") from None
    start = whole("The first octave of only", start, 0, count - 1)
    stop = whole("The end of only", stop, start + 1, count)
    if (start, stop) == (0, count):
        return total
    if not total.plain:
        raise ValueError("Only fbm without weighting, and none, are made of single octaves")
    return replace(
        total,
        all_octaves=total.all_octaves[start:stop],
        presence=total.presence[start:stop] or (0.0,),
        gains=total.gains[start:stop],
    )


def _octaves(given: FractalArguments) -> tuple[Octave, ...]:
    octave_seeds, period, count = given.octave_seeds, given.period, given.octaves
    lacunarity = given.lacunarity
    # isinstance first: an array would be compared element by element.
    if not isinstance(cast(Any, octave_seeds), str) or octave_seeds not in OCTAVE_SEEDS:
        raise ValueError(
            f"octave_seeds must be one of {', '.join(OCTAVE_SEEDS)}, not {short_repr(octave_seeds)}"
        )
    seed = whole("seed", given.seed)
    if period is not None:
        if count > 1 and not lacunarity.is_integer():
            raise ValueError(f"A seamless noise needs a whole lacunarity, not {lacunarity:g}")
        period = pair("period", period)
        if max(period) * int(lacunarity) ** (count - 1) >= LARGEST_CELL:
            raise ValueError(
                "The finest octave repeats after 2**52 cells or more, where coordinates have no "
                "fraction left: use fewer octaves, a smaller lacunarity or a shorter period"
            )
    step = 1 if octave_seeds == "increment" else 0
    shift = OCTAVE_OFFSET if octave_seeds == "offset" else 0.0
    return tuple(
        Octave(
            # A negative seed stays negative: permutation_perlin depends on the sign.
            seed=(seed + step * k) % (2**32 if seed + step * k >= 0 else -(2**32)),
            frequency=frequency,
            z_frequency=1.0 if octave_seeds == "offset" else frequency,
            shift=shift * k,
            period=period and (period[0] * int(lacunarity) ** k, period[1] * int(lacunarity) ** k),
        )
        for k, frequency in enumerate(powers(lacunarity, count))
    )


def finite_number(name: str, value: Any, single_precision: bool = False) -> float:
    """Return a number that leaves room in float32, or ValueError."""
    try:
        # As a Python float before all else: a float16 cannot even be compared with the limit.
        number = float(value) if isinstance(cast(object, value), numbers.Real) else math.nan
    except OverflowError:
        number = math.inf
    if not abs(number) <= LARGEST:
        raise ValueError(
            f"{name} must be a finite number, of at most {LARGEST:g} either way, "
            f"not {short_repr(value)}"
        )
    return float(np.float32(number)) if single_precision else number


def pair(name: str, values: Any) -> tuple[int, int]:
    """Return two whole numbers from 1 on, or ValueError."""
    try:
        first, second = values
    except (TypeError, ValueError):
        raise ValueError(
            f"{name} must be two whole numbers, along x and y, not {short_repr(values)}"
        ) from None
    return whole(name, first, 1), whole(name, second, 1)


def whole(name: str, value: Any, least: int | None = None, most: int | None = None) -> int:
    """Return a whole number from ``least`` to ``most``, or ValueError."""
    limits = ""
    if least is not None:
        limits = f" from {least} to {most}" if most else f" of at least {least}"
    try:
        count = operator.index(value)
    except TypeError:
        count = None
    if count is None or isinstance(value, bool):
        raise ValueError(f"{name} must be a whole number{limits}, not {short_repr(value)}")
    if (least is not None and count < least) or (most is not None and count > most):
        raise ValueError(f"{name} must be a whole number{limits}, not {short_repr(count)}")
    return count


def coordinates(x: ArrayLike, y: ArrayLike, z: ArrayLike | None) -> list[Axis]:
    """Return coordinates as float64; :func:`within_range` finds those that are not finite."""
    given = (x, y) if z is None else (x, y, z)
    return [as_numbers(values, name) for values, name in zip(given, "xyz", strict=False)]


def as_numbers(values: ArrayLike, name: str) -> Axis:
    """Convert to float64; raise ValueError for text, dates and complex numbers."""
    try:
        array = np.asarray(values)
        if array.dtype.kind in NUMBERS:
            # What is too large for float64 becomes infinite, which is refused by name.
            with np.errstate(over="ignore", invalid="ignore"):
                return array.astype(np.float64, copy=False)
    except (TypeError, ValueError, OverflowError):
        pass
    raise ValueError(f"{name} must be numbers, not {short_repr(values)}")


def axis(values: ArrayLike, name: str) -> Axis:
    axis = np.ascontiguousarray(as_numbers(values, name))
    if axis.ndim != 1:
        raise ValueError(f"{name} must be one-dimensional; sample() takes any shape")
    ends([axis], name)
    return axis


def ends(coords: Sequence[NDArray[Any]], names: str = "xyz") -> list[tuple[float, float]]:
    """Return the least and greatest of the coordinates along each axis; ValueError if some are not
    finite."""
    # NaN comes through both; testing each value would need an array of full size.
    spans = [(float(c.min()), float(c.max())) for c in coords if c.size]
    for name, span in zip(names, spans, strict=False):
        if not all(map(math.isfinite, span)):
            raise ValueError(f"{name} holds NaN or infinite coordinates")
    return spans


def largest(spans: Iterable[tuple[float, float]]) -> float:
    """Return the largest absolute coordinate; 0 where there is none."""
    return max((abs(end) for span in spans for end in span), default=0.0)


def within_range(total: FractalSum, points: int, *coords: NDArray[Any]) -> FractalSum:
    """Return the sum for those coordinates; ValueError if some are not finite or leave no
    fraction."""
    spans = ends(coords)
    reach = largest(spans) + total.fractal.farthest(total)
    cells = [(reach + octave.shift) * max(octave.frequency, 1.0) + 4 for octave in total.octaves]
    if not max(cells) < LARGEST_CELL:
        raise ValueError(
            "The finest octave lies beyond 2**52 cells, where coordinates have no fraction left: "
            "use fewer octaves, or a smaller lacunarity or gain"
        )
    octaves = tuple(
        replace(
            octave,
            wide=max(cell, *(octave.period or (0,))) >= NARROW_CELL,
            bounds=_placed(octave, spans) if len(spans) == len(coords) else None,
            points=points,
        )
        for octave, cell in zip(total.octaves, cells, strict=True)
    )
    return replace(total, all_octaves=octaves + total.all_octaves[len(octaves) :])


def _placed(octave: Octave, spans: list[tuple[float, float]]) -> tuple[tuple[float, float], ...]:
    """Return the least and greatest coordinate along each axis, in lattice units of an octave."""
    ends = [octave.place(axis, np.array(span)) for axis, span in enumerate(spans)]
    return tuple((float(low), float(high)) for low, high in ends)


def spacing(x: Axis, y: Axis) -> float:
    """Return the mean distance of samples, the larger of both axes, to five digits.

    Limited to :data:`LARGEST`; axes beyond that are refused elsewhere.
    """
    steps = [
        abs(float(axis[-1]) - float(axis[0])) / (axis.size - 1) for axis in (x, y) if axis.size > 1
    ]
    return min(float(f"{max(steps, default=0.0):.5g}"), LARGEST)
