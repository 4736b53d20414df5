# SPDX-License-Identifier: GPL-3.0-or-later
"""Flow routing and drainage area."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..numerics.arrays import Bools, Floats, Indices
from ..numerics.progress import Cancel, Progress, within
from .d8 import Codes, border, check_mask
from .depressions import resolve_depressions
from .receivers import SlopeFactors, check_height, steepest_directions
from .tree import FlowTree, build_tree


def route(
    height: Floats,
    outlets: Bools | None = None,
    cancelled: Cancel | None = None,
    *,
    factors: SlopeFactors | None = None,
    given: tuple[Indices, Codes] | None = None,
    progress: Progress | None = None,
    wraps: bool = False,
) -> FlowTree:
    """Return the drainage tree of a terrain: steepest descent, and out of hollows over their lowest
    pass.

    Parameters
    ----------
    height : ndarray of float, shape (H, W)
        Meters.
    outlets : ndarray of bool, shape (H, W), optional
        Cells where water leaves (border cells, the sea); the border if None.
    factors : SlopeFactors, optional
        Factors on the slopes, see :func:`steepest_directions`.
    given : tuple of (ndarray of intp, ndarray of uint8), optional
        Row-major numbers of cells and the directions in which their water goes, whatever the
        heights. They must lead to an outlet: what drains to them then does too.
    wraps : bool, default False
        Whether the grid repeats, so that water leaves on one side and enters on the other. It then
        has no border, and needs ``outlets``.

    Returns
    -------
    FlowTree
        The tree that connects every cell to an outlet.

    Raises
    ------
    ValueError
        Heights that are not finite, no outlet, or outlets of another shape or not bool.
    Cancelled

    Examples
    --------
    >>> import numpy as np
    >>> height = np.array([[9, 9, 9], [9, 5, 4], [9, 9, 9]], np.float32)
    >>> outlets = height == 4
    >>> route(height, outlets).directions.tolist()
    [[5, 1, 1], [3, 3, 8], [6, 0, 0]]
    """
    height = check_height(height)
    if outlets is None:
        outlets = border(height.shape)
    elif outlets.shape != height.shape:
        raise ValueError(f"The outlets have the shape {outlets.shape}, the heights {height.shape}")
    check_mask(outlets)
    directions = steepest_directions(
        height, outlets, factors, cancelled, progress=within(progress, 0.0, 0.1), wraps=wraps
    )
    if given is not None:
        directions.reshape(-1)[given[0]] = given[1]
    directions = resolve_depressions(
        height, directions, outlets, cancelled, progress=within(progress, 0.1, 0.65), wraps=wraps
    )
    return build_tree(directions, cancelled, progress=within(progress, 0.65, 1.0), wraps=wraps)


def accumulate(
    tree: FlowTree,
    amounts: NDArray[Any] | float = 1.0,
    cancelled: Cancel | None = None,
    *,
    progress: Progress | None = None,
) -> Floats:
    """Return the sum of ``amounts`` over each cell and all cells that drain to it.

    Parameters
    ----------
    tree : FlowTree
        Drainage tree.
    amounts : ndarray or float, shape (H, W), default 1.0
        One number for each cell, or one for all cells.

    Returns
    -------
    ndarray of float32, shape (H, W)
        Summed in float64.

    Raises
    ------
    ValueError
        Amounts of another shape.
    Cancelled

    Examples
    --------
    >>> import numpy as np
    >>> height = np.array([[9, 9, 9], [9, 5, 4], [9, 9, 9]], np.float32)
    >>> float(accumulate(route(height, height == 4), 1.0)[1, 2])
    9.0
    """
    own = tree.gather(amounts, cancelled) if isinstance(amounts, np.ndarray) else None
    # Sums may take the place of amounts, of which each is read before.
    in_place = own is not None and own.dtype == np.float32
    sums: Floats = own if own is not None and in_place else np.empty(tree.order.size, np.float32)
    last = slice(*tree.levels[-2:])
    total = (
        np.full(last.stop - last.start, amounts, np.float64) if own is None else own[last].copy()
    )
    sums[last] = total
    # Sums of one level depend on the next one only: two levels at a time are in float64.
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
    """Return the drainage area by D8: (H, W) float32 square meters, the cell's own included.

    Parameters
    ----------
    tree : FlowTree
        Drainage tree.
    spacing : float
        Meters between cells.

    Examples
    --------
    >>> import numpy as np
    >>> tree = route(np.array([[0, 1, 2, 3]]), np.array([[True, False, False, False]]))
    >>> drainage_area(tree, 10.0).tolist()
    [[400.0, 300.0, 200.0, 100.0]]
    """
    return accumulate(tree, spacing * spacing, cancelled, progress=progress)


def spill_levels(
    height: Floats,
    tree: FlowTree,
    cancelled: Cancel | None = None,
    *,
    progress: Progress | None = None,
) -> Floats:
    """Return the heights with all hollows filled to their spill level: (H, W) float32 meters.

    The lowest maximum over all paths to an outlet, as by a priority-flood (Barnes et al. 2014).

    Raises
    ------
    ValueError
        Heights of another shape than the tree's.
    Cancelled

    Examples
    --------
    >>> import numpy as np
    >>> pit = np.array([[5, 5, 5], [5, 1, 3], [5, 5, 5]], np.float32)
    >>> float(spill_levels(pit, route(pit))[1, 1])
    3.0
    """
    tree.check(height)
    level = np.array(height, np.float32, order="C")
    fill_to_spill(level, tree, cancelled, progress)
    return level


def fill_to_spill(
    level: Floats, tree: FlowTree, cancelled: Cancel | None = None, progress: Progress | None = None
) -> None:
    """Compute :func:`spill_levels` in place; ``level`` is contiguous float32."""
    flat = level.reshape(-1)
    for cells, levels in tree.runs(cancelled, progress):
        here = flat.take(cells)
        for below, donors, parent in levels:
            np.maximum(here[donors], here[below].take(parent), out=here[donors])
        flat[cells] = here
