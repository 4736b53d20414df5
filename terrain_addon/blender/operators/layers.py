# SPDX-License-Identifier: GPL-3.0-or-later
"""Add, remove, move, duplicate, reset and randomize layers."""

import random
from collections.abc import Callable
from typing import Any

import bpy
from bpy.props import EnumProperty, FloatProperty, IntProperty

from ...core import Layer
from ...core.layers import AT_END, BEFORE_EROSION, LAYERS, WHOLE, LayerKind
from ...core.recipe import MAX_LAYERS, default_settings_for, varied, varied_settings
from ..app.registration import registered
from ..data import keyframes
from ..data.terrains import active_layer, terrain_of
from ..live import rebuild
from ..mesh import terrain_mesh
from ..properties.declare import enum_items
from ..properties.held_rivers import holds_rivers, write_rivers
from ..properties.recipe import copy_group, read_layer, read_palette, write_layer, write_settings
from .base import OnTerrain, Result, reporting

SEEDS = 100_000


class OnLayer(OnTerrain):
    """Base of operators that need an active layer."""

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        if not super().poll(context):
            return False
        if active_layer(cls.subject(context)[1]) is None:
            cls.poll_message_set("No active layer: add or select one")
            return False
        return True


def check_room(terrain: Any, count: int) -> None:
    """Raise ValueError if a terrain has no room for ``count`` more layers."""
    if len(terrain.layers) + count > MAX_LAYERS:
        raise ValueError(f"A terrain has at most {MAX_LAYERS} layers")


def usual_place(terrain: Any, kind: type[LayerKind] | None = None) -> int:
    """Return where a layer of a kind belongs in the list; without a kind, after the active one."""
    last = len(terrain.layers)
    place = min(terrain.active_layer + 1, last)
    if kind is None:
        return place
    if kind.belongs == BEFORE_EROSION:
        kinds = [LAYERS.get(item.kind) for item in terrain.layers]
        reworking = (n for n, one in enumerate(kinds) if one and one.depends_on == WHOLE)
        return next(reworking, place)
    # Erosion and the like belong after all other layers, whichever is active.
    return last if kind.belongs == AT_END or kind.depends_on == WHOLE else place


def insert(terrain: Any, fill: Callable[[Any], None], place: int | None = None) -> None:
    """Insert a layer at a place, by default after the active one, make it active and fill it."""
    check_room(terrain, 1)
    last = len(terrain.layers)
    place = usual_place(terrain) if place is None else place
    keyframes.renumber(terrain.id_data, keyframes.LAYERS, keyframes.after_adding(last, place))
    terrain.layers.add()
    terrain.layers.move(last, place)
    terrain.active_layer = place
    fill(terrain.layers[place])


def usual_layer(mesh: bpy.types.Mesh, kind: type[LayerKind]) -> Layer:
    """Make a layer of a kind, with sizes and heights that fit the terrain."""
    terrain = terrain_of(mesh)
    sea = terrain.water.level if terrain.water.show else None
    heights = terrain_mesh.range_of(mesh, terrain_mesh.HEIGHT)
    layers = [read_layer(layer) for layer in terrain.layers]
    size = terrain.size_x, terrain.size_y
    return Layer.of(default_settings_for(kind, *size, heights, sea=sea, layers=layers))


def show(terrain: Any, settings: LayerKind) -> None:
    """Color a new layer that has a color of its own, and show the water of one that holds some."""
    if settings.water:
        setattr(terrain.water, settings.water, True)
    group = terrain.palette
    palette = read_palette(group)
    colored = palette.with_fields(settings.colored_fields())
    if colored != palette:
        write_settings(group, colored)
        for region in colored.regions:
            if region not in palette.regions:
                write_settings(group.regions.add(), region)


