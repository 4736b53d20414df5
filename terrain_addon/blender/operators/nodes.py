# SPDX-License-Identifier: GPL-3.0-or-later
"""Node groups of layers and masks: make one, show it in an editor, evaluate it again."""

from typing import Any, cast

import bpy

from ..app.registration import registered
from ..live import node_results
from ..materials.node_trees import add, arrange, fractal_noise, out, ramp, times
from ..mesh.node_values import group_named
from .base import OnSetting, Result, reporting

GENTLE, STEEP = 15.0, 30.0
"""Degrees between which the result falls to 0."""
PATCHES = 8
"""Sizes of the noise along a side of the terrain."""


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
        made = _starter(min(terrain.size_x, terrain.size_y), is_mask=is_mask)
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


def _starter(size: float, *, is_mask: bool) -> Any:
    """Return a new group that returns noise on gentle slopes: a share, or heights in meters.

    Its input *Slope* is that of the terrain, as every input that is named like a field.
    """
    name = "Terrain Mask" if is_mask else "Terrain Heights"
    tree: Any = bpy.data.node_groups.new(name, cast(Any, "GeometryNodeTree"))
    result = "Mask" if is_mask else "Height"
    help = "From 0 to 1" if is_mask else "Meters"
    for key, way, text in (
        (result, "OUTPUT", help),
        ("Slope", "INPUT", "Degrees; inputs named like a field are that of the terrain below"),
    ):
        tree.interface.new_socket(key, in_out=way, socket_type="NodeSocketFloat", description=text)
    slope = add(tree, "NodeGroupInput").outputs["Slope"]
    place = out(add(tree, "GeometryNodeInputPosition"))
    noise = fractal_noise(tree, place, PATCHES / size, 4.0, 0.5)
    patches = ramp(tree, noise, 0.45, 0.6)
    gentle = ramp(tree, slope, GENTLE, STEEP, 1.0, 0.0)
    made = times(tree, patches, gentle, *([] if is_mask else [size / 100]))
    tree.links.new(made, add(tree, "NodeGroupOutput").inputs[result])
    arrange(tree)
    return tree
