# SPDX-License-Identifier: GPL-3.0-or-later
"""The World panel by mouse: export a terrain, open the overview, load tiles, undo."""

import importlib
import time

import bpy

LONGEST = 120.0  # seconds that making the tiles may take on a slow machine
FOLDER = "/tmp/world_of_alps"
WORLD, EXPORT, CANCEL = 181, 84, 57
"""Distance of the header of the panel from the top of the sidebar with all panels closed, and those
of its subpanel and of the button that cancels below it."""


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
    x, y = yield from ui.find_button(call, key="ctrl+c", across=across, start=WORLD)
    yield from ui.click(x, y)
    yield 0.3


def header(ui, down):
    region = ui.region("UI")
    yield from ui.click(*ui.screen_xy(region, region.width * 0.3, region.height - down))
    yield 0.5


def drive(ui):
    bpy.ops.object.select_all(action="SELECT")
    bpy.ops.object.delete()
    with bpy.context.temp_override(area=ui.view3d(), region=ui.region("WINDOW")):
        bpy.ops.terrain.add(preset="alps", resolution=257)
        bpy.ops.view3d.view_selected()
    yield from ui.open_tab("Terrain")
    for down in (13, 38, WORLD):  # close Terrain and Layers, open World
        yield from header(ui, down)
    yield from exported_and_canceled(ui)
    yield from opened_and_finished(ui)
    yield from loaded_and_undone(ui)


def exported_and_canceled(ui):
    """Finished tiles stay."""
    made = settings()
    made.target, made.side, made.spacing = FOLDER, 257, 2.5
    yield from header(ui, WORLD + EXPORT)
    ui.shot("world-1-export")
    yield from press(ui, "bpy.ops.terrain.world_export()")
    running = module("blender.worlds.running")
    yield from until(lambda: running.is_busy() and not running.is_planning())
    yield from until(lambda: running.progress()[0] > 0)
    ui.shot("world-2-running")
    region = ui.region("UI")
    yield from ui.click(*ui.screen_xy(region, region.width * 0.82, region.height - WORLD - CANCEL))
    yield 0.5
    ui.shot("world-3-canceled")
    assert not running.is_busy()
    known = module("blender.worlds.status").of(FOLDER, now=True)
    assert 0 < known.made < known.total, known


def opened_and_finished(ui):
    """The overview does without the missing tiles."""
    yield from press(ui, f'bpy.ops.terrain.world_open(directory="{FOLDER}")')
    yield from until(lambda: bpy.data.collections.get("world_of_alps"))
    for item in (bpy.data.objects["Alps"], *bpy.data.objects["Alps"].children):
        item.hide_set(True)
    yield 0.5
    ui.shot("world-4-overview")
    yield from press(ui, "bpy.ops.terrain.world_run()", across=0.8)
    running = module("blender.worlds.running")
    yield from until(lambda: not running.is_busy())
    assert module("blender.worlds.status").of(FOLDER, now=True).is_complete


def loaded_and_undone(ui):
    """All tiles are one step."""
    made = settings()
    made.choose, made.radius, made.coarser, made.detail = "cursor", 1200.0, True, "1"
    yield 0.5
    yield from press(ui, "bpy.ops.terrain.world_load()")
    loading = module("blender.worlds.loading")
    yield from until(lambda: tiles() and not loading.progress())
    yield 0.7
    ui.shot("world-5-loaded")
    count = len(tiles())
    assert count > 3, count
    yield from ui.press("ctrl+z")
    yield 0.5
    assert not tiles()
    yield from ui.press("ctrl+shift+z")
    yield 0.5
    assert len(tiles()) == count
    view = ui.view3d().spaces.active.region_3d
    view.view_location, view.view_distance = (-600.0, 0.0, 900.0), 1800.0
    yield 1.0
    ui.shot("world-6-near")
