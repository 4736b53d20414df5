# SPDX-License-Identifier: GPL-3.0-or-later
"""Bridges as objects of the scene: they come, follow and go with roads over drawn rivers."""

import bpy
import numpy as np
import pytest

from terrain_addon.blender.app import status
from terrain_addon.blender.objects import orphans
from tests.blender.test_drawing import heights


def bridges(item):
    return [child for child in item.children if child.name.startswith("Bridges")]


@pytest.fixture
def crossed(add):
    """A terrain with a river along it and a road across it, and the curve of the road."""
    item = add(resolution=65)
    bpy.ops.terrain.draw(kind="river")
    bpy.context.view_layer.objects.active = item
    bpy.ops.terrain.draw(kind="road")
    road = bpy.context.object
    heights(item)
    road.rotation_euler.z = np.pi / 2
    road.location.x = 40
    heights(item)
    status.notice("")
    return item, road


@pytest.mark.smoke
def test_a_road_across_a_river_has_a_bridge_that_follows_it(crossed):
    item, road = crossed
    (bridge,) = bridges(item)
    mesh = bridge.data
    assert bridge.parent == item and len(mesh.polygons) > 10
    assert mesh.attributes["span"].data[0].value > 5
    assert mesh.attributes["culvert"].data[0].value in (0, 1)
    assert mesh.materials[0].name.startswith("Bridge")
    assert np.mean([vertex.co.x for vertex in mesh.vertices]) == pytest.approx(40, abs=15)
    road.location.x = -100
    heights(item)
    assert bridges(item) == [bridge]
    assert np.mean([vertex.co.x for vertex in bridge.data.vertices]) < -50


def test_a_bridge_goes_with_the_crossing_and_with_its_layers(crossed):
    item, road = crossed
    road.rotation_euler.z = 0
    road.location = (0, 150, 0)
    heights(item)
    assert not bridges(item), "the road runs beside the river"
    road.rotation_euler.z = np.pi / 2
    heights(item)
    assert len(bridges(item)) == 1
    layer = next(one for one in item.data.terrain.layers if one.kind == "road")
    layer.enabled = False
    heights(item)
    assert not bridges(item)


def test_bridges_are_there_while_rivers_are_not_shown(crossed):
    item, _ = crossed
    item.data.terrain.water.rivers = False
    heights(item)
    assert len(bridges(item)) == 1
    assert not any(child.name.startswith("Rivers") for child in item.children)


def test_a_deleted_terrain_takes_its_bridge_along(crossed):
    item, _ = crossed
    bpy.ops.object.select_all(action="DESELECT")
    item.select_set(True)
    bpy.context.view_layer.objects.active = item
    bpy.ops.object.delete()
    orphans.sweep()
    assert not any(one.name.startswith("Bridges") for one in bpy.data.objects)


def test_bridges_that_the_user_deletes_stay_away_until_switched_on(crossed):
    item, road = crossed
    before = heights(item)
    bpy.data.objects.remove(bridges(item)[0])
    orphans.find_orphans()
    orphans.sweep()
    layer = next(one for one in item.data.terrain.layers if one.kind == "road")
    assert not layer.road.bridges
    assert status.noticed().startswith("Bridges switched off in 'Road'")
    np.testing.assert_array_equal(heights(item), before)
    road.location.x += 10
    heights(item)
    assert not bridges(item)
    layer.road.bridges = True
    heights(item)
    assert len(bridges(item)) == 1


def test_bridges_that_were_not_needed_are_not_switched_off(crossed):
    item, road = crossed
    orphans.find_orphans()
    road.rotation_euler.z = 0
    road.location = (0, 150, 0)
    heights(item)
    assert not bridges(item)
    orphans.find_orphans()
    orphans.sweep()
    layer = next(one for one in item.data.terrain.layers if one.kind == "road")
    assert layer.road.bridges and not status.noticed()
