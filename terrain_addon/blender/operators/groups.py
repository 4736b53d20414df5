# SPDX-License-Identifier: GPL-3.0-or-later
"""Groups of layers: make and dissolve them, save them as biomes and add these."""

from typing import Any

import bpy
from bpy.props import EnumProperty, IntProperty, StringProperty

from ...core import Group, Layer
from ...core.layers import Node, path_to, spliced
from ..app.registration import registered
from ..data.terrains import active_layer
from ..live import rebuild
from ..properties import biomes
from ..properties.choices import biome_items, own_biome_items
from ..properties.layer_tree import arrange, is_group, tree_of
from ..properties.recipe import write_layer
from .base import OnTerrain, Result, reporting
from .layers import OnLayer, check_room, insert_layers, read_block


class OnGroup(OnLayer):
    """Base of operators that need an active group."""

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        if not super().poll(context):
            return False
        if not is_group(active_layer(cls.subject(context)[1])):
            cls.poll_message_set("Select a group")
            return False
        return True


@registered
class TERRAIN_OT_layer_group(OnLayer):
    """Put the active layer into a new group, whose masks and opacity act on all its layers"""

    bl_idname = "terrain.layer_group"
    bl_label = "Group Layers"

    count: IntProperty(
        name="Layers",
        description="Number of layers in the group: the active one, and those above it in the list",
        default=1,
        min=1,
        soft_max=16,
        options={"SKIP_SAVE"},
    )

    @reporting
    def execute(self, context: bpy.types.Context) -> Result:
        mesh, terrain = self.subject(context)
        check_room(terrain, 1)
        place, nodes, last = terrain.active_layer, tree_of(terrain), len(terrain.layers)
        *over, _ = path_to(nodes, place)
        beside = over[-1].members or () if over else nodes
        at = next(n for n, node in enumerate(beside) if node.place == place)
        held = beside[max(at + 1 - self.count, 0) : at + 1]
        for node in held[:-1]:
            nodes = spliced(nodes, node.place, lambda node: ())
        nodes = spliced(nodes, place, lambda node: (Node(last, tuple(held)),))
        with rebuild.one_rebuild(mesh):
            arrange(terrain, nodes, last)
            group = Group(count=sum(node.size for node in held))
            write_layer(active_layer(terrain), Layer.of(group), terrain.size_x, terrain.size_y)
        return {"FINISHED"}


@registered
class TERRAIN_OT_layer_ungroup(OnGroup):
    """Remove the active group and keep its layers"""

    bl_idname = "terrain.layer_ungroup"
    bl_label = "Ungroup Layers"

    @reporting
    def execute(self, context: bpy.types.Context) -> Result:
        mesh, terrain = self.subject(context)
        place = terrain.active_layer
        with rebuild.one_rebuild(mesh):
            nodes = spliced(tree_of(terrain), place, lambda group: group.members or ())
            arrange(terrain, nodes, place)
            terrain.active_layer = max(0, min(place - 1, len(terrain.layers) - 1))
        return {"FINISHED"}


@registered
class TERRAIN_OT_biome_save(OnGroup):
    """Save the active group with its layers and masks as a biome, to add it to any terrain"""

    bl_idname = "terrain.biome_save"
    bl_label = "Save as Biome"
    bl_options = {"REGISTER"}

    reads_only = True

    name: StringProperty(
        name="Name", description="Name of the biome. It replaces your biome of the same name"
    )

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> Result:
        self.name = active_layer(self.subject(context)[1]).name
        return context.window_manager.invoke_props_dialog(self)

    @reporting
    def execute(self, context: bpy.types.Context) -> Result:
        terrain = self.subject(context)[1]
        biomes.save(self.name, read_block(terrain))
        self.report({"INFO"}, f"Saved the biome {self.name.strip()!r}")
        return {"FINISHED"}


@registered
class TERRAIN_OT_biome_add(OnTerrain):
    """Add a biome after the active layer"""

    bl_idname = "terrain.biome_add"
    bl_label = "Add Biome"

    biome: EnumProperty(name="Biome", description="The biome to add", items=biome_items)

    @classmethod
    def description(cls, context: bpy.types.Context, properties: Any) -> str:
        return biomes.ready().get(properties.biome) or cls.__doc__ or ""

    @reporting
    def execute(self, context: bpy.types.Context) -> Result:
        mesh, terrain = self.subject(context)
        layers = biomes.load(self.biome, mesh)
        with rebuild.one_rebuild(mesh):
            insert_layers(terrain, layers)
        return {"FINISHED"}


@registered
class TERRAIN_OT_biome_remove(bpy.types.Operator):
    """Delete one of the biomes that you saved"""

    bl_idname = "terrain.biome_remove"
    bl_label = "Remove Biome"
    bl_options = {"REGISTER"}

    biome: EnumProperty(name="Biome", description="The biome to delete", items=own_biome_items)

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        if not biomes.saved():
            cls.poll_message_set("You have not saved any biomes")
            return False
        return True

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> Result:
        return context.window_manager.invoke_props_dialog(self, confirm_text="Remove")

    @reporting
    def execute(self, context: bpy.types.Context) -> Result:
        name = self.biome  # removing it resets the property
        biomes.remove(name)
        self.report({"INFO"}, f"Removed the biome {name!r}")
        return {"FINISHED"}
