# SPDX-License-Identifier: GPL-3.0-or-later
"""Plants: points that follow the terrain, the models that show them, and their settings."""

import os
from typing import Any

import bpy
import numpy as np
import pytest
from mathutils.bvhtree import BVHTree

from terrain_addon.blender.data.attributes import values_of
from terrain_addon.blender.data.plant_objects import plants_of
from terrain_addon.blender.data.terrains import active_terrain
from terrain_addon.blender.data.water_objects import waters_of
from terrain_addon.blender.live import plants as live
from terrain_addon.blender.mesh.sculpted import heights_at
from terrain_addon.blender.objects import orphans
from terrain_addon.blender.objects.plants import models, palette
from terrain_addon.blender.ui import widths
from terrain_addon.blender.ui.plants import TERRAIN_PT_plants
from terrain_addon.core import FractalNoise, Group, HeightMask, Layer, Recipe, Smooth, evaluate
from terrain_addon.core.plants import Habitat, PlantSet, climate_of, cover
from tests.blender.test_shapes import settle

SIZE = 300.0


@pytest.fixture
def terrain(add):
    layers = (Layer.of(FractalNoise(height=30.0)),)
    return add(Recipe(layers=layers, size_x=SIZE, size_y=SIZE, material="simple"), resolution=65)


def grown(species="rocks", **options):
    """Add plants; rocks grow fast."""
    before = set(bpy.data.objects)
    assert bpy.ops.terrain.plants_add(species=species, **options) == {"FINISHED"}
    terrain: Any = active_terrain(bpy.context)
    (item,) = [one for one in plants_of(terrain) if one not in before]
    return item


def column(item, name):
    return values_of(item.data.attributes[name])


def instances(item):
    """Names of the models that are shown."""
    bpy.context.view_layer.update()
    graph = bpy.context.evaluated_depsgraph_get()
    return [
        one.object.original.name
        for one in graph.object_instances
        if one.is_instance and one.parent and one.parent.original == item
    ]


@pytest.mark.smoke
def test_plants_stand_on_the_ground_and_a_model_shows_each(terrain):
    item = grown("temperate", density=0.2)
    place = column(item, "position").astype(float)
    assert len(place) > 100 and np.abs(place[:, :2]).max() <= SIZE / 2
    ground = heights_at(terrain.data, place[:, 0], place[:, 1])
    np.testing.assert_allclose(place[:, 2], ground, atol=1e-3)
    item.terrain_plants.viewport_share = 1.0
    shown = instances(item)
    assert len(shown) == len(place)
    assert all(name.endswith(" 6") for name in shown), "far models in the viewport"
    item.terrain_plants.viewport_simple = False
    item.terrain_plants.far = 1e5
    near = instances(item)
    assert len(near) == len(place) and not any(name.endswith(" 6") for name in near)
    species = PlantSet.load("temperate").species
    kinds = {one.model for one in species}
    assert {name.split()[2] for name in near} <= kinds
    size = column(item, "size")
    np.testing.assert_array_equal(size[:, 2], column(item, "height")[:, 0])
    counts = [one.count for one in item.terrain_plants.kinds]
    assert counts == np.bincount(column(item, "species")[:, 0], minlength=len(species)).tolist()


def test_the_viewport_shows_a_share(terrain):
    item = grown()
    item.terrain_plants.viewport_share = 0.5
    few = len(instances(item))
    assert few == (column(item, "rank") <= 0.5).sum() and 0 < few < len(item.data.vertices)


@pytest.mark.slow
def test_each_plant_is_shown_by_the_model_of_its_species(terrain):
    """Numbers of models follow the order of names, which Blender sorts."""
    item = grown("temperate", density=0.1)
    item.terrain_plants.viewport_share = 1.0
    bpy.context.view_layer.update()
    graph = bpy.context.evaluated_depsgraph_get()
    found = {
        (*np.round(one.matrix_world.translation[:2], 2),): one.object.original.name.split()[2]
        for one in graph.object_instances
        if one.is_instance
    }
    species = PlantSet.load("temperate").species
    place, which = column(item, "position"), column(item, "species")[:, 0]
    for at, number in zip(np.round(place[:, :2].astype(float), 2), which, strict=True):
        assert found.get((*at,), species[number].model) == species[number].model


