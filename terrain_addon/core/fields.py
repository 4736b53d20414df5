# SPDX-License-Identifier: GPL-3.0-or-later
"""The masks of a terrain by name: those that follow from the heights, and those layers leave."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from . import analysis, horizons
from .analysis import Array
from .grid import Grid

Make = Callable[[Array, float, float, float], Array]
LOOK = 1 / 64
"""How far wide fields look, as a share of the longer side of the terrain."""


@dataclass(frozen=True)
class Field:
    """What is known of a mask.

    ``low`` and ``high`` are its natural range, None where it has none. ``make`` derives it from
    (height, dx, dy, radius in metres); it is None for masks that only layers leave. ``wide`` ones
    look as far as the radius, others at their neighbours.
    """

    label: str
    help: str
    low: float | None = None
    high: float | None = None
    make: Make | None = None
    wide: bool = False


def _near(make: Callable[[Array, float, float], Array]) -> Make:
    def ignoring_radius(height: Array, dx: float, dy: float, radius: float) -> Array:
        return make(height, dx, dy)

    return ignoring_radius


FIELDS: dict[str, Field] = {
    "slope": Field("Slope", "Degrees from flat (0) to upright (90)", 0, 90, _near(analysis.slope)),
    "aspect": Field(
        "Aspect",
        "Direction in which the ground falls: 0 is +Y, 90 is +X, degrees",
        0,
        360,
        _near(analysis.aspect),
    ),
    "profile_curvature": Field(
        "Profile Curvature",
        "Bend along the fall line in radians per 100 m, positive where it bulges",
        make=_near(analysis.profile_curvature),
    ),
    "plan_curvature": Field(
        "Plan Curvature",
        "Bend across the fall line in radians per 100 m, positive on spurs",
        make=_near(analysis.plan_curvature),
    ),
    "sun": Field(
        "Sun", "Light of a sun 45 degrees high over -Y, without shadows", 0, 1, _near(analysis.sun)
    ),
    "sky_view": Field(
        "Sky View",
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
    "flow": Field("Flow", "Water that passes, from slopes to the largest river; by Erosion", 0, 1),
    "wear": Field("Wear", "Metres worn away; by Erosion"),
    "deposit": Field("Deposit", "Metres of sediment; by Erosion"),
    "snow": Field("Snow", "Metres of snow; by Snow"),
}
"""All masks. Keys are permanent: saved files hold them."""


def choices() -> list[tuple[str, str, str]]:
    """The masks as choices of a setting."""
    return [(name, field.label, field.help) for name, field in FIELDS.items()]


def derived() -> list[str]:
    """Names of the masks that every height field has."""
    return [name for name, field in FIELDS.items() if field.make]


def derive(name: str, height: Array, grid: Grid, radius: float) -> Array:
    """A mask that follows from the heights alone; KeyError when it does not."""
    field = FIELDS[name]
    if field.make is None:
        raise KeyError(name)
    return field.make(height, grid.dx, grid.dy, radius)


def radius_of(size_x: float, size_y: float) -> float:
    """Metres that wide fields look, in a terrain of that size."""
    return LOOK * max(size_x, size_y)


def reach(name: str, dx: float, dy: float, radius: float) -> int:
    """How many samples around a point a mask depends on, beside what the layer that left it did."""
    field = FIELDS.get(name)
    if field is None or field.make is None:
        return 0
    return horizons.reach(dx, dy, radius) if field.wide else 1
