# SPDX-License-Identifier: GPL-3.0-or-later
"""Add plants from the sidebar, draw a river, move it by mouse, and see the trees leave its bed."""

from typing import Any

import bpy
import numpy as np
from mathutils.bvhtree import BVHTree

WIDTH = 250
TERRAIN, LAYERS, SCENE = 13, 38, 88
"""Headers of panels below the top of the sidebar, each while those above are closed."""
SETS, SETS_ACROSS = 177, 0.5
NAME = "Valley"
SCALE = 0.2
"""The preset is 4 km wide: the plants of 800 m are soon drawn without a graphics card."""
BESIDE = 10.0
"""Meters from the curve within which water belongs to its river."""
BANK = 0.3
"""Meters from the edge of the water that are no fault: its outline is cut at bends."""


def plants() -> Any:
    """Looked up each time: undo replaces what Python holds."""
    return next(
        (one for one in bpy.data.objects if one.type == "MESH" and one.terrain_plants.is_plants),
        None,
    )


def places():
    mesh = plants().data
    found = np.empty(3 * len(mesh.vertices), np.float32)
    mesh.attributes["position"].data.foreach_get("vector", found)
    return found.reshape(-1, 3)


def line(curve):
    """Points along a curve, on the map."""
    item = bpy.data.objects[curve].evaluated_get(bpy.context.evaluated_depsgraph_get())
    found = [item.matrix_world @ vertex.co for vertex in item.to_mesh().vertices]
    item.to_mesh_clear()
    return np.array(found)[:, :2]


def in_the_water(ui, curve, points):
    """How many points lie on the water of the river along a curve, as the viewport shows it."""
    (water,) = ui.module("blender.data.water_objects").waters_of(bpy.data.objects[NAME])["Rivers"]
    river = water.data
    flat = [(*vertex.co[:2], 0.0) for vertex in river.vertices]
    course = line(curve)
    faces = [
        tuple(face.vertices)
        for face in river.polygons
        if np.hypot(*(course - face.center[:2]).T).min() < BESIDE
    ]
    assert len(faces) > 20, "the river has no water"
    tree = BVHTree.FromPolygons(flat, faces)
    around = [(BANK, 0), (-BANK, 0), (0, BANK), (0, -BANK)]
    return sum(
        all(tree.find_nearest((x + dx, y + dy, 0.0), 0.01)[0] for dx, dy in around)
        for x, y, _ in points.tolist()
    )


def drive(ui):
    bpy.ops.object.select_all(action="SELECT")
    bpy.ops.object.delete()
    with bpy.context.temp_override(area=ui.view3d(), region=ui.region("WINDOW")):
        bpy.ops.terrain.add(preset="rolling_downs", resolution=129)
        bpy.ops.terrain.scale(factor=SCALE)
    bpy.context.object.name = NAME
    yield from ui.rebuilt(NAME)
    with bpy.context.temp_override(area=ui.view3d(), region=ui.region("WINDOW")):
        bpy.ops.view3d.view_selected()
    yield from add_from_the_sidebar(ui)
    dry = places().copy()
    with bpy.context.temp_override(area=ui.view3d(), region=ui.region("WINDOW")):
        bpy.ops.terrain.draw(kind="river")
    curve = bpy.context.object.name
    bpy.ops.ed.undo_push(message="river")
    yield from settled(ui, "the plants do not leave the river")
    ui.shot("plants-river")
    assert in_the_water(ui, curve, dry) > 0, "nothing grew where the river is now"
    assert in_the_water(ui, curve, places()) == 0
    yield from move(ui, curve)


def settled(ui, what):
    """Wait until the terrain is complete and its plants have grown."""
    live = ui.module("blender.live.plants")
    yield 0.5
    yield from ui.rebuilt(NAME)
    yield from ui.wait_until(lambda: not live.is_growing(plants()), what)
    yield 1.0


def add_from_the_sidebar(ui):
    """Choose a set of species in the panel Scene by mouse and key."""
    yield from ui.open_tab("Terrain")
    sidebar = ui.region("UI")
    x, y = ui.screen_xy(sidebar, 1, sidebar.height / 2)
    yield from ui.drag(x, y, x + sidebar.width - WIDTH, y)
    for header in (TERRAIN, LAYERS, SCENE):
        yield from ui.click_sidebar(header)
    ui.shot("plants-scene")
    yield from ui.click_sidebar(SETS, SETS_ACROSS)
    yield 1.0
    ui.shot("plants-menu")
    ui.xdotool("key", "t")
    yield from ui.wait_until(lambda: plants() is not None, "no plants were added")
    yield from settled(ui, "the plants do not grow")
    yield 2.0
    ui.shot("plants-added")
    assert plants().terrain_plants.species == "temperate"
    assert len(places()) > 1000


def move(ui, curve):
    """The plants follow a river that is moved by mouse, its undo, and its redo."""
    before, old = ui.heights(NAME), places().copy()
    x, y = ui.screen_xy(ui.region("WINDOW"), 300, 300)
    yield from ui.press("g")
    yield from ui.click(x + 60, y + 20)
    yield from ui.reshaped(NAME, before, "the river is not followed")
    yield from settled(ui, "the plants do not follow")
    ui.shot("plants-moved")
    moved = places().copy()
    assert in_the_water(ui, curve, old) > 0, "the river was not moved"
    assert in_the_water(ui, curve, moved) == 0
    yield from ui.press("ctrl+z")
    yield from ui.restored(NAME, before, "undo does not bring back the terrain")
    yield from settled(ui, "undo is not followed")
    ui.shot("plants-undone")
    assert np.array_equal(places(), old)
    yield from ui.press("ctrl+shift+z")
    yield from settled(ui, "redo is not followed")
    assert np.array_equal(places(), moved)
