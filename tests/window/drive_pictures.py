# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures in menus are buttons: a click on one, or on its name, does what the picture shows."""

from collections.abc import Generator
from typing import Any

import bpy

LEFT, TOP = 350, 150
"""Where the menus open, in pixels from the corner of the viewport."""
COLUMNS = (93, 248, 394, 539)
"""Middles of the pictures of presets, in pixels of the screen."""
DOWN = 30
"""Pixels from a place that is asked to the next: pictures are 80 or more high."""


def open_menu(ui: Any, name: str):
    """Open a menu under the mouse."""
    region = ui.region("WINDOW")
    x, y = ui.screen_xy(region, LEFT, region.height - TOP)
    ui.xdotool("mousemove", int(x), int(y))
    yield 0.3
    with bpy.context.temp_override(area=ui.view3d(), region=region):
        bpy.ops.wm.call_menu(name=f"TERRAIN_MT_{name}")
    yield 1.0
    ui.xdotool("mousemove_relative", "--", "2", "2")
    yield 1.5
    ui.shot(f"pictures-{name}")


def down(ui: Any, x: int, top: int, bottom: int) -> Generator[float, None, dict[str, list[int]]]:
    """How far down a click does what, by the first value in the call that Ctrl-C copies there."""
    manager, places = bpy.context.window_manager, dict[str, list[int]]()
    for y in range(top, bottom, DOWN):
        ui.xdotool("mousemove", x, y)
        yield 0.1
        manager.clipboard = ""
        ui.xdotool("key", "ctrl+c")
        yield 0.1
        if "=" in manager.clipboard:
            value = manager.clipboard.split("=")[1].split(",")[0].strip("()'\"")
            places.setdefault(value, []).append(y)
    return places


def click_preset(ui: Any, name: str, top: int, at: int) -> Generator[float, None, None]:
    """Click the picture (0) or the name (-1) of a preset, in the column that has it."""
    for x in COLUMNS:
        places = yield from down(ui, x, top, 680)
        if name in places:
            yield from ui.click(x, places[name][at])
            return
    raise AssertionError(f"{name} is not in the menu")


def recipe() -> Any:
    return bpy.context.view_layer.objects.active.data.terrain


def add(ui: Any):
    """Each preset is under its picture, and Mars is added by a click on its own."""
    yield from open_menu(ui, "add")
    wanted = ["butte_desert", "canyon", "crater_field", "dry_wash"]
    for x, second in zip(COLUMNS, wanted, strict=True):
        places = yield from down(ui, x, 220, 600)
        first, *others = places
        assert others[0] == second, places
        assert len(places[first]) > 2 and len(places[second]) > 2, places
    yield from click_preset(ui, "mars", 220, at=0)
    yield from ui.wait_until(lambda: "Mars" in bpy.data.objects, "Mars is not added")
    assert recipe().preset == "mars"
    yield from ui.rebuilt("Mars")


def load(ui: Any):
    """Rolling Downs by its name."""
    yield from open_menu(ui, "preset_load")
    yield from click_preset(ui, "rolling_downs", 180, at=-1)
    yield from ui.wait_until(lambda: recipe().preset == "rolling_downs", "no rolling downs")
    yield from ui.rebuilt("Mars")


def layer(ui: Any):
    yield from open_menu(ui, "layer_add")
    places = yield from down(ui, 215, 180, 420)
    yield from ui.click(215, places["craters"][0])
    yield from ui.wait_until(
        lambda: "craters" in [one.kind for one in recipe().layers], "there is no layer of craters"
    )
    yield from ui.rebuilt("Mars")


def palette(ui: Any):
    yield from open_menu(ui, "palette_load")
    places = yield from down(ui, 80, 190, 400)
    assert list(places) == ["alpine", "desert"], places
    ui.shot("pictures-hover")
    yield from ui.click(80, places["desert"][0])
    desert = ui.module("core").presets.load_palette("desert")
    yield from ui.wait_until(
        lambda: (
            [one.name for one in recipe().palette.regions] == [one.name for one in desert.regions]
        ),
        "no desert",
    )


def drive(ui: Any):
    bpy.ops.object.select_all(action="SELECT")
    bpy.ops.object.delete()
    yield from add(ui)
    yield from load(ui)
    yield from layer(ui)
    yield from palette(ui)
