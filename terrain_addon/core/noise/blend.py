# SPDX-License-Identifier: GPL-3.0-or-later
"""How neighbouring lattice lines are weighted along one axis."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Function = Callable[[NDArray[Any], NDArray[Any]], None]


@dataclass(frozen=True)
class Blend:
    """Weights of ``taps`` neighbouring lattice lines, the first at floor(x) + ``first``.

    Functions take offsets from floor(x), 0 to 1, and an array to write to, and work in the
    precision of the arrays. Blends of two lines have a ``fade``, the weight of the second line;
    others have ``write``, which fills (taps, *shape).
    """

    taps: int
    first: int
    fade: Function | None = None
    write: Function | None = None

    def weights(self, offset: NDArray[Any], out: NDArray[Any]) -> None:
        """Write the weight of each tap into ``out`` (taps, *shape of offset)."""
        if self.fade is not None:
            self.fade(offset, out[1])
            np.subtract(1, out[1], out=out[0])
        elif self.write is not None:
            self.write(offset, out)


def _linear(d: NDArray[Any], out: NDArray[Any]) -> None:
    np.copyto(out, d)


def _hermite(d: NDArray[Any], out: NDArray[Any]) -> None:
    """d * d * (3 - 2 * d)"""
    np.multiply(d, -2, out=out)
    out += 3
    out *= d
    out *= d


def _quintic(d: NDArray[Any], out: NDArray[Any]) -> None:
    """d**3 * (6 * d * d - 15 * d + 10), about the middle, where float32 loses least."""
    t = d - d.dtype.type(0.5)
    square = t * t
    np.multiply(square, 6, out=out)
    out -= 5
    out *= square
    out += 1.875
    out *= t
    out += 0.5


def _cosine(d: NDArray[Any], out: NDArray[Any]) -> None:
    """(1 - cos(pi d)) / 2"""
    np.multiply(d, np.pi, out=out)
    np.cos(out, out=out)
    out *= -0.5
    out += 0.5


def _nearest(d: NDArray[Any], out: NDArray[Any]) -> None:
    out.fill(1)


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


NEAREST = Blend(1, 0, write=_nearest)
LINEAR = Blend(2, 0, _linear)
HERMITE = Blend(2, 0, _hermite)
QUINTIC = Blend(2, 0, _quintic)
COSINE = Blend(2, 0, _cosine)
CUBIC = Blend(4, -1, write=_cubic)
