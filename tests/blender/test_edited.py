# SPDX-License-Identifier: GPL-3.0-or-later
"""Edits by hand are recognized, also without a record of the heights, and shown by the panel."""

import time

import bpy
import numpy as np
import pytest

from terrain_addon.blender.data.attributes import values_of
from terrain_addon.blender.live import rebuild
from terrain_addon.blender.ui import edited


def test_the_panel_sees_edits_a_moment_later(add):
    mesh = add(resolution=65).data
    assert not edited.seems_edited(mesh)
    mesh.vertices[1000].co.z += 5.0
    assert rebuild.is_edited(mesh)
    end = time.monotonic() + 10
    while not edited.seems_edited(mesh) and time.monotonic() < end:
        time.sleep(0.01)
    assert edited.seems_edited(mesh)


def test_the_highest_point_is_that_of_the_sculpted_mesh(add):
    mesh = add(resolution=65).data
    low, high = edited.height_range(mesh) or (0.0, 0.0)
    mesh.vertices[1000].co.z = high + 40.0
    assert edited.shown_range(mesh) == pytest.approx((low, high + 40.0))
    assert edited.height_range(mesh) == (low, high)  # of the recipe, which exports compute


def test_a_look_is_good_for_a_while_and_for_one_mesh_as_it_is(add, monkeypatch):
    looks = []

    def is_edited(mesh):
        looks.append(mesh.name)
        time.sleep(0.02)  # then it is good for a second
        return False

    monkeypatch.setattr(edited, "is_edited", is_edited)
    first, second = add().data, add().data
    for mesh in (first, first, first, second, second, first):
        assert not edited.seems_edited(mesh)
    assert looks == [first.name, second.name, first.name]
    first.terrain.layers[0].fractal_noise.height += 10.0  # which makes it again
    edited.seems_edited(first)
    assert len(looks) == 4
    for mode in ("SCULPT", "OBJECT"):  # back from which the button must say what it does
        bpy.ops.object.mode_set(mode=mode)
        edited.seems_edited(first)
    assert len(looks) == 6


def lose_record(mesh, how):
    """Take away what the points of a terrain are compared with."""
    if how == "removed":
        mesh.attributes.remove(mesh.attributes["height"])
    elif how == "of another type":
        lose_record(mesh, "removed")
        mesh.attributes.new("height", "INT", "POINT")
        mesh.attributes["height"].name = "Mine"
    else:
        mesh.terrain.built = how


LOST = [
    "removed",
    "of another type",
    "",
    "any text",
    "99999999 99999999 1 1 0123456789abcdef 0123456789abcdef 0123456789abcdef 0123456789abcdef",
    "33 33 nan inf 0123456789abcdef 0123456789abcdef 0123456789abcdef 0123456789abcdef",
    "33 33 1000 1000 any four short texts",
    "-33 33 0 0 - - - -",
]


def points(mesh):
    return values_of(mesh.attributes["position"])


@pytest.mark.parametrize("how", LOST)
@pytest.mark.parametrize("setting", ["colors", "heights"])
def test_edits_stay_without_a_record_of_the_heights(add, how, setting):
    mesh = add().data
    mesh.vertices[500].co.z += 1.0
    mesh.attributes.new("Paint", "FLOAT", "POINT").data.foreach_set("value", np.arange(33 * 33))
    kept = points(mesh)
    lose_record(mesh, how)
    assert rebuild.is_edited(mesh) and edited.seems_edited(mesh)
    if setting == "colors":
        mesh.terrain.palette.regions[0].start = 0.25
    else:
        mesh.terrain.seed += 1
    assert rebuild.error_of(mesh).startswith("Edited by hand")
    np.testing.assert_array_equal(points(mesh), kept)
    bpy.ops.terrain.rebuild()  # discards them, and nothing else
    assert not rebuild.error_of(mesh) and not rebuild.is_edited(mesh)
    assert not np.array_equal(points(mesh), kept)
    np.testing.assert_array_equal(values_of(mesh.attributes["Paint"])[:, 0], np.arange(33 * 33))


@pytest.mark.parametrize("how", LOST)
def test_a_mesh_that_its_recipe_gives_is_not_edited(add, how):
    mesh = add().data
    lose_record(mesh, how)
    assert not rebuild.is_edited(mesh) and not edited.seems_edited(mesh)
    mesh.terrain.palette.regions[0].start = 0.25
    assert not rebuild.error_of(mesh)
    assert "height" in mesh.attributes
    mesh.terrain.seed += 1
    assert not rebuild.error_of(mesh)


@pytest.mark.parametrize("resolution", [17, 65])
def test_a_mesh_of_unknown_origin_keeps_what_the_user_added(add, resolution):
    mesh = add().data
    mesh.attributes.new("Paint", "FLOAT", "POINT").data.foreach_set("value", np.full(33 * 33, 7.0))
    mesh.terrain.built = "any text"
    mesh.terrain.resolution = resolution
    assert rebuild.error_of(mesh).startswith("Edited by hand")
    bpy.ops.terrain.rebuild()
    assert len(mesh.vertices) == resolution**2
    assert (values_of(mesh.attributes["Paint"]) == 7).all()


def test_a_failed_rebuild_leaves_a_message_that_says_why_the_terrain_is_stale(add):
    mesh = add().data
    mesh.terrain.live = False
    mesh.attributes.new("ridge", "INT", "POINT")
    mesh.terrain.attributes.ridge = True
    for _ in range(2):
        with pytest.raises(RuntimeError, match="rename it first"):
            bpy.ops.terrain.rebuild()
        assert "rename it first" in rebuild.error_of(mesh)
    mesh.attributes["ridge"].name = "Mine"
    bpy.ops.terrain.rebuild()
    assert not rebuild.error_of(mesh)
