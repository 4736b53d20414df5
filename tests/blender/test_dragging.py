# SPDX-License-Identifier: GPL-3.0-or-later
"""A large terrain is shown with fewer points while a setting is dragged, and only then."""

import dataclasses
from types import SimpleNamespace
from typing import Any

import bpy
import numpy as np
import pytest

from terrain_addon.blender.live import callbacks, dragging
from terrain_addon.blender.live.surface import is_current
from terrain_addon.blender.mesh.lighter import CELLS, LARGE, lighter_shape, lighter_tree
from terrain_addon.blender.mesh.terrain_mesh import UV_MAP
from terrain_addon.core import FractalNoise, Layer, Recipe

POINTS = LARGE + 1
ROUGH = Recipe(layers=(Layer.of(FractalNoise(), name="Noise"),))


def values(mesh, name, field, width):
    out = np.empty(len(mesh.attributes[name].data) * width, np.float32)
    mesh.attributes[name].data.foreach_get(field, out)
    return out.reshape(-1, width)


def shown(item) -> Any:
    """The mesh that Blender draws."""
    return item.evaluated_get(bpy.context.evaluated_depsgraph_get()).data


def geometry_nodes():
    return [tree for tree in bpy.data.node_groups if tree.bl_idname == "GeometryNodeTree"]


def points_shown(item):
    return len(shown(item).vertices)


@pytest.mark.parametrize(
    ("points", "fewer"), [(33, 33), (513, 513), (1024, 1024), (1025, 257), (1400, 350), (2049, 257)]
)
def test_a_lighter_mesh_has_at_least_257_points_along_its_longer_side(points, fewer):
    assert lighter_shape(points, 9)[0] == fewer
    assert lighter_shape(9, points)[1] == fewer


@pytest.mark.parametrize("sides", [(1.0, 1.0), (1.0, 0.37)])
@pytest.mark.parametrize("points", [POINTS, 1400])
def test_a_lighter_mesh_consists_of_points_of_the_mesh(add, sides, points):
    wide = dataclasses.replace(ROUGH, size_x=1000 * sides[0], size_y=1000 * sides[1])
    item = add(wide, points)
    mesh = item.data
    nx, ny = map(int, mesh.terrain.built.split()[:2])
    mesh.attributes.new("Mine", "INT", "POINT").data.foreach_set("value", np.arange(nx * ny))
    modifier = item.modifiers.new("Lighter", "NODES")
    modifier.node_group = lighter_tree(mesh, nx, ny, UV_MAP)
    made, (mx, my) = shown(item), lighter_shape(nx, ny)
    assert len(made.vertices) == mx * my + 1, "and one that carries materials"
    assert len(made.polygons) == (mx - 1) * (my - 1)
    mine = np.empty(len(made.vertices), np.int32)
    made.attributes["Mine"].data.foreach_get("value", mine)
    rows, columns = (along.reshape(my, mx) for along in np.divmod(mine[1:], nx))
    assert np.abs(rows - np.linspace(0, ny - 1, my)[:, None]).max() < 0.51
    assert np.abs(columns - np.linspace(0, nx - 1, mx)).max() < 0.51
    kinds = {"position": ("vector", 3), "Color": ("color", 4), "slope": ("value", 1)}
    for name, kind in kinds.items():
        expected = values(mesh, name, *kind)[mine[1:]]
        np.testing.assert_array_equal(values(made, name, *kind)[1:], expected)
    assert made.attributes.active_color_name == "Color"
    assert made.materials[made.polygons[5].material_index].name == mesh.materials[0].name
    assert made.polygons[5].use_smooth and made.polygons[5].normal.z > 0
    uvs = values(made, UV_MAP, "vector", 2)
    assert uvs.min() == 0 and uvs.max() == 1


@pytest.fixture
def window(monkeypatch):
    """A window with a sidebar: the context of a change by hand, and the timer of a drag."""
    app = SimpleNamespace(background=False, timers=bpy.app.timers, handlers=bpy.app.handlers)
    fake = SimpleNamespace(app=app, data=bpy.data, context=bpy.context, types=bpy.types)
    monkeypatch.setattr(dragging, "bpy", fake)
    monkeypatch.setattr(dragging, "_watch", lambda: setattr(dragging._state, "watching", True))
    monkeypatch.setattr(dragging, "lightens_drags", lambda _: True)
    by_hand = SimpleNamespace(window=SimpleNamespace(as_pointer=lambda: 1), region=object())
    yield by_hand
    dragging.end()
    if bpy.app.timers.is_registered(dragging._look):
        bpy.app.timers.unregister(dragging._look)


@pytest.fixture
def drag(window):
    """Change the opacity of the first layer, as one step of a drag."""

    def dragged(mesh, context=window):
        layer = mesh.terrain.layers[0]
        layer.opacity *= 0.9
        callbacks.changed(layer, context)

    return dragged


