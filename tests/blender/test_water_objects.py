# SPDX-License-Identifier: GPL-3.0-or-later
"""Rivers and lakes as objects: made, kept in step, removed."""

import dataclasses

import bpy
import numpy as np
import pytest
from mathutils import Matrix, Vector

from terrain_addon.blender.live import surface
from terrain_addon.blender.live.surface import is_current
from terrain_addon.blender.objects import orphans, water_kinds
from terrain_addon.blender.properties import user_presets
from terrain_addon.blender.properties.recipe import read
from terrain_addon.blender.ui import river_lines
from terrain_addon.core import Layer, Recipe, Water, evaluate
from terrain_addon.core.layers import LAYERS
from terrain_addon.core.numerics.resample import bilinear_exact, triangular
from terrain_addon.core.output import inland_water

WATER = Water(rivers=True, lakes=True, min_lake_depth=0.05, min_lake_size=0.005)


@pytest.fixture
def wet():
    """Hills with rivers and lakes."""
    noise = LAYERS["fractal_noise"](size=800.0, height=200.0)
    return Recipe(seed=2, layers=(Layer.of(noise),), water=WATER)


def child(item, name):
    found = [one for one in item.children if one.name.startswith(name)]
    return found[0] if found else None


def points(mesh):
    out = np.empty(len(mesh.vertices) * 3, np.float32)
    mesh.attributes["position"].data.foreach_get("vector", out)
    return out.reshape(-1, 3)


def values(mesh, name):
    out = np.empty(len(mesh.vertices), np.float32)
    mesh.attributes[name].data.foreach_get("value", out)
    return out


def assert_shows(item):
    """The objects are what the core makes of the terrain's surface."""
    recipe = read(item.data.terrain)
    field = evaluate(recipe, recipe.grid(item.data.terrain.resolution))
    expected = inland_water(recipe, field.height, field.grid)
    for name, made in (("Rivers", expected.rivers), ("Lakes", expected.lakes)):
        mesh = child(item, name).data
        np.testing.assert_array_equal(points(mesh), made.points)
        assert len(mesh.polygons) == len(made.faces) > 0
        for key, wanted in made.values.items():
            np.testing.assert_array_equal(values(mesh, key), wanted)
        assert not mesh.validate()
        assert all(face.normal.z > 0 for face in mesh.polygons if face.area > 1e-3)


def test_presets_with_water_bring_it_along(wet):
    user_presets.save("Wet", wet)
    assert bpy.ops.terrain.add(preset="Wet", resolution=65) == {"FINISHED"}
    item = bpy.context.object
    assert_shows(item)
    assert child(item, "Rivers").parent == item
    sea = child(item, "Sea")
    assert child(item, "Rivers").data.materials[0] == child(item, "Lakes").data.materials[0]
    assert sea is None


def test_water_is_made_once_when_a_terrain_is_added(wet, monkeypatch):
    made = []

    def counted(*arguments, **more):
        made.append(inland_water(*arguments, **more))
        return made[-1]

    monkeypatch.setattr(surface, "inland_water", counted)
    user_presets.save("Wet", wet)
    bpy.ops.terrain.add(preset="Wet", resolution=65)
    assert len(made) == 1
    assert_shows(bpy.context.object)


def test_rivers_lie_on_the_triangles_that_blender_draws(add, wet):
    """What a ray from above meets is the ground that rivers are laid on."""
    item = add(wet)
    mesh = item.data
    lowest = min(vertex.co.z for vertex in mesh.vertices)
    side = round(len(mesh.vertices) ** 0.5)
    height = points(mesh)[:, 2].reshape(side, side)
    x, y = points(mesh)[:side, 0].astype(np.float64), points(mesh)[::side, 1].astype(np.float64)
    places = np.random.default_rng(1).uniform(0.01, 0.99, (300, 2)) * (side - 1)
    ground = triangular(height, places[:, 1], places[:, 0])
    met = []
    for column, row in places:
        at = x[0] + column * (x[1] - x[0]), y[0] + row * (y[1] - y[0]), lowest + 1e5
        hit, place, _, _ = item.ray_cast(at, (0.0, 0.0, -1.0))
        assert hit
        met.append(place.z)
    np.testing.assert_allclose(met, ground, atol=0.05)
    blended = bilinear_exact(height, places[:, 1], places[:, 0])
    assert np.abs(met - ground).max() < 0.1 * np.abs(met - blended).max()


