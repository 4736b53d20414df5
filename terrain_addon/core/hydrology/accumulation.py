# SPDX-License-Identifier: GPL-3.0-or-later
"""Flow routing and drainage area."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..arrays import Bools, Doubles, Floats
from ..cancel import Cancel, Progress, within
from .depressions import resolve_depressions
from .receivers import SlopeFactors, border, check_height, steepest_directions
from .tree import FlowTree, build_tree


def route(
    height: Floats,
    outlets: Bools | None = None,
    cancelled: Cancel | None = None,
    *,
    factors: SlopeFactors | None = None,
    progress: Progress | None = None,
) -> FlowTree:
    """Where water goes: steepest descent, and out of hollows over their lowest pass.

    Parameters
    ----------
    height : (H, W) float, metres
    outlets : (H, W) bool, cells where water leaves (border cells, the sea); the border if None
    factors : on the slopes, as :func:`steepest_directions` has them

    Raises
    ------
    ValueError : heights that are not finite, no outlet, or a mask of another shape
    Cancelled
    """
    height = check_height(height)
    if outlets is None:
        outlets = border(height.shape)
    elif outlets.shape != height.shape:
        raise ValueError(f"The outlets have the shape {outlets.shape}, the heights {height.shape}")
    directions = steepest_directions(
        height, outlets, factors, cancelled, progress=within(progress, 0.0, 0.1)
    )
    directions = resolve_depressions(
        height, directions, outlets, cancelled, progress=within(progress, 0.1, 0.65)
    )
    return build_tree(directions, cancelled, progress=within(progress, 0.65, 1.0))


def accumulate(
    tree: FlowTree,
    amounts: NDArray[Any] | float = 1.0,
    cancelled: Cancel | None = None,
    *,
    progress: Progress | None = None,
) -> Doubles:
    """Sum of `amounts` over each cell and everything that drains to it.

    Parameters
    ----------
    tree : drainage tree of N cells
    amounts : (H, W) or one number for all cells

    Returns
    -------
    (N,) float64 in tree order

    Raises
    ------
    ValueError : amounts of another shape
    Cancelled
    """
    if isinstance(amounts, np.ndarray):
        total = tree.gather(amounts, cancelled).astype(np.float64)
    else:
        total = np.full(tree.order.size, float(amounts))
    for here, donors, parent in tree.downstream(cancelled, progress):
        total[here] += np.bincount(parent, total[donors], here.stop - here.start)
    return total


def drainage_area(
    tree: FlowTree,
    spacing: float,
    cancelled: Cancel | None = None,
    *,
    progress: Progress | None = None,
) -> Floats:
    """(H, W) float32 square metres that drain through each cell, its own included (D8)."""
    total = accumulate(tree, spacing * spacing, cancelled, progress=progress)
    return tree.scatter(total.astype(np.float32), cancelled)


def spill_levels(
    height: Floats,
    tree: FlowTree,
    cancelled: Cancel | None = None,
    *,
    progress: Progress | None = None,
) -> Floats:
    """(H, W) float32 metres: the height to which water would stand if hollows were full.

    The lowest possible maximum over all ways to an outlet, as a priority-flood gives. Raises
    ValueError for heights of another shape than the tree's, and Cancelled.
    """
    level = tree.gather(np.asarray(height, np.float32), cancelled)
    for below, donors, parent in tree.upstream(cancelled, progress):
        np.maximum(level[donors], level[below].take(parent), out=level[donors])
    return tree.scatter(level, cancelled)
