# SPDX-License-Identifier: GPL-3.0-or-later
"""One octave of noise, and the array types."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

STEEPEST = 2.0**10
"""Upper limit of an octave's slope along x or y, per cell, times its value. The terms add up to at
most 26 for lattice noise, 620 for cellular noise (product of hybrid distances at jitter 2) and 240
for simplex noise, or 530 where it repeats after a cell or two."""


Field = NDArray[np.float32]
Axis = NDArray[np.float64]

LARGEST_CELL = 2.0**52
"""From here on, coordinates have no fraction left."""
NARROW_CELL = 2.0**29
"""Below this, cells fit a signed 32-bit integer, skewed ones too."""


@dataclass(frozen=True)
class Octave:
    """Where and with which seed a basis is sampled.

    The seed lies within 32 bits; a negative one is the same modulo 2**32 to most bases.
    x and y are shifted and then scaled by ``frequency``, z is scaled by ``z_frequency``.
    ``period`` is the number of lattice cells after which this octave repeats along x and y, or
    None. ``wide``: some cells do not fit a signed 32-bit integer. ``bounds`` are the
    least and greatest coordinates along each axis that will be sampled, in the octave's own lattice
    units, and ``points`` their number, where these are known. ``skewed``: coordinates are
    already those of the simplex lattice.
    """

    seed: int
    frequency: float = 1.0
    z_frequency: float = 1.0
    shift: float = 0.0
    period: tuple[int, int] | None = None
    wide: bool = False
    bounds: tuple[tuple[float, float], ...] | None = None
    points: int = 0
    skewed: bool = False

    def place(self, axis: int, coord: Axis, out: Axis | None = None) -> Axis:
        """Return the coordinates along axis 0, 1 or 2 in this octave's own lattice units."""
        if axis == 2:
            return np.multiply(coord, self.z_frequency, out=out)
        if not self.shift:
            return np.multiply(coord, self.frequency, out=out)
        return np.multiply(np.add(coord, self.shift, out=out), self.frequency, out=out)

    def place_all(self, coords: Sequence[Axis] | Axis, out: Axis) -> None:
        """Write coordinates (axes, n) in this octave's own lattice units."""
        for axis, coord in enumerate(coords):
            self.place(axis, coord, out=out[axis])
