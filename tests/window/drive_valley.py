# SPDX-License-Identifier: GPL-3.0-or-later
"""Draw by mouse: a range, a river from its flank, a road, a pad, a lake, trees."""

from typing import Any

import bpy

NAME = "Valley"


def terrain() -> Any:
    """Looked up each time: undo replaces what Python holds."""
    return bpy.data.objects[NAME]


def layers():
    return [one.kind for one in terrain().data.terrain.layers]


def by_hand(ui, kind, start, end):
    """Draw a layer's curve with one stroke, between shares of the viewport."""
    yield from ui.draw_by_hand(NAME, kind, start, end)
    assert kind in layers(), layers()
    yield from ui.press("Tab")
    yield 1.0
    ui.shot(f"valley-{kind}")


def drive(ui):
    bpy.ops.object.select_all(action="SELECT")
    bpy.ops.object.delete()
    with bpy.context.temp_override(area=ui.view3d(), region=ui.region("WINDOW")):
        bpy.ops.terrain.add(preset="empty", resolution=129)
        bpy.ops.terrain.layer_add(kind="fractal_noise")
        bpy.ops.terrain.layer_add(kind="erosion")
        bpy.context.object.data.terrain.layers[1].erosion.resolution = "128"  # pyright: ignore
    bpy.context.object.name = NAME
    bpy.ops.ed.undo_push(message="terrain")
    yield from ui.open_tab("Terrain")
    yield from ui.click_sidebar(13)
    yield from by_hand(ui, "range", (0.27, 0.5), (0.55, 0.58))
    assert layers() == ["fractal_noise", "range", "erosion"], layers()
    yield from by_hand(ui, "river", (0.44, 0.53), (0.38, 0.36))
    assert layers().index("river") < layers().index("erosion")
    assert terrain().data.terrain.water.rivers
    yield from move_a_point(ui)
    assert checked(ui, "River", "uphill_steps") == 0
    yield from by_hand(ui, "road", (0.52, 0.35), (0.5, 0.5))
    assert layers()[-1] == "road"
    # The limit is 10 at the center of the road, which is 8 m wide. Samples are 1 m apart: wider
    # apart, those at the ends of bridges mix the road with the bank below it, and measure 16.
    assert 0 < checked(ui, "Road", "gradient") < 13
    yield from pad(ui)
    yield from lake(ui)
    with bpy.context.temp_override(area=ui.view3d(), region=ui.region("WINDOW")):
        ui.activate(NAME)
        bpy.ops.terrain.plants_add()
    yield 2.0
    ui.shot("valley-trees")


def checked(ui, subject, key):
    """What Check Terrain finds, without its popup, on samples that are close for a road."""
    core = ui.module("core")
    recipe = ui.module("blender.properties.recipe").read(terrain().data.terrain)
    grid = recipe.grid(1025)
    found = core.checks.check(recipe, core.evaluate(recipe, grid).height, grid)
    return next(one.value for one in found if (one.subject, one.key) == (subject, key))


def move_a_point(ui):
    """The valley follows a point of the river, and its undo."""
    curve = next(
        one.name for one in bpy.data.objects if "River" in one.name and one.type == "CURVE"
    )
    ui.activate(curve)
    before = ui.heights(NAME)
    yield from ui.press("Tab")
    points = bpy.data.objects[curve].data.splines[0].bezier_points  # pyright: ignore
    for number, point in enumerate(points):
        chosen = number == len(points) // 2
        point.select_control_point = point.select_left_handle = point.select_right_handle = chosen
    bpy.ops.ed.undo_push(message="one point")
    region = ui.region("WINDOW")
    x, y = ui.screen_xy(region, 300, 300)  # where the key is pressed
    yield from ui.press("g")
    yield from ui.click(x + 40, y + 10)
    yield from ui.reshaped(NAME, before, "the moved point is not followed")
    ui.shot("valley-moved")
    yield from ui.press("ctrl+z")
    yield from ui.restored(NAME, before, "undo is not followed")
    yield from ui.press("Tab")


def pad(ui):
    """Level ground under a cube that is selected with the terrain."""
    bpy.ops.mesh.primitive_cube_add(size=60, location=(200, -150, 60))
    bpy.context.object.name = "House"
    ui.activate("House", NAME)
    before = ui.heights(NAME)
    yield from ui.choose_drawn_layer("selected", "pad")
    assert layers()[-1] == "pad" and terrain().data.terrain.layers[-1].pad.source == "House"
    yield from ui.reshaped(NAME, before, "no pad")
    ui.shot("valley-pad")


def lake(ui):
    ui.activate(NAME)
    before = ui.heights(NAME)
    yield from ui.choose_drawn_layer("ready-made", "lake")
    assert layers()[-1] == "lake" and terrain().data.terrain.water.lakes
    yield from ui.reshaped(NAME, before, "no lake")
    yield 1.0
    ui.shot("valley-lake")
