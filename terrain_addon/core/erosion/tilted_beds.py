# SPDX-License-Identifier: GPL-3.0-or-later
"""Tilted beds of rock: how hard the rock is where they crop out.

Beds that dip one way crop out in bands along their strike. Erosion leaves the hard ones as ridges
with a long side down the dip and a short scarp, and the valleys follow the soft ones: terrain has a
direction, and slopes that face one way differ from those that face the other.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .. import noise
from ..numerics.angles import cos_sin
from ..numerics.arrays import Doubles, Floats
from ..numerics.blocks import row_bands
from ..numerics.progress import Cancel

LONGEST_SIDE = 0.95
"""Most of a bed's outcrop that the dip slope takes; the scarp needs some width."""
BEND = 2.0
"""Length of the bends, in spacings of the beds."""
THICK, UNEVENNESS = (12.0, 2.2), 0.3
"""Size of the changes of thickness along the strike and across it, and how far they move the beds,
in spacings."""
THIN, THICKNESS = 0.65, 0.7
"""Hardness of thin beds, and what thick ones have more of."""
PATCH, PATCHES = (5.0, 0.6), 0.6
"""Size of patches of hard and soft rock within the beds, and their share of the hardness."""
OCTAVES = 2
"""Octaves of the bends and of the patches."""


@dataclass(frozen=True)
class TiltedBeds:
    """Beds of rock that crop out in bands.

    Attributes
    ----------
    strike : float
        Degrees from the X axis: the direction of the bands. The beds dip to the right of it.
    dip : float
        Degrees, 0 to 90.
    spacing : float
        Meters between bands, on average.
    bends : float
        How far the bands bend, in spacings.
    seed : int
        Seed of bends, thickness and patches.
    """

    strike: float
    dip: float
    spacing: float
    bends: float
    seed: int

    def hardness(self, x: Doubles, y: Doubles, cancelled: Cancel | None = None) -> Floats:
        """Return (len(y), len(x)) float32, -1 where the rock is soft to 1 where it is hard.

        A function of the place alone: windows have the same bits.

        Parameters
        ----------
        x, y : ndarray of float64
            Coordinates in meters.

        Examples
        --------
        >>> beds = TiltedBeds(strike=0.0, dip=30.0, spacing=100.0, bends=0.0, seed=1)
        >>> x, y = np.arange(4.0), np.arange(300.0)
        >>> hard = beds.hardness(x, y)
        >>> hard.shape, bool(abs(hard).max() <= 1)
        ((300, 4), True)
        """
        # Bends have no direction, and noise is much faster along the axes.
        hard = noise.sample_grid(
            "perlin",
            x / (BEND * self.spacing),
            y / (BEND * self.spacing),
            seed=self._seed(1),
            fractal="fbm",
            octaves=OCTAVES,
            cancelled=cancelled,
        )
        cos, sin = (part / self.spacing for part in cos_sin(self.strike))
        for rows in row_bands(hard.shape, cancelled):
            down = y[rows, None]
            along, across = x * cos + down * sin, down * cos - x * sin
            hard[rows] = self._at(along, across, hard[rows])
        return hard

    def _at(self, along: Doubles, across: Doubles, bend: Floats) -> Doubles:
        """Return the hardness at places along the strike and across it, in spacings."""

        def varied(size: tuple[float, float], number: int, octaves: int = 1) -> Floats:
            return noise.sample(
                "perlin",
                along / size[0],
                across / size[1],
                seed=self._seed(number),
                fractal="fbm",
                octaves=octaves,
            )

        thick = varied(THICK, 2)
        place = across + np.float32(2 * self.bends) * bend
        place += np.float32(UNEVENNESS) * thick
        hard = self._sawtooth(place % 1)
        hard *= THIN + THICKNESS * np.clip(thick + np.float32(0.3), 0, 1)
        hard += np.float32(PATCHES) * varied(PATCH, 3, OCTAVES)
        return np.clip(hard, -1, 1)

    def _seed(self, number: int) -> int:
        return (self.seed + number) & 0x7FFFFFFF

    def _sawtooth(self, place: Doubles) -> Doubles:
        """Return -1 to 1 by the place within a bed, 0 to 1: a long rise, then a short fall."""
        side = self.dip_slope
        return 2 * np.minimum(place / side, (1 - place) / (1 - side)) - 1

    @property
    def dip_slope(self) -> float:
        """Part of a bed's outcrop that lies on its dip slope: nearly all of it for gentle beds,
        half for upright ones, whose ridges have two sides alike."""
        cos, _ = cos_sin(self.dip)
        return min((1 + cos * cos) / 2, LONGEST_SIDE)
