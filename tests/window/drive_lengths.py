# SPDX-License-Identifier: GPL-3.0-or-later
"""Drag lengths in a sidebar of 250 pixels, on terrains of 50 m, 2 km and 64 km, and type one."""

from typing import Any

import bpy

WIDTH = 250
SIZE, HEIGHT, MIDDLE = 352, 375, 0.7
"""Distance of two rows of a Fractal Noise layer from the top of the sidebar while the panel Terrain
is closed, and how far across the sidebar the middle of a field is."""
ADD = 71
"""The same of the button that an empty list has instead of rows."""
START, PIXELS = 10, 40
"""Pixels before a drag begins, and of the drag."""


def noise() -> Any:
    """Looked up each time: undo replaces what Python holds."""
    return bpy.context.object.data.terrain.layers[0].fractal_noise


def drag(ui, down, pixels):
    """Drag a field to the right; the first pixels only start the drag."""
    region = ui.region("UI")
    x, y = ui.screen_xy(region, region.width * MIDDLE, region.height - down)
    ui.xdotool("mousemove", int(x), int(y))
    yield 0.4
    ui.xdotool("mousedown", 1)
    yield 0.2
    for step in (START, *(pixels // 4,) * 4):
        ui.xdotool("mousemove_relative", "--", step, 0)
        yield 0.2
    ui.xdotool("mouseup", 1)
    yield 0.8


def narrow(ui):
    """Make the sidebar as narrow as it is on a small screen, by its border."""
    region = ui.region("UI")
    x, y = ui.screen_xy(region, 1, region.height / 2)
    yield from ui.drag(x, y, x + region.width - WIDTH, y)
    assert abs(ui.region("UI").width - WIDTH) < 8, ui.region("UI").width


def look(ui, size):
    """Add a terrain of that size and drag a length and a height of its noise."""
    with bpy.context.temp_override(area=ui.view3d(), region=ui.region("WINDOW")):
        bpy.ops.terrain.add(preset="empty", resolution=65, size=size)
    bpy.ops.terrain.layer_add(kind="fractal_noise")
    bpy.ops.ed.undo_push(message="layer")
    yield 0.6
    for name, down in (("size", SIZE), ("height", HEIGHT)):
        before = getattr(noise(), name)
        yield from drag(ui, down, PIXELS)
        change = (getattr(noise(), name) - before) / PIXELS
        print(f"{size} m: {name} {before:g} m, {change:.2f} m per pixel", flush=True)
        assert 0.0015 * before < change < 0.03 * before, (name, before, change)


def type_a_number(ui):
    """What is typed is exact, beyond any range of a drag."""
    region = ui.region("UI")
    x, y = ui.screen_xy(region, region.width * MIDDLE, region.height - SIZE)
    ui.xdotool("mousemove", int(x), int(y))
    yield 0.4
    ui.xdotool("click", "--repeat", 2, "--delay", 80, 1)
    yield 0.6
    ui.xdotool("key", "ctrl+a")
    ui.xdotool("type", "54321.5")
    yield 0.5
    ui.xdotool("key", "Return")
    yield from ui.wait_until(
        lambda: noise().size == 54321.5, "the number that was typed is not set"
    )


def key_a_length(ui):
    """A keyframe inserted over a field belongs to the setting, and undo removes it and the drag."""
    region = ui.region("UI")
    dragged = noise().height
    x, y = ui.screen_xy(region, region.width * MIDDLE, region.height - HEIGHT)
    ui.xdotool("mousemove", int(x), int(y))
    yield 0.4
    ui.xdotool("key", "i")
    yield from ui.wait_until(
        lambda: keyed() == {"terrain.layers[0].fractal_noise.height"}, "the height is not keyed"
    )
    ui.shot("lengths-keyed")
    yield from ui.press("ctrl+z")
    assert not keyed()
    assert noise().height == dragged
    yield from ui.press("ctrl+z")
    assert noise().height < dragged


def keyed():
    """The paths of what is animated, if anything is."""
    data = bpy.context.object.data.animation_data
    if data is None or data.action is None:
        return set()
    bags = (bag for strip in data.action.layers[0].strips for bag in strip.channelbags)
    return {curve.data_path for bag in bags for curve in bag.fcurves}


def drive(ui):
    bpy.ops.object.select_all(action="SELECT")
    bpy.ops.object.delete()
    with bpy.context.temp_override(area=ui.view3d(), region=ui.region("WINDOW")):
        bpy.ops.terrain.add(preset="empty", resolution=65)
    ui.view3d().spaces.active.overlay.show_overlays = False
    yield from ui.open_tab("Terrain")
    yield from narrow(ui)
    bpy.context.object.data.terrain.water.show = True
    yield from ui.wait_until(
        lambda: not bpy.data.objects["Sea"].data.polygons, "flat terrain has a sea"
    )
    ui.shot("lengths-empty")
    bpy.context.object.data.terrain.water.show = False
    region = ui.region("UI")
    yield from ui.click(*ui.screen_xy(region, region.width * 0.3, region.height - 13))
    ui.shot("lengths-no-layer")
    yield from ui.click(*ui.screen_xy(region, region.width * 0.3, region.height - ADD))
    ui.shot("lengths-menu")
    for key in ("Down", "Return"):
        ui.xdotool("key", key)
        yield 1.5
    layers = bpy.context.object.data.terrain.layers
    assert [layer.kind for layer in layers] == ["fractal_noise"]
    for size in (50, 2000, 64000):
        yield from look(ui, size)
    ui.shot("lengths-dragged")
    yield from key_a_length(ui)
    yield from type_a_number(ui)
    ui.shot("lengths-typed")
