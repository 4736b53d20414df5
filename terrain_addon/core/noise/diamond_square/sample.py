# SPDX-License-Identifier: GPL-3.0-or-later
"""Sample a diamond-square lattice at any points: exact at nodes, smooth curves in between."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ...numerics.arrays import Doubles, Floats, Indices
from ...numerics.blocks import parts
from ...numerics.progress import Progress
from .lattice import DiamondSquareLattice, Nodes, taken

SNAP = 1e-6
"""Distance from a node, in nodes, below which a point counts as that node."""
NODES = 1 << 22
"""Nodes of the last level at a time."""
BLOCK = 32
"""Rows of the result at a time: temporaries stay in the processor's cache."""


def sample(
    lattice: DiamondSquareLattice,
    levels: int,
    x: Doubles,
    y: Doubles,
    poll: Callable[[], None],
    progress: Progress,
) -> Floats:
    """Return the heights at the points of a grid, (y, x) float32 in meters.

    ``x`` and ``y`` are coordinates in base squares of the lattice. The lattice is refined
    ``levels`` times, or until every point is a node. Points that are nodes are exact; others are
    interpolated between nodes of the last level by Catmull-Rom curves. So a point has the same
    height in every grid. Only nodes around the points are computed. Beyond a lattice that does not
    wrap lies its mirror image.
    """
    level = max(_level_of(x, levels), _level_of(y, levels))
    columns, rows = _snapped(x * 2.0**level), _snapped(y * 2.0**level)
    if not lattice.wrap:
        columns, rows = (
            _mirrored(v, cells << level)
            for v, cells in zip((columns, rows), lattice.cells, strict=True)
        )
    out = np.empty((y.size, x.size), np.float32)
    last = (None, None) if lattice.wrap else tuple(c << level for c in lattice.cells)
    across = _Curve.through(columns, last[0])
    nodes = _Curve.through(rows, last[1]).nodes.size
    band = max(int(NODES * y.size / (nodes * across.nodes.size)), 1)
    for part in parts(y.size, band):
        progress(part.start / y.size)
        along = _Curve.through(rows[part], last[1])
        heights = lattice.nodes(level, along.nodes, across.nodes, poll)
        for few in parts(part.stop - part.start, BLOCK):
            out[part][few] = across.at_columns(along.at_rows(heights, few))
    return out


def _level_of(u: Doubles, levels: int) -> int:
    """Return the first level with a node at every position, or the last one."""
    for level in range(levels):
        nodes = u * 2.0**level
        if np.all(np.abs(nodes - np.rint(nodes)) < SNAP):
            return level
    return levels


def _snapped(nodes: Doubles) -> Doubles:
    nearest = np.rint(nodes)
    return np.where(np.abs(nodes - nearest) < SNAP, nearest, nodes)


def _mirrored(positions: Doubles, last: int) -> Doubles:
    """Return positions beyond 0 to ``last`` reflected at the border."""
    return np.abs(np.remainder(positions + last, 2 * last) - last)


@dataclass(frozen=True)
class _Curve:
    """Catmull-Rom curves through nodes, at any positions along one axis.

    Attributes
    ----------
    nodes : Nodes
        The nodes that the curves pass through.
    places : ndarray of intp, shape (taps, n)
        Places of each position, where its nodes are among those: four, or one where every position
        is a node. A node beyond the lattice counts as equal to the last one.
    weights : ndarray of float32, shape (4, n) or None
        Weights of four nodes, or none.
    """

    nodes: Nodes
    places: Indices
    weights: Floats | None

    @classmethod
    def through(cls, positions: Doubles, last: int | None) -> _Curve:
        """Return the curves at positions in nodes of a lattice, which ends at ``last`` or has no
        end."""
        floor = np.floor(positions)
        t = (positions - floor).astype(np.float32)
        weights, near = None, floor.astype(np.intp)[None]
        if t.any():
            near = near + np.arange(-1, 3)[:, None]
            weights = np.empty((4, t.size), np.float32)
            weights[0] = ((2 - t) * t - 1) * t / 2
            weights[1] = ((3 * t - 5) * t * t + 2) / 2
            weights[2] = ((4 - 3 * t) * t + 1) * t / 2
            weights[3] = (t - 1) * t * t / 2
        if last is not None:
            near = near.clip(0, last)
        nodes = np.unique(near)
        return cls(nodes, np.searchsorted(nodes, near), weights)

    def at_rows(self, heights: Floats, part: slice) -> Floats:
        """Return the heights at some of the positions, along the rows: (positions, columns)."""
        weights = None if self.weights is None else self.weights[:, part, None]
        return _blended(heights, self.places[:, part], weights, 0)

    def at_columns(self, heights: Floats) -> Floats:
        """Return the heights at all positions along the columns: (rows, positions)."""
        return _blended(heights, self.places, self.weights, 1)


def _blended(heights: Floats, places: Indices, weights: Floats | None, axis: int) -> Floats:
    """Return the weighted sum of the rows (axis 0) or columns (1) at places (taps, n)."""
    if weights is None:
        return taken(heights, places[0], axis)
    total: Floats = np.take(heights, places[0], axis=axis)
    total *= weights[0]
    for place, weight in zip(places[1:], weights[1:], strict=True):
        other: Floats = np.take(heights, place, axis=axis)
        other *= weight
        total += other
    return total
