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

import numpy as np

from ..fractals.octave import Axis, Octave
from ..hashing.corners import CornerHash, CornerQuery, Join
from .interpolants import Blend


@dataclass(frozen=True, kw_only=True)
class Lattice:
    """A noise whose value follows from hashed lattice points near the sample.

    Attributes
    ----------
    hashing : CornerHash
        Values (one field) or gradients of lattice points.
    blend : Blend
        How neighbors are weighted.
    scale : mapping of int to float
        Factor that brings the noise to -1..1, by the number of dimensions.
    plane_of_3d : bool
        Two coordinates mean the plane z = 0 of the 3D noise.
    """

    hashing: CornerHash
    blend: Blend
    scale: Mapping[int, float] = field(default_factory=lambda: {2: 1.0, 3: 1.0})
    plane_of_3d: bool = False

    @property
    def gradient(self) -> bool:
        """Whether lattice points have gradients."""
        return self.hashing.fields != 1

    def corners(self, octave: Octave, joined: Join | None = None) -> CornerQuery:
        """Return the lattice points around a cell."""
        blend = self.blend
        return CornerQuery(self.hashing, octave, blend.first, blend.taps, joined=joined)

    def in_space(self, coords: Axis) -> Axis:
        """Return points (2 or 3, n), those of the plane with z = 0 if the noise is a plane of 3D
        noise."""
        if len(coords) == 3 or not self.plane_of_3d:
            return coords
        return np.concatenate([coords, np.zeros_like(coords[:1])])
