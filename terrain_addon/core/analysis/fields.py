# SPDX-License-Identifier: GPL-3.0-or-later
"""The fields of a terrain by name: those derived from the heights, and those left by layers.

Examples
--------
>>> FIELDS["slope"].natural, FIELDS["slope"].unit
((0, 90), 'deg')
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ..numerics.arrays import Floats
from ..numerics.grid import Grid
from ..numerics.progress import Cancel
from . import convexity, derivatives, habitat, horizons, wetness

UNITS = {"m": "meters", "deg": "degrees", "rad/100 m": "radians per 100 m", "deg C": "degrees C"}
"""Names of the units."""
MOST_AREAS = 16
"""Groups that can have colors of their own."""
LOOK = 1 / 64
"""Radius of wide fields as a share of the terrain's longer side."""


@dataclass(frozen=True)
class Field:
    """Description of a field.

    ``low`` and ``high`` are its natural range, None if it has none. ``unit`` is one of `UNITS` or
    "". ``color`` is the default of a palette region by it. ``make`` derives it from (height, dx,
    dy, radius in meters, cancelled); None if only layers leave it. ``wide`` fields depend on
    samples within the radius, ``whole`` ones on all heights: it then says how they are solved and
    sampled. Others depend on adjacent samples, and their ``make`` takes no radius. ``circular``
    ones wrap around. ``look`` is a factor on the radius. ``habitat`` makes a field of a
    :class:`.habitat.Ground`, on a grid of its own, from heights, layers and climate; it has no
    ``make``.
    """

    label: str
    help: str
    low: float | None = None
    high: float | None = None
    make: Callable[..., Floats] | None = None
    wide: bool = False
    whole: wetness.WholeField | None = None
    unit: str = ""
    color: str = "#4C5437"
    circular: bool = False
    look: float = 1.0
    habitat: Callable[[habitat.Ground], Floats] | None = None

    @property
    def is_far(self) -> bool:
        """Whether a value of the field depends on the whole terrain."""
        return self.whole is not None or self.habitat is not None

    @property
    def natural(self) -> tuple[float, float] | None:
        """The natural range, if there is one."""
        return None if self.low is None or self.high is None else (self.low, self.high)

    @property
    def values(self) -> str:
        """Its range and unit as text."""
        unit = UNITS.get(self.unit, "")
        if self.natural is None:
            return f"Values in {unit}" if unit else ""
        return f"Values from {self.low:g} to {self.high:g} {unit}".rstrip()


