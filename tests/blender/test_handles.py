# SPDX-License-Identifier: GPL-3.0-or-later
"""Handles of the active layer: on the surface, in the object's space, and under the mouse."""

import bpy
import numpy as np
import pytest
from mathutils import Matrix, Vector

from terrain_addon.blender.objects import handles
from terrain_addon.core import Layer, Recipe
from terrain_addon.core.layers import LAYERS

VOLCANO = LAYERS["volcano"](radius=300.0, center_x=40.0, crater=0.0, height=100.0)
RECIPE = Recipe(layers=(Layer.of(VOLCANO), Layer.of(LAYERS["smooth"]())), material="simple")


def approx(vector):
    return pytest.approx(vector[:], abs=1e-2)


def shown(mesh):
    return [handle.label for handle in handles.handles_of(mesh)]


def test_only_the_active_layer_has_handles_while_it_is_on(add):
    mesh = add(RECIPE).data
    assert shown(mesh) == ["Place", "Radius"]
    mesh.terrain.layers[0].volcano.crater = 0.2
    assert shown(mesh) == ["Place", "Radius", "Crater"]
    mesh.terrain.layers[0].enabled = False
    assert not shown(mesh)
    mesh.terrain.layers[0].enabled = True
    mesh.terrain.active_layer = 1
    assert not shown(mesh)


def test_handles_lie_on_the_surface_also_beyond_the_border(add):
    mesh = add(RECIPE, resolution=101).data
    place, radius = handles.handles_of(mesh)
    assert handles.place_of(mesh, place, 0).z == pytest.approx(96, abs=3)
    assert handles.place_of(mesh, radius, 1).z == pytest.approx(0, abs=3)
    heights = np.array([vertex.co.z for vertex in mesh.vertices]).reshape(101, 101)
    beyond = handles.on_surface(mesh, np.array([(9e5, 0.0), (-9e5, -9e5)]))
    assert [point.z for point in beyond] == pytest.approx([heights[50, 100], heights[0, 0]])
    handles.dragged.number, handles.dragged.height = 1, 42.0
    assert handles.place_of(mesh, radius, 1).z == 42.0
    handles.dragged.number = -1
    mesh.clear_geometry()
    assert handles.place_of(mesh, radius, 1).z == 0.0


def test_the_mouse_meets_the_level_of_a_handle_in_the_space_of_the_object(add):
    item = add(RECIPE)
    item.location, item.rotation_euler, item.scale = (30, 20, 10), (0.2, 0.1, 0.5), (2, 0.5, 3)
    bpy.context.view_layer.update()
    place = Vector((120.0, -40.0, 7.0))
    world = item.matrix_world @ place
    eye = Vector((50.0, -900.0, 800.0))
    met = handles.under_mouse(item, eye, world - eye, 7.0)
    assert met is not None and met[:] == approx(place)
    assert handles.under_mouse(item, eye, eye - world, 7.0) is None
    across = item.matrix_world.to_3x3() @ Vector((1.0, 0.0, 0.0))
    assert handles.under_mouse(item, eye, across, 7.0) is None
    moved = handles.moved_by(item, Matrix.Translation(world), Vector((1.0, 0.0, 0.0)))
    assert moved.translation[:] == approx(world + across)


def test_shapes_are_those_that_the_terrain_was_built_with(add):
    item = add(RECIPE)
    mesh = item.data
    assert bpy.ops.terrain.draw(kind="range", way="READY_MADE") == {"FINISHED"}
    bpy.context.view_layer.objects.active = item
    assert shown(mesh) == ["Width Left", "Width Right"]
    assert bpy.ops.terrain.draw(kind="pad", way="READY_MADE") == {"FINISHED"}
    bpy.context.view_layer.objects.active = item
    assert shown(mesh) == ["Place", "Margin", "Reach"]
    curve = handles.moved_object(handles.handles_of(mesh)[0])
    assert curve is not None and curve.name == mesh.terrain.layers[-1].pad.source
    curve.lock_location = (True, False, False)
    assert shown(mesh) == ["Margin", "Reach"]


def test_a_collection_of_places_is_not_moved(add):
    item = add(RECIPE)
    empties = bpy.data.collections.new("Places")
    bpy.context.scene.collection.children.link(empties)
    for x in (0, 50):
        empty = bpy.data.objects.new("Empty", None)
        empty.location = (x, 0, 0)
        empties.objects.link(empty)
    bpy.ops.terrain.layer_add(kind="stamp")
    item.data.terrain.layers[item.data.terrain.active_layer].stamp.places = "Places"
    assert shown(item.data) == ["Size"]
