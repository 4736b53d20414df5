# SPDX-License-Identifier: GPL-3.0-or-later
"""Loads and plans of worlds that were given up: their results come too late."""

import bpy
import pytest

from terrain_addon.blender.worlds import scene
from terrain_addon.blender.worlds.loading import world_load
from terrain_addon.blender.worlds.running import world_run
from terrain_addon.core import FractalNoise, Recipe, worlds

RECIPE = Recipe(size_x=320.0, size_y=320.0, layers=(FractalNoise(),))


@pytest.fixture
def folder(tmp_path):
    """A world of 2 x 2 tiles, all made."""
    worlds.run(worlds.plan(RECIPE, tmp_path / "w", spacing=5.0, side=33))
    return str(tmp_path / "w")


def test_tiles_of_a_load_that_was_dropped_do_not_arrive(folder):
    assert bpy.ops.terrain.world_open(directory=folder) == {"FINISHED"}
    target, world = bpy.context.scene, worlds.World.load(folder)
    for tile in ((0, 0), (1, 1)):
        world_load.load_tiles(target, folder, world, {tile: 2})
        world_load.worker._join()  # computed, not shown yet
    world_load.finish()
    assert world_load.message() == ("", False)
    collection = scene.find(target, folder)
    assert collection is not None
    assert set(scene.tiles_of(collection)) == {(1, 1)}


def test_a_plan_that_is_canceled_before_its_delivery_is_not_run(tmp_path, monkeypatch):
    begun = []
    monkeypatch.setattr(world_run, "_start_process", lambda: begun.append(world_run.folder))
    first, last = (str(tmp_path / name) for name in ("first", "last"))
    world_run.plan(RECIPE, first, 5.0, 33, 1)
    world_run.worker._join()  # planned, not run yet
    with pytest.raises(ValueError, match="Another world is being made"):
        world_run.plan(RECIPE, last, 5.0, 33, 1)
    assert world_run.is_planning()
    world_run.cancel()
    assert not world_run.is_busy()
    assert world_run.message()[0].startswith("Canceled: 0 of")
    world_run.plan(RECIPE, last, 5.0, 33, 1)
    world_run.finish()
    assert begun == [last]


def test_a_folder_with_files_is_refused_before_anything_is_computed(tmp_path):
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(ValueError, match="is not empty: choose another name"):
        world_run.plan(RECIPE, str(tmp_path), 5.0, 33, 1)
    assert not world_run.is_busy()
