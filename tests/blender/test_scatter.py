# SPDX-License-Identifier: GPL-3.0-or-later
"""Scatter: a collection spread by slope, height, fields and distance to shapes."""

import bpy
import numpy as np
import pytest

from terrain_addon.blender.data import water_objects
from terrain_addon.blender.objects import scatter
from terrain_addon.blender.ui import widths
from terrain_addon.blender.ui.scatter import TERRAIN_PT_scatter
from terrain_addon.core import FractalNoise, Layer, Recipe
from tests.blender.test_shapes import settle

SIZE = 400.0


@pytest.fixture
def terrain(add):
    noise = FractalNoise(height=60.0)
    return add(Recipe(layers=(Layer.of(noise),), size_x=SIZE, size_y=SIZE), resolution=65)


def spread(kind="Trees", **inputs):
    before = set(bpy.data.objects)
    assert bpy.ops.terrain.scatter(kind=kind) == {"FINISHED"}
    (item,) = (
        one for one in set(bpy.data.objects) - before if one.modifiers and one.type == "MESH"
    )
    change(item, **inputs)
    return item


def change(item, **inputs):
    for name, value in inputs.items():
        scatter.set_input(item.modifiers[0], name.replace("_", " ").title(), value)
    item.update_tag()


def instances(item):
    """Places and sizes of the instances, sorted by x."""
    bpy.context.view_layer.update()
    graph = bpy.context.evaluated_depsgraph_get()
    graph.update()
    found = [
        (*one.matrix_world.translation, one.matrix_world.median_scale, one.object.original.name)
        for one in graph.object_instances
        if one.is_instance and one.parent and one.parent.original == item
    ]
    return sorted(found)


def places(item):
    return np.array([one[:3] for one in instances(item)]).reshape(-1, 3)


def slopes(item, at):
    mesh = item.data
    found = []
    for x, y, _ in at:
        _, _, _, face = item.ray_cast((x, y, 1e4), (0, 0, -1))
        corners = list(mesh.polygons[face].vertices)
        found.append([mesh.attributes["slope"].data[n].value for n in corners])
    return np.array(found)


def test_instances_lie_on_the_terrain_in_the_number_of_the_density(terrain):
    item = spread(density=0.005, max_slope=1.6)
    found = places(item)
    assert 0.8 * 800 < len(found) < 1.3 * 800  # faces on slopes have more area
    heights = [terrain.ray_cast((x, y, 1e4), (0, 0, -1))[1].z for x, y, _ in found[:40]]
    np.testing.assert_allclose(found[:40, 2], heights, atol=0.5)
    assert {name for *_, name in instances(item)} == {"Conifer", "Broadleaf"}
    sizes = np.array([one[3] for one in instances(item)])
    assert 0.69 <= sizes.min() < 0.8 and 1.2 < sizes.max() <= 1.31


def test_slope_and_height_select(terrain):
    item = spread(density=0.005, max_slope=np.radians(20.0), min_height=5.0)
    found = places(item)
    assert len(found) > 20
    assert slopes(terrain, found).min(axis=1).max() <= 20 + 3
    assert found[:, 2].min() >= 5 - 2.1
    rocks = spread("Rocks", density=0.005, min_slope=np.radians(25.0))
    assert slopes(terrain, places(rocks)).max(axis=1).min() >= 25 - 3


def test_a_field_selects(terrain):
    item = spread(density=0.005, max_slope=1.6)
    found = places(item)
    every, middle = len(found), float(np.median(found[:, 2]))
    change(item, field="height", field_min=middle)
    above = places(item)
    high = len(above)
    assert above[:, 2].min() >= middle - 1e-3
    change(item, field_min=-1e7, field_max=middle)
    low = len(places(item))
    assert 0 < high < every and 0 < low < every
    assert abs(high + low - every) <= 2
    change(item, field="nothing like it")
    assert len(places(item)) == every


def test_shapes_are_kept_clear(terrain):
    item = spread(density=0.005, max_slope=1.6)
    every = places(item)
    bpy.ops.terrain.draw(kind="near_shape")  # which joins the collection of shapes
    curve = bpy.context.object
    spline = curve.data.splines[0].bezier_points
    for point, x in zip(spline, np.linspace(-300, 300, len(spline)), strict=True):
        point.co = point.handle_left = point.handle_right = (x, 0, 500)
        point.handle_left_type = point.handle_right_type = "VECTOR"
    terrain.data.terrain.layers[0].mask_near_shape.use = False
    change(item, distance=25.0)
    found = places(item)
    assert np.abs(found[:, 1]).min() >= 25
    beyond = every[np.abs(every[:, 1]) > 25.01]
    assert len(found) == len(beyond), "others stay"
    np.testing.assert_allclose(found[:, :2], beyond[:, :2], atol=1e-3)


