# SPDX-License-Identifier: GPL-3.0-or-later
"""Node groups that give what a terrain has at any point, compared with the core."""

from typing import Any

import bpy
import numpy as np
import pytest
from mathutils import Matrix, Vector

from terrain_addon.blender.data import nodes
from terrain_addon.blender.data.attributes import values_of
from terrain_addon.blender.materials.node_trees import add as add_node, out
from terrain_addon.blender.objects.field_nodes import BEYOND, GROUPS, node_group
from terrain_addon.blender.properties.recipe import read
from terrain_addon.core import FractalNoise, Layer, Recipe, evaluate

SIZE, N = 400.0, 33
PLACED = (
    Matrix.Translation((70.0, -30.0, 12.0))
    @ Matrix.Rotation(0.6, 4, (0.2, -0.1, 1.0))
    @ Matrix.Diagonal((1.5, 0.8, 2.0, 1.0))
)
"""Moved, turned, tilted and stretched."""


@pytest.fixture
def terrain(add):
    noise = Layer.of(FractalNoise(size=300.0, height=60.0, octaves=2))
    extent = {"size_x": SIZE, "size_y": SIZE}
    recipe = Recipe(layers=(noise,), attributes=("valley",), material="simple", **extent)
    item = add(recipe, resolution=N)
    bpy.context.view_layer.update()
    return item


def stored(terrain, name):
    """An attribute of the terrain's mesh as the rows of its grid."""
    return values_of(terrain.data.attributes[name]).reshape(N, N, -1).squeeze()


def between(values):
    """Values at points of the grid, and halfway to the next along X and Y."""
    at, beyond_x, beyond_y = values[::8, :25:6], values[::8, 1:26:6], values[1::8, :25:6]
    return np.concatenate(
        [at.ravel(), (at + beyond_x).ravel() / 2, (at[:4] + beyond_y).ravel() / 2]
    )


def grid_points(terrain):
    """The points of these values in the space of the terrain."""
    at = stored(terrain, "position")
    return np.stack([between(at[..., axis]) for axis in range(3)], axis=1)


def moved(points, matrix):
    return [tuple(matrix @ Vector(point)) for point in points]


def run(key, points, matrix=None, **inputs) -> dict[str, Any]:
    """Attributes that a group makes at points in the space of an object with that matrix."""
    tree = nodes.new_tree()
    node = add_node(tree, "GeometryNodeGroup", node_tree=node_group(key))
    for name, value in inputs.items():
        node.inputs[name.replace("_", " ").title()].default_value = value
    made = add_node(tree, "NodeGroupInput").outputs[0]
    if "Geometry" in node.inputs:
        tree.links.new(made, node.inputs["Geometry"])
    for output in node.outputs:
        if output.type == "GEOMETRY":
            made = output
    for output in node.outputs:
        if output.type in KINDS:
            values = {"Geometry": made, "Name": output.name, "Value": output}
            settings = {"data_type": KINDS[output.type], "domain": "POINT"}
            made = out(add_node(tree, "GeometryNodeStoreNamedAttribute", values, **settings))
    if key == "points":
        made = out(add_node(tree, "GeometryNodePointsToVertices", {0: made}))
    tree.links.new(made, add_node(tree, "NodeGroupOutput").inputs[0])
    mesh = bpy.data.meshes.new("Dots")
    mesh.from_pydata(points, [], [])
    item = bpy.data.objects.new("Dots", mesh)
    item.matrix_world = matrix or Matrix()
    item.modifiers.new("Nodes", "NODES").node_group = tree
    bpy.context.collection.objects.link(item)
    graph = bpy.context.evaluated_depsgraph_get()
    made = item.evaluated_get(graph).data
    found: dict[str, Any] = {one.name: values_of(one).squeeze() for one in made.attributes}
    said = getattr(item.modifiers[0], "node_warnings", ())
    return found | {"warnings": [one.message for one in said]}


