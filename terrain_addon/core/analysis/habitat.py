# SPDX-License-Identifier: GPL-3.0-or-later
"""Habitat fields: what plants depend on, from heights, layers and climate.

They are made on a grid of their own, which follows from the extent of the terrain alone: they are
the same at any resolution. A field is a function of a `Ground` here, and one entry in
:data:`.fields.FIELDS`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np

from ..numerics.arrays import Floats
from ..numerics.grid import Grid
from ..numerics.progress import Cancel
from ..settings.params import Settings, height_param, param
from .sunlight import cliffs_above, sunlight

CELLS = 512
"""Cells of the grid along the longer side of the terrain."""
FROM_LAYERS = ("flow", "deposition", "snow")
"""Fields of layers that habitats are made from."""
LAPSE = 6.5e-3
"""Degrees C per meter of height (ICAO, *Manual of the Standard Atmosphere*, 1993)."""
SNOW_LINE_WARMTH = -3.0
"""Mean of a year in degrees C where snow stays: some 4.5 degrees colder than the tree line."""
WARMTH, LATITUDE = 9.0, 47.0
"""Mean of a year in degrees C and latitude of a terrain that nothing tells about."""
DEEP_SOIL = 1.5
"""Meters of sediment that make most of a deep soil."""
FLOODED = 0.35
"""Flow from which rivers move the ground."""
CLIFF, CLIFF_SPAN = 0.85, 0.45
"""Tangent of the rise of ground above a place from which rock falls, and up to how much more the
share of it grows."""
STEEPEST_TALUS = 44.0
"""Degrees at which fallen rock does not stay: 8 above its angle of repose."""
SHORE_HEIGHT = 12.0
"""Meters above and below the sea within which a shore lies."""


class Climate(Settings):
    """Temperature and sun of a place."""

    temperature: float = param(
        WARMTH,
        "Temperature",
        "Mean of a year in degrees C at Height",
        min=-60.0,
        max=60.0,
        soft_min=-10.0,
        soft_max=30.0,
    )
    height: float = height_param(
        0.0,
        "Height",
        "Where it is that warm. Each 100 m above are 0.65 degrees C colder",
        soft_min=-500.0,
    )
    latitude: float = param(
        LATITUDE,
        "Latitude",
        "Degrees from the equator, positive in the north: which slopes are sunny",
        min=-90.0,
        max=90.0,
    )


class _Snow(Protocol):
    """Where snow begins."""

    @property
    def start(self) -> float: ...
    @property
    def relative(self) -> bool: ...
    def on(self, low: float, high: float) -> float:
        """Return the height on a terrain that reaches from ``low`` to ``high``."""
        ...


@dataclass(frozen=True)
class Surroundings:
    """The surroundings of a terrain on which its habitats depend.

    Attributes
    ----------
    climate : Climate, optional
        That of the recipe, if it has one.
    sea : float, optional
        Level of the sea in meters, if it is shown.
    snow : SnowLine, optional
        Where the colors begin to show snow.
    """

    climate: Climate | None = None
    sea: float | None = None
    snow: _Snow | None = None

    @property
    def inputs(self) -> tuple[float | bool | None, ...]:
        """All of this as plain values."""
        climate = () if self.climate is None else dataclasses.astuple(self.climate)
        snow = () if self.snow is None else (self.snow.start, self.snow.relative)
        return (self.sea, len(climate), *climate, *snow)

    def climate_between(self, low: float, high: float, home: Climate | None = None) -> Climate:
        """Return the climate of a terrain that reaches from ``low`` to ``high``.

        That of the recipe, if it has one. Otherwise that of the snow that the colors show;
        otherwise the temperature of ``home``, or 9 degrees C, at the sea or at the lowest ground.

        Examples
        --------
        >>> Surroundings(sea=5.0).climate_between(-20.0, 90.0).height
        5.0
        """
        if self.climate is not None:
            return self.climate
        home = home or Climate()
        if self.snow is not None:
            at = self.snow.on(low, high)
            return dataclasses.replace(home, temperature=SNOW_LINE_WARMTH, height=at)
        return dataclasses.replace(home, height=self.foot(low))

    def foot(self, low: float) -> float:
        """Return the height of the sea, or of the lowest ground where that is higher or there is
        no sea."""
        return low if self.sea is None else max(low, self.sea)


class Terrain(Protocol):
    """Heights and fields on the grid of habitats, such as a heightfield."""

    @property
    def grid(self) -> Grid: ...
    @property
    def height(self) -> Floats: ...
    @property
    def fields(self) -> Mapping[str, Floats]: ...


@dataclass(frozen=True)
class Ground:
    """A terrain with its climate and sea, from which habitat fields are computed.

    Fields that no layer leaves are 0 everywhere.
    """

    terrain: Terrain
    climate: Climate
    sea: float | None = None
    cancelled: Cancel | None = None

    @classmethod
    def of(cls, terrain: Terrain, around: Surroundings, cancelled: Cancel | None = None) -> Ground:
        """Return a terrain in its surroundings."""
        low, high = float(terrain.height.min()), float(terrain.height.max())
        return cls(terrain, around.climate_between(low, high), around.sea, cancelled)

    @property
    def height(self) -> Floats:
        """Heights in meters."""
        return self.terrain.height

    def field(self, name: str) -> Floats:
        """Return a field of the terrain by its key."""
        try:
            return self.terrain.fields[name]
        except KeyError:
            return np.zeros(self.terrain.grid.shape, np.float32)

    @cached_property
    def sun(self) -> Floats:
        """Sunlight relative to level ground."""
        return sunlight(self.height, self.terrain.grid.dx, self.climate.latitude, self.cancelled)

    @cached_property
    def sediment(self) -> Floats:
        """0 on bare rock, 1 where there is much sediment."""
        depth = np.maximum(self.field("deposition"), 0).astype(np.float64)
        return (1 - np.exp(-depth / DEEP_SOIL)).astype(np.float32)


def habitat_grid(size_x: float, size_y: float) -> Grid:
    """Return the grid of habitats on a terrain of that size, from border to border.

    >>> habitat_grid(2000.0, 1000.0).shape
    (257, 513)
    """
    cells = CELLS / max(size_x, size_y)
    counts = (max(round(cells * size) + 1, 2) for size in (size_x, size_y))
    return Grid.points(size_x, size_y, *counts)


def temperature(ground: Ground) -> Floats:
    """Return the mean of a year in degrees C: sunny slopes are warmer."""
    climate = ground.climate
    above = ground.height - np.float32(climate.height)
    return (climate.temperature - LAPSE * above + 2 * (ground.sun - 1)).astype(np.float32)


def moisture(ground: Ground) -> Floats:
    """Return water in the ground, 0 to 1: where it gathers, in sediment and in the shade."""
    shade = np.clip(np.float32(1.3) - ground.sun, 0, 1)
    found = np.float32(0.55) * ground.field("wetness") + np.float32(0.25) * ground.sediment
    return np.clip(found + 0.2 * shade, 0, 1).astype(np.float32)


def sun(ground: Ground) -> Floats:
    """Return direct sunlight of a year; level, open ground has 1."""
    return ground.sun


def soil(ground: Ground) -> Floats:
    """Return the depth of soil, 0 to 2: on flat ground, in sediment, not on crests."""
    steep = ground.field("slope").astype(np.float64) / 30
    kept = 1.25 * np.exp(-steep * steep)
    crest = np.maximum(ground.field("convexity_medium"), 0)
    return np.clip(kept + 0.5 * ground.sediment - 0.2 * crest, 0, 2).astype(np.float32)


def river(ground: Ground) -> Floats:
    """Return where rivers of erosion move their beds, 0 to 1."""
    return np.clip((ground.field("flow") - np.float32(FLOODED)) * np.float32(3), 0, 1)


def disturbance(ground: Ground) -> Floats:
    """Return how often floods or snow move what grows, 0 to 1."""
    return np.clip(np.maximum(river(ground), ground.field("snow")), 0, 1)


def talus(ground: Ground) -> Floats:
    """Return where rock falls from cliffs and stays, 0 to 1."""
    above = cliffs_above(ground.height, ground.terrain.grid.dx, ground.cancelled)
    share: Floats = np.clip((above - np.float32(CLIFF)) * np.float32(1 / CLIFF_SPAN), 0, 1)
    steep = (np.float32(STEEPEST_TALUS) - ground.field("slope")) * np.float32(1 / 8)
    return (share * np.clip(steep, 0, 1)).astype(np.float32)


def shore(ground: Ground) -> Floats:
    """Return how near the level of the sea the ground is, 0 to 1."""
    if ground.sea is None:
        return np.zeros(ground.terrain.grid.shape, np.float32)
    above = ground.height - np.float32(ground.sea)
    return np.clip(np.float32(1) - np.abs(above) * np.float32(1 / SHORE_HEIGHT), 0, 1)
