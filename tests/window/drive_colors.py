# SPDX-License-Identifier: GPL-3.0-or-later
"""Colours by fields: added by mouse in the panel Fields, over those by height, in their list."""

from typing import Any

import bpy
import numpy as np

LAYERS, COLOURS, FIELDS = 38, 66, 122
"""Distance of the headers of panels from the top of the sidebar while all panels are closed."""
REMOVE, UP, DOWN, RIGHT = 145, 172, 193, 0.83
"""The same of the buttons beside the list, and how far across the sidebar they are."""
FIRST, ROW, ADD = 198, 21, 0.74
"""The same of the first field, from row to row, and of the button that adds a color."""


def mesh() -> Any:
    """Looked up each time: undo replaces what Python holds."""
    return bpy.data.objects["Alps"].data


def colors():
    out = np.empty((len(mesh().vertices), 4), np.float32)
    mesh().attributes["Color"].data.foreach_get("color", out.reshape(-1))
    return out


def colored(ui, wanted):
    yield from ui.wait_until(lambda: np.array_equal(colors(), wanted), "other colors")


def add_by_field(ui, field):
    number = list(ui.module("core.analysis").FIELDS).index(field)
    yield from ui.click_sidebar(FIRST + ROW * number, ADD)
    yield from ui.rebuilt("Alps")


def drive(ui):
    bpy.ops.object.select_all(action="SELECT")
    bpy.ops.object.delete()
    with bpy.context.temp_override(area=ui.view3d(), region=ui.region("WINDOW")):
        bpy.ops.terrain.add(preset="alps", resolution=513)
    yield from ui.wait_until(lambda: "Alps" in bpy.data.objects, "no terrain")
    yield from ui.rebuilt("Alps")
    bpy.ops.ed.undo_push(message="alps")
    yield from ui.open_tab("Terrain")
    for header in (13, LAYERS, FIELDS):
        yield from ui.click_sidebar(header)
    plain = colors()
    yield from add_by_field(ui, "flow")
    region = mesh().terrain.palette.regions[-1]
    assert (region.based_on, region.name) == ("flow", "Flow")
    rivers = colors()
    assert not np.array_equal(rivers, plain)
    yield from add_by_field(ui, "deposition")
    assert [r.based_on for r in mesh().terrain.palette.regions[-2:]] == ["flow", "deposition"]
    both = colors()
    assert not np.array_equal(both, rivers)
    yield from add_by_field(ui, "snow")  # no layer leaves snow: the button is gray
    assert mesh().terrain.palette.regions[-1].based_on == "deposition"
    ui.shot("colors-fields")
    for header in (FIELDS, COLOURS):
        yield from ui.click_sidebar(header)
    ui.shot("colors-both")
    yield from ui.click_sidebar(DOWN, RIGHT)
    assert mesh().terrain.palette.regions[-1].based_on == "flow"
    moved = colors()
    assert not np.array_equal(moved, both)
    yield from ui.click_sidebar(UP, RIGHT)
    assert np.array_equal(colors(), both)
    yield from ui.click_sidebar(REMOVE, RIGHT)
    assert np.array_equal(colors(), rivers)
    yield from undo_each(ui, (both, moved, both, rivers, plain))


def undo_each(ui, states):
    for wanted in states:
        yield from ui.press("ctrl+z")
        yield from colored(ui, wanted)
    ui.shot("colors-undone")
