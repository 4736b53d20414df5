# SPDX-License-Identifier: GPL-3.0-or-later
"""Add, remove, move, duplicate, reset and randomize layers."""

import random
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import bpy
from bpy.props import EnumProperty, FloatProperty, IntProperty

from ...core import Layer
from ...core.layers import (
    AT_END,
    BEFORE_EROSION,
    LAYERS,
    WHOLE,
    Counts,
    LayerKind,
    Node,
    flattened,
    moved,
    spliced,
    tree,
)
from ...core.recipe import MAX_LAYERS, default_settings_for, varied, varied_settings
from ..app.registration import registered
from ..data.terrains import active_layer, terrain_of
from ..live import rebuild
from ..mesh import terrain_mesh
from ..properties.declare import enum_items
from ..properties.held_rivers import holds_rivers, write_rivers
from ..properties.layer_tree import arrange, node_at, tree_of
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


def usual_place(terrain: Any, kind: type[LayerKind]) -> int | None:
    """Return the place of the layer that one of a kind belongs before, the number of layers if it
    comes last, None if it comes after the active one."""
    group = node_at(terrain, terrain.active_layer) if active_layer(terrain) else None
    inside = group is not None and _takes(terrain, group)
    if kind.belongs == BEFORE_EROSION:
        kinds = [LAYERS.get(item.kind) for item in terrain.layers]
        reworking = (n for n, one in enumerate(kinds) if one and one.depends_on == WHOLE)
        return next(reworking, None)
    # Erosion and the like belong after all other layers, or those of the group that is active.
    last = kind.belongs == AT_END or (kind.depends_on == WHOLE and not inside)
    return len(terrain.layers) if last else None


def _takes(terrain: Any, node: Node) -> bool:
    """Return whether new layers go into an entry: a group that is not folded."""
    return node.members is not None and not terrain.layers[node.place].folded


def insert(terrain: Any, fill: Callable[[Any], None], place: int | None = None) -> None:
    """Insert a layer before the one at a place, make it active and fill it; by default after the
    active one, and into a group that is active and not folded."""
    insert_all(terrain, [fill], [None], place)


def insert_all(
    terrain: Any,
    fills: Sequence[Callable[[Any], None]],
    counts: Counts,
    place: int | None = None,
    *,
    after: bool = False,
) -> None:
    """Insert layers, of which groups count others, and fill them; the last one becomes active.

    ``place`` is as for :func:`insert`. With ``after``, they come after the active one even if that
    is a group.
    """
    check_room(terrain, len(counts))
    last, nodes = len(terrain.layers), tree_of(terrain)
    new = tree([*[None] * last, *counts])[last:]
    if active_layer(terrain) is None or place == last:
        nodes = (*nodes, *new)
    elif place is not None:
        nodes = spliced(nodes, place, lambda node: (*new, node))
    else:

        def added(node: Node) -> Sequence[Node]:
            if after or not _takes(terrain, node):
                return (node, *new)
            return (Node(node.place, (*(node.members or ()), *new)),)

        nodes = spliced(nodes, terrain.active_layer, added)
    arrange(terrain, nodes, last + len(counts) - 1)
    for item, fill in zip(_block(terrain, len(counts)), fills, strict=True):
        fill(item)


def _block(terrain: Any, count: int) -> list[Any]:
    """Return the active layer, and as many before it as make ``count``."""
    end = terrain.active_layer + 1
    return [terrain.layers[n] for n in range(end - count, end)]


def insert_layers(terrain: Any, layers: Sequence[Layer]) -> None:
    """Insert layers after the active one, and color the fields that they produce."""
    sizes = terrain.size_x, terrain.size_y
    fills = [
        partial(write_layer, layer=layer, size_x=sizes[0], size_y=sizes[1]) for layer in layers
    ]
    insert_all(terrain, fills, [layer.settings.holds for layer in layers], after=True)
    for layer in layers:
        show(terrain, layer.settings)


def read_block(terrain: Any) -> tuple[Layer, ...]:
    """Return the active layer; of a group, its layers before it."""
    size = node_at(terrain, terrain.active_layer).size
    return tuple(read_layer(item) for item in _block(terrain, size))


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
    """Remove the active layer; a group with its layers"""

    bl_idname = "terrain.layer_remove"
    bl_label = "Remove Layer"

    @reporting
    def execute(self, context: bpy.types.Context) -> Result:
        mesh, terrain = self.subject(context)
        place, nodes = terrain.active_layer, tree_of(terrain)
        first = place + 1 - node_at(terrain, place).size
        with rebuild.one_rebuild(mesh):
            arrange(terrain, spliced(nodes, place, lambda node: ()), place)
            terrain.active_layer = max(0, min(first, len(terrain.layers) - 1))
        return {"FINISHED"}


@registered
class TERRAIN_OT_layer_duplicate(OnLayer):
    """Copy the active layer, or group with its layers; the copy acts after it"""

    bl_idname = "terrain.layer_duplicate"
    bl_label = "Duplicate Layer"

    @reporting
    def execute(self, context: bpy.types.Context) -> Result:
        mesh, terrain = self.subject(context)
        entries = flattened([node_at(terrain, terrain.active_layer)])
        fills = [partial(_copy_layer, terrain, place) for place, _ in entries]
        counts = [count for _, count in entries]
        with rebuild.one_rebuild(mesh):
            insert_all(terrain, fills, counts, after=True)
        return {"FINISHED"}


@registered
class TERRAIN_OT_layer_move(OnLayer):
    """Move the active layer, also into groups and out; layers higher in the list act first"""

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
        place, nodes = terrain.active_layer, tree_of(terrain)
        step = -1 if self.direction == "UP" else 1
        order = moved(nodes, place, step, lambda group: not terrain.layers[group].folded)
        if order == nodes:
            return {"CANCELLED"}
        with rebuild.one_rebuild(mesh):
            arrange(terrain, order, place)
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


def _copy_layer(terrain: Any, place: int, item: Any) -> None:
    copy_group(terrain.layers[place], item)


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