@pytest.mark.smoke
def test_plants_follow_the_terrain(terrain):
    item = grown()
    before, first = item.terrain_plants.grown, column(item, "position")
    terrain.data.terrain.layers[0].fractal_noise.height = 60.0
    place = column(item, "position").astype(float)
    assert item.terrain_plants.grown != before and not np.array_equal(first, place)
    np.testing.assert_allclose(
        place[:, 2], heights_at(terrain.data, place[:, 0], place[:, 1]), atol=1e-3
    )
    terrain.data.terrain.layers[0].fractal_noise.height = 30.0
    np.testing.assert_allclose(column(item, "position"), first, atol=1e-4)


@pytest.mark.slow
def test_plants_that_are_not_live_stand_on_the_new_ground(terrain):
    item = grown()
    item.terrain_plants.live = False
    first = column(item, "position").astype(float)
    terrain.data.terrain.layers[0].fractal_noise.height = 300.0
    place = column(item, "position").astype(float)
    np.testing.assert_array_equal(place[:, :2], first[:, :2])
    np.testing.assert_allclose(
        place[:, 2], heights_at(terrain.data, place[:, 0], place[:, 1]), atol=1e-3
    )
    bpy.context.view_layer.objects.active = terrain
    bpy.ops.terrain.plants_grow()
    assert not np.array_equal(column(item, "position")[:, :2], first[:, :2])


@pytest.mark.slow
def test_none_stands_on_a_road_and_they_leave_it_when_it_moves(terrain):
    item = grown("temperate")
    bpy.ops.terrain.draw(kind="road")
    curve = bpy.context.object
    for y in (0.0, 70.0):
        points = curve.data.splines[0].bezier_points
        for point, x in zip(points, np.linspace(-200, 200, len(points)), strict=True):
            point.co = point.handle_left = point.handle_right = (x, y, 0)
            point.handle_left_type = point.handle_right_type = "VECTOR"
        settle()
        place = column(item, "position")
        assert len(place) > 300
        assert np.abs(place[:, 1] - y).min() > 3.5, "half of the road is 4 m wide"
    assert np.abs(place[:, 1]).min() < 1, "the old road is overgrown"


@pytest.mark.slow
def test_none_stands_in_the_rivers_that_the_mesh_shows(terrain):
    """Rivers of another grid lie elsewhere."""
    terrain.data.terrain.water.rivers = True
    settle()
    plants = grown("temperate")
    water: Any = waters_of(terrain)["Rivers"][0].data
    flat = [(*vertex.co[:2], 0.0) for vertex in water.vertices]
    tree = BVHTree.FromPolygons(flat, [tuple(face.vertices) for face in water.polygons])
    place = column(plants, "position")
    wet = sum(tree.find_nearest((x, y, 0.0), 0.01)[0] is not None for x, y, _ in place.tolist())
    assert len(flat) > 1000 and len(place) > 3000
    assert wet < 10, "a few at bends, where the outline is cut; 72 without its grid"


def test_species_grow_at_their_own_temperature(terrain):
    """The terrain has no snow line: 25.5 degrees C for rain forest, not 9."""
    assert len(grown("tropical_island").data.vertices) > 1000
    cold = grown("tropical_island", own_climate=True, temperature=9.0)
    assert len(cold.data.vertices) < 100


