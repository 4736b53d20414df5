# SPDX-License-Identifier: GPL-3.0-or-later
"""Shapes: curves, meshes, empties and collections decide where a layer acts, and are followed."""

from typing import Any, cast

import bpy
import numpy as np
import pytest

from terrain_addon.blender.live import rebuild, shapes
from terrain_addon.blender.live.surface import is_current
from terrain_addon.blender.mesh import drawn_shapes
from terrain_addon.blender.properties.recipe import read
from terrain_addon.blender.ui import draw
from terrain_addon.core import Layer, Recipe
from terrain_addon.core.layers import LAYERS, MASKS
from terrain_addon.core.shapes import CLOSED, FACE, OPEN

LIFT = LAYERS["levels"](input_min=-1.0, input_max=1.0, output_min=100.0, output_max=100.0)
N = 33


@pytest.fixture
def lifted(add):
    """A flat terrain of 320 m that is lifted by 100 m near the object "Path"."""

    def made(key="near_shape"):
        item = add(Recipe(layers=(Layer.of(LIFT),), size_x=320.0, size_y=320.0), resolution=N)
        mask = getattr(item.data.terrain.layers[0], f"mask_{key}")
        mask.source, mask.fade, mask.use = "Path", 0.0, True
        if key == "near_shape":
            mask.distance = 24.0
        return item

    return made


def path(points=((-100, 0, 5), (100, 0, 15)), kind="POLY", name="Path", cyclic=False):
    """A curve object through points."""
    curve = bpy.data.curves.new(name, "CURVE")
    curve.dimensions = "3D"
    spline = curve.splines.new(cast(Any, kind))
    target = spline.bezier_points if kind == "BEZIER" else spline.points
    target.add(len(points) - 1)
    for one, place in zip(target, points, strict=True):
        one.co = place if kind == "BEZIER" else (*place, 1)
        if kind == "BEZIER":
            one.handle_left_type = one.handle_right_type = "VECTOR"
    spline.use_cyclic_u, spline.use_endpoint_u, spline.order_u = cyclic, True, 2
    item = bpy.data.objects.new(name, curve)
    bpy.context.collection.objects.link(item)
    return item


def settle():
    """What happens before Blender draws again."""
    bpy.context.view_layer.update()
    for _ in range(4):
        if not bpy.app.timers.is_registered(shapes.follow):
            return
        bpy.app.timers.unregister(shapes.follow)
        shapes.follow()
        bpy.context.view_layer.update()
    raise AssertionError("The terrain follows itself")


def heights(item):
    settle()
    assert not rebuild.error_of(item.data)
    return stored(item)


def stored(item):
    values = np.empty(N * N, np.float32)
    item.data.attributes["height"].data.foreach_get("value", values)
    return values.reshape(N, N).round(2)


def shape_of(item, name="Path"):
    bpy.context.view_layer.update()
    found = drawn_shapes.shapes_of(item.data, [name])
    assert len(found) == 1
    return found[0]


def band(y=0.0, low=-100.0, high=100.0, distance=24.0):
    """Where points lie within 24 m of a line along x."""
    axis = np.linspace(-160, 160, N)
    out = axis - np.clip(axis, low, high)
    return 100.0 * (np.hypot(out[None], axis[:, None] - y) <= distance)


@pytest.mark.smoke
@pytest.mark.parametrize("kind", ["POLY", "BEZIER", "NURBS"])
def test_a_curve_of_any_type_is_a_shape(lifted, kind):
    item = lifted()
    curve = path(kind=kind)
    curve.data.bevel_depth = 3  # a tube around the line
    assert np.array_equal(heights(item), band())
    found = shape_of(item)
    assert found.kinds.tolist() == [OPEN]
    np.testing.assert_allclose(found.points[[0, -1], :3], [(-100, 0, 5), (100, 0, 15)], atol=1e-4)


def test_a_filled_curve_is_its_border(lifted):
    item = lifted()
    curve = path([(-100, -50, 0), (100, -50, 0), (0, 80, 0)], cyclic=True)
    curve.data.dimensions, curve.data.fill_mode = "2D", "BOTH"
    assert shape_of(item).kinds.tolist() == [CLOSED]


def test_radius_and_cyclic_curves_come_along(lifted):
    item = lifted()
    curve = path([(-100, -50, 0), (100, -50, 0), (0, 80, 0)], cyclic=True)
    curve.data.splines[0].points[1].radius = 2.5
    found = shape_of(item)
    assert found.kinds.tolist() == [CLOSED] and len(found.points) == 3
    assert sorted(found.points[:, 3]) == [1, 1, 2.5]


