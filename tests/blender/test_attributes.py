# SPDX-License-Identifier: GPL-3.0-or-later
"""Masks as attributes of the mesh, in its colours and in images."""

import dataclasses

import bpy
import numpy as np
import pytest

from terrain_addon.blender.data.attributes import TYPES, values_of
from terrain_addon.blender.live import rebuild
from terrain_addon.blender.live.surface import is_current, make_surface
from terrain_addon.blender.mesh import terrain_mesh
from terrain_addon.blender.properties.recipe import SWITCHES, read
from terrain_addon.core import Layer, Recipe, evaluate
from terrain_addon.core.analysis import AREAS, FIELDS, HABITAT
from terrain_addon.core.layers import LAYERS


@pytest.fixture
def eroded():
    """Hills with rivers and snow: every mask is left or follows."""
    kinds = (LAYERS["fractal_noise"](), LAYERS["erosion"](), LAYERS["snow"](line=0.0))
    return Recipe(size_x=2000.0, size_y=2000.0, layers=tuple(Layer.of(kind) for kind in kinds))


def values(mesh, name):
    attribute = mesh.attributes[name]
    assert (attribute.domain, attribute.data_type) == ("POINT", "FLOAT")
    out = np.empty(len(mesh.vertices), np.float32)
    attribute.data.foreach_get("value", out)
    return out


def colors(mesh):
    out = np.empty(len(mesh.vertices) * 4, np.float32)
    mesh.attributes["Color"].data.foreach_get("color", out)
    return out


def test_there_is_a_switch_for_every_mask(add):
    group = add().data.terrain.attributes
    assert set(SWITCHES) == set(FIELDS) - {"slope"}
    for name in SWITCHES:
        assert getattr(group, name) is False
        assert group.bl_rna.properties[name].name == FIELDS[name].label


def test_switched_masks_are_written(add, eroded):
    mesh = add(eroded, 65).data
    switches = tuple(name for name in SWITCHES if name not in HABITAT)
    for name in switches:
        assert (name in mesh.attributes) == (name in eroded.fields)
        setattr(mesh.terrain.attributes, name, True)
    field = evaluate(eroded, eroded.grid(65))
    assert {*SWITCHES} - {*field.fields} == {*("road", "lava", "beach", "platform"), *AREAS}, (
        "no layer here makes one"
    )
    for name in {*field.fields} - {*HABITAT}:
        np.testing.assert_array_equal(values(mesh, name), field.fields[name].ravel())
    assert is_current(mesh)
    assert read(mesh.terrain).attributes == switches


def test_masks_follow_the_land_and_the_resolution(add, recipe):
    mesh = add(dataclasses.replace(recipe, attributes=("ridge",))).data
    mesh.terrain.seed = 99
    mesh.terrain.resolution = 41
    changed = read(mesh.terrain)
    ridge = evaluate(changed, changed.grid(41)).fields["ridge"]
    np.testing.assert_array_equal(values(mesh, "ridge"), ridge.ravel())


def test_what_is_switched_off_goes_and_the_users_own_stay(add):
    mesh = add().data
    mesh.attributes.new("flow", "FLOAT", "POINT").data.foreach_set("value", np.full(33 * 33, 7.0))
    mesh.terrain.attributes.ridge = True
    mesh.terrain.attributes.ridge = False
    assert "ridge" not in mesh.attributes
    mesh.terrain.resolution = 17
    assert (values(mesh, "flow") == 7).all()
    assert is_current(mesh)


def test_a_mask_that_no_layer_leaves_is_not_written(add):
    mesh = add().data
    mesh.terrain.attributes.erosion_depth = True
    assert "erosion_depth" not in mesh.attributes
    assert is_current(mesh)


def test_a_mask_goes_with_the_last_layer_that_leaves_it(add, eroded):
    mesh = add(eroded, 33).data
    mesh.terrain.attributes.snow = True
    assert "snow" in mesh.attributes
    mesh.terrain.active_layer = next(
        place for place, layer in enumerate(mesh.terrain.layers) if layer.kind == "snow"
    )
    bpy.ops.terrain.layer_remove()
    assert "snow" not in mesh.attributes
    assert "convexity_fine" in mesh.attributes


