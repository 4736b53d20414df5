# SPDX-License-Identifier: GPL-3.0-or-later
"""Rivers and lakes of any height field, on the surface as it is."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from ..numerics.arrays import Doubles, Floats
from ..numerics.progress import Cancel, Progress, poll, within
from .accumulation import drainage_area, route, spill_levels
from .lakes import Lakes, find_lakes
from .receivers import border, check_height
from .rivers import River, find_rivers

CLIMB = 0.02
"""Metres, per metre of a river's width, that the ground below its line may stand above it."""


@dataclass(frozen=True)
class SurfaceWater:
    """Rivers, largest first, and lakes of a height field.

    ``standing`` is the (H, W) float32 metres of water that would stand in its hollows, those that
    stay dry too. Rivers cross all of them at that level.
    """

    rivers: list[River]
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
    progress: Progress | None = None,
    cancelled: Cancel | None = None,
) -> SurfaceWater:
    """Find rivers and lakes.

    Parameters
    ----------
    height : (len(y), len(x)) float32 metres, on (nearly) square cells
    x, y : coordinates in metres, evenly spaced, rising or falling
    min_area : square metres of drainage area from which water counts as a river
    sea : height of the sea, where rivers end; None for none
    width : factor on the rivers' natural width
    lake_depth, lake_area : metres and square metres below which a hollow stays dry
    unbroken : whether hollows of that depth are lakes however small where a river runs through

    Raises
    ------
    ValueError : heights or a sea that are not finite, or heights of another shape
    Cancelled
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
    area = drainage_area(tree, spacing, cancelled, progress=within(progress, 0.4, 0.5))
    spill = spill_levels(height, tree, cancelled, progress=within(progress, 0.5, 0.6))
    # Rivers cross hollows at the level of their lakes, and end at that of the sea.
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