def test_the_terrain_follows_points_and_places(lifted):
    item, curve = lifted(), path()
    assert np.array_equal(heights(item), band())
    curve.location.y = 50
    assert np.array_equal(heights(item), band(50))
    for point in curve.data.splines[0].points:
        point.co[1] = -20
    assert np.array_equal(heights(item), band(30))
    item.location.y = 10
    assert np.array_equal(heights(item), band(20))
    item.scale = curve.scale = (2, 2, 2)
    curve.location.y = 10
    assert np.array_equal(heights(item), band(-20))


def test_modifiers_and_parents_count(lifted):
    item, curve = lifted(), path([(0, 0, 0), (100, 0, 0)])
    parent = bpy.data.objects.new("Parent", None)
    bpy.context.collection.objects.link(parent)
    curve.parent = parent
    assert np.array_equal(heights(item), band(low=0.0))
    parent.location.y = 40
    assert np.array_equal(heights(item), band(40, low=0.0))
    modifier = curve.modifiers.new("Array", "ARRAY")
    modifier.use_relative_offset, modifier.use_constant_offset = False, True
    modifier.constant_offset_displace = (-100, 0, 0)
    assert np.array_equal(heights(item), band(40))


def test_faces_are_areas_and_loose_edges_are_lines(lifted):
    item = lifted("inside_shape")
    mesh = bpy.data.meshes.new("Path")
    corners = [(-40, -30, 0), (40, -30, 0), (40, 30, 9), (-40, 30, 9), (0, 90, 0), (90, 90, 0)]
    mesh.from_pydata(corners, [(4, 5)], [(0, 1, 2, 3)])
    bpy.context.collection.objects.link(bpy.data.objects.new("Path", mesh))
    found = shape_of(item)
    assert sorted(found.kinds.tolist()) == [OPEN, FACE] and len(found.points) == 6
    axis = np.linspace(-160, 160, N)
    clear = (np.abs(axis) < 39)[None] & (np.abs(axis) < 29)[:, None]
    near = (np.abs(axis) < 41)[None] & (np.abs(axis) < 31)[:, None]
    inside = heights(item) > 50
    assert inside[clear].all() and not inside[~near].any()


def test_an_empty_is_a_point_and_a_collection_all_that_it_holds(lifted):
    item = lifted()
    group = bpy.data.collections.new("Path")
    bpy.context.scene.collection.children.link(group)
    for x in (-80, 80):
        empty = bpy.data.objects.new("Empty", None)
        empty.location.x = x
        group.objects.link(empty)
    both = band(low=-80, high=-80) + band(low=80, high=80)
    assert np.array_equal(heights(item), both)
    bpy.data.objects.remove(empty)
    assert np.array_equal(heights(item), band(low=-80, high=-80))


def test_instances_of_a_collection_count_where_they_are(lifted):
    item, group = lifted(), bpy.data.collections.new("Kit")
    curve = path(name="Inner")
    bpy.context.collection.objects.unlink(curve)
    group.objects.link(curve)
    empty = bpy.data.objects.new("Path", None)
    empty.instance_type, empty.instance_collection = "COLLECTION", group
    empty.location.y = 30
    bpy.context.collection.objects.link(empty)
    assert np.array_equal(heights(item), band(30))
    empty.location.y = -30
    assert np.array_equal(heights(item), band(-30))


def test_a_missing_shape_is_said_and_acts_nowhere(lifted):
    item = lifted()
    mask = item.data.terrain.layers[0].mask_near_shape
    said = draw.notes(mask, MASKS["near_shape"])
    assert said("source").startswith("There is no object or collection 'Path': redraw it")
    assert not heights(item).any()
    curve = path()
    assert np.array_equal(heights(item), band())
    assert draw.notes(mask, MASKS["near_shape"])("source") == ""
    bpy.data.objects.remove(curve)
    assert not heights(item).any()
    mask.source = ""
    assert draw.notes(mask, MASKS["near_shape"])("source") == "No shape yet: acts everywhere"
    assert heights(item).all()


