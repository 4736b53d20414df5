# SPDX-License-Identifier: GPL-3.0-or-later
"""Drainage area with flow that spreads over all lower neighbours."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from ..arrays import Floats, Indices
from ..cancel import Cancel, poll
from .accumulation import spill_levels
from .d8 import LENGTHS, NONE, OFFSETS, flat_offsets, inner_and_neighbour
from .tree import FlowTree

GIVERS = 131_072
"""Cells whose water is handed on between two polls."""


def multiple_flow_area(
    height: Floats,
    tree: FlowTree,
    spacing: float,
    exponent: float = 1.1,
    cancelled: Cancel | None = None,
) -> Floats:
    """Drainage area by multiple flow directions: soft on slopes, single threads in hollows.

    Each cell divides its water among its lower neighbours by slope ** `exponent` (Freeman 1991;
    Quinn et al. 1991). Cells under water and cells without a lower neighbour send all of it along
    the drainage tree, so that none is lost.

    Parameters
    ----------
    height : (H, W) float32, metres
    tree : drainage tree of `height`
    spacing : metres between cells
    exponent : 1 spreads most, 8 and more comes near to D8; limited to 0.1 to 20

    Returns
    -------
    (H, W) float32 square metres; the sum over the outlets is the area of the grid

    Raises
    ------
    ValueError : heights of another shape than the tree's
    Cancelled
    """
    tree.check(height)
    shares = _shares(height, tree, min(max(exponent, 0.1), 20.0), cancelled)
    waiting = _donor_count(shares)
    poll(cancelled)
    receivers = np.packbits(shares > 0, axis=2).ravel()
    poll(cancelled)
    share = shares.ravel()
    area = np.full(height.size, float(spacing) * spacing)
    offsets = flat_offsets(height.shape[1]).astype(np.intp)
    last = np.empty(height.size, np.intp)
    ready = np.flatnonzero(waiting == 0)
    # Every round settles all cells whose donors are settled: at most as many rounds as cells,
    # since water only ever goes to a lower level or, at the same level, down the tree.
    while ready.size:
        settled: list[Indices] = []
        for start in range(0, ready.size, GIVERS):
            poll(cancelled)
            part = slice(start, start + GIVERS)
            # The place of a set bit tells the cell (eight bits each) and the direction.
            places = np.unpackbits(receivers[ready[part]]).view(bool).nonzero()[0]
            code = places & 7
            giver = ready[part][places >> 3]
            receiver = giver + offsets[code]
            np.add.at(area, receiver, share[giver * NONE + code] * area[giver])
            np.subtract.at(waiting, receiver, np.int32(1))
            done = receiver[waiting[receiver] == 0]
            # Of a cell that comes several times, the place where it comes last counts.
            last[done] = places[: done.size]
            settled.append(done[last[done] == places[: done.size]])
        ready = np.concatenate(settled)
    return area.astype(np.float32).reshape(height.shape)


def _shares(height: Floats, tree: FlowTree, exponent: float, cancelled: Cancel | None) -> Floats:
    """(H, W, 8) float32 part of its water that a cell sends in each direction; sums to 1, 0 at
    roots."""
    level = spill_levels(height, tree, cancelled)
    rows, columns = height.shape
    padded = np.full((rows + 2, columns + 2), np.inf, np.float32)
    padded[1:-1, 1:-1] = level
    shares = np.empty((rows, columns, NONE), np.float32)
    for band in _bands(height.shape):
        poll(cancelled)
        here, codes = level[band], tree.directions[band]
        falls = np.empty((NONE, *here.shape), np.float32)
        for code, (dj, di) in enumerate(OFFSETS):
            j, i = band.start + 1 + dj, 1 + di
            np.subtract(here, padded[j : j + len(here), i : i + columns], out=falls[code])
            falls[code] *= np.float32(1 / LENGTHS[code])
        np.maximum(falls, 0, out=falls)
        steepest = falls.max(axis=0)
        dry = (steepest > 0) & (height[band] == here) & (codes != NONE)
        falls /= np.where(steepest > 0, steepest, 1)  # before the power, so that none overflows
        falls **= np.float32(exponent)
        falls *= dry
        falls /= np.where(dry, falls.sum(axis=0), 1)
        for code in range(NONE):
            falls[code][~dry & (codes == code)] = 1
        shares[band] = np.moveaxis(falls, 0, 2)
    return shares


def _bands(shape: tuple[int, ...]) -> Iterator[slice]:
    """Rows whose shares stay in the processor's cache."""
    rows = max(32_768 // shape[1], 1)
    for start in range(0, shape[0], rows):
        yield slice(start, start + rows)


def _donor_count(shares: Floats) -> NDArray[np.int32]:
    count = np.zeros(shares.shape[:2], np.int32)
    for code in range(NONE):
        here, there = inner_and_neighbour(count.shape, code)
        count[there] += shares[..., code][here] > 0
    return count.ravel()
