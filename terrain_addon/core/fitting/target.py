# SPDX-License-Identifier: GPL-3.0-or-later
"""The measures of a place, and how far those of a terrain are from them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..analysis import realism
from ..analysis.realism.definitions import FORMS
from ..numerics.arrays import Doubles, Floats
from ..numerics.grid import Grid
from ..numerics.progress import Cancel

FEWEST, MOST = 64, 384
"""Samples along the sides of the windows that are measured."""
MOST_WINDOWS = 3
"""Windows along each side of an elevation model."""
FARTHEST = 3.0
"""Widths of the range of real terrain that a measure counts as away at most, or without a value."""
RELIEF = (0.005, 0.995)
"""Quantiles of the heights between which the relief is."""
RELIEF_UNIT = math.log(2.0)
"""Difference of the logarithms of two reliefs that counts as much as the width of a range."""

WIDTHS: Doubles = np.array(
    [definition.real[1] - definition.real[0] for definition in FORMS.values()]
)
"""Widths of the ranges of real terrain."""


@dataclass(frozen=True)
class FitTarget:
    """What a terrain is fitted to.

    Attributes
    ----------
    measures : (15,) float, means of the windows, in the order of `FORMS`; NaN where
        no window has a value
    relief : meters, mean of the windows
    samples, spacing : samples along the sides of the windows, and meters between them
    """

    measures: Doubles
    relief: float
    samples: int
    spacing: float

    @classmethod
    def of(cls, height: Floats, spacing: float, cancelled: Cancel | None = None) -> FitTarget:
        """Return the target that heights in meters are, so many meters apart.

        Raises ValueError for less than 64 x 64 samples, heights without relief, and what cannot be
        measured.
        """
        if min(height.shape) < FEWEST:
            raise ValueError(
                f"At least {FEWEST} x {FEWEST} samples are needed to fit a terrain to them, not "
                f"{height.shape[1]} x {height.shape[0]}"
            )
        if not np.isfinite(height).all():
            raise ValueError("The elevation model has voids: fill them first")
        found = windows(height)
        mean = _mean(np.array([measured(one, spacing, cancelled) for one in found]))
        if not mean[-1] > 0:
            raise ValueError("The elevation model is flat: there is nothing to fit a terrain to")
        return cls(mean[:-1], float(mean[-1]), found[0].shape[0], spacing)

    @property
    def side(self) -> float:
        """Meters along a window."""
        return self.samples * self.spacing

    @property
    def grid(self) -> Grid:
        """The samples of a window."""
        return Grid.pixels(self.side, self.side, self.samples, self.samples)

    def distance(self, values: Sequence[Doubles]) -> float:
        """Return the mean distance of the measures of terrains, in widths of the ranges of real
        terrain.

        ``values`` are what :func:`measured` returned for several seeds, whose mean counts.
        """
        return float(self._distances(values).mean())

    def loss(self, values: Sequence[Doubles]) -> float:
        """Return what a search minimizes: the distance, with the relief as one more measure."""
        relief = _mean(np.array(values))[-1]
        apart = FARTHEST
        if relief > 0:
            apart = min(abs(math.log(relief / self.relief)) / RELIEF_UNIT, FARTHEST)
        distances = self._distances(values)
        return float((distances.sum() + apart) / (distances.size + 1))

    def _distances(self, values: Sequence[Doubles]) -> Doubles:
        known = np.isfinite(self.measures)
        apart = np.abs(_mean(np.array(values))[:-1] - self.measures)[known] / WIDTHS[known]
        return np.minimum(np.nan_to_num(apart, nan=FARTHEST), FARTHEST)


def measured(height: Floats, spacing: float, cancelled: Cancel | None = None) -> Doubles:
    """Return (16,) float: the fifteen measures of forms, and the relief in meters; NaN without a
    value.

    The direction of a place is not fitted: it belongs to the place, as the courses of its rivers.

    Examples
    --------
    >>> noise = np.random.default_rng(1).random((64, 64), np.float32)
    >>> measured(noise, 10.0).round(2)[[0, -1]]
    array([3.72, 0.99])
    """
    try:
        measures = realism.measure(height, spacing, cancelled=cancelled)
    except ValueError:  # flat
        return np.array([math.nan] * len(WIDTHS) + [0.0])
    low, high = np.quantile(height, RELIEF)
    forms = (measure.value for measure in measures if measure.key in FORMS)
    return np.array([*forms, high - low])


def windows(height: Floats) -> list[Floats]:
    """Return the square windows of an elevation model: as large as is usual to measure, evenly
    spread."""
    side = min(*height.shape, MOST)
    starts = [_starts(length, side) for length in height.shape]
    return [
        np.ascontiguousarray(height[j : j + side, i : i + side])
        for j in starts[0]
        for i in starts[1]
    ]


def _starts(length: int, side: int) -> list[int]:
    count = min(-(-length // side), MOST_WINDOWS)
    return [round(k * (length - side) / max(count - 1, 1)) for k in range(count)]


def _mean(values: Doubles) -> Doubles:
    """Return (K,) means of (N, K) values; NaN where one in two or more has none."""
    known = np.isfinite(values)
    counts = known.sum(0)
    sums = np.where(known, values, 0.0).sum(0)
    return np.where(2 * counts > len(values), sums / np.maximum(counts, 1), math.nan)
