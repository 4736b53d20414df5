# SPDX-License-Identifier: GPL-3.0-or-later
"""The height from which snow lies all year."""

from __future__ import annotations

from dataclasses import dataclass

USUAL = 0.6
"""Where the snow line is on terrain whose colors show no snow, from its lowest point (0) to its
highest (1)."""


@dataclass(frozen=True)
class SnowLine:
    """Where the colors of a terrain begin to show snow.

    Attributes
    ----------
    start : float
        Meters, or 0 to 1 where it is ``relative``.
    relative : bool
        Whether it counts from the lowest point of the terrain (0) to its highest (1).

    Examples
    --------
    >>> SnowLine(0.5, relative=True).on(200.0, 1000.0)
    600.0
    """

    start: float = USUAL
    relative: bool = True

    def on(self, low: float, high: float) -> float:
        """Return the height in meters on a terrain that reaches from ``low`` to ``high``."""
        return low + self.start * (high - low) if self.relative else self.start
