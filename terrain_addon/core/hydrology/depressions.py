# SPDX-License-Identifier: GPL-3.0-or-later
"""Depressions: how water that is caught in a hollow finds its way out.

Every basin of a depression is joined to a neighbour over the lowest pass, by Boruvka's minimum
spanning forest (Barnes, Callaghan and Wickert 2020; Cordonnier, Bovy and Braun 2019; in parallel
rounds as Jain, Kerbl, Gain, Finley and Cordonnier 2024), and the path from the pass to the
bottom of the basin is reversed. The highest cell on the way down is then the spill level that
a priority-flood finds (Barnes, Lehman and Mulla 2014), to the bit.
"""

from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from .d8 import NONE, OPPOSITE, Codes, flat_offsets, inner_and_neighbour, receivers

Floats = NDArray[np.float32]
Bools = NDArray[np.bool_]
Ints = NDArray[np.intp]
Index = TypeVar("Index", np.int32, np.intp)


@dataclass(frozen=True)
class _Passes:
    """Pairs of neighbouring cells in different basins, lowest pass first."""

    basins: tuple[Ints, Ints]
    cells: tuple[Ints, Ints]
    codes: Codes  # direction from the first cell to the second


def resolve_depressions(height: Floats, directions: Codes, outlets: Bools) -> Codes:
    """Directions with which every cell drains to an outlet.

    Parameters
    ----------
    height : (H, W) float32, metres
    directions : (H, W) uint8, steepest descent (`receivers.steepest_directions`)
    outlets : (H, W) bool, at least one cell

    Returns
    -------
    (H, W) uint8. Cells outside the paths from the pits to the passes keep their direction.

    Raises
    ------
    ValueError : no outlet
    """
    if not outlets.any():
        raise ValueError("water needs an outlet: at least one cell must be marked")
    pits = np.flatnonzero((directions == NONE).ravel() & ~outlets.ravel())
    if pits.size == 0:
        return directions
    basins = _label_basins(directions, pits)
    passes = _find_passes(height, basins)
    basin, edge = _ways_out(passes, _spanning_forest(passes, pits.size + 1), pits.size + 1)
    leaves_first = passes.basins[0][edge] == basin
    cells = np.where(leaves_first, passes.cells[0][edge], passes.cells[1][edge])
    codes = passes.codes[edge]
    return _reverse_paths(directions, cells, np.where(leaves_first, codes, OPPOSITE[codes]))


def _label_basins(directions: Codes, pits: Ints) -> NDArray[np.int32]:
    """Basin of every cell: 1 to B for the pits in order, 0 for what reaches an outlet."""
    labels = np.zeros(directions.size, np.int32)
    labels[pits] = np.arange(1, pits.size + 1, dtype=np.int32)
    return labels[find_roots(receivers(directions))].reshape(directions.shape)


def find_roots(parent: NDArray[Index]) -> NDArray[Index]:
    """Root of every node of a forest (roots are their own parent) by pointer jumping.

    Each round doubles the steps taken: at most log2(N) + 1 rounds.
    """
    for _ in range(max(1, parent.size).bit_length() + 1):
        following = np.take(parent, parent)
        if np.array_equal(following, parent):
            break
        parent = following
    return parent


def _find_passes(height: Floats, basins: NDArray[np.int32]) -> _Passes:
    columns = height.shape[1]
    offsets = flat_offsets(columns)
    firsts: list[Ints] = []
    codes: list[Codes] = []
    for code in (1, 3, 5, 7):  # one of each pair of opposite directions
        here, there = inner_and_neighbour(height.shape, code)
        places = np.flatnonzero(basins[here] != basins[there])
        if places.size == 0:
            continue
        j, i = np.divmod(places, here[1].stop - here[1].start)
        firsts.append((j + here[0].start) * columns + i + here[1].start)
        codes.append(np.full(places.size, code, np.uint8))
    first, code = np.concatenate(firsts), np.concatenate(codes)
    second = first + offsets[code]
    flat = height.ravel()
    rank = _stable_rank(np.maximum(flat[first], flat[second]))
    first, second, labels = first[rank], second[rank], basins.ravel()
    return _Passes(
        (labels[first].astype(np.intp), labels[second].astype(np.intp)),
        (first, second),
        code[rank],
    )


