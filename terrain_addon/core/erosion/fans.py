# SPDX-License-Identifier: GPL-3.0-or-later
"""Alluvial fans: cones of debris where steep streams come out onto plains.

A stream that loses its slope drops what it carries, and wanders over the heap until that is part
of a cone about the valley's mouth. The cones' size grows with the drainage area above (Bull 1964).
Lengths are in units of the valley spacing.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..hydrology import FlowTree
from ..hydrology.d8 import receivers

Floats = NDArray[np.float32]
Ints = NDArray[np.intp]

STEPS = 4
"""Cells, as a power of two below: slopes of streams are taken over 2 ** 2 of them."""
SMALLEST, LARGEST = 0.2, 12.0
"""Drainage areas of streams that build fans."""
STEEP, PLAIN = 0.10, 0.06
"""Slope of the stream above the mouth at least, and below it at most."""
MOST = 40
"""Fans on one land at most: those of the largest streams."""


@dataclass(frozen=True)
class _Fan:
    """Apex cell, height there, radius, height of the cone above it, slope of the plain."""

    row: int
    column: int
    level: float
    radius: float
    lift: float
    plain: float


def lay_fans(height: Floats, tree: FlowTree, area: Floats, spacing: float, amount: float) -> Floats:
    """Height with fans at the mouths of steep valleys.

    Parameters
    ----------
    height, area : (H, W) float32 in units of the valley spacing and its square
    tree : drainage tree of ``height``
    amount : 0 none, 1 large
    """
    if amount <= 0:
        return height
    out = height.copy()
    for fan in _chosen(_mouths(height, tree, area, spacing, amount), spacing):
        _lay(out, height, fan, spacing)
    return out


def _mouths(
    height: Floats, tree: FlowTree, area: Floats, spacing: float, amount: float
) -> list[_Fan]:
    """Places where a stream changes from steep to gentle, largest stream first."""
    below = receivers(tree.directions)
    for _ in range(int(math.log2(STEPS))):
        below = below[below]
    level, water = height.ravel(), area.ravel()
    # Straight distance would be exact; the steps' mean length is near enough.
    slope = (level - level[below]) / np.float32(1.2 * STEPS * spacing)
    mouth = below
    stem = water > 0.5 * water[mouth]
    stem &= (water[mouth] > SMALLEST) & (water[mouth] < LARGEST)
    stem &= (slope > STEEP) & (slope[mouth] < PLAIN) & (slope > 2.5 * slope[mouth])
    stem &= below[mouth] != mouth
    cells = np.flatnonzero(stem)
    cells = cells[np.argsort(-water[mouth[cells]], kind="stable")]
    fans: list[_Fan] = []
    for cell, apex in zip(cells.tolist(), mouth[cells].tolist(), strict=True):
        radius = min(0.9 * amount * math.sqrt(float(water[apex])), 2.5)
        steepness = 0.5 * float(slope[cell] + slope[apex])
        lift = radius * min(0.5 * steepness, 0.12)
        row, column = divmod(apex, height.shape[1])
        plain = max(float(slope[apex]), 0.0)
        fans.append(_Fan(row, column, float(level[apex]), radius, lift, plain))
    return fans


def _chosen(fans: list[_Fan], spacing: float) -> list[_Fan]:
    """The largest fans of which none has its apex on another."""
    chosen: list[_Fan] = []
    for fan in fans:
        clear = all(
            math.hypot(fan.row - other.row, fan.column - other.column) * spacing
            > 0.8 * max(fan.radius, other.radius)
            for other in chosen
        )
        if clear:
            chosen.append(fan)
        if len(chosen) == MOST:
            break
    return chosen


def _lay(out: Floats, ground: Floats, fan: _Fan, spacing: float) -> None:
    """Raise ``out`` to the cone wherever debris can get to in a straight line from the apex."""
    reach = math.ceil(fan.radius / spacing)
    top, left = max(fan.row - reach, 0), max(fan.column - reach, 0)
    window = (slice(top, fan.row + reach + 1), slice(left, fan.column + reach + 1))
    part = ground[window]
    j, i = np.ogrid[top : top + part.shape[0], left : left + part.shape[1]]
    dj, di = j - fan.row, i - fan.column
    open_way = np.ones(part.shape, bool)
    for share in (0.3, 0.6):
        rows = np.rint(fan.row + share * dj).astype(np.intp)
        columns = np.rint(fan.column + share * di).astype(np.intp)
        distance = np.hypot(rows - fan.row, columns - fan.column) * spacing
        open_way &= ground[rows, columns] <= _cone(fan, distance)
    cone = _cone(fan, np.hypot(dj, di) * spacing)
    np.maximum(out[window], cone, out=out[window], where=open_way)


def _cone(fan: _Fan, distance: NDArray[np.float64]) -> Floats:
    """Height of the cone, concave like real fans; far below the ground beyond its radius."""
    part = np.maximum(1 - distance / fan.radius, 0)
    cone = fan.level + fan.lift * part**1.3 - fan.plain * distance
    return np.where(part > 0, cone, -np.inf).astype(np.float32)
