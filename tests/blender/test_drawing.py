# SPDX-License-Identifier: GPL-3.0-or-later
"""Draw: curves on the surface, linked to a layer or a mask in the right place of the stack."""

from typing import Any

import bpy
import numpy as np
import pytest
from mathutils import Matrix

from terrain_addon.blender.app import status
from terrain_addon.blender.data.terrains import active_layer, active_terrain, problem
from terrain_addon.blender.live import drawing_hint, rebuild, surface as surface_module
from terrain_addon.blender.mesh import drawn_shapes
from terrain_addon.blender.mesh.sculpted import heights_at
from terrain_addon.blender.objects import drawn_objects
from terrain_addon.blender.operators.drawing.draw import follower
from terrain_addon.blender.operators.layers import usual_place
from terrain_addon.blender.properties.drawn_kinds import drawn_kinds, name_of
from terrain_addon.blender.properties.recipe import read
from terrain_addon.blender.ui import drawn_lines, shape_faults
from terrain_addon.core import Layer, Recipe
from terrain_addon.core.layers import AT_END, BEFORE_EROSION, LAYERS, MASKS, LayerKind
from terrain_addon.core.settings import settings_of
from terrain_addon.core.shapes import AREA, CLOSED, LINE, OPEN, PLACE
from tests.blender.test_shapes import settle

NEAR = {LINE: "near_shape", AREA: "inside_shape"}


def heights(item):
    settle()
    assert not rebuild.error_of(item.data)
    values = np.empty(len(item.data.vertices), np.float32)
    item.data.attributes["height"].data.foreach_get("value", values)
    return values


def mask_of(item, key):
    return getattr(item.data.terrain.layers[item.data.terrain.active_layer], f"mask_{key}")


def shape_of(item, name):
    bpy.context.view_layer.update()
    return drawn_shapes.shapes_of(item.data, [name])[0]


def select(item):
    bpy.context.view_layer.objects.active = item


def surface(item, points):
    """Heights of the mesh by ray casts, in the coordinates of the terrain."""
    found = [item.ray_cast((x, y, 1e4), (0, 0, -1)) for x, y in points]
    assert all(hit for hit, *_ in found)
    return np.array([place.z for _, place, *_ in found])


@pytest.mark.parametrize("drawn", [LINE, AREA])
def test_a_mask_gets_a_curve_on_the_surface(add, drawn):
    item = add(resolution=65)
    before = heights(item)
    assert bpy.ops.terrain.draw(kind=NEAR[drawn]) == {"FINISHED"}
    curve = bpy.context.object
    assert curve.type == "CURVE" and curve.parent == item
    assert mask_of(item, NEAR[drawn]).use and mask_of(item, NEAR[drawn]).source == curve.name
    shape = shape_of(item, curve.name)
    assert shape.kinds.tolist() == [CLOSED if drawn == AREA else OPEN]
    assert not np.array_equal(before, heights(item)), "the mask acts"
    ends = np.array([point.co for point in curve.data.splines[0].bezier_points])
    half = item.data.terrain.size_x / 2
    assert (np.abs(ends[:, :2]) < half).all()


def test_curves_start_on_the_surface(add):
    item = add(resolution=65)
    bpy.ops.object.select_all(action="DESELECT")
    item.location, item.rotation_euler = (300, -40, 7), (0.1, 0.2, 0.3)
    bpy.context.view_layer.update()
    curve = drawn_objects.add(bpy.context, item, "Path", LAYERS["road"])
    drawn_objects.add_points(curve, LINE)
    points = np.array([point.co for point in curve.data.splines[0].bezier_points])
    # Bilinear patches differ from the triangles of a ray cast by less than their twist.
    np.testing.assert_allclose(points[:, 2], surface(item, points[:, :2]), atol=3)


@pytest.mark.parametrize(
    ("active", "belongs", "expected"),
    [(3, BEFORE_EROSION, 2), (0, BEFORE_EROSION, 2), (0, AT_END, 4), (0, "", None), (2, "", None)],
)
def test_a_new_layer_goes_where_its_kind_belongs(add, active, belongs, expected):
    class Course(LayerKind):
        pass

    Course.belongs = belongs
    kinds = ("fractal_noise", "levels", "erosion", "terrace")
    terrain = add(Recipe(layers=tuple(Layer.of(LAYERS[kind]()) for kind in kinds))).data.terrain
    terrain.active_layer = active
    assert usual_place(terrain, Course) == expected
    assert usual_place(terrain, LAYERS["erosion"]) == 4


