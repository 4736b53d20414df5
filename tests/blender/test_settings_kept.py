# SPDX-License-Identifier: GPL-3.0-or-later
"""What copies, scaling and presets do with settings that have no meaning now."""

import bpy
import pytest

from terrain_addon.blender.properties import user_presets
from terrain_addon.blender.properties.recipe import read_settings
from terrain_addon.core.layers import LAYERS, MASKS
from terrain_addon.core.settings import settings_of


def test_a_copied_layer_has_the_settings_of_masks_that_are_off(add):
    terrain = add().data.terrain
    terrain.active_layer = 0
    mask = terrain.layers[0].mask_height
    mask.low, mask.high, mask.fade = 12.0, 99.0, 3.0
    terrain.layers[0].falloff.depth = 77.0  # of another kind, should it become that one
    bpy.ops.terrain.layer_duplicate()
    copy = terrain.layers[1]
    assert not copy.mask_height.use
    for kind, name in [*((kind, "mask_" + key) for key, kind in MASKS.items())]:
        found, kept = (read_settings(getattr(one, name), kind) for one in (copy, terrain.layers[0]))
        assert found == kept
    assert copy.mask_height.low == 12.0
    assert copy.falloff.depth == 77.0
    assert copy.name == terrain.layers[0].name


def test_scaling_goes_for_masks_that_are_off_and_leaves_them_off(add):
    terrain = add().data.terrain
    masks = [terrain.layers[0].mask_height, terrain.layers[0].mask_slope]
    masks[0].low, masks[0].high, masks[1].high = 12.0, 99.0, 0.25
    bpy.ops.terrain.scale(factor=2.0)
    masks = [terrain.layers[0].mask_height, terrain.layers[0].mask_slope]
    assert (masks[0].low, masks[0].high) == (24.0, 198.0)
    assert masks[1].high == pytest.approx(0.25)  # an angle
    assert not masks[0].use and not masks[1].use


def test_scaling_says_that_keys_keep_their_values(add, capfd):
    mesh = add().data
    bpy.ops.terrain.scale(factor=2.0)
    assert "Keyframes and drivers" not in capfd.readouterr().out
    mesh.keyframe_insert("terrain.layers[0].fractal_noise.height", frame=1)
    bpy.ops.terrain.scale(factor=2.0)
    assert "Keyframes and drivers keep their values" in capfd.readouterr().out


def test_operators_of_layers_need_one_that_is_chosen(add):
    terrain = add().data.terrain
    for place in (9, -1):
        terrain["active_layer"] = place
        for name in ("layer_duplicate", "layer_remove", "layer_move", "layer_copy_code"):
            assert not getattr(bpy.ops.terrain, name).poll()


def test_a_saved_preset_says_what_its_maker_says(add):
    terrain = add().data.terrain
    terrain.about = "Another land"
    bpy.ops.terrain.preset_save(name="Mine", about="  Hills of mine ")
    assert user_presets.about("Mine") == "Hills of mine"
    bpy.ops.terrain.preset_save(name="Mine")
    assert user_presets.about("Mine") == ""


def test_a_removed_preset_is_named(add, capfd):
    add()
    bpy.ops.terrain.preset_save(name="Mine")
    bpy.ops.terrain.preset_remove(preset="Mine")
    assert "Removed the preset 'Mine'" in capfd.readouterr().out


def shown(group, kind):
    known = {one.name: one for one in settings_of(kind)}
    return {name for name, one in known.items() if one.has_effect(group, known)}


def test_settings_without_a_meaning_are_hidden(add):
    layer = add().data.terrain.layers[0]
    noise, kind = layer.fractal_noise, LAYERS["fractal_noise"]
    assert "warp_amount" in shown(noise, kind)
    assert not {"warp_size", "warp_octaves"} & shown(noise, kind)
    noise.warp_amount = 5.0
    assert {"warp_size", "warp_octaves"} <= shown(noise, kind)
    # Evolution depends on Animate, which itself depends on the basis.
    noise.animate = True
    assert "evolution" in shown(noise, kind)
    noise.basis = "noiselib"
    assert not {"animate", "evolution"} & shown(noise, kind)
    assert "seed" not in shown(layer.ramp, LAYERS["ramp"])
    assert "beach_width" not in shown(layer.erosion, LAYERS["erosion"])
    layer.erosion.sea = True
    assert {"beach_width", "coastal_plain"} <= shown(layer.erosion, LAYERS["erosion"])
