# SPDX-License-Identifier: GPL-3.0-or-later
"""Depressions: routing of water out of hollows.

The basin of each depression is joined to a neighbor over its lowest pass, by Boruvka's minimum
spanning forest (Barnes, Callaghan and Wickert 2020; Cordonnier, Bovy and Braun 2019; in parallel
rounds as in Jain, Kerbl, Gain, Finley and Cordonnier 2024), and the flow path from the pass to the
pit is reversed. The highest cell downstream is then the spill level of a priority-flood (Barnes,
Lehman and Mulla 2014), to the bit.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..numerics.arrays import Bools, Floats, Indices
from ..numerics.blocks import pieces, taken
from ..numerics.progress import Cancel, Progress, no_progress, poll
from ..numerics.quantiles import sortable
from .d8 import NONE, OFFSETS, OPPOSITE, Cells, Codes, inner_and_neighbor, neighbors, receivers

Labels = NDArray[np.int32]

DOUBLINGS = 4
"""Rounds of pointer jumping for all cells. They lead 16 steps downstream, to at most a fifth of the
cells."""


@dataclass(frozen=True)
class _Passes:
    """Pairs of neighboring cells in different basins."""

    basins: tuple[Labels, Labels]  # lowest pass first
    place: Cells  # index of each pass in the following arrays
    cells: Cells  # the first cell of each pair
    codes: Codes  # direction to the second cell


def resolve_depressions(
    height: Floats,
    directions: Codes,
    outlets: Bools,
    cancelled: Cancel | None = None,
    *,
    progress: Progress | None = None,
    wraps: bool = False,
) -> Codes:
    """Return the directions with which every cell drains to an outlet.

    Parameters
    ----------
    height : ndarray of float32, shape (H, W)
        Meters.
    directions : ndarray of uint8, shape (H, W)
        Steepest descent (`receivers.steepest_directions`).
    outlets : ndarray of bool, shape (H, W)
        At least one cell.
    wraps : bool, default False
        Whether the grid repeats, see :func:`~.d8.neighbors`.

    Returns
    -------
    ndarray of uint8, shape (H, W)
        Cells outside the paths from the pits to the passes keep their direction.

    Raises
    ------
    ValueError
        No outlet.
    Cancelled
    """
    tell = progress or no_progress
    if not outlets.any():
        raise ValueError("Water needs an outlet: at least one cell must be marked")
    poll(cancelled)
    pits = np.flatnonzero((directions == NONE) & ~outlets)
    poll(cancelled)
    if pits.size == 0:
        tell(1.0)
        return directions
    basins = _label_basins(directions, pits, cancelled, wraps)
    tell(0.3)
    passes = _find_passes(height, basins, cancelled, wraps)
    del basins
    tell(0.7)
    forest = _spanning_forest(passes, pits.size + 1, cancelled)
    tell(0.9)
    basin, edge = _ways_out(passes, forest, pits.size + 1, cancelled)
    leaves_first = passes.basins[0][edge] == basin
    place = passes.place[edge]
    cells, codes = passes.cells[place], passes.codes[place]
    across = neighbors(cells, codes, directions.shape, wraps)
    cells = np.where(leaves_first, cells, across).astype(np.intp)
    codes = np.where(leaves_first, codes, OPPOSITE[codes])
    made = _reverse_paths(directions, cells, codes, cancelled, wraps)
    tell(1.0)
    return made


def _label_basins(
    directions: Codes, pits: Indices, cancelled: Cancel | None, wraps: bool
) -> Labels:
    """Return the basin of every cell: 1 to B for the pits in order, 0 where it drains to an
    outlet."""
    labels = np.zeros(directions.size, np.int32)
    labels[pits] = np.arange(1, pits.size + 1, dtype=np.int32)
    below = receivers(directions, cancelled, wraps=wraps)
    for _ in range(DOUBLINGS):
        below = taken(below, below, cancelled)
    _label_far(labels, below, cancelled)
    return taken(labels, below, cancelled).reshape(directions.shape)


def _label_far(labels: Labels, below: Cells, cancelled: Cancel | None) -> None:
    """Label the cells that :data:`DOUBLINGS` led to, in place."""
    # Few cells have others that far upstream; only those continue to their root.
    far = np.zeros(below.size, bool)
    for part in pieces(below.size, cancelled):
        far[below[part]] = True
    cells = far.nonzero()[0].astype(np.int32)
    poll(cancelled)
    number = np.empty(below.size, np.int32)
    for part in pieces(cells.size, cancelled):
        number[cells[part]] = np.arange(part.start, part.stop, dtype=np.int32)
    roots = find_roots(taken(number, taken(below, cells, cancelled), cancelled), cancelled)
    found = taken(labels, taken(cells, roots, cancelled), cancelled)
    for part in pieces(cells.size, cancelled):
        labels[cells[part]] = found[part]


def find_roots(parent: Cells, cancelled: Cancel | None = None) -> Cells:
    """Return the root of every node of a forest (roots are their own parent) by pointer jumping.

    Each round doubles the steps: at most log2(N) + 1 rounds.
    """
    for _ in range(max(1, parent.size).bit_length() + 1):
        poll(cancelled)
        following = taken(parent, parent, cancelled)
        if np.array_equal(following, parent):
            break
        parent = following
    return parent


def _find_passes(height: Floats, basins: Labels, cancelled: Cancel | None, wraps: bool) -> _Passes:
    found = [_passes_across(height, basins, code, cancelled, wraps) for code in (1, 3, 5, 7)]
    cells, codes, first, second, level = (np.concatenate(part) for part in zip(*found, strict=True))
    found.clear()
    poll(cancelled)
    place = _stable_rank(level, cancelled)
    poll(cancelled)
    basins_of_both = taken(first, place, cancelled), taken(second, place, cancelled)
    return _Passes(basins_of_both, place, cells, codes)


def _passes_across(
    height: Floats, basins: Labels, code: int, cancelled: Cancel | None, wraps: bool
) -> tuple[Cells, Codes, Labels, Labels, Floats]:
    """Return passes in one direction: first cells, codes, basins on either side, levels.

    Four directions, one of each opposite pair, cover all neighbors.
    """
    if wraps:
        dj, di = OFFSETS[code]
        apart = basins != np.roll(basins, (-dj, -di), (0, 1))
    else:
        here, there = inner_and_neighbor(height.shape, code)
        apart = np.zeros(height.shape, bool)
        poll(cancelled)
        np.not_equal(basins[here], basins[there], out=apart[here])
    poll(cancelled)
    first = np.flatnonzero(apart)
    poll(cancelled)
    second: Indices = neighbors(first, np.array(code), height.shape, wraps)
    a: Labels = taken(basins, first, cancelled)
    b: Labels = taken(basins, second, cancelled)
    level: Floats = np.maximum(height.take(first), height.take(second))
    poll(cancelled)
    lowest = np.flatnonzero(_lowest_of_row(a, b, level))
    poll(cancelled)
    codes = np.full(lowest.size, code, np.uint8)
    return first[lowest].astype(np.int32), codes, a[lowest], b[lowest], level[lowest]


def _lowest_of_row(a: Labels, b: Labels, level: Floats) -> Bools:
    """Mark passes but those beside a lower one between the same basins: water never takes these.

    Of equal passes the first stays. A third of all passes is removed, much faster than by a sort.
    """
    lowest = np.ones(level.size, bool)
    same = (a[1:] == a[:-1]) & (b[1:] == b[:-1])
    falls = level[1:] < level[:-1]
    lowest[:-1] &= ~(same & falls)
    lowest[1:] &= ~same | falls
    return lowest


def _stable_rank(values: Floats, cancelled: Cancel | None) -> Cells:
    """Rank as argsort(kind="stable"), eight times faster: it sorts integers made of value and
    index."""
    keys = sortable(values).astype(np.uint64)
    keys <<= np.uint64(32)
    keys |= np.arange(values.size, dtype=np.uint64)
    poll(cancelled)
    keys.sort()
    return keys.astype(np.uint32).view(np.int32)  # the lower half


def _spanning_forest(passes: _Passes, count: int, cancelled: Cancel | None) -> Indices:
    """Return the passes of the minimum spanning tree over all basins; basin 0 is the outside.

    Each round joins every cluster except the outside to a neighbor over its lowest pass, which at
    least halves the number of clusters: at most log2(count) + 1 rounds. Passes are totally ordered
    by height, so the only cycles are pairs that chose the same pass.
    """
    numbers = np.arange(count, dtype=np.int32)
    alive = np.arange(passes.place.size, dtype=np.int32)
    a, b = passes.basins
    poll(cancelled)
    chosen: list[NDArray[np.int32]] = []
    for _ in range(count.bit_length() + 1):
        poll(cancelled)
        # The last of several values assigned to an index remains: in reverse, the lowest pass.
        lowest = np.full((2, count), alive.size, np.int32)
        backwards = np.arange(alive.size - 1, -1, -1, dtype=np.int32)
        poll(cancelled)
        lowest[0, a[::-1]] = backwards
        poll(cancelled)
        lowest[1, b[::-1]] = backwards
        poll(cancelled)
        lowest = lowest.min(axis=0)
        lowest[0] = alive.size
        joining = np.flatnonzero(lowest < alive.size)
        by = lowest[joining]
        chosen.append(alive[by])
        parent = numbers.copy()
        parent[joining] = np.where(a[by] == joining, b[by], a[by])
        mutual = parent[parent] == numbers
        first_of_pair = mutual & (numbers < parent)
        parent[first_of_pair] = numbers[first_of_pair]
        poll(cancelled)
        cluster = find_roots(parent, cancelled)
        a, b = taken(cluster, a, cancelled), taken(cluster, b, cancelled)
        between = a != b
        poll(cancelled)
        a, b, alive = a[between], b[between], alive[between]
        if alive.size == 0:
            break
    return np.unique(np.concatenate(chosen)).astype(np.intp)


def _ways_out(
    passes: _Passes, tree: Indices, count: int, cancelled: Cancel | None
) -> tuple[Indices, Indices]:
    """Return for every basin the pass of the spanning tree towards the outside.

    Returns the basins and their passes (indices into `passes`), breadth first from basin 0.
    """
    a, b = passes.basins[0][tree], passes.basins[1][tree]
    start, end = np.concatenate([a, b]), np.concatenate([b, a]).astype(np.intp)
    edge = np.concatenate([tree, tree])
    by_start = np.argsort(start, kind="stable")
    end, edge = end[by_start], edge[by_start]
    degree = np.bincount(start, minlength=count)
    first = np.cumsum(degree) - degree
    came_by = np.full(count, -1)
    frontier = np.zeros(1, np.intp)
    basins: list[Indices] = []
    while frontier.size:
        poll(cancelled)
        counts = degree[frontier]
        ends = np.cumsum(counts)
        places: Indices = np.arange(int(ends[-1]))
        places += np.repeat(first[frontier] - ends + counts, counts)
        onward = edge[places] != np.repeat(came_by[frontier], counts)
        frontier = end[places[onward]]
        came_by[frontier] = edge[places[onward]]
        basins.append(frontier)
    order = np.concatenate(basins)
    return order, came_by[order]


def _reverse_paths(
    directions: Codes, cells: Indices, codes: Codes, cancelled: Cancel | None, wraps: bool
) -> Codes:
    """Reverse the path from each pass to the pit of its basin, so that the basin drains over it.

    The paths are in different basins, so all are followed at once; the longest bounds the loop.
    """
    result = directions.copy()
    flat = result.ravel()
    while cells.size:
        poll(cancelled)
        old = flat[cells]
        flat[cells] = codes
        onward = old != NONE
        old = old[onward]
        cells = neighbors(cells[onward], old, directions.shape, wraps)
        codes = OPPOSITE[old]
    return result
