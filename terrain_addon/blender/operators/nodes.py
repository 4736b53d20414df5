# SPDX-License-Identifier: GPL-3.0-or-later
"""Node groups of layers and masks: make one, show it in an editor, evaluate it again."""

from typing import Any

import bpy

from ..app.registration import registered
from ..live import node_results
from ..mesh.node_values import group_named
from ..objects.starter_nodes import starter
from .base import OnSetting, Result, reporting


class OnNodes(OnSetting):
    """Base of operators on the nodes of a layer or mask."""

    def of_active(self, layer: Any) -> Any:
        """Return the active layer's settings if they have nodes, otherwise its mask."""
        if layer is None:
            raise ValueError("Add a layer for the nodes first")
        own = getattr(layer, layer.kind)
        return own if hasattr(own, "nodes") else layer.mask_nodes


@registered
class TERRAIN_OT_new_nodes(OnNodes):
    """Make a small node group to start from: noise on gentle slopes"""

    bl_idname = "terrain.new_nodes"
    bl_label = "New Nodes"

    @reporting
    def execute(self, context: bpy.types.Context) -> Result:
        mesh, terrain = self.subject(context)
        group = self.group(mesh, terrain)
        is_mask = hasattr(group, "use")
        made = starter(min(terrain.size_x, terrain.size_y), is_mask=is_mask)
        if is_mask:
            group.use = True
        group.nodes = made.name
        _show(context, made)
        return {"FINISHED"}


@registered
class TERRAIN_OT_show_nodes(OnNodes):
    """Show the node group in the Geometry Node Editor of this window"""

    bl_idname = "terrain.show_nodes"
    bl_label = "Show Nodes"
    reads_only = True

    @reporting
    def execute(self, context: bpy.types.Context) -> Result:
        mesh, terrain = self.subject(context)
        if not _show(context, group_named(self.group(mesh, terrain).nodes)):
            raise ValueError("Turn an area of this window into a Geometry Node Editor first")
        return {"FINISHED"}


@registered
class TERRAIN_OT_evaluate_nodes(OnNodes):
    """Evaluate the nodes of this terrain again, for instance after objects that they read moved"""

    bl_idname = "terrain.evaluate_nodes"
    bl_label = "Evaluate Nodes"

    @reporting
    def execute(self, context: bpy.types.Context) -> Result:
        mesh, terrain = self.subject(context)
        group = self.group(mesh, terrain)
        node_results.refresh(mesh, again=True)
        if fault := node_results.fault_of(group):
            raise ValueError(fault)
        return {"FINISHED"}


def _show(context: bpy.types.Context, tree: Any) -> bool:
    """Pin a node tree in an open editor of geometry nodes; return whether there is one."""
    window = context.window
    for area in window.screen.areas if window else ():
        if area.ui_type == "GeometryNodeTree":
            space: Any = area.spaces.active
            space.pin, space.node_tree = True, tree
            return True
    return False