@pytest.mark.parametrize("key", [key for key, kind in drawn_kinds().items() if key in LAYERS])
def test_every_layer_that_follows_a_shape_can_be_drawn(add, key):
    item = add()
    assert bpy.ops.terrain.draw(kind=key) == {"FINISHED"}
    terrain = item.data.terrain
    assert len(terrain.layers) == 3 and terrain.layers[terrain.active_layer].kind == key
    group = getattr(terrain.layers[terrain.active_layer], key)
    (name,) = (getattr(group, s.name) for s in settings_of(LAYERS[key]) if s.unit == "shape")
    assert name == bpy.context.object.name
    assert name_of(LAYERS[key]) in name
    assert (bpy.context.object.type == "EMPTY") == (LAYERS[key].drawn == PLACE)
    heights(item)


def test_a_second_area_is_one_more_spline_of_the_same_curve(add):
    item = add()
    item.data.terrain.active_layer = 1
    bpy.ops.terrain.draw(kind="inside_shape")
    curve = bpy.context.object
    bpy.ops.terrain.draw(kind="inside_shape")
    assert bpy.context.object == curve and len(curve.data.splines) == 2
    item.data.terrain.active_layer = 0
    bpy.ops.terrain.draw(kind="inside_shape")
    assert bpy.context.object != curve and bpy.context.object.parent == item


def test_the_terrain_of_an_active_curve_is_the_active_one(add):
    first = add()
    second = add()
    select(first)
    bpy.ops.terrain.draw(kind="near_shape")
    curve = bpy.context.object
    assert curve.parent == first and not mask_of(second, "near_shape").use
    bpy.ops.terrain.draw(kind="near_shape")
    assert bpy.context.object == curve
    before = heights(second)
    first.location.x = 50
    curve.location.y = 20
    assert np.array_equal(before, heights(second))


@pytest.mark.smoke
def test_a_curve_drawn_by_hand_starts_empty_in_edit_mode(add):
    item = add()
    assert bpy.ops.terrain.draw(kind="near_shape", way="BY_HAND") == {"FINISHED"}
    curve = bpy.context.object
    try:
        assert bpy.context.mode == "EDIT_CURVE" and not len(curve.data.splines)
        paint = bpy.context.tool_settings.curve_paint_settings
        assert paint.depth_mode == "SURFACE"
        without = heights(item)
        bpy.ops.curve.primitive_bezier_curve_add(radius=60)
        assert not np.array_equal(without, heights(item)), "it is followed in Edit Mode"
        assert not bpy.ops.terrain.draw.poll()
    finally:
        bpy.ops.object.mode_set(mode="OBJECT")
    assert not np.array_equal(without, heights(item))


def test_a_layer_follows_the_other_selected_objects(add):
    item = add(resolution=65)
    with pytest.raises(RuntimeError, match="and the terrain last"):
        bpy.ops.terrain.draw(kind="pad", way="SELECTED")
    boxes = []
    for x in (-120, 100):
        bpy.ops.mesh.primitive_cube_add(size=60, location=(x, 40, 50))
        boxes.append(bpy.context.object)
    for chosen in (boxes[:1], boxes):
        for one in bpy.data.objects:
            one.select_set(one in chosen or one == item)
        select(item)
        layers = len(item.data.terrain.layers)
        assert bpy.ops.terrain.draw(kind="pad", way="SELECTED") == {"FINISHED"}
        assert bpy.context.object == item and len(item.data.terrain.layers) == layers + 1
        values = heights(item).reshape(65, 65)
        corners = np.array([v.co[:] for v in item.data.vertices]).reshape(65, 65, 3)
        for box in chosen:
            inside = (np.abs(corners[..., :2] - box.location[:2]) < 30).all(axis=2)
            np.testing.assert_allclose(values[inside], 20, atol=1e-3)
    assert set(bpy.data.collections[item.data.terrain.layers[-1].pad.source].objects) == set(boxes)
    boxes[0].location.x -= 60
    moved = heights(item).reshape(65, 65)
    assert np.abs(moved - values).max() > 0.1, "the pad follows its object"


