# SPDX-License-Identifier: GPL-3.0-or-later
"""Several images at once: the dialog, the progress, a second bake in line, Esc half way."""

import bpy

BAKE_SET = 449
"""Distance of the button from the top of the sidebar, with all panels above Bake closed."""
FLOW = (-89, 30)
"""Way of the pointer from that button to a mask in the dialog."""


def terrain():
    """Looked up each time: undo replaces what Python holds."""
    return bpy.data.objects["Alps"].data.terrain


def message(ui):
    """What the panel says of the last bake."""
    return ui.module("blender.bake.queue").bakes.message(bpy.data.objects["Alps"].data)[0]


def confirmed(ui):
    """Press the button that the dialog names first."""
    ui.xdotool("key", "Return")
    yield 0.3


def width(image):
    return image.size[0]


def widths():
    return {image.name: width(image) for image in bpy.data.images if "Alps" in image.name}


def drive(ui):
    bpy.ops.object.select_all(action="SELECT")
    bpy.ops.object.delete()
    with bpy.context.temp_override(area=ui.view3d(), region=ui.region("WINDOW")):
        bpy.ops.terrain.add(preset="alps", resolution=257)
        bpy.ops.view3d.view_selected()
    bpy.context.object.name = "Alps"
    terrain().bake.width = 512
    yield from ui.open_tab("Terrain")
    for header in (13, 38, 150, 179):  # collapse Terrain and Layers, open Output and Bake
        yield from ui.click_sidebar(header)

    yield from ui.click_sidebar(BAKE_SET, 0.65)
    ui.xdotool("mousemove_relative", "--", *FLOW)
    yield 0.4
    ui.xdotool("click", 1)
    yield 0.6
    ui.shot("bake-set-1-dialog")
    assert terrain().bake_set.flow
    queue = ui.module("blender.bake.queue").bakes
    yield from confirmed(ui)
    yield from ui.wait_until(lambda: not queue.is_busy(), "the set is not baked")
    yield 0.5
    ui.shot("bake-set-2-done")
    shown = ("Heightmap", "Color", "Normal", "Flow")
    assert widths() == {f"Alps {one}": 512 for one in shown}, message(ui)

    yield from undone_at_once(ui, shown)
    yield from stopped_half_way(ui)


def undone_at_once(ui, shown):
    """All images of a set are one step, and pressing the button is none."""
    ui.xdotool("mousemove", *map(int, ui.screen_xy(ui.region("WINDOW"), 300, 300)))
    bpy.data.objects["Alps"].location.x = 1.0
    bpy.ops.ed.undo_push(message="Moved")
    yield from ui.press("ctrl+z")
    yield from ui.wait_until(
        lambda: bpy.data.objects["Alps"].location.x == 0.0, "the move is not undone"
    )
    yield from ui.press("ctrl+z")
    yield from ui.wait_until(lambda: not widths(), "the images are not undone")
    yield from ui.press("ctrl+shift+z")
    yield from ui.wait_until(
        lambda: widths() == {f"Alps {one}": 512 for one in shown}, "the images are not redone"
    )


def stopped_half_way(ui):
    """Larger images take the place of the first ones until Esc is pressed."""
    queue = ui.module("blender.bake.queue").bakes
    terrain().bake.width = 2048
    yield from ui.click_sidebar(BAKE_SET, 0.65)
    yield from confirmed(ui)
    bpy.ops.terrain.bake("INVOKE_DEFAULT", image="slope")
    assert queue.waiting() == 1
    ui.xdotool("mousemove", *map(int, ui.screen_xy(ui.region("WINDOW"), 300, 300)))
    yield 0.5
    ui.shot("bake-set-3-progress")
    yield from ui.wait_until(lambda: 2048 in widths().values(), "no larger image")
    ui.xdotool("key", "Escape")
    yield from ui.wait_until(lambda: not queue.is_busy(), "the bake is not canceled")
    yield 2.0
    ui.shot("bake-set-4-stopped")
    found = list(widths().values())
    assert 512 in found and 2048 in found, found
    assert "Alps Slope" not in widths()
    assert message(ui).startswith("The bake was canceled after")
