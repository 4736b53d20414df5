# SPDX-License-Identifier: GPL-3.0-or-later
"""How neighbouring lattice lines are weighted along one axis."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Blend:
    """Weights of ``taps`` neighbouring lattice lines, the first at floor(x) + ``first``.

    ``weights`` takes the offset from floor(x), 0 to 1, and returns one array per tap.
    """

    taps: int
    first: int
    weights: Callable[[NDArray[Any]], Sequence[NDArray[Any]]]


def _nearest(d: NDArray[Any]) -> Sequence[NDArray[Any]]:
    return (np.ones_like(d),)


def _linear(d: NDArray[Any]) -> Sequence[NDArray[Any]]:
    return 1 - d, d


def _hermite(d: NDArray[Any]) -> Sequence[NDArray[Any]]:
    """d * d * (3 - 2 * d), about the middle of the cell, where float32 loses least."""
    t = d - d.dtype.type(0.5)
    rise = t * t
    rise *= -2
    rise += 1.5
    rise *= t
    return 0.5 - rise, rise + 0.5


def _quintic(d: NDArray[Any]) -> Sequence[NDArray[Any]]:
    """d**3 * (6 * d * d - 15 * d + 10), about the middle of the cell, where float32 loses least."""
    t = d - d.dtype.type(0.5)
    square = t * t
    rise = square * 6
    rise -= 5
    rise *= square
    rise += 1.875
    rise *= t
    return 0.5 - rise, rise + 0.5


def _cosine(d: NDArray[Any]) -> Sequence[NDArray[Any]]:
    s = 0.5 - 0.5 * np.cos(d * d.dtype.type(np.pi))
    return 1 - s, s


def _cubic(d: NDArray[Any]) -> Sequence[NDArray[Any]]:
    square = d * d
    cube = square * d
    last = cube - square
    return square - last - d, last - square + 1, d - last, last


NEAREST = Blend(1, 0, _nearest)
LINEAR = Blend(2, 0, _linear)
HERMITE = Blend(2, 0, _hermite)
QUINTIC = Blend(2, 0, _quintic)
COSINE = Blend(2, 0, _cosine)
CUBIC = Blend(4, -1, _cubic)