@pytest.mark.parametrize("mode", ["OBJECT", "EDIT"])
@pytest.mark.parametrize("kind", ["POLY", "BEZIER", "NURBS"])
def test_draping_puts_points_on_the_surface(add, mode, kind):
    item = add(resolution=65)
    curve = drawn_objects.add(bpy.context, item, "Path", LAYERS["road"])
    spline = curve.data.splines.new(kind)
    places = [(-200, 30, 900), (10, 20, -500), (5000, 40, 3)]
    points = spline.bezier_points if kind == "BEZIER" else spline.points
    points.add(2)
    for point, place in zip(points, places, strict=True):
        point.co = place if kind == "BEZIER" else (*place, 1)
    curve.location, curve.rotation_euler = (30, 20, 10), (0.2, 0, 0.4)
    item.location, item.scale = (3, 4, 5), (2, 2, 2)
    bpy.context.view_layer.update()
    select(curve)
    bpy.ops.object.mode_set(mode=mode)
    assert bpy.ops.terrain.drape(offset=2.0) == {"FINISHED"}
    bpy.ops.object.mode_set(mode="OBJECT")
    settled = item.matrix_world.inverted() @ curve.matrix_world
    spline = curve.data.splines[0]
    points = spline.bezier_points if kind == "BEZIER" else spline.points
    found = np.array([settled @ point.co.to_3d() for point in points])
    np.testing.assert_allclose(found[:2, 2], surface(item, found[:2, :2]) + 2, atol=3)
    assert np.isfinite(found).all(), "beyond the border, the height of the border"


@pytest.mark.parametrize("key", ["range", "river", "lake"])
def test_curves_are_scaled_with_their_terrain(add, key):
    item = add(resolution=65)
    bpy.ops.terrain.draw(kind=key)
    curve = bpy.context.object
    curve.location, curve.rotation_euler.z = (30, -20, 4), 0.3
    curve.matrix_parent_inverse = Matrix.Translation((10, 5, -2)) @ Matrix.Rotation(0.4, 4, "Z")
    before, shape = heights(item), shape_of(item, curve.name)
    assert bpy.ops.terrain.scale(factor=2) == {"FINISHED"}
    after = shape_of(item, curve.name)
    np.testing.assert_allclose(after.points, shape.scaled(2).points, rtol=1e-5, atol=1e-3)
    np.testing.assert_allclose(heights(item), 2 * before, rtol=1e-3, atol=0.1)


def test_empties_keep_their_scale_and_objects_of_others_their_places(add):
    item = add(resolution=65)
    empty, other = (bpy.data.objects.new(name, None) for name in ("Spot", "Other"))
    group = bpy.data.collections.new("Spots")
    bpy.context.scene.collection.children.link(group)
    for one in (empty, other):
        group.objects.link(one)
        one.location, one.scale = (50, 40, 20), (1.5, 1.5, 1.5)
    empty.parent = item
    bpy.ops.terrain.layer_add(kind="lake")
    item.data.terrain.layers[-1].lake.source = "Spots"
    settle()
    assert bpy.ops.terrain.scale(factor=2) == {"FINISHED"}
    assert empty.location[:] == (100, 80, 40) and empty.scale.x == 1.5
    assert other.location[:] == (50, 40, 20)


def test_draping_a_curve_without_a_terrain_says_so(add):
    item = add()
    curve = bpy.data.objects.new("Path", bpy.data.curves.new("Path", "CURVE"))
    bpy.context.collection.objects.link(curve)
    select(curve)
    with pytest.raises(RuntimeError, match="No terrain follows this curve"):
        bpy.ops.terrain.drape()
    mask_of(item, "near_shape").source, mask_of(item, "near_shape").use = "Path", True
    settle()
    assert bpy.ops.terrain.drape() == {"FINISHED"}
    select(item)
    with pytest.raises(RuntimeError, match="Select a curve"):
        bpy.ops.terrain.drape()