EYE = Matrix.Translation((5.0, 0.0, 0.0)) @ Matrix.Rotation(1.0, 4, "Z")
IS_OLD = bpy.app.version < (4, 3)  # nodes cannot warn
KINDS = {"VALUE": "FLOAT", "VECTOR": "FLOAT_VECTOR", "BOOLEAN": "BOOLEAN"}


@pytest.mark.parametrize("name", ["valley", "slope"])
def test_a_field_is_that_of_the_core_on_a_moved_terrain(terrain, name):
    terrain.matrix_world = PLACED
    points, seen = grid_points(terrain), EYE.inverted() @ PLACED
    above = [*moved(points + np.array((0, 0, 50)), seen), *moved([(SIZE, 0.0, 0.0)], seen)]
    found = run("field", above, EYE, terrain=terrain, field=name)
    recipe = read(terrain.data.terrain)
    core = evaluate(recipe, recipe.grid(N), fields=(name,))
    np.testing.assert_allclose(found["Value"][:-1], between(core.fields[name]), atol=2e-2)
    np.testing.assert_allclose(found["Height"][:-1], between(core.height), atol=2e-3)
    np.testing.assert_allclose(found["Surface"][:-1], moved(points, seen), atol=2e-3)
    assert found["On Terrain"].tolist() == [True] * len(points) + [False]
    assert found["Value"][-1] == 0


def test_points_snap_onto_the_terrain_and_those_beyond_it_stay(terrain):
    terrain.matrix_world = PLACED
    points = grid_points(terrain)
    beyond = (2000.0, 0.0, 3.0)
    below = moved(points - np.array((0, 0, 9)), PLACED)
    found = run("snap", [*below, beyond], terrain=terrain, offset=0.5)
    expected = [*(np.array(moved(points, PLACED)) + np.array((0, 0, 0.5))), beyond]
    np.testing.assert_allclose(found["position"], expected, atol=2e-3)


def test_slopes_and_normals_follow_the_terrain_as_it_is_stretched(terrain):
    points = grid_points(terrain)
    found = run("normal", points, terrain=terrain)
    inner = np.abs(points[:, :2]).max(axis=1) < 0.49 * SIZE  # the core looks one way at the border
    expected = between(stored(terrain, "slope"))
    assert np.abs(found["Slope"] - expected)[inner].max() < 1.0
    terrain.matrix_world = PLACED
    turned = run("normal", moved(points, PLACED), terrain=terrain)
    normal = PLACED.to_3x3().inverted().transposed()
    expected = [(normal @ Vector(one)).normalized()[:] for one in found["Normal"]]
    np.testing.assert_allclose(turned["Normal"], expected, atol=1e-3)
    upward = np.array(expected)[:, 2].clip(-1, 1)
    np.testing.assert_allclose(turned["Slope"], np.degrees(np.arccos(upward)), atol=0.1)


def test_the_nearest_river_road_or_curve_counts_in_plan(terrain):
    mesh, step = terrain.data, SIZE / (N - 1)
    for name, column in (("flow", 4), ("road", 28)):
        values = np.zeros((N, N), np.float32)
        values[:, column] = 0.8
        mesh.attributes.new(name, "FLOAT", "POINT").data.foreach_set("value", values.ravel())
    left = -SIZE / 2
    points = [(left + 7 * step, 0.0, 90.0), (left + 22 * step, step, 0.0)]
    inputs = {"terrain": terrain, "least_flow": 0.7}
    assert run("distance", points, **inputs)["Distance"] == pytest.approx([3 * step, 6 * step])
    only = run("distance", points, roads=False, **inputs)
    assert only["Distance"] == pytest.approx([3 * step, 18 * step])
    inputs |= {"rivers": False, "roads": False}
    assert (run("distance", points, **inputs)["Distance"] >= BEYOND).all()
    line = bpy.data.curves.new("Drawn", "CURVE")
    line.splines.new("POLY").points.add(1)
    for point, y in zip(line.splines[0].points, (-500.0, 500.0), strict=True):
        point.co = (points[0][0] - 11.0, y, 40.0, 1.0)
    drawn = bpy.data.collections.new("Drawn")
    drawn.objects.link(bpy.data.objects.new("Drawn", line))
    bpy.context.scene.collection.children.link(drawn)
    found = run("distance", points, curves=drawn, **inputs)
    assert found["Distance"] == pytest.approx([11.0, 11.0 + 15 * step], abs=1e-3)


