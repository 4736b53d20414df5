# SPDX-License-Identifier: GPL-3.0-or-later
"""Recipe and mesh agree after saving, loading, appending, linking, copying and undo."""

import os
import subprocess
import sys
from typing import Any

import addon_utils
import bpy
import numpy as np
import pytest

from terrain_addon.blender.data.terrains import objects_of, why_not_editable
from terrain_addon.blender.live import rebuild
from terrain_addon.blender.live.surface import is_current
from terrain_addon.blender.properties import user_presets
from terrain_addon.blender.properties.recipe import read
from terrain_addon.core import Bake, bake, evaluate


def heights(mesh):
    out = np.empty(len(mesh.vertices) * 3, np.float32)
    mesh.attributes["position"].data.foreach_get("vector", out)
    return out[2::3].copy()


def assert_agrees(mesh):
    assert mesh.terrain.is_terrain
    assert is_current(mesh)
    recipe = read(mesh.terrain)
    expected = evaluate(recipe, recipe.grid(mesh.terrain.resolution)).height
    np.testing.assert_array_equal(heights(mesh), expected.ravel())


def load(path, link):
    """The terrain of another file, in this one."""
    libraries: Any = bpy.data.libraries
    with libraries.load(str(path), link=link) as (_, wanted):
        wanted.objects = ["Land"]
    return wanted.objects[0]


@pytest.fixture
def saved(add, tmp_path):
    """A file with one terrain in it, and the recipe of that."""
    item = add()
    item.data.terrain.layers[0].fractal_noise.octaves = 3
    path = tmp_path / "land.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    return path, read(item.data.terrain)


@pytest.mark.smoke
def test_saved_and_loaded_again(saved):
    path, recipe = saved
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    bpy.ops.wm.open_mainfile(filepath=str(path))
    mesh = bpy.data.objects["Land"].data
    assert read(mesh.terrain) == recipe
    assert_agrees(mesh)
    mesh.terrain.seed = 8
    assert_agrees(mesh)


def test_a_stale_mesh_is_brought_in_step_when_loaded(add, tmp_path):
    mesh = add().data
    with rebuild.quiet():
        mesh.terrain.seed = 12
    assert not is_current(mesh)
    path = str(tmp_path / "stale.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    assert_agrees(bpy.data.meshes["Land"])


@pytest.mark.skipif(bpy.app.version < (5, 0, 0), reason="there the key is the settings themselves")
def test_the_copy_of_the_settings_that_a_file_of_blender_4_brings_is_dropped(saved):
    path, recipe = saved
    mesh = bpy.data.meshes["Land"]
    mesh["terrain"] = {"is_terrain": True, "seed": 3}
    mesh["note"] = "mine"
    bpy.ops.wm.save_mainfile()
    bpy.ops.wm.open_mainfile(filepath=str(path))
    mesh = bpy.data.meshes["Land"]
    assert "terrain" not in mesh and mesh["note"] == "mine"
    assert read(mesh.terrain) == recipe


@pytest.mark.slow
def test_the_file_opens_without_the_extension(saved):
    """In a Blender of its own that has never heard of the extension."""
    path, recipe = saved
    script = (
        "import bpy, sys, os\n"
        f"bpy.ops.wm.open_mainfile(filepath={str(path)!r})\n"
        "mesh = bpy.data.objects['Land'].data\n"
        "assert not hasattr(mesh, 'terrain')\n"
        "assert len(mesh.vertices) == 33 * 33 and not mesh.validate()\n"
        "assert mesh.attributes['Color'].data_type == 'FLOAT_COLOR'\n"
        "assert mesh.materials[0].use_nodes\n"
        "bpy.ops.wm.save_mainfile()\n"
        "print('intact', flush=True)\n"
        "os._exit(0)\n"
    )
    environment = {k: v for k, v in os.environ.items() if k != "BLENDER_USER_RESOURCES"}
    environment["BLENDER_USER_RESOURCES"] = str(path.parent / "empty")
    run = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, env=environment, check=False
    )
    assert "intact" in run.stdout, run.stderr
    bpy.ops.wm.open_mainfile(filepath=str(path))
    mesh = bpy.data.objects["Land"].data
    assert read(mesh.terrain) == recipe  # and it came back from there with its recipe
    assert_agrees(mesh)


@pytest.mark.smoke
def test_appended(saved):
    path, recipe = saved
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    mesh = load(path, link=False).data
    assert read(mesh.terrain) == recipe
    assert_agrees(mesh)
    mesh.terrain.seed = 21
    assert_agrees(mesh)


@pytest.mark.smoke
def test_linked_from_a_library_is_locked_and_says_so(saved):
    path, recipe = saved
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    item = load(path, link=True)
    bpy.context.collection.objects.link(item)
    bpy.context.view_layer.objects.active = item
    before = heights(item.data)
    assert why_not_editable(item.data) == "Linked from a library: make it local to edit it"
    assert not bpy.ops.terrain.random_seed.poll()
    rebuild.request(item.data)
    assert read(item.data.terrain) == recipe
    np.testing.assert_array_equal(heights(item.data), before)
    local = item.make_local().data.make_local()
    local.terrain.seed = 4
    assert_agrees(local)


