# SPDX-License-Identifier: GPL-3.0-or-later
"""Cellular noise at points together with its slopes.

A distance falls in the direction of its feature point: what it takes is the way to the nearest two.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ...numerics.work_arrays import Scratch
from ..fractals.octave import Axis, Field, Octave
from ..hashing.sign_masks import SIGN
from .points import NearestCells, cellular_points, feature_offsets, spares

FAR = 1e10
"""Farther than any feature point."""
LEAST = np.float32(1e-12)
"""Distance below which there is no direction: the tip of a cone, where any slope is as right."""
NARROW = np.float32(2.0**-8)
"""Second distance below which slopes of quotients grow no further. With much jitter two feature
points may nearly coincide, and quotients between them are as steep as you like."""


class NearestWays(NearestCells):
    """The two smallest distances seen so far, and the ways to those feature points along x and y.

    Ways are exchanged by their bits. To copy them where one is nearer took ten times as long:
    NumPy does that point by point.
    """

    def __init__(self, size: int, settings: Mapping[str, Any], scratch: Scratch) -> None:
        super().__init__((size,), settings, scratch)
        self._ranks = [(self.first, scratch("first_way", (2, size)))]
        if self.second is not self.first:
            self._ranks.append((self.second, scratch("second_way", (2, size))))
        for distance, way in self._ranks:
            distance.fill(FAR)
            way.fill(0)
        self._differ = scratch("ways_differ", (2, size))
        self._nearer, self._other = scratch("nearer", (2, size))

    def consider(self, offsets: Field, spares: Field) -> None:
        """Take the feature point at those offsets (axes, n) into account; they are overwritten."""
        distance, new = self.measure(offsets, *spares), offsets[:2].view(np.int32)
        nearer, differ = self._nearer.view(np.int32), self._differ.view(np.int32)
        for least, way in self._ranks:
            np.subtract(distance, least, out=self._nearer)
            np.right_shift(nearer, SIGN, out=nearer)  # all bits where the new one is
            kept = way.view(np.int32)
            np.bitwise_xor(kept, new, out=differ)
            np.bitwise_and(differ, nearer, out=differ)
            np.bitwise_xor(kept, differ, out=kept)
            if least is self.second:
                np.minimum(least, distance, out=least)
                return
            # Now the farther of the two is the new one.
            np.bitwise_xor(new, differ, out=new)
            np.maximum(least, distance, out=self._other)
            np.minimum(least, distance, out=least)
            distance = self._other

    def finish(self, out: Field) -> None:
        """Write value, x slope and y slope into ``out`` (3, n)."""
        self.take_roots()
        for distance, way in self._ranks:
            self._turn_to_slopes(distance, way)
        self._join_slopes(self._ranks[0][1], self._ranks[-1][1], out[1:])
        self.write_joined(out[0])

    def _turn_to_slopes(self, distance: Field, way: Field) -> None:
        """Turn the way (2, n) to a feature point into the slopes of the distance, in place."""
        if self.metric == "euclidean":
            np.maximum(distance, LEAST, out=self._nearer)
            np.divide(way, self._nearer, out=way)
            np.negative(way, out=way)
        elif self.metric == "manhattan":
            np.sign(way, out=way)
            np.negative(way, out=way)
        else:
            sides = np.sign(way, out=self._differ) if self.metric == "hybrid" else None
            way *= np.float32(-2)
            if sides is not None:
                way -= sides

    def _join_slopes(self, first: Field, second: Field, out: Field) -> None:
        """Write the slopes of what is returned of two distances with those slopes (2, n)."""
        if self.returned in ("distance", "distance2"):
            np.copyto(out, second)
        elif self.returned == "distance2_sub":
            np.subtract(second, first, out=out)
        elif self.returned == "distance2_add":
            np.add(second, first, out=out)
            out *= np.float32(0.5)
        elif self.returned == "distance2_mul":
            np.multiply(first, self.second, out=out)
            out += second * self.first
            out *= np.float32(0.5)
        else:
            divisor = np.maximum(self.second, NARROW, out=self._nearer)
            np.multiply(second, self.first, out=out)
            out /= divisor
            np.subtract(first, out, out=out)
            out /= divisor


def cellular_slopes(
    octave: Octave, coords: Axis, out: Field, scratch: Scratch, settings: Mapping[str, Any]
) -> None:
    """Write value, x slope and y slope of one octave into ``out`` (3, n), slopes per lattice cell.

    ``coords`` (2 or 3, n) are overwritten. Cell values have no slopes: they are flat in each cell.
    On creases, and on a feature point, slopes are those of one side, or 0.
    """
    if settings["return_type"] == "cell_value":
        cellular_points(octave, coords, out[0], scratch, settings)
        out[1:].fill(0)
        return
    nearest = NearestWays(coords.shape[1], settings, scratch)
    for offsets, _ in feature_offsets(octave, coords, scratch, settings):
        nearest.consider(offsets, spares(coords))
    nearest.finish(out)
