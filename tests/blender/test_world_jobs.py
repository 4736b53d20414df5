# SPDX-License-Identifier: GPL-3.0-or-later
"""Loads and plans of worlds that were given up: their results come too late."""

import bpy
import pytest

from terrain_addon.blender.worlds import loading, running, scene
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
        loading.load_tiles(target, folder, world, {tile: 2}, background=True)
        loading._state.worker._join()  # computed, not shown yet
    loading.finish()
    assert loading.message() == ("", False)
    collection = scene.find(target, folder)
    assert collection is not None
    assert set(scene.tiles_of(collection)) == {(1, 1)}


def test_only_the_last_of_two_plans_is_run(tmp_path, monkeypatch):
    begun = []
    monkeypatch.setattr(running, "_start", lambda: begun.append(running.folder()))
    folders = [str(tmp_path / name) for name in ("first", "last")]
    for folder in folders:
        running.plan(RECIPE, folder, 5.0, 33, 1)
        running._state.worker._join()  # planned, not run yet
    running.finish()
    assert begun == folders[1:]


def test_a_folder_with_files_is_refused_before_anything_is_computed(tmp_path):
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(ValueError, match="is not empty: choose another name"):
        running.plan(RECIPE, str(tmp_path), 5.0, 33, 1)
    assert not running.is_busy()
