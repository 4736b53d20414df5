# SPDX-License-Identifier: GPL-3.0-or-later
"""Make a biome of a layer, paint where it grows, save it and drop it into another terrain; add a
ready one."""

import bpy

NAME, OTHER = "Land", "Other"
READY = "alpine_meadow"
"""The biome whose picture is the first in the menu."""
FIRST_COLUMN = 0.06
"""How far across the viewport the first pictures of the menu are, which fills it."""


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
    bpy.ops.terrain.paint_map(settings="terrain.layers[2].mask_map", setting="source")
    yield from ui.wait_until(lambda: bpy.data.objects[NAME].mode == "WEIGHT_PAINT", "no paint mode")
    yield from ui.rebuilt(NAME)
    nowhere = ui.heights(NAME)
    assert (nowhere != everywhere).any(), "an empty map hides nothing"
    yield from ui.stroke((0.35, 0.45), (0.6, 0.5))
    yield from ui.reshaped(NAME, nowhere, "the stroke changes nothing")
    yield 1.0
    ui.shot("biomes-2-painted")
    bpy.ops.object.mode_set(mode="OBJECT")
    yield from ui.rebuilt(NAME)
    yield from ui.choose_entry("TERRAIN_MT_layer_edit", "bpy.ops.terrain.biome_save(")
    yield 1.0
    ui.shot("biomes-3-save")
    ui.xdotool("key", "Return")  # the name of the group
    biomes = ui.module("blender.properties.biomes")
    yield from ui.wait_until(lambda: biomes.saved() == ["Group"], "the biome is not saved")
    bpy.data.objects[NAME].hide_set(True)
    yield from add_to_another(ui)


def add_to_another(ui):
    """Choose the saved biome, then a ready one by its picture, in the + menu."""
    add(ui, OTHER, "hills")
    yield from ui.rebuilt(OTHER)
    call = "bpy.ops.terrain.biome_add(biome='Group'"
    yield from ui.choose_entry("TERRAIN_MT_layer_add", call, "biomes-4-menu", FIRST_COLUMN)
    assert kinds(OTHER) == ["hills", "terrace", "group"], kinds(OTHER)
    yield from ui.rebuilt(OTHER)
    ui.shot("biomes-5-dropped")
    call = f"bpy.ops.terrain.biome_add(biome='{READY}'"
    yield from ui.choose_entry("TERRAIN_MT_layer_add", call, "biomes-6-ready", FIRST_COLUMN)
    assert kinds(OTHER).count("group") == 2, kinds(OTHER)
    yield from ui.rebuilt(OTHER)
    yield 1.0
    ui.shot("biomes-7-added")
    bpy.ops.terrain.biome_remove(biome="Group")
