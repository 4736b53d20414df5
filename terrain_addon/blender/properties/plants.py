# SPDX-License-Identifier: GPL-3.0-or-later
"""The settings of plants, which their object holds, and the set of species that they name."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import bpy
from bpy.props import (
    BoolProperty,
    CollectionProperty,
    EnumProperty,
    FloatProperty,
    FloatVectorProperty,
    IntProperty,
    PointerProperty,
    StringProperty,
)

from ...core.plants import PlantSet
from ...core.recipe import presets
from .declare import enum_items

Update = Callable[[Any, Any], None]
USUAL, NONE = "temperate", "none"
"""The set of new plants, and the item for no set but those that groups name."""
FAR, SHARE = 250.0, 0.3
"""Distance from the camera from which simple models are shown, and the share in the viewport."""


def set_items() -> list[Any]:
    """Return the sets of the extension as items of an enum."""
    sets = ((name, PlantSet.load(name)) for name in PlantSet.names())
    items = [(name, presets.label(name), one.about, "NONE") for name, one in sets]
    items.append((NONE, "Only Groups", "Only the plants that groups of layers name", "NONE"))
    return enum_items(items)


def kind_properties(replaced: Update) -> dict[str, Any]:
    """Declare the properties of one species: its name is that of the item."""
    return {
        "count": IntProperty(name="Count", description="Plants of this species", options=set()),
        "collection": PointerProperty(
            type=bpy.types.Collection,
            name="Collection",
            description="Objects of yours that show this species instead of the models. Their "
            "height becomes that of the plant",
            update=replaced,
        ),
    }


def plants_properties(kinds: type, grown: Update, styled: Update, shown: Update) -> dict[str, Any]:
    """Declare the settings of an object of plants.

    ``grown`` is called after changes that move plants, ``styled`` after those of their looks, and
    ``shown`` after those of what is drawn.
    """
    hidden: dict[str, Any] = {"options": {"HIDDEN"}}
    return {
        "is_plants": BoolProperty(
            name="Is Plants", description="This object is the plants of its terrain", **hidden
        ),
        "species": EnumProperty(
            name="Species",
            description="Species that compete for their places",
            items=set_items(),
            default=USUAL,
            options=set(),
            update=grown,
        ),
        "file": StringProperty(
            name="File",
            description="A set of species of your own, as JSON. If empty, the set above",
            subtype="FILE_PATH",
            options=set(),
            update=grown,
        ),
        "groups": BoolProperty(
            name="Groups",
            description="Where a group of layers names plants, grow these in place of the set",
            default=True,
            options=set(),
            update=grown,
        ),
        "sets": StringProperty(
            name="Sets", description="Sets of groups that grew last, with spaces between", **hidden
        ),
        **climate_properties(grown),
        "density": FloatProperty(
            name="Density",
            description="Share of the plants that are kept",
            default=1.0,
            min=0.01,
            max=1.0,
            subtype="FACTOR",
            options=set(),
            update=grown,
        ),
        "extent": FloatProperty(
            name="Extent",
            description="Side of the square in which plants grow. A square kilometer of forest has "
            "some 40 000",
            default=2000.0,
            min=10.0,
            max=20000.0,
            subtype="DISTANCE",
            options=set(),
            update=grown,
        ),
        "center": FloatVectorProperty(
            name="Center",
            description="Middle of that square, from the middle of the terrain",
            size=2,
            subtype="XYZ_LENGTH",
            options=set(),
            update=grown,
        ),
        "seed": IntProperty(
            name="Seed", description="Number that selects a variation", options=set(), update=grown
        ),
        "autumn": FloatProperty(
            name="Autumn",
            description="How far leaves have turned: first on the coldest ground, at 1 everywhere",
            min=0.0,
            max=1.0,
            subtype="FACTOR",
            update=styled,
        ),
        "snow": FloatProperty(
            name="Snow",
            description="How much snow lies: first on the coldest ground, at 1 everywhere",
            min=0.0,
            max=1.0,
            subtype="FACTOR",
            update=styled,
        ),
        "viewport_share": FloatProperty(
            name="In Viewport",
            description="Share of the plants that viewports show; renders show all",
            default=SHARE,
            min=0.0,
            max=1.0,
            subtype="FACTOR",
            options=set(),
            update=shown,
        ),
        "viewport_simple": BoolProperty(
            name="Simple Models",
            description="Show in viewports what renders show from far away",
            default=True,
            options=set(),
            update=shown,
        ),
        "far": FloatProperty(
            name="Far",
            description="Distance from the camera of the scene from which simple models are shown",
            default=FAR,
            min=0.0,
            subtype="DISTANCE",
            options=set(),
            update=shown,
        ),
        "live": BoolProperty(
            name="Live",
            description="Grow the plants again after each change of the terrain",
            default=True,
            options=set(),
            update=grown,
        ),
        "kinds": CollectionProperty(type=kinds),
        "models": PointerProperty(type=bpy.types.Collection, name="Models", **hidden),
        "grown": StringProperty(
            name="Grown", description="What the plants were last grown from", **hidden
        ),
    }


def climate_properties(update: Update | None = None) -> dict[str, Any]:
    """Declare the climate, for plants and for the operator that adds them."""
    common: dict[str, Any] = {"options": set(), "update": update} if update else {}
    return {
        "own_climate": BoolProperty(
            name="Own Climate",
            description="Set the temperature and the latitude of these plants. Otherwise they are "
            "those of the panel Climate, or follow from the snow of the colors, or the species",
            **common,
        ),
        "temperature": FloatProperty(
            name="Temperature",
            description="Mean of a year in degrees C at the sea, or at the lowest ground",
            default=9.0,
            min=-60.0,
            max=60.0,
            soft_min=-10.0,
            soft_max=30.0,
            precision=1,
            **common,
        ),
        "latitude": FloatProperty(
            name="Latitude",
            description="Degrees from the equator, positive in the north: which slopes are sunny",
            default=47.0,
            min=-90.0,
            max=90.0,
            precision=1,
            **common,
        ),
    }


def set_of(settings: Any) -> PlantSet | None:
    """Return the species that settings name, None for those of groups only; ValueError if the file
    is none."""
    if not settings.file:
        if settings.species == NONE:
            return None
        return PlantSet.load(settings.species)
    path = Path(bpy.path.abspath(settings.file))
    return PlantSet.load(path.stem, path.parent)
