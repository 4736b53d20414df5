# SPDX-License-Identifier: GPL-3.0-or-later
"""Realism of a terrain: ten measures, each with its range in real mountains.

The ranges come from four elevation models of real mountains at about 512 x 512 samples, measured
with these functions; a test repeats one of them, matplotlib's sample of the Jacksboro fault. Sums
of Perlin noise fail on the share of hollows, on concavity and on the skew of the curvature; smooth
ones (gain up to 0.5) also on ridges and valleys, and often on Hack's exponent. Terrain shaped by
rivers passes.

All measures work on a few rows at a time: they need little memory and can be cancelled.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from ... import hydrology as hy
from ...numerics.arrays import Floats
from ...numerics.progress import Cancel, poll
from .drainage import Drainage
from .landforms import RIDGE, VALLEY, landforms, ridge_valley_share
from .relief import curvature_moments, hypsometric_integral, slope_ratio
from .spectrum import spectral_slope

__all__ = [
    "RIDGE",
    "SMALLEST",
    "USUAL",
    "VALLEY",
    "Measure",
    "landforms",
    "measure",
    "report",
    "ridge_valley_share",
    "spectral_slope",
]

SMALLEST = 32
"""Samples each way below which there is nothing to measure."""
USUAL = 512
"""Samples along the longer side: as many as the real mountains were measured with."""
LEAST_SPACING, MOST_SPACING = 1e-9, 1e9
"""Meters between samples: areas must stay within the range of float32."""
HIGHEST = 1e9
"""Meters above and below 0, for the same reason."""
MEASURES = {
    "spectral_slope": ("Spectral slope", 3.42, 4.24),
    "hypsometric": ("Hypsometric integral", 0.37, 0.52),
    "hollows": ("Share below spill level", 0.0035, 0.0465),
    "concavity": ("Slope-area concavity", 0.265, 0.495),
    "hack": ("Hack's exponent", 0.505, 0.575),
    "bifurcation": ("Horton's bifurcation ratio", 3.75, 4.45),
    "skew": ("Skew of the curvature", -0.25, -0.02),
    "kurtosis": ("Kurtosis of the curvature", 2.8, 3.8),
    "landforms": ("Ridges and valleys", 0.21, 0.35),
    "slopes": ("Slope ratio, 95 % to median", 1.7, 2.5),
}
"""Label of each measure, and its range in real mountains."""


@dataclass(frozen=True)
class Measure:
    """One measure of a terrain, with its range in real mountains.

    The value is NaN where there is nothing to measure, such as no streams or no slope.
    """

    key: str
    label: str
    value: float
    low: float
    high: float

    @property
    def inside(self) -> bool:
        """Whether the value is in the range of real mountains."""
        return self.low <= self.value <= self.high

    @property
    def text(self) -> str:
        """The value as text."""
        return "none" if math.isnan(self.value) else f"{self.value:.3f}"


def measure(
    height: Floats, spacing: float, *, cancelled: Cancel | None = None
) -> tuple[Measure, ...]:
    """Measure the realism of a terrain.

    Parameters
    ----------
    height : (H, W) float, meters, at least 32 samples each way; 512 compare best
    spacing : meters between samples
    cancelled : called often; returning True raises Cancelled

    Returns
    -------
    Ten measures, each with its range in real mountains

    Raises
    ------
    ValueError : too few samples, flat terrain, heights that are not finite or beyond 1e9 m, or a
        spacing below 1e-9 m or above 1e9 m
    Cancelled

    Examples
    --------
    >>> import numpy as np
    >>> noise = np.random.default_rng(1).random((64, 64), np.float32)
    >>> measures = measure(noise, 10.0)
    >>> measures[1].label, measures[1].inside
    ('Hypsometric integral', True)
    """
    height = hy.check_height(height)
    if min(height.shape) < SMALLEST:
        raise ValueError(
            f"At least {SMALLEST} x {SMALLEST} samples are needed to measure a terrain"
        )
    if not LEAST_SPACING <= spacing <= MOST_SPACING:
        raise ValueError(
            f"The spacing must be from {LEAST_SPACING:g} to {MOST_SPACING:g} m, not {spacing:g}"
        )
    lowest, highest = float(height.min()), float(height.max())
    if max(-lowest, highest) > HIGHEST:
        raise ValueError(f"Heights beyond {HIGHEST:g} m cannot be measured")
    if highest <= lowest:
        raise ValueError("Flat terrain has nothing to measure")
    drainage = Drainage(height, spacing, cancelled)
    moments = cache(lambda: curvature_moments(height, cancelled))
    values: tuple[Callable[[], float], ...] = (
        lambda: spectral_slope(height, cancelled),
        lambda: hypsometric_integral(height, cancelled),
        drainage.share_below_spill,
        drainage.concavity,
        drainage.hack_exponent,
        drainage.bifurcation_ratio,
        lambda: moments()[0],
        lambda: moments()[1],
        lambda: ridge_valley_share(height, spacing, cancelled),
        lambda: slope_ratio(height, spacing, cancelled),
    )
    measures: list[Measure] = []
    for (key, (label, low, high)), value in zip(MEASURES.items(), values, strict=True):
        poll(cancelled)
        measures.append(Measure(key, label, value(), low, high))
    return tuple(measures)


def report(measures: tuple[Measure, ...]) -> str:
    """The measures as a table, one line each."""
    lines = [f"{'measure':30}{'value':>9}   real mountains"]
    for m in measures:
        mark = " " if m.inside else "*"
        lines.append(f"{m.label:30}{m.text:>9} {mark} {m.low:g} to {m.high:g}")
    inside = sum(m.inside for m in measures)
    lines.append(f"{inside} of {len(measures)} within the range of real mountains (* outside)")
    return "\n".join(lines)
