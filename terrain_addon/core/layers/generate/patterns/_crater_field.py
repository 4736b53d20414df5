# SPDX-License-Identifier: GPL-3.0-or-later
"""Positions of craters, and their order in time.

Each size has at most one crater per cell of a square lattice, at a position and a time given by
hashes of the cell. A crater covers older craters that are not larger. Older and larger ones are its
ground: the plane through their relief at its position.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ....numerics.arrays import Doubles, Floats, Indices
from ....numerics.hashing import Words, hashed, mixed
from ....numerics.progress import Cancel, poll

Profile = Callable[[Floats, Floats, int], tuple[Floats, Floats]]

LARGEST_RADIUS = 0.45
"""In cells: a crater with its apron of twice the radius stays within the neighboring cells."""
OVAL = 0.035
"""Deviation of outlines from circles, relative to the radius, times up to 2 sqrt(2)."""
STENCIL = 0.7
"""Distance from the center, in radii, of the four points that define a crater's ground."""
STEPS = np.array(list(itertools.product((-1, 0, 1), repeat=2)))
UNIT = np.float32(2.0**-32)


def laid_out(
    u: Doubles,
    v: Doubles,
    seed: int,
    *,
    size: float,
    octaves: int,
    density: float,
    reach: float,
    profile: Profile,
    cancelled: Cancel | None = None,
) -> Floats:
    """Return the heights of all craters at points u, v (n,); new float32 (n,).

    Parameters
    ----------
    size : float
        Diameter of the largest craters, in the unit of u and v.
    octaves : int
        Number of sizes, each half as large and as deep as the last.
    density : float
        Share of the cells that have a crater, 0 to 1.
    reach : float
        Radius of a crater's effect, in radii, at most 2.
    profile : Profile
        Function of distances in radii, ages (0 youngest, 1 oldest) and the octave that returns a
        crater's own heights, in depths of the largest, and the share of the older relief that
        remains.
    cancelled : callable, optional
        Polled before each step of a size.

    Raises
    ------
    Cancelled
        ``cancelled`` returned true.
    """
    # Small craters first: the points that define their grounds are added to the places.
    places = _Places(u, v, np.full(u.shape, 2**32, np.int64))
    sizes: list[_Craters] = []
    for octave in reversed(range(octaves)):
        poll(cancelled)
        cell = size * 0.5**octave / (2 * LARGEST_RADIUS)
        sizes.append(_found(places, cell, seed, octave, density, reach, profile))
        places = places.joined(sizes[-1].surroundings())
    return _laid_down(sizes, u.size, cancelled)


@dataclass(frozen=True)
class _Places:
    """Points, each with a time at which its height is needed, (n,) each."""

    u: Doubles
    v: Doubles
    time: NDArray[np.int64]

    def joined(self, other: _Places) -> _Places:
        pairs = zip(vars(self).values(), vars(other).values(), strict=True)
        return _Places(*(np.concatenate(pair) for pair in pairs))


@dataclass(frozen=True)
class _Craters:
    """Craters of one size, and the places that they affect.

    Attributes
    ----------
    u, v, radius : ndarray of float64, shape (m,)
        Centers and radii.
    born : ndarray of int64, shape (m,)
        Times, 0 to 2**32.
    place, crater : ndarray of intp, shape (n,)
        Indices of each affected place and its crater.
    du, dv : ndarray of float32, shape (n,)
        Offset from the center.
    height, left : ndarray of float32, shape (n,)
        Results of the profile.
    """

    u: Doubles
    v: Doubles
    radius: Doubles
    born: NDArray[np.int64]
    place: Indices
    crater: Indices
    du: Floats
    dv: Floats
    height: Floats
    left: Floats

    def surroundings(self) -> _Places:
        """Return the places to the east, west, north and south of each crater, just before its
        time."""
        away, none = STENCIL * self.radius, 0 * self.radius
        return _Places(
            np.tile(self.u, 4) + np.concatenate([away, -away, none, none]),
            np.tile(self.v, 4) + np.concatenate([none, none, away, -away]),
            np.tile(self.born, 4),
        )

    def grounds(self, around: Floats) -> Floats:
        """Return the plane of each crater, from the heights of its surroundings: height and
        slopes."""
        east, west, north, south = around.reshape(4, -1)
        across = (2 * STENCIL * self.radius).astype(np.float32)
        middle = (east + west + north + south) * np.float32(0.25)
        return np.stack([middle, (east - west) / across, (north - south) / across])


