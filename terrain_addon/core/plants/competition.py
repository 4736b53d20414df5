# SPDX-License-Identifier: GPL-3.0-or-later
"""Competition of plants: whose crowns overlap, and what shades what.

Of two plants whose crowns overlap, the taller one lives. Who lives is found in a fixed number of
rounds, so that the result at a place depends on no more than a distance around it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..numerics.arrays import Bools, Doubles, Floats, Indices
from .lattice import Lattice, Spots, cells_around

ROUNDS = 5
"""Rounds of competition; the few that are undecided after them do not live."""
OVERLAP = 0.7
"""Distance of two stems that compete, as a share of the sum of the radii of their crowns."""
OWN_REACH = 1.5
"""How far a plant suppresses smaller ones of its stratum, in radii of its crown."""
REACH = 2.2
"""How far a crown shades lower strata, in radii."""
SEED_REACH = 10.0
"""Meters that seeds fall from a plant."""
DENSITY = 1.35
"""Optical thickness of the middle of a crown, for the light that comes through."""
UNDECIDED, ALIVE, DEAD = 0, 1, 2


def living(spots: Spots, height: Floats, crown: Floats) -> Bools:
    """Return which plants live: the tallest of those whose crowns overlap.

    ``height`` and ``crown`` are meters, (n,).
    """
    reach = 2 * OVERLAP * float(crown.max(initial=0.0))
    losers, winners = [np.empty(0, np.intp)], [np.empty(0, np.intp)]
    for here, there, square in Lattice.of(spots, reach).pairs(reach, once=True):
        limit = (crown[here] + crown[there]) * np.float32(OVERLAP)
        near = square < limit * limit
        here, there = here[near], there[near]
        taller = height[here] >= height[there]
        losers.append(np.where(taller, there, here))
        winners.append(np.where(taller, here, there))
    return _survivors(len(spots), np.concatenate(losers), np.concatenate(winners))


def _survivors(count: int, loser: Indices, winner: Indices) -> Bools:
    """Return who is left: in each round, those that nothing undecided suppresses suppress the
    others."""
    state = np.zeros(count, np.uint8)
    for _ in range(ROUNDS):
        state[(state == UNDECIDED) & ~_named(count, loser)] = ALIVE
        state[loser[state[winner] == ALIVE]] = DEAD
        open_ = (state[loser] == UNDECIDED) & (state[winner] == UNDECIDED)
        loser, winner = loser[open_], winner[open_]
    return (state == ALIVE) | ((state == UNDECIDED) & ~_named(count, loser))


def _named(count: int, which: Indices) -> Bools:
    found = np.zeros(count, bool)
    found[which] = True
    return found


def shade_of_neighbors(spots: Spots, height: Floats, crown: Floats) -> Floats:
    """Return the shade at plants by taller ones of their stratum: 0 none, about 1 below a crown."""
    reach = OWN_REACH * float(crown.max(initial=0.0))
    shade = np.zeros(len(spots), np.float32)
    inverse = np.float32(1) / (np.float32(OWN_REACH) * crown)
    for here, there, square in Lattice.of(spots, reach).pairs(reach, once=False):
        near = np.sqrt(square) * inverse[there]
        part = _falling(np.subtract(np.float32(1), near, out=near))
        taller = (height[there] - height[here]) / height[there]
        shade[here] += part * np.clip(taller * np.float32(2), 0, 1)
    return shade


def _falling(share: Floats) -> Floats:
    """Return the thickness of a crown by a share that falls from 1 at the stem to 0."""
    share = np.maximum(share, np.float32(0))
    found = share * share
    found *= np.float32(3) - np.float32(2) * share
    found *= np.float32(DENSITY)
    return found


@dataclass(frozen=True)
class Cover:
    """What a stratum casts on the ground, at the centers of its cells.

    Each plant has a cell of its own, so each step adds to every cell once at most: sums have one
    order in any window.

    Attributes
    ----------
    cell : float
        Side of the cells in meters.
    i0, j0 : int
        Numbers of the first cell, from the middle of the terrain.
    shade : ndarray of float32, shape (rows, columns)
        Optical thickness of crowns.
    seeds : mapping of ndarray of float32, shape (rows, columns)
        Seeds by the number of the species.
    """

    cell: float
    i0: int
    j0: int
    shade: Floats
    seeds: Mapping[int, Floats]

    @classmethod
    def of(
        cls, spots: Spots, crown: Floats, species: NDArray[np.int32], parents: list[int]
    ) -> Cover:
        """Return the shade of plants, and the seeds of the species that are ``parents``."""
        wide = np.float32(REACH) * crown
        far = max(float(wide.max(initial=0.0)), SEED_REACH)
        lattice = Lattice.of(spots, far)
        cell, width = spots.cell, lattice.where.shape[1]
        shade = np.zeros(lattice.where.size, np.float32)
        seeds = {parent: np.zeros_like(shade) for parent in parents}
        x, y = ((one - np.float32(0.5)) * np.float32(cell) for one in (spots.u, spots.v))
        order = np.argsort(-wide, kind="stable")
        most = -wide[order]
        casts = _Casts(x[order], y[order], lattice.places[order])
        inverse = 1 / wide[order]
        own = {parent: np.flatnonzero(species == parent) for parent in parents}
        sown = {parent: _Casts(x[n], y[n], lattice.places[n]) for parent, n in own.items()}
        for di, dj in cells_around(far, cell):
            step, away = dj * width + di, (np.float32(di * cell), np.float32(dj * cell))
            # From a plant at the border of its cell to the center of the other. Wide crowns are
            # first; those after them do not reach it.
            least = math.hypot(max(abs(di) - 0.5, 0), max(abs(dj) - 0.5, 0)) * cell
            count = int(np.searchsorted(most, -np.float32(least * 0.9999)))
            if count:
                near = casts.distances(away, count)
                near *= inverse[:count]
                shade[casts.places[:count] + step] += _falling(
                    np.subtract(np.float32(1), near, out=near)
                )
            if least < SEED_REACH:
                for parent, one in sown.items():
                    rain = _seed_rain(one.distances(away, len(one.x)))
                    seeds[parent][one.places + step] += rain
        shape = lattice.where.shape
        rain = {parent: one.reshape(shape) for parent, one in seeds.items()}
        return cls(cell, lattice.i0, lattice.j0, shade.reshape(shape), rain)

    def at(self, values: Floats, x: Doubles, y: Doubles) -> Floats:
        """Return shade or seeds at points (n,) in meters, interpolated."""
        i, u = self._place(x, self.i0, values.shape[1])
        j, v = self._place(y, self.j0, values.shape[0])
        flat, width = values.ravel(), values.shape[1]
        corner = j * width + i
        low: Floats = flat[corner]
        high: Floats = flat[corner + width]
        low += u * (flat[corner + 1] - low)
        high += u * (flat[corner + width + 1] - high)
        low += v * (high - low)
        return low

    def _place(self, x: Doubles, first: int, count: int) -> tuple[Indices, Floats]:
        """Return the last center before each coordinate, and the share of the way to the next.

        The share follows from the coordinate alone: it is the same in any window.
        """
        place = x / self.cell - 0.5
        whole = np.floor(place)
        share = (place - whole).astype(np.float32)
        return np.clip(whole.astype(np.intp) - first, 0, count - 2), share


@dataclass(frozen=True)
class _Casts:
    """Plants that cast shade or seeds: places from the centers of their cells in meters, and the
    indices of their cells."""

    x: Floats
    y: Floats
    places: Indices

    def distances(self, away: tuple[np.float32, np.float32], count: int) -> Floats:
        """Return meters from the first plants to the centers of cells that lie so far away."""
        dx, dy = self.x[:count] - away[0], self.y[:count] - away[1]
        dx *= dx
        dy *= dy
        dx += dy
        return np.sqrt(dx, out=dx)


def _seed_rain(away: Floats) -> Floats:
    """Return seeds by the distance from a plant: none below it, and fewer far away."""
    found = np.clip(away * np.float32(0.5) - np.float32(1), 0, 1)
    found *= np.clip(np.float32(1) - away * np.float32(1 / SEED_REACH), 0, 1)
    return found
