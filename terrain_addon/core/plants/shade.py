# SPDX-License-Identifier: GPL-3.0-or-later
"""What a stratum casts on the ground: shade and seeds, on the grid of its cells.

Plants are added to the cells around them and then spread in rows and columns. So the cost follows
from the area, however many plants there are and however wide their crowns.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..numerics.arrays import Floats
from ..numerics.blocks import parts
from ..numerics.grid import Grid
from .competition import DENSITY
from .lattice import BLOCK, CellBand, Lattice, Spots

REACH = 2.2
"""How far a crown shades lower strata, in radii."""
SEED_REACH = 10.0
"""Meters that seeds fall from a plant."""
SEED_RAIN = 80.0
"""Square meters on which a plant alone has seeds enough."""
WIDENED = 1.07
"""Square of how much wider a spread amount is than the reach of a crown."""
AREA = 0.94
"""Area in which a crown would cast as much with its full thickness, in squares of its reach."""


@dataclass(frozen=True)
class Cover:
    """What a stratum casts on the ground.

    Attributes
    ----------
    grid : Grid
        The centers of its cells.
    shade : ndarray of float32, shape (ny, nx)
        Optical thickness of crowns.
    seeds : mapping of ndarray of float32, shape (ny, nx)
        Seeds by the number of the species.
    """

    grid: Grid
    shade: Floats
    seeds: Mapping[int, Floats]

    @classmethod
    def of(
        cls,
        spots: Spots,
        crown: Floats,
        species: NDArray[np.int32],
        widest: float,
        parents: list[int],
    ) -> Cover:
        """Return the shade of plants, and the seeds of the species that are ``parents``.

        ``widest`` is the radius in meters that no crown exceeds.
        """
        # Plants must lie as far inside as their shade, and their shade as far again.
        lattice = Lattice.of(spots, 2 * cast(widest, spots.cell))
        shade = np.zeros(lattice.grid.shape, np.float32)
        square = (np.float32(REACH) * crown) ** 2
        for reach, share in _by_width(square, REACH * widest, spots.cell):
            area = share * np.float32(DENSITY * AREA * reach * reach / spots.cell**2)
            shade += spread_out(_added(lattice, area), reach / spots.cell)
        seeds: dict[int, Floats] = {}
        for parent in parents:
            rain = np.zeros(lattice.count, np.float32)
            rain[lattice.places[species == parent]] = SEED_RAIN / spots.cell**2
            seeds[parent] = spread_out(rain.reshape(shade.shape), SEED_REACH / spots.cell)
        return cls(lattice.grid, shade, seeds)

    def shade_on(self, band: CellBand) -> Floats:
        """Return the optical thickness above the centers of cells."""
        return band.sampled(self.shade, self.grid)

    def seeds_on(self, band: CellBand, parent: int) -> Floats | float:
        """Return the seeds of a species at the centers of cells."""
        return band.sampled(self.seeds[parent], self.grid) if parent in self.seeds else 0.0


def cast(widest: float, cell: float) -> float:
    """Return meters from plants, along X or Y, beyond which :class:`Cover` has none of their shade
    and seeds: splines reach 1.5 cells around a plant, and interpolation one more."""
    return math.sqrt(WIDENED) * max(REACH * widest, SEED_REACH) + 2.5 * cell


def _by_width(square: Floats, widest: float, cell: float) -> list[tuple[float, Floats]]:
    """Return reaches, each half of the one before it, and the shares that plants have in them.

    ``square`` holds the squares of the reaches of the plants. The shares of a plant lie in the two
    reaches around its own and keep its area.
    """
    found: list[tuple[float, Floats]] = []
    wider = np.zeros(len(square), np.float32)
    reach = widest
    while True:
        last = reach < 3 * cell
        low = 0.0 if last else reach * reach / 4
        span = np.float32(reach * reach - low)
        share = np.clip((square - np.float32(low)) / span, np.float32(0), np.float32(1))
        found.append((reach, share - wider))
        if last:
            return found
        wider, reach = share, reach / 2


def _added(lattice: Lattice, amount: Floats) -> Floats:
    """Return amounts of plants on the cells around each, by the quadratic B-spline.

    A step adds to every cell once at most: sums have one order in any window.
    """
    out = np.zeros(lattice.count, np.float32)
    some = np.flatnonzero(amount)
    places, amount = lattice.places[some], amount[some]
    along, across = _taps(lattice.spots.u[some]), _taps(lattice.spots.v[some])
    for dj, weight in zip((-1, 0, 1), across, strict=True):
        row = amount * weight
        for di, share in zip((-1, 0, 1), along, strict=True):
            out[places + (dj * lattice.width + di)] += row * share
    return out.reshape(lattice.grid.shape)


def _taps(place: Floats) -> tuple[Floats, Floats, Floats]:
    """Return weights of the cell before, of the own and of the next for places 0 to 1 in a cell."""
    before: Floats = np.square(np.float32(1) - place)
    after: Floats = np.square(place)
    before *= np.float32(0.5)
    after *= np.float32(0.5)
    here = np.ones_like(place)
    here -= before
    here -= after
    return before, here, after


def spread_out(values: Floats, reach: float) -> Floats:
    """Return what reaches each cell if every cell spreads its amount over ``reach`` cells around.

    The cubes of parabolas along rows and columns make nearly round hills. Amounts must be 0 in so
    many cells at the border, and there the result is 0 too.
    """
    # As wide as a crown's hill, less what splines before and interpolation after it spread.
    square = WIDENED * reach * reach - 3.0
    steps = math.ceil(math.sqrt(max(square, 1))) - 1
    taps = [(1 - n * n / square) ** 3 for n in range(steps + 1)]
    total = 2 * sum(taps) - taps[0]
    weights = [np.float32(tap / total) for tap in taps]
    out = np.zeros_like(values)
    rows, columns = values.shape
    inner = slice(steps, columns - steps)
    for part in parts(rows - 2 * steps, max(1, BLOCK // columns)):
        band = slice(part.start + steps, part.stop + steps)
        lines = values[band] * weights[0]
        for n in range(1, steps + 1):
            pair = values[band.start - n : band.stop - n] + values[band.start + n : band.stop + n]
            pair *= weights[n]
            lines += pair
        made = out[band, inner]
        np.multiply(lines[:, inner], weights[0], out=made)
        for n in range(1, steps + 1):
            before, after = lines[:, steps - n :], lines[:, steps + n :]
            pair = before[:, : made.shape[1]] + after[:, : made.shape[1]]
            pair *= weights[n]
            made += pair
    return out
