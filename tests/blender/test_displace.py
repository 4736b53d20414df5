# SPDX-License-Identifier: GPL-3.0-or-later
"""A flat copy that a Displace modifier and a baked image turn into the terrain."""

import dataclasses

import bpy
import numpy as np
import pytest

from terrain_addon.core.layers import LAYERS


def pixels(image):
    out = np.empty(image.size[0] * image.size[1] * 4, np.float32)
    image.pixels.foreach_get(out)
    return out


@pytest.fixture
def land(add, recipe):
    """A terrain twice as long as wide."""
    return add(dataclasses.replace(recipe, size_y=500.0))


def test_the_displaced_copy_is_the_terrain(land):
    land.data.terrain.resolution = 129
    land.location = (10, 20, 30)
    bpy.context.view_layer.update()
    assert bpy.ops.terrain.displace_setup() == {"FINISHED"}
    copy = bpy.context.object
    assert copy != land
    assert all(vertex.co.z == 0 for vertex in copy.data.vertices)
    shown = copy.evaluated_get(bpy.context.evaluated_depsgraph_get()).data
    count = len(shown.vertices) * 3
    there, here = np.empty(count, np.float32), np.empty(count, np.float32)
    shown.attributes["position"].data.foreach_get("vector", there)
    land.data.attributes["position"].data.foreach_get("vector", here)
    span = np.ptp(here[2::3])
    deviation = np.abs(there - here).max()
    assert deviation < 1e-5 * span
    assert copy.location.x == pytest.approx(10 + 1100)
    assert not copy.data.terrain.is_terrain


def test_every_displaced_copy_keeps_its_own_land(land):
    bpy.ops.terrain.displace_setup()
    first = bpy.context.object.modifiers["Displace"].texture.image
    before = pixels(first)
    land.data.terrain.seed += 1
    bpy.context.view_layer.objects.active = land
    bpy.ops.terrain.displace_setup()
    second = bpy.context.object.modifiers["Displace"].texture.image
    assert first != second
    np.testing.assert_array_equal(pixels(first), before)
    assert not np.array_equal(pixels(second), before)


def test_the_land_of_a_displaced_copy_is_made_once(land, monkeypatch):
    made = []
    kind = LAYERS["terrace"]
    apply = kind.apply
    monkeypatch.setattr(kind, "apply", lambda self, work: made.append(1) or apply(self, work))
    bpy.ops.terrain.displace_setup()
    assert len(made) == 1
    assert bpy.context.object != land


@pytest.mark.parametrize("fails", ["images.new", "terrain_mesh.new", "uvs", "_displace"])
def test_a_displaced_copy_that_fails_leaves_nothing(land, monkeypatch, fails):
    before = set(bpy.data.user_map())

    def fail(*_, **__):
        raise MemoryError

    monkeypatch.setattr(f"terrain_addon.blender.objects.displace.{fails}", fail)
    with pytest.raises(RuntimeError, match="not enough memory"):
        bpy.ops.terrain.displace_setup()
    assert set(bpy.data.user_map()) == before
    assert bpy.context.object == land
