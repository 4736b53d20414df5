# SPDX-License-Identifier: GPL-3.0-or-later
"""Drag the height of Alps by mouse: the summit goes up with it, in the drag and after it.

With 257 points each step is a full result, with 513 a preview may come first. Then undo brings
back the start, and *Find Rivers Again* gives another terrain.
"""

import dataclasses

import bpy
import numpy as np

LOW, HIGH = 1270.0, 1420.0
STEP, MOVES = 8, 20
"""Pixels of a move, and most moves of a drag."""
CLOSE = 0.02
"""How far the relief may be from its share of the relief before erosion."""


def terrain():
    """Looked up each time: undo replaces what Python holds."""
    return bpy.data.objects["Alps"].data.terrain


def massif():
    return terrain().layers[0].fractal_noise


def relief(heights):
    return float(heights.max() - heights.min())


def relief_before_erosion(ui, height):
    core = ui.module("core")
    recipe = core.presets.load("alps")
    (place,) = (n for n, one in enumerate(recipe.layers) if one.settings.key == "erosion")
    layers = list(recipe.layers[:place])
    settings = dataclasses.replace(layers[0].settings, height=height)
    layers[0] = dataclasses.replace(layers[0], settings=settings)
    recipe = dataclasses.replace(recipe, layers=tuple(layers))
    return relief(core.evaluate(recipe, recipe.grid(257), fields=()).height)


def add(ui, points):
    bpy.ops.object.select_all(action="SELECT")
    bpy.ops.object.delete()
    with bpy.context.temp_override(area=ui.view3d(), region=ui.region("WINDOW")):
        bpy.ops.terrain.add(preset="alps", resolution=points)
        bpy.ops.view3d.view_selected()
    bpy.context.object.name = "Alps"
    massif().height = LOW
    terrain().active_layer = 0
    bpy.ops.terrain.find_rivers()
    bpy.ops.ed.undo_push(message="added")
    yield from ui.rebuilt("Alps")


def find_height(ui):
    shown = ui.module("blender.properties.drag_speeds").shown(massif(), "height")
    place = yield from ui.find_button(
        f"terrain.layers[0].fractal_noise.{shown}", across=0.7, start=300
    )
    return place


def drag(ui, place):
    """Hold the mouse button and move until the height is reached; return what was drawn: heights,
    terrains of these, and whether each is a preview."""
    seen = []

    def record():
        mesh = bpy.data.objects["Alps"].data
        preview = "~" in terrain().built
        if preview or ui.module("blender.live.surface").is_current(mesh):
            seen.append((massif().height, ui.heights("Alps"), preview))

    handle = bpy.types.SpaceView3D.draw_handler_add(record, (), "WINDOW", "POST_PIXEL")
    ui.xdotool("mousemove", int(place[0]), int(place[1]))
    yield 0.4
    ui.xdotool("mousedown", 1)
    yield 0.2
    ui.xdotool("mousemove_relative", "--", STEP, 0)  # which only starts the drag
    yield from ui.handled()
    for _ in range(MOVES):
        if massif().height >= HIGH:
            break
        before = massif().height
        ui.xdotool("mousemove_relative", "--", STEP, 0)
        yield from ui.wait_until(
            lambda least=before: seen and seen[-1][0] > least, "a picture of a greater height"
        )
    bpy.types.SpaceView3D.draw_handler_remove(handle, "WINDOW")
    assert massif().height >= HIGH, massif().height
    return seen


def release(ui):
    ui.xdotool("mouseup", 1)
    yield 0.4
    yield from ui.rebuilt("Alps")


def check(ui, seen, start):
    """The summit never goes down, and the relief keeps its proportion, in all that was drawn."""
    heights = [height for height, _, _ in seen]
    summits = [float(drawn.max()) for _, drawn, _ in seen]
    print([(round(h), round(s, 1), p) for (h, _, p), s in zip(seen, summits, strict=True)])
    assert len(set(summits)) >= 6, "the terrain did not follow the mouse"
    assert np.diff(heights).min() >= 0
    assert np.diff(summits).min() >= 0, "the summit went down while Height went up"
    unit = relief(start) / relief_before_erosion(ui, LOW)
    for height, drawn, _ in seen:
        share = relief(drawn) / relief_before_erosion(ui, height)
        assert abs(share / unit - 1) <= CLOSE, (height, share / unit)


def drag_up(ui, points):
    """Return the terrain at the start, and after the drag."""
    yield from add(ui, points)
    start = ui.heights("Alps")
    place = yield from find_height(ui)
    seen = yield from drag(ui, place)
    ui.shot(f"height-{points}-dragged")
    yield from release(ui)
    end = ui.heights("Alps")
    ui.shot(f"height-{points}-released")
    check(ui, [*seen, (massif().height, end, False)], start)
    return start, end


def drive(ui):
    yield from ui.open_tab("Terrain")
    yield from ui.click_sidebar(13)  # collapse Terrain: the layer's settings move into sight
    yield from drag_up(ui, 257)
    start, held = yield from drag_up(ui, 513)
    yield from ui.press("ctrl+z")
    yield from ui.restored("Alps", start, "undo did not bring back the start")
    yield from ui.press("ctrl+shift+z")
    yield from ui.restored("Alps", held, "redo did not bring back the result")

    yield from ui.press_button("bpy.ops.terrain.find_rivers()", start=400)
    yield from ui.reshaped("Alps", held, "rivers are where they were")
    yield from ui.rebuilt("Alps")
    ui.shot("height-found-again")
    assert not ui.module("blender.properties.held_rivers").holds_rivers(terrain())
    yield from ui.press("ctrl+z")
    yield from ui.restored("Alps", held, "undo did not bring back the rivers")
