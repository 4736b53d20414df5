# SPDX-License-Identifier: GPL-3.0-or-later
"""Competition of plants: whose crowns overlap, and which shade smaller ones.

Of two plants whose crowns overlap, the taller one lives. Who lives is found in a fixed number of
rounds, so that the result at a place depends on no more than a distance around it.
"""

from __future__ import annotations

import numpy as np

from ..numerics.arrays import Bools, Floats, Indices
from ..numerics.blocks import parts
from .lattice import Lattice, Spots

ROUNDS = 3
"""Rounds of competition; the few that are undecided after them do not live."""
OVERLAP = 0.7
"""Distance of two stems that compete, as a share of the sum of the radii of their crowns."""
OWN_REACH = 1.5
"""How far a plant suppresses smaller ones of its stratum, in radii of its crown."""
SUPPRESSED = 0.8
"""Share of the height of a plant below which others of its stratum are suppressed by it."""
COMPETITION_REACH = (4 * ROUNDS + 2) * OVERLAP + OWN_REACH
"""How far away others may matter for a plant, in radii of the widest crown: each round looks at
neighbors twice."""
DENSITY = 1.35
"""Optical thickness of the middle of a crown, for the light that comes through."""
PLANTS = 1 << 15
"""Plants that are compared with their neighbors at a time: the arrays stay in the processor's
cache."""
UNDECIDED, ALIVE, DEAD = 0, 1, 2


def living(spots: Spots, height: Floats, crown: Floats) -> Bools:
    """Return which plants live: the tallest of those whose crowns overlap.

    ``height`` and ``crown`` are meters, (n,).
    """
    reach = 2 * OVERLAP * float(crown.max(initial=0.0))
    lattice = Lattice.of(spots, reach)
    losers, winners = _overlapping(lattice, reach, height, crown)
    return _survivors(lattice.count, losers, winners)[lattice.places]


def _overlapping(
    lattice: Lattice, reach: float, height: Floats, crown: Floats
) -> tuple[Indices, Indices]:
    """Return the cells of plants whose crowns overlap: of the lower ones, and of the taller."""
    u, v, tall = lattice.spots.u, lattice.spots.v, lattice.spread(height)
    radius = crown * np.float32(OVERLAP / lattice.spots.cell)
    all_u, all_v, all_radius = map(lattice.spread, (u, v, radius))
    around = [one for one in lattice.around(reach) if one[2] > 0]
    losers, winners = [np.empty(0, np.intp)], [np.empty(0, np.intp)]
    for part in parts(len(u), PLANTS):
        here = lattice.places[part]
        own_u = {di: u[part] - np.float32(di) for di in {di for di, _, _ in around}}
        own_v = {dj: v[part] - np.float32(dj) for dj in {dj for _, dj, _ in around}}
        for di, dj, step in around:
            square, dy, limit = (every[step:].take(here) for every in (all_u, all_v, all_radius))
            square -= own_u[di]
            square *= square
            dy -= own_v[dj]
            dy *= dy
            square += dy
            limit += radius[part]
            limit *= limit
            near = np.flatnonzero(square < limit)
            one = here.take(near)
            two = one + step
            taller = one + step * (tall.take(one) < tall.take(two))
            winners.append(taller)
            losers.append(one + two - taller)
    return np.concatenate(losers), np.concatenate(winners)


def _survivors(count: int, loser: Indices, winner: Indices) -> Bools:
    """Return who is left: in each round, those that nothing undecided suppresses suppress the
    others."""
    state = np.zeros(count, np.uint8)
    for _ in range(ROUNDS):
        state += (state == UNDECIDED) & ~_named(count, loser)
        state[loser.take(np.flatnonzero(state.take(winner) == ALIVE))] = DEAD
        open_ = np.flatnonzero((state.take(loser) | state.take(winner)) == UNDECIDED)
        loser, winner = loser.take(open_), winner.take(open_)
    return (state == ALIVE) | ((state == UNDECIDED) & ~_named(count, loser))


def _named(count: int, which: Indices) -> Bools:
    found = np.zeros(count, bool)
    found[which] = True
    return found


def shade_of_neighbors(spots: Spots, height: Floats, crown: Floats) -> Floats:
    """Return the shade at plants by taller ones of their stratum: 0 none, about 1 below a crown."""
    reach = OWN_REACH * float(crown.max(initial=0.0))
    lattice = Lattice.of(spots, reach)
    around, limit = lattice.around(reach), lattice.spread(height * np.float32(SUPPRESSED))
    far = lattice.spread(crown * np.float32(OWN_REACH / spots.cell))
    u, v = map(lattice.spread, (spots.u, spots.v))
    shade = np.zeros(len(spots), np.float32)
    for part in parts(len(spots), PLANTS):
        places, own, tall = lattice.places[part], shade[part], height[part]
        for di, dj, step in around:
            small = np.flatnonzero(limit.take(places + step) > tall)
            here = places.take(small)
            there = here + step
            dx = u.take(there) - u.take(here) + np.float32(di)
            dy = v.take(there) - v.take(here) + np.float32(dj)
            away: Floats = np.sqrt(dx * dx + dy * dy)
            away /= far.take(there)
            smaller = np.float32(2.5) - np.float32(2.5) * tall.take(small) / limit.take(there)
            own[small] += thickness(away) * np.minimum(smaller, np.float32(1))
    return shade


def thickness(away: Floats) -> Floats:
    """Return the optical thickness of a crown at a share of the way from the stem, 0 to 1, to
    where its shade ends."""
    share = np.maximum(np.float32(1) - away, np.float32(0))
    return share * share * (np.float32(3) - np.float32(2) * share) * np.float32(DENSITY)
