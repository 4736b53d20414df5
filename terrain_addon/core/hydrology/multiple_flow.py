# SPDX-License-Identifier: GPL-3.0-or-later
"""Drainage area with flow that spreads over all lower neighbors."""

import numpy as np
from numpy.typing import NDArray

from ..numerics.arrays import Floats, Indices
from ..numerics.blocks import parts, pieces, row_bands
from ..numerics.progress import Cancel, Progress, poll, within
from .accumulation import spill_levels
from .d8 import LENGTHS, NONE, OFFSETS, OPPOSITE, flat_offsets
from .tree import FlowTree

GIVERS = 32_768
"""Cells whose water is passed on between two polls."""
BAND = 16_384
"""Cells whose shares are computed at once: they stay in the processor's cache."""


def multiple_flow_area(
    height: Floats,
    tree: FlowTree,
    spacing: float,
    exponent: float = 1.1,
    cancelled: Cancel | None = None,
    *,
    progress: Progress | None = None,
) -> Floats:
    """Return the drainage area by multiple flow directions: soft on slopes, threads in hollows.

    Each cell divides its water among its lower neighbors by slope ** `exponent` (Freeman 1991;
    Quinn et al. 1991). Cells under water and cells without a lower neighbor send all of it along
    the drainage tree, so that none is lost.

    Parameters
    ----------
    height : ndarray of float32, shape (H, W)
        Meters.
    tree : FlowTree
        Drainage tree of `height`.
    spacing : float
        Meters between cells.
    exponent : float, default 1.1
        1 spreads most, 8 and more comes near to D8; limited to 0.1 to 20.

    Returns
    -------
    ndarray of float32, shape (H, W)
        Square meters; the sum over the outlets is the area of the grid.

    Raises
    ------
    ValueError
        Heights of another shape than the tree's.
    Cancelled
    """
    tree.check(height)
    flow = within(progress, 0.3, 1.0)
    shares, receivers = _shares(
        height, tree, min(max(exponent, 0.1), 20.0), cancelled, within(progress, 0.0, 0.3)
    )
    waiting = _donor_count(receivers, height.shape[1], cancelled)
    share = shares.ravel()
    area = np.full(height.size, float(spacing) * spacing)
    offsets = flat_offsets(height.shape[1]).astype(np.intp)
    last = np.empty(height.size, np.intp)
    poll(cancelled)
    ready = np.flatnonzero(waiting == 0)
    done_with = 0
    # Every round settles all cells whose donors are settled: at most as many rounds as cells,
    # since water only ever goes to a lower level or, at the same level, down the tree.
    while ready.size:
        settled: list[Indices] = []
        for part in parts(ready.size, GIVERS, cancelled):
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
        done_with += ready.size
        flow(done_with / area.size)
        ready = np.concatenate(settled)
    made = np.empty(area.size, np.float32)
    for part in pieces(area.size, cancelled):
        made[part] = area[part]
    return made.reshape(height.shape)


def _shares(
    height: Floats, tree: FlowTree, exponent: float, cancelled: Cancel | None, progress: Progress
) -> tuple[Floats, NDArray[np.uint8]]:
    """Return the parts of its water that a cell sends in each direction, and to whom it sends any.

    (H, W, 8) float32 that sum to 1, 0 at roots; and (H * W,) one bit for each, highest for code 0.
    """
    level = spill_levels(height, tree, cancelled, progress=within(progress, 0.0, 0.3))
    rows, columns = height.shape
    padded = np.full((rows + 2, columns + 2), np.inf, np.float32)
    padded[1:-1, 1:-1] = level
    shares = np.empty((rows, columns, NONE), np.float32)
    receivers = np.empty(height.shape, np.uint8)
    for band in row_bands(height.shape, cancelled, BAND):
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
        receivers[band] = np.packbits(falls > 0, axis=0)[0]
        progress(0.3 + 0.7 * band.stop / rows)
    return shares, receivers.ravel()


def _donor_count(
    receivers: NDArray[np.uint8], columns: int, cancelled: Cancel | None
) -> NDArray[np.int32]:
    """Return from how many neighbors each cell gets water."""
    # As in the drainage tree, a margin keeps all neighbors within reach; those beyond the end of
    # a row send nothing across it.
    margin, count = columns + 1, receivers.size
    padded = np.zeros(count + 2 * margin, np.uint8)
    padded[margin : margin + count] = receivers
    donors = np.zeros(count, np.int32)
    for part in pieces(count, cancelled):
        for code, offset in enumerate(flat_offsets(columns)[:NONE].tolist()):
            there = slice(part.start + margin + offset, part.stop + margin + offset)
            sends_here = padded[there] >> np.uint8(7 - OPPOSITE[code])
            sends_here &= np.uint8(1)
            donors[part] += sends_here
    return donors
