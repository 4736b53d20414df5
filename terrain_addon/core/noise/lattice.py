# SPDX-License-Identifier: GPL-3.0-or-later
"""What a lattice noise is: hashed values or gradients at whole coordinates, blended over cells.

With blend weights w and, for gradient noise, the offset d from a lattice point, one octave in 2D
is::

    sum over taps a, b of  w_a(dx) w_b(dy) (gx dx_a + gy dy_b)        gradient noise
    sum over taps a, b of  w_a(dx) w_b(dy) v                          value noise
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .blend import Blend
from .octave import Field
from .scratch import Scratch

Keys = Sequence[NDArray[np.uint32]]
Corner = Callable[[Any, Keys, Scratch], tuple[Field, ...]]


@dataclass(frozen=True)
class Lattice:
    """A noise whose value follows from hashed lattice points near the sample.

    Attributes
    ----------
    corner : function (state, keys, scratch) of one uint32 key per axis, which broadcast
        against each other; returns float32 fields of the broadcast shape: one value, or one
        gradient component per axis
    blend : how neighbours are weighted
    gradient : whether the fields are gradients
    primes : a key is the lattice coordinate times this number, modulo 2**32
    scale : factor that brings the noise to -1..1, by the number of dimensions
    prepare : makes from the 32-bit seed the state that ``corner`` receives
    fold : how the hash starts by joining the state to the key of the last axis (done once for
        many corners), or None
    plane_of_3d : two coordinates mean the plane z = 0 of the 3D noise
    """

    corner: Corner
    blend: Blend
    gradient: bool
    primes: tuple[int, ...]
    scale: Mapping[int, float] = field(default_factory=lambda: {2: 1.0, 3: 1.0})
    prepare: Callable[[int], Any] = np.uint32
    fold: np.ufunc | None = np.bitwise_xor
    plane_of_3d: bool = False

    def fold_seed(self, keys: Sequence[NDArray[np.uint32]], state: Any) -> None:
        """Join the state to keys of the last axis, in place."""
        if self.fold is not None:
            for key in keys:
                self.fold(key, state, out=key)


def line_keys(lines: NDArray[np.int64], period: int | None, prime: int) -> NDArray[np.uint32]:
    """Keys of whole lattice coordinates."""
    if period is not None:
        lines = np.remainder(lines, period)
    return (lines & 0xFFFFFFFF).astype(np.uint32) * np.uint32(prime)