FIELDS: dict[str, Field] = {
    "slope": Field(
        "Slope", "Degrees from flat (0) to upright (90)", 0, 90, derivatives.slope, unit="deg"
    ),
    "aspect": Field(
        "Aspect (Direction)",
        "Direction in which the ground falls: 0 is +Y, 90 is +X, degrees",
        0,
        360,
        derivatives.aspect,
        unit="deg",
        circular=True,
    ),
    "profile_curvature": Field(
        "Profile Curvature",
        "Bend along the fall line in radians per 100 m, positive where it bulges",
        make=derivatives.profile_curvature,
        unit="rad/100 m",
    ),
    "plan_curvature": Field(
        "Plan Curvature",
        "Bend across the fall line in radians per 100 m, positive on spurs",
        make=derivatives.plan_curvature,
        unit="rad/100 m",
    ),
    "hillshade": Field(
        "Hillshade",
        "Light of a sun 45 degrees high over -Y, without shadows",
        0,
        1,
        derivatives.hillshade,
    ),
    "sky_view": Field(
        "Sky View (AO)",
        "Share of the sky that is seen: ambient occlusion",
        0,
        1,
        horizons.sky_view,
        wide=True,
    ),
    "ridge": Field(
        "Ridge", "Where the ground falls away on both sides", 0, 1, horizons.ridge, wide=True
    ),
    "valley": Field(
        "Valley", "Where the ground rises on both sides", 0, 1, horizons.valley, wide=True
    ),
    "convexity_fine": Field(
        "Convexity (Fine)",
        "Crests (1) and hollows (-1) as wide as a 256th of the terrain",
        -1,
        1,
        convexity.convexity,
        wide=True,
        look=1 / 8,
    ),
    "convexity_medium": Field(
        "Convexity (Medium)",
        "Crests (1) and hollows (-1) as wide as a 64th of the terrain",
        -1,
        1,
        convexity.convexity,
        wide=True,
        look=1 / 2,
    ),
    "convexity_broad": Field(
        "Convexity (Broad)",
        "Crests (1) and hollows (-1) as wide as a 16th of the terrain",
        -1,
        1,
        convexity.convexity,
        wide=True,
        look=2,
    ),
    "wetness": Field(
        "Wetness",
        "Where water gathers and stays: 0 on crests and steep slopes, 1 in channels and hollows",
        0,
        1,
        wetness.wetness,
        whole=wetness.WETNESS,
        color="#38452D",
    ),
    "lake_depth": Field(
        "Lake Depth",
        "Meters of water in hollows filled to their brim",
        make=wetness.lake_depth,
        whole=wetness.LAKE_DEPTH,
        unit="m",
        color="#1D3840",
    ),
    "flow": Field(
        "Flow",
        "Water that passes, from slopes to the largest river; needs an Erosion layer",
        0,
        1,
        color="#304852",
    ),
    "erosion_depth": Field(
        "Erosion Depth", "Meters worn away; needs an Erosion layer", unit="m", color="#7E7C77"
    ),
    "deposition": Field(
        "Deposition", "Meters of sediment; needs an Erosion layer", unit="m", color="#AA9A82"
    ),
    "hardness": Field(
        "Rock Hardness",
        "How hard the rock is: 0 soft, 0.5 normal, 1 hard; needs an Erosion layer",
        0,
        1,
        color="#7E7C77",
    ),
    "road": Field(
        "Road", "1 on a road, 0 beyond its shoulders; needs a Road layer", 0, 1, color="#6E675E"
    ),
    "lava": Field(
        "Lava", "1 on a lava flow, 0 beside it; needs a Lava Flows layer", 0, 1, color="#2A2827"
    ),
    "beach": Field(
        "Beach",
        "1 on the sand of beaches; needs a Smooth Coast layer with a Fetch",
        0,
        1,
        color="#AFA085",
    ),
    "platform": Field(
        "Shore Platform",
        "1 on rock that waves have cut level; needs a Smooth Coast layer with a Fetch",
        0,
        1,
        color="#6C6A67",
    ),
    "snow": Field("Snow", "Meters of snow; needs a Snow layer", unit="m", color="#E7EAED"),
    "temperature": Field(
        "Temperature",
        "Mean of a year in degrees C, colder with height, warmer on sunny slopes",
        unit="deg C",
        color="#9C8F70",
        habitat=habitat.temperature,
    ),
    "moisture": Field(
        "Moisture",
        "Water in the ground: 0 on dry crests, 1 in wet hollows",
        0,
        1,
        habitat=habitat.moisture,
    ),
    "sun": Field(
        "Sun",
        "Direct sunlight of a year; level, open ground has 1",
        0,
        1.5,
        color="#A89C66",
        habitat=habitat.sun,
    ),
    "soil": Field(
        "Soil", "Depth of soil: 0 on rock, 2 on flat ground of sediment", 0, 2, habitat=habitat.soil
    ),
    "disturbance": Field(
        "Disturbance",
        "How often floods or snow move what grows: 0 never, 1 always",
        0,
        1,
        color="#8C8271",
        habitat=habitat.disturbance,
    ),
    "river": Field(
        "River Bed",
        "Beds of rivers that an Erosion layer leaves: 0 beside them, 1 in them",
        0,
        1,
        color="#8F897C",
        habitat=habitat.river,
    ),
    "talus": Field(
        "Talus",
        "Fallen rock: 0 far from cliffs, 1 at their foot",
        0,
        1,
        color="#85807A",
        habitat=habitat.talus,
    ),
    "shore": Field(
        "Shore",
        "1 at the level of the sea that is shown, 0 from 12 m above and below it",
        0,
        1,
        color="#AFA085",
        habitat=habitat.shore,
    ),
    **{
        f"group_{n}": Field(
            f"Group {n}", f"Where group {n} of those with colors of their own acts, 0 to 1", 0, 1
        )
        for n in range(1, MOST_AREAS + 1)
    },
}
"""All fields by key. Keys are permanent: saved files hold them."""
AREAS = tuple(name for name in FIELDS if name.startswith("group_"))
"""Fields of groups with colors of their own, from the ground up."""

HABITAT = tuple(name for name, field in FIELDS.items() if field.habitat)
"""Fields on a grid of their own."""


def choices() -> list[tuple[str, str, str]]:
    """Return the fields as choices of a setting."""
    return [(name, field.label, field.help) for name, field in FIELDS.items()]


def derived() -> list[str]:
    """Return the keys of the fields that follow from the heights."""
    return [name for name, field in FIELDS.items() if field.make]


def derive(
    name: str, height: Floats, grid: Grid, radius: float, cancelled: Cancel | None = None
) -> Floats:
    """Return a field derived from the heights; KeyError for habitats, and if only layers leave it.

    ``whole`` fields depend on the heights given, not on terrain beyond them.
    """
    field = FIELDS[name]
    if field.make is None:
        raise KeyError(name)
    around = (radius * field.look,) if field.wide or field.whole else ()
    return field.make(height, grid.dx, grid.dy, *around, cancelled)


def radius_of(size_x: float, size_y: float) -> float:
    """Return the radius in meters of wide fields on a terrain of that size."""
    return LOOK * max(size_x, size_y)


def reach(name: str, dx: float, dy: float, radius: float) -> int:
    """Return samples around a point that a field depends on; 0 for habitats, which have a grid of
    their own, and for fields that layers leave.

    1 for ``whole`` fields: callers that evaluate windows must check `Field.whole` first.
    """
    field = FIELDS.get(name)
    if field is None or field.make is None:
        return 0
    return horizons.reach(dx, dy, radius * field.look) if field.wide else 1
