# SPDX-License-Identifier: GPL-3.0-or-later
"""Painted maps: what was painted on the mesh, or into an image, decides where a layer acts."""

import dataclasses
from types import SimpleNamespace
from typing import Any

import bpy
import numpy as np
import pytest

from terrain_addon.blender.live import rebuild
from terrain_addon.blender.live.costs import Cost
from terrain_addon.blender.live.surface import is_current
from terrain_addon.blender.mesh import painted_maps
from terrain_addon.blender.properties import user_presets
from terrain_addon.blender.properties.recipe import grid_of, read
from terrain_addon.core import Layer, Recipe, evaluate
from terrain_addon.core.layers import LAYERS

LIFT = LAYERS["levels"](input_min=-1.0, input_max=1.0, output_min=100.0, output_max=100.0)
N = 17


@pytest.fixture
def lifted(add):
    """A flat land of N x N points, with a layer that lifts it where the map "Paint" says."""

    def made(name="Paint"):
        item = add(Recipe(layers=(Layer.of(LIFT),)), resolution=N)
        mask = item.data.terrain.layers[0].mask_map
        mask.source = name
        mask.use = True
        return item

    return made


def update(mesh):
    rebuild.update(mesh)
    heights = np.empty(len(mesh.vertices), np.float32)
    mesh.attributes["height"].data.foreach_get("value", heights)
    return heights.reshape(N, N)


RAMP = (np.linspace(0, 1, N, dtype=np.float32)[None] * np.ones((N, 1), np.float32)).copy()


@pytest.mark.parametrize(
    ("kind", "field"), [("FLOAT", "value"), ("INT", "value"), ("BOOLEAN", "value")]
)
def test_an_attribute_is_a_map(lifted, kind, field):
    mesh = lifted().data
    painted = RAMP if kind == "FLOAT" else (RAMP > 0.5).astype(np.int32)
    mesh.attributes.new("Paint", kind, "POINT").data.foreach_set(field, painted.reshape(-1))
    np.testing.assert_allclose(update(mesh), 100 * painted, atol=1e-3)
    assert not rebuild.error_of(mesh)


@pytest.mark.parametrize("domain", ["POINT", "CORNER"])
@pytest.mark.parametrize("kind", ["FLOAT_COLOR", "BYTE_COLOR"])
def test_a_colour_attribute_is_a_map(lifted, kind, domain):
    mesh = lifted().data
    values = RAMP.reshape(-1)
    if domain == "CORNER":
        corners = np.empty(len(mesh.loops), np.int32)
        mesh.loops.foreach_get("vertex_index", corners)
        values = values[corners]
    colors = np.repeat(values[:, None], 4, axis=1)
    mesh.attributes.new("Paint", kind, domain).data.foreach_set("color", colors.reshape(-1))
    np.testing.assert_allclose(update(mesh), 100 * RAMP, atol=1e-3 if "FLOAT" in kind else 2)


def test_a_vertex_group_is_a_map(lifted):
    item = lifted()
    group = item.vertex_groups.new(name="Paint")
    for n, weight in enumerate(RAMP.reshape(-1)):
        if weight > 0.25:
            group.add([n], float(weight), "REPLACE")
    expected = np.where(RAMP > 0.25, RAMP, 0)
    np.testing.assert_allclose(update(item.data), 100 * expected, atol=1e-3)
    assert len(bpy.data.scenes) == 1
    assert [o.name for o in bpy.data.objects] == ["Land"]


def test_an_image_is_a_map(lifted):
    image = bpy.data.images.new("Paint", 256, 128, float_buffer=True)
    across = (np.arange(256, dtype=np.float32) + 0.5) / 256
    pixels = np.ones((128, 256, 4), np.float32) * across[None, :, None]
    image.pixels.foreach_set(pixels.reshape(-1))  # pyright: ignore[reportArgumentType]
    np.testing.assert_allclose(update(lifted().data), 100 * RAMP, atol=0.3)


