# SPDX-License-Identifier: GPL-3.0-or-later
"""The discharge of glaciers: snowfall above the snow line, less what melts below it."""

from __future__ import annotations

import numpy as np

from ...hydrology import FlowTree
from ...hydrology.d8 import receivers
from ...numerics.arrays import Doubles, Floats, Indices
from ...numerics.progress import Cancel, poll

FULL = 0.6
"""Share of the height of the summits above the snow line from which the snowfall is full."""
SUMMITS = 0.995
"""Share of the ground that is lower than the summits."""
EVENED = 6
"""Passes that smooth beds along the flow."""


def snow_balance(height: Floats, snow_line: float, reach: float) -> Floats:
    """Return the ice that each cell gains, -1 to 1: all of the snow on the summits, none on the
    snow line, and less than none below it.

    Parameters
    ----------
    height : ndarray of float32, shape (H, W)
        Meters.
    snow_line : float
        Meters.
    reach : float
        Divides the melting.

    Examples
    --------
    >>> snow_balance(np.float32([[0, 400, 1000, 1000]]), 400.0, 2.0).tolist()
    [[-0.5, 0.0, 1.0, 1.0]]
    """
    summits = float(np.quantile(height, SUMMITS))
    balance = height - np.float32(snow_line)
    balance *= np.float32(1 / max(FULL * (summits - snow_line), 1.0))
    np.clip(balance, -1, 1, out=balance)
    return np.where(balance < 0, balance / np.float32(max(reach, 1e-3)), balance)


def ice_discharge(tree: FlowTree, balance: Floats, cancelled: Cancel | None = None) -> Floats:
    """Return the ice that leaves each cell, in cells of full snowfall: the sum of the balance over
    what drains to it, and never less than none.

    Parameters
    ----------
    tree : FlowTree
        Drainage tree.
    balance : ndarray of float32, shape (H, W)
        Result of :func:`snow_balance`.

    Returns
    -------
    ndarray of float32, shape (H, W)
        Summed in float64.
    """
    ice = tree.gather(balance, cancelled)
    last = slice(*tree.levels[-2:])
    total = np.maximum(ice[last].astype(np.float64), 0)
    ice[last] = total
    for here, _, parent in tree.downstream(cancelled):
        total = np.bincount(parent, total, here.stop - here.start)
        total += ice[here]
        np.maximum(total, 0, out=total)
        ice[here] = total
    return tree.scatter(ice, cancelled)


def evened_along(
    bed: Doubles,
    ground: Floats,
    cells: Indices,
    tree: FlowTree,
    discharge: Doubles,
    cancelled: Cancel | None = None,
) -> Doubles:
    """Return heights of some cells, smoothed along the flow.

    Each becomes the mean of its own and what flows into it, by discharge, and then the mean of that
    and of the one that it flows into: the large glacier decides at a confluence.

    Parameters
    ----------
    bed, discharge : ndarray of float64, shape (n,)
        Heights of the cells, and the ice that leaves them.
    ground : ndarray of float32, shape (H, W)
        Heights of the cells around.
    cells : ndarray of intp, shape (n,)
        Row-major numbers, ascending.
    """
    below = receivers(tree.directions, cancelled)[cells]
    place = np.searchsorted(cells, below)
    place[place == cells.size] = 0
    place[cells[place] != below] = cells.size  # flows out of the ice
    outside = ground.reshape(-1)[below].astype(np.float64)
    left = place == cells.size
    share = np.bincount(place, discharge, cells.size + 1)[:-1] + discharge
    for _ in range(EVENED):
        poll(cancelled)
        carried = bed * discharge
        bed = (np.bincount(place, carried, cells.size + 1)[:-1] + carried) / share
        onward = np.append(bed, 0.0)[place]
        bed = 0.5 * (bed + np.where(left, outside, onward))
    return bed
