# SPDX-License-Identifier: GPL-3.0-or-later
"""Layers along curves and at empties follow them in Blender."""

import math
from typing import Any, cast

import bpy
import numpy as np
import pytest

from terrain_addon.core import Layer, Recipe
from terrain_addon.core.layers import LAYERS
from terrain_addon.core.shapes import FRAME
from tests.blender.test_shapes import heights, path, shape_of

SIZE = {"size_x": 320.0, "size_y": 320.0}


@pytest.mark.parametrize("key", ["range", "fault"])
def test_a_layer_follows_the_points_of_a_curve(add, key):
    item = add(Recipe(layers=(Layer.of(LAYERS[key](roughness=0.0)),), **SIZE), resolution=33)
    assert not heights(item).any()
    curve = path([(-140, 0, 0), (0, 0, 0), (140, 0, 0)])
    getattr(item.data.terrain.layers[0], key).source = "Path"
    before = heights(item)
    assert np.ptp(before) > 40
    curve.data.splines[0].points[1].co[1] = 80
    after = heights(item)
    assert np.abs(after - before).max() > 20
    curve.data.splines[0].points[1].co[1] = 0
    assert np.array_equal(heights(item), before)


def test_a_range_stands_where_its_curve_is_moved(add):
    kind = LAYERS["range"](source="Path", roughness=0.0, left=60.0, right=60.0)
    item = add(Recipe(layers=(Layer.of(kind),), **SIZE), resolution=33)
    curve = path()
    for y in (0, 50, -100):
        curve.location.y = y
        assert heights(item)[:, 16].argmax() == 16 + y // 10


def test_stamps_follow_place_turn_and_scale_of_empties(add):
    """A map of 0 and 1 in halves: the stamp's high half lies where the empty's X axis points."""
    image = bpy.data.images.new("Halves", 8, 8, float_buffer=True, is_data=True)
    pixels = np.zeros((8, 8, 4), np.float32)
    pixels[:, 4:, :3] = 1
    image.pixels.foreach_set(cast(Any, pixels.ravel()))
    group = bpy.data.collections.new("Spots")
    bpy.context.scene.collection.children.link(group)
    empty = bpy.data.objects.new("Spot", None)
    group.objects.link(empty)
    kind = LAYERS["stamp"](source="Halves", places="Spots", size=120.0, height=50.0, falloff=0.1)
    item = add(Recipe(layers=(Layer.of(kind),), **SIZE), resolution=33)
    found = heights(item)
    assert found[16, 19] > 45 and abs(found[16, 13]) < 10
    empty.rotation_euler.z = math.pi / 2
    found = heights(item)
    assert found[19, 16] > 45 and abs(found[13, 16]) < 10
    empty.location = (-60, 30, 0)
    empty.scale = (2, 2, 3)
    found = heights(item)
    assert found[25, 10] > 140 and abs(found[16, 10]) < 30
    frame = shape_of(item, "Spots")
    assert frame.kinds.tolist() == [FRAME]
    np.testing.assert_allclose(frame.places()[0][:2], [(-60, 30, 0), (0, 2, 0)], atol=1e-5)
    other: Any = empty.copy()
    other.location, other.rotation_euler.z, other.scale = (100, -100, 0), 0, (1, 1, 1)
    group.objects.link(other)
    assert heights(item)[6, 28] > 45
