# SPDX-License-Identifier: GPL-3.0-or-later
"""Handles of layers, dragged by mouse on a terrain that is moved, turned and scaled."""

import bpy
import numpy as np
from bpy_extras.view3d_utils import location_3d_to_region_2d
from mathutils import Vector

NAME = "Land"


def item():
    """Looked up each time: undo replaces what Python holds."""
    return bpy.data.objects[NAME]


def layer(kind):
    terrain = item().data.terrain
    return getattr(terrain.layers[terrain.active_layer], kind)


def on_screen(ui, number):
    """Where a handle of the active layer is on the screen."""
    handles = ui.module("blender.objects.handles")
    mesh = item().data
    place = handles.place_of(mesh, handles.handles_of(mesh)[number], number)
    region = ui.region("WINDOW")
    shown = location_3d_to_region_2d(
        region, ui.view3d().spaces.active.region_3d, item().matrix_world @ place
    )
    return ui.screen_xy(region, *shown)


def new_terrain(ui, unit=1.0):
    bpy.ops.object.select_all(action="SELECT")
    bpy.ops.object.delete()
    bpy.context.scene.unit_settings.scale_length = unit
    with bpy.context.temp_override(area=ui.view3d(), region=ui.region("WINDOW")):
        bpy.ops.terrain.add(preset="empty", resolution=129)
    bpy.context.object.name = NAME


def add_layer(kind, **values):
    bpy.ops.terrain.layer_add(kind=kind)
    for name, value in values.items():
        setattr(layer(kind), name, value)
    bpy.ops.ed.undo_push(message=kind)


def drag_handle(ui, kind, number, names, by, shot):
    """Drag a handle, look at it half-way, undo and redo it; returns the values before and after."""
    yield from ui.rebuilt(NAME)
    yield from ui.handled()
    before = [getattr(layer(kind), name) for name in names]
    heights = ui.heights(NAME)
    x, y = on_screen(ui, number)
    ui.xdotool("mousemove", int(x), int(y))
    yield 0.4
    ui.shot(f"handles-{shot}-before")
    ui.xdotool("mousedown", 1)
    yield 0.3
    for n in range(8):
        ui.xdotool("mousemove_relative", "--", round(by[0] / 8), round(by[1] / 8))
        yield 0.15
        if n == 5:
            yield from ui.reshaped(NAME, heights, "the terrain does not follow the handle")
            ui.shot(f"handles-{shot}-dragged")
    at = on_screen(ui, number)
    ui.xdotool("mouseup", 1)
    yield 0.5
    after = [getattr(layer(kind), name) for name in names]
    assert after != before, (kind, names, before)
    # It was under the mouse, which is on the level of its height at the start.
    assert np.hypot(at[0] - x - by[0], at[1] - y - by[1]) < 12 or len(names) == 1, (at, x, y, by)
    yield from ui.rebuilt(NAME)
    dragged = ui.heights(NAME)
    yield from ui.press("ctrl+z")
    yield from ui.restored(NAME, heights, "the drag is not one step of undo")
    assert [getattr(layer(kind), name) for name in names] == before
    yield from ui.press("ctrl+shift+z")
    yield from ui.restored(NAME, dragged, "the drag is not redone")
    return before, after


def volcano(ui):
    """On a terrain that is moved, turned and scaled, in a scene with other units."""
    new_terrain(ui, unit=0.5)
    item().location = (300, 200, 50)
    item().rotation_euler = (0.1, 0.05, 0.6)
    item().scale = (1.2, 0.8, 1.5)
    add_layer("volcano", radius=300.0, height=150.0)
    yield from drag_handle(ui, "volcano", 1, ["radius"], (60, 10), "1-volcano-radius")
    yield from drag_handle(ui, "volcano", 0, ["center_x", "center_y"], (-80, 40), "2-volcano-place")
    yield from canceled(ui)
    yield from switched_off(ui)


def canceled(ui):
    """Esc in mid-drag puts everything back, and is no step of undo."""
    yield from ui.rebuilt(NAME)
    heights, radius = ui.heights(NAME), layer("volcano").radius
    x, y = on_screen(ui, 1)
    ui.xdotool("mousemove", int(x), int(y))
    yield 0.4
    ui.xdotool("mousedown", 1)
    yield 0.3
    for _ in range(4):
        ui.xdotool("mousemove_relative", "--", 15, 5)
        yield 0.15
    yield from ui.reshaped(NAME, heights, "the terrain does not follow the handle")
    assert layer("volcano").radius != radius
    ui.xdotool("key", "Escape")
    yield 0.3
    ui.xdotool("mouseup", 1)
    yield from ui.restored(NAME, heights, "a canceled drag changes the terrain")
    assert layer("volcano").radius == radius


