# SPDX-License-Identifier: GPL-3.0-or-later
"""Spread trees, rocks or a collection over a terrain."""

from typing import Any, cast

import bpy
import numpy as np
from bpy.props import EnumProperty, IntProperty, StringProperty

from ....core.analysis import FIELDS
from ....core.output import fields_of
from ...app.registration import registered
from ...data.terrains import active_mesh, terrain_of
from ...mesh import terrain_mesh
from ...objects import scatter, scatter_models
from ...properties.declare import enum_items
from ...properties.recipe import SWITCHES, read_bare
from ..base import UNSEEN, OnTerrain, Result, reporting

OWN = "Collection"


@registered
class TERRAIN_OT_scatter(OnTerrain):
    """Spread objects over the terrain; density and conditions are in the panel Scene"""

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
        self.report({"INFO"}, f"{self.kind} added: density and conditions are in the panel Scene")
        return {"FINISHED"}


def _fields(self: Any, context: bpy.types.Context | None) -> list[tuple[str, str, str]]:
    """Return "none" and the fields that the active terrain has, as items of an enum."""
    mesh = active_mesh(context) if context else None
    names = fields_of(read_bare(terrain_of(mesh))) if mesh else [*FIELDS]
    _items[:] = [
        ("NONE", "None", "Everywhere"),
        *((name, FIELDS[name].label, FIELDS[name].help) for name in names),
    ]
    return _items


_items: list[tuple[str, str, str]] = []
"""The items of the enum that were shown last: Blender does not keep their texts."""


@registered
class TERRAIN_OT_scatter_field(OnTerrain):
    """Spread only where a field of the terrain has the values of a range"""

    bl_idname = "terrain.scatter_field"
    bl_label = "Field"
    bl_options = {"REGISTER", "UNDO", "INTERNAL"}  # of one row, not for search

    item: StringProperty(name="Object", description="What is spread", options=UNSEEN)
    field: EnumProperty(name="Field", description="Field that selects a range", items=_fields)

    @reporting
    def execute(self, context: bpy.types.Context) -> Result:
        mesh, terrain = self.subject(context)
        owner = self.subject_object(context)
        for item, modifier in scatter.modifiers_of(owner):
            if item.name == self.item:
                name = "" if self.field == "NONE" else self.field
                if name in SWITCHES:  # the points need it as an attribute
                    setattr(terrain.attributes, name, True)
                scatter.set_input(modifier, "Field", name)
                if values := terrain_mesh.recorded(mesh, (name,) if name else ()):
                    # Half of the ground, whatever the range of the field is.
                    scatter.set_input(modifier, "Field Min", float(np.median(values[0])))
                item.update_tag()
                return {"FINISHED"}
        raise ValueError(f"The terrain has no spread objects {self.item!r}: select it again")


def _collection(kind: str, name: str) -> bpy.types.Collection:
    """Return the collection of a kind, or that of a name; ValueError if there is none."""
    if kind != OWN:
        return scatter_models.collection(kind)
    found = bpy.data.collections.get(name)
    if found is None:
        raise ValueError(f"There is no collection {name!r}: name one in the field Collection")
    return found
