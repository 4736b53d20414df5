# SPDX-License-Identifier: GPL-3.0-or-later
"""Sample a diamond-square lattice at any points: exact at nodes, smooth curves in between."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ...numerics.arrays import Doubles, Floats, Indices
from ...numerics.progress import Progress
from .lattice import Lattice, Window

SNAP = 1e-6  # nodes: closer to a node than this is on it, whatever the grid's rounding
NODES = 1 << 22  # nodes of a lattice window at a time
BLOCK = 32  # rows of the result at a time: temporaries stay in the processor's cache


def sample(
    lattice: Lattice,
    levels: int,
    x: Doubles,
    y: Doubles,
    poll: Callable[[], None],
    progress: Progress,
) -> Floats:
    """Heights at the points of a grid, (y, x) float32 in meters.

    ``x`` and ``y`` are coordinates in base squares of the lattice. The lattice is made up to
    ``levels``, or only as far as is needed to have a node at every point: what lies on a node
    is exact, and other points follow from the nodes of the last level by Catmull-Rom curves. So
    a point's height is the same in every grid. Beyond a lattice that does not wrap lies its
    mirror image.
    """
    level = max(_level_of(x, levels), _level_of(y, levels))
    columns, rows = _snapped(x * 2.0**level), _snapped(y * 2.0**level)
    if not lattice.wrap:
        columns, rows = (
            _mirrored(v, cells << level)
            for v, cells in zip((columns, rows), lattice.cells, strict=True)
        )
    out = np.empty((y.size, x.size), np.float32)
    width = float(np.ptp(columns)) + 4
    step = float(np.ptp(rows)) / max(y.size - 1, 1)
    band = int(max(min(NODES / (width * max(step, 1e-9)), y.size), 1))
    for start in range(0, y.size, band):
        progress(start / y.size)
        out[start : start + band] = _inside(
            lattice, level, rows[start : start + band], columns, poll
        )
    return out


def _level_of(u: Doubles, levels: int) -> int:
    """The first level with a node at every position, or the last one."""
    for level in range(levels):
        nodes = u * 2.0**level
        if np.all(np.abs(nodes - np.rint(nodes)) < SNAP):
            return level
    return levels


def _snapped(nodes: Doubles) -> Doubles:
    nearest = np.rint(nodes)
    return np.where(np.abs(nodes - nearest) < SNAP, nearest, nodes)


def _mirrored(positions: Doubles, last: int) -> Doubles:
    """Positions beyond 0 to ``last`` reflected at the border."""
    return np.abs(np.remainder(positions + last, 2 * last) - last)


def _inside(
    lattice: Lattice, level: int, rows: Doubles, columns: Doubles, poll: Callable[[], None]
) -> Floats:
    """Heights at positions on the lattice, in nodes of that level."""
    rows_there, columns_there = (None if lattice.wrap else c << level for c in lattice.cells[::-1])
    row_window = _window(rows, rows_there)
    column_window = _window(columns, columns_there)
    nodes = lattice.nodes(level, row_window, column_window, poll)
    across = _Curve.through(columns - column_window.start)
    along = _Curve.through(rows - row_window.start)
    if across.is_identity and along.is_identity:
        return nodes
    out = np.empty((rows.size, columns.size), np.float32)
    for start in range(0, rows.size, BLOCK):
        part = slice(start, start + BLOCK)
        out[part] = across.at_columns(along.at_rows(nodes, part))
    return out


def _window(positions: Doubles, last: int | None) -> Window:
    low, high = int(np.floor(positions.min())), int(np.ceil(positions.max()))
    if np.all(positions == np.rint(positions)):
        return Window(low, high + 1)
    window = Window(low - 1, high + 2)
    return window if last is None else window.clipped(last)


@dataclass(frozen=True)
class _Curve:
    """Catmull-Rom curves through nodes, at any positions along one axis.

    A node beyond the given ones counts as equal to the last of them. ``weights`` has four rows of
    one weight for each position, or none where every position is a node.
    """

    first: Indices
    weights: Floats | None

    @classmethod
    def through(cls, positions: Doubles) -> _Curve:
        first = np.floor(positions)
        t = (positions - first).astype(np.float32)
        if not t.any():
            return cls(first.astype(np.intp), None)
        weights = np.empty((4, t.size), np.float32)
        weights[0] = ((2 - t) * t - 1) * t / 2
        weights[1] = ((3 * t - 5) * t * t + 2) / 2
        weights[2] = ((4 - 3 * t) * t + 1) * t / 2
        weights[3] = (t - 1) * t * t / 2
        return cls(first.astype(np.intp), weights)

    @property
    def is_identity(self) -> bool:
        """The positions are all nodes, in order."""
        return self.weights is None and bool(np.all(np.diff(self.first) == 1))

    def at_rows(self, nodes: Floats, part: slice) -> Floats:
        """Some of the positions, along the rows: (positions, columns)."""
        first = self.first[part]
        if self.weights is None:
            return nodes[first]
        return self._mixed(lambda tap: nodes[_held(first + tap, len(nodes))], part, (-1, 1))

    def at_columns(self, nodes: Floats) -> Floats:
        """All positions along the columns: (rows, positions)."""
        step = int(self.first[1] - self.first[0]) if self.first.size > 1 else 1
        if self.weights is None:
            if step > 0 and np.all(np.diff(self.first) == step):
                return nodes[:, self.first[0] : self.first[-1] + 1 : step]
            return np.take(nodes, self.first, axis=1)
        count = nodes.shape[1]
        return self._mixed(
            lambda tap: np.take(nodes, _held(self.first + tap, count), axis=1), slice(None), (1, -1)
        )

    def _mixed(
        self, neighbor: Callable[[int], Floats], part: slice, shape: tuple[int, int]
    ) -> Floats:
        assert self.weights is not None
        weights = self.weights[:, part]
        total = neighbor(-1)
        total *= weights[0].reshape(shape)
        for tap in range(3):
            other = neighbor(tap)
            other *= weights[tap + 1].reshape(shape)
            total += other
        return total


def _held(index: Indices, count: int) -> Indices:
    return np.clip(index, 0, count - 1)
