# SPDX-License-Identifier: GPL-3.0-or-later
"""How neighbouring lattice lines are weighted along one axis."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Weights = Callable[[NDArray[Any], NDArray[Any]], None]


@dataclass(frozen=True)
class Blend:
    """Weights of ``taps`` neighbouring lattice lines, the first at floor(x) + ``first``.

    ``weights(d, out)`` takes offsets from floor(x), 0 to 1, of any shape and writes the weight
    of each tap into ``out`` (taps, *shape), in the precision of the arrays.
    """

    taps: int
    first: int
    weights: Weights


def _nearest(d: NDArray[Any], out: NDArray[Any]) -> None:
    out.fill(1)


def _linear(d: NDArray[Any], out: NDArray[Any]) -> None:
    _two_taps(d, out, lambda t, rise: np.copyto(rise, t))


def _hermite(d: NDArray[Any], out: NDArray[Any]) -> None:
    """d * d * (3 - 2 * d)"""

    def rise_of(t: NDArray[Any], rise: NDArray[Any]) -> None:
        np.multiply(t, t, out=rise)
        rise *= -2
        rise += 1.5
        rise *= t

    _two_taps(d, out, rise_of)


def _quintic(d: NDArray[Any], out: NDArray[Any]) -> None:
    """d**3 * (6 * d * d - 15 * d + 10)"""

    def rise_of(t: NDArray[Any], rise: NDArray[Any]) -> None:
        square = t * t
        np.multiply(square, 6, out=rise)
        rise -= 5
        rise *= square
        rise += 1.875
        rise *= t

    _two_taps(d, out, rise_of)


def _cosine(d: NDArray[Any], out: NDArray[Any]) -> None:
    """(1 - cos(pi d)) / 2"""

    def rise_of(t: NDArray[Any], rise: NDArray[Any]) -> None:
        np.multiply(t, np.pi, out=rise)
        np.sin(rise, out=rise)
        rise *= 0.5

    _two_taps(d, out, rise_of)


def _two_taps(
    d: NDArray[Any],
    out: NDArray[Any],
    rise_of: Callable[[NDArray[Any], NDArray[Any]], None],
) -> None:
    """Weights 1/2 - rise and 1/2 + rise, with the rise an odd function of t = d - 1/2.

    About the middle of the cell all terms are small, and float32 loses least.
    """
    rise, t = out
    np.subtract(d, 0.5, out=t)
    rise_of(t, rise)
    np.add(rise, 0.5, out=t)
    np.subtract(0.5, rise, out=rise)


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


NEAREST = Blend(1, 0, _nearest)
LINEAR = Blend(2, 0, _linear)
HERMITE = Blend(2, 0, _hermite)
QUINTIC = Blend(2, 0, _quintic)
COSINE = Blend(2, 0, _cosine)
CUBIC = Blend(4, -1, _cubic)
