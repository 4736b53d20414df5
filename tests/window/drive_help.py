# SPDX-License-Identifier: GPL-3.0-or-later
"""Help by the button in a panel's header and by Blender's Online Manual, without a network, and a
narrow sidebar in which no name is cut."""

import webbrowser
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlparse

import bpy

NARROW = 252
"""Pixels of the sidebar."""
LAYERS = 330
"""Distance of the header of the panel Layers from the top of the sidebar, less a few pixels."""
opened: list[str] = []


def recipe() -> Any:
    return bpy.context.view_layer.objects.active.data.terrain


def check(page: str, heading: str) -> None:
    """What was opened last is a page on disk with that heading."""
    address = opened.pop()
    assert not opened and address.startswith("file:///"), address
    found = urlparse(address)
    assert Path(found.path).name == page and found.fragment == heading, address
    text = Path(unquote(found.path)).read_text(encoding="utf-8")
    assert f'id="{heading}"' in text, address


def prepare(ui: Any):
    """An island whose layers have masks and long names, and a narrow sidebar."""
    webbrowser.open = lambda address, *_, **__: opened.append(address) or True
    bpy.ops.object.select_all(action="SELECT")
    bpy.ops.object.delete()
    with bpy.context.temp_override(area=ui.view3d(), region=ui.region("WINDOW")):
        bpy.ops.terrain.add(preset="island", resolution=65)
    recipe().active_layer = 0
    recipe().layers[0].fractal_noise.basis = "opensimplex2s"
    yield from ui.open_tab("Terrain")
    region = ui.region("UI")
    x, y = ui.screen_xy(region, -1, region.height / 2)
    yield from ui.drag(x, y, x + region.width - NARROW, y)
    yield 1.0
    ui.shot("help-narrow")


def drive(ui: Any):
    yield from prepare(ui)
    call = 'bpy.ops.terrain.help(page="user-guide#layers")'
    yield from ui.press_button(call, start=LAYERS, across=0.77)
    check("user-guide.html", "layers")

    yield from find_setting(ui, "fractal_noise.octaves")
    ui.xdotool("mousedown", 3)
    yield 0.4
    ui.xdotool("mouseup", 3)
    yield 2.0
    ui.shot("help-menu")
    for key in ("Up", "Return"):  # the last entry of the menu: Online Manual
        ui.xdotool("key", key)
        yield 1.0
    yield from ui.wait_until(lambda: bool(opened), "no page about the number of octaves")
    check("reference.html", "fractal-noise-fractal_noise")
    recipe().active_layer = 3
    yield 1.0
    ui.shot("help-erosion")


def find_setting(ui: Any, ending: str):
    """Move the mouse to a setting in the sidebar, by the data path that Blender copies from it."""
    region, manager = ui.region("UI"), bpy.context.window_manager
    for down in range(LAYERS + 200, region.height, 11):
        x, y = ui.screen_xy(region, region.width * 0.55, region.height - down)
        ui.xdotool("mousemove", int(x), int(y))
        yield 0.1
        manager.clipboard = ""
        ui.xdotool("key", "ctrl+shift+c")
        yield 0.1
        if manager.clipboard.endswith(ending):
            return
    raise AssertionError(f"there is no setting {ending}")
