# SPDX-License-Identifier: GPL-3.0-or-later
"""Make a mask from geometry nodes by mouse, change its nodes, and add nodes that read the terrain.

The last screenshot is the picture of nodes in the guide *Nodes*.
"""

from typing import Any

import bpy

NAME = "Land"
TERRAIN, MASK = 13, 449
"""Headers of panels below the top of the sidebar, Mask while Terrain is closed."""
NEW = 'bpy.ops.terrain.new_nodes(settings="terrain.layers[1].mask_nodes", setting="nodes")'
PATH = "terrain.layers[1].mask_nodes"
MOSS = (
    ("points", (0, 220), {"Density": 40.0, "Field": "wetness", "Low": 0.4, "High": 0.7}),
    ("field", (0, -80), {"Field": "valley"}),
)
"""Groups of the tree in the guide, where they are, and their inputs."""


def mask() -> Any:
    """Looked up each time: undo replaces what Python holds."""
    return bpy.data.objects[NAME].data.terrain.layers[1].mask_nodes


def prepare(ui):
    """Two layers, the second one active, the panels above the mask closed, a node editor beside."""
    bpy.ops.object.select_all(action="SELECT")
    bpy.ops.object.delete()
    with bpy.context.temp_override(area=ui.view3d(), region=ui.region("WINDOW")):
        bpy.ops.terrain.add(preset="empty", resolution=257)
        for kind in ("fractal_noise", "terrace"):
            bpy.ops.terrain.layer_add(kind=kind)
        bpy.ops.view3d.view_selected()
    bpy.context.object.name = NAME
    for area in bpy.context.window_manager.windows[0].screen.areas:
        if area.type == "PROPERTIES":
            area.ui_type = "GeometryNodeTree"
    bpy.ops.ed.undo_push(message="layers")
    yield from ui.open_tab("Terrain")


def editor() -> Any:
    areas = bpy.context.window_manager.windows[0].screen.areas
    return next(area for area in areas if area.ui_type == "GeometryNodeTree")


def make_mask(ui):
    """Open the panel Mask, switch the mask on, and press New Nodes."""
    yield from ui.rebuilt(NAME)
    before = ui.heights(NAME)
    yield from ui.click_sidebar(TERRAIN)
    yield from ui.click_sidebar(MASK)
    ui.shot("nodes-1-masks")
    x, y = yield from ui.find_button(f"{PATH}.use", across=0.5, start=MASK)
    yield from ui.click(x, y)
    assert mask().use, "the mask is not on"
    ui.shot("nodes-2-empty")
    yield from ui.press_button(NEW, MASK, across=0.7)
    yield from ui.wait_until(lambda: mask().stored != "", "the nodes are not evaluated")
    yield from ui.reshaped(NAME, before, "the mask does nothing")
    yield from ui.rebuilt(NAME)
    ui.shot("nodes-3-mask")
    assert editor().spaces.active.edit_tree.name == mask().nodes, "the nodes are not shown"


def undo_and_redo(ui):
    """Redo has no result, which comes after the step: the nodes are evaluated again."""
    masked = ui.heights(NAME)
    yield from ui.press("ctrl+z")
    yield from ui.wait_until(lambda: mask().nodes == "", "the nodes are left")
    yield from ui.wait_until(lambda: bool((ui.heights(NAME) != masked).any()), "the mask is left")
    yield from ui.press("ctrl+shift+z")
    yield from ui.wait_until(lambda: mask().nodes != "", "the nodes are not back")
    yield from ui.restored(NAME, masked, "the mask is not back")
    yield from ui.rebuilt(NAME)