@dataclass(frozen=True)
class _Around:
    """Craters in the cells around some cells, (9, cells) each; an index into these is a crater.

    Attributes
    ----------
    at_u, at_v : ndarray of int64
        Integer coordinates of the cell.
    along_u, along_v : ndarray of float32
        Center of its crater in the cell, 0 to 1.
    part, radius : ndarray of float32
        Its radius relative to the largest one, and in cells.
    ovals : tuple of ndarray of float32
        Two coefficients of its outline.
    born : ndarray of uint32
        Its time, 0 to 2**32.
    farthest : ndarray of float32
        Square of the radius of its effect.
    there : ndarray of bool
        Whether it exists and can reach into the central cell.
    """

    at_u: NDArray[np.int64]
    at_v: NDArray[np.int64]
    along_u: Floats
    along_v: Floats
    part: Floats
    radius: Floats
    ovals: tuple[Floats, Floats]
    born: Words
    farthest: Floats
    there: NDArray[np.bool_]

    @classmethod
    def of(
        cls, homes: NDArray[np.int64], seed: int, octave: int, density: float, reach: float
    ) -> _Around:
        """Return the craters around the cells with those keys."""
        at_u = (homes >> 32) + STEPS[:, :1]
        at_v = homes.astype(np.int32).astype(np.int64) + STEPS[:, 1:]
        word = hashed(seed, 2 * octave, at_u) ^ hashed(seed, 2 * octave + 1, at_v)
        chance, place_u, place_v, share, born, oval_1, oval_2 = _numbers(word, 7)
        along_u, along_v = _unit(place_u), _unit(place_v)
        # Down to half of the largest, distributed by the power law.
        part = np.asarray(1 / np.sqrt(1 + 3 * _unit(share)), np.float32)
        radius: Floats = np.float32(LARGEST_RADIUS) * part
        farthest = np.square(radius * np.float32(reach / (1 - 2 * 2**0.5 * OVAL)))
        # Most craters in the cells around cannot reach into the central cell.
        half = np.float32(0.5)
        steps = STEPS.astype(np.float32)
        middles = steps[:, :1] + along_u, steps[:, 1:] + along_v
        gaps = (np.maximum(np.abs(middle - half) - half, 0) for middle in middles)
        there = (_unit(chance) < density) & (sum(gap * gap for gap in gaps) < farthest)
        oval = np.float32(OVAL)
        ovals = oval * (2 * _unit(oval_1) - 1), oval * (2 * _unit(oval_2) - 1)
        return cls(at_u, at_v, along_u, along_v, part, radius, ovals, born, farthest, there)

    def near(self, in_u: Floats, in_v: Floats, home: Indices) -> tuple[Indices, Indices, Floats]:
        """Return the pairs of a point and a crater near it, and the offsets between them, (2, n) in
        cells.

        Points are given by their position in a cell and the index of that cell.
        """
        points_hit: list[Indices] = []
        craters_hit: list[Indices] = []
        offsets: list[Floats] = []
        for step, (step_u, step_v) in enumerate(STEPS.astype(np.float32)):
            near = np.flatnonzero(self.there[step][home])
            own = home[near]
            middle = step_u + self.along_u[step][own], step_v + self.along_v[step][own]
            offset = np.stack([in_u[near] - middle[0], in_v[near] - middle[1]])
            square = offset[0] * offset[0] + offset[1] * offset[1]
            hit = np.flatnonzero(square < self.farthest[step][own])
            points_hit.append(near[hit])
            craters_hit.append(step * self.there.shape[1] + own[hit])
            offsets.append(offset[:, hit])
        return (
            np.concatenate(points_hit), np.concatenate(craters_hit),
            np.concatenate(offsets, axis=1),
        )  # fmt: skip

    def distinct(self, which: Indices) -> tuple[Indices, Indices]:
        """Return the distinct craters, and the index of each among them.

        A cell is a neighbor of several others, so its crater occurs as often.
        """
        used = np.zeros(self.there.size, bool)
        used[which] = True
        places = np.flatnonzero(used)
        keys = _key(self.at_u, self.at_v).ravel()[places]
        _, first, same = np.unique(keys, return_index=True, return_inverse=True)
        number = np.empty(used.size, np.intp)
        number[places] = same.ravel()
        return places[first], number[which]