def test_points_that_are_no_place_are_reported(lifted):
    item, curve = lifted(), path()
    before = heights(item)
    curve.location.x = 1e9
    settle()
    assert "The shape 'Path' has points beyond 10 000 km" in rebuild.error_of(item.data)
    curve.location.x = 0
    assert np.array_equal(heights(item), before)


def test_keyframes_of_a_curve_move_the_terrain(lifted):
    item, curve = lifted(), path()
    for frame, y in ((1, 0.0), (11, 50.0)):
        curve.location.y = y
        curve.keyframe_insert("location", frame=frame)
    for frame, y in ((11, 50.0), (1, 0.0)):
        bpy.context.scene.frame_set(frame)
        assert np.array_equal(heights(item), band(y))


def test_other_objects_rebuild_nothing_and_cost_little(lifted, monkeypatch):
    item, curve = lifted(), path()
    heights(item)
    other = path(name="Other")
    settle()
    asked = []
    monkeypatch.setattr(rebuild, "request", lambda mesh, *_: asked.append(mesh))
    other.location.y = 5
    settle()
    item.data.update_tag()
    settle()
    assert not asked
    curve.location.y = 5
    settle()
    assert asked == [item.data]


def test_a_saved_file_has_only_what_the_user_made(lifted, tmp_path):
    kinds = ("objects", "scenes", "node_groups", "meshes")
    item = lifted()
    path()
    counts = [len(getattr(bpy.data, kind)) for kind in kinds]
    heights(item)
    read(item.data.terrain)
    settle()
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "saved.blend"))
    assert counts == [len(getattr(bpy.data, kind)) for kind in kinds]
    bpy.data.objects["Path"].location.y = 50
    assert np.array_equal(heights(item), band(50)), "it is followed afterwards"


def test_reading_again_adds_nothing(lifted):
    item, curve = lifted(), path()
    heights(item)
    kinds = ("objects", "scenes", "node_groups", "meshes", "curves")
    counts = [len(getattr(bpy.data, kind)) for kind in kinds]
    for y in (10, 20):
        curve.location.y = y
        curve.data.splines[0].points[0].co[1] = y
        settle()
        assert counts == [len(getattr(bpy.data, kind)) for kind in kinds]


def test_a_curve_that_the_user_deletes_is_gone(lifted):
    item, curve = lifted(), path()
    assert heights(item).any()
    item.select_set(False)
    bpy.context.view_layer.objects.active = curve
    curve.select_set(True)
    bpy.ops.object.delete()
    assert not heights(item).any()
    assert "Path" not in bpy.data.objects
    path()
    assert np.array_equal(heights(item), band())


def edit(curve, mode: Any = "EDIT"):
    bpy.context.view_layer.objects.active = curve
    bpy.ops.object.mode_set(mode=mode)


@pytest.mark.smoke
def test_points_are_followed_in_edit_mode(lifted):
    item, curve = lifted(), path(kind="BEZIER")
    assert np.array_equal(heights(item), band())
    edit(curve)
    bpy.ops.curve.select_all(action="SELECT")
    for y in (20, 50):
        bpy.ops.transform.translate(value=(0, 30 if y == 50 else 20, 0))
        assert np.array_equal(heights(item), band(y))
    edit(curve, "OBJECT")
    assert np.array_equal(heights(item), band(50))


def test_a_driven_curve_is_followed(lifted):
    item, curve = lifted(), path()
    other = bpy.data.objects.new("Handle", None)
    bpy.context.collection.objects.link(other)
    driver = curve.driver_add("location", 1).driver
    variable = driver.variables.new()
    variable.type = "TRANSFORMS"
    variable.targets[0].id = other
    variable.targets[0].transform_type = "LOC_Y"
    driver.expression = "var"
    assert np.array_equal(heights(item), band())
    other.location.y = 50
    assert np.array_equal(heights(item), band(50))


def test_a_curve_of_a_library_is_a_shape(lifted, tmp_path):
    source: Any = path()
    bpy.data.libraries.write(str(tmp_path / "library.blend"), {source})
    bpy.data.batch_remove([source, source.data])
    item = lifted()
    assert not heights(item).any()
    library: Any = bpy.data.libraries.load(str(tmp_path / "library.blend"), link=True)
    with library as (found, wanted):
        wanted.objects = found.objects
    assert "Path" in bpy.data.objects
    bpy.context.collection.objects.link(bpy.data.objects["Path"])
    assert bpy.data.objects["Path"].library
    assert np.array_equal(heights(item), band())


