# SPDX-License-Identifier: GPL-3.0-or-later
"""Add, remove, move and duplicate layers."""

from collections.abc import Callable
from typing import Any

import bpy
from bpy.props import EnumProperty

from ...core import Layer
from ...core.layers import LAYERS, WHOLE, LayerKind
from ...core.recipe import MAX_LAYERS, default_settings_for
from ..data import keyframes
from ..data.terrains import active_layer
from ..live import rebuild
from ..mesh import terrain_mesh
from ..properties.declare import enum_items
from ..properties.recipe import copy_group, read_palette, write_layer, write_settings
from .base import OnTerrain, Result, reporting


class _OnLayer(OnTerrain):
    """Base of operators that need an active layer."""

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        if not super().poll(context):
            return False
        if active_layer(cls.subject(context)[1]) is None:
            cls.poll_message_set("No active layer: add or select one")
            return False
        return True


def _add(terrain: Any, fill: Callable[[Any], None], *, at_end: bool = False) -> None:
    """Insert a layer after the active one, or at the end, make it active and fill it."""
    last = len(terrain.layers)
    if last >= MAX_LAYERS:
        raise ValueError(f"A terrain has at most {MAX_LAYERS} layers")
    place = last if at_end else min(terrain.active_layer + 1, last)
    keyframes.renumber(terrain.id_data, keyframes.LAYERS, keyframes.after_adding(last, place))
    terrain.layers.add()
    terrain.layers.move(last, place)
    terrain.active_layer = place
    fill(terrain.layers[place])


def _color(group: Any, settings: LayerKind) -> None:
    """Color a new layer that has a color of its own."""
    palette = read_palette(group)
    colored = palette.with_fields(settings.colored_fields())
    if colored != palette:
        write_settings(group, colored)
        for region in colored.regions:
            if region not in palette.regions:
                write_settings(group.regions.add(), region)


class TERRAIN_OT_layer_add(OnTerrain):
    """Add a layer after the active one, with sizes and heights that fit the terrain"""

    bl_idname = "terrain.layer_add"
    bl_label = "Add Layer"

    kind: str  # an EnumProperty, see register()

    @classmethod
    def description(cls, context: bpy.types.Context, properties: Any) -> str:
        return LAYERS[properties.kind].help if properties.kind in LAYERS else cls.__doc__ or ""

    @reporting
    def execute(self, context: bpy.types.Context) -> Result:
        mesh, terrain = self.subject(context)
        sizes = terrain.size_x, terrain.size_y
        heights = terrain_mesh.range_of(mesh, terrain_mesh.HEIGHT)
        sea = terrain.water.level if terrain.water.show else None
        settings = default_settings_for(LAYERS[self.kind], *sizes, heights, sea=sea)
        layer = Layer.of(settings)
        # Erosion and the like belong after all other layers, whichever is active.
        at_end = settings.depends_on == WHOLE
        with rebuild.one_rebuild(mesh):
            _add(terrain, lambda item: write_layer(item, layer, *sizes), at_end=at_end)
            _color(terrain.palette, settings)
        return {"FINISHED"}


class TERRAIN_OT_layer_remove(_OnLayer):
    """Remove the active layer"""

    bl_idname = "terrain.layer_remove"
    bl_label = "Remove Layer"

    @reporting
    def execute(self, context: bpy.types.Context) -> Result:
        mesh, terrain = self.subject(context)
        places = keyframes.after_removing(len(terrain.layers), terrain.active_layer)
        with rebuild.one_rebuild(mesh):
            keyframes.renumber(mesh, keyframes.LAYERS, places)
            terrain.layers.remove(terrain.active_layer)
            terrain.active_layer = max(0, min(terrain.active_layer, len(terrain.layers) - 1))
        return {"FINISHED"}


class TERRAIN_OT_layer_duplicate(_OnLayer):
    """Copy the active layer with all its settings; the copy acts after it"""

    bl_idname = "terrain.layer_duplicate"
    bl_label = "Duplicate Layer"

    @reporting
    def execute(self, context: bpy.types.Context) -> Result:
        mesh, terrain = self.subject(context)
        place = terrain.active_layer
        with rebuild.one_rebuild(mesh):
            _add(terrain, lambda item: copy_group(terrain.layers[place], item))
        return {"FINISHED"}


class TERRAIN_OT_layer_move(_OnLayer):
    """Move the active layer; layers higher in the list act first"""

    bl_idname = "terrain.layer_move"
    bl_label = "Move Layer"

    direction: EnumProperty(
        name="Direction",
        description="Where to move the layer in the list",
        items=enum_items(
            (
                ("UP", "Up", "The layer acts earlier", "TRIA_UP"),
                ("DOWN", "Down", "The layer acts later", "TRIA_DOWN"),
            )
        ),
    )

    @reporting
    def execute(self, context: bpy.types.Context) -> Result:
        mesh, terrain = self.subject(context)
        place = terrain.active_layer + (-1 if self.direction == "UP" else 1)
        if not 0 <= place < len(terrain.layers):
            return {"CANCELLED"}
        places = keyframes.after_moving(len(terrain.layers), terrain.active_layer, place)
        with rebuild.one_rebuild(mesh):
            keyframes.renumber(mesh, keyframes.LAYERS, places)
            terrain.layers.move(terrain.active_layer, place)
            terrain.active_layer = place
        return {"FINISHED"}


def register() -> None:
    """Declare the kinds of layers that exist now."""
    TERRAIN_OT_layer_add.__annotations__["kind"] = EnumProperty(
        name="Kind",
        description="What the new layer does",
        items=enum_items((k, c.label, c.help, c.icon) for k, c in LAYERS.items()),
    )
