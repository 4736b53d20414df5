# SPDX-License-Identifier: GPL-3.0-or-later
"""Rivers stay while heights are dragged, in files and copies too, until they are found again."""

import json
from typing import Any

import bpy
import numpy as np
import pytest

from terrain_addon.blender.data.attributes import values_of
from terrain_addon.blender.live import rebuild
from terrain_addon.blender.properties.recipe import read_bare
from terrain_addon.core import Erosion, FractalNoise, Recipe, evaluate

HILLS = Recipe(
    material="simple", layers=(FractalNoise(height=200.0), Erosion(resolution="128", strength=1.2))
)


def heights(mesh: Any) -> Any:
    return values_of(mesh.attributes["height"]).reshape(-1)


def drag(mesh: Any, *values: float) -> None:
    for value in values:
        mesh.terrain.layers[0].fractal_noise.height = value
    rebuild.finish()


def given_by(recipe: Recipe, mesh: Any) -> Any:
    return evaluate(recipe, recipe.grid(33)).height.reshape(-1)


@pytest.fixture
def mesh(add: Any) -> Any:
    return add(HILLS, resolution=33).data


def test_a_drag_holds_the_rivers_that_the_terrain_had(mesh):
    assert read_bare(mesh.terrain) == HILLS, "nothing is held before a change"
    drag(mesh, 210.0, 225.0, 240.0)
    recipe = read_bare(mesh.terrain)
    assert recipe.layers[0].rivers_at == (("height", 200.0),)
    np.testing.assert_array_equal(heights(mesh), given_by(recipe, mesh))
    np.testing.assert_array_equal(heights(mesh), given_by(Recipe.from_json(recipe.to_json()), mesh))
    drag(mesh, 900.0, 200.0)
    assert read_bare(mesh.terrain) == HILLS
    np.testing.assert_array_equal(heights(mesh), given_by(HILLS, mesh))


def test_strength_holds_them_too(mesh):
    mesh.terrain.layers[1].erosion.strength = 1.5
    assert read_bare(mesh.terrain).layers[1].rivers_at == (("strength", 1.2),)


def test_files_and_copies_keep_them(mesh, tmp_path):
    drag(mesh, 240.0)
    recipe, before = read_bare(mesh.terrain), heights(mesh).copy()
    copy = bpy.context.object.copy()
    copy.data = mesh.copy()
    assert read_bare(copy.data.terrain) == recipe
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "hills.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "hills.blend"))
    mesh = bpy.data.meshes["Land"]
    assert read_bare(mesh.terrain) == recipe
    rebuild.update(mesh, fresh=True)
    np.testing.assert_array_equal(heights(mesh), before)


def test_find_rivers_again_follows_the_terrain_as_it_is(mesh):
    assert not bpy.ops.terrain.find_rivers.poll()
    drag(mesh, 240.0)
    held = heights(mesh).copy()
    assert bpy.ops.terrain.find_rivers() == {"FINISHED"}
    rebuild.finish()
    recipe = read_bare(mesh.terrain)
    assert not any(one.rivers_at for one in recipe.layers)
    np.testing.assert_array_equal(heights(mesh), given_by(recipe, mesh))
    assert np.abs(heights(mesh) - held).max() > 5
    assert not bpy.ops.terrain.find_rivers.poll()
    drag(mesh, 250.0)
    assert read_bare(mesh.terrain).layers[0].rivers_at == (("height", 240.0),)


def test_rivers_that_are_not_held_are_not_found_again(mesh):
    """Neither those of a plateau, nor those that follow a drawn river."""
    drag(mesh, 240.0)
    item = mesh.terrain.layers[1]
    for attribute, value in (("enabled", False), ("enabled", True)):
        setattr(item, attribute, value)
        assert bpy.ops.terrain.find_rivers.poll() == value
    item.erosion.type = "plateau"
    assert not bpy.ops.terrain.find_rivers.poll()
    item.erosion.type = "uplift"
    curve = bpy.data.objects.new("Stream", bpy.data.curves.new("Stream", "CURVE"))
    bpy.context.collection.objects.link(curve)
    bpy.ops.terrain.layer_add(kind="river")
    river = next(layer for layer in mesh.terrain.layers if layer.kind == "river")
    assert bpy.ops.terrain.find_rivers.poll(), "it has no curve yet"
    river.river.source = "Stream"
    assert not bpy.ops.terrain.find_rivers.poll()


def test_rivers_are_noted_when_erosion_is_added(add):
    mesh = add(Recipe(material="simple", layers=(FractalNoise(height=200.0),)), resolution=33).data
    drag(mesh, 300.0)
    assert not mesh.terrain.layers[0].rivers_at
    bpy.ops.terrain.layer_add(kind="erosion")
    assert json.loads(mesh.terrain.layers[0].rivers_at) == {"height": 300.0}
    bpy.ops.terrain.layer_remove()
    assert not mesh.terrain.layers[0].rivers_at


def test_undo_brings_back_the_rivers(mesh):
    bpy.ops.ed.undo_push(message="Add")
    drag(mesh, 240.0)
    bpy.ops.terrain.find_rivers()
    bpy.ops.ed.undo_push(message="Find")
    bpy.ops.ed.undo()
    (mesh,) = (one for one in bpy.data.meshes if one.terrain.is_terrain)
    rebuild.finish()
    assert read_bare(mesh.terrain) == HILLS
    np.testing.assert_array_equal(heights(mesh), given_by(HILLS, mesh))


def test_a_scaled_terrain_keeps_its_rivers(mesh):
    drag(mesh, 240.0)
    bpy.ops.terrain.scale(factor=2.0)
    assert read_bare(mesh.terrain).layers[0].rivers_at == (("height", 400.0),)
    assert json.loads(mesh.terrain.layers[1].rivers_at) == {"strength": 1.2}
