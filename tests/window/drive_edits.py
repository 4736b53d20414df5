# SPDX-License-Identifier: GPL-3.0-or-later
"""After an edit by hand the panel says beside the settings why they have no effect; an appended
terrain is in sight."""

import bpy


def add(ui, preset):
    with bpy.context.temp_override(area=ui.view3d(), region=ui.region("WINDOW")):
        bpy.ops.terrain.add("INVOKE_DEFAULT", True, preset=preset, resolution=129)
    return bpy.context.view_layer.objects.active.name


def clear():
    bpy.ops.object.select_all(action="SELECT")
    bpy.ops.object.delete()


def edit(ui, name):
    """A stroke, without the brush: points that move by hand."""
    mesh = bpy.data.objects[name].data
    for n in range(60 * 129, 66 * 129):
        mesh.vertices[n].co.z += 80.0
    mesh.update()
    bpy.ops.ed.undo_push(message="Stroke")
    yield 1.5
    for region in ui.view3d().regions:
        region.tag_redraw()
    yield 1.5


def drive(ui):
    clear()
    name = add(ui, "rolling_downs")
    yield from ui.rebuilt(name)
    yield from ui.open_tab("Terrain")
    yield from edit(ui, name)
    ui.shot("edits-1-edited")
    terrain = bpy.data.objects[name].data.terrain
    before = ui.heights(name)
    terrain.layers[0].fractal_noise.height += 10.0
    yield 1.0
    assert (ui.heights(name) == before).all(), "a setting discarded the edits"
    ui.shot("edits-2-slider")
    yield from ui.press_button("bpy.ops.terrain.keep_sculpt()")
    yield from ui.wait_until(lambda: len(terrain.layers) > 2, "no layer is kept")
    yield from ui.rebuilt(name)
    ui.shot("edits-3-kept")

    clear()
    name = add(ui, "alps")
    yield from ui.rebuilt(name)
    path = f"{ui.out}/appended.blend"
    bpy.ops.wm.save_as_mainfile(filepath=path, copy=True)
    clear()
    bpy.ops.outliner.orphans_purge()
    space = ui.view3d().spaces.active
    space.clip_end, space.clip_start = 1000.0, 0.01
    bpy.ops.wm.append(filepath=f"{path}/Object/{name}", directory=f"{path}/Object/", filename=name)
    yield 1.0
    size = bpy.data.objects[name].data.terrain.size_x
    assert space.clip_end >= size, space.clip_end
    with bpy.context.temp_override(area=ui.view3d(), region=ui.region("WINDOW")):
        bpy.ops.view3d.view_all()
    yield 2.0
    ui.shot("edits-4-appended")
    yield 0.3
