# SPDX-License-Identifier: GPL-3.0-or-later
"""Beds of hard and soft rock, one upon the other, that rivers and slopes cut."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...numerics.arrays import Doubles, Floats
from ...settings.plain_data import plain_data
from .. import random_fields

MOST = 4096
"""Largest number of beds; rock above all of them has normal hardness."""
HARDER = 0.35
"""Part by which hard rock takes longer to wear where the contrast is full, and soft rock less: a
uplifting mountains keep their height."""
UNLIKE = 0.6, 0.3
"""Parts by which beds differ in thickness and in hardness."""
CLIFF = 6.0
"""How many times as steep as the valley side a ledge of full contrast is, before rock falls."""
BENCH = 0.45
"""Slope of the bench upon a ledge, beside the one that the soft rock has as a whole."""
MARGIN = 0.06
"""Part of the mean thickness from a boundary within which the hardness goes over."""


@dataclass(frozen=True)
class HeightTable:
    """Values at ascending heights, linear between."""

    heights: Doubles
    values: Doubles

    def at(self, height: Floats) -> Floats:
        """Return (H, W) float32; the ends go on, level."""
        values = np.interp(height.ravel(), self.heights, self.values)
        return values.astype(np.float32).reshape(height.shape)


@plain_data
@dataclass(frozen=True)
class RockBeds:
    """Hard and soft beds in turn, from below the lowest terrain.

    Attributes
    ----------
    tops : ndarray of float64
        Heights in ascending order; the first bed is hard.
    thickness : float
        The mean one.
    softer : ndarray of float64
        How many times as soft each bed is as others of its kind.
    contrast : float
        Between hard and soft rock, 0 to 1.
    """

    tops: Doubles
    thickness: float
    softer: Doubles
    contrast: float

    @classmethod
    def of(cls, low: float, high: float, thickness: float, contrast: float, seed: int) -> RockBeds:
        """Return the beds from ``low`` to ``high``, but no more than `MOST`."""
        count = 2 * int(min((high - low) / thickness, MOST) / 2) + 5  # hard rock on top
        chances = random_fields.uniform((2, count), seed + 101).astype(np.float64)
        tops = low + thickness * (np.cumsum(1 + UNLIKE[0] * chances[0]) - 1)
        return cls(tops, thickness, 1 + UNLIKE[1] * chances[1], contrast)

    def softness(self, unit: float) -> HeightTable:
        """Return how many times as fast the rock wears, at heights in units of ``unit`` meters; 1
        above all beds."""
        hard, soft = 1 / (1 + HARDER * self.contrast), 1 / (1 - HARDER * self.contrast)
        factor = np.where(np.arange(self.tops.size) % 2 == 0, hard, soft) * self.softer
        margin = MARGIN * self.thickness
        edges = np.repeat(self.tops, 2) + np.tile([-margin, margin], self.tops.size)
        return HeightTable(edges / unit, np.append(np.repeat(factor, 2)[1:], 1.0))

    def ledges(self) -> HeightTable:
        """Return meters by which a slope that cuts the beds is moved: cliffs of hard rock, and
        benches upon them that grow steeper towards the next cliff.

        Heights stay in order, so that no pits are made, and keep their mean. The grid on which
        rivers wear the terrain is too coarse for cliffs.
        """
        bottom, middle, top = self.tops[:-2:2], self.tops[1:-1:2], self.tops[2::2]
        # On the map, soft rock takes the room that steep hard rock gives up.
        steeper = 1 + (CLIFF - 1) * self.contrast / self.softer[2::2]
        foot = top - (top - middle) / steeper
        bench = (1 - (1 - BENCH) * self.contrast) * (middle - bottom) / 2
        heights = np.stack([bottom, (bottom + foot) / 2, foot], axis=1).ravel()
        after = np.stack([bottom, bottom + bench, middle], axis=1).ravel()
        heights, moved = np.append(heights, top[-1]), np.append(after - heights, 0.0)
        between = (moved[1:] + moved[:-1]) / 2
        return HeightTable(heights, moved - np.average(between, weights=np.diff(heights)))
