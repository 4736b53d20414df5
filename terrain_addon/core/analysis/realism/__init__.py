# SPDX-License-Identifier: GPL-3.0-or-later
"""Realism of a terrain: twenty-one measures, each with its range in real terrain.

Fifteen measure forms, six the grain of the terrain: its direction and its valley sides. Elevation
data has noise from sample to sample, which hides the forms. So the heights are smoothed first, by a
Gaussian of 1.5 samples, real and made ones alike. The ranges come from windows of about 400 x 400
samples each of real terrain (docs/guide/realism.md); a test repeats one of them, matplotlib's
sample of the Jacksboro fault. Ten of the measures also have ranges without smoothing.

All measures work on a few rows at a time: they need little memory and can be cancelled.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass

from ... import hydrology as hy
from ...numerics.arrays import Floats
from ...numerics.progress import Cancel, poll
from .definitions import DEFINITIONS
from .landforms import RIDGE, VALLEY, landforms, ridge_valley_share
from .smoothing import gaussian, smoothed as smooth
from .spectrum import spectral_slope
from .terrain import Terrain

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
    "to_json",
]

SMALLEST = 32
"""Samples each way below which there is nothing to measure."""
USUAL = 512
"""Samples along the longer side that compare well with those of the real terrain."""
LEAST_SPACING, MOST_SPACING = 1e-9, 1e9
"""Meters between samples: areas must stay within the range of float32."""
HIGHEST = 1e9
"""Meters above and below 0, for the same reason."""
SMOOTHING = gaussian(1.5)
"""Smoothing of the heights."""


@dataclass(frozen=True)
class Measure:
    """One measure of a terrain, with its range in real terrain.

    The value is NaN where there is nothing to measure, such as no streams or no slope.
    """

    key: str
    value: float
    low: float
    high: float

    @property
    def label(self) -> str:
        """Name of the measure."""
        return DEFINITIONS[self.key].label

    @property
    def inside(self) -> bool:
        """Whether the value is in the range of real terrain."""
        return self.low <= self.value <= self.high

    @property
    def text(self) -> str:
        """The value as text."""
        if math.isnan(self.value):
            return "none"
        return f"{100 * self.value:.2f} %" if self._percent else f"{self.value:.3f}"

    @property
    def range_text(self) -> str:
        """The range as text."""
        if self._percent:
            return f"{100 * self.low:.3g} to {100 * self.high:.3g} %"
        return f"{self.low:g} to {self.high:g}"

    @property
    def verdict(self) -> str:
        """What a value outside the range means, in words; empty inside."""
        if self.inside:
            return ""
        if math.isnan(self.value):
            return "nothing to measure"
        definition = DEFINITIONS[self.key]
        return definition.below if self.value < self.low else definition.above

    @property
    def _percent(self) -> bool:
        return DEFINITIONS[self.key].percent


def measure(
    height: Floats, spacing: float, *, smoothed: bool = True, cancelled: Cancel | None = None
) -> tuple[Measure, ...]:
    """Measure the realism of a terrain.

    Parameters
    ----------
    height : ndarray of float, shape (H, W)
        Meters, at least 32 samples each way; 400 to 512 compare best.
    spacing : float
        Meters between samples.
    smoothed : bool, default True
        Whether to smooth the heights by a Gaussian of 1.5 samples first, as the real terrain was;
        without, ten of the measures have a range.
    cancelled : callable, optional
        Called often; returning True raises Cancelled.

    Returns
    -------
    Twenty-one measures (ten without smoothing), each with its range in real terrain

    Raises
    ------
    ValueError
        Too few samples, flat terrain, heights that are not finite or beyond 1e9 m, or a spacing
        below 1e-9 m or above 1e9 m.
    Cancelled

    Examples
    --------
    >>> import numpy as np
    >>> noise = np.random.default_rng(1).random((64, 64), np.float32)
    >>> measures = measure(noise, 10.0)
    >>> measures[1].label, measures[1].inside
    ('Hypsometric integral', False)
    >>> sum(one.inside for one in measures), len(measures)
    (6, 21)
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
    terrain = Terrain(
        smooth(height, SMOOTHING, cancelled) if smoothed else height, spacing, cancelled
    )
    measures: list[Measure] = []
    for key, definition in DEFINITIONS.items():
        limits = definition.real if smoothed else definition.unsmoothed
        if limits is not None:
            poll(cancelled)
            measures.append(Measure(key, definition.value(terrain), *limits))
    return tuple(measures)


def report(measures: tuple[Measure, ...]) -> str:
    """Return the measures as a table, one line each, with what lies outside in words.

    Parameters
    ----------
    measures : tuple of Measure
        What :func:`measure` returned.

    Returns
    -------
    str
        Lines of text; an asterisk marks each value outside the range of real terrain.

    Examples
    --------
    >>> import numpy as np
    >>> noise = np.random.default_rng(1).random((64, 64), np.float32)
    >>> print(report(measure(noise, 10.0)[:3]))
    measure                           value   real terrain
    Spectral slope                    3.721 * 4.7 to 5.37      small forms are too strong
    Hypsometric integral              0.530 * 0.37 to 0.52     too much of the ground is high
    Share below spill level         26.86 % * 0.2 to 8.2 %     too many closed hollows
    0 of 3 within the range of real terrain (* outside)
    """
    lines = [f"{'measure':30}{'value':>9}   real terrain"]
    for m in measures:
        line = f"{m.label:30}{m.text:>9} {' ' if m.inside else '*'} {m.range_text:16} {m.verdict}"
        lines.append(line.rstrip())
    inside = sum(m.inside for m in measures)
    lines.append(f"{inside} of {len(measures)} within the range of real terrain (* outside)")
    return "\n".join(lines)


def to_json(measures: tuple[Measure, ...]) -> str:
    """Return the measures as JSON.

    Parameters
    ----------
    measures : tuple of Measure
        What :func:`measure` returned.

    Returns
    -------
    str
        An object: "inside" and "count", the number of measures within their range and of all, and
        "measures", a list of objects with the key, label, value (null where there is nothing to
        measure), low and high end of the range, inside (bool) and verdict in words.

    Examples
    --------
    >>> print(to_json((Measure("hack", 0.6, 0.45, 0.575),)))
    {
      "inside": 0,
      "count": 1,
      "measures": [
        {
          "key": "hack",
          "label": "Hack's exponent",
          "value": 0.6,
          "low": 0.45,
          "high": 0.575,
          "inside": false,
          "verdict": "large catchments are too long"
        }
      ]
    }
    """
    listed = [
        {
            "key": m.key,
            "label": m.label,
            "value": None if math.isnan(m.value) else m.value,
            "low": m.low,
            "high": m.high,
            "inside": m.inside,
            "verdict": m.verdict,
        }
        for m in measures
    ]
    inside = sum(m.inside for m in measures)
    return json.dumps({"inside": inside, "count": len(measures), "measures": listed}, indent=2)
