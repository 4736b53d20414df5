# SPDX-License-Identifier: GPL-3.0-or-later
"""Coming back from another mode, and copies. Blender's message bus says so only in a window."""

from functools import partial
from types import SimpleNamespace
from typing import Any
from unittest.mock import MagicMock

import bpy
import numpy as np
import pytest

from terrain_addon.blender.app.worker import Job
from terrain_addon.blender.live import message_bus, painting, rebuild
from terrain_addon.blender.live.surface import Target, is_current, stored_heightfield
from terrain_addon.blender.ui.panels import PAINTED, TERRAIN_PT_terrain, notices
from terrain_addon.core.output import recolored


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
    assert not rebuild.is_edited(item.data)
    bpy.ops.object.mode_set(mode="OBJECT")
    assert not rebuild.is_edited(item.data)


def test_who_paints_in_our_colours_is_reported_that_they_are_written_anew(add):
    mesh = add().data
    bpy.ops.object.mode_set(mode="VERTEX_PAINT")
    assert PAINTED in dict(notices(bpy.context))
    mesh.color_attributes.new("Mine", "BYTE_COLOR", "CORNER")
    mesh.attributes.active_color_name = "Mine"
    assert PAINTED not in dict(notices(bpy.context))
    mesh.attributes.active_color_name = "Color"
    bpy.ops.object.mode_set(mode="OBJECT")
    assert not dict(notices(bpy.context))


def test_an_error_shows_in_the_header_of_a_closed_panel(add):
    mesh = add().data
    panel = MagicMock()
    for source, shown in (("", False), ("not there", True), ("", False)):
        mesh.terrain.layers[0].mask_map.source = source
        mesh.terrain.layers[0].mask_map.use = bool(source)
        panel.layout.reset_mock()
        TERRAIN_PT_terrain.draw_before_help(panel, bpy.context)
        assert panel.layout.label.called == shown, rebuild.error_of(mesh)


def test_settings_are_locked_outside_of_object_mode(add):
    add()
    panel: Any = SimpleNamespace(layout=MagicMock(), reads_only=False, keeps_points=False)
    modes: Any = (("OBJECT", True), ("EDIT", False), ("SCULPT", False), ("OBJECT", True))
    for mode, unlocked in modes:
        bpy.ops.object.mode_set(mode=mode)
        assert TERRAIN_PT_terrain.begin(panel, bpy.context)[1].enabled == unlocked, mode


def water_of(item):
    return sorted(one.name.split(".")[0] for one in item.children)


def test_each_of_several_copies_gets_a_sea(add):
    for item in [add() for _ in range(3)]:
        item.data.terrain.water.show = True
    bpy.ops.object.select_all(action="DESELECT")
    for item in bpy.data.objects:
        item.select_set(item.data.terrain.is_terrain)
    bpy.context.view_layer.update()
    bpy.ops.object.duplicate()
    message_bus._on_active()
    lands = [item for item in bpy.data.objects if item.data.terrain.is_terrain]
    assert len(lands) == 6
    assert [water_of(item) for item in lands] == [["Sea"]] * 6


def start_rebuild(mesh):
    """Let the worker rebuild a terrain."""
    with rebuild.quiet():
        mesh.terrain.seed += 1
    target = Target.of(mesh.terrain)
    job = Job(mesh.session_uid, target.signature, partial(rebuild._make, target))
    rebuild._state.worker.start(job)


def test_colors_that_come_late_leave_a_mesh_with_other_points_alone(add):
    mesh = add().data
    with rebuild.quiet():
        mesh.terrain.palette.regions[0].color = (1, 0, 0)
    target = Target.of(mesh.terrain)
    kept = stored_heightfield(mesh, target)
    assert kept is not None
    make = partial(recolored, target.recipe, kept, target.shown, rebuild.CACHE)
    rebuild._state.worker.start(Job(mesh.session_uid, rebuild.Recoloring(target.signature), make))
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.ops.mesh.select_random(ratio=0.3)
    bpy.ops.mesh.delete(type="VERT")
    bpy.ops.object.mode_set(mode="OBJECT")
    left = len(mesh.vertices)
    rebuild.finish()
    assert 0 < len(mesh.vertices) == left < target.points


def test_nothing_is_added_to_a_terrain_that_is_not_live(add):
    terrain = add().data.terrain
    terrain.water.show = True
    terrain.live = False
    bpy.ops.object.duplicate()
    copy: Any = bpy.context.object
    assert is_current(copy.data) and not copy.data.terrain.live
    message_bus._on_active()
    message_bus._on_mode()
    assert not copy.children
    copy.data.terrain.live = True
    message_bus._on_active()
    assert water_of(copy) == ["Sea"]


def copied_while_waiting(item) -> Any:
    """A copy of a terrain that the worker is about to rebuild."""
    start_rebuild(item.data)
    bpy.ops.object.duplicate()
    return bpy.context.object.data


