# SPDX-License-Identifier: GPL-3.0-or-later
"""The World panel by mouse: export a terrain, open the overview, load tiles, undo."""

import bpy

LONGEST = 120.0  # seconds that making the tiles may take on a slow machine
FOLDER = "/tmp/world_of_alps"
OUTPUT, WORLD, EXPORT, CANCEL = 150, 257, 84, 57
"""Distance of the header of Output from the top of the sidebar with all panels closed, that of
World within it, and those of its subpanel and of the button that cancels below it."""


def settings():
    return bpy.context.scene.terrain_world


def tiles(ui):
    scene = ui.module("blender.worlds.scene")
    collection = scene.find(bpy.context.scene, FOLDER)
    return scene.tiles_of(collection) if collection else {}


def drive(ui):
    bpy.ops.object.select_all(action="SELECT")
    bpy.ops.object.delete()
    with bpy.context.temp_override(area=ui.view3d(), region=ui.region("WINDOW")):
        bpy.ops.terrain.add(preset="alps", resolution=257)
        bpy.ops.view3d.view_selected()
    yield from ui.open_tab("Terrain")
    for down in (13, 38, OUTPUT, WORLD):  # close Terrain and Layers, open World
        yield from ui.click_sidebar(down)
    yield from exported_and_canceled(ui)
    yield from opened_and_finished(ui)
    yield from loaded_and_undone(ui)


def exported_and_canceled(ui):
    """Finished tiles stay."""
    made = settings()
    made.target, made.side, made.spacing = FOLDER, 257, 2.5
    yield from ui.click_sidebar(WORLD + EXPORT)
    ui.shot("world-1-export")
    yield from ui.press_button("bpy.ops.terrain.world_export()", WORLD, across=0.3)
    running = ui.module("blender.worlds.running").world_run
    yield from ui.wait_until(
        lambda: running.is_busy() and not running.is_planning(), "no tile is begun", LONGEST
    )
    yield from ui.wait_until(lambda: running.progress()[0] > 0, "no tile is made", LONGEST)
    ui.shot("world-2-running")
    yield from ui.click_sidebar(WORLD + CANCEL, 0.82)
    yield from ui.wait_until(lambda: not running.is_busy(), "the export is not canceled")
    ui.shot("world-3-canceled")
    known = ui.module("blender.worlds.status").of(FOLDER, now=True)
    assert 0 < known.made < known.total, known


def opened_and_finished(ui):
    """The overview does without the missing tiles."""
    yield from ui.press_button(
        f'bpy.ops.terrain.world_open(directory="{FOLDER}")', WORLD, across=0.3
    )
    yield from ui.wait_until(
        lambda: bool(bpy.data.collections.get("world_of_alps")), "no overview", LONGEST
    )
    for item in (bpy.data.objects["Alps"], *bpy.data.objects["Alps"].children):
        item.hide_set(True)
    yield 0.5
    ui.shot("world-4-overview")
    yield from ui.press_button("bpy.ops.terrain.world_run()", WORLD, across=0.8)
    running = ui.module("blender.worlds.running").world_run
    yield from ui.wait_until(lambda: not running.is_busy(), "the tiles are not made", LONGEST)
    assert ui.module("blender.worlds.status").of(FOLDER, now=True).is_complete


def loaded_and_undone(ui):
    """All tiles are one step."""
    made = settings()
    made.choose, made.radius, made.coarser, made.detail = "cursor", 1200.0, True, "1"
    yield 0.5
    yield from ui.press_button("bpy.ops.terrain.world_load()", WORLD, across=0.3)
    loading = ui.module("blender.worlds.loading").world_load
    yield from ui.wait_until(
        lambda: bool(tiles(ui)) and not loading.progress(), "no tile is loaded", LONGEST
    )
    yield 0.7
    ui.shot("world-5-loaded")
    count = len(tiles(ui))
    assert count > 3, count
    yield from ui.press("ctrl+z")
    yield from ui.wait_until(lambda: not tiles(ui), "the tiles are not undone")
    yield from ui.press("ctrl+shift+z")
    yield from ui.wait_until(lambda: len(tiles(ui)) == count, "the tiles are not redone")
    view = ui.view3d().spaces.active.region_3d
    view.view_location, view.view_distance = (-600.0, 0.0, 900.0), 1800.0
    yield 1.0
    ui.shot("world-6-near")
