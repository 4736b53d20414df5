# SPDX-License-Identifier: GPL-3.0-or-later
"""The curve of Levels between Blender's curve widget and the recipe."""

import bpy
import pytest

from terrain_addon.blender.live import curves
from terrain_addon.blender.properties.recipe import read
from terrain_addon.core import Layer, Recipe
from terrain_addon.core.layers import LAYERS

BENT = "0 0, 0.25 0.75, 1 1"
RECIPE = Recipe(
    layers=(Layer.of(LAYERS["hills"]()), Layer.of(LAYERS["levels"](curve=BENT))), material="simple"
)


@pytest.fixture
def levels(add):
    terrain = add(RECIPE).data.terrain
    terrain.active_layer = 1
    return terrain.layers[1].levels


def points(node):
    return node.mapping.curves[0].points


def test_the_editor_has_the_points_of_the_setting(levels):
    assert curves.node_of(levels, "curve") is None
    assert bpy.ops.terrain.edit_curve() == {"FINISHED"}
    node = curves.node_of(levels, "curve")
    places = [number for point in points(node) for number in point.location]
    assert places == pytest.approx([0.0, 0.0, 0.25, 0.75, 1.0, 1.0])
    curves.follow()
    assert levels.curve == BENT


def test_what_is_edited_is_written_to_the_recipe_and_rebuilds_the_mesh(levels):
    bpy.ops.terrain.edit_curve()
    node, mesh = curves.node_of(levels, "curve"), levels.id_data
    before = mesh.terrain.built
    points(node)[1].location = (0.5, 0.2)
    curves.follow()
    assert levels.curve == "0 0, 0.5 0.2, 1 1"
    assert read(mesh.terrain).layers[1].settings.curve == levels.curve
    assert mesh.terrain.built != before
    assert curves.node_of(levels, "curve") == node
    points(node).new(0.5, 0.9)  # two at one place, in mid-drag
    curves.follow()
    assert levels.curve == "0 0, 0.5 0.2, 1 1"


def test_a_setting_that_changed_elsewhere_is_not_overwritten(levels):
    bpy.ops.terrain.edit_curve()
    node = curves.node_of(levels, "curve")
    levels.curve = "0 0, 0.4 0.4, 1 1"
    assert curves.node_of(levels, "curve") is None
    points(node)[1].location = (0.9, 0.1)
    curves.follow()
    assert levels.curve == "0 0, 0.4 0.4, 1 1"
    bpy.ops.terrain.edit_curve()
    assert tuple(points(node)[1].location) == pytest.approx((0.4, 0.4))


def test_the_widget_follows_neither_a_removed_layer_nor_another_one(levels):
    bpy.ops.terrain.edit_curve()
    terrain = levels.id_data.terrain
    node = curves.node_of(levels, "curve")
    bpy.ops.terrain.layer_duplicate()
    assert curves.node_of(terrain.layers[2].levels, "curve") is None
    for _ in range(2):
        bpy.ops.terrain.layer_remove()
    points(node)[1].location = (0.5, 0.2)
    curves.follow()
    assert [item.kind for item in terrain.layers] == ["hills"]


def test_a_curve_is_removed_and_a_wrong_one_says_why(levels):
    assert bpy.ops.terrain.edit_curve(remove=True) == {"FINISHED"}
    assert levels.curve == ""
    levels.curve = "0 0, oops"
    with pytest.raises(RuntimeError, match="expected points"):
        bpy.ops.terrain.edit_curve()
    with pytest.raises(RuntimeError, match="no longer exists"):
        bpy.ops.terrain.edit_curve(setting="terrain.layers[7].levels.curve")
