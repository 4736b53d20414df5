# SPDX-License-Identifier: GPL-3.0-or-later
"""Coming back from another mode. Blender's message bus says so only in a window."""

import bpy

from terrain_addon.blender import live, message_bus
from terrain_addon.blender.build import is_current


def test_what_was_set_in_edit_mode_shows_afterwards(add):
    item = add()
    bpy.ops.object.mode_set(mode="EDIT")
    item.data.terrain.seed = 8
    bpy.ops.object.mode_set(mode="OBJECT")
    assert not is_current(item.data)
    message_bus._on_mode()
    assert is_current(item.data)


def test_what_was_moved_by_hand_stays(add):
    item = add()
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.ops.mesh.select_all(action="SELECT")
    bpy.ops.transform.translate(value=(0, 0, 5))
    bpy.ops.object.mode_set(mode="OBJECT")
    moved = item.data.vertices[0].co.z
    message_bus._on_mode()
    assert item.data.vertices[0].co.z == moved


def test_a_panel_can_ask_in_edit_mode_whether_a_mesh_was_edited(add, recipe):
    item = add(recipe)
    bpy.ops.object.mode_set(mode="EDIT")
    assert not live.is_edited(item.data)
    bpy.ops.object.mode_set(mode="OBJECT")
    assert not live.is_edited(item.data)