def test_colours_by_a_mask(add):
    mesh = add().data
    plain = colors(mesh)
    palette = mesh.terrain.palette
    before = len(palette.regions)
    for by in ("valley", "hillshade"):
        bpy.ops.terrain.region_add(based_on=by)
    assert [r.based_on for r in palette.regions[before:]] == ["valley", "hillshade"]
    assert {"valley", "hillshade"} <= set(mesh.attributes.keys())
    palette.regions[before].high = 0.5  # now from what the mesh carries
    recipe = read(mesh.terrain)
    field = evaluate(recipe, recipe.grid(33))
    slope, cover = field.fields["slope"], recipe.palette.cover(field.fields)
    expected = recipe.palette.colors(field.height, slope, *field.range, cover)
    np.testing.assert_array_equal(colors(mesh), expected.ravel())
    assert not np.array_equal(colors(mesh), plain)
    for _ in range(2):
        palette.active_region = before
        bpy.ops.terrain.region_remove()
    np.testing.assert_array_equal(colors(mesh), plain)
    assert not {"valley", "hillshade"} & set(mesh.attributes.keys())


def test_colours_by_masks_move_past_each_other(add):
    mesh = add().data
    palette = mesh.terrain.palette
    for by in ("valley", "height", "hillshade"):
        bpy.ops.terrain.region_add(based_on=by)
    before = colors(mesh)
    assert bpy.ops.terrain.region_move(direction="UP") == {"CANCELLED"}
    assert bpy.ops.terrain.region_move(direction="DOWN") == {"FINISHED"}
    assert read(mesh.terrain).palette.fields == ("hillshade", "valley")
    assert palette.regions[palette.active_region].based_on == "hillshade"
    assert not np.array_equal(colors(mesh), before)
    assert bpy.ops.terrain.region_move(direction="UP") == {"FINISHED"}
    np.testing.assert_array_equal(colors(mesh), before)
    palette.active_region = 0
    assert not bpy.ops.terrain.region_move.poll()


def test_a_colour_can_turn_to_a_mask_and_back(add):
    mesh = add().data
    plain, regions = colors(mesh), mesh.terrain.palette.regions
    for region in regions:
        region.based_on = "slope"
    assert is_current(mesh) and not np.array_equal(colors(mesh), plain)
    for region in regions:
        region.based_on = "height"
    np.testing.assert_array_equal(colors(mesh), plain)


def test_copies_files_and_undo_keep_the_switches(add, tmp_path):
    mesh = add().data
    mesh.terrain.attributes.hillshade = True
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "land.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "land.blend"))
    mesh = bpy.data.meshes["Land"]
    assert mesh.terrain.attributes.hillshade and "hillshade" in mesh.attributes and is_current(mesh)
    assert mesh.copy().terrain.attributes.hillshade


def test_a_mask_as_an_image(add, eroded):
    add(eroded)
    assert bpy.ops.terrain.bake(image="field", field="flow", width=64) == {"FINISHED"}
    image = bpy.data.images["Land Flow"]
    pixels = np.empty(64 * 64 * 4, np.float32)
    image.pixels.foreach_get(pixels)
    flow = evaluate(eroded, eroded.pixel_grid(64)).fields["flow"]
    np.testing.assert_allclose(pixels[::4], np.clip(flow, 0, 1).ravel(), atol=1e-6)
    assert (image["field_low"], image["field_high"]) == (0, 1)


def test_an_image_of_a_mask_that_is_not_there_is_refused(add):
    add()
    with pytest.raises(RuntimeError, match="produces 'Snow'"):
        bpy.ops.terrain.bake(image="field", field="snow", width=64)


def test_an_attribute_of_the_users_own_is_not_overwritten(add):
    mesh = add().data
    mesh.attributes.new("sky_view", "INT", "POINT").data[0].value = 7
    mesh.terrain.attributes.sky_view = True
    assert "rename" in rebuild.error_of(mesh)
    assert mesh.attributes["sky_view"].data[0].value == 7
    mesh.attributes["sky_view"].name = "mine"
    bpy.ops.terrain.rebuild()
    assert not rebuild.error_of(mesh)
    assert mesh.attributes["sky_view"].data_type == "FLOAT"
    mesh.terrain.attributes.sky_view = False
    assert mesh.attributes["mine"].data[0].value == 7


