# SPDX-License-Identifier: GPL-3.0-or-later
"""Lakes and pads in Blender: their water, and the footprints of objects."""

import math
from typing import Any

import bpy
import numpy as np
import pytest
from mathutils import Matrix, Vector

from terrain_addon.core import Layer, Recipe, Water
from terrain_addon.core.layers import LAYERS
from tests.blender.test_drawing import heights

N = 65
SIDE = 640.0
HILLS = Layer.of(LAYERS["fractal_noise"](size=500.0, height=60.0, octaves=3))
CONCAVE = ((-60, -60), (60, -60), (60, -20), (-20, -20), (-20, 60), (-60, 60))


@pytest.fixture
def hilly(add):
    """Hills of 640 m, with the layers given."""

    def made(*kinds, **more):
        layers = (HILLS, *map(Layer.of, kinds))
        return add(Recipe(layers=layers, size_x=SIDE, size_y=SIDE, **more), resolution=N)

    return made


def plan():
    """x and y of all points of the terrain, (N, N) each."""
    axis = np.linspace(-SIDE / 2, SIDE / 2, N)
    return np.meshgrid(axis, axis)


def water(item, at):
    """Height of the lakes over a place, None if it is dry."""
    bpy.context.view_layer.update()
    lakes = next((one for one in item.children if one.name.startswith("Lakes")), None)
    if lakes is None or not lakes.data.polygons:
        return None
    assert lakes.data.materials[0].name == "Inland Water"
    hit, place, *_ = lakes.ray_cast((*at, 1e4), (0, 0, -1))
    return place.z if hit else None


def inside(corners, matrix):
    """Whether points of the terrain lie in a polygon that is moved by a matrix."""
    x, y = plan()
    moved = [matrix @ Vector((*one, 0)) for one in corners]
    odd = np.zeros((N, N), bool)
    for one, two in zip(moved, moved[1:] + moved[:1], strict=True):
        between = (one.y > y) != (two.y > y)
        rise = (two.x - one.x) / ((two.y - one.y) or 1)
        odd ^= between & (x < one.x + (y - one.y) * rise)
    return odd


def prism(corners, height=30.0, name="Building"):
    """A mesh object over a polygon."""
    count = len(corners)
    points = [(*one, z) for z in (0, height) for one in corners]
    sides = [(n, (n + 1) % count, count + (n + 1) % count, count + n) for n in range(count)]
    floors = [tuple(range(count))[::-1], tuple(range(count, 2 * count))]
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(points, [], [*floors, *sides])
    return bpy.data.objects.new(name, mesh)