def test_points_lie_where_a_field_is_high_and_stay_where_they_are(terrain):
    whole = run("points", [], terrain=terrain, density=0.02)
    count = 0.02 * SIZE**2
    assert 0.9 * count < len(whole["position"]) < 1.4 * count  # slopes have more area
    some = run("points", [], terrain=terrain, density=0.02, field="valley", low=0.1, high=0.2)
    everywhere = {tuple(point) for point in whole["position"]}
    assert {tuple(point) for point in some["position"]} < everywhere
    assert some["valley"].min() > 0.09
    assert len(some["position"]) >= (whole["valley"] > 0.2).sum() > 20
    gentle = run("points", [], terrain=terrain, density=0.02, max_slope=np.radians(15.0))
    assert 0 < np.degrees(np.arccos(gentle["Normal"][:, 2])).max() < 15


def test_a_node_says_that_the_terrain_lacks_the_field(terrain):
    for key in ("field", "points"):
        lacking = run(key, [(0.0, 0.0, 0.0)], terrain=terrain, field="lake_depth")["warnings"]
        assert [text[:23] for text in lacking] == ["No terrain with this fi"] or IS_OLD
        assert run(key, [(0.0, 0.0, 0.0)], terrain=terrain, field="slope")["warnings"] == []


def test_groups_are_made_once_and_explain_their_sockets(terrain):
    for key in GROUPS:
        tree = node_group(key)
        assert node_group(key) == tree
        assert all(socket.description for socket in tree.interface.items_tree)
        assert all(link.is_valid for link in tree.links)


def test_other_files_find_the_groups_as_assets(terrain, tmp_path, capfd):
    assert bpy.ops.terrain.mark_nodes() == {"FINISHED"}
    assert "save this file in an asset library" in capfd.readouterr().out
    libraries = bpy.context.preferences.filepaths.asset_libraries
    library = libraries.new(name="Mine", directory=str(tmp_path))
    try:
        path = str(tmp_path / "nodes.blend")
        bpy.ops.wm.save_as_mainfile(filepath=path)
        assert bpy.ops.terrain.mark_nodes() == {"FINISHED"}
        assert "the library Mine has" in capfd.readouterr().out
    finally:
        libraries.remove(library)
    bpy.ops.wm.read_homefile(use_empty=True)
    files: Any = bpy.data.libraries
    with files.load(path, assets_only=True) as (found, _):
        assert sorted(found.node_groups) == sorted(one.name for one in GROUPS.values())


def test_added_nodes_read_the_terrain_which_stores_the_field(terrain):
    tree = nodes.new_tree()
    item = bpy.data.objects.new("Moss", bpy.data.meshes.new("Moss"))
    item.modifiers.new("Nodes", "NODES").node_group = tree
    bpy.context.collection.objects.link(item)
    bpy.context.view_layer.objects.active = item
    area = bpy.context.window_manager.windows[0].screen.areas[0]
    area.ui_type = "GeometryNodeTree"
    space = area.spaces.active
    space.pin, space.node_tree = True, tree
    with bpy.context.temp_override(area=area, region=area.regions[-1]):
        added = bpy.ops.terrain.add_nodes(group="field", field="wetness")
        assert added == {"FINISHED"}
        node = tree.nodes.active
        assert node.node_tree == node_group("field")
        assert node.inputs["Terrain"].default_value == terrain
        assert node.inputs["Field"].default_value == "wetness"
        assert "wetness" in terrain.data.attributes
        space.node_tree = node_group("field")
        with pytest.raises(RuntimeError, match="cannot contain itself"):
            bpy.ops.terrain.add_nodes(group="snap")