@pytest.mark.parametrize("of_points", [False, True])
def test_keyframes_move_the_terrain_in_each_rendered_frame(lifted, of_points, tmp_path):
    item, curve = lifted(), path(kind="BEZIER")
    for frame, y in ((1, 0.0), (11, 50.0)):
        if of_points:
            for point in curve.data.splines[0].bezier_points:
                point.co[1] = y
                for name in ("co", "handle_left", "handle_right"):
                    point.keyframe_insert(name, frame=frame)
        else:
            curve.location.y = y
            curve.keyframe_insert("location", frame=frame)
    bpy.context.scene.frame_set(1)
    assert np.array_equal(heights(item), band())
    seen = {}

    def note(scene, *_):
        seen[scene.frame_current] = stored(item)

    scene = bpy.context.scene
    scene.camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    scene.collection.objects.link(scene.camera)
    scene.render.engine, scene.cycles.samples = "CYCLES", 1
    scene.render.resolution_x = scene.render.resolution_y = 8
    scene.frame_start, scene.frame_end, scene.frame_step = 1, 11, 10
    scene.render.use_lock_interface = True
    scene.render.filepath = str(tmp_path / "frame")
    bpy.app.handlers.render_post.append(note)
    try:
        bpy.ops.render.render(animation=True)
    finally:
        bpy.app.handlers.render_post.remove(note)
    assert np.array_equal(seen[1], band()) and np.array_equal(seen[11], band(50))


def test_undo_moves_the_terrain_back(lifted):
    item, curve = lifted(), path()
    assert np.array_equal(heights(item), band())
    bpy.context.preferences.edit.use_global_undo = True
    bpy.ops.ed.undo_push(message="before")
    curve.location.y = 50
    assert np.array_equal(heights(item), band(50))
    bpy.ops.ed.undo_push(message="after")
    bpy.ops.ed.undo()
    assert np.array_equal(heights(bpy.data.objects["Land"]), band())
    bpy.ops.ed.redo()
    assert np.array_equal(heights(bpy.data.objects["Land"]), band(50))


def test_all_terrains_of_a_curve_follow_it_when_a_setting_of_one_changes_first(lifted):
    """Reading the shape for that one takes the news of the move from Blender."""
    curve = path()
    first, second = lifted(), lifted()
    heights(first)
    heights(second)
    curve.location.y = 40
    first.data.terrain.layers[0].opacity = 0.5
    np.testing.assert_array_equal(heights(first), 0.5 * band(40))
    np.testing.assert_array_equal(heights(second), band(40))


def test_a_copy_follows_its_shapes(lifted):
    curve, item = path(), lifted()
    heights(item)
    copy = item.copy()
    copy.data = item.data.copy()
    bpy.context.collection.objects.link(copy)
    heights(copy)
    curve.location.y = 40
    np.testing.assert_array_equal(heights(copy), band(40))


def test_each_change_of_a_keyed_terrain_rebuilds_it_once(lifted, monkeypatch):
    """Reading a shape evaluates the scene, which calls the handler that follows keyframes."""
    item = lifted()
    terrain = item.data.terrain
    path().parent = item
    terrain.keyframe_insert("seed", frame=1)
    heights(item)
    updates, real = [], rebuild.update
    monkeypatch.setattr(rebuild, "update", lambda *a, **k: updates.append(a) or real(*a, **k))
    for value in (0.5, 0.25):  # the second one reads what the first one has changed
        terrain.layers[0].opacity = value
    assert len(updates) == 2
    np.testing.assert_array_equal(heights(item), 0.25 * band())
    assert len(updates) <= 3, "the timer looks at it once more"
    updates.clear()
    bpy.context.scene.frame_set(2)
    assert len(updates) == 1


def test_what_a_driver_changes_while_a_shape_is_read_is_followed(lifted):
    """Handlers of undo and files read the shapes of a scene that is not evaluated yet."""
    item, driving = lifted(), bpy.data.objects.new("Driving", None)
    bpy.context.collection.objects.link(driving)
    path().parent = item
    driver = item.data.driver_add("terrain.layers[0].opacity").driver
    variable = driver.variables.new()
    variable.targets[0].id, variable.targets[0].data_path = driving, "location.x"
    driver.expression = f"1 - {variable.name}"
    heights(item)
    driving.location.x = 0.5
    rebuild.request(item.data)
    np.testing.assert_array_equal(heights(item), 0.5 * band())
    assert is_current(item.data)