def test_drawing_needs_a_layer_for_a_mask_and_room_for_a_layer(add):
    add(Recipe())
    objects = len(bpy.data.objects)
    with pytest.raises(RuntimeError, match="Add a layer first"):
        bpy.ops.terrain.draw(kind="near_shape")
    assert len(bpy.data.objects) == objects


@pytest.mark.smoke
def test_undo_and_redo_take_curve_and_mask_together(add):
    item = add()
    bpy.context.preferences.edit.use_global_undo = True
    before = heights(item)
    bpy.ops.ed.undo_push(message="terrain")
    bpy.ops.terrain.draw(kind="inside_shape")
    name = bpy.context.object.name
    after = heights(item)
    bpy.ops.ed.undo_push(message="drawn")
    bpy.ops.ed.undo()
    item = bpy.data.objects["Land"]
    assert name not in bpy.data.objects and not mask_of(item, "inside_shape").use
    assert np.array_equal(before, heights(item))
    bpy.ops.ed.redo()
    item = bpy.data.objects["Land"]
    assert bpy.data.objects[name].parent == item and mask_of(item, "inside_shape").use
    assert np.array_equal(after, heights(item))


def test_names_of_masks_are_what_is_drawn():
    assert [name_of(MASKS[key]) for key in NEAR.values()] == ["Line", "Area"]


def points_of(curve):
    """Places of the points and handles of the first spline, (3, n, 3) float32."""
    points = curve.data.splines[0].bezier_points
    return np.array([[getattr(point, name)[:] for point in points] for name in NAMES], np.float32)


NAMES = ("co", "handle_left", "handle_right")


def test_curves_lie_on_the_ground_after_a_rebuild_and_the_terrain_stays(add, monkeypatch):
    """A range raises the ground over its own curve."""
    item = add(resolution=65)
    bpy.ops.terrain.draw(kind="range")
    curve = bpy.context.object
    assert curve.show_in_front
    heights(item)
    group = item.data.terrain.layers[item.data.terrain.active_layer].range
    before, built = points_of(curve), []
    monkeypatch.setattr(
        "terrain_addon.blender.live.rebuild.write",
        lambda *arguments: built.append(1) or surface_module.write(*arguments),
    )
    group.height = 400.0
    raised = heights(item)
    assert raised.max() > 300 and len(built) == 1, "draping is no reason to rebuild"
    after = points_of(curve)
    assert np.array_equal(before[..., :2], after[..., :2])
    places = after[0].astype(np.float64)
    np.testing.assert_allclose(
        places[:, 2], heights_at(item.data, places[:, 0], places[:, 1]), atol=1e-3
    )
    assert places[2, 2] > before[0, 2, 2] + 50
    assert np.array_equal(raised, heights(item)) and len(built) == 1


HEIGHT_SOURCES = {
    "range": ("crest", "number"),
    "road": ("follow", "terrain"),
    "lake": ("follow", "shore"),
}
"""Setting that makes a layer read the heights of its curve, and a choice that does not."""


@pytest.mark.parametrize("kind", HEIGHT_SOURCES)
def test_a_curve_whose_heights_matter_is_not_draped(add, kind):
    item = add(resolution=65)
    bpy.ops.terrain.draw(kind=kind)
    curve = bpy.context.object
    group = getattr(item.data.terrain.layers[item.data.terrain.active_layer], kind)
    setting, otherwise = HEIGHT_SOURCES[kind]
    setattr(group, setting, "curve")
    for point in curve.data.splines[0].bezier_points:
        point.co.z = 77.0
    heights(item)
    assert (points_of(curve)[0, :, 2] == 77).all()
    assert (shape_in_recipe(item, curve.name).points[:, 2] != 0).any()
    setattr(group, setting, otherwise)
    heights(item)
    assert (points_of(curve)[0, :, 2] != 77).all()
    assert not shape_in_recipe(item, curve.name).points[:, 2].any()


def shape_in_recipe(item, name):
    return next(shape for shape in read(item.data.terrain).shapes if shape.name == name)


