# SPDX-License-Identifier: GPL-3.0-or-later
"""Lattice noise: hashed values or gradients at whole coordinates, blended over cells.

With blend weights w and, for gradient noise, the offset d from a lattice point, one octave in 2D
is::

    sum over taps a, b of  w_a(dx) w_b(dy) (gx dx_a + gy dy_b)        gradient noise
    sum over taps a, b of  w_a(dx) w_b(dy) v                          value noise
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ..hashing.corner_hash import CornerHash
from .interpolants import Blend


@dataclass(frozen=True)
class Lattice:
    """A noise whose value follows from hashed lattice points near the sample.

    Attributes
    ----------
    hashing : values or gradients of lattice points
    blend : how neighbors are weighted
    gradient : whether these are gradients
    scale : factor that brings the noise to -1..1, by the number of dimensions
    plane_of_3d : two coordinates mean the plane z = 0 of the 3D noise
    """

    hashing: CornerHash
    blend: Blend
    gradient: bool
    scale: Mapping[int, float] = field(default_factory=lambda: {2: 1.0, 3: 1.0})
    plane_of_3d: bool = False
