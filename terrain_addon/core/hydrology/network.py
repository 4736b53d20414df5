# SPDX-License-Identifier: GPL-3.0-or-later
"""Stream order, flow lengths, height above rivers, watersheds."""

import numpy as np
from numpy.typing import NDArray

from ..numerics.arrays import Bools, Floats
from ..numerics.progress import Cancel, Progress
from .accumulation import fill_to_spill
from .d8 import check_mask
from .tree import FlowTree


def stream_order(
    tree: FlowTree,
    channels: Bools,
    cancelled: Cancel | None = None,
    *,
    progress: Progress | None = None,
) -> NDArray[np.uint8]:
    """Return the Strahler (1957) order of channel cells: 1 at sources, more where equals meet.

    Parameters
    ----------
    tree : FlowTree
        Drainage tree.
    channels : ndarray of bool, shape (H, W)
        Stream cells; the cells downstream of them should be streams too.

    Returns
    -------
    ndarray of uint8, shape (H, W)
        0 outside channels.

    Raises
    ------
    ValueError
        Channels of another shape than the tree's, or not bool.
    Cancelled
    """
    check_mask(channels)
    channel = tree.gather(channels, cancelled)
    order = channel.astype(np.uint8)
    for here, donors, parent in tree.downstream(cancelled, progress):
        incoming = order[donors]
        highest = np.zeros(here.stop - here.start, np.uint8)
        np.maximum.at(highest, parent, incoming)
        equal = (incoming == highest[parent]) & (incoming > 0)
        meet = np.bincount(parent[equal], minlength=highest.size) >= 2
        highest += meet
        np.maximum(order[here], highest * channel[here], out=order[here])
    return tree.scatter(order, cancelled)


def upstream_length(
    tree: FlowTree,
    spacing: float,
    cancelled: Cancel | None = None,
    *,
    progress: Progress | None = None,
) -> Floats:
    """Return the length of the longest flow path into each cell: (H, W) float32 meters."""
    length = np.zeros(tree.order.size, np.float32)
    steps = tree.step_lengths(spacing, cancelled)
    for here, donors, parent in tree.downstream(cancelled, progress):
        np.maximum.at(length[here], parent, length[donors] + steps[donors])
    return tree.scatter(length, cancelled)


def downstream_length(
    tree: FlowTree,
    spacing: float,
    cancelled: Cancel | None = None,
    *,
    progress: Progress | None = None,
) -> Floats:
    """Return the length of the flow path from each cell to its outlet: (H, W) float32 meters.

    Examples
    --------
    >>> from terrain_addon.core.hydrology import route
    >>> tree = route(np.array([[0, 1, 2]]), np.array([[True, False, False]]))
    >>> downstream_length(tree, 10.0).tolist()
    [[0.0, 10.0, 20.0]]
    """
    length = np.zeros(tree.order.size, np.float32)
    steps = tree.step_lengths(spacing, cancelled)
    for below, donors, parent in tree.upstream(cancelled, progress):
        length[donors] = length[below][parent] + steps[donors]
    return tree.scatter(length, cancelled)


def height_above_rivers(
    height: Floats,
    tree: FlowTree,
    rivers: Bools,
    cancelled: Cancel | None = None,
    *,
    progress: Progress | None = None,
) -> Floats:
    """Return the height above the nearest drainage (HAND, Rennó et al. 2008): (H, W) float32
    meters.

    0 in rivers that run downhill, infinite where no river is downstream.

    Parameters
    ----------
    height : ndarray of float32, shape (H, W)
        Meters.
    tree : FlowTree
        Drainage tree.
    rivers : ndarray of bool, shape (H, W)
        River cells.

    Raises
    ------
    ValueError
        Fields of another shape than the tree's, or rivers that are not bool.
    Cancelled
    """
    check_mask(rivers)
    tree.check(height, rivers)
    bed = np.full(tree.shape, -np.inf, np.float32)
    np.copyto(bed, height, where=rivers)
    fill_to_spill(bed, tree, cancelled, progress)
    return np.subtract(height, bed, out=bed)


def watersheds(
    tree: FlowTree, cancelled: Cancel | None = None, *, progress: Progress | None = None
) -> NDArray[np.int32]:
    """Return the number of the outlet that each cell drains to: (H, W) int32, from 0 in row-major
    order."""
    label = np.arange(tree.order.size, dtype=np.int32)
    for below, donors, parent in tree.upstream(cancelled, progress):
        label[donors] = label[below][parent]
    return tree.scatter(label, cancelled)
