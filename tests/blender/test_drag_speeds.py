# SPDX-License-Identifier: GPL-3.0-or-later
"""Lengths are dragged at a speed in proportion to the terrain, and stay one setting."""

import bpy
import pytest

from terrain_addon.blender.live import animation
from terrain_addon.blender.properties import drag_speeds
from terrain_addon.core import Layer, Palette, Recipe, Region, Water
from terrain_addon.core.layers import LAYERS, MASKS
from terrain_addon.core.settings import settings_of

HEIGHT = "terrain.layers[0].fractal_noise.height"


@pytest.fixture
def make(add):
    """A terrain of that extent in meters, with one layer of noise."""

    def made(extent):
        layers = (Layer.of(LAYERS["fractal_noise"]()),)
        return add(Recipe(size_x=extent, size_y=extent / 2, layers=layers)).data

    return made


def noise(mesh):
    return mesh.terrain.layers[0].fractal_noise


def declared(group, name):
    return group.bl_rna.properties[name]


def curves(mesh):
    action = mesh.animation_data.action
    if not hasattr(action, "layers"):
        return list(action.fcurves)
    slot = mesh.animation_data.action_slot
    return list(action.layers[0].strips[0].channelbag(slot).fcurves)


def paths(mesh):
    return [curve.data_path for curve in curves(mesh)]


def groups(terrain):
    """Each settings class and a property group that holds its settings."""
    item = terrain.layers[0]
    return [
        (Recipe, terrain),
        (Water, terrain.water),
        (Palette, terrain.palette),
        (Region, terrain.palette.regions.add()),
        *((kind, getattr(item, key)) for key, kind in LAYERS.items()),
        *((mask, getattr(item, "mask_" + key)) for key, mask in MASKS.items()),
    ]


def speed(group, name):
    """Meters a pixel of the field that the panel shows."""
    return declared(group, drag_speeds.shown(group, name)).step / 100


@pytest.mark.parametrize("extent", [30, 50, 99, 150, 999, 1000, 2000, 12000, 14999, 64000, 3e5])
def test_a_pixel_changes_the_usual_value_of_the_terrain_by_a_small_share(make, extent):
    group = noise(make(extent))
    for name in ("size", "height"):
        usual = declared(group, name).default * extent / 1000
        share = speed(group, name) / usual
        assert 0.001 <= share <= 0.026, (name, share)


def test_every_length_but_the_size_of_the_terrain_has_all_speeds(make):
    for cls, group in groups(make(2000).terrain):
        for setting in (one for one in settings_of(cls) if one.unit == "m"):
            names = [setting.name + one.suffix for one in drag_speeds.SPEEDS]
            found = [name for name in names if name in group.bl_rna.properties]
            own = setting.name in drag_speeds.OWN_SIZE
            assert found == ([setting.name] if own else names)
            steps = [declared(group, name).step for name in found]
            assert steps == sorted(steps)
            for name in found:
                one, prop = declared(group, setting.name), declared(group, name)
                assert (prop.name, prop.description) == (one.name, one.description)
                assert (prop.default, prop.unit) == (one.default, one.unit)
                assert (prop.hard_min, prop.hard_max) == (one.hard_min, one.hard_max)


def test_all_speeds_change_the_setting_itself_and_rebuild_the_terrain(make):
    mesh = make(64000)
    group = noise(mesh)
    assert drag_speeds.shown(group, "height") == "height_coarse"
    built = mesh.terrain.built
    group.height_coarse = 1234.5
    assert group.height == group.height_fine == 1234.5
    assert mesh.terrain.built != built


@pytest.mark.parametrize("extent", [50, 2000, 64000])
def test_keyframes_and_drivers_belong_to_the_setting(make, extent):
    mesh = make(extent)
    for name in ("height", "size"):
        shown = drag_speeds.shown(noise(mesh), name)
        path = HEIGHT.replace("height", shown)
        if name == "height":
            mesh.keyframe_insert(path, frame=1)
        else:
            mesh.driver_add(path).driver.expression = "300"
    bpy.context.view_layer.update()
    assert paths(mesh) == [HEIGHT]
    assert [one.data_path for one in mesh.animation_data.drivers] == [HEIGHT[:-6] + "size"]
    assert drag_speeds.shown(noise(mesh), "height") == "height"  # with the color of keyframes
    assert drag_speeds.shown(noise(mesh), "size") == "size"


def test_keyframes_join_those_that_the_setting_has(make):
    mesh = make(64000)
    for frame, name in ((1, "height"), (10, "height_coarse")):
        noise(mesh).height = 100 * frame
        mesh.keyframe_insert(HEIGHT.replace("height", name), frame=frame)
    bpy.context.view_layer.update()
    assert paths(mesh) == [HEIGHT]
    (curve,) = curves(mesh)
    assert [tuple(point.co) for point in curve.keyframe_points] == [(1, 100), (10, 1000)]


def test_undo_leaves_no_keyframes_on_a_further_property(make):
    mesh = make(64000)
    mesh.keyframe_insert(HEIGHT + "_coarse", frame=1)
    animation._on_undo()
    assert paths(mesh) == [HEIGHT]
