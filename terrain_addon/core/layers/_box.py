# SPDX-License-Identifier: GPL-3.0-or-later
"""Smoothing whose result at a point does not depend on where the array begins."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ..arrays import Floats
from ..window_sums import window_sums


@dataclass(frozen=True)
class Box:
    """A running mean over ``2 * reach + 1`` samples, and one at each end by ``share``.

    The "extended box" of Gwosdek et al., "Theoretical foundations of Gaussian convolution by
    extended box filtering" (2011): its variance varies smoothly, so that any radius is possible.
    """

    reach: int
    share: float

    @classmethod
    def of_variance(cls, variance: float) -> Box:
        """The box of a variance in squared samples."""
        reach = int((math.sqrt(1 + 12 * variance) - 1) / 2)
        missing = variance - reach * (reach + 1) / 3
        share = (2 * reach + 1) * missing / (2 * ((reach + 1) ** 2 - variance))
        return cls(reach, share)

    @property
    def halo(self) -> int:
        """How many samples to each side enter the mean."""
        return self.reach + 1 if self.share > 0 else self.reach

    def mean_of_rows(self, values: Floats) -> Floats:
        """Running mean along axis 0: ``2 * halo`` fewer rows than ``values`` has."""
        count = len(values) - 2 * self.halo
        total = window_sums(values, 2 * self.reach + 1)
        if self.share > 0:
            total = total[1:-1]
            ends = values[:count] + values[2 * self.halo :]
            ends *= np.float32(self.share)
            total = np.add(total, ends, out=ends)
        total *= np.float32(1 / (2 * self.reach + 1 + 2 * self.share))
        return total