@pytest.mark.slow
def test_a_collection_of_the_user_shows_a_species(terrain):
    item = grown("temperate", density=0.3)
    item.terrain_plants.viewport_share = 1.0
    mine = bpy.data.collections.new("Mine")
    bpy.ops.mesh.primitive_cone_add(depth=4.0, location=(0, 0, 50))
    cone: Any = bpy.context.object
    mine.objects.link(cone)
    mine_of = max(item.terrain_plants.kinds, key=lambda one: one.count)
    name, count = mine_of.name, mine_of.count
    mine_of.collection = mine
    shown = instances(item)
    assert sum("yours" in one for one in shown) == count
    assert len(shown) == len(item.data.vertices)
    number = [one.name for one in item.terrain_plants.kinds].index(name)
    size = column(item, "size")[column(item, "species")[:, 0] == number]
    np.testing.assert_array_equal(size[:, 0], size[:, 2])
    bpy.context.view_layer.objects.active = terrain
    bpy.ops.terrain.plants_grow()
    assert item.terrain_plants.kinds[number].collection == mine
    item.terrain_plants.kinds[number].collection = None
    assert not any("yours" in one for one in instances(item))


@pytest.mark.slow
def test_the_cold_comes_first_to_cold_ground(terrain):
    item = grown("temperate", density=0.3)
    assert not column(item, "snow").any()
    item.terrain_plants.snow = 0.4
    snow, warmth = column(item, "snow")[:, 0], column(item, "warmth")[:, 0]
    np.testing.assert_allclose(snow, np.clip(0.8 - warmth, 0, 1), atol=1e-6)
    item.terrain_plants.autumn = 1.0
    species = PlantSet.load("temperate").species
    turns = np.array([models.KINDS[one.model].autumn for one in species])
    np.testing.assert_allclose(column(item, "autumn")[:, 0], turns[column(item, "species")[:, 0]])


@pytest.mark.slow
def test_copies_have_models_of_their_own(terrain):
    item = grown()
    copy = item.copy()
    copy.data = item.data.copy()
    bpy.context.collection.objects.link(copy)
    copy.terrain_plants.species = "temperate"
    assert copy.terrain_plants.models != item.terrain_plants.models
    item.terrain_plants.viewport_share = 1.0
    assert {name.split()[2] for name in instances(item)} <= {"boulder", "stone"}


@pytest.mark.slow
def test_plants_of_a_deleted_terrain_go(terrain):
    item = grown()
    name = item.name
    orphans.find_orphans()
    bpy.data.objects.remove(terrain)
    orphans.sweep()
    assert name not in bpy.data.objects