@registered
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
        layer = usual_layer(mesh, LAYERS[self.kind])
        settings, sizes = layer.settings, (terrain.size_x, terrain.size_y)
        place = usual_place(terrain, type(settings))
        with rebuild.one_rebuild(mesh):
            insert(terrain, lambda item: write_layer(item, layer, *sizes), place)
            show(terrain, settings)
        return {"FINISHED"}


@registered
class TERRAIN_OT_layer_remove(OnLayer):
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


@registered
class TERRAIN_OT_layer_duplicate(OnLayer):
    """Copy the active layer with all its settings; the copy acts after it"""

    bl_idname = "terrain.layer_duplicate"
    bl_label = "Duplicate Layer"

    @reporting
    def execute(self, context: bpy.types.Context) -> Result:
        mesh, terrain = self.subject(context)
        place = terrain.active_layer
        with rebuild.one_rebuild(mesh):
            insert(terrain, lambda item: copy_group(terrain.layers[place], item))
        return {"FINISHED"}


@registered
class TERRAIN_OT_layer_move(OnLayer):
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


@registered
class TERRAIN_OT_layer_reset(OnLayer):
    """Give the active layer the settings of a new one. Its name and masks stay"""

    bl_idname = "terrain.layer_reset"
    bl_label = "Reset Layer"

    @reporting
    def execute(self, context: bpy.types.Context) -> Result:
        mesh, terrain = self.subject(context)
        item = active_layer(terrain)
        usual = usual_layer(mesh, type(read_layer(item).settings))
        with rebuild.one_rebuild(mesh):
            item.blend, item.opacity = usual.blend, usual.opacity
            write_settings(getattr(item, item.kind), usual.settings)
            write_rivers(item, {})
        return {"FINISHED"}


@registered
class TERRAIN_OT_layer_randomize(OnLayer):
    """Vary the settings of the active layer around their values, except those that are locked"""

    bl_idname = "terrain.layer_randomize"
    bl_label = "Randomize Layer"

    seed: IntProperty(
        name="Seed",
        description="Number that selects a variation",
        default=1,
        min=1,
        options={"SKIP_SAVE"},
    )
    strength: FloatProperty(
        name="Strength",
        description="How far the settings vary: at 1, from half to double their values",
        default=0.4,
        min=0.0,
        max=1.0,
        subtype="FACTOR",
    )

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> Result:
        self.seed = random.randrange(1, SEEDS)
        return self.execute(context)

    @reporting
    def execute(self, context: bpy.types.Context) -> Result:
        mesh, terrain = self.subject(context)
        item = active_layer(terrain)
        settings = read_layer(item).settings
        made = varied(settings, self.seed, self.strength, _locked(item, settings))
        if made == settings:
            raise ValueError("All settings of this layer are locked, off or automatic")
        with rebuild.one_rebuild(mesh):
            write_settings(getattr(item, item.kind), made)
        return {"FINISHED"}


@registered
class TERRAIN_OT_find_rivers(OnTerrain):
    """Let the rivers of erosion follow the heights that the terrain has now"""

    bl_idname = "terrain.find_rivers"
    bl_label = "Find Rivers Again"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        if not super().poll(context):
            return False
        if not holds_rivers(cls.subject(context)[1]):
            cls.poll_message_set("The rivers are those of the terrain as it is")
            return False
        return True

    @reporting
    def execute(self, context: bpy.types.Context) -> Result:
        mesh, terrain = self.subject(context)
        with rebuild.one_rebuild(mesh):
            for item in terrain.layers:
                write_rivers(item, {})
        return {"FINISHED"}


def _locked(item: Any, settings: LayerKind) -> list[str]:
    locks = getattr(item, item.kind).locks
    return [setting.name for setting in varied_settings(settings) if getattr(locks, setting.name)]


def register() -> None:
    """Declare the kinds of layers that exist now."""
    TERRAIN_OT_layer_add.__annotations__["kind"] = EnumProperty(
        name="Kind",
        description="What the new layer does",
        items=enum_items((k, c.label, c.help, c.icon) for k, c in LAYERS.items()),
    )
