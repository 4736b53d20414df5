# SPDX-License-Identifier: GPL-3.0-or-later
"""The line of the profile in the overview of a terrain, stored beside the recipe."""

from typing import Any

from bpy.props import EnumProperty, FloatProperty

from ...core.output import ProfileLine
from .declare import enum_items


def profile_properties() -> dict[str, Any]:
    """Declare the properties of a group that stores the line."""
    return {
        "along": EnumProperty(
            name="Profile",
            description="Direction of the line across the terrain",
            items=enum_items(
                (
                    ("x", "Along X", "From west to east", "NONE"),
                    ("y", "Along Y", "From south to north", "NONE"),
                )
            ),
            options=set(),
        ),
        "at": FloatProperty(
            name="Position",
            description="Where the line is, from one side of the terrain (0) to the other (1)",
            default=0.5,
            min=0.0,
            max=1.0,
            subtype="FACTOR",
            options=set(),
        ),
    }


def line_of(terrain: Any) -> ProfileLine:
    """Return the profile line of a terrain."""
    return ProfileLine(terrain.profile.along, terrain.profile.at)