@pytest.mark.slow
def test_a_file_keeps_plants(terrain, tmp_path):
    item = grown()
    item.terrain_plants.snow = 0.5
    first, name, built = column(item, "position"), item.name, item.terrain_plants.grown
    path = os.fspath(tmp_path / "plants.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    item = bpy.data.objects[name]
    assert item.terrain_plants.grown == built
    np.testing.assert_array_equal(column(item, "position"), first)
    item.terrain_plants.viewport_share = 1.0
    assert len(instances(item)) == len(first)


@pytest.mark.slow
def test_a_set_of_the_user_is_read_and_a_bad_file_is_reported(terrain, tmp_path):
    item = grown()
    before = column(item, "position")
    path = tmp_path / "mine.json"
    path.write_text("{")
    item.terrain_plants.file = os.fspath(path)
    assert "mine" in live.error_of(item)
    np.testing.assert_array_equal(column(item, "position"), before)
    path.write_text('{"strata": [{"name": "All", "cell": 9.0}], "species": '
                    '[{"name": "Ash", "stratum": "All", "model": "birch"}]}')  # fmt: skip
    item.terrain_plants.file = ""
    item.terrain_plants.file = os.fspath(path)
    assert not live.error_of(item)
    assert [one.name for one in item.terrain_plants.kinds] == ["Ash"]


@pytest.mark.slow
def test_an_old_scatter_stays_as_it_is(terrain):
    """Files of earlier builds have one."""
    tree: Any = bpy.data.node_groups.new("Terrain Scatter", "GeometryNodeTree")
    tree.interface.new_socket("Geometry", in_out="OUTPUT", socket_type="NodeSocketGeometry")
    old = bpy.data.objects.new("Trees", bpy.data.meshes.new("Trees"))
    bpy.context.collection.objects.link(old)
    old.parent = terrain
    old.modifiers.new("Terrain Scatter", "NODES").node_group = tree
    grown()
    terrain.data.terrain.layers[0].fractal_noise.height = 60.0
    assert old.parent == terrain and old.modifiers[0].node_group == tree
    bpy.context.view_layer.objects.active = old
    assert active_terrain(bpy.context) is None


@pytest.mark.slow
def test_the_panel_shows_plants_of_the_terrain_in_little_room(terrain):
    assert not TERRAIN_PT_plants.poll(bpy.context)
    item = grown()
    bpy.context.view_layer.objects.active = item
    assert active_terrain(bpy.context) == terrain and TERRAIN_PT_plants.poll(bpy.context)
    room = min(widths.LONGEST_NAME, widths.MOST_NAMES * (250 - widths.BESIDE["VIEW_3D"])) - 8
    for prop in item.terrain_plants.bl_rna.properties:
        if prop.type not in ("BOOLEAN", "COLLECTION", "POINTER") and not prop.is_hidden:
            assert widths.text(bpy.context, prop.name) <= room, prop.name


@pytest.mark.parametrize("kind", models.KINDS)
def test_models_are_whole_low_in_polygons_and_the_same_each_time(kind):
    for stage in range(len(models.STAGES)):
        points, normals, shades, faces, _ = models.make(kind, stage, 1).unit()
        assert np.isfinite(points).all() and np.isfinite(normals).all()
        assert shades.min() >= 0 and shades.max() <= 1
        assert len(faces) < 16_000 and points[:, 2].max() == pytest.approx(1)
    far = models.make(kind, 1, 0, far=True).unit()
    assert len(far[3]) < 1200 and len(far[3]) < len(faces)
    again, other = models.make(kind, 2, 1).unit(), models.make(kind, 2, 0).unit()
    np.testing.assert_array_equal(again[0], points)
    assert len(other[0]) != len(points) or not np.allclose(other[0], points)
    a, b, c = far[0][far[3]].transpose(1, 0, 2)
    assert (np.linalg.norm(np.cross(b - a, c - a), axis=1) > 0).mean() > 0.9


def test_crowns_of_the_tropics_reach_over_their_neighbors():
    for kind in ("palm", "canopy", "conifer"):
        points = values_of(palette.model_object(kind, 1, 0, False).data.attributes["position"])
        radius = np.quantile(np.hypot(points[:, 0], points[:, 1]), 0.98)
        assert radius == pytest.approx(models.KINDS[kind].spread, rel=0.01)
    assert models.KINDS["palm"].spread > models.KINDS["canopy"].spread > 1


@pytest.mark.slow
def test_groups_grow_the_plants_that_they_name(add):
    """The same plants as those of the core, live, and once for all sets of a terrain."""
    group = Layer.of(Group(count=1, plants="rocks"), masks=(HeightMask(low=5.0, fade=1.0),))
    layers = (Layer.of(FractalNoise(height=40.0)), Layer.of(Smooth(radius=1.0)), group)
    recipe = Recipe(layers=layers, size_x=SIZE, size_y=SIZE, material="simple")
    terrain = add(recipe, resolution=65)
    item = grown("temperate")
    names = np.array([one.name for one in item.terrain_plants.kinds])

    def stone():
        rocks = [one.name for one in PlantSet.load("rocks").species]
        return np.isin(names[column(item, "species")[:, 0]], rocks)

    home = PlantSet.load("temperate").home
    climate = climate_of(recipe, evaluate(recipe, recipe.grid(513), fields=()), home)
    expected = cover(recipe, Habitat.of(recipe, climate), PlantSet.load("temperate"))
    assert stone().sum() == len(expected[1][1]) > 10
    assert (~stone()).sum() == len(expected[0][1]) > 10
    assert any("boulder" in one for one in instances(item))
    assert not grown("rocks").terrain_plants.groups, "they would stand there twice"
    terrain.data.terrain.layers[2].group.density = 0.0
    assert not stone().any()
    item.terrain_plants.groups = False
    assert len(column(item, "species")) > (len(expected[0][1]))
    item.terrain_plants.species = "none"
    item.terrain_plants.groups = True
    terrain.data.terrain.layers[2].group.density = 1.0
    assert len(column(item, "species")) == len(expected[1][1])