def test_what_was_computed_waits_until_edit_mode_is_left(add):
    mesh = add().data
    start_rebuild(mesh)
    bpy.ops.object.mode_set(mode="EDIT")
    rebuild.finish()
    assert rebuild.progress_of(mesh), "it waits"
    bpy.ops.object.mode_set(mode="OBJECT")
    assert not is_current(mesh)
    rebuild.finish()
    assert is_current(mesh)


def test_what_was_computed_waits_while_an_image_is_rendered(add, monkeypatch):
    mesh = add().data
    start_rebuild(mesh)
    with monkeypatch.context() as patch:  # renders are jobs only in a window
        app = SimpleNamespace(is_job_running=lambda kind: kind == "RENDER")
        patch.setattr(rebuild, "bpy", SimpleNamespace(app=app))
        rebuild.finish()
        assert not is_current(mesh)
    rebuild.finish()
    assert is_current(mesh)


def test_what_was_computed_never_replaces_what_was_moved_by_hand_meanwhile(add):
    mesh = add().data
    start_rebuild(mesh)
    mesh.vertices[0].co.z += 5
    moved = mesh.vertices[0].co.z
    rebuild.finish()
    assert mesh.vertices[0].co.z == moved
    assert not is_current(mesh)


def test_a_copy_of_a_terrain_that_waits_is_rebuilt_too(add):
    item = add()
    copy = copied_while_waiting(item)
    assert copy != item.data
    message_bus._on_active()
    rebuild.finish()
    assert is_current(item.data)
    assert is_current(copy)


def test_selecting_a_terrain_whose_rebuild_was_canceled_leaves_it_alone(add):
    item = add()
    copy = copied_while_waiting(item)
    rebuild._state.canceled |= {copy.session_uid}
    message_bus._on_active()
    rebuild.finish()
    assert is_current(item.data)
    assert not is_current(copy)


def test_a_piece_of_a_terrain_gets_no_sea(add):
    add().data.terrain.water.show = True
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.ops.mesh.select_all(action="DESELECT")
    bpy.ops.mesh.select_random(ratio=0.3)
    bpy.ops.mesh.separate(type="SELECTED")
    bpy.ops.object.mode_set(mode="OBJECT")
    piece = bpy.data.objects["Land.001"]
    bpy.context.view_layer.objects.active = piece
    message_bus._on_active()
    assert not piece.children


@pytest.mark.parametrize("name", ["Sea", "Rivers"])
def test_water_that_was_in_edit_mode_catches_up(add, name):
    terrain = add().data.terrain
    terrain.water.show = terrain.water.rivers = True
    terrain.water.level = -20
    item = bpy.data.objects[name]
    bpy.ops.object.select_all(action="DESELECT")
    bpy.context.view_layer.objects.active = item
    bpy.ops.object.mode_set(mode="EDIT")
    terrain.water.level = -10
    terrain.seed = 9
    bpy.ops.object.mode_set(mode="OBJECT")
    message_bus._on_mode()
    caught_up = points(item)
    bpy.ops.terrain.rebuild()
    terrain.water.level = -11
    terrain.water.level = -10
    assert caught_up == points(item)
    item.data.vertices[0].co.z = 7
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.ops.object.mode_set(mode="OBJECT")
    message_bus._on_mode()
    assert item.data.vertices[0].co.z == 7


def points(item):
    return [tuple(vertex.co) for vertex in item.data.vertices]


def painted_on(item):
    """Whether Blender's report of the last changes makes the terrain follow; then it does."""
    item.data.update_tag()
    bpy.context.view_layer.update()
    waits = bpy.app.timers.is_registered(painting.follow)
    if waits:
        bpy.app.timers.unregister(painting.follow)
        assert painting.follow() is None
    return waits


@pytest.mark.parametrize("mode", ["WEIGHT_PAINT", "VERTEX_PAINT"])
def test_a_terrain_follows_what_is_painted_on_its_maps(add, mode):
    item = add()
    weights = item.vertex_groups.new(name="Here")
    mask = item.data.terrain.layers[0].mask_map
    mask.source, mask.use = "Here", True
    flat = heights_of(item)
    bpy.ops.object.mode_set(mode=mode)
    weights.add(range(20), 0.5, "REPLACE")
    assert painted_on(item)
    raised = heights_of(item)
    assert not np.array_equal(raised, flat) and item.mode == mode
    assert not bpy.app.timers.is_registered(painting.follow)  # its own changes are none to follow
    bpy.ops.object.mode_set(mode="OBJECT")
    weights.add(range(20), 1.0, "REPLACE")
    assert not painted_on(item)


def heights_of(item):
    found = np.empty(len(item.data.vertices), np.float32)
    item.data.attributes["height"].data.foreach_get("value", found)
    return found
