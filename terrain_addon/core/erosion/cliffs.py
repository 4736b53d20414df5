# SPDX-License-Identifier: GPL-3.0-or-later
"""Cliffs of hard beds, slopes of soft ones, and a cap rock whose top is bare.

Where hard beds lie upon soft ones, slopes wear back at the height of the soft bed and the hard one
breaks off above it, so that cliffs stay upright as they retreat (Gilbert 1877). The
terrain below tells how far they have come: a rim runs where its ground cuts the middle of a hard
bed. The ground above the cap is stripped down to it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ..analysis.derivatives import steepness
from ..numerics.arrays import Doubles, Floats
from ..numerics.blocks import row_bands
from ..numerics.hashing import hashed
from ..numerics.progress import Cancel
from .smoothing import box, smoothstep
from .talus_cones import cones, reach_of, steps_for

HARD = (0.3, 0.6)
"""Range of the hard bed's share of a pair of beds."""
THICK = 1.0
"""Cliff of a thick bed below the cap, in thicknesses of a pair."""
MOST = 500
"""Largest number of pairs of beds below the cap."""
EVEN = 0.1
"""Radius over which the ground is smoothed that rims follow, in thicknesses of the cap."""
STEEPEST = np.float32(1.5)
"""Slope of the ground beyond which cliffs and blocks take no more height of it."""
AROUND = 1.0
"""Radius of the ground that must be steep for thin beds to show, in thicknesses of the beds."""
SLOPES = (0.15, 0.35)
"""Mean slopes at which beds below the cap begin to show, and at which they are full: on gentle
ground they would be ribbons."""
WEAK = (-0.3, 0.3)
"""Values of noise from sound rock to rock that is broken throughout."""
FOOT = 0.15
"""Part of the talus' height over which it meets the ground in a curve."""
WIDEST = 100
"""Largest radius in samples over which ground and slope are smoothed."""
FARTHEST = 2.0
"""Reach of the talus, in lengths of the longest cone on level ground."""
NOWHERE = np.float32(-1e30)
"""Height of a cone where there is none."""


@dataclass(frozen=True)
class HardBeds:
    """Hard beds, from the lowest one to the cap.

    Attributes
    ----------
    base : float
        Height of the foot of the lowest soft bed.
    bottoms, tops : ndarray of float64, shape (n,)
        Heights in meters, ascending.
    """

    base: float
    bottoms: Doubles
    tops: Doubles

    @classmethod
    def of(
        cls, top: float, cap: float, depth: float, thickness: float, variety: float, seed: int
    ) -> HardBeds:
        """Return a cap of ``cap`` meters below the height ``top``, and pairs of hard and soft beds
        below it.

        Parameters
        ----------
        depth : float
            Meters of beds below the cap.
        thickness : float
            Median thickness of a pair, in meters.
        variety : float
            Standard deviation of the logarithm of the thickness: beds of sedimentary rock have a
            thickness near lognormal (Talling 2001).
        """
        count = min(math.ceil(3 * depth / thickness) + 1, MOST)
        numbers = np.arange(count, dtype=np.int64)
        chances = [hashed(seed, stream, numbers) * 2.0**-32 for stream in range(5)]
        normal = (sum(chances[:4]) - 2) * math.sqrt(3)  # of four uniform numbers
        pairs = thickness * np.exp(variety * normal)
        feet = np.cumsum(pairs)
        last = int(np.searchsorted(feet, depth))
        feet, pairs, share = feet[:last], pairs[:last], HARD[0] + np.ptp(HARD) * chances[4][:last]
        # Below the cap is soft rock, and so on down.
        tops = top - cap - feet + share * pairs
        ascending = slice(None, None, -1)
        return cls(
            top - cap - depth,
            np.append((top - cap - feet)[ascending], top - cap),
            np.append(tops[ascending], top),
        )

    @property
    def rims(self) -> Doubles:
        """Heights of the terrain below at which the rims run: the middles of the beds."""
        return (self.bottoms + self.tops) / 2

    @property
    def thickness(self) -> Doubles:
        """Meters of each bed."""
        return self.tops - self.bottoms

    @property
    def cap(self) -> HardBeds:
        """The cap alone."""
        return HardBeds(self.base, self.bottoms[-1:], self.tops[-1:])

    def slopes(self, place: Floats, relief: float) -> Doubles:
        """Return heights without the cliffs: the soft rock between rims, and above the cap the
        share ``relief`` of the ground that there was."""
        rims = self.rims
        below = np.append(0, np.cumsum(self.thickness)[:-1])
        heights = np.interp(
            place, np.append(self.base, rims), np.append(self.base, self.bottoms - below)
        )
        heights += np.minimum(place - self.base, 0)
        heights += relief * np.maximum(place - rims[-1], 0)
        return heights

    def cliffs(self, rim: Floats, width: Floats) -> tuple[Doubles, Doubles, Doubles, Doubles]:
        """Return the height of all cliffs at and below each point, and for the uppermost of these
        that stands there its foot on the slopes, its height and the share of it that is below the
        point; -inf, 0 and 1 where there is none.

        Parameters
        ----------
        rim : ndarray of float32
            Meters, on the scale of `rims`.
        width : ndarray of float32
            Height of the ground that a cliff takes, per meter of its own height.
        """
        rims, thick = self.rims, self.thickness
        nearest = np.searchsorted((rims[1:] + rims[:-1]) / 2, rim)
        below = np.append(0, np.cumsum(thick)[:-1])
        share = (rim - rims[nearest]) / (np.clip(width, 1e-6, 1) * thick[nearest]) + 0.5
        risen = np.clip(share, 0, 1)
        height = below[nearest] + thick[nearest] * risen
        upper = np.where(share > 0, nearest, nearest - 1)  # -1: the last of each list
        feet, heights = np.append(self.bottoms - below, -np.inf), np.append(thick, 0)
        return height, feet[upper], heights[upper], np.where(share > 0, risen, 1)


