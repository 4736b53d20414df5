# SPDX-License-Identifier: GPL-3.0-or-later
"""Lakes: hollows filled to their spill level."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..numerics.arrays import Bools, Floats, Indices
from ..numerics.blocks import by_bands, pieces, taken
from ..numerics.progress import Cancel, Progress, no_progress, poll, within
from .accumulation import spill_levels
from .d8 import check_mask, flat_offsets
from .depressions import find_roots
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
    depth = by_bands(np.subtract, cancelled, spill, height)
    wet = _wet(depth, cancelled)
    outlet = _outlets(tree, wet, cancelled)
    tell(0.6)
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
    deep = taken(depth, wet, cancelled)
    for part in pieces(wet.size, cancelled):
        np.maximum.at(deepest, label[part], deep[part])
    area = cells * float(spacing) ** 2
    poll(cancelled)
    large = area >= min_area
    if rivers is not None:
        check_mask(rivers)
        tree.check(rivers)
        large |= rivers.ravel()[places]
    kept = np.flatnonzero((deepest >= min_depth) & large)
    kept = kept[np.lexsort((places[kept], -area[kept]))]
    number = np.zeros(places.size, np.int32)
    number[kept] = np.arange(1, kept.size + 1)
    poll(cancelled)
    label = taken(number, label, cancelled)
    labels, flat = np.zeros(depth.shape, np.int32), depth.reshape(-1)
    for part in pieces(wet.size, cancelled):
        labels.reshape(-1)[wet[part]] = label[part]
        flat[wet[part]] = np.where(label[part] > 0, deep[part], 0)
    level, columns = spill.reshape(-1), tree.shape[1]
    lakes = tuple(
        LakeBody(float(level[cell]), float(deepest[k]), float(area[k]), divmod(cell, columns))
        for k, cell in zip(kept.tolist(), places[kept].tolist(), strict=True)
    )
    tell(1.0)
    return Lakes(depth, labels, lakes)


def _wet(depth: Floats, cancelled: Cancel | None) -> Indices:
    """Return the row-major numbers of the cells under water."""
    flat = depth.reshape(-1)
    found = [part.start + np.flatnonzero(flat[part] > 0) for part in pieces(depth.size, cancelled)]
    return np.concatenate(found)


def _outlets(tree: FlowTree, wet: Indices, cancelled: Cancel | None) -> Indices:
    """Return the first dry cell on the way down from each wet cell."""
    offsets = flat_offsets(tree.shape[1]).astype(np.intp)
    number = np.full(tree.order.size, -1, np.int32)
    for part in pieces(wet.size, cancelled):
        number[wet[part]] = np.arange(part.start, part.stop, dtype=np.int32)
    below = wet + offsets.take(taken(tree.directions.reshape(-1), wet, cancelled))
    parent = taken(number, below, cancelled)
    last = parent < 0  # the next cell is dry
    parent[last] = np.flatnonzero(last)
    return taken(below, find_roots(parent, cancelled), cancelled)