def test_what_only_reads_a_linked_terrain_works(saved):
    """Baked as it is in the library, each time into the same image of this file."""
    path, recipe = saved
    lands = bpy.data.collections.new("Lands")
    lands.objects.link(bpy.data.objects["Land"])
    bpy.context.scene.collection.children.link(lands)
    bpy.ops.wm.save_mainfile()
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    libraries: Any = bpy.data.libraries
    with libraries.load(str(path), link=True) as (_, wanted):
        wanted.collections = ["Lands"]
    bpy.context.scene.collection.children.link(wanted.collections[0])
    layers = bpy.context.view_layer.layer_collection.children
    bpy.context.view_layer.active_layer_collection = layers["Lands"]
    assert bpy.ops.terrain.add(preset="island", resolution=9) == {"FINISHED"}
    assert set(bpy.context.scene.collection.objects.keys()) == {"Island", "Sea"}
    bpy.context.view_layer.objects.active = item = bpy.data.objects["Land"]
    for width in (8, 16):
        assert bpy.ops.terrain.bake(width=width) == {"FINISHED"}
    assert list(bpy.data.images.keys()) == ["Land Heightmap"]
    image: Any = bpy.data.images[0]
    got = np.empty(16 * 16 * 4, np.float32)
    image.pixels.foreach_get(got)
    pixels = bake(recipe, recipe.pixel_grid((16, 16)), Bake()).pixels
    np.testing.assert_array_equal(got, pixels.reshape(-1))
    assert bpy.ops.terrain.preset_save(name="Of a library") == {"FINISHED"}
    assert user_presets.load("Of a library").layers == recipe.layers
    assert bpy.ops.terrain.displace_setup() == {"FINISHED"}
    assert bpy.data.objects["Land Displaced"].name in bpy.context.scene.collection.objects
    own = load(path, link=False)
    bpy.context.scene.collection.objects.link(own)
    bpy.context.view_layer.objects.active = own
    bpy.ops.terrain.bake(width=4)
    assert tuple(image.size) == (16, 16)  # that of the linked one
    for poll in (bpy.ops.terrain.random_seed.poll, bpy.ops.terrain.rebuild.poll):
        bpy.context.view_layer.objects.active = item
        assert not poll()


def test_an_override_is_locked_for_files_keep_no_change_of_it(saved, tmp_path):
    path, recipe = saved
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    item = load(path, link=True)
    bpy.context.collection.objects.link(item)
    item = item.override_create(remap_local_usages=True)
    item.data.override_create(remap_local_usages=True)
    for _ in range(2):
        bpy.context.view_layer.objects.active = item
        assert item.data.override_library
        assert not bpy.ops.terrain.random_seed.poll()
        assert not bpy.ops.terrain.rebuild.poll()
        bpy.ops.terrain.bake(width=8)
        assert list(bpy.data.images.keys()) == ["Land Heightmap"]
        bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "shot.blend"))
        bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "shot.blend"))
        item = bpy.data.objects["Land"]
    assert read(item.data.terrain) == recipe


@pytest.mark.smoke
def test_a_full_copy_is_independent(add):
    item = add()
    copy = item.copy()
    copy.data = item.data.copy()
    before = heights(item.data)
    copy.data.terrain.seed = 50
    assert_agrees(copy.data)
    assert_agrees(item.data)
    np.testing.assert_array_equal(heights(item.data), before)


def test_the_objects_of_a_mesh_are_all_that_show_it_and_nothing_else(add):
    item = add()
    twin = item.copy()
    bpy.context.scene["noted"] = item.data
    assert set(objects_of(item.data)) == {item, twin}
    other = bpy.data.meshes.new("Noted")
    bpy.context.scene["other"] = other
    assert other.users and objects_of(other) == []


def test_a_linked_copy_shares_recipe_and_mesh(add):
    item = add()
    copy = item.copy()
    copy.data.terrain.seed = 51
    assert item.data.terrain.seed == 51
    assert_agrees(item.data)


def test_deleted_meshes_are_forgotten(add):
    item = add()
    bpy.data.meshes.remove(item.data)
    rebuild.finish()
    other = add().data
    other.terrain.seed = 9
    assert_agrees(other)


@pytest.mark.smoke
def test_enabled_again_the_terrain_is_still_alive(add, extension_id):
    item = add()
    for _ in range(2):
        addon_utils.disable(extension_id)
        addon_utils.enable(extension_id)
    item.data.terrain.seed = 31
    assert_agrees(item.data)


@pytest.mark.smoke
def test_undo_and_redo(add):
    """Undo restores property and mesh, whatever way the mesh took since."""
    bpy.context.preferences.edit.use_global_undo = True
    mesh = add().data
    bpy.ops.ed.undo_push(message="first")
    mesh.terrain.seed = 60
    bpy.ops.ed.undo_push(message="second")
    bpy.data.meshes["Land"].terrain.resolution = 65
    bpy.ops.ed.undo_push(message="third")
    for undo, seed, resolution in ((True, 60, 33), (True, 3, 33), (False, 60, 33), (False, 60, 65)):
        (bpy.ops.ed.undo if undo else bpy.ops.ed.redo)()
        mesh = bpy.data.meshes["Land"]
        assert (mesh.terrain.seed, mesh.terrain.resolution) == (seed, resolution)
        assert_agrees(mesh)
