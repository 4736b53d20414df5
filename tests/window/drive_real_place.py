# SPDX-License-Identifier: GPL-3.0-or-later
"""Make a place of files: elevation, aerial image, roads and rivers, erosion, light and camera.

The files are those of docs/scripts/make_place.py, the pictures those of the guide *A real place in
five minutes*, which docs/scripts/make_place_pictures.py cuts.
"""

import bpy
from mathutils import Euler

IMPORT, LAYERS = "TOPBAR_MT_file_import", "TERRAIN_MT_layers"


def drive(ui):
    bpy.context.preferences.view.filebrowser_display_type = "SCREEN"
    for item in list(bpy.data.objects):
        bpy.data.objects.remove(item)
    name = yield from elevation(ui)
    view = ui.view3d().spaces.active.region_3d
    middle = sum(corner[2] for corner in bpy.data.objects[name].bound_box) / 8
    assert abs(view.view_location.z - middle) < 1, view.view_location
    view.view_distance = 2700.0
    view.view_rotation = Euler((0.85, 0.0, 0.35)).to_quaternion()
    yield 1.0
    ui.shot("place-2-terrain")
    yield from aerial(ui, name)
    yield from vectors(ui, name)
    yield from erosion(ui, name)
    with bpy.context.temp_override(area=ui.view3d(), region=ui.region("WINDOW")):
        bpy.ops.terrain.scenery("INVOKE_DEFAULT", True)
    yield 1.0
    assert view.view_perspective == "CAMERA"
    ui.shot("place-7-camera")
    bpy.ops.wm.save_as_mainfile(filepath=f"{ui.out}/place.blend")


def elevation(ui):
    """Choose both elevation files at once: they become one terrain."""
    yield from ui.choose_entry(IMPORT, "bpy.ops.terrain.add_elevation", "place-0-import")
    yield from ui.file_browser()
    yield from ui.choose_files(".tif", "place-1-browser")
    yield from ui.wait_until(lambda: len(bpy.data.objects) > 0, "nothing was added")
    item = bpy.context.view_layer.objects.active
    assert len(item.data.vertices) == 513 * 257, len(item.data.vertices)
    yield from ui.rebuilt(item.name)
    return item.name


def aerial(ui, name):
    """Drape the image, which the viewport shows at once."""
    yield from ui.choose_entry(IMPORT, "bpy.ops.terrain.drape_image")
    yield from ui.file_browser()
    yield from ui.choose_file("aerial.png", "place-3-image")
    materials = bpy.data.objects[name].data.materials
    yield from ui.wait_until(lambda: "aerial" in materials[0].name, "nothing was draped")
    assert ui.view3d().spaces.active.shading.color_type == "TEXTURE"
    yield 2.0
    ui.shot("place-4-draped")


def vectors(ui, name):
    """Import the map, and make its layers."""
    yield from ui.choose_entry(IMPORT, "bpy.ops.terrain.import_vectors")
    yield from ui.file_browser()
    yield from ui.choose_file("map.osm", "place-5-map")
    yield from ui.wait_until(lambda: "map" in bpy.data.collections, "nothing was imported")
    yield 1.0
    ui.shot("place-5-imported")
    before = ui.heights(name)
    yield from ui.choose_entry(LAYERS, "bpy.ops.terrain.vector_layers")
    yield 1.0
    ui.shot("place-5-dialog")
    ui.xdotool("key", "Return")
    yield from ui.reshaped(name, before, "no layer was made")
    yield from ui.rebuilt(name)
    yield from ui.open_tab("Terrain")
    ui.shot("place-6-layers")
    kinds = [layer.kind for layer in bpy.data.objects[name].data.terrain.layers]
    assert kinds == ["height_map", "river", "lake", "road"], kinds


def erosion(ui, name):
    """Add a light erosion."""
    before = ui.heights(name)
    with bpy.context.temp_override(area=ui.view3d(), region=ui.region("WINDOW")):
        bpy.ops.terrain.layer_add("INVOKE_DEFAULT", True, kind="erosion")
    yield from ui.reshaped(name, before, "nothing was eroded")
    yield from ui.rebuilt(name)
    ui.shot("place-6-eroded")
    print([layer.kind for layer in bpy.data.objects[name].data.terrain.layers])
