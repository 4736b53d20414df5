# SPDX-License-Identifier: GPL-3.0-or-later
"""Make a biome of a layer, paint where it grows, save it and drop it into another terrain; add a
ready one."""

import bpy

NAME, OTHER = "Land", "Other"


def terrain(name=NAME):
    """Looked up each time: undo replaces what Python holds."""
    return bpy.data.objects[name].data.terrain


def kinds(name=NAME):
    return [layer.kind for layer in terrain(name).layers]


def add(ui, name, kind):
    """Add a terrain of one layer, alone in the scene."""
    with bpy.context.temp_override(area=ui.view3d(), region=ui.region("WINDOW")):
        bpy.ops.terrain.add(preset="empty", resolution=129)
        bpy.ops.terrain.layer_add(kind=kind)
        bpy.ops.view3d.view_selected()
    bpy.context.object.name = name
    bpy.ops.ed.undo_push(message=name)


def drive(ui):
    bpy.ops.object.select_all(action="SELECT")
    bpy.ops.object.delete()
    add(ui, NAME, "fractal_noise")
    with bpy.context.temp_override(area=ui.view3d(), region=ui.region("WINDOW")):
        bpy.ops.terrain.layer_add(kind="terrace")
    yield from ui.open_tab("Terrain")
    yield from ui.choose_entry("TERRAIN_MT_layer_edit", "bpy.ops.terrain.layer_group(", "biomes-1")
    assert kinds() == ["fractal_noise", "terrace", "group"], kinds()
    yield from ui.rebuilt(NAME)
    everywhere = ui.heights(NAME)
    call = 'bpy.ops.terrain.paint_map(settings="terrain.layers[2].mask_map", setting="source")'
    bpy.ops.terrain.paint_map(settings="terrain.layers[2].mask_map", setting="source")
    yield from ui.wait_until(lambda: bpy.data.objects[NAME].mode == "WEIGHT_PAINT", call)
    yield from ui.rebuilt(NAME)
    nowhere = ui.heights(NAME)
    assert (nowhere != everywhere).any(), "an empty map hides nothing"
    yield from ui.stroke((0.35, 0.45), (0.6, 0.5))
    yield from ui.reshaped(NAME, nowhere, "the stroke changes nothing")
    yield 1.0
    ui.shot("biomes-2-painted")
    bpy.ops.object.mode_set(mode="OBJECT")
    yield from ui.rebuilt(NAME)
    assert bpy.ops.terrain.biome_save(name="Steps") == {"FINISHED"}
    bpy.data.objects[NAME].hide_set(True)
    add(ui, OTHER, "hills")
    yield from ui.rebuilt(OTHER)
    ui.shot("biomes-3-menu-before")
    yield from ui.choose_entry("TERRAIN_MT_layer_add", 'biome_add(biome="Steps"', "biomes-4-menu")
    assert kinds(OTHER) == ["hills", "terrace", "group"], kinds(OTHER)
    yield from ui.rebuilt(OTHER)
    ui.shot("biomes-5-dropped")
    before = ui.heights(OTHER)
    with bpy.context.temp_override(area=ui.view3d(), region=ui.region("WINDOW")):
        bpy.ops.terrain.biome_add(biome="forest")
    yield from ui.reshaped(OTHER, before, "a ready biome does nothing")
    yield 1.0
    ui.shot("biomes-6-forest")
    bpy.ops.terrain.biome_remove(biome="Steps")