@pytest.mark.parametrize("first", [True, False])
def test_lakes_and_buildings_are_kept_clear(terrain, first):
    """Whether they are there before the instances or come later; far from their edges, too."""
    item = spread(density=0.02, max_slope=1.6) if first else None
    bpy.context.view_layer.objects.active = terrain
    bpy.ops.terrain.draw(kind="lake")
    bpy.ops.mesh.primitive_cube_add(size=120, location=(120, 120, 30))
    terrain.select_set(True)
    bpy.context.view_layer.objects.active = terrain
    bpy.ops.terrain.draw(kind="pad", way="SELECTED")
    settle()
    item = item or spread(density=0.02, max_slope=1.6)
    change(item, distance=4.0)
    found = places(item)
    (lake,) = water_objects.waters_of(terrain)["Lakes"]
    wet = np.empty((len(lake.data.polygons), 3), np.float32)
    lake.data.polygons.foreach_get("center", wet.ravel())
    assert len(wet) > 100 and len(found) > 500
    away = np.hypot(*(found[:, None, :2] - wet[None, :, :2]).transpose(2, 0, 1))
    assert away.min() > 4
    assert (np.abs(found[:, :2] - 120).max(axis=1) > 64).all()


def test_seeds_differ_and_a_seed_repeats(terrain):
    item = spread(density=0.002)
    first = places(item)
    change(item, seed=5)
    second = places(item)
    change(item, seed=0)
    assert np.array_equal(first, places(item)) and not np.array_equal(first, second)


def test_instances_follow_the_terrain(terrain):
    item = spread(density=0.002, max_slope=1.6)
    before = places(item)
    terrain.data.terrain.layers[0].fractal_noise.height = 20.0
    after = places(item)
    assert len(after) and np.ptp(after[:, 2]) < np.ptp(before[:, 2])
    terrain.location.x = 1000
    np.testing.assert_allclose(places(item)[:, 0], after[:, 0] + 1000, atol=1e-2)


def test_models_and_nodes_are_made_once_and_are_low_in_polygons(terrain):
    spread("Trees")
    kinds = ("collections", "materials", "node_groups")
    counts = [len(getattr(bpy.data, kind)) for kind in kinds]
    spread("Trees")
    assert counts == [len(getattr(bpy.data, kind)) for kind in kinds]
    for name in ("Conifer", "Broadleaf"):
        mesh = bpy.data.objects[name].data
        assert len(mesh.polygons) < 60 and not mesh.validate()
        assert mesh.polygons[-1].area > 0
    assert bpy.data.node_groups["Terrain Scatter"].asset_data


def test_a_collection_of_the_user_is_spread(terrain):
    with pytest.raises(RuntimeError, match="There is no collection"):
        bpy.ops.terrain.scatter(kind="Collection", collection="Mine")
    mine = bpy.data.collections.new("Mine")
    mine.objects.link(bpy.data.objects.new("Thing", bpy.data.meshes.new("Thing")))
    assert bpy.ops.terrain.scatter(kind="Collection", collection="Mine") == {"FINISHED"}
    item = bpy.data.objects["Collection"]
    change(item, density=0.001, max_slope=1.6)
    assert {name for *_, name in instances(item)} == {"Thing"}


def test_large_terrains_get_few_instances(add):
    item = add(Recipe(size_x=64000.0, size_y=64000.0))
    assert item == bpy.context.object
    made = spread()
    assert 0 < len(places(made)) <= 1.1 * scatter.MOST


def test_settings_are_found_and_changed_from_the_terrain(terrain):
    assert not TERRAIN_PT_scatter.poll(bpy.context)
    trees, rocks = spread("Trees", density=0.002), spread("Rocks")
    bpy.context.view_layer.objects.active = terrain
    assert TERRAIN_PT_scatter.poll(bpy.context)
    found = dict(scatter.modifiers_of(terrain))
    assert set(found) == {trees, rocks}
    few = len(places(trees))
    owner, path = scatter.inputs_of(found[trees])["Density"]
    assert path in owner.bl_rna.properties or owner.path_resolve(path) == pytest.approx(0.002)
    scatter.set_input(found[trees], "Density", 0.01)
    trees.update_tag()
    assert len(places(trees)) > 2 * few
    assert scatter.get_input(found[trees], "Density") == pytest.approx(0.01)


def test_a_field_is_chosen_from_those_that_the_terrain_has(terrain):
    item = spread(density=0.005, max_slope=1.6)
    every = len(places(item))
    bpy.context.view_layer.objects.active = terrain
    assert "ridge" not in terrain.data.attributes
    bpy.ops.terrain.scatter_field(item=item.name, field="ridge")
    settle()
    assert "ridge" in terrain.data.attributes
    assert scatter.get_input(item.modifiers[0], "Field") == "ridge"
    assert 0 < len(places(item)) < every
    bpy.ops.terrain.scatter_field(item=item.name, field="NONE")
    assert len(places(item)) == every
    with pytest.raises(TypeError, match="flow"):
        bpy.ops.terrain.scatter_field(item=item.name, field="flow")
    with pytest.raises(RuntimeError, match="select it again"):
        bpy.ops.terrain.scatter_field(item="Gone", field="ridge")


def test_no_name_of_an_input_is_cut_in_a_sidebar_of_250_pixels(terrain):
    item = spread()
    room = min(widths.LONGEST_NAME, widths.MOST_NAMES * (250 - widths.BESIDE["VIEW_3D"])) - 8
    for name in scatter.inputs_of(item.modifiers[0]):
        assert widths.text(bpy.context, name) <= room, name
