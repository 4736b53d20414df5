# SPDX-License-Identifier: GPL-3.0-or-later
"""The World panel by mouse: export a terrain, open the overview, load tiles, undo."""

import importlib
import time

import bpy

LONGEST = 120.0  # seconds that making the tiles may take on a slow machine
FOLDER = "/tmp/world_of_alps"


def module(name):
    modules = [addon.module for addon in bpy.context.preferences.addons]
    package = next(name for name in modules if name.startswith("bl_ext.user_default."))
    return importlib.import_module(f"{package}.terrain_addon.{name}")


def until(true):
    """Give control back until something holds."""
    end = time.monotonic() + LONGEST
    while not true():
        assert time.monotonic() < end, "nothing came of it"
        yield 0.1


def settings():
    return bpy.context.scene.terrain_world


def tiles():
    scene = module("blender.worlds.scene")
    collection = scene.find(bpy.context.scene, FOLDER)
    return scene.tiles_of(collection) if collection else {}


def press(ui, call, across=0.3):
    """Click the button that calls an operator."""
    x, y = yield from ui.find_button(call, key="ctrl+c", across=across)
    yield from ui.click(x, y)
    yield 0.3


def header(ui, down):
    region = ui.region("UI")
    yield from ui.click(*ui.screen_xy(region, region.width * 0.3, region.height - down))
    yield 0.5


def panels_closed(ui):
    """Close all panels but World: from the top, with Ctrl-click on its header."""
    region = ui.region("UI")
    ui.xdotool("keydown", "ctrl")
    yield from ui.click(*ui.screen_xy(region, region.width * 0.3, region.height - 13))
    ui.xdotool("keyup", "ctrl")
    yield 0.5


def drive(ui):
    bpy.ops.object.select_all(action="SELECT")
    bpy.ops.object.delete()
    with bpy.context.temp_override(area=ui.view3d(), region=ui.region("WINDOW")):
        bpy.ops.terrain.add(preset="alps", resolution=257)
        bpy.ops.view3d.view_selected()
    made = settings()
    made.target, made.side, made.spacing = FOLDER, 257, 8.0
    yield from ui.open_tab("Terrain")
    ui.shot("world-0-tab")
    yield from header(ui, 13)
    yield from header(ui, 38)
    ui.shot("world-1-closed")
