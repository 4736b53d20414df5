# SPDX-License-Identifier: GPL-3.0-or-later
"""Spread trees, rocks or a collection over a terrain."""

from typing import Any, cast

import bpy
from bpy.props import EnumProperty, IntProperty, StringProperty

from ...app.registration import registered
from ...objects import scatter, scatter_models
from ...properties.declare import enum_items
from ..base import OnTerrain, Result, reporting

OWN = "Collection"


@registered
class TERRAIN_OT_scatter(OnTerrain):
    """Spread objects over the terrain; a modifier of the new object has density and conditions"""

    bl_idname = "terrain.scatter"
    bl_label = "Scatter"

    kind: EnumProperty(
        name="Objects",
        description="What is spread",
        items=enum_items(
            (
                ("Trees", "Trees", "Conifers and broadleaf trees of few polygons", "NONE"),
                ("Rocks", "Rocks", "Boulders of few polygons on slopes", "NONE"),
                (OWN, "Collection", "The objects of a collection of yours", "NONE"),
            )
        ),
    )
    collection: StringProperty(
        name="Collection",
        description="Name of the collection to spread",
        search=lambda self, context, typed: [
            collection.name for collection in bpy.data.collections
        ],
    )
    seed: IntProperty(name="Seed", description="Number that selects a variation", default=0)

    def draw(self, context: bpy.types.Context) -> None:
        layout = self.layout
        layout.use_property_split = True
        layout.prop(self, "kind")
        if self.kind == OWN:
            layout.prop(self, "collection")
        layout.prop(self, "seed")

    @reporting
    def execute(self, context: bpy.types.Context) -> Result:
        owner = self.subject_object(context)
        made = _collection(self.kind, self.collection)
        scatter.spread(context, owner, self.kind, cast(Any, made), self.seed)
        self.report({"INFO"}, f"{self.kind} added: density and conditions are in its modifier")
        return {"FINISHED"}


def _collection(kind: str, name: str) -> bpy.types.Collection:
    """Return the collection of a kind, or that of a name; ValueError if there is none."""
    if kind != OWN:
        return scatter_models.collection(kind)
    found = bpy.data.collections.get(name)
    if found is None:
        raise ValueError(f"There is no collection {name!r}: name one in the field Collection")
    return found
