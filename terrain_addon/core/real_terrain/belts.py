# SPDX-License-Identifier: GPL-3.0-or-later
"""Colors of real terrain: belts of vegetation and snow, and rock on the steepest slopes."""

from __future__ import annotations

import dataclasses

import numpy as np

from ..layers.maps import Map
from ..numerics.arrays import Floats
from ..recipe import presets
from ..recipe.palette import Palette, Region

SNOW_LINE = (0.0, 25.0, 45.0, 60.0, 75.0), (4800.0, 5300.0, 2900.0, 1500.0, 300.0)
"""Latitudes, and heights in meters of the snow line there."""
TREES_BELOW = 900.0
"""Meters between the tree line and the snow line."""
BELTS = {"Pasture": 0.3, "Forest": 0.5, "Heath": 0.88}
"""Shares of the terrain below the tree line that lie below each belt."""
HEATH = Region(name="Heath", color="#6A5E48")
"""Tops below the tree line."""
STEEPEST, ROCK = 0.97, (16.0, 34.0)
"""Share of the terrain that is less steep than bare rock, and the least and largest slope of that
in degrees: slopes of coarse data are gentler than the terrain."""
SAMPLES = 1024
"""Samples each way from which shares are found."""


def belts(data: Map, latitude: float, *, sea: bool) -> Palette:
    """Return the colors by height in meters, which fit the heights and the slopes of real terrain.

    Trees and snow end and begin at the heights that the latitude has. Below them, each belt covers
    a share of the terrain, and rock the steepest slopes.

    Parameters
    ----------
    data : heights in meters, without voids
    latitude : degrees from the equator
    sea : whether terrain below 0 is sea

    References
    ----------
    Snow lines by latitude: Kaspar Hermes, *Die Lage der oberen Waldgrenze in den Gebirgen der Erde
    und ihr Abstand zur Schneegrenze*, 1955, rounded.

    Examples
    --------
    >>> data = Map("Data", np.linspace(0, 900, 64, dtype=np.float32).reshape(8, 8))
    >>> [one.start for one in belts(data, 45.0, sea=False).regions[:4]]
    [0.0, 270.0, 450.0, 792.0]
    """
    alpine, coast = presets.load_palette("alpine"), presets.load_palette("coast")
    snow = float(np.interp(latitude, *SNOW_LINE))
    trees = max(snow - TREES_BELOW, 0.0)
    step = max(max(data.values.shape) // SAMPLES, 1)
    heights = data.values[::step, ::step]
    ground = 18.0 if sea else data.range[0]
    wooded = heights[(heights >= ground) & (heights < trees)]
    starts = {"Valley Meadow": ground}
    for name, share in BELTS.items():
        starts[name] = float(np.quantile(wooded, share)) if wooded.size else ground
    starts["Alpine Meadow"] = max(trees, ground + 1.0)
    starts["Scree"] = max(trees + 0.5 * TREES_BELOW, ground + 2.0)
    starts["Old Snow"] = max(snow - 100.0, ground + 3.0)
    starts["Snow"] = max(snow + 200.0, ground + 4.0)
    belt = {one.name: one for one in (*alpine.regions, HEATH)}
    regions = [
        dataclasses.replace(belt[name], start=round(start, 1)) for name, start in starts.items()
    ]
    if sea:
        shore = [region for region in coast.regions if region.start <= 6.0]
        regions = shore + [
            dataclasses.replace(region, start=max(region.start, 6.5)) for region in regions
        ]
    steep = round(float(np.clip(_slope(data, step), *ROCK)), 1)
    return dataclasses.replace(
        alpine, measure="meters", rock_slope=steep, rock_fade=0.25 * steep, regions=tuple(regions)
    )


def _slope(data: Map, step: int) -> float:
    """Return the degrees of the slope that few places exceed."""
    if min(data.values.shape) < 2:
        return ROCK[1]
    dx, dy = data.spacing or (1.0, 1.0)
    corner: Floats = data.values[:-1:step, :-1:step]
    across = (data.values[:-1:step, 1::step] - corner) * np.float32(1 / dx)
    up = (data.values[1::step, :-1:step] - corner) * np.float32(1 / dy)
    return float(np.degrees(np.arctan(np.quantile(np.hypot(across, up), STEEPEST))))
