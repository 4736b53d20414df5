# SPDX-License-Identifier: GPL-3.0-or-later
"""Add node groups of terrains to geometry nodes, or offer them as assets."""

from pathlib import Path
from typing import Any

import bpy
from bpy.props import EnumProperty, StringProperty

from ...core.analysis import FIELDS
from ..app.registration import registered
from ..data.terrains import is_terrain_object, terrain_of, why_not_editable
from ..objects.field_nodes import GROUPS, node_group
from ..properties.declare import enum_items
from ..properties.recipe import SWITCHES, read_bare
from .base import UNSEEN, Result, reporting

_USED = {"field": ("slope",), "distance": ("flow", "road")}
"""Fields that a group reads by default."""
_LINES = ("river", "road")
"""Layers whose curves are rivers and roads."""


@registered
class TERRAIN_OT_add_nodes(bpy.types.Operator):
    """Add nodes that read a terrain; it stores the field from then on"""

    bl_idname = "terrain.add_nodes"
    bl_label = "Add Terrain Nodes"
    bl_options = {"REGISTER", "UNDO"}

    group: EnumProperty(
        name="Nodes",
        description="What is added",
        items=enum_items((key, one.name, one.help, "NONE") for key, one in GROUPS.items()),
    )
    field: StringProperty(name="Field", description="Name of the field to read", options=UNSEEN)

    @classmethod
    def description(cls, context: bpy.types.Context, properties: Any) -> str:
        """Return the tooltip of a menu entry: what the group or the field is."""
        found = FIELDS.get(properties.field)
        return found.help if found else GROUPS[properties.group].help

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        if edited_tree(context) is None:
            cls.poll_message_set("Open a geometry nodes tree in the node editor")
            return False
        return True

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> Result:
        space: Any = context.space_data
        space.cursor_location_from_region(event.mouse_region_x, event.mouse_region_y)
        result = self.execute(context)
        if "FINISHED" in result:  # as Blender's own nodes do
            bpy.ops.node.translate_attach_remove_on_cancel("INVOKE_DEFAULT")
        return result

    @reporting
    def execute(self, context: bpy.types.Context) -> Result:
        tree = edited_tree(context)
        made = node_group(self.group)
        if tree == made or made.contains_tree(tree):
            raise ValueError(f"{made.name} cannot contain itself: open another tree")
        for node in tree.nodes:
            node.select = False
        node = tree.nodes.new("GeometryNodeGroup")
        node.node_tree, node.location, node.width = made, _cursor(context), 190.0
        tree.nodes.active = node
        if self.field:
            node.inputs["Field"].default_value = self.field
        if terrain := _usual_terrain(context):
            node.inputs["Terrain"].default_value = terrain
            self._prepare(node, terrain)
        return {"FINISHED"}

    def _prepare(self, node: Any, terrain: Any) -> None:
        """Let the terrain store what the node reads, and let the node count its drawn curves."""
        if self.group == "distance" and (drawn := _drawn_lines(terrain)):
            node.inputs["Curves"].default_value = _lines(terrain, drawn)
        if why_not_editable(terrain.data):
            return
        names = (self.field,) if self.field else _USED.get(self.group, ())
        for name in names:
            if name in SWITCHES:
                setattr(terrain_of(terrain.data).attributes, name, True)


@registered
class TERRAIN_OT_mark_nodes(bpy.types.Operator):
    """Show the node groups of terrains in the Asset Browser, for all files if saved in a library"""

    bl_idname = "terrain.mark_nodes"
    bl_label = "Mark Nodes as Assets"
    bl_options = {"REGISTER", "UNDO"}

    @reporting
    def execute(self, context: bpy.types.Context) -> Result:
        for key, group in GROUPS.items():
            made = node_group(key)
            made.asset_mark()
            made.asset_data.description = group.help
            made.asset_data.tags.new("Terrain", skip_if_exists=True)
        library = _library_of_this_file(context)
        then = (
            f"save this file: the library {library} has them then"
            if library
            else "save this file in an asset library, which has them then"
        )
        self.report({"INFO"}, f"Marked {len(GROUPS)} node groups; {then}")
        return {"FINISHED"}


def _library_of_this_file(context: bpy.types.Context) -> str:
    """Return the name of the registered asset library that the open file lies in, or nothing."""
    here = Path(bpy.data.filepath)
    for one in context.preferences.filepaths.asset_libraries:
        root = Path(bpy.path.abspath(one.path))
        if one.path and bpy.data.filepath and root in here.parents:
            return one.name
    return ""


def edited_tree(context: bpy.types.Context) -> Any:
    """Return the geometry nodes that are edited in the context's editor, or None."""
    space: Any = context.space_data
    if space is None or space.type != "NODE_EDITOR" or space.tree_type != "GeometryNodeTree":
        return None
    tree = space.edit_tree
    return tree if tree and tree.is_editable else None


def _drawn_lines(terrain: Any) -> list[bpy.types.Object]:
    """Return the curves of the layers River and Road."""
    layers = read_bare(terrain_of(terrain.data)).layers
    names = [name for one in layers if one.settings.key in _LINES for name in one.shape_names]
    found = [(bpy.data.objects.get(name), bpy.data.collections.get(name)) for name in names]
    return [
        item
        for own, group in found
        for item in ([own] if own else group.all_objects if group else [])
        if item.type == "CURVE"
    ]


def _lines(terrain: Any, drawn: list[bpy.types.Object]) -> bpy.types.Collection:
    """Return the collection, in no scene, that holds these curves of a terrain."""
    name = f"{terrain.name} Rivers and Roads"
    found = bpy.data.collections.get(name) or bpy.data.collections.new(name)
    for item in drawn:
        if item.name not in found.objects:
            found.objects.link(item)
    return found


def _cursor(context: bpy.types.Context) -> Any:
    space: Any = context.space_data
    return space.cursor_location


def _usual_terrain(context: bpy.types.Context) -> bpy.types.Object | None:
    """Return the terrain of the scene, the selected one of several.

    The owner of the nodes cannot read itself.
    """
    owner = context.object
    found = [item for item in context.scene.objects if is_terrain_object(item) and item != owner]
    return next((item for item in found if item.select_get()), found[0] if found else None)
