# SPDX-License-Identifier: GPL-3.0-or-later
"""Numbers as texts."""

import bpy

from ...core.settings import Setting


def length(meters: float, digits: int = 3) -> str:
    """Return a length in the units of the scene."""
    unit = bpy.context.scene.unit_settings
    if unit.system == "NONE":
        return f"{float(f'{meters:.{digits}g}'):g}"
    scaled = meters * unit.scale_length
    return bpy.utils.units.to_string(unit.system, "LENGTH", scaled, precision=digits)


def value(setting: Setting, number: float) -> str:
    """Return the value of a setting with its unit."""
    if setting.unit == "m":
        return length(number)
    return f"{number:.4g}\N{DEGREE SIGN}" if setting.unit == "deg" else f"{number:.6g}"