def _found(
    places: _Places,
    cell: float,
    seed: int,
    octave: int,
    density: float,
    reach: float,
    profile: Profile,
) -> _Craters:
    """Return the craters of one size that affect places."""
    u, v = places.u / cell, places.v / cell
    whole_u, whole_v = np.floor(u), np.floor(v)
    in_u, in_v = (u - whole_u).astype(np.float32), (v - whole_v).astype(np.float32)
    homes, home = _unique(_key(whole_u.astype(np.int64), whole_v.astype(np.int64)))
    around = _Around.of(homes, seed, octave, density, reach)
    part, radius, born = around.part.ravel(), around.radius.ravel(), around.born.ravel()

    place, which, offset = around.near(in_u, in_v, home)
    r = _out_of_round(*offset, *(oval.ravel()[which] for oval in around.ovals)) / radius[which]
    acts = np.flatnonzero((r < reach) & (born[which] < places.time[place]))
    place, which, r, (du, dv) = place[acts], which[acts], r[acts], offset[:, acts]
    height, left = profile(r, 1 - _unit(born[which]), octave)
    height *= part[which] * np.float32(0.5**octave)

    one, crater = around.distinct(which)
    return _Craters(
        u=(around.at_u + around.along_u.astype(np.float64)).ravel()[one] * cell,
        v=(around.at_v + around.along_v.astype(np.float64)).ravel()[one] * cell,
        radius=radius[one].astype(np.float64) * cell,
        born=born[one].astype(np.int64),
        place=place,
        crater=crater,
        du=du * np.float32(cell),
        dv=dv * np.float32(cell),
        height=height,
        left=left,
    )


def _laid_down(sizes: list[_Craters], count: int, cancelled: Cancel | None) -> Floats:
    """Return the heights at the first ``count`` places; ``sizes`` are the smallest craters
    first."""
    poll(cancelled)
    first = np.cumsum([0, *(size.u.size for size in sizes)])
    ground = np.zeros((3, first[-1]), np.float32)
    place, du, dv, height, left = (
        np.concatenate([getattr(size, name) for size in sizes])
        for name in ("place", "du", "dv", "height", "left")
    )
    crater = np.concatenate([one.crater + i for one, i in zip(sizes, first, strict=False)])
    born = np.concatenate([size.born for size in sizes])[crater]
    order = np.argsort(place << 32 | born, kind="stable")
    place, crater, du, dv, height, left = (
        array[order] for array in (place, crater, du, dv, height, left)
    )

    def terrain(start: int, stop: int) -> Floats:
        """Return the heights at places ``start`` to ``stop``: the craters there, the oldest
        first."""
        poll(cancelled)
        own = slice(*np.searchsorted(place, (start, stop)))
        middle, slope_u, slope_v = ground[:, crater[own]]
        plane = middle + slope_u * du[own] + slope_v * dv[own]
        added = height[own] + (1 - left[own]) * plane
        return _stacked(place[own] - start, left[own], added, stop - start)

    # Grounds of large craters first: those of small ones depend on them.
    for k in reversed(range(len(sizes) - 1)):
        start = count + 4 * first[k]
        around = terrain(start, start + 4 * sizes[k].u.size)
        ground[:, first[k] : first[k + 1]] = sizes[k].grounds(around)
    return terrain(0, count)


def _stacked(place: Indices, left: Floats, added: Floats, count: int) -> Floats:
    """Compute ``height = height * left + added`` for each entry of ``place``, in order."""
    out = np.zeros(count, np.float32)
    index = np.arange(place.size)
    begins = np.ones(place.size, bool)
    np.not_equal(place[1:], place[:-1], out=begins[1:])
    nth = index - np.maximum.accumulate(np.where(begins, index, 0))
    order = np.argsort(nth.astype(np.uint8), kind="stable")
    ends = np.cumsum(np.bincount(nth))
    for start, stop in itertools.pairwise([0, *ends]):
        now = order[start:stop]
        where = place[now]
        out[where] = out[where] * left[now] + added[now]
    return out


def _out_of_round(du: Floats, dv: Floats, a: Floats, b: Floats) -> Floats:
    """Return the distances from the center, adjusted for outlines with two and three lobes."""
    distance = np.sqrt(du * du + dv * dv)
    inverse = np.float32(1) / np.maximum(distance, np.float32(1e-12))
    x, y = du * inverse, dv * inverse
    x2, y2 = x * x - y * y, 2 * x * y
    x3, y3 = x2 * x - y2 * y, x2 * y + y2 * x
    return np.asarray(distance * (1 + a * (x2 + x3) + b * (y2 - y3)), np.float32)


def _key(u: NDArray[np.int64], v: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return a key for each cell; cells repeat after 2**32."""
    return (u << 32) | (v & 0xFFFFFFFF)


def _unique(keys: NDArray[np.int64]) -> tuple[NDArray[np.int64], Indices]:
    """Return the distinct keys, and the index of each: neighbors are mostly alike."""
    first = np.empty(keys.shape, bool)
    first[:1] = True
    np.not_equal(keys[1:], keys[:-1], out=first[1:])
    different, which = np.unique(keys[first], return_inverse=True)
    return different, which.ravel()[np.cumsum(first) - 1]


def _numbers(word: Words, count: int) -> list[Words]:
    """Return several independent hashes from one."""
    return [mixed(word + np.uint32(k * 0x9E3779B1 & 0xFFFFFFFF)) for k in range(count)]


def _unit(words: Words) -> Floats:
    """Return the words as float32, 0 to 1."""
    return words.astype(np.float32) * UNIT
