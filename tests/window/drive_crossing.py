# SPDX-License-Identifier: GPL-3.0-or-later
"""A lake, a pad along a river, which asks first, and a road over the river: a bridge by mouse."""

from typing import Any

import bpy

NAME = "Land"


def terrain() -> Any:
    """Looked up each time: undo replaces what Python holds."""
    return bpy.data.objects[NAME]


def layer(kind: str) -> Any:
    return next(one for one in terrain().data.terrain.layers if one.kind == kind)


def by_hand(ui, kind, start, end):
    """Draw a layer's curve with one stroke, between shares of the viewport, and press Enter."""
    yield from ui.draw_by_hand(NAME, kind, start, end)
    yield from ui.press("Return")
    assert bpy.context.mode == "OBJECT", "Enter does not end the drawing"
    yield from ui.rebuilt(NAME)
    yield 1.0
    ui.shot(f"crossing-{kind}")


def pad_along_river(ui):
    """Asks first: Esc adds nothing, Enter does."""
    river = bpy.data.objects[f"{NAME} River"]
    for key, pads in (("Escape", 0), ("Return", 1)):
        ui.activate(NAME)
        river.select_set(True)
        yield from ui.choose_drawn_layer("selected", "pad")
        if not pads:
            ui.shot("crossing-asks")
        kinds = [one.kind for one in terrain().data.terrain.layers]
        assert "pad" not in kinds, "it does not ask"
        ui.xdotool("key", key)
        yield 1.0
        kinds = [one.kind for one in terrain().data.terrain.layers]
        assert kinds.count("pad") == pads, kinds


def cross_the_river(ui):
    """A road from bank to bank gets a bridge, and the river still runs below it."""
    checks = ui.module("core.output.checks")
    read = ui.module("blender.properties.recipe").read
    yield from by_hand(ui, "road", (0.4, 0.45), (0.58, 0.54))
    recipe = read(terrain().data.terrain)
    grid = recipe.grid(129)
    height = ui.heights(NAME).reshape(grid.shape)
    measured = {(one.subject, one.key): one.value for one in checks.check(recipe, height, grid)}
    assert measured["Road", "bridges"] >= 1, measured
    (road,) = ui.module("core.output.bridge_meshes").roads_of(recipe).values()
    assert len(road.spans) == 1, road.spans
    assert measured["River", "uphill_steps"] == 0, "the road dams the river"
    bridges = [one for one in terrain().children if one.name.startswith("Bridges")]
    assert len(bridges) == 1 and bridges[0].data.polygons
    space = ui.view3d().spaces.active
    region = space.region_3d
    points = [bridges[0].matrix_world @ vertex.co for vertex in bridges[0].data.vertices]
    region.view_location = sum(points, points[0] * 0) / len(points)
    region.view_distance = 130
    space.region_3d.view_perspective = "PERSP"
    yield 1.5
    ui.shot("crossing-bridge")


def drive(ui):
    bpy.ops.object.select_all(action="SELECT")
    bpy.ops.object.delete()
    with bpy.context.temp_override(area=ui.view3d(), region=ui.region("WINDOW")):
        bpy.ops.terrain.add(preset="empty", resolution=129)
        bpy.ops.terrain.layer_add(kind="fractal_noise")
        bpy.context.object.name = NAME
        bpy.ops.terrain.draw(kind="river")
    bpy.ops.ed.undo_push(message="terrain")
    yield from ui.open_tab("Terrain")
    yield from ui.click_sidebar(13)
    yield from cross_the_river(ui)
    yield from pad_along_river(ui)
