# SPDX-License-Identifier: GPL-3.0-or-later
"""Standing water: what fills the hollows up to their spill level."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..arrays import Bools, Floats
from ..cancel import Cancel, poll
from .accumulation import spill_levels
from .tree import FlowTree


@dataclass(frozen=True)
class Lake:
    """One lake: water level, greatest depth (metres), area (square metres), cell of its outlet."""

    level: float
    depth: float
    area: float
    outlet: tuple[int, int]


@dataclass(frozen=True)
class Lakes:
    """All lakes of a height field.

    Attributes
    ----------
    depth : (H, W) float32 metres of water, 0 on dry land
    label : (H, W) int32, 0 on dry land, k + 1 in `lakes[k]`
    lakes : largest first
    """

    depth: Floats
    label: NDArray[np.int32]
    lakes: tuple[Lake, ...]


def find_lakes(
    height: Floats,
    tree: FlowTree,
    spacing: float,
    min_depth: float = 0.0,
    min_area: float = 0.0,
    *,
    spill: Floats | None = None,
    cancelled: Cancel | None = None,
) -> Lakes:
    """Lakes at their spill level, those that are deep and large enough.

    Parameters
    ----------
    height : (H, W) float32, metres
    tree : drainage tree of `height`
    spacing : metres between cells
    min_depth, min_area : metres and square metres below which a hollow stays dry
    spill : `spill_levels` of the same, if known

    Raises
    ------
    ValueError : heights of another shape than the tree's
    Cancelled
    """
    if spill is None:
        spill = spill_levels(height, tree, cancelled)
    level = tree.gather(spill)
    depth = level - tree.gather(height)
    wet = np.flatnonzero(depth > 0)
    poll(cancelled)
    outlet = _outlets(tree, depth > 0, cancelled)[wet]
    # Marking is many times faster than the sort of np.unique.
    drains = np.zeros(depth.size, bool)
    drains[outlet] = True
    places = np.flatnonzero(drains)
    poll(cancelled)
    label = (np.cumsum(drains, dtype=np.int32) - np.int32(1)).take(outlet)
    poll(cancelled)
    cells = np.bincount(label, minlength=places.size)
    deepest = np.zeros(places.size, np.float32)
    np.maximum.at(deepest, label, depth[wet])
    area = cells * float(spacing) ** 2
    poll(cancelled)
    kept = np.flatnonzero((deepest >= min_depth) & (area >= min_area))
    kept = kept[np.lexsort((tree.order[places[kept]], -area[kept]))]
    number = np.zeros(places.size, np.int32)
    number[kept] = np.arange(1, kept.size + 1)
    poll(cancelled)
    labels = np.zeros(depth.size, np.int32)
    labels[wet] = number[label]
    depth[labels == 0] = 0
    poll(cancelled)
    columns = tree.shape[1]
    lakes = tuple(
        Lake(float(level[place]), float(deepest[k]), float(area[k]), divmod(cell, columns))
        for k, place, cell in zip(
            kept.tolist(), places[kept].tolist(), tree.order[places[kept]].tolist(), strict=True
        )
    )
    return Lakes(tree.scatter(depth), tree.scatter(labels), lakes)


def _outlets(tree: FlowTree, wet: Bools, cancelled: Cancel | None) -> NDArray[np.int32]:
    """Place, in tree order, of the first dry cell on the way down from each wet cell."""
    outlet = np.arange(tree.order.size, dtype=np.int32)
    for below, donors, parent in tree.upstream(cancelled):
        np.copyto(outlet[donors], outlet[below].take(parent), where=wet[donors])
    return outlet
