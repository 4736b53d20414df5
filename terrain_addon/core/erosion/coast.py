# SPDX-License-Identifier: GPL-3.0-or-later
"""Coasts: waves cut a gentle beach along the shore and leave high headlands as cliffs."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ..numerics.arrays import Floats
from .smoothing import box, smoothstep


@dataclass(frozen=True)
class Coast:
    """Form of the coast.

    Attributes
    ----------
    sea : float
        Meters, height of the water.
    width : float
        Meters from the shore that waves reach.
    beach : float
        Tangent of the beach's slope.
    cliff : float
        Meters above the sea from which coasts stay cliffs.
    """

    sea: float
    width: float
    beach: float
    cliff: float

    @classmethod
    def of(cls, sea: float, width: float, beach_degrees: float, cliff: float) -> Coast:
        """Return the same with the slope in degrees."""
        return cls(sea, width, math.tan(math.radians(min(max(beach_degrees, 0), 89))), cliff)


def shore_distance(height: Floats, spacing: float, coast: Coast) -> Floats:
    """Return (H, W) float32: -1 out at sea to 1 inland, 0 along the smoothed shoreline.

    The blur straightens the shoreline as waves do: it erodes capes and fills bays.
    """
    height_of_edge = 0.5 * coast.width
    side = np.clip((height - np.float32(coast.sea)) * np.float32(1 / height_of_edge), -1, 1)
    radius = shore_reach(spacing, coast) // 2
    return box(box(side, radius), radius)


def shore_reach(spacing: float, coast: Coast) -> int:
    """Return samples around a point that its shore distance depends on."""
    return 2 * max(1, round(coast.width / spacing / 2))


def worn_by_waves(height: Floats, shore: Floats, coast: Coast) -> Floats:
    """Return the height with the beach, from the shore distance of `shore_distance` at the same
    points."""
    sea, out_at = np.float32(coast.sea), np.abs(shore)
    above = height - sea
    beach = shore * np.float32(coast.beach * coast.width)
    beach *= np.float32(0.35) + np.float32(0.65) * out_at
    weight = 1 - smoothstep(0.25, 0.95, out_at)
    low = 1 - smoothstep(0.5 * coast.cliff, coast.cliff, above)
    weight *= low
    above += weight * (beach - above)
    # The shoreline is the blurred one, except at headlands too high for the waves.
    least = np.float32(1e-4 * coast.width)
    above = np.where((shore > 0) & (above <= 0), np.maximum(beach, least), above)
    drowned = (shore < 0) & (above > 0) & (low > 0.5)
    above = np.where(drowned, np.minimum(beach, -least), above)
    return above + sea
