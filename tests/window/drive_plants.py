# SPDX-License-Identifier: GPL-3.0-or-later
"""Add plants from the sidebar, draw a river, move it by mouse, and see the trees leave its bed."""

from typing import Any

import bpy
import numpy as np

WIDTH = 250
TERRAIN, LAYERS, SCENE = 13, 38, 88
"""Headers of panels below the top of the sidebar, each while those above are closed."""
SETS, SETS_ACROSS = 177, 0.5
NAME = "Valley"
SIZE = 800.0
HALF = 4.0
"""Meters from the middle of the river in which nothing may stand."""


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


def near(curve):
    """How many plants stand in the river along a curve."""
    spline = bpy.data.objects[curve].evaluated_get(bpy.context.evaluated_depsgraph_get())
    mesh = spline.to_mesh()
    line = np.array([vertex.co[:2] for vertex in mesh.vertices])
    fine = np.concatenate([line + (np.roll(line, -1, 0) - line) * t for t in np.linspace(0, 1, 30)])
    fine = fine[np.abs(fine).max(axis=1) < SIZE / 2]
    away = [np.hypot(*(fine - place[:2]).T).min() for place in places()[::3]]
    return int((np.array(away) < HALF).sum())


def drive(ui):
    bpy.ops.object.select_all(action="SELECT")
    bpy.ops.object.delete()
    with bpy.context.temp_override(area=ui.view3d(), region=ui.region("WINDOW")):
        bpy.ops.terrain.add(preset="rolling_downs", resolution=129)
        bpy.ops.terrain.scale(factor=0.4)
        bpy.ops.view3d.view_selected()
    bpy.context.object.name = NAME
    yield from ui.rebuilt(NAME)
    yield from add_from_the_sidebar(ui)
    with bpy.context.temp_override(area=ui.view3d(), region=ui.region("WINDOW")):
        bpy.ops.terrain.draw(kind="river")
    curve = bpy.context.object.name
    bpy.ops.ed.undo_push(message="river")
    yield from settled(ui, "the plants do not leave the river")
    ui.shot("plants-river")
    assert near(curve) == 0, near(curve)
    yield from move(ui, curve)


def settled(ui, what):
    """Wait until the terrain is complete and its plants have grown."""
    live = ui.module("blender.live.plants")
    yield 0.5
    yield from ui.rebuilt(NAME)
    yield from ui.wait_until(lambda: not live.is_growing(plants()), what)
    yield 1.0


def add_from_the_sidebar(ui):
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
    for letter in ("t", "Return"):
        ui.xdotool("key", letter)
        yield 0.5
    yield from ui.wait_until(lambda: plants() is not None, "no plants were added")
    yield from settled(ui, "the plants do not grow")
    ui.activate(NAME)
    ui.view3d().tag_redraw()
    yield 2.0
    ui.shot("plants-added")
    assert len(places()) > 100


def move(ui, curve):
    """The trees follow a river that is moved, and its undo."""
    ui.activate(curve)
    before, old = ui.heights(NAME), places().copy()
    x, y = ui.screen_xy(ui.region("WINDOW"), 300, 300)
    yield from ui.press("g")
    yield from ui.click(x + 60, y + 20)
    yield from ui.reshaped(NAME, before, "the river is not followed")
    yield from settled(ui, "the plants do not follow")
    ui.activate(NAME)
    yield 1.0
    ui.shot("plants-moved")
    assert not np.array_equal(places(), old)
    yield from ui.press("ctrl+z")
    yield from settled(ui, "undo is not followed")
    ui.shot("plants-undone")
    assert len(places()) == len(old)
