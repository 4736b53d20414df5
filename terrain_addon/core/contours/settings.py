# SPDX-License-Identifier: GPL-3.0-or-later
"""Which contours a terrain gets."""

from __future__ import annotations

import math

import numpy as np

from ..numerics.arrays import Doubles
from ..settings.params import Settings, height_param, length_param, param

USUAL = 20
"""Contours from the lowest to the highest point, about, where no interval is stated."""
MOST = 2000
"""Contours of one terrain."""


class ContourSettings(Settings):
    """The heights of contours, and how they are drawn.

    Examples
    --------
    >>> ContourSettings(interval=50.0).levels(120.0, 260.0).tolist()
    [150.0, 200.0, 250.0]
    >>> ContourSettings().steps(0.0, 830.0)
    50.0
    """

    interval: float = length_param(
        0.0, "Interval", "Height between contours. 0: a round number, for about 20", soft_max=100.0
    )
    base: float = height_param(0.0, "Base", "Height of one of the contours")
    index: int = param(
        5,
        "Index",
        "Every so many contours one is bold and labeled, counted from the base. 0: none",
        min=0,
        max=100,
        soft_max=10,
    )
    simplify: float = length_param(
        0.0, "Simplify", "Largest distance by which points of a line are left out", soft_max=10.0
    )

    def steps(self, low: float, high: float) -> float:
        """Return the interval for a terrain between two heights: of 1, 2 or 5 times a power of ten
        where none is set."""
        if self.interval > 0:
            return self.interval
        rough = max(high - low, 1e-6) / USUAL
        power = 10.0 ** math.floor(math.log10(rough))
        return next(step * power for step in (1, 2, 5, 10) if step * power >= rough * 0.999)

    def levels(self, low: float, high: float) -> Doubles:
        """Return the heights of the contours between two heights.

        Raises ValueError for more than 2000.
        """
        step = self.steps(low, high)
        first, last = math.ceil((low - self.base) / step), math.floor((high - self.base) / step)
        if last - first >= MOST:
            raise ValueError(
                f"An interval of {step:g} m makes {last - first + 1} contours: set a larger one"
            )
        return self.base + step * np.arange(first, last + 1, dtype=np.float64)

    def is_index(self, level: float, step: float) -> bool:
        """Return whether a contour is bold and labeled."""
        return bool(self.index) and round((level - self.base) / step) % self.index == 0
