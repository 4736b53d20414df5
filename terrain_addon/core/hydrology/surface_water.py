# SPDX-License-Identifier: GPL-3.0-or-later
"""Rivers and lakes on the surface of any terrain."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..numerics.arrays import Doubles, Floats
from ..numerics.progress import Cancel, Progress, poll, within
from .accumulation import accumulate, route, spill_levels
from .d8 import border
from .lakes import Lakes, find_lakes
from .receivers import check_height
from .rivers import RiverLine, find_rivers

CLIMB = 0.02
"""Meters, per meter of a river's width, that the ground below its line may stand above it."""


@dataclass(frozen=True)
class SurfaceWater:
    """Rivers, largest first, and lakes of a terrain.

    ``standing`` is the depth of water in all hollows, also those that count as dry: (H, W) float32
    meters. Rivers cross hollows at that level.
    """

    rivers: list[RiverLine]
    lakes: Lakes
    standing: Floats


def surface_water(
    height: Floats,
    x: Doubles,
    y: Doubles,
    *,
    min_area: float,
    sea: float | None = None,
    width: float = 1.0,
    lake_depth: float = 0.0,
    lake_area: float = 0.0,
    unbroken: bool = False,
    springs: Sequence[tuple[float, float, float]] = (),
    progress: Progress | None = None,
    cancelled: Cancel | None = None,
) -> SurfaceWater:
    """Find the rivers and lakes of a terrain.

    Parameters
    ----------
    height : ndarray of float32, shape (len(y), len(x))
        Meters, on (nearly) square cells.
    x, y : ndarray of float64
        Coordinates in meters, evenly spaced, rising or falling.
    min_area : float
        Square meters of drainage area from which water counts as a river.
    sea : float, optional
        Height of the sea, where rivers end; None without a sea.
    width : float, default 1.0
        Factor on the rivers' natural width.
    lake_depth, lake_area : float, default 0.0
        Meters and square meters below which a hollow stays dry.
    unbroken : bool, default False
        Whether hollows on a river are lakes of any area.
    springs : sequence of tuple of float, optional
        x, y in meters and square meters of drainage area of more water, at the nearest sample.

    Raises
    ------
    ValueError
        Heights or a sea that are not finite, or heights of another shape.
    Cancelled

    Examples
    --------
    >>> x = np.arange(32.0) * 10
    >>> valley = np.add.outer(x, np.abs(x - 155)).astype(np.float32)
    >>> water = surface_water(valley, x, x, min_area=20_000)
    >>> len(water.rivers), len(water.lakes.lakes)
    (2, 0)
    """
    height = check_height(height)
    if (y.size, x.size) != height.shape:
        raise ValueError(f"{y.size} rows and {x.size} columns are not the shape {height.shape}")
    if sea is not None and not math.isfinite(sea):
        raise ValueError(f"The height of the sea must be finite, not {sea:g}; None for no sea")
    outlets = border(height.shape)
    if sea is not None:
        outlets |= height <= sea
    steps = [abs(float(axis[1] - axis[0])) for axis in (x, y) if axis.size > 1]
    spacing = math.prod(steps) ** (1 / len(steps)) if steps else 1.0
    tree = route(height, outlets, cancelled, progress=within(progress, 0.0, 0.4))
    amounts: Floats | float = spacing * spacing
    if springs:
        amounts = np.full(height.shape, amounts, np.float32)
        for spring_x, spring_y, water in springs:
            amounts[np.abs(y - spring_y).argmin(), np.abs(x - spring_x).argmin()] += water
    area = accumulate(tree, amounts, cancelled, progress=within(progress, 0.4, 0.5))
    spill = spill_levels(height, tree, cancelled, progress=within(progress, 0.5, 0.6))
    # Rivers cross hollows at lake level and end at sea level.
    water = spill if sea is None else np.maximum(spill, np.float32(sea))
    rivers = find_rivers(
        water,
        tree.directions,
        area,
        spacing,
        min_area=min_area,
        width=width,
        climb=CLIMB,
        progress=within(progress, 0.6, 0.8),
        cancelled=cancelled,
    )
    columns, rows = np.arange(x.size), np.arange(y.size)
    for number, river in enumerate(rivers):
        poll(cancelled)
        along_x = np.interp(river.x / spacing, columns, x)
        rivers[number] = replace(river, x=along_x, y=np.interp(river.y / spacing, rows, y))
    lakes = find_lakes(
        height,
        tree,
        spacing,
        lake_depth,
        lake_area,
        spill=spill,
        rivers=area >= min_area if unbroken else None,
        progress=within(progress, 0.8, 1.0),
        cancelled=cancelled,
    )
    return SurfaceWater(rivers, lakes, spill - height)
