# SPDX-License-Identifier: GPL-3.0-or-later
"""Lakes: hollows filled to their spill level."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..numerics.arrays import Bools, Floats
from ..numerics.blocks import pieces, taken
from ..numerics.progress import Cancel, Progress, no_progress, poll, within
from .accumulation import spill_levels
from .d8 import check_mask
from .tree import FlowTree


@dataclass(frozen=True)
class LakeBody:
    """One lake: water level, greatest depth (meters), area (square meters), cell of its outlet."""

    level: float
    depth: float
    area: float
    outlet: tuple[int, int]


@dataclass(frozen=True)
class Lakes:
    """All lakes of a terrain.

    Attributes
    ----------
    depth : ndarray of float32, shape (H, W)
        Meters of water, 0 on dry land.
    label : ndarray of int32, shape (H, W)
        0 on dry land, k + 1 in `lakes[k]`.
    lakes : tuple of LakeBody
        Largest first.
    """

    depth: Floats
    label: NDArray[np.int32]
    lakes: tuple[LakeBody, ...]


def find_lakes(
    height: Floats,
    tree: FlowTree,
    spacing: float,
    min_depth: float = 0.0,
    min_area: float = 0.0,
    *,
    spill: Floats | None = None,
    rivers: Bools | None = None,
    progress: Progress | None = None,
    cancelled: Cancel | None = None,
) -> Lakes:
    """Find the lakes of a terrain, filled to their spill level.

    Parameters
    ----------
    height : ndarray of float32, shape (H, W)
        Meters.
    tree : FlowTree
        Drainage tree of `height`.
    spacing : float
        Meters between cells.
    min_depth, min_area : float, default 0.0
        Meters and square meters below which a hollow stays dry.
    spill : ndarray of float32, optional
        `spill_levels` of ``height``, if known.
    rivers : ndarray of bool, shape (H, W), optional
        Hollows that drain into these cells are lakes of any size, so that rivers are continuous.

    Raises
    ------
    ValueError
        Heights or rivers of another shape than the tree's, or rivers that are not bool.
    Cancelled

    Examples
    --------
    >>> from terrain_addon.core.hydrology import route
    >>> pit = np.array([[5, 5, 5], [5, 1, 3], [5, 5, 5]], np.float32)
    >>> find_lakes(pit, route(pit), 10.0).lakes
    (LakeBody(level=3.0, depth=2.0, area=100.0, outlet=(1, 2)),)
    """
    tell = progress or no_progress
    if spill is None:
        spill = spill_levels(height, tree, cancelled, progress=within(progress, 0.0, 0.3))
    level = tree.gather(spill, cancelled)
    depth = level - tree.gather(height, cancelled)
    poll(cancelled)
    wet = np.flatnonzero(depth > 0)
    poll(cancelled)
    outlet = _outlets(tree, depth > 0, cancelled, within(progress, 0.4, 0.8))
    outlet = taken(outlet, wet, cancelled)
    # Marking is many times faster than the sort of np.unique.
    drains = np.zeros(depth.size, bool)
    for part in pieces(outlet.size, cancelled):
        drains[outlet[part]] = True
    places = np.flatnonzero(drains)
    rank = np.empty(depth.size, np.int32)
    rank[places] = np.arange(places.size, dtype=np.int32)
    label = taken(rank, outlet, cancelled)
    cells = np.bincount(label, minlength=places.size)
    deepest = np.zeros(places.size, np.float32)
    for part in pieces(wet.size, cancelled):
        np.maximum.at(deepest, label[part], depth[wet[part]])
    area = cells * float(spacing) ** 2
    poll(cancelled)
    large = area >= min_area
    if rivers is not None:
        check_mask(rivers)
        tree.check(rivers)
        large |= rivers.ravel()[tree.order[places]]
    kept = np.flatnonzero((deepest >= min_depth) & large)
    kept = kept[np.lexsort((tree.order[places[kept]], -area[kept]))]
    number = np.zeros(places.size, np.int32)
    number[kept] = np.arange(1, kept.size + 1)
    poll(cancelled)
    labels = np.zeros(depth.size, np.int32)
    for part in pieces(wet.size, cancelled):
        labels[wet[part]] = number[label[part]]
    for part in pieces(depth.size, cancelled):
        depth[part][labels[part] == 0] = 0
    columns = tree.shape[1]
    lakes = tuple(
        LakeBody(float(level[place]), float(deepest[k]), float(area[k]), divmod(cell, columns))
        for k, place, cell in zip(
            kept.tolist(), places[kept].tolist(), tree.order[places[kept]].tolist(), strict=True
        )
    )
    found = Lakes(tree.scatter(depth, cancelled), tree.scatter(labels, cancelled), lakes)
    tell(1.0)
    return found


def _outlets(
    tree: FlowTree, wet: Bools, cancelled: Cancel | None, progress: Progress
) -> NDArray[np.int32]:
    """Return the place, in tree order, of the first dry cell on the way down from each wet cell."""
    outlet = np.arange(tree.order.size, dtype=np.int32)
    for below, donors, parent in tree.upstream(cancelled, progress):
        np.copyto(outlet[donors], outlet[below].take(parent), where=wet[donors])
    return outlet