@pytest.mark.smoke
def test_switches_make_and_remove_them(add, wet):
    item = add(dataclasses.replace(wet, water=Water()), 65)
    water = item.data.terrain.water
    water.min_lake_depth, water.min_lake_size = 0.05, 0.005
    assert not item.children
    water.rivers = True
    assert [one.name for one in item.children] == ["Rivers"]
    water.lakes = True
    assert_shows(item)
    water.rivers = False
    assert [one.name for one in item.children] == ["Lakes"]
    water.lakes = False
    assert not item.children
    assert "Rivers" not in bpy.data.meshes and "Lakes" not in bpy.data.meshes
    assert is_current(item.data)


def test_they_follow_the_land(add, wet):
    item = add(wet, 65)
    item.data.terrain.seed = 7
    assert_shows(item)
    item.data.terrain.resolution = 49
    assert_shows(item)
    item.data.terrain.water.min_catchment_area = 0.05
    item.data.terrain.water.river_width = 2.0
    assert_shows(item)


def test_it_is_said_why_there_are_none(add):
    noise = Layer.of(LAYERS["fractal_noise"](size=800.0, height=200.0))
    item = add(
        Recipe(layers=(noise,), water=Water(rivers=True, lakes=True, min_catchment_area=0.05))
    )
    water = item.data.terrain.water
    water.min_lake_depth = water.min_lake_size = 0.0
    assert water_kinds.notes(item) == {}
    water.min_catchment_area = 1.0
    assert set(water_kinds.notes(item)) == {"min_catchment_area"}
    water.min_lake_depth = 1000.0
    assert set(water_kinds.notes(item)) == {"min_catchment_area", "min_lake_size"}
    for name in water_kinds.notes(item):
        assert hasattr(water, name)
    water.rivers = water.lakes = False
    water.show = True
    assert water_kinds.notes(item) == {}


def test_what_the_user_gave_them_stays(add, wet):
    item = add(wet, 65)
    item.data.terrain.seed = 8
    rivers = child(item, "Rivers")
    mine = bpy.data.materials.new("Mine")
    rivers.data.materials[0] = mine
    rivers.name = "My Rivers"
    item.data.terrain.seed = 9
    assert rivers.data.materials[0] == mine
    assert {one.name for one in item.children} == {"My Rivers", "Lakes"}


def test_a_new_kind_of_water_is_one_line(add, wet, monkeypatch):
    ice = water_kinds.WaterKind("lakes", water_kinds.KINDS["Lakes"].fill, inland=True)
    monkeypatch.setitem(water_kinds.KINDS, "Ice", ice)
    item = add(wet, 65)
    item.data.terrain.seed = 8
    made = {one.name: one for one in item.children}
    assert set(made) == {"Rivers", "Lakes", "Ice"}
    np.testing.assert_array_equal(points(made["Ice"].data), points(made["Lakes"].data))
    bpy.context.view_layer.update()
    bpy.data.objects.remove(made["Ice"])
    bpy.context.view_layer.update()
    orphans.sweep()
    assert not item.data.terrain.water.lakes
    assert [one.name for one in item.children] == ["Rivers"]


def test_two_objects_of_one_terrain_have_their_own(add, wet):
    item = add(wet, 65)
    other = bpy.data.objects.new("Other", item.data)
    bpy.context.collection.objects.link(other)
    item.data.terrain.seed = 8
    assert len(item.children) == len(other.children) == 2


def test_terrains_that_are_separate_again_have_water_of_their_own(add, wet):
    first = add(dataclasses.replace(wet, water=dataclasses.replace(WATER, show=True)), 65)
    first.data.terrain.seed = 8
    bpy.context.view_layer.update()
    bpy.ops.object.select_all(action="SELECT")
    bpy.ops.object.duplicate(linked=True)
    second = bpy.context.object
    bpy.context.view_layer.update()
    assert child(second, "Sea").data == child(first, "Sea").data
    bpy.ops.object.select_all(action="DESELECT")
    second.select_set(True)
    bpy.ops.object.make_single_user(object=True, obdata=True)
    second.data.terrain.water.level = -10
    second.data.terrain.seed = 9
    assert_shows(first)
    assert_shows(second)
    assert child(first, "Sea").data.vertices[0].co.z == 0
    assert child(second, "Sea").data.vertices[0].co.z == -10
    meshes = len(bpy.data.meshes)
    second.data.terrain.seed = 10
    assert len(bpy.data.meshes) == meshes


