# SPDX-License-Identifier: GPL-3.0-or-later
"""Node groups of the user as masks and layers."""

from typing import Any, cast

import bpy
import numpy as np
import pytest

from terrain_addon.blender.data.attributes import values_of
from terrain_addon.blender.live import node_results, rebuild
from terrain_addon.blender.materials.node_trees import add as add_node, math, out
from terrain_addon.blender.mesh.node_fingerprint import fingerprint
from terrain_addon.blender.properties.recipe import read
from terrain_addon.core import FractalNoise, Layer, Recipe, evaluate
from terrain_addon.core.layers import unpacked

SIZE, N, CELLS = 200.0, 33, 17


@pytest.fixture
def land(add):
    """A terrain whose second layer adds 10 m, and the item of that layer."""
    layers = (
        Layer.of(FractalNoise(size=150.0, height=40.0, octaves=2)),
        Layer.of(FractalNoise(seed=5, size=90.0, height=10.0, octaves=1)),
    )
    item = add(Recipe(layers=layers, size_x=SIZE, size_y=SIZE, material="simple"), resolution=N)
    item.data.terrain.active_layer = 1
    return item


def tree_of(build: Any, *, output: str = "NodeSocketFloat", geometry: bool = False) -> Any:
    """A node group whose result ``build`` makes from its inputs."""
    tree: Any = bpy.data.node_groups.new("Mine", cast(Any, "GeometryNodeTree"))
    if geometry:
        tree.interface.new_socket("Geometry", in_out="OUTPUT", socket_type="NodeSocketGeometry")
        tree.interface.new_socket("Geometry", in_out="INPUT", socket_type="NodeSocketGeometry")
    if output:
        tree.interface.new_socket("Result", in_out="OUTPUT", socket_type=output)
    tree.interface.new_socket("Slope", in_out="INPUT", socket_type="NodeSocketFloat")
    given = add_node(tree, "NodeGroupInput").outputs
    made = build(tree, given)
    end = add_node(tree, "NodeGroupOutput").inputs
    for name, socket in made.items():
        tree.links.new(socket, end[name])
    return tree


def mask_of(land, tree):
    group = land.data.terrain.layers[1].mask_nodes
    group.resolution = CELLS
    group.nodes = tree.name
    group.use = True
    return group


def heights(land):
    return values_of(land.data.attributes["height"]).reshape(N, N)


def x_of(tree):
    """The X of each point."""
    position = out(add_node(tree, "GeometryNodeInputPosition"))
    return add_node(tree, "ShaderNodeSeparateXYZ", {0: position}).outputs["X"]


def gentle(tree, given):
    return {"Result": math(tree, "LESS_THAN", given["Slope"], 12.0)}


def below(land, resolution=CELLS, layers=1):
    terrain = land.data.terrain
    recipe = read(terrain)
    lower = Recipe(layers=recipe.layers[:layers], size_x=SIZE, size_y=SIZE, seed=recipe.seed)
    return evaluate(lower, lower.grid(resolution))


@pytest.mark.smoke
def test_a_mask_is_what_the_nodes_return_for_the_terrain_below(land):
    group = mask_of(land, tree_of(gentle))
    assert node_results.fault_of(group) == ""
    expected = below(land).fields["slope"] < 12
    assert 0.1 < expected.mean() < 0.9
    found = unpacked(group.stored).values.values
    assert (found == expected).all()
    bare, full = below(land, N).height, below(land, N, layers=1).height
    added = heights(land) - bare
    assert (np.abs(added[::2, ::2][~expected]) < 1e-4).all()
    assert np.abs(added[::2, ::2][expected]).max() > 1
    assert full.shape == added.shape


def test_a_layer_takes_heights_from_positions_and_named_attributes(land):
    def build(tree, given):
        x = x_of(tree)
        height = add_node(tree, "GeometryNodeInputNamedAttribute", {"Name": "height"})
        return {"Result": math(tree, "MULTIPLY_ADD", x, 0.25, out(height))}

    bpy.ops.terrain.layer_add(kind="from_nodes")
    terrain = land.data.terrain
    group = terrain.layers[terrain.active_layer].from_nodes
    before = heights(land)
    group.resolution = CELLS
    group.nodes = tree_of(build).name
    assert node_results.fault_of(group) == ""
    x = np.linspace(-SIZE / 2, SIZE / 2, N)
    np.testing.assert_allclose(
        heights(land)[::2, ::2], 2 * before[::2, ::2] + 0.25 * x[::2], atol=5e-3
    )


def test_a_recipe_in_a_file_has_the_result_without_blender(land):
    mask_of(land, tree_of(gentle))
    recipe = Recipe.from_json(read(land.data.terrain).to_json())
    assert (evaluate(recipe, recipe.grid(N)).height == heights(land)).all()


def test_nodes_are_evaluated_as_the_terrain_below_and_they_themselves_change(land):
    tree = tree_of(gentle)
    group = mask_of(land, tree)
    first = group.stored
    land.data.terrain.layers[1].fractal_noise.height = 20.0  # not below
    assert group.stored == first
    land.data.terrain.layers[0].fractal_noise.height = 80.0
    second = group.stored
    assert second != first
    next(one for one in tree.nodes if one.type == "MATH").inputs[1].default_value = 25.0
    node_results.refresh(land.data)
    assert group.stored != second
    expected = below(land).fields["slope"] < 25
    assert (unpacked(group.stored).values.values == expected).all()