@pytest.mark.parametrize("eroded", [False, True])
def test_a_drawn_lake_has_water_that_follows_its_curve(hilly, eroded):
    erosion: Any = (LAYERS["erosion"](),) if eroded else ()
    item = hilly(*erosion)
    assert not item.data.terrain.water.lakes
    assert bpy.ops.terrain.draw(kind="lake") == {"FINISHED"}
    curve: Any = bpy.context.object
    assert item.data.terrain.water.lakes, "its water is shown"
    assert [one.kind for one in item.data.terrain.layers][-1] == "lake"
    for x, y in ((0, 0), (-120, 90), (60, -40)):
        curve.location.x, curve.location.y = x, y
        values = heights(item).reshape(N, N)
        level = water(item, (x, y))
        assert level is not None
        assert values[N // 2 + y // 10, N // 2 + x // 10] == pytest.approx(level - 5.1, abs=1.5)
    bpy.data.objects.remove(curve)
    assert np.array_equal(heights(item).reshape(N, N), heights(hilly(*erosion)).reshape(N, N))


def test_an_empty_is_a_round_lake(hilly):
    item = hilly(
        LAYERS["lake"](source="Spot", follow="curve", radius=50.0, depth=4.0),
        water=Water(lakes=True),
    )
    empty = bpy.data.objects.new("Spot", None)
    bpy.context.collection.objects.link(empty)
    for place, scale in (((0, 0, 8), 1.0), ((100, -50, -6), 1.0), ((100, -50, -6), 2.0)):
        empty.location, empty.scale = place, (scale,) * 3
        values = heights(item).reshape(N, N)
        x, y = plan()
        away = np.hypot(x - place[0], y - place[1])
        assert water(item, place[:2]) == pytest.approx(place[2], abs=0.05)
        assert (values[away < 50 * scale - 1] < place[2]).all()
        assert (
            values[(away > 50 * scale + 1) & (away < 50 * scale + 11)] >= place[2] - 0.05
        ).mean() > 0.8


def test_pads_have_the_footprints_of_their_objects(hilly):
    item = hilly(LAYERS["pad"](source="Buildings", margin=0.0))
    heights(item)
    group = bpy.data.collections.new("Buildings")
    bpy.context.scene.collection.children.link(group)
    one = prism(CONCAVE)
    two = bpy.data.objects.new("Linked", one.data)
    group.objects.link(one)
    group.objects.link(two)
    one.location, one.rotation_euler.z, one.scale = (-150, 100, 12), 0.7, (1.2, 0.6, 1)
    two.location, two.rotation_euler.z = (150, -100, -8), math.pi / 3
    values = heights(item).reshape(N, N)
    for building in (one, two):
        under = inside(CONCAVE, building.matrix_world)
        assert under.sum() > 40
        np.testing.assert_allclose(values[under], building.location.z, atol=1e-3)
    notch = two.matrix_world @ Vector((30, 30, 0))
    column, row = (round(one / 10) + N // 2 for one in notch[:2])
    assert abs(values[row, column] - two.location.z) > 1, "the notch of the L is no part of it"
    two.location.x -= 80
    moved = heights(item).reshape(N, N)
    np.testing.assert_allclose(moved[inside(CONCAVE, two.matrix_world)], -8, atol=1e-3)
    one.data.transform(Matrix.Scale(0.5, 4))
    one.data.update()
    smaller = heights(item).reshape(N, N)
    small = tuple((x / 2, y / 2) for x, y in CONCAVE)
    np.testing.assert_allclose(smaller[inside(small, one.matrix_world)], 12, atol=1e-3)
    assert np.abs(smaller - moved).max() > 1


def test_a_projected_mesh_follows_its_object(hilly):
    item = hilly(LAYERS["project_mesh"](source="Prism", mode="replace", falloff=0.0))
    heights(item)
    block = prism(CONCAVE)
    bpy.context.scene.collection.objects.link(block)
    block.name, block.location, block.rotation_euler.z = "Prism", (-120, 80, 140), 0.6
    for x in (0, 90):
        block.location.x += x
        values = heights(item).reshape(N, N)
        top = block.location.z + max(point.co.z for point in block.data.vertices)
        under = inside(CONCAVE, block.matrix_world)
        assert under.sum() > 40
        np.testing.assert_allclose(values[under], top, atol=1e-3)
        assert (values == np.float32(values[under][0])).sum() < 1.3 * under.sum()


def test_pads_lie_under_instances_of_a_collection(hilly):
    item = hilly(LAYERS["pad"](source="Town", margin=0.0))
    heights(item)
    house = prism(CONCAVE)
    plan_of_house = bpy.data.collections.new("House")
    plan_of_house.objects.link(house)
    town = bpy.data.collections.new("Town")
    bpy.context.scene.collection.children.link(town)
    for n, place in enumerate(((-150, -100, 5), (140, 120, 20))):
        copy = bpy.data.objects.new(f"Copy {n}", None)
        copy.instance_type, copy.instance_collection = "COLLECTION", plan_of_house
        copy.location, copy.rotation_euler.z = place, n * 0.9
        town.objects.link(copy)
    values = heights(item).reshape(N, N)
    for copy in town.objects:
        under = inside(CONCAVE, copy.matrix_world)
        np.testing.assert_allclose(values[under], copy.location.z, atol=1e-3)


@pytest.mark.parametrize("key", ["lake", "pad"])
def test_shapes_without_area_leave_the_ground_or_say_why(hilly, key):
    item = hilly(LAYERS[key](source="Odd"))
    before = heights(item)
    curve = bpy.data.curves.new("Odd", "CURVE")
    curve.dimensions = "3D"
    odd = bpy.data.objects.new("Odd", curve)
    bpy.context.collection.objects.link(odd)
    assert np.array_equal(heights(item), before), "a curve without points"
    spline = curve.splines.new("POLY")
    spline.points.add(3)
    spline.use_cyclic_u = True
    for point, z in zip(spline.points, (0, 10, 20, 30), strict=True):
        point.co = (0, 0, z, 1)
    assert np.isfinite(heights(item)).all(), "upright: no area"