@pytest.mark.parametrize(
    ("name", "kind", "domain"),
    [
        ("Color", "BYTE_COLOR", "CORNER"),
        ("Color", "FLOAT_COLOR", "CORNER"),
        ("height", "INT", "POINT"),
        ("height", "FLOAT", "FACE"),
        ("slope", "FLOAT_VECTOR", "POINT"),
        ("UVMap", "FLOAT", "POINT"),
        ("ridge", "INT", "POINT"),
    ],
)
def test_an_attribute_of_another_type_with_a_name_of_ours_is_refused(
    add, recipe, name, kind, domain
):
    mesh = add(dataclasses.replace(recipe, attributes=("ridge",))).data
    before = {"points": points(mesh), "built": mesh.terrain.built}
    mesh.attributes.remove(mesh.attributes[name])
    theirs = mesh.attributes.new(name, kind, domain)
    field, size, dtype, _ = TYPES[kind]
    painted = np.arange(len(theirs.data) * size) % 200 / (1 if kind == "INT" else 200)
    theirs.data.foreach_set(field, painted.astype(dtype))
    kept = values_of(mesh.attributes[name])
    for change in (
        lambda: setattr(mesh.terrain, "seed", 77),
        lambda: setattr(mesh.terrain, "resolution", 17),
        lambda: setattr(mesh.terrain.palette.regions[0], "start", 0.3),
    ):
        change()
        assert rebuild.error_of(mesh).endswith(f"another attribute named {name!r}: rename it first")
        with pytest.raises(RuntimeError, match="rename it first"):
            bpy.ops.terrain.rebuild()
        assert "rename it first" in rebuild.error_of(mesh)
        assert {"points": points(mesh), "built": mesh.terrain.built} == before
        np.testing.assert_array_equal(values_of(mesh.attributes[name]), kept)
    mesh.attributes[name].name = "Mine"
    assert bpy.ops.terrain.rebuild() == {"FINISHED"}
    assert not rebuild.error_of(mesh) and is_current(mesh)
    assert (mesh.attributes["Mine"].data_type, mesh.attributes["Mine"].domain) == (kind, domain)
    assert values(mesh, "ridge").any() and len(values(mesh, "height")) == 17 * 17


@pytest.mark.parametrize("resolution", [33, 17])
def test_a_surface_that_comes_late_changes_nothing_then(add, recipe, resolution):
    """As one does from the worker, after the user added an attribute."""
    mesh = add(recipe).data
    mesh.attributes.remove(mesh.attributes["slope"])
    mesh.attributes.new("slope", "INT", "POINT").data.foreach_set("value", np.full(33 * 33, 7))
    before = points(mesh)
    surface = make_surface(recipe, recipe.grid(resolution))
    assert surface.colors is not None
    colors = surface.colors
    for write in (
        lambda: terrain_mesh.move(mesh, surface),
        lambda: terrain_mesh.build(mesh, surface, recipe.grid(33)),
        lambda: terrain_mesh.color(mesh, colors),
    ):
        with pytest.raises(ValueError, match="another attribute named 'slope': rename it first"):
            write()
        assert points(mesh) == before
        assert (values_of(mesh.attributes["slope"]) == 7).all()


def points(mesh):
    return values_of(mesh.attributes["position"]).tolist()


def test_only_attributes_that_the_terrain_wrote_are_removed(add, recipe):
    mesh = add(dataclasses.replace(recipe, attributes=("ridge", "valley"))).data
    for name, kind in (("ridge", "INT"), ("Paint", "FLOAT")):
        if name in mesh.attributes:
            mesh.attributes.remove(mesh.attributes[name])
        mesh.attributes.new(name, kind, "POINT").data.foreach_set("value", np.full(33 * 33, 7))
    mesh.terrain.built += " Paint height position slope ridge ridge"
    with rebuild.quiet():
        mesh.terrain.attributes.ridge = mesh.terrain.attributes.valley = False
    for resolution in (33, 17):
        mesh.terrain.resolution = resolution
        bpy.ops.terrain.rebuild()
        assert not rebuild.error_of(mesh)
        for name in ("ridge", "Paint"):
            assert (values_of(mesh.attributes[name]) == 7).all()
        assert "valley" not in mesh.attributes and values(mesh, "slope").any()
