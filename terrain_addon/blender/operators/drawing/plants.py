# SPDX-License-Identifier: GPL-3.0-or-later
"""Add plants that compete for their places to a terrain, and grow them again."""

from typing import Any

import bpy
from bpy.props import EnumProperty, FloatProperty, IntProperty

from ....core.plants import PlantSet
from ....core.recipe import presets
from ...app.registration import registered
from ...data.plant_objects import plants_of, settings_of_plants
from ...live import plants
from ...objects.plants import points
from ...properties.plants import NONE, USUAL, climate_properties, set_items
from ..base import OnTerrain, Result, reporting

WIDEST = 2500.0
"""Side in meters of the square in which new plants grow at most: some 250 000."""
CLOSE, DENSE = 100.0, 1.0
"""The same for sets that cover the ground, whose cells are smaller than so many meters."""

OWN_CLIMATE, TEMPERATURE, LATITUDE = climate_properties().values()


@registered
class TERRAIN_OT_plants_add(OnTerrain):
    """Add plants of a set of species, which compete for their places"""

    bl_idname = "terrain.plants_add"
    bl_label = "Add Plants"

    species: EnumProperty(
        name="Species", description="Set of species", items=set_items(), default=USUAL
    )
    density: FloatProperty(
        name="Density",
        description="Share of the plants that are kept",
        default=1.0,
        min=0.01,
        max=1.0,
        subtype="FACTOR",
    )
    seed: IntProperty(name="Seed", description="Number that selects a variation", default=0)
    own_climate: OWN_CLIMATE
    temperature: TEMPERATURE
    latitude: LATITUDE

    def draw(self, context: bpy.types.Context) -> None:
        layout = self.layout
        layout.use_property_split = True
        for name in ("species", "density", "own_climate"):
            layout.prop(self, name)
        if self.own_climate:
            layout.prop(self, "temperature")
            layout.prop(self, "latitude")
        layout.prop(self, "seed")

    @reporting
    def execute(self, context: bpy.types.Context) -> Result:
        given: Any = self
        terrain = self.subject(context)[1]
        names = ("species", "density", "seed", "own_climate", "temperature", "latitude")
        values = {name: getattr(given, name) for name in names}
        values["extent"] = min(max(terrain.size_x, terrain.size_y), _widest(given.species))
        owner = self.subject_object(context)
        # The plants of groups grow once: with the first set.
        others = plants_of(owner)
        values["groups"] = not any(settings_of_plants(one).groups for one in others)
        values["groups"] |= given.species == NONE
        name = "Groups" if given.species == NONE else presets.label(given.species)
        item = points.new(context, owner, name, values)
        try:
            plants.request(item)
        except BaseException:
            bpy.data.objects.remove(item)
            raise
        self.report({"INFO"}, f"{item.name} grows: its settings are in the panel Plants")
        return {"FINISHED"}


def _widest(species: str) -> float:
    """Return the side of the square in which new plants of a set grow at most."""
    if species != NONE and min(one.cell for one in PlantSet.load(species).strata) < DENSE:
        return CLOSE
    return WIDEST


@registered
class TERRAIN_OT_plants_grow(OnTerrain):
    """Grow all plants of the terrain again, also those that are not live"""

    bl_idname = "terrain.plants_grow"
    bl_label = "Grow Again"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        if not super().poll(context):
            return False
        if plants_of(cls.subject_object(context)):
            return True
        cls.poll_message_set("The terrain has no plants: add some")
        return False

    @reporting
    def execute(self, context: bpy.types.Context) -> Result:
        for item in plants_of(self.subject_object(context)):
            settings_of_plants(item).grown = ""
            plants.grow_now(item)
        return {"FINISHED"}
