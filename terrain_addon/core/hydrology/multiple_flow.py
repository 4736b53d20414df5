# SPDX-License-Identifier: GPL-3.0-or-later
"""Drainage area with flow that spreads over all lower neighbours."""

import numpy as np
from numpy.typing import NDArray

from .accumulation import spill_levels
from .d8 import LENGTHS, NONE, flat_offsets, inner_and_neighbour
from .tree import FlowTree

Floats = NDArray[np.float32]


def multiple_flow_area(
    height: Floats, tree: FlowTree, spacing: float, exponent: float = 1.1
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
    """
    shares = _shares(height, tree, min(max(exponent, 0.1), 20.0))
    area = np.full(height.size, float(spacing) * spacing)
    waiting = _donor_count(shares)
    offsets = flat_offsets(height.shape[1])
    flat = shares.reshape(NONE, -1)
    ready = np.flatnonzero(waiting == 0)
    # Every round settles all cells whose donors are settled: at most as many rounds as cells,
    # since water only ever goes to a lower level or, at the same level, down the tree.
    while ready.size:
        receivers: list[NDArray[np.intp]] = []
        amounts: list[NDArray[np.float64]] = []
        for code in range(NONE):
            share = flat[code].take(ready)
            giving = np.flatnonzero(share)
            cells: NDArray[np.intp] = ready[giving]
            receivers.append(cells + offsets[code])
            amounts.append(share[giving] * area[cells])
        receiver = np.concatenate(receivers)
        np.add.at(area, receiver, np.concatenate(amounts))
        np.subtract.at(waiting, receiver, 1)
        ready = np.unique(receiver[waiting[receiver] == 0])
    return area.astype(np.float32).reshape(height.shape)


def _shares(height: Floats, tree: FlowTree, exponent: float) -> NDArray[np.float64]:
    """(8, H, W) part of its water that a cell sends in each direction; sums to 1, 0 at roots."""
    level = spill_levels(height, tree).astype(np.float64)
    shares = np.zeros((NONE, *height.shape))
    for code in range(NONE):
        here, there = inner_and_neighbour(height.shape, code)
        shares[code][here] = np.maximum(level[here] - level[there], 0) / LENGTHS[code]
    steepest = shares.max(axis=0)
    dry = (steepest > 0) & (height == level) & (tree.directions != NONE)
    shares /= np.where(dry, steepest, 1)  # before the power, so that it cannot overflow
    shares **= exponent
    shares *= dry
    shares /= np.where(dry, shares.sum(axis=0), 1)
    for code in range(NONE):
        shares[code][~dry & (tree.directions == code)] = 1
    return shares


def _donor_count(shares: NDArray[np.float64]) -> NDArray[np.int8]:
    count = np.zeros(shares.shape[1:], np.int8)
    for code in range(NONE):
        here, there = inner_and_neighbour(count.shape, code)
        count[there] += shares[code][here] > 0
    return count.ravel()