@dataclass(frozen=True)
class Cliffs:
    """Form of cliffs and of the talus below them.

    Attributes
    ----------
    beds : HardBeds
        Beds, where they are not tilted.
    slope : float
        Degrees, of the cliffs.
    relief : float
        Share of the ground above the cap that is left.
    thickness : float
        Meters, of a pair of beds.
    talus : float
        Share of a cliff's height that the highest cones reach.
    angle : float
        Degrees, of the talus.
    """

    beds: HardBeds
    slope: float
    relief: float
    thickness: float
    talus: float
    angle: float

    def broken(self, place: Floats, weak: Floats, outliers: float) -> Floats:
        """Return the ground worn down where rock is broken: as a share ``outliers`` of its height
        above the beds' base, so that it stays in order and has no new pits.

        Parameters
        ----------
        place : ndarray of float32
            Height of the ground in the beds, in meters.
        weak : ndarray of float32
            Noise, see `WEAK`.
        """
        above = np.maximum(place - np.float32(self.beds.base), 0)
        above *= smoothstep(*WEAK, weak)
        above *= np.float32(outliers)
        return place - above

    def reach(self, dx: float, dy: float) -> int:
        """Return the samples around a point that its height depends on."""
        even, around = self._radii(dx, dy)
        return even + around + 1 + reach_of(self._steps(dx, dy))

    def made(
        self,
        place: Floats,
        offset: Floats,
        outward: Floats,
        loose: Floats,
        spacing: tuple[float, float],
        *,
        threads: int = 1,
        cancelled: Cancel | None = None,
    ) -> tuple[Floats, Floats]:
        """Return heights with cliffs and talus, and the depth of the talus, in meters.

        Parameters
        ----------
        place : ndarray of float32, shape (H, W)
            Height of the ground in the beds, in meters.
        offset : ndarray of float32, shape (H, W)
            Meters by which the beds lie lower at each point.
        outward : ndarray of float32, shape (H, W)
            Meters by which rims stand out.
        loose : ndarray of float32, shape (H, W)
            Height of the cones, 0 to 1.
        spacing : tuple of float
            Meters between columns and between rows (dx, dy).
        """
        even, around = self._radii(*spacing)
        rim = box(place, even, cancelled)
        steep = np.minimum(steepness(rim, *spacing, cancelled), STEEPEST)
        wide = box(steep, around, cancelled)
        out, ground, apex, own = (np.empty_like(place) for _ in range(4))
        for rows in row_bands(out.shape, cancelled):
            out[rows], ground[rows], apex[rows], own[rows] = self._rows(
                *(field[rows] for field in (place, offset, outward, loose, rim, steep, wide))
            )
        steps = self._steps(*spacing)
        talus = cones(apex, spacing, self.angle, steps, threads=threads, cancelled=cancelled)
        talus -= ground
        np.maximum(talus, own, out=talus)
        self._curve(talus)
        out += talus
        return out, talus

    def _rows(
        self,
        place: Floats,
        offset: Floats,
        outward: Floats,
        loose: Floats,
        rim: Floats,
        steep: Floats,
        wide: Floats,
    ) -> tuple[Doubles, Doubles, Doubles, Doubles]:
        """Return for some rows the rock, what cones lie on and where they begin, and the talus
        within the cliffs themselves.

        Cones fall on the slopes as they are without cliffs: those of an upper bed would bury the
        lower ones otherwise, and so hang from them as a thin sheet.
        """
        beds, shallow = self.beds, np.float32(1 / math.tan(math.radians(max(self.slope, 1.0))))
        at: Floats = steep * outward
        at += rim
        width: Floats = steep * shallow
        slopes = beds.slopes(place, self.relief) - offset
        cliffs, foot, high, risen = beds.cliffs(at, width)
        rock = slopes + cliffs
        if len(beds.tops) > 1:
            shown = smoothstep(*SLOPES, wide)
            plain = beds.cap.slopes(place, self.relief) - offset + beds.cap.cliffs(at, width)[0]
            rock = plain + shown * (rock - plain)
            high *= np.where(high == beds.thickness[-1], 1, shown)
        apex = np.maximum(foot + self.talus * loose * high - offset, NOWHERE)
        return rock, np.maximum(slopes, apex + self._curved), apex, apex - slopes - risen * high

    def _curve(self, talus: Floats) -> None:
        """Make the talus, negative where there is none, end in a curve, in place."""
        curve = self._curved
        np.maximum(talus, -curve, out=talus)
        foot = talus < curve
        talus[foot] = (talus[foot] + curve) ** 2 / (4 * curve)

    @property
    def _curved(self) -> np.float32:
        """Meters of depth over which the talus ends."""
        return np.float32(max(FOOT * self.talus * self._highest, 1e-6))

    @property
    def _highest(self) -> float:
        """Meters of the highest usual cliff, whatever the seed of the beds: a margin may not depend
        on it."""
        return max(float(self.beds.thickness[-1]), THICK * self.thickness)

    def _radii(self, dx: float, dy: float) -> tuple[int, int]:
        """Return the radii in samples over which ground and slope are smoothed."""
        lengths = EVEN * float(self.beds.thickness[-1]), AROUND * self.thickness
        even, around = (min(max(1, round(length / max(dx, dy))), WIDEST) for length in lengths)
        return even, around

    def _steps(self, dx: float, dy: float) -> list[int]:
        """Return the steps by which cones reach their feet."""
        tangent = math.tan(math.radians(max(self.angle, 1.0)))
        return steps_for(FARTHEST * self.talus * self._highest / tangent, min(dx, dy))
