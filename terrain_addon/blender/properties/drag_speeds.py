# SPDX-License-Identifier: GPL-3.0-or-later
"""Lengths that are dragged at a speed in proportion to the size of the terrain.

Blender has one drag step for a property, whatever the terrain. So a length has further properties,
such as ``height_coarse``, which read and write the same value with other steps; the panel shows the
one that suits the terrain. They store nothing, and keyframes and drivers that are added to them are
moved to the setting itself, which the panel shows while it is animated.
"""

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import bpy

from ...core.settings import USUAL_LENGTH, Setting
from ..data.keyframes import animated_paths, rename_settings
from ..data.terrains import terrain_of


@dataclass(frozen=True)
class Speed:
    """How fast lengths change on terrains of some sizes."""

    suffix: str
    """Appended to the name of the setting; "" for the setting itself."""
    below: float
    """The extent of the terrain, in meters, from which the next speed is used."""
    factor: float
    """Change in 100 pixels, as a multiple of the usual value on a terrain of 1 km."""


SPEEDS = (
    Speed("_finest", 100, 0.02),
    Speed("_fine", 1_000, 0.2),
    Speed("", 15_000, 2),
    Speed("_coarse", 150_000, 20),
    Speed("_coarsest", math.inf, 200),
)
"""All presets have extents of the third, so what scripts and keyframes use is what they show."""

USUAL = next(speed.factor for speed in SPEEDS if not speed.suffix)

OWN_SIZE = ("size_x", "size_y")
"""These have one speed: another property under the mouse would end the drag that changes them."""

_VARIANT = re.compile("(" + "|".join(speed.suffix for speed in SPEEDS if speed.suffix) + ")$")


def step(setting: Setting, factor: float) -> int:
    """Return the step of a length; Blender changes it by a hundredth of the step per pixel."""
    wanted = (abs(setting.default) or _usual_reach(setting) / 20) * factor / 100
    nearest = min(_STEPS, key=lambda one: abs(math.log(one / wanted)))
    return round(100 * nearest)


_STEPS = (0.01, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 1000)
"""Meters a pixel. Blender rounds others to a unit of length: 5 cm to 1 cm, 100 m to 1 km."""


def _usual_reach(setting: Setting) -> float:
    """Return the largest absolute value of a slider with the declared soft limits, if any."""
    ends = [abs(end) for end in (setting.soft_min, setting.soft_max) if end is not None]
    return max(ends, default=USUAL_LENGTH)


def variants(setting: Setting, declare: Callable[..., Any]) -> dict[str, Any]:
    """Declare properties for the other speeds of a setting, by name.

    ``declare`` makes a property with the step, the getter and the setter it is given.
    """
    if setting.unit != "m" or setting.name in OWN_SIZE:
        return {}
    name = setting.name

    def get(group: Any) -> float:
        return getattr(group, name)

    def set_(group: Any, value: float) -> None:
        setattr(group, name, value)  # calls its update callback

    return {
        name + speed.suffix: declare(step=step(setting, speed.factor), get=get, set=set_)
        for speed in SPEEDS
        if speed.suffix
    }


def is_variant(name: str) -> bool:
    """Return whether that is the name of a further property of a setting."""
    return bool(_VARIANT.search(name))


def shown(group: Any, name: str) -> str:
    """Return the name of the property that shows a setting at the speed of its terrain.

    Settings that do not belong to a terrain, such as those of plants, have one speed.
    """
    if not isinstance(group.id_data, bpy.types.Mesh):
        return name
    terrain = terrain_of(group.id_data)
    extent = max(terrain.size_x, terrain.size_y)
    variant = name + next(speed.suffix for speed in SPEEDS if extent < speed.below)
    if variant == name or variant not in group.bl_rna.properties:
        return name
    return name if group.path_from_id(name) in animated_paths(group.id_data) else variant


def move_animation(mesh: bpy.types.Mesh) -> None:
    """Move keyframes and drivers of further properties to their settings.

    Raises ValueError, and changes nothing, if that is impossible now.
    """
    if any(is_variant(path) for path in animated_paths(mesh)):
        rename_settings(mesh, lambda path: _VARIANT.sub("", path))
