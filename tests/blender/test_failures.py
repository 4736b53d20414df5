# SPDX-License-Identifier: GPL-3.0-or-later
"""An error never leaves a terrain that passes for current, and never stops the other terrains."""

import bpy
import numpy as np
import pytest

from terrain_addon.blender.app.worker import Job, Result
from terrain_addon.blender.live import animation, message_bus, rebuild, shapes, surface
from terrain_addon.blender.live.surface import is_current
from terrain_addon.blender.mesh import terrain_mesh
from terrain_addon.blender.properties.recipe import read
from terrain_addon.core import evaluate
from tests.blender.test_shapes import path

FAULT = "An error in Orogen, please report it: RecursionError: a fault of ours"
STEPS = [
    (terrain_mesh, "color"),
    (surface.terrain_mesh, "remove_attributes"),
    (surface.materials, "sync"),
    (surface.water_kinds, "sync"),
]
"""What is done to a mesh after its first change and before its signature is written."""
NAMES = [name for _, name in STEPS]


def fail(*_, **__):
    raise RecursionError("a fault of ours")


def values(mesh, name, field, width):
    out = np.empty(len(mesh.vertices) * width, np.float32)
    mesh.attributes[name].data.foreach_get(field, out)
    return out


def heights(mesh):
    return values(mesh, "position", "vector", 3)[2::3]


def assert_shows_its_recipe(mesh):
    assert is_current(mesh)
    assert rebuild.error_of(mesh) == ""
    recipe = read(mesh.terrain)
    expected = evaluate(recipe, recipe.grid(mesh.terrain.resolution)).height.ravel()
    np.testing.assert_array_equal(heights(mesh), expected)


def change(mesh, setting, value):
    """Set a setting, and return what it was before."""
    before = getattr(mesh.terrain, setting)
    setattr(mesh.terrain, setting, value)
    return before


@pytest.mark.parametrize(("setting", "value"), [("seed", 8), ("resolution", 17)])
@pytest.mark.parametrize("step", STEPS, ids=NAMES)
def test_a_half_written_mesh_is_not_current(add, monkeypatch, step, setting, value):
    mesh = add().data
    with monkeypatch.context() as faulty:
        faulty.setattr(*step, fail)
        before = change(mesh, setting, value)
        assert rebuild.error_of(mesh) == FAULT
        assert not is_current(mesh)
    setattr(mesh.terrain, setting, before)  # what the signature from before the fault says
    assert_shows_its_recipe(mesh)


@pytest.mark.parametrize("step", STEPS, ids=NAMES)
def test_half_written_colors_are_not_current(add, monkeypatch, step):
    mesh = add().data
    colors = values(mesh, "Color", "color", 4)
    region = mesh.terrain.palette.regions[0]
    before = tuple(region.color)
    with monkeypatch.context() as faulty:
        faulty.setattr(*step, fail)
        region.color = (1.0, 0.0, 0.0)
        assert rebuild.error_of(mesh) == FAULT
        assert not is_current(mesh)
    region.color = before
    assert_shows_its_recipe(mesh)
    np.testing.assert_array_equal(values(mesh, "Color", "color", 4), colors)


def test_rebuild_mends_a_half_written_mesh_and_keeps_what_the_user_added(add, monkeypatch):
    mesh = add().data
    mesh.terrain.attributes.flow = True
    mesh.attributes.new("Mine", "FLOAT", "POINT").data.foreach_set("value", np.arange(33.0 * 33))
    with monkeypatch.context() as faulty:
        faulty.setattr(surface.materials, "sync", fail)
        mesh.terrain.seed = 8
    bpy.ops.terrain.rebuild()
    assert_shows_its_recipe(mesh)
    np.testing.assert_array_equal(values(mesh, "Mine", "value", 1), np.arange(33.0 * 33))


def test_undo_updates_the_other_terrains(add, monkeypatch):
    meshes = [add().data for _ in range(3)]
    with rebuild.quiet():
        for mesh in meshes:
            mesh.terrain.seed = 8
    real = rebuild.update
    monkeypatch.setattr(
        rebuild,
        "update",
        lambda mesh, *a, **k: fail() if mesh == meshes[0] else real(mesh, *a, **k),
    )
    rebuild._on_undo()
    for mesh in meshes[1:]:
        assert_shows_its_recipe(mesh)


def test_an_update_reaches_the_other_parts(add, monkeypatch):
    item = add()
    mask = item.data.terrain.layers[0].mask_near_shape
    curve = path()
    mask.source, mask.use = "Path", True
    bpy.context.view_layer.update()
    shapes.follow()
    before = heights(item.data)
    monkeypatch.setattr(animation, "follow_updates", fail)
    curve.location.y = 200
    bpy.context.view_layer.update()
    shapes.follow()
    assert np.abs(heights(item.data) - before).max() > 1


def test_a_result_that_cannot_be_written_is_reported(add, monkeypatch):
    mesh = add().data
    mesh.terrain.live = False
    mesh.terrain.seed = 8
    goal = surface.Target.of(mesh.terrain).signature
    monkeypatch.setattr(rebuild, "_write", fail)
    result = Result(Job(mesh.session_uid, goal, fail), made=(None, None, None))
    assert rebuild._receive(result), "the worker goes on with the results of others"
    assert rebuild.error_of(mesh) == FAULT
    assert not is_current(mesh)


def test_water_that_cannot_be_added_is_reported(add, monkeypatch):
    item = add()
    item.data.terrain.water.show = True
    copy = item.copy()
    copy.data = item.data.copy()
    bpy.context.collection.objects.link(copy)
    bpy.context.view_layer.objects.active = copy
    monkeypatch.setattr(message_bus, "update_water_objects", fail)
    message_bus._on_active()
    assert rebuild.error_of(copy.data) == FAULT
