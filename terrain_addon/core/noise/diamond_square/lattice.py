# SPDX-License-Identifier: GPL-3.0-or-later
"""The diamond-square lattice: midpoint displacement with hashed displacements.

Fournier, Fussell and Carpenter, "Computer rendering of stochastic models" (1982), with the
amplitude lowered at each half step (Saupe, "The Science of Fractal Images", 1988), which softens
the creases along the coarse lattice lines. A displacement is a hash of (seed, level, i, j), so any
rows and columns of any level can be computed alone, and a finer level keeps the coarse nodes to
the bit.

Means of neighbors form a tent around every coarse node. From H = 0.9 on, fine displacements no
longer hide the tips: peaks and pits on a square grid. Displacement from curves through four
neighbors (Dyn, Gregory and Levin, "A 4-point interpolatory subdivision scheme for curve design",
1987) avoids them; successive random additions (Saupe) would make them worse.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ...numerics.arrays import Floats, Indices
from ...numerics.blocks import parts
from ...numerics.hashing import Words, hashed

BLOCK = 32768
"""Nodes of a half step at a time: temporaries stay in the processor's cache."""
QUARTER, THIRD = np.float32(0.25), np.float32(4 / 3)


Nodes = Indices
"""Numbers of rows or columns of nodes of one level, ascending, with any gaps."""


def parents(nodes: Nodes, more: int, end: int | None) -> Nodes:
    """Return the nodes of the level below that those nodes follow from, and so many more on each
    side.

    None lies beyond 0 and ``end``, if the lattice has an end.
    """
    first, last = (nodes - 1) // 2 - more, (nodes + 2) // 2 + more
    if end is not None:
        first, last = first.clip(0), last.clip(None, end)
    found = np.zeros(last[-1] - first[0] + 1, bool)
    for step in range(3 + 2 * more):
        found[np.minimum(first + step, last) - first[0]] = True
    return np.flatnonzero(found) + first[0]


