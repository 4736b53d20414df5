# SPDX-License-Identifier: GPL-3.0-or-later
"""Flow routing and drainage area."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..numerics.arrays import Bools, Floats
from ..numerics.progress import Cancel, Progress, within
from .d8 import check_mask
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
    ValueError : heights that are not finite, no outlet, or a mask of another shape or not bool
    Cancelled
    """
    height = check_height(height)
    if outlets is None:
        outlets = border(height.shape)
    elif outlets.shape != height.shape:
        raise ValueError(f"The outlets have the shape {outlets.shape}, the heights {height.shape}")
    check_mask(outlets)
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
) -> Floats:
    """Sum of `amounts` over each cell and everything that drains to it.

    Parameters
    ----------
    tree : drainage tree
    amounts : (H, W) or one number for all cells

    Returns
    -------
    (H, W) float32, of sums in float64

    Raises
    ------
    ValueError : amounts of another shape
    Cancelled
    """
    own = tree.gather(amounts, cancelled) if isinstance(amounts, np.ndarray) else None
    sums = np.empty(tree.order.size, np.float32)
    last = slice(*tree.levels[-2:])
    total = np.full(last.stop - last.start, amounts, np.float64) if own is None else own[last]
    sums[last] = total
    # Sums of one level are made of those of the next alone: float64 is needed for two at a time.
    for here, _, parent in tree.downstream(cancelled, progress):
        total = np.bincount(parent, total, here.stop - here.start)
        total += amounts if own is None else own[here]
        sums[here] = total
    return tree.scatter(sums, cancelled)


def drainage_area(
    tree: FlowTree,
    spacing: float,
    cancelled: Cancel | None = None,
    *,
    progress: Progress | None = None,
) -> Floats:
    """(H, W) float32 square metres that drain through each cell, its own included (D8)."""
    return accumulate(tree, spacing * spacing, cancelled, progress=progress)


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
    tree.check(height)
    level = np.array(height, np.float32, order="C")
    fill_to_spill(level, tree, cancelled, progress)
    return level


def fill_to_spill(
    level: Floats,
    tree: FlowTree,
    cancelled: Cancel | None = None,
    progress: Progress | None = None,
) -> None:
    """:func:`spill_levels` in the place of the heights, which are contiguous float32."""
    flat = level.reshape(-1)
    for cells, levels in tree.runs(cancelled, progress):
        here = flat.take(cells)
        for below, donors, parent in levels:
            np.maximum(here[donors], here[below].take(parent), out=here[donors])
        flat[cells] = here
