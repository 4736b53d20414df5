# SPDX-License-Identifier: GPL-3.0-or-later
"""The contact sheet: nine pictures over the viewport, chosen by mouse and by key, and canceled."""

import bpy
import numpy as np

NAME = "Island"


def terrain():
    """Looked up each time: undo replaces what Python holds."""
    return bpy.data.objects[NAME].data.terrain


def sheets(ui):
    return ui.module("blender.operators.variations.sheet").Sheet.shown


def pictures(ui):
    return ui.module("blender.live.variations").variations.pictures


def at_picture(ui, place):
    """Where a picture of the sheet is on the screen."""
    (sheet,) = sheets(ui)
    region = ui.region("WINDOW")
    return ui.screen_xy(region, *sheet.centers(bpy.context)[place])


def complete(ui):
    yield from ui.wait_until(lambda: len(pictures(ui)) == 9, "there are not nine pictures")
    yield from ui.handled()


def by_mouse(ui):
    """Its button is beside the seed; a click on the last picture is one undo step."""
    before = ui.heights(NAME)
    yield from ui.press_button("bpy.ops.terrain.variations(setting='seed')", across=0.83)
    yield 0.3
    ui.shot("variations-1-first")
    yield from complete(ui)
    shades = {picture.tobytes() for picture in pictures(ui).values()}
    assert len(shades) == 9, "pictures are alike"
    ui.xdotool("mousemove", *map(int, at_picture(ui, 8)))
    yield 0.5
    ui.shot("variations-2-complete")
    seed = terrain().seed
    yield from ui.click(*at_picture(ui, 8))
    assert not sheets(ui) and terrain().seed == seed + 8, terrain().seed
    yield from ui.rebuilt(NAME)
    chosen = ui.heights(NAME)
    assert not np.array_equal(chosen, before)
    ui.shot("variations-3-chosen")
    yield from ui.press("ctrl+z")
    yield from ui.restored(NAME, before, "the choice is not undone")
    assert terrain().seed == seed
    yield from ui.press("ctrl+shift+z")
    yield from ui.restored(NAME, chosen, "the choice is not redone")


def open_sheet(ui, setting):
    with bpy.context.temp_override(area=ui.view3d(), region=ui.region("WINDOW")):
        bpy.ops.terrain.variations("INVOKE_DEFAULT", setting=setting)
    yield from ui.handled()


def canceled(ui):
    """Esc at once, a click beside it, the right button: nothing has changed, nothing runs on."""
    before, heights = ui.state()["terrains"][NAME]["recipe"], ui.heights(NAME)
    region = ui.region("WINDOW")
    ways = (
        lambda: ui.press("Escape"),
        lambda: ui.click(*ui.screen_xy(region, 90, 90)),
        lambda: right_click(ui),
    )
    for way in ways:
        yield from open_sheet(ui, "seed")
        yield from way()
        assert not sheets(ui) and not pictures(ui)
        busy = ui.module("blender.live.variations").variations.is_busy
        yield from ui.wait_until(lambda: not busy(), "pictures are still being made")  # noqa: B023
    assert ui.state()["terrains"][NAME]["recipe"] == before
    assert np.array_equal(ui.heights(NAME), heights)


def right_click(ui):
    ui.xdotool("mousemove", *map(int, at_picture(ui, 4)))
    yield 0.3
    ui.xdotool("click", 3)
    yield 0.5


def by_key(ui):
    """A length of a layer; the digit 9 is its double, before its picture is there."""
    layers = terrain().layers
    place = next(n for n, layer in enumerate(layers) if layer.kind == "fractal_noise")
    terrain().active_layer = place
    bpy.ops.ed.undo_push(message="layer")
    size = terrain().layers[place].fractal_noise.size
    yield from open_sheet(ui, "layer.size")
    yield from complete(ui)
    ui.shot("variations-4-values")
    yield from ui.press("9")
    assert not sheets(ui)
    assert abs(terrain().layers[place].fractal_noise.size - 2 * size) < 0.01 * size
    yield from ui.rebuilt(NAME)
    yield from ui.press("ctrl+z")
    yield from ui.wait_until(
        lambda: terrain().layers[place].fractal_noise.size == size, "the value is not undone"
    )


def drive(ui):
    bpy.ops.object.select_all(action="SELECT")
    bpy.ops.object.delete()
    with bpy.context.temp_override(area=ui.view3d(), region=ui.region("WINDOW")):
        bpy.ops.terrain.add(preset="island", resolution=257)
    yield from ui.rebuilt(NAME)
    bpy.ops.ed.undo_push(message="added")
    yield from ui.open_tab("Terrain")
    yield from by_mouse(ui)
    yield from canceled(ui)
    yield from by_key(ui)