def _stable_rank(values: Floats) -> Ints:
    """Like argsort(kind="stable"), eight times faster: the value's bits, made to sort like
    integers, in front of the place."""
    bits = (values + np.float32(0)).view(np.uint32)  # adding 0 turns -0 into 0
    bits ^= np.where(bits >> 31, np.uint32(0xFFFFFFFF), np.uint32(0x80000000))
    keys = bits.astype(np.uint64) << np.uint64(32)
    keys |= np.arange(values.size, dtype=np.uint64)
    keys.sort()
    return (keys & np.uint64(0xFFFFFFFF)).astype(np.intp)


def _spanning_forest(passes: _Passes, count: int) -> Ints:
    """Passes of the minimum spanning tree over all basins; basin 0 is the outside.

    Each round joins every cluster but the outside to the neighbour over its lowest pass, so the
    clusters at least halve: at most log2(count) + 1 rounds. Passes are in order of height, a
    total order, so the only cycles are pairs that chose the same pass.
    """
    cluster = np.arange(count)
    alive = np.arange(passes.codes.size)
    chosen: list[Ints] = []
    for _ in range(count.bit_length() + 1):
        a, b = cluster[passes.basins[0][alive]], cluster[passes.basins[1][alive]]
        between = a != b
        a, b, alive = a[between], b[between], alive[between]
        if alive.size == 0:
            break
        lowest = np.full(count, alive.size)
        places = np.arange(alive.size)
        np.minimum.at(lowest, a, places)
        np.minimum.at(lowest, b, places)
        lowest[0] = alive.size
        joining = np.flatnonzero(lowest < alive.size)
        by = lowest[joining]
        chosen.append(alive[by])
        parent = np.arange(count)
        parent[joining] = np.where(a[by] == joining, b[by], a[by])
        mutual = parent[parent] == np.arange(count)
        first_of_pair = mutual & (np.arange(count) < parent)
        parent[first_of_pair] = np.flatnonzero(first_of_pair)
        cluster = find_roots(parent)[cluster]
    return np.unique(np.concatenate(chosen)) if chosen else alive


def _ways_out(passes: _Passes, tree: Ints, count: int) -> tuple[Ints, Ints]:
    """For every basin the pass of the spanning tree that leads towards the outside.

    Returns the basins and their passes (indices into `passes`), breadth first from basin 0.
    """
    a, b = passes.basins[0][tree], passes.basins[1][tree]
    start, end = np.concatenate([a, b]), np.concatenate([b, a])
    edge = np.concatenate([tree, tree])
    by_start = np.argsort(start, kind="stable")
    end, edge = end[by_start], edge[by_start]
    degree = np.bincount(start, minlength=count)
    first = np.cumsum(degree) - degree
    came_by = np.full(count, -1)
    frontier = np.zeros(1, np.intp)
    basins: list[Ints] = []
    while frontier.size:
        counts = degree[frontier]
        ends = np.cumsum(counts)
        places: Ints = np.arange(int(ends[-1]))
        places += np.repeat(first[frontier] - ends + counts, counts)
        onward = edge[places] != np.repeat(came_by[frontier], counts)
        frontier = end[places[onward]]
        came_by[frontier] = edge[places[onward]]
        basins.append(frontier)
    order = np.concatenate(basins)
    return order, came_by[order]


def _reverse_paths(directions: Codes, cells: Ints, codes: Codes) -> Codes:
    """Let each cell of a pass drain over it, and all cells from there to the pit towards it.

    The paths lie in different basins, so all are walked at once; the longest bounds the loop.
    """
    offsets = flat_offsets(directions.shape[1])
    result = directions.copy()
    flat = result.ravel()
    while cells.size:
        old = flat[cells]
        flat[cells] = codes
        onward = old != NONE
        old = old[onward]
        cells = cells[onward] + offsets[old]
        codes = OPPOSITE[old]
    return result
