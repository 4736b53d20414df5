# SPDX-License-Identifier: GPL-3.0-or-later
"""Layers are pasted, reset and randomized; drive_presets.py copies them in a window."""

import dataclasses
import json

import bpy
import numpy as np
import pytest

from terrain_addon.blender.data import keyframes
from terrain_addon.blender.properties.recipe import read
from terrain_addon.core import HeightMask, Layer, Recipe
from terrain_addon.core.layers import LAYERS
from terrain_addon.core.recipe import MAX_LAYERS, layers_to_json, varied


@pytest.fixture
def hills():
    """A layer with a mask and settings of its own."""
    settings = LAYERS["hills"](size=123.0, seed=5)
    return Layer.of(settings, name="My Hills", opacity=0.5, masks=(HeightMask(high=3.0),))


def layers():
    return read(bpy.context.object.data.terrain).layers


def heights(mesh):
    out = np.empty(len(mesh.vertices), np.float32)
    mesh.attributes["height"].data.foreach_get("value", out)
    return out


def test_layers_are_pasted_after_the_active_one_in_order(add, recipe, hills):
    mesh = add().data
    mesh.terrain.active_layer = 0
    before = heights(mesh)
    text = layers_to_json([hills, dataclasses.replace(hills, name="Second")])
    assert bpy.ops.terrain.layer_paste(text=text) == {"FINISHED"}
    first, second = recipe.layers
    assert layers() == (first, hills, dataclasses.replace(hills, name="Second"), second)
    assert mesh.terrain.active_layer == 2
    assert not np.array_equal(before, heights(mesh))


def test_a_whole_stack_replaces_another(add, hills):
    mesh = add().data
    mesh.terrain.layers[1].keyframe_insert("opacity", frame=1)
    text = Recipe(seed=99, layers=(hills, hills)).to_json()
    assert bpy.ops.terrain.layer_paste(text=text, replace=True) == {"FINISHED"}
    assert layers() == (hills, hills)
    assert read(mesh.terrain).seed == 3, "only the layers are taken"
    assert not keyframes.is_animated(mesh), "the animated layer is gone"


def test_pasted_snow_is_white_like_added_snow(add):
    terrain = add().data.terrain
    snow = Layer.of(LAYERS["snow"]())
    bpy.ops.terrain.layer_paste(text=layers_to_json([snow]))
    assert "snow" in [region.based_on for region in terrain.palette.regions]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("no layers at all", "The clipboard has no layers. This is not a recipe"),
        ("{}", "has no layers"),
        ('{"layers": [{"kind": "hills", "settings": {"size": -4}}]}', "below the smallest value"),
        ('{"layers": [{"kind": "unknown"}]}', "no layer named 'unknown'"),
        (" \n", "nothing on the clipboard"),
    ],
)
@pytest.mark.parametrize("replace", [False, True])
def test_text_without_layers_changes_nothing(add, recipe, text, message, replace):
    mesh = add().data
    built = mesh.terrain.built
    with pytest.raises(RuntimeError, match=message):
        bpy.ops.terrain.layer_paste(text=text, replace=replace)
    assert read(mesh.terrain) == recipe
    assert mesh.terrain.built == built


def test_a_stack_that_does_not_fit_is_not_pasted_in_part(add, recipe, hills):
    mesh = add(resolution=5).data
    text = layers_to_json([hills] * (MAX_LAYERS - 1))
    with pytest.raises(RuntimeError, match=f"at most {MAX_LAYERS} layers"):
        bpy.ops.terrain.layer_paste(text=text)
    assert read(mesh.terrain) == recipe


def test_without_a_clipboard_copying_says_what_to_do(add):
    add()
    assert bpy.app.background
    with pytest.raises(RuntimeError, match="no clipboard in background mode: export"):
        bpy.ops.terrain.layer_copy()
    with pytest.raises(RuntimeError, match="nothing on the clipboard"):
        bpy.ops.terrain.layer_paste()


def test_a_reset_layer_is_as_new_but_keeps_its_name_and_masks(add, hills):
    item = add(Recipe(layers=(hills,), size_x=5000.0, size_y=5000.0))
    mesh = item.data
    mesh.terrain.layers[0].enabled = False
    assert bpy.ops.terrain.layer_reset() == {"FINISHED"}
    made = layers()[0]
    bpy.ops.terrain.layer_add(kind="hills")
    new = layers()[1]
    assert made == dataclasses.replace(new, name="My Hills", masks=hills.masks, enabled=False)
    assert made.settings.size == 1000.0, "it fits the terrain"


def test_randomize_draws_the_same_from_the_same_seed(add, recipe):
    mesh = add().data
    mesh.terrain.active_layer = 0
    usual = recipe.layers[0].settings
    bpy.ops.terrain.layer_randomize(seed=11, strength=0.5)
    made = layers()[0].settings
    assert made == varied(usual, 11, 0.5) != usual
    assert layers()[1:] == recipe.layers[1:]


def test_locked_settings_stay_in_files_and_copies_too(add, recipe, tmp_path):
    mesh = add().data
    mesh.terrain.active_layer = 0
    mesh.terrain.layers[0].fractal_noise.locks.height = True
    bpy.ops.terrain.layer_duplicate()
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "a.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "a.blend"))
    for place in (0, 1):
        bpy.context.object.data.terrain.active_layer = place
        bpy.ops.terrain.layer_randomize(seed=2)
        settings = layers()[place].settings
        assert settings.height == recipe.layers[0].settings.height
        assert settings.size != recipe.layers[0].settings.size


def test_when_all_is_locked_a_message_says_so(add):
    mesh = add().data
    locks = mesh.terrain.layers[0].fractal_noise.locks
    mesh.terrain.active_layer = 0
    for name in locks.__annotations__:
        setattr(locks, name, True)
    with pytest.raises(RuntimeError, match="locked, off or automatic"):
        bpy.ops.terrain.layer_randomize(seed=2)


def test_locks_are_no_part_of_the_recipe(add, recipe):
    mesh = add().data
    built = mesh.terrain.built
    mesh.terrain.layers[0].fractal_noise.locks.height = True
    assert read(mesh.terrain) == recipe
    assert mesh.terrain.built == built
    assert "locks" not in json.dumps(recipe.to_dict())


@pytest.mark.parametrize("name", ["layer_copy", "layer_reset", "layer_randomize"])
def test_without_a_layer_there_is_nothing_to_edit(add, name):
    add(Recipe())
    with pytest.raises(RuntimeError, match="No active layer"):
        getattr(bpy.ops.terrain, name)()