def test_a_curve_is_draped_when_edit_mode_is_left(add):
    item = add(resolution=65)
    bpy.ops.terrain.draw(kind="near_shape")
    curve = bpy.context.object
    heights(item)
    bpy.ops.object.mode_set(mode="EDIT")
    for point in curve.data.splines[0].bezier_points:
        point.co.x += 20
        point.co.z = 900
    heights(item)
    assert (points_of(curve)[0, :, 2] == 900).all(), "not under the mouse"
    bpy.ops.object.mode_set(mode="OBJECT")
    heights(item)
    places = points_of(curve)[0].astype(np.float64)
    np.testing.assert_allclose(
        places[:, 2], heights_at(item.data, places[:, 0], places[:, 1]), atol=1e-3
    )


def test_curves_that_are_tilted_or_modified_keep_their_places(add):
    item = add(resolution=65)
    bpy.ops.terrain.draw(kind="road")
    curve = bpy.context.object
    heights(item)
    curve.rotation_euler.x = 0.3
    before = points_of(curve)
    item.data.terrain.layers[0].fractal_noise.height = 300.0
    heights(item)
    assert np.array_equal(before, points_of(curve))
    curve.rotation_euler.x, curve.rotation_euler.z = 0, 0.3
    heights(item)
    assert not np.array_equal(before, points_of(curve))


@pytest.mark.smoke
def test_undo_restores_terrain_and_curve_together(add):
    item = add()
    bpy.context.preferences.edit.use_global_undo = True
    bpy.ops.terrain.draw(kind="range")
    name = bpy.context.object.name
    first, places = heights(item), points_of(bpy.data.objects[name])
    bpy.ops.ed.undo_push(message="range")
    item.data.terrain.layers[item.data.terrain.active_layer].range.height = 500.0
    second = heights(item)
    raised = points_of(bpy.data.objects[name])
    assert not np.array_equal(places, raised)
    bpy.ops.ed.undo_push(message="higher")
    for step, ground, curve in (("undo", first, places), ("redo", second, raised)):
        getattr(bpy.ops.ed, step)()
        assert np.array_equal(heights(bpy.data.objects["Land"]), ground)
        assert np.array_equal(points_of(bpy.data.objects[name]), curve)


def test_each_kind_has_a_line_of_its_own_color(add):
    """Also drawn over the curve: the line passes where Blender's own curve does."""
    item, colors = add(), set()
    for kind in ("river", "lake"):
        bpy.context.view_layer.objects.active = item
        bpy.ops.terrain.draw(kind=kind)
        curve = bpy.context.object
        assert curve is not None
        curve.location, curve.rotation_euler.z = (20, -30, 4), 0.5
        color: Any = curve.color
        colors.add(tuple(round(value, 4) for value in color))
        bpy.context.view_layer.update()
        graph = bpy.context.evaluated_depsgraph_get()
        mesh = curve.evaluated_get(graph).to_mesh()
        expected = np.array([(curve.matrix_world @ vertex.co)[:] for vertex in mesh.vertices])
        (line,) = drawn_lines.lines_of(curve)
        np.testing.assert_allclose(line[: len(expected)], expected, atol=2e-3)
    assert len(colors) == 2
    drawn = [kind.line_color for kind in drawn_kinds().values() if kind.key in LAYERS]
    assert len(set(drawn)) == len(drawn)


def test_the_line_of_a_curve_follows_the_ground_between_its_points(add):
    item = add(resolution=65)
    item.location, item.rotation_euler.z = (300, -40, 25), 0.4
    bpy.ops.terrain.draw(kind="river")
    curve = bpy.context.object
    assert curve is not None
    for height in (80.0, 400.0):
        item.data.terrain.layers[0].fractal_noise.height = height
        heights(item)
        bpy.context.view_layer.update()
        before = points_of(curve)
        (line,) = drawn_lines.shown_lines(curve)
        inside = np.linalg.inv(np.array(item.matrix_world))
        x, y, z = inside[:3, :3] @ line.T.astype(np.float64) + inside[:3, 3:]
        np.testing.assert_allclose(z, heights_at(item.data, x, y), atol=1e-2)
        cell = item.data.terrain.size_x / 64
        assert np.hypot(np.diff(x), np.diff(y)).max() <= cell * 1.001
        assert np.array_equal(before, points_of(curve)), "the points are the user's"