def test_new_paint_is_taken_up_with_the_next_update(lifted):
    mesh = lifted().data
    attribute = mesh.attributes.new("Paint", "FLOAT", "POINT")
    assert update(mesh).max() == 0
    attribute = mesh.attributes["Paint"]
    attribute.data.foreach_set("value", RAMP.reshape(-1))
    np.testing.assert_allclose(update(mesh), 100 * RAMP, atol=1e-3)


def test_a_missing_map_is_reported_and_the_land_stays(lifted):
    mesh = lifted("Nothing").data
    assert "no map named 'Nothing'" in rebuild.error_of(mesh)
    with pytest.raises(ValueError, match="no map named 'Nothing'"):
        rebuild.update(mesh)
    heights = np.empty(len(mesh.vertices), np.float32)
    mesh.attributes["height"].data.foreach_get("value", heights)
    assert (heights == 100).all()


def test_a_map_may_have_the_name_of_a_mask_that_the_mesh_does_not_carry(lifted):
    mesh = lifted("").data
    mesh.attributes.new("snow", "FLOAT", "POINT").data.foreach_set("value", RAMP.reshape(-1))
    mask = mesh.terrain.layers[0].mask_map
    mask.source = "snow"
    np.testing.assert_allclose(update(mesh), 100 * RAMP, atol=1e-3)
    assert ("snow", "Attribute") in painted_maps.suggestions(mask, bpy.context, "")


@pytest.mark.parametrize("name", ["ridge", "slope", "height", "Color", "position"])
def test_what_the_terrain_makes_is_no_map(lifted, name):
    mesh = lifted("").data
    mask = mesh.terrain.layers[0].mask_map
    mask.use = False
    mesh.terrain.attributes.ridge = True
    assert not list(painted_maps.suggestions(mask, bpy.context, ""))
    mask.source, mask.use = name, True
    assert rebuild.error_of(mesh).startswith(
        f"{name!r} is written by the terrain and cannot be a map"
    )
    bpy.data.images.new(name, 4, 4)
    update(mesh)
    assert not rebuild.error_of(mesh)


def test_what_is_no_map_is_reported(lifted):
    mesh = lifted("").data
    mesh.attributes.new("Vectors", "FLOAT_VECTOR", "POINT")
    mesh.terrain.layers[0].mask_map.source = "Vectors"
    assert "'Vectors' is no map" in rebuild.error_of(mesh)
    image = bpy.data.images.new("Gone", 4, 4)
    image.source = "FILE"
    image.filepath = "//nowhere.png"
    mesh.terrain.layers[0].mask_map.source = "Gone"
    assert "'Gone' has no pixels" in rebuild.error_of(mesh)


def test_a_render_is_no_map_until_it_is_saved(lifted):
    mesh = lifted("").data
    render = bpy.context.scene.render
    render.engine, render.resolution_x, render.resolution_y = "CYCLES", 4, 4
    camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    bpy.context.collection.objects.link(camera)
    bpy.context.scene.camera = camera
    bpy.ops.render.render()
    mesh.terrain.layers[0].mask_map.source = "Render Result"
    assert "'Render Result' cannot be a map: save it" in rebuild.error_of(mesh)


def test_a_map_follows_the_mesh_to_another_resolution(lifted):
    mesh = lifted().data
    mesh.attributes.new("Paint", "FLOAT", "POINT").data.foreach_set("value", RAMP.reshape(-1))
    update(mesh)
    mesh.terrain.resolution = 33
    heights = np.empty(len(mesh.vertices), np.float32)
    mesh.attributes["height"].data.foreach_get("value", heights)
    expected = 100 * np.linspace(0, 1, 33)[None] * np.ones((33, 1))
    np.testing.assert_allclose(heights.reshape(33, 33), expected, atol=1e-2)


def go_to_the_worker(monkeypatch):
    """Let rebuilds take so long that the worker makes them, as in a window."""
    app = SimpleNamespace(
        background=False, timers=bpy.app.timers, is_job_running=bpy.app.is_job_running
    )
    monkeypatch.setattr(
        rebuild, "bpy", SimpleNamespace(app=app, data=bpy.data, context=bpy.context)
    )
    monkeypatch.setattr(rebuild, "computes_in_background", lambda _: True)
    monkeypatch.setattr(rebuild, "_expected", lambda *_: Cost(fixed=1.0))