def dragged_terrain(add, drag):
    """A terrain in mid-drag."""
    item = add(ROUGH, POINTS)
    drag(item.data)
    dragging._look()
    drag(item.data)
    return item


def event(kind) -> Any:
    return SimpleNamespace(type=kind)


@pytest.mark.slow
def test_only_what_is_drawn_has_fewer_points(add, drag):
    item = add(ROUGH, POINTS)
    mesh = item.data
    drag(mesh)
    assert points_shown(item) == POINTS**2, "one change is no drag"
    dragging._look()
    drag(mesh)
    few = CELLS + 1
    assert points_shown(item) == few**2 + 1
    assert len(mesh.vertices) == POINTS**2 and is_current(mesh)
    assert not item.modifiers[0].show_render
    drag(mesh)
    assert len(item.modifiers) == 1
    dragging.end()
    assert points_shown(item) == POINTS**2
    assert not item.modifiers and not geometry_nodes()


def test_other_events_than_moves_of_the_mouse_end_a_drag(add, drag):
    for kind in ("MOUSEMOVE", "INBETWEEN_MOUSEMOVE", "TIMER", "TIMER_REPORT", "LEFT_SHIFT"):
        assert dragging.belongs_to_drag(event(kind))
    for kind in ("LEFTMOUSE", "ESC", "RIGHTMOUSE", "S", "Z", "F12", "TAB", "WINDOW_DEACTIVATE"):
        assert not dragging.belongs_to_drag(event(kind))
    item = dragged_terrain(add, drag)
    operator = SimpleNamespace()
    modal = bpy.types.TERRAIN_OT_watch_drag.modal
    assert modal(operator, bpy.context, event("MOUSEMOVE")) == {"PASS_THROUGH"}
    assert item.modifiers
    assert modal(operator, bpy.context, event("LEFTMOUSE")) == {"PASS_THROUGH", "FINISHED"}
    assert not item.modifiers
    drag(item.data)
    assert not item.modifiers, "the last change of a drag comes after its end"


def test_changes_without_a_drag_show_all_points(add, drag):
    item = add(ROUGH, POINTS)
    for _ in range(3):
        drag(item.data)
        dragging._look()
        dragging.end()  # as for a click
        assert not item.modifiers


def test_all_points_are_back_when_the_mouse_rests(add, drag, monkeypatch):
    item = dragged_terrain(add, drag)
    with monkeypatch.context() as patch:
        patch.setattr(dragging.rebuild, "progress_of", lambda _: (0.5, "Erosion"))
        for _ in range(2 * dragging.REST):
            assert dragging._look()
    assert item.modifiers, "the worker has not finished"
    assert dragging._look() is None
    assert not item.modifiers and not dragging.is_watching()


@pytest.mark.slow
def test_scripts_small_terrains_and_other_terrains_are_not_dragged(add, drag, window):
    item = add(ROUGH, POINTS)
    script = SimpleNamespace(window=window.window, region=None)
    small = add(ROUGH, 65)
    for one, context in ((item, script), (small, window)):
        for _ in range(3):
            drag(one.data, context)
        assert not one.modifiers and not dragging.is_watching()
    drag(item.data)
    dragging._look()
    other = add(ROUGH, POINTS)
    drag(other.data)
    assert not item.modifiers and not other.modifiers


@pytest.mark.slow
def test_objects_with_modifiers_or_several_materials_stay_as_they_are(add, drag):
    item = add(ROUGH, POINTS)
    linked, wavy = item.copy(), item.copy()
    wavy.modifiers.new("Wave", "WAVE")
    for one in (linked, wavy):
        bpy.context.collection.objects.link(one)
    drag(item.data)
    dragging._look()
    drag(item.data)
    assert item.modifiers and linked.modifiers
    assert [modifier.name for modifier in wavy.modifiers] == ["Wave"]
    dragging.end()
    assert not item.modifiers and not linked.modifiers and len(wavy.modifiers) == 1
    item.data.materials.append(bpy.data.materials.new("Mine"))
    drag(item.data)
    dragging._look()
    drag(item.data)
    assert not item.modifiers


@pytest.mark.slow
def test_a_file_is_saved_with_all_points(add, drag, tmp_path):
    item = dragged_terrain(add, drag)
    assert item.modifiers
    path = str(tmp_path / "land.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    assert not item.modifiers
    bpy.ops.wm.open_mainfile(filepath=path)
    assert not bpy.data.objects["Land"].modifiers and not geometry_nodes()


def test_the_preference_switches_it_off(extension_id):
    preferences: Any = bpy.context.preferences.addons[extension_id].preferences
    assert preferences.lighter_drags
    assert dragging.lightens_drags(bpy.context)
    preferences.lighter_drags = False
    assert not dragging.lightens_drags(bpy.context)
    preferences.property_unset("lighter_drags")