def test_lines_of_a_curve_are_read_again_only_once_it_is_edited_or_undone(add):
    add(resolution=65)
    bpy.ops.terrain.draw(kind="road")
    curve = bpy.context.object
    assert curve is not None
    bpy.context.view_layer.update()
    bpy.ops.ed.undo_push(message="Drawn")
    name, lines = curve.name, drawn_lines.shown_lines(curve)
    assert drawn_lines.shown_lines(curve) is lines
    curve.data.splines[0].bezier_points[0].co.x += 30
    curve.data.update_tag()
    bpy.context.view_layer.update()
    edited = drawn_lines.shown_lines(curve)
    assert edited[0][0, 0] > lines[0][0, 0] + 20
    bpy.ops.ed.undo_push(message="Moved")
    bpy.ops.ed.undo()
    again = drawn_lines.shown_lines(bpy.data.objects[name])
    np.testing.assert_allclose(again[0], lines[0], atol=1e-3)
    bpy.ops.ed.redo()
    again = drawn_lines.shown_lines(bpy.data.objects[name])
    np.testing.assert_allclose(again[0][:, :2], edited[0][:, :2], atol=1e-3)


def test_a_tilted_curve_keeps_its_line_off_the_ground(add):
    add(resolution=65)
    bpy.ops.terrain.draw(kind="road")
    curve = bpy.context.object
    assert curve is not None
    curve.rotation_euler.x = 0.3
    bpy.context.view_layer.update()
    (line,), (straight,) = drawn_lines.shown_lines(curve), drawn_lines.lines_of(curve)
    np.testing.assert_array_equal(line, straight)


def test_the_status_bar_says_how_to_end_a_drawing(add):
    add()
    bpy.ops.terrain.draw(kind="road", way="BY_HAND")
    assert bpy.context.mode == "EDIT_CURVE"
    drawing_hint.follow_mode()  # Blender's message bus calls it in a window
    assert "Enter or Tab" in status.shown()
    assert bpy.ops.terrain.end_drawing.poll()
    bpy.ops.terrain.end_drawing()
    drawing_hint.follow_mode()
    assert bpy.context.mode == "OBJECT" and not status.shown()
    assert not bpy.ops.terrain.end_drawing.poll()


def test_enter_keeps_its_function_on_other_curves(add):
    bpy.ops.curve.primitive_bezier_curve_add()
    bpy.ops.object.mode_set(mode="EDIT")
    drawing_hint.follow_mode()
    assert not bpy.ops.terrain.end_drawing.poll() and not status.shown()
    bpy.ops.object.mode_set(mode="OBJECT")


def test_settings_follow_while_the_curve_is_in_edit_mode(add):
    item = add(resolution=65)
    bpy.ops.terrain.draw(kind="range")
    before = heights(item)
    bpy.ops.object.mode_set(mode="EDIT")
    assert not problem(bpy.context, setting=True)
    assert not bpy.ops.terrain.layer_add.poll(), "Blender's undo in Edit Mode knows only points"
    active_layer(item.data.terrain).range.height = 300.0
    assert not np.array_equal(before, heights(item))
    bpy.ops.object.mode_set(mode="OBJECT")
    bpy.context.view_layer.objects.active = item
    bpy.ops.object.mode_set(mode="EDIT")
    assert problem(bpy.context, setting=True), "the mesh itself cannot be written"
    bpy.ops.object.mode_set(mode="OBJECT")


def test_select_curve_also_shows_it_and_leaves_edit_mode(add):
    item = add()
    bpy.ops.terrain.draw(kind="river")
    river = bpy.context.object
    assert river
    bpy.context.view_layer.objects.active = item
    bpy.ops.terrain.draw(kind="road")
    river.hide_set(True)
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.ops.terrain.select_shape(shape=river.name)
    assert bpy.context.mode == "OBJECT"
    assert bpy.context.selected_objects == [river] == [bpy.context.object]
    assert active_terrain(bpy.context) == item, "its settings stay in the panel"
    with pytest.raises(RuntimeError, match="redraw it"):
        bpy.ops.terrain.select_shape(shape="Gone")
    hidden = bpy.data.collections.new("Off")
    hidden.objects.link(river)
    bpy.context.collection.objects.unlink(river)
    bpy.context.view_layer.objects.active = item
    with pytest.raises(RuntimeError, match="collection that is off"):
        bpy.ops.terrain.select_shape(shape=river.name)