@pytest.mark.parametrize("kind", ["attribute", "group"])
def test_a_preview_with_other_points_is_followed_by_the_land(lifted, monkeypatch, kind):
    """It samples the maps of the mesh again, from which the worker makes the land then."""
    item = lifted()
    mesh = item.data
    if kind == "attribute":
        mesh.attributes.new("Paint", "FLOAT", "POINT").data.foreach_set("value", RAMP.reshape(-1))
    else:
        group = item.vertex_groups.new(name="Paint")
        for n, weight in enumerate(RAMP.reshape(-1).tolist()):
            group.add([n], weight, "REPLACE")
    update(mesh)
    go_to_the_worker(monkeypatch)
    mesh.terrain.resolution = 2 * N
    assert not is_current(mesh), "a preview"
    rebuild.finish()
    assert is_current(mesh)
    recipe = read(mesh.terrain)
    expected = evaluate(recipe, recipe.grid(2 * N)).height.reshape(-1)
    heights = np.empty(len(mesh.vertices), np.float32)
    mesh.attributes["height"].data.foreach_get("value", heights)
    np.testing.assert_array_equal(heights, expected)


def test_an_image_that_only_a_map_names_is_saved_with_the_file(lifted, tmp_path):
    """Blender drops images that nothing uses; it knows nothing of names."""
    lifted()
    bpy.data.images.new("Paint", 4, 4)
    bpy.data.images.new("Other", 4, 4)
    assert not bpy.data.images["Paint"].users
    path = str(tmp_path / "land.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    assert "Paint" in bpy.data.images
    assert "Other" not in bpy.data.images


def test_maps_reach_the_bake(lifted):
    mesh = lifted().data
    mesh.attributes.new("Paint", "FLOAT", "POINT").data.foreach_set("value", RAMP.reshape(-1))
    update(mesh)
    assert bpy.ops.terrain.bake(width=64, values="meters") == {"FINISHED"}
    image = bpy.data.images["Land Heightmap"]
    pixels = np.empty(64 * 64 * 4, np.float32)
    image.pixels.foreach_get(pixels)
    expected = 100 * (np.arange(64) + 0.5) / 64
    np.testing.assert_allclose(pixels.reshape(64, 64, 4)[20, :, 0], expected, atol=0.05)


def test_names_are_suggested_with_what_they_are(lifted):
    item = lifted()
    mesh = item.data
    mesh.attributes.new("Wet", "FLOAT", "POINT")
    mesh.attributes.new("Edges", "FLOAT", "EDGE")
    item.vertex_groups.new(name="West")
    bpy.data.images.new("Sketch", 4, 4)
    found = dict(painted_maps.suggestions(mesh.terrain.layers[0].mask_map, bpy.context, ""))
    assert found == {"Wet": "Attribute", "West": "Vertex group", "Sketch": "Image"}


def test_a_vertex_group_is_read_while_the_frame_changes(lifted):
    item = lifted()
    mesh = item.data
    group = item.vertex_groups.new(name="Paint")
    group.add([int(n) for n in np.flatnonzero(RAMP.reshape(-1) > 0.5)], 1.0, "REPLACE")
    levels = mesh.terrain.layers[0].levels
    for frame, height in ((1, 100.0), (11, 200.0)):
        levels.output_min = levels.output_max = height
        levels.keyframe_insert("output_min", frame=frame)
        levels.keyframe_insert("output_max", frame=frame)
    for frame, height in ((1, 100.0), (11, 200.0)):
        bpy.context.scene.frame_set(frame)
        heights = np.empty(len(mesh.vertices), np.float32)
        mesh.attributes["height"].data.foreach_get("value", heights)
        np.testing.assert_allclose(heights.reshape(N, N), height * (RAMP > 0.5), atol=1e-3)


def test_a_map_that_was_painted_on_corners_follows_the_detail(lifted):
    mesh = lifted().data
    paint = mesh.color_attributes.new("Paint", "BYTE_COLOR", "CORNER")
    paint.data.foreach_set("color", np.ones(len(paint.data) * 4, np.float32))
    update(mesh)
    for detail in ("2", "1"):
        mesh.terrain.viewport_detail = detail
        assert not rebuild.error_of(mesh)
        heights = np.empty(len(mesh.vertices), np.float32)
        mesh.attributes["height"].data.foreach_get("value", heights)
        np.testing.assert_allclose(heights, 100, atol=1e-3)


def test_an_image_can_be_the_heights(add):
    image = bpy.data.images.new("Valley", 4, 2, float_buffer=True, is_data=True)
    values = np.linspace(0, 1, 8, dtype=np.float32)
    image.pixels.foreach_set(np.repeat(values, 4).tolist())
    layer = Layer.of(LAYERS["height_map"](source="Valley", low=-10.0, high=30.0))
    mesh = add(Recipe(layers=(layer,), size_y=500.0), resolution=41).data
    height = np.empty(len(mesh.vertices), np.float32)
    mesh.attributes["height"].data.foreach_get("value", height)
    height = height.reshape(21, 41)
    assert height[0, 0] == pytest.approx(-10, abs=0.2)
    assert height[-1, -1] == pytest.approx(30, abs=0.2)
    assert (np.diff(height, axis=1) >= 0).all()


@pytest.mark.parametrize("name", ["Gone", "height", "Empty"])
def test_a_land_with_a_painted_map_is_added_and_waits_for_the_paint(lifted, name):
    """As a preset may have one: what it names can be painted only when the land is there."""
    bpy.data.images.new("Empty", 4, 4).source = "FILE"
    recipe = read(lifted("Elsewhere").data.terrain)
    mask = dataclasses.replace(recipe.layers[0].masks[0], source=name)
    layers = (Layer.of(LIFT), Layer.of(LIFT, masks=(mask,)))
    user_presets.save("Painted", dataclasses.replace(recipe, layers=layers, seed=5))
    assert bpy.ops.terrain.add(preset="Painted", resolution=N) == {"FINISHED"}
    mesh: Any = bpy.context.object.data
    assert repr(name) in rebuild.error_of(mesh)
    assert not is_current(mesh)
    assert mesh.terrain.layers[1].enabled and mesh.terrain.layers[1].mask_map.source == name
    assert len(mesh.materials) == 1
    mesh.attributes.new("Paint", "FLOAT", "POINT").data.foreach_set("value", RAMP.reshape(-1))
    mesh.terrain.layers[1].mask_map.source = "Paint"
    assert not rebuild.error_of(mesh)
    assert is_current(mesh)


@pytest.mark.parametrize("in_background", [False, True])
@pytest.mark.parametrize(("setting", "value"), [("resolution", 33), ("size_y", 700.0)])
def test_the_heights_are_those_of_the_map_on_the_new_points(
    lifted, monkeypatch, in_background, setting, value
):
    """Another number of points resamples the maps on the mesh, after they were read."""
    item = lifted()
    group = item.vertex_groups.new(name="Paint")
    for point, weight in enumerate(np.random.default_rng(1).random(N * N)):
        group.add([point], float(weight), "REPLACE")
    mesh, terrain = item.data, item.data.terrain
    rebuild.update(mesh)
    if in_background:
        go_to_the_worker(monkeypatch)
        monkeypatch.setattr(rebuild, "_preview", lambda *_: False)
    setattr(terrain, setting, value)
    rebuild.finish()
    recipe = read(terrain)
    expected = evaluate(recipe, grid_of(terrain, recipe)).height.ravel()
    shown = np.empty(len(expected), np.float32)
    assert len(mesh.vertices) == len(expected) != N * N
    mesh.attributes["height"].data.foreach_get("value", shown)
    np.testing.assert_array_equal(shown, expected)
