# SPDX-License-Identifier: GPL-3.0-or-later
"""Keep as Layer: what was sculpted by hand is a layer of differences."""

from typing import Any

import bpy
import numpy as np
import pytest

from terrain_addon.blender.data.attributes import values_of
from terrain_addon.blender.live import rebuild
from terrain_addon.core import Recipe

N = 33


def points(mesh):
    return values_of(mesh.attributes["position"]).reshape(-1, 3)


def heights(mesh):
    assert not rebuild.error_of(mesh) and not rebuild.is_edited(mesh)
    return values_of(mesh.attributes["height"]).reshape(-1)


def sculpt(mesh, change):
    """Move points as a brush does: change returns shifts of x, y and z."""
    moved = points(mesh)
    moved += change(moved)
    mesh.attributes["position"].data.foreach_set("vector", moved.ravel())
    mesh.update()
    return moved


def hill(places, height=40.0, radius=120.0):
    shift = np.zeros_like(places)
    shift[:, 2] = height * np.exp(-((places[:, :2] / radius) ** 2).sum(axis=1))
    return shift


def keep():
    assert bpy.ops.terrain.keep_sculpt() == {"FINISHED"}


@pytest.mark.smoke
def test_a_sculpted_hill_is_kept_as_it_is(add):
    mesh = add(resolution=N).data
    before = heights(mesh)
    made = sculpt(mesh, hill)
    assert rebuild.is_edited(mesh)
    keep()
    terrain = mesh.terrain
    assert [item.name for item in terrain.layers][-1] == "Sculpt" and terrain.active_layer == 2
    np.testing.assert_allclose(heights(mesh), made[:, 2], atol=1e-3)
    assert np.ptp(heights(mesh) - before) > 30
    terrain.layers[2].enabled = False
    assert np.array_equal(heights(mesh), before)


def test_further_strokes_add_to_the_layer_at_its_strength(add):
    mesh = add(resolution=N).data
    sculpt(mesh, hill)
    keep()
    layer = mesh.terrain.layers[2]
    layer.opacity, layer.height_map.exaggeration = 0.5, 1.5
    made = sculpt(mesh, lambda places: hill(places + np.float32(60), -25.0, 70.0))
    keep()
    assert len(mesh.terrain.layers) == 3
    np.testing.assert_allclose(heights(mesh), made[:, 2], atol=2e-3)
    layer.opacity = 0.0
    made = sculpt(mesh, hill)
    with pytest.raises(RuntimeError, match="raise its Opacity"):
        bpy.ops.terrain.keep_sculpt()
    assert np.array_equal(points(mesh), made), "nothing is lost"


def test_the_settings_below_go_on_working(add):
    mesh = add(resolution=N).data
    before = heights(mesh)
    made = sculpt(mesh, hill)[:, 2] - before
    keep()
    mesh.terrain.seed = 77
    after = heights(mesh)
    mesh.terrain.layers[2].enabled = False
    np.testing.assert_allclose(after - heights(mesh), made, atol=1e-3)


def test_points_that_were_moved_sideways_leave_the_surface(add):
    item = add(Recipe(size_x=320.0, size_y=320.0), resolution=N)
    mesh = item.data

    def grab(places):
        shift = hill(places, 60.0, 50.0)
        shift[:, 0] = 12 * np.exp(-((places[:, :2] / 60) ** 2).sum(axis=1))
        return shift

    sculpt(mesh, grab)
    bpy.context.view_layer.update()
    inside = [n for n, (x, y, _) in enumerate(points(mesh)) if max(abs(x), abs(y)) < 150]
    axis = np.linspace(-160, 160, N)
    y, x = (values.ravel() for values in np.meshgrid(axis, axis, indexing="ij"))
    seen = [item.ray_cast((x[n] - 0.003, y[n] + 0.002, 500), (0, 0, -1))[1].z for n in inside]
    keep()
    np.testing.assert_allclose(heights(mesh)[inside], seen, atol=0.05)
    np.testing.assert_allclose(points(mesh)[:, 0], x, atol=1e-4)


def test_a_mesh_with_other_points_is_kept_by_its_surface(add):
    mesh = add(resolution=N).data
    before = heights(mesh)
    made = sculpt(mesh, hill)
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.ops.mesh.select_all(action="SELECT")
    bpy.ops.mesh.quads_convert_to_tris()
    bpy.ops.object.mode_set(mode="OBJECT")
    keep()
    assert len(mesh.polygons) == (N - 1) ** 2
    np.testing.assert_allclose(heights(mesh), made[:, 2], atol=0.05)
    assert not np.allclose(before, heights(mesh))


def test_holes_keep_the_terrain_as_it_was(add):
    mesh = add(resolution=N).data
    before = heights(mesh)
    sculpt(mesh, hill)
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.ops.mesh.select_all(action="SELECT")
    bpy.ops.mesh.delete(type="FACE")
    bpy.ops.object.mode_set(mode="OBJECT")
    keep()
    assert np.array_equal(heights(mesh), before)


def test_the_layer_follows_another_resolution(add):
    mesh = add(resolution=N).data
    before = heights(mesh)
    made = sculpt(mesh, hill)[:, 2] - before
    keep()
    mesh.terrain.resolution = 2 * N - 1
    fine = heights(mesh).copy()
    mesh.terrain.layers[2].enabled = False
    found = (fine - heights(mesh)).reshape(2 * N - 1, 2 * N - 1)[::2, ::2]
    np.testing.assert_allclose(found.ravel(), made, atol=1e-2)


def test_nothing_sculpted_is_said(add):
    add(resolution=N)
    with pytest.raises(RuntimeError, match="Nothing was sculpted"):
        bpy.ops.terrain.keep_sculpt()


def test_undo_brings_back_the_edited_mesh(add):
    mesh = add(resolution=N).data
    bpy.context.preferences.edit.use_global_undo = True
    made = sculpt(mesh, hill)
    bpy.ops.ed.undo_push(message="sculpted")
    keep()
    kept = heights(mesh)
    bpy.ops.ed.undo_push(message="kept")
    bpy.ops.ed.undo()
    mesh: Any = bpy.data.objects["Land"].data
    assert np.array_equal(points(mesh), made) and len(mesh.terrain.layers) == 2
    assert rebuild.is_edited(mesh)
    bpy.ops.ed.redo()
    mesh = bpy.data.objects["Land"].data
    assert np.array_equal(heights(mesh), kept) and len(mesh.terrain.layers) == 3