@pytest.mark.parametrize("kind", ["river", "lake", "stamp"])
def test_a_missing_curve_is_marked_and_drawn_again(add, kind):
    item = add()
    bpy.ops.terrain.draw(kind=kind)
    layer = active_layer(item.data.terrain)
    group, name = getattr(layer, kind), bpy.context.object.name
    count = len(item.data.terrain.layers)
    assert list(shape_faults.shapes_of_layer(layer)) == [(name, "")]
    bpy.data.objects.remove(bpy.data.objects[name])
    ((named, said),) = shape_faults.shapes_of_layer(layer)
    assert named == name and f"no object or collection {name!r}" in said and "redraw" in said
    bpy.context.view_layer.objects.active = item
    bpy.ops.terrain.redraw(settings=group.path_from_id())
    again = bpy.context.object
    assert group.source == again.name == name and again.parent == item
    assert again.type == ("EMPTY" if kind == "stamp" else "CURVE")
    assert (bpy.context.mode == "EDIT_CURVE") == (kind != "stamp")
    if bpy.context.mode != "OBJECT":
        bpy.ops.object.mode_set(mode="OBJECT")
    assert len(item.data.terrain.layers) == count, "no further layer"


def test_an_impossible_line_says_so_in_the_row_of_its_layer(add):
    item = add(resolution=65)
    bpy.ops.terrain.draw(kind="river")
    curve, layer = bpy.context.object, active_layer(item.data.terrain)
    heights(item)
    for change, said in (
        (lambda spline: setattr(spline, "use_cyclic_u", True), "closed"),
        (lambda spline: setattr(spline, "use_cyclic_u", False), ""),
        (lambda spline: setattr(spline.bezier_points[0], "co", (9000, 0, 0)), ""),
        (cross, "crosses itself"),
        (lambda spline: curve.data.splines.clear(), "no points"),
    ):
        change(curve.data.splines[0])
        bpy.context.view_layer.update()
        heights(item)
        ((_, found),) = shape_faults.shapes_of_layer(layer)
        assert said in found and bool(said) == bool(found)
    assert layer.name == "River"
    bpy.ops.object.mode_set(mode="EDIT")  # as right after Draw by Hand
    assert [*shape_faults.shapes_of_layer(layer)] == [(curve.name, "")]
    bpy.ops.object.mode_set(mode="OBJECT")


def cross(spline):
    """Make a figure eight."""
    places = [(-200, -100), (200, 100), (200, -100), (-200, 100), (-250, 150)]
    for point, (x, y) in zip(spline.bezier_points, places, strict=True):
        point.handle_left_type = point.handle_right_type = "VECTOR"
        point.co = (x, y, 0)


def test_a_layer_that_follows_a_curve_already_is_known(add):
    """`Follow Selected` asks then; the driver `drive_curves` answers."""
    item = add()
    bpy.ops.terrain.draw(kind="river")
    river = bpy.context.object.name
    bpy.context.view_layer.objects.active = item
    bpy.ops.terrain.draw(kind="near_shape")
    line = bpy.context.object.name
    assert follower(item.data.terrain, river) == "River"
    assert not follower(item.data.terrain, line), "a mask is no second layer"
    assert not follower(item.data.terrain, "")


def test_lakes_are_light_at_the_shore_and_dark_where_they_are_deep(add):
    item = add(resolution=65)
    bpy.ops.terrain.draw(kind="lake")
    heights(item)
    mesh = next(child.data for child in item.children if child.name.startswith("Lakes"))
    depth, colors = (
        np.empty(len(mesh.vertices), np.float32),
        np.empty(4 * len(mesh.vertices), np.float32),
    )
    mesh.attributes["depth"].data.foreach_get("value", depth)
    mesh.color_attributes.active_color.data.foreach_get("color", colors)
    order = np.argsort(depth, kind="stable")
    brightness = colors.reshape(-1, 4)[order, :3].sum(axis=1)
    assert depth.max() > 1 and (np.diff(brightness) <= 1e-6).all()
    assert brightness[0] > 2 * brightness[-1]