@dataclass(frozen=True)
class DiamondSquareLattice:
    """A diamond-square terrain of ``cells`` (x, y) base squares, ``2**level`` finer at each level.

    ``corners`` are the heights at (west, south), (east, south), (west, north), (east, north) in
    meters; ``height`` the largest displacement of the first level, each following level's being
    ``2**-roughness`` times as large. ``wrap``: the terrain repeats after ``cells`` without a seam
    and all corners are one node, at the mean of the four heights; otherwise border nodes are the
    average of their three neighbors. ``curved``: nodes are displaced from curves through four
    neighbors along X and Y, not from the means of the neighbors around.
    """

    seed: int
    cells: tuple[int, int]
    corners: tuple[float, float, float, float]
    height: float
    roughness: float
    wrap: bool
    curved: bool = False

    def nodes(self, level: int, rows: Nodes, columns: Nodes, poll: Callable[[], None]) -> Floats:
        """Return the heights of the nodes where rows and columns cross, (rows, columns) float32 in
        meters.

        Without ``wrap`` they must lie on the lattice, 0 to ``cells * 2**level``.
        """
        needed = [(rows, columns)]
        for lower in reversed(range(level)):
            ends = [None if self.wrap else count << lower for count in self.cells[::-1]]
            r, c = (
                parents(nodes, int(self.curved), end)
                for nodes, end in zip(needed[-1], ends, strict=True)
            )
            needed.append((r, c))
        heights = self._base(*needed[-1])
        for upper in range(1, level + 1):
            old, new = needed[level - upper + 1], needed[level - upper]
            heights = self._refined(heights, upper, old, new, poll)
        return heights

    def _base(self, j: Nodes, i: Nodes) -> Floats:
        """Return level 0: the corners, and between them, on long terrains, displaced nodes."""
        mx, my = self.cells
        if self.wrap:
            own = np.full((j.size, i.size), sum(self.corners) / 4)
            at_corner = (j % my == 0)[:, None] & (i % mx == 0)
        else:
            u, v = i / mx, (j / my)[:, None]
            sw, se, nw, ne = self.corners
            own = (1 - v) * ((1 - u) * sw + u * se) + v * ((1 - u) * nw + u * ne)
            at_corner = ((j == 0) | (j == my))[:, None] & ((i == 0) | (i == mx))
        own[~at_corner] += self._displacements(0, j, i, self.height)[~at_corner]
        return own.astype(np.float32)

    def _keys(self, level: int, nodes: Nodes, axis: int) -> Words:
        if self.wrap:
            nodes = nodes % (self.cells[axis] << level)
        return hashed(self.seed, 2 * level + axis, nodes)

    def _displacements(self, level: int, rows: Nodes, columns: Nodes, scale: float) -> Floats:
        """Return random numbers from -scale to scale, one for each node."""
        return _scattered(self._keys(level, rows, 1), self._keys(level, columns, 0), scale)

    def _refined(
        self,
        heights: Floats,
        level: int,
        old: tuple[Nodes, Nodes],
        new: tuple[Nodes, Nodes],
        poll: Callable[[], None],
    ) -> Floats:
        """Return the nodes ``new`` of a level from the nodes ``old`` of the level below.

        Halfway between rows or columns that are no neighbors, and at the rim of the nodes except
        where it is the rim of the lattice, values are meaningless; ``new`` contains none of them.
        """
        ny, nx = heights.shape
        out = np.empty((2 * ny - 1, 2 * nx - 1), np.float32)
        scale = self.height * 2.0 ** (-self.roughness * (level - 1))
        rows, columns = (np.add.outer(2 * nodes, [0, 1]).ravel()[:-1] for nodes in old)
        keys = self._keys(level, rows, 1), self._keys(level, columns, 0)
        refine = _refine_rows
        if self.curved:
            heights, refine = _extended(_extended(heights).T).T, _curve_rows
        for part in parts(ny, BLOCK // nx):
            poll()
            refine(heights, out, part, keys, (scale, scale * 2.0 ** (-self.roughness / 2)))
        for axis, (wanted, made) in enumerate(zip(new, (rows, columns), strict=True)):
            out = taken(out, np.searchsorted(made, wanted), axis)
        return np.ascontiguousarray(out)


def taken(heights: Floats, places: Nodes, axis: int) -> Floats:
    """Return rows (axis 0) or columns (1) of an array; a view where they are evenly spaced."""
    steps = np.diff(places)
    step = int(steps[0]) if steps.size else 1
    if step < 1 or (steps != step).any():
        return heights.take(places, axis)
    part = slice(int(places[0]), int(places[-1]) + 1, step)
    return heights[part] if axis == 0 else heights[:, part]


def _refine_rows(
    heights: Floats,
    out: Floats,
    part: slice,
    keys: tuple[Words, Words],
    scales: tuple[float, float],
) -> None:
    """Refine by one level a part of the parent rows: ``out`` rows from ``2 * part.start`` on.

    ``keys`` are those of all rows and columns of ``out``, ``scales`` the largest displacement of
    nodes amid four parents and of others.
    """
    start, stop, last = part.start, part.stop, len(heights) - 1
    (rows, columns), (scale, finer) = keys, scales
    low, high = max(start - 1, 0), min(stop, last)  # cells; one above serves the first edges
    odd, even = columns[1::2], columns[::2]

    coarse = heights[low : high + 1]
    pairs = coarse[:, :-1] + coarse[:, 1:]
    centers = pairs[:-1] + pairs[1:]
    centers *= QUARTER
    centers += _scattered(rows[2 * low + 1 : 2 * high : 2], odd, scale)

    along_x = pairs[start - low : stop - low]
    along_x[low + 1 - start :] += centers[: stop - 1 - low]
    along_x[: high - start] += centers[start - low :]
    along_x *= QUARTER
    if start == 0:
        along_x[0] *= THIRD
    if stop > last:
        along_x[-1] *= THIRD
    along_x += _scattered(rows[2 * start : 2 * stop - 1 : 2], odd, finer)
    out[2 * start : 2 * stop - 1 : 2, ::2] = heights[start:stop]
    out[2 * start : 2 * stop - 1 : 2, 1::2] = along_x

    below = centers[start - low :]
    along_y = heights[start:high] + heights[start + 1 : high + 1]
    along_y[:, 1:] += below
    along_y[:, :-1] += below
    along_y *= QUARTER
    along_y[:, 0] *= THIRD
    along_y[:, -1] *= THIRD
    along_y += _scattered(rows[2 * start + 1 : 2 * high : 2], even, finer)
    out[2 * start + 1 : 2 * high : 2, ::2] = along_y
    out[2 * start + 1 : 2 * high : 2, 1::2] = below


def _curve_rows(
    extended: Floats,
    out: Floats,
    part: slice,
    keys: tuple[Words, Words],
    scales: tuple[float, float],
) -> None:
    """Refine as `_refine_rows` does, from curves through nodes that have one more at each end."""
    start, stop, high = part.start, part.stop, min(part.stop, len(extended) - 3)
    (rows, columns), (scale, finer) = keys, scales
    odd, even = columns[1::2], columns[::2]
    parents, between = extended[start + 1 : stop + 1], _middles(extended[start : high + 3])
    on_rows, off_rows = slice(2 * start, 2 * stop - 1, 2), slice(2 * start + 1, 2 * high, 2)
    out[on_rows, ::2] = parents[:, 1:-1]
    out[on_rows, 1::2] = _middles(parents.T).T + _scattered(rows[on_rows], odd, finer)
    out[off_rows, ::2] = between[:, 1:-1] + _scattered(rows[off_rows], even, finer)
    out[off_rows, 1::2] = _middles(between.T).T + _scattered(rows[off_rows], odd, scale)


def _extended(nodes: Floats) -> Floats:
    """Add one row at each end, on the parabola (of two rows, the line) through the last."""
    if len(nodes) == 2:
        ends = 2 * nodes - nodes[::-1]
    else:
        ends = 3 * (nodes[[0, -1]] - nodes[[1, -2]]) + nodes[[2, -3]]
    return np.concatenate([ends[:1], nodes, ends[1:]])


def _middles(nodes: Floats) -> Floats:
    """Return the rows half way between rows, on the cubic through the two on either side; three
    rows fewer."""
    near = nodes[1:-2] + nodes[2:-1]
    near *= np.float32(9 / 16)
    near -= (nodes[:-3] + nodes[3:]) * np.float32(1 / 16)
    return near


def _scattered(rows: Words, columns: Words, scale: float) -> Floats:
    """Return random float32 from -scale to scale for every pair of a row's and a column's key.

    The products of the finalizer in `hashing` with one shift between: the keys are mixed already,
    and only the high bits of the words count.
    """
    words = rows[:, None] ^ columns
    words *= np.uint32(0x85EBCA6B)
    words ^= words >> np.uint32(15)
    words *= np.uint32(0xC2B2AE35)
    values = words.view(np.int32).astype(np.float32)
    values *= np.float32(scale * 2.0**-31)
    return values
