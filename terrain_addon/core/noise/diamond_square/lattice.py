# SPDX-License-Identifier: GPL-3.0-or-later
"""The diamond-square lattice: midpoint displacement with hashed displacements.

Fournier, Fussell and Carpenter, "Computer rendering of stochastic models" (1982), with the
amplitude lowered at each half step (Saupe, "The Science of Fractal Images", 1988), which softens
the creases along the coarse lattice lines. A displacement is a hash of (seed, level, i, j), so
any window of any level can be made alone, and a finer level keeps the coarse points bit for bit.

Means of neighbors are tents around every coarse node, and from H = 0.9 on fine displacements no
longer hide their tips: needles and pits on a square net. Nodes that are displaced from curves
through four neighbors instead (Dyn, Gregory and Levin, "A 4-point interpolatory subdivision
scheme for curve design", 1987) have none. Displacing the coarse nodes at each level once more
(Saupe's successive random additions) would make them worse where means are taken.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ...numerics.arrays import Floats
from ...numerics.hashing import Words, hashed

BLOCK = 32768  # points of a half step at a time: temporaries stay in the processor's cache
QUARTER, THIRD = np.float32(0.25), np.float32(4 / 3)


@dataclass(frozen=True)
class Window:
    """Nodes ``start`` up to, not including, ``stop`` of one axis of a level."""

    start: int
    stop: int

    def coarser(self, more: int) -> Window:
        """Nodes of the level below that these nodes follow from, and so many more on each side."""
        return Window((self.start - 1) // 2 - more, (self.stop + 1) // 2 + 1 + more)

    def clipped(self, cells: int) -> Window:
        return Window(max(self.start, 0), min(self.stop, cells + 1))


@dataclass(frozen=True)
class Lattice:
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

    def nodes(self, level: int, rows: Window, columns: Window, poll: Callable[[], None]) -> Floats:
        """Heights of a window of nodes, (rows, columns) float32 in meters.

        Without ``wrap`` the windows must lie on the lattice, 0 to ``cells * 2**level``.
        """
        windows = [(rows, columns)]
        for lower in reversed(range(level)):
            r, c = (window.coarser(int(self.curved)) for window in windows[-1])
            if not self.wrap:
                r, c = r.clipped(self.cells[1] << lower), c.clipped(self.cells[0] << lower)
            windows.append((r, c))
        heights = self._base(*windows[-1])
        for upper in range(1, level + 1):
            old, new = windows[level - upper + 1], windows[level - upper]
            heights = self._refined(heights, upper, old, new, poll)
        return heights

    def _base(self, rows: Window, columns: Window) -> Floats:
        """Level 0: the corners, and between them, on long terrains, displaced nodes."""
        j, i = np.arange(rows.start, rows.stop), np.arange(columns.start, columns.stop)
        mx, my = self.cells
        if self.wrap:
            own = np.full((j.size, i.size), sum(self.corners) / 4)
            at_corner = (j % my == 0)[:, None] & (i % mx == 0)
        else:
            u, v = i / mx, (j / my)[:, None]
            sw, se, nw, ne = self.corners
            own = (1 - v) * ((1 - u) * sw + u * se) + v * ((1 - u) * nw + u * ne)
            at_corner = ((j == 0) | (j == my))[:, None] & ((i == 0) | (i == mx))
        own[~at_corner] += self._displacements(0, rows, columns, 1, self.height)[~at_corner]
        return own.astype(np.float32)

    def _keys(self, level: int, window: Window, step: int, axis: int) -> Words:
        numbers = np.arange(window.start, window.stop, step, dtype=np.int64)
        if self.wrap:
            numbers %= self.cells[axis] << level
        return hashed(self.seed, 2 * level + axis, numbers)

    def _displacements(
        self, level: int, rows: Window, columns: Window, step: int, scale: float
    ) -> Floats:
        """Random numbers from -scale to scale, one for each ``step``-th node each way."""
        keys = self._keys(level, rows, step, 1), self._keys(level, columns, step, 0)
        return _scattered(*keys, scale)

    def _refined(
        self,
        heights: Floats,
        level: int,
        old: tuple[Window, Window],
        new: tuple[Window, Window],
        poll: Callable[[], None],
    ) -> Floats:
        """The window ``new`` of a level from the window ``old`` of the level below."""
        j0, i0 = 2 * old[0].start, 2 * old[1].start
        ny, nx = heights.shape
        out = np.empty((2 * ny - 1, 2 * nx - 1), np.float32)
        scale = self.height * 2.0 ** (-self.roughness * (level - 1))
        rows = self._keys(level, Window(j0, j0 + 2 * ny - 1), 1, 1)
        columns = self._keys(level, Window(i0, i0 + 2 * nx - 1), 1, 0)
        block = max(BLOCK // nx, 1)
        refine = _refine_rows
        if self.curved:
            heights, refine = _extended(_extended(heights).T).T, _curve_rows
        for start in range(0, ny, block):
            poll()
            refine(
                heights, out, start, min(start + block, ny), rows, columns, scale, self.roughness
            )
        # Nodes at the rim of the window that are not at the rim of the lattice lack a neighbor.
        j, i = new[0].start - j0, new[1].start - i0
        inside = out[j : j + new[0].stop - new[0].start, i : i + new[1].stop - new[1].start]
        return np.ascontiguousarray(inside)


def _refine_rows(
    heights: Floats,
    out: Floats,
    start: int,
    stop: int,
    rows: Words,
    columns: Words,
    scale: float,
    roughness: float,
) -> None:
    """One level for the parent rows ``start`` to ``stop``: ``out`` rows from ``2 * start`` on."""
    last = len(heights) - 1
    low, high = max(start - 1, 0), min(stop, last)  # cells; one above serves the first edges
    odd, even = columns[1::2], columns[::2]
    finer = scale * 2.0 ** (-roughness / 2)

    parents = heights[low : high + 1]
    pairs = parents[:, :-1] + parents[:, 1:]
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
    start: int,
    stop: int,
    rows: Words,
    columns: Words,
    scale: float,
    roughness: float,
) -> None:
    """As `_refine_rows`, from curves through nodes that have one more at each end."""
    high = min(stop, len(extended) - 3)
    odd, even = columns[1::2], columns[::2]
    finer = scale * 2.0 ** (-roughness / 2)
    parents, between = extended[start + 1 : stop + 1], _middles(extended[start : high + 3])
    on_rows, off_rows = slice(2 * start, 2 * stop - 1, 2), slice(2 * start + 1, 2 * high, 2)
    out[on_rows, ::2] = parents[:, 1:-1]
    out[on_rows, 1::2] = _middles(parents.T).T + _scattered(rows[on_rows], odd, finer)
    out[off_rows, ::2] = between[:, 1:-1] + _scattered(rows[off_rows], even, finer)
    out[off_rows, 1::2] = _middles(between.T).T + _scattered(rows[off_rows], odd, scale)


def _extended(nodes: Floats) -> Floats:
    """With one more row at each end, on the parabola (of two rows, the line) through the last."""
    if len(nodes) == 2:
        ends = 2 * nodes - nodes[::-1]
    else:
        ends = 3 * (nodes[[0, -1]] - nodes[[1, -2]]) + nodes[[2, -3]]
    return np.concatenate([ends[:1], nodes, ends[1:]])


def _middles(nodes: Floats) -> Floats:
    """Half way between rows, on the cubic through the two on either side; three rows fewer."""
    near = nodes[1:-2] + nodes[2:-1]
    near *= np.float32(9 / 16)
    near -= (nodes[:-3] + nodes[3:]) * np.float32(1 / 16)
    return near


def _scattered(rows: Words, columns: Words, scale: float) -> Floats:
    """Random float32 from -scale to scale for every pair of a row's and a column's key.

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
