# SPDX-License-Identifier: GPL-3.0-or-later
"""The same answers the slow and obvious way: loops over cells, heaps, recursion unrolled."""

import heapq

import numpy as np

from terrain_addon.core.hydrology.d8 import NONE, OFFSETS


def neighbors(shape, j, i):
    for code, (dj, di) in enumerate(OFFSETS):
        if 0 <= j + dj < shape[0] and 0 <= i + di < shape[1]:
            yield code, j + dj, i + di


def priority_flood(height, outlets):
    """Spill levels (Barnes, Lehman and Mulla 2014)."""
    level = np.full(height.shape, np.inf, np.float32)
    heap = []
    for j, i in np.argwhere(outlets).tolist():
        level[j, i] = height[j, i]
        heapq.heappush(heap, (height[j, i], j, i))
    while heap:
        water, j, i = heapq.heappop(heap)
        for _, b, a in neighbors(height.shape, j, i):
            if np.isinf(level[b, a]):
                level[b, a] = max(water, height[b, a])
                heapq.heappush(heap, (level[b, a], b, a))
    return level


def downstream_path(directions, j, i):
    """Cells from (j, i) to its outlet; fails when they run in a circle."""
    path = [(j, i)]
    while directions[j, i] != NONE:
        dj, di = OFFSETS[directions[j, i]]
        j, i = j + dj, i + di
        assert 0 <= j < directions.shape[0]
        assert 0 <= i < directions.shape[1]
        path.append((j, i))
        assert len(path) <= directions.size
    return path


def step_length(directions, j, i):
    return 2**0.5 if directions[j, i] >= 4 else 1.0


def paths(directions):
    return {cell: downstream_path(directions, *cell) for cell in np.ndindex(directions.shape)}


def strahler(directions, channels):
    """Orders by repeated passes until nothing changes."""
    order = np.zeros(directions.shape, int)
    donors = {cell: [] for cell in np.ndindex(directions.shape)}
    for cell, path in paths(directions).items():
        if len(path) > 1:
            donors[path[1]].append(cell)
    for _ in range(directions.size):
        before = order.copy()
        for cell in np.ndindex(directions.shape):
            if channels[cell]:
                incoming = [*sorted((order[d] for d in donors[cell]), reverse=True), 0, 0]
                order[cell] = max(1, incoming[0] + (incoming[0] == incoming[1] > 0))
        if (order == before).all():
            break
    return order
