# SPDX-License-Identifier: GPL-3.0-or-later
"""From terrain coordinates to those of a pattern: rotated, and bent by a domain warp."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .... import noise
from ....numerics.angles import cos_sin
from ....numerics.arrays import Doubles
from ....numerics.axis import RegularAxis
from ....numerics.progress import Cancel
from ...seamless import CellSize
from .._interpolated import Area, Interpolated, wide_octaves

WARP = "opensimplex2"
POINTS = 20
"""Lattice points per cell of an interpolated warp."""
METERS = CellSize(1.0, 1.0, None)
PULL = 2.0
"""How far a warp pulls neighboring points apart, in amplitudes per cell: 1.3 in the mean, 2.8 at
most."""
STEEPNESS = 4.0
"""Approximate rise of noise over a cell where it is steepest."""


@dataclass(frozen=True)
class Bends:
    """A domain warp in octaves, each half as large and half as strong as the last.

    Attributes
    ----------
    amount : float
        Approximate maximum displacement of all octaves in meters.
    cells : Cells
        Cells of the first octave, along the pattern's own axes.
    octaves : int
        1 or more.
    seed : int
        Seed of the first octave.
    """

    amount: float
    cells: CellSize
    octaves: int
    seed: int

    @property
    def stretch(self) -> float:
        """Upper limit, almost everywhere, of the factor by which the warp pulls points apart."""
        steepest = self.octaves * self.share(0, 1) * self.amount
        return 1 + PULL * steepest / min(self.cells.x, self.cells.y)

    def points(self, cell: float) -> float:
        """Return the lattice points that a cell of noise, ``cell`` meters wide, needs to show its
        bends.

        An octave that moves the noise by at most a thousandth of its height needs none; the error
        of the others grows with the fourth power of the point spacing.
        """
        size, most = min(self.cells.x, self.cells.y), 0.0
        for octave in range(self.octaves):
            moved = STEEPNESS * self.amount * self.share(octave, octave + 1) / cell
            if moved > 1e-3:
                most = max(most, POINTS * moved**0.25 * 2**octave * cell / size)
        return most

    def share(self, first: int, stop: int) -> float:
        """Return the share of some of the octaves in the whole displacement."""
        return (0.5**first - 0.5**stop) / (1 - 0.5**self.octaves)

    def options(self, first: int, stop: int) -> dict[str, Any]:
        """Return the arguments of a warp by some of the octaves, in cells of the first of all."""
        count = self.cells.count
        return {
            "seed": self.seed + first,
            "amplitude": self.share(first, stop),
            "frequency": 2.0**first,
            "fractal": "independent",
            "octaves": stop - first,
            "period": count and (count[0] << first, count[1] << first),
        }


class Placing:
    """Placement of a pattern in an area: counter-clockwise rotation, then a warp.

    Wide octaves of the warp are interpolated between the points of a lattice, with errors below
    5e-4 of the warp.
    """

    def __init__(
        self,
        area: Area,
        rotation: float,
        bends: Bends | None,
        units: CellSize = METERS,
        cancelled: Cancel | None = None,
    ) -> None:
        """``area`` covers all points that :meth:`places` is called with, ``rotation`` is in
        degrees, and places are in ``units``."""
        self._cos, self._sin = cos_sin(rotation)
        self._bends, self._units, self._cancelled = bends, units, cancelled
        self._wide = 0
        if bends is None:
            return
        cells = bends.cells.turned(round(rotation / 90))  # along x and y
        self._wide, pitch = wide_octaves(area.spacing, cells, 2.0, [POINTS] * bends.octaves)
        if self._wide:
            self._broad = Interpolated(
                area, pitch, lambda x, y: self._bent(bends, x, y, 0, self._wide, (0.0, 0.0))
            )

    def places(self, x: RegularAxis, y: RegularAxis) -> tuple[Doubles, Doubles]:
        """Return pattern coordinates at the crossings of ``x`` and ``y``: float64 that
        broadcasts to (len(y), len(x)), new arrays if warped."""
        u, v = self._turned(x, y, self._units)
        if self._bends is None:
            return u, v
        if self._wide:
            du, dv = self._broad.at(x, y)
            u, v = u + du, v + dv
        if self._wide < self._bends.octaves:
            u, v = self._bent(self._bends, x, y, self._wide, self._bends.octaves, (u, v))
        return u, v

    def _turned(self, x: RegularAxis, y: RegularAxis, units: CellSize) -> tuple[Doubles, Doubles]:
        across, along = x.values, y.values[:, None]
        if self._cos == 1:
            return across / units.x, along / units.y
        u = self._cos / units.x * across + self._sin / units.x * along
        v = self._cos / units.y * along - self._sin / units.y * across
        return u, v

    def _bent(
        self,
        bends: Bends,
        x: RegularAxis,
        y: RegularAxis,
        first: int,
        stop: int,
        places: tuple[Doubles, Doubles] | tuple[float, float],
    ) -> tuple[Doubles, Doubles]:
        """Return places displaced by some of the octaves: new (len(y), len(x))."""
        cells, options = bends.cells, bends.options(first, stop)
        given = self._turned(x, y, cells)
        if self._cos == 1:
            axes = x / cells.x, y / cells.y
            moved = noise.warp_grid(WARP, *axes, cancelled=self._cancelled, **options)
        else:
            moved = noise.warp(WARP, *given, cancelled=self._cancelled, **options)
        # place + amount * (moved - given), in place: allocating large arrays is slow.
        units = self._units.x, self._units.y
        for bent, here, place, unit in zip(moved, given, places, units, strict=True):
            bent *= bends.amount / unit
            bent += place - bends.amount / unit * here
        return moved[0], moved[1]
