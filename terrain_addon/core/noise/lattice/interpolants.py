# SPDX-License-Identifier: GPL-3.0-or-later
"""Interpolants: weights of neighboring lattice lines along one axis."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Function = Callable[[NDArray[Any], NDArray[Any]], None]
Rows = Sequence[NDArray[Any]] | NDArray[Any]
"""Arrays of one shape, or an array (k, ...)."""


@dataclass(frozen=True)
class Blend:
    """Weights of ``taps`` neighboring lattice lines, the first at floor(x) + ``first``.

    Functions take offsets from floor(x), 0 to 1, and an array to write to, and work in the
    precision of the arrays. Blends of two lines have a ``fade``, the weight of the second line;
    others have ``write``, which fills (taps, *shape). ``fade_slope`` and ``write_slopes`` are
    their derivatives. ``powers`` takes values (taps, *shape) and writes what the powers of the
    offset are multiplied by in their blend, from the lowest on.
    """

    taps: int
    first: int
    fade: Function | None = None
    fade_slope: Function | None = None
    write: Function | None = None
    write_slopes: Function | None = None
    powers: Callable[[Rows, Rows], None] | None = None

    def weights(self, offset: NDArray[Any], out: NDArray[Any]) -> None:
        """Write the weight of each tap into ``out`` (taps, *shape of offset)."""
        if self.fade is not None:
            self.fade(offset, out[1])
            np.subtract(1, out[1], out=out[0])
        elif self.write is not None:
            self.write(offset, out)

    def slopes(self, offset: NDArray[Any], out: NDArray[Any]) -> None:
        """Write the derivative of each weight by the offset into ``out``."""
        if self.fade_slope is not None:
            self.fade_slope(offset, out[1])
            np.negative(out[1], out=out[0])
        elif self.write_slopes is not None:
            self.write_slopes(offset, out)


def _linear(d: NDArray[Any], out: NDArray[Any]) -> None:
    np.copyto(out, d)


def _one(d: NDArray[Any], out: NDArray[Any]) -> None:
    out.fill(1)


def _hermite(d: NDArray[Any], out: NDArray[Any]) -> None:
    """Compute d * d * (3 - 2 * d)."""
    np.multiply(d, -2, out=out)
    out += 3
    out *= d
    out *= d


def _hermite_slope(d: NDArray[Any], out: NDArray[Any]) -> None:
    """Compute 6 * d * (1 - d)."""
    np.subtract(1, d, out=out)
    out *= d
    out *= 6


def _quintic(d: NDArray[Any], out: NDArray[Any]) -> None:
    """Compute d**3 * (6 * d * d - 15 * d + 10), without temporaries.

    The last factor is 6 (d - 5/4)**2 + 5/8: no terms cancel, where float32 would lose a digit.
    """
    np.subtract(d, 1.25, out=out)
    out *= out
    out *= 6
    out += 0.625
    out *= d
    out *= d
    out *= d


def _quintic_slope(d: NDArray[Any], out: NDArray[Any]) -> None:
    """Compute 30 * d**2 * (1 - d)**2."""
    np.subtract(1, d, out=out)
    out *= d
    out *= out
    out *= 30


def _cosine(d: NDArray[Any], out: NDArray[Any]) -> None:
    """Compute (1 - cos(pi d)) / 2."""
    np.multiply(d, np.pi, out=out)
    np.cos(out, out=out)
    out *= -0.5
    out += 0.5


def _cosine_slope(d: NDArray[Any], out: NDArray[Any]) -> None:
    """Compute pi / 2 * sin(pi d)."""
    np.multiply(d, np.pi, out=out)
    np.sin(out, out=out)
    out *= np.pi / 2


def _zero(d: NDArray[Any], out: NDArray[Any]) -> None:
    out.fill(0)


def _cubic(d: NDArray[Any], out: NDArray[Any]) -> None:
    before, left, right, after = out
    np.multiply(d, d, out=before)
    np.multiply(before, d, out=after)
    after -= before  # d**3 - d**2
    np.subtract(after, before, out=left)
    left += 1  # d**3 - 2 d**2 + 1
    np.subtract(d, after, out=right)  # -d**3 + d**2 + d
    before -= after
    before -= d  # -d**3 + 2 d**2 - d


def _cubic_powers(values: Rows, out: Rows) -> None:
    before, left, right, after = values
    constant, once, squared, cubed = out
    np.copyto(constant, left)
    np.subtract(right, before, out=once)
    np.subtract(before, left, out=squared)
    np.subtract(after, right, out=cubed)
    cubed -= squared  # left - before + after - right
    squared -= cubed  # 2 (before - left) + right - after


def _cubic_slopes(d: NDArray[Any], out: NDArray[Any]) -> None:
    before, left, right, after = out
    np.multiply(d, d, out=before)
    before *= 3
    np.multiply(d, -2, out=after)
    after += before  # 3 d**2 - 2 d
    np.multiply(d, -2, out=left)
    left += after  # 3 d**2 - 4 d
    np.subtract(1, after, out=right)  # -3 d**2 + 2 d + 1
    np.negative(left, out=before)
    before -= 1  # -3 d**2 + 4 d - 1


NEAREST = Blend(1, 0, write=_one, write_slopes=_zero)
LINEAR = Blend(2, 0, _linear, _one)
HERMITE = Blend(2, 0, _hermite, _hermite_slope)
QUINTIC = Blend(2, 0, _quintic, _quintic_slope)
COSINE = Blend(2, 0, _cosine, _cosine_slope)
CUBIC = Blend(4, -1, write=_cubic, write_slopes=_cubic_slopes, powers=_cubic_powers)
