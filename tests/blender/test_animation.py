# SPDX-License-Identifier: GPL-3.0-or-later
"""Animated settings: the land of each frame, in the viewport and in renders."""

from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import bpy
import numpy as np
import pytest

from terrain_addon.blender.live import animation, rebuild
from terrain_addon.blender.live.surface import is_current
from terrain_addon.blender.properties.recipe import read
from terrain_addon.core import Layer, Recipe, evaluate
from terrain_addon.core.layers import LAYERS

EVOLUTION = "terrain.layers[0].fractal_noise.evolution"


def heights(mesh):
    out = np.empty(len(mesh.vertices) * 3, np.float32)
    mesh.attributes["position"].data.foreach_get("vector", out)
    return out[2::3]


@pytest.fixture
def animated(add):
    """A terrain that evolves from frame 1 to frame 11."""
    noise = LAYERS["fractal_noise"](size=400.0, height=200.0, animate=True)
    item = add(Recipe(layers=(Layer.of(noise),)))
    for frame, value in ((1, 0.0), (11, 5.0)):
        item.data.terrain.layers[0].fractal_noise.evolution = value
        assert item.data.keyframe_insert(EVOLUTION, frame=frame)
    return item


@pytest.mark.smoke
def test_every_frame_shows_its_recipe(animated):
    mesh, scene = animated.data, bpy.context.scene
    seen = []
    for frame in (1, 6, 11):
        scene.frame_set(frame)
        recipe = read(mesh.terrain)
        expected = evaluate(recipe, recipe.grid(33)).height.ravel()
        np.testing.assert_array_equal(heights(mesh), expected)
        assert is_current(mesh)
        seen.append(expected)
    assert recipe.layers[0].settings.evolution == 5
    assert np.abs(seen[0] - seen[1]).max() > 1
    assert np.abs(seen[1] - seen[2]).max() > 1


def test_modifiers_see_the_land_of_the_frame(animated):
    for frame in (1, 11):
        bpy.context.scene.frame_set(frame)
        evaluated = animated.evaluated_get(bpy.context.evaluated_depsgraph_get())
        np.testing.assert_array_equal(heights(evaluated.data), heights(animated.data))


@pytest.mark.smoke
def test_drivers_move_the_land(add):
    mesh = add().data
    curve = mesh.driver_add(EVOLUTION)
    curve.driver.expression = "frame / 10"
    bpy.context.scene.frame_set(20)
    assert mesh.terrain.layers[0].fractal_noise.evolution == 2
    assert is_current(mesh)


def test_frames_push_nothing_to_undo(animated):
    mesh = animated.data
    bpy.context.scene.frame_set(1)
    bpy.ops.ed.undo_push(message="Before")
    bpy.context.scene.frame_set(6)
    bpy.context.scene.frame_set(11)
    bpy.ops.ed.undo_push(message="After")
    bpy.ops.ed.undo()
    mesh = bpy.data.meshes["Land"]
    assert bpy.context.scene.frame_current == 1
    assert is_current(mesh)
    assert read(mesh.terrain).layers[0].settings.evolution == 0


def test_a_terrain_that_is_not_live_stays(animated):
    mesh = animated.data
    bpy.context.scene.frame_set(1)
    mesh.terrain.live = False
    before = heights(mesh)
    bpy.context.scene.frame_set(11)
    np.testing.assert_array_equal(heights(mesh), before)


def test_still_terrains_are_left_alone(add, monkeypatch):
    add()
    asked = []
    monkeypatch.setattr(rebuild, "request", lambda *args, **kwargs: asked.append(args))
    bpy.context.scene.frame_set(5)
    assert not asked


def test_what_a_driver_reads_moves_the_land_at_once(add):
    item = add()
    mesh = item.data
    driver = mesh.driver_add("terrain.layers[0].opacity").driver
    variable = driver.variables.new()
    variable.targets[0].id, variable.targets[0].data_path = item, "location.x"
    driver.expression = variable.name
    bpy.context.view_layer.update()
    assert is_current(mesh)
    before = heights(mesh)
    item.location.x = 0.25
    bpy.context.view_layer.update()
    assert mesh.terrain.layers[0].opacity == pytest.approx(0.25)
    assert is_current(mesh)
    assert np.abs(heights(mesh) - before).max() > 1


def test_a_file_shows_its_keys_once_it_is_open(add, tmp_path):
    mesh = add().data
    bpy.context.scene.frame_set(1)
    mesh.terrain.seed = 9
    mesh.keyframe_insert("terrain.seed", frame=1)
    keyed = heights(mesh)
    mesh.terrain.seed = 50
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "tweaked.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "tweaked.blend"))
    mesh = bpy.data.meshes["Land"]
    assert mesh.terrain.seed == 9
    assert is_current(mesh)
    np.testing.assert_array_equal(heights(mesh), keyed)


def test_still_objects_leave_animated_terrains_alone(animated, monkeypatch):
    other = bpy.data.objects.new("Other", None)
    bpy.context.collection.objects.link(other)
    bpy.context.scene.frame_set(1)
    asked = []
    monkeypatch.setattr(rebuild, "request", lambda *args, **kwargs: asked.append(args))
    other.location.x = animated.location.x = 5
    bpy.context.view_layer.update()
    assert not asked


@pytest.mark.parametrize("path", ["terrain.resolution", "terrain.size_x", "terrain.water.show"])
def test_what_makes_points_or_objects_is_not_animated(add, path):
    with pytest.raises(TypeError):
        add().data.keyframe_insert(path, frame=1)


def test_a_render_thread_writes_a_mesh_only_while_the_interface_is_locked(monkeypatch):
    """In a window, which draws the mesh at the same time."""
    app = SimpleNamespace(background=False)
    monkeypatch.setattr(animation, "bpy", SimpleNamespace(app=app))
    scene = bpy.context.scene
    with ThreadPoolExecutor(1) as pool:
        for locked in (False, True):
            scene.render.use_lock_interface = locked
            assert pool.submit(animation.may_write, scene).result() == locked
            assert animation.may_write(scene), "the main thread draws"


@pytest.mark.parametrize("engine", ["BLENDER_WORKBENCH", "CYCLES"])
def test_a_background_render_shows_each_frame(animated, engine, tmp_path):
    scene = bpy.context.scene
    camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    camera.location = (0, 0, 2000)
    camera.data.clip_end = 5000
    scene.collection.objects.link(camera)
    sun = bpy.data.objects.new("Sun", bpy.data.lights.new("Sun", "SUN"))
    sun.rotation_euler = (1, 0, 0)
    scene.collection.objects.link(sun)
    scene.camera = camera
    scene.render.engine = engine
    if engine == "CYCLES":
        scene.cycles.device = "CPU"
        scene.cycles.samples = 4
        scene.cycles.use_animated_seed = False
        scene.cycles.seed = 0
    scene.render.resolution_x = scene.render.resolution_y = 64
    scene.frame_start, scene.frame_end, scene.frame_step = 1, 11, 5
    scene.render.filepath = str(tmp_path / "frame")
    bpy.ops.render.render(animation=True)
    pictures = [pixels(tmp_path / f"frame{n:04}.png") for n in (1, 6, 11)]
    assert np.abs(pictures[0] - pictures[1]).max() > 0.05
    assert np.abs(pictures[1] - pictures[2]).max() > 0.05


def pixels(path):
    image = bpy.data.images.load(str(path))
    out = np.empty(len(image.pixels), np.float32)  # pyright: ignore[reportArgumentType]  # it has one
    image.pixels.foreach_get(out)
    bpy.data.images.remove(image)
    return out