def thinned(tree, given):
    half = add_node(tree, "GeometryNodeDeleteGeometry", {0: given["Geometry"]})
    x = x_of(tree)
    tree.links.new(math(tree, "GREATER_THAN", x, 0.0), half.inputs[1])
    return {"Geometry": out(half), "Result": given["Slope"]}


def infinite(tree, given):
    power = math(tree, "POWER", math(tree, "MULTIPLY_ADD", given["Slope"], 1.0, 1e6), 30.0)
    return {"Result": math(tree, "MULTIPLY", power, power)}


FAULTS = {
    "of 289 points": lambda: tree_of(thinned, geometry=True),
    "no numbers": lambda: tree_of(infinite),
    "no number for each point": lambda: tree_of(lambda tree, given: {}, output=""),
}


@pytest.mark.parametrize("message", FAULTS)
def test_faults_of_nodes_are_one_message_and_the_last_result_stays(land, message):
    group = mask_of(land, tree_of(gentle))
    before, stored = heights(land), group.stored
    group.nodes = FAULTS[message]().name
    assert message in node_results.fault_of(group)
    assert group.stored == stored and (heights(land) == before).all()
    with pytest.raises(RuntimeError, match=message):
        bpy.ops.terrain.evaluate_nodes(settings=group.path_from_id(), setting="nodes")
    group.nodes = "Nowhere"
    assert "no geometry node group named 'Nowhere'" in node_results.fault_of(group)


def test_nodes_without_a_result_have_no_effect_until_they_have_one(land):
    before = heights(land)
    group = land.data.terrain.layers[1].mask_nodes
    group.use, group.nodes = True, "Nowhere"
    land.data.terrain.layers[1].opacity = 0.5
    assert rebuild.error_of(land.data) == "" and (heights(land) != before).any()
    assert "Nowhere" in node_results.fault_of(group)
    with pytest.raises(ValueError, match="'Nowhere' have no result"):
        evaluate(read(land.data.terrain))


def test_an_attribute_of_the_geometry_may_be_the_result(land):
    def build(tree, given):
        inputs = {"Geometry": given["Geometry"], "Name": "result", "Value": 0.5}
        return {"Geometry": out(add_node(tree, "GeometryNodeStoreNamedAttribute", inputs))}

    group = mask_of(land, tree_of(build, output="", geometry=True))
    assert node_results.fault_of(group) == ""
    assert np.allclose(unpacked(group.stored).values.values, 0.5)


def test_nodes_that_read_the_terrain_itself_are_evaluated_once(land):
    def build(tree, given):
        info = add_node(tree, "GeometryNodeObjectInfo", {"Object": land})
        size = add_node(tree, "GeometryNodeBoundBox", {0: info.outputs["Geometry"]})
        z = add_node(tree, "ShaderNodeSeparateXYZ", {0: size.outputs["Max"]}).outputs["Z"]
        return {"Result": math(tree, "MULTIPLY", z, 0.01)}

    top = heights(land).max()
    group = mask_of(land, tree_of(build))
    assert np.allclose(unpacked(group.stored).values.values, top * 0.01, rtol=1e-4)
    stored = group.stored
    node_results.refresh(land.data)
    assert group.stored == stored


def test_new_nodes_return_noise_on_gentle_slopes_and_leave_nothing_else(land):
    scenes, objects, meshes = len(bpy.data.scenes), len(bpy.data.objects), len(bpy.data.meshes)
    assert bpy.ops.terrain.new_nodes(settings="terrain.layers[1].mask_nodes", setting="nodes") == {
        "FINISHED"
    }
    group = land.data.terrain.layers[1].mask_nodes
    assert group.use and node_results.fault_of(group) == ""
    found = unpacked(group.stored).values.values
    assert found.shape == (512, 512)
    steep = below(land, 512).fields["slope"] > 30
    assert steep.any() and found[steep].max() < 1e-3 and found.max() > 0.9
    assert (scenes, objects, meshes) == (
        len(bpy.data.scenes),
        len(bpy.data.objects),
        len(bpy.data.meshes),
    )


def test_the_fingerprint_of_nodes_tells_whatever_changes_their_result():
    inner = tree_of(gentle)
    tree = tree_of(gentle)
    ramp = add_node(tree, "ShaderNodeValToRGB")
    group = add_node(tree, "GeometryNodeGroup", node_tree=inner)
    known = fingerprint(tree)
    ramp.location, ramp.label = (50.0, 20.0), ""
    group.color = (1.0, 0.0, 0.0)
    assert fingerprint(tree) == known
    value = next(one for one in inner.nodes if one.type == "MATH")

    def recolored():
        ramp.color_ramp.elements[0].color = (1.0, 0.5, 0.0, 1.0)

    def within():
        value.inputs[1].default_value = 3.0

    def operation():
        value.operation = "MAXIMUM"

    def unlinked():
        tree.links.remove(tree.links[0])

    for change in (recolored, within, operation, unlinked):
        change()
        assert fingerprint(tree) != known
        known = fingerprint(tree)
