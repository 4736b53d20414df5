# SPDX-License-Identifier: GPL-3.0-or-later
"""What adding a terrain does to the viewport: its colors are seen, and all of it."""

import bpy
import pytest
from mathutils import Vector

from terrain_addon.core import presets

SIZE = 2000.0


@pytest.fixture
def view():
    """The viewport, and the context in which operators work in it."""
    window = bpy.context.window_manager.windows[0]
    area = next(area for area in window.screen.areas if area.type == "VIEW_3D")
    with bpy.context.temp_override(window=window, area=area):
        yield area.spaces.active


def distance_after_adding(view, distance, looked_at=(0.0, 0.0, 0.0)):
    region = view.region_3d
    region.view_distance, region.view_location = distance, looked_at
    bpy.ops.terrain.add(preset="crater_field", resolution=17, size=SIZE)
    return region.view_distance


@pytest.mark.parametrize("distance", [10.0, 1.05 * SIZE, 5 * SIZE, 100 * SIZE])
def test_a_new_terrain_is_seen_whole_and_is_no_speck(view, distance):
    assert distance_after_adding(view, distance) == pytest.approx(1.4 * SIZE)
    assert view.shading.color_type == "VERTEX"
    assert view.shading.studio_light == "paint.sl"
    assert view.clip_end >= 10 * SIZE


def test_lights_of_the_user_stay(view):
    view.shading.color_type, view.shading.studio_light = "MATERIAL", "rim.sl"
    distance_after_adding(view, 10.0)
    assert (view.shading.color_type, view.shading.studio_light) == ("VERTEX", "rim.sl")


@pytest.mark.parametrize("distance", [1.3 * SIZE, 3.5 * SIZE])
def test_a_view_that_shows_the_terrain_stays(view, distance):
    aside = (0.05 * SIZE, 0.0, 0.0)
    assert distance_after_adding(view, distance, aside) == pytest.approx(distance)
    assert view.region_3d.view_location == Vector(aside)


def test_a_view_of_another_place_comes_over(view):
    distance_after_adding(view, 2 * SIZE, (3 * SIZE, 0.0, 0.0))
    assert view.region_3d.view_location == Vector((0.0, 0.0, 0.0))


def test_a_preset_of_another_size_is_seen_whole_and_one_of_the_same_leaves_the_view(view):
    distance_after_adding(view, 10.0)
    region, terrain = view.region_3d, bpy.context.object.data.terrain
    terrain.size_x = terrain.size_y = 100.0
    whole = 1.4 * presets.load("crater_field").size_x
    for before, after in ((150.0, whole), (151.0, 151.0)):
        region.view_distance = before
        bpy.ops.terrain.preset_load(preset="crater_field")
        assert region.view_distance == pytest.approx(after)


def test_the_viewport_is_left_alone_where_that_is_wished(view, extension_id):
    bpy.context.preferences.addons[extension_id].preferences.prepare_view = False
    try:
        assert distance_after_adding(view, 10.0) == pytest.approx(10.0)
    finally:
        bpy.context.preferences.addons[extension_id].preferences.prepare_view = True