def test_rivers_that_were_converted_to_curves_are_the_users_own(add, wet):
    item = add(wet, 65)
    bpy.context.view_layer.update()
    bpy.ops.object.select_all(action="DESELECT")
    rivers = child(item, "Rivers")
    bpy.context.view_layer.objects.active = rivers
    rivers.select_set(True)
    bpy.ops.object.convert(target="CURVE")
    curve = bpy.context.object
    assert curve.type == "CURVE"
    curve.name = "Mine"
    item.data.terrain.seed = 8
    assert is_current(item.data)
    assert_shows(item)
    item.data.terrain.water.rivers = False
    assert {one.name for one in item.children} == {"Mine", "Lakes"}
    bpy.context.view_layer.update()
    bpy.data.objects.remove(item)
    bpy.context.view_layer.update()
    orphans.sweep()
    assert [one.name for one in bpy.data.objects] == ["Mine"]


def test_rivers_with_shape_keys_wait_until_these_are_gone(add, wet):
    item = add(wet, 65)
    rivers = child(item, "Rivers")
    for name in ("Basis", "Flood"):
        rivers.shape_key_add(name=name)
    before = points(rivers.data)
    item.data.terrain.seed = 8
    np.testing.assert_array_equal(points(rivers.data), before)
    rivers.shape_key_clear()
    item.data.terrain.seed = 9
    assert_shows(item)


def test_a_terrain_without_an_object_has_no_water(add, wet):
    mesh = add(wet, 33).data
    for item in list(bpy.data.objects):
        bpy.data.objects.remove(item)
    mesh.terrain.seed = 8
    assert is_current(mesh)
    assert not bpy.data.objects


def test_the_panel_works_on_the_terrain_when_its_river_is_active(add, wet):
    item = add(wet, 65)
    item.data.terrain.seed = 8
    bpy.context.view_layer.objects.active = child(item, "Rivers")
    assert bpy.ops.terrain.random_seed() == {"FINISHED"}
    assert item.data.terrain.seed != 8


def test_rivers_tell_how_far_they_are_and_stop_when_reported_to(wet):
    from terrain_addon.blender.live.surface import make_surface
    from terrain_addon.core import Cancelled

    reported = []
    make_surface(wet, wet.grid(65), progress=lambda share, text: reported.append(text))
    assert any(text.startswith("Rivers and lakes") for text in reported)
    with pytest.raises(Cancelled):
        make_surface(
            wet,
            wet.grid(65),
            progress=lambda share, text: reported.append(text),
            cancelled=lambda: reported[-1].startswith("Rivers"),
        )


def test_lines_run_along_the_middle_of_rivers_in_their_color(add, wet):
    rivers = child(add(wet, 65), "Rivers").data
    lines = river_lines.middle_of(rivers)
    assert lines
    ends, colors = lines
    middle = points(rivers)[1::3]
    assert np.isin(ends.view("V12").ravel(), middle.copy().view("V12").ravel()).all()
    assert len(ends) == 2 * len(rivers.polygons) // 2
    assert len(np.unique(ends, axis=0)) > 0.9 * len(np.unique(middle, axis=0))
    assert colors.shape == (len(ends), 4)
    assert (colors[:, 2] > colors[:, 0] + 0.1).all()
    rivers.attributes.remove(rivers.attributes["Color"])
    assert river_lines.middle_of(rivers) is None


@pytest.mark.parametrize("perspective", [True, False])
def test_lines_are_nearer_to_the_eye_in_the_same_place_of_the_picture(perspective):
    view = Matrix.Translation((0, 0, -1000)) @ Matrix.Rotation(0.5, 4, "X")
    nearer = river_lines.nearer(view, perspective, 10)
    for place in (Vector((0, 0, 0)), Vector((200, -300, 40))):
        seen, moved = view @ place, nearer @ place
        assert 8 < moved.z - seen.z < 12
        if perspective:
            seen, moved = seen / seen.z, moved / moved.z
        np.testing.assert_allclose(seen.xy[:], moved.xy[:], atol=1e-4)
    close = river_lines.nearer(Matrix.Translation((0, 0, -20)), True, 10)
    assert close.to_scale().x > 0.95, "a ridge would not hide what is behind it"