def change_nodes(ui):
    """A changed node is noticed, whether Blender reports it or not."""
    before, masked = mask().stored, ui.heights(NAME)
    tree = bpy.data.node_groups[mask().nodes]
    noise = next(node for node in tree.nodes if node.bl_idname == "ShaderNodeTexNoise")
    noise.inputs["Scale"].default_value *= 2
    yield from ui.wait_until(lambda: mask().stored != before, "the change is not noticed")
    yield from ui.reshaped(NAME, masked, "the terrain did not follow")
    yield from ui.rebuilt(NAME)
    ui.shot("nodes-4-changed")
    tree.interface.remove(next(one for one in tree.interface.items_tree if one.in_out == "OUTPUT"))
    results = ui.module("blender.live.node_results")
    yield from ui.wait_until(lambda: results.fault_of(mask()) != "", "no message")
    ui.view3d().tag_redraw()
    yield 0.5
    ui.shot("nodes-5-message")
    assert mask().stored, "the last result is gone"


def add_by_menu(ui):
    """Add > Terrain in the node editor, found by typing."""
    bpy.ops.mesh.primitive_plane_add(location=(0.0, 0.0, 80.0))
    item = bpy.context.object
    tree: Any = bpy.data.node_groups.new("Follow", "GeometryNodeTree")
    item.modifiers.new("Follow", "NODES").node_group = tree
    space = editor().spaces.active
    space.pin, space.node_tree = True, tree
    yield 0.5
    region = next(one for one in editor().regions if one.type == "WINDOW")
    x, y = ui.screen_xy(region, region.width * 0.4, region.height * 0.6)
    ui.xdotool("mousemove", int(x), int(y))
    yield 0.5
    ui.xdotool("key", "shift+a")
    yield 1.0
    ui.shot("nodes-6-menu")
    ui.xdotool("type", "--delay", "80", "Snap to Terr")
    yield 1.0
    ui.shot("nodes-7-search")
    ui.xdotool("key", "Return")
    yield 1.0
    yield from ui.click(x, y)  # where it is dropped
    names = [node.node_tree.name for node in tree.nodes if node.bl_idname == "GeometryNodeGroup"]
    assert names == ["Snap to Terrain"], names
    assert tree.nodes[0].inputs["Terrain"].default_value == bpy.data.objects[NAME]
    ui.shot("nodes-8-added")


def picture(ui):
    """The nodes of the guide, in the largest area."""
    tree: Any = bpy.data.node_groups.new("Moss", "GeometryNodeTree")
    tree.interface.new_socket("Geometry", in_out="OUTPUT", socket_type="NodeSocketGeometry")
    area = ui.view3d()
    area.ui_type = "GeometryNodeTree"
    space = area.spaces.active
    space.pin, space.node_tree, space.show_region_ui = True, tree, False
    yield 0.5
    region = next(one for one in area.regions if one.type == "WINDOW")
    made = []
    for key, place, inputs in MOSS:
        with bpy.context.temp_override(area=area, region=region):
            bpy.ops.terrain.add_nodes(group=key)
        node = tree.nodes.active
        node.location = place
        made.append(node)
        for name, value in {**inputs, "Terrain": bpy.data.objects[NAME]}.items():
            node.inputs[name].default_value = value
    moss, spread, end = (
        tree.nodes.new(kind)
        for kind in ("GeometryNodeObjectInfo", "GeometryNodeInstanceOnPoints", "NodeGroupOutput")
    )
    moss.location, spread.location, end.location = (270, 420), (520, 140), (730, 140)
    moss.inputs["Object"].default_value = bpy.data.objects["Plane"]
    bpy.data.objects["Plane"].name = "Moss"
    moss.inputs["As Instance"].default_value = True
    for source, target in (
        (made[0].outputs["Points"], spread.inputs["Points"]),
        (moss.outputs["Geometry"], spread.inputs["Instance"]),
        (made[0].outputs["Rotation"], spread.inputs["Rotation"]),
        (made[1].outputs["Value"], spread.inputs["Scale"]),
        (spread.outputs[0], end.inputs[0]),
    ):
        tree.links.new(source, target)
    for node in tree.nodes:
        node.select = False
    yield 0.5
    with bpy.context.temp_override(area=area, region=region):
        bpy.ops.node.view_all()
    yield 1.0
    ui.shot("nodes-9-tree")


def drive(ui):
    yield from prepare(ui)
    yield from make_mask(ui)
    yield from undo_and_redo(ui)
    yield from change_nodes(ui)
    yield from add_by_menu(ui)
    yield from picture(ui)
