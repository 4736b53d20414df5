# SPDX-License-Identifier: GPL-3.0-or-later
"""What the measures of a terrain are taken of, each computed once and only if it is needed."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from ...numerics.arrays import Doubles, Floats
from ...numerics.blocks import row_bands
from ...numerics.progress import Cancel
from ..derivatives import gradient_rows
from .directions import by_aspect
from .drainage import DrainageMeasures
from .relief import laplacian, moments, tail_ratio
from .smoothing import BINOMIAL, gaussian
from .streams import Streams

BROAD = gaussian(2.0)
"""Smoothing before broad curvature: the Laplacian of a Gaussian of two samples."""


class Terrain:
    """Heights and values derived from them.

    Parameters
    ----------
    height : ndarray of float32, shape (H, W)
        Meters.
    spacing : float
        Meters between samples.
    cancelled : callable or None
        Called often; returning True raises Cancelled.
    """

    def __init__(self, height: Floats, spacing: float, cancelled: Cancel | None) -> None:
        self.height, self.spacing, self.cancelled = height, spacing, cancelled
        self.relief = float(height.max()) - float(height.min())

    @cached_property
    def slope(self) -> Floats:
        """(H, W) float32 tangent of the slope."""
        slope = np.empty_like(self.height)
        for rows in row_bands(slope.shape, self.cancelled):
            # The squares of the gentlest slopes are 0 in float32, so no :func:`steepness`.
            np.hypot(*gradient_rows(self.height, self.spacing, self.spacing, rows), out=slope[rows])
        return slope

    @cached_property
    def drainage(self) -> DrainageMeasures:
        """Rivers and hollows."""
        return DrainageMeasures(self.height, self.spacing, self.cancelled)

    @cached_property
    def streams(self) -> Streams:
        """The ground around streams."""
        return Streams(self.height, self.slope, self.drainage.order, self.cancelled)

    @cached_property
    def curvature(self) -> tuple[float, float]:
        """Skew and kurtosis of the curvature."""
        return moments(
            laplacian(self.height, BINOMIAL, self.cancelled), self.relief, self.cancelled
        )

    @cached_property
    def broad_curvature(self) -> tuple[float, float]:
        """Skew of the broad curvature, and ratio of its tails."""
        bend = laplacian(self.height, BROAD, self.cancelled)
        skew, _ = moments(bend, self.relief, self.cancelled)
        return skew, tail_ratio(bend, self.relief, self.cancelled)

    @cached_property
    def by_aspect(self) -> tuple[Doubles, Doubles]:
        """Mean slope, and samples, of the slopes that face each eighth of the compass."""
        return by_aspect(self.height, self.spacing, self.cancelled)