def switched_off(ui):
    """Without handles a click at their place selects as usual, and drags nothing."""
    radius = layer("volcano").radius
    x, y = on_screen(ui, 1)
    yield from ui.open_tab("Terrain")
    place = yield from ui.find_button("terrain.show_handles", across=0.69)
    ui.xdotool("mousemove", *map(int, place))
    yield 0.5
    ui.shot("handles-3-switch")
    yield from ui.click(*place)
    assert not item().data.terrain.show_handles
    yield from ui.drag(x, y, x + 60, y + 10)
    ui.shot("handles-4-off")
    assert layer("volcano").radius == radius
    ui.view3d().spaces.active.show_region_ui = False
    yield 1.0


def falloff(ui):
    new_terrain(ui)
    bpy.ops.terrain.layer_add(kind="hills")
    add_layer("falloff")
    yield from drag_handle(ui, "falloff", 1, ["shift"], (-60, -20), "5-falloff-shift")
    yield from drag_handle(ui, "falloff", 2, ["margin"], (60, 30), "6-falloff-margin")
    names = ["center_x", "center_y"]
    yield from drag_handle(ui, "falloff", 0, names, (70, -30), "7-falloff-place")


def drawn(ui, kind, way="READY_MADE"):
    """Draw a ready-made curve or place, and select the terrain again."""
    bpy.ops.terrain.draw(kind=kind, way=way)
    yield 1.0
    for other in bpy.context.selected_objects:
        other.select_set(False)
    bpy.context.view_layer.objects.active = item()
    item().select_set(True)
    bpy.ops.ed.undo_push(message=kind)
    yield 0.5


def range_and_pad(ui):
    new_terrain(ui)
    yield from drawn(ui, "range")
    yield from drag_handle(ui, "range", 0, ["left"], (20, 30), "8-range-left")
    yield from drag_handle(ui, "range", 1, ["right"], (20, 30), "9-range-right")
    yield from drawn(ui, "pad")
    yield from drag_handle(ui, "pad", 2, ["reach"], (50, 20), "10-pad-reach")
    yield from moves_object(ui, "pad", "source", "11-pad-place")


def moves_object(ui, kind, source, shot):
    """The handle moves the object of a shape, and the terrain follows; undo takes it back."""
    yield from ui.rebuilt(NAME)
    name = getattr(layer(kind), source)
    heights, place = ui.heights(NAME), bpy.data.objects[name].matrix_world.translation.copy()
    x, y = on_screen(ui, 0)
    yield from ui.drag(x, y, x + 48, y + 16)
    moved = bpy.data.objects[name].matrix_world.translation
    assert (moved - place).length > 10, (moved, place)
    yield from ui.reshaped(NAME, heights, "the terrain does not follow the object")
    ui.shot(f"handles-{shot}")
    yield from ui.press("ctrl+z")
    yield from ui.restored(NAME, heights, "moving the object is not one step of undo")
    assert (bpy.data.objects[name].matrix_world.translation - Vector(place)).length < 1e-3


def stamp(ui):
    new_terrain(ui)
    bpy.ops.object.empty_add(location=(50, 20, 0))
    empty = bpy.context.object
    empty.name = "Place"
    source = bpy.data.images.new("Dot", 32, 32, float_buffer=True)
    shares = np.linspace(-1, 1, 32)
    dot = np.clip(1 - np.hypot(shares[None], shares[:, None]), 0, 1)
    source.pixels = np.repeat(dot, 4).tolist()
    source.pack()
    empty.select_set(False)
    bpy.context.view_layer.objects.active = item()
    item().select_set(True)
    add_layer("stamp", source="Dot", places="Place", size=300.0)
    yield from drag_handle(ui, "stamp", 1, ["size"], (50, 10), "12-stamp-size")
    yield from moves_object(ui, "stamp", "places", "13-stamp-place")


def drive(ui):
    yield from volcano(ui)
    yield from falloff(ui)
    yield from range_and_pad(ui)
    yield from stamp(ui)
