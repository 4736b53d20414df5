# SPDX-License-Identifier: GPL-3.0-or-later
"""A terrain is fitted to an elevation file in another process."""

import time
from pathlib import Path

import bpy
import numpy as np
import pytest

from terrain_addon.blender.app.fitting import fit_search
from terrain_addon.blender.properties import user_presets
from terrain_addon.blender.properties.recipe import read
from terrain_addon.core import FractalNoise, HeightMap, Layer, Recipe, evaluate

LONGEST = 120.0
SHORTEST = 15.0
"""Seconds in which a search measures a terrain even where others use the processors."""
START = Recipe(layers=(FractalNoise(size=60.0, height=40.0, octaves=4, gain=0.9),))


@pytest.fixture
def place(tmp_path: Path) -> str:
    """An ESRI grid of 80 x 80 heights."""
    recipe = Recipe(layers=(FractalNoise(size=200.0, height=150.0, octaves=4, gain=0.3),))
    height = evaluate(recipe, recipe.pixel_grid(80)).height
    header = "ncols 80\nnrows 80\nxllcorner 0\nyllcorner 0\ncellsize 12.5\n"
    rows = "\n".join(" ".join(f"{value:.3f}" for value in row) for row in height)
    path = tmp_path / "dunes.asc"
    path.write_text(header + rows + "\n", encoding="ascii")
    return str(path)


def until(true) -> None:
    """Poll as Blender's timer does."""
    end = time.monotonic() + LONGEST
    while not true():
        assert time.monotonic() < end
        time.sleep(0.05)
        fit_search.process.poll()


def start(place: str, mesh: bpy.types.Mesh, seconds: float = 3600.0) -> None:
    """A search in the background; what it says in the end is the height of the first layer."""

    def say(recipe: Recipe) -> str:
        return f"{recipe.layers[0].settings.to_dict()['height']}"

    fit_search.start(START, place, mesh=mesh.session_uid, seconds=seconds, done=say)


@pytest.mark.slow
def test_a_fit_becomes_a_preset_and_is_applied(add, place):
    mesh = add(START).data
    assert bpy.ops.terrain.fit(filepath=place, seconds=SHORTEST) == {"FINISHED"}
    found = fit_search.found
    assert found.share == 1.0 and 1 <= len(found.best) <= 8
    assert found.evaluations >= len(found.best) and found.before > 0
    assert user_presets.users_own() == ["Land dunes"]
    saved = user_presets.load("Land dunes")
    assert saved.about == "Fitted to dunes.asc" and saved.layers == fit_search.recipe(0).layers
    assert fit_search.picture(0).read_bytes()[1:4] == b"PNG"
    last = len(found.best) - 1
    assert bpy.ops.terrain.fit_apply(number=last) == {"FINISHED"}
    applied = read(mesh.terrain)
    assert applied.size_x == 1000.0
    ends = [one.layers[0].settings.height for one in (applied, fit_search.recipe(last))]
    assert ends[0] == pytest.approx(ends[1], rel=1e-6)


@pytest.mark.slow
def test_a_search_finishes_early_or_is_canceled(add, place):
    mesh = add(START).data
    start(place, mesh)
    with pytest.raises(ValueError, match="Another search is running"):
        start(place, mesh)
    assert not bpy.ops.terrain.fit_finish.poll()
    until(lambda: fit_search.found.best)
    assert fit_search.is_busy() and fit_search.found.share < 0.5
    assert all(fit_search.picture(n).is_file() for n in range(len(fit_search.found.best)))
    assert bpy.ops.terrain.fit_finish() == {"FINISHED"}
    until(lambda: not fit_search.is_busy())
    height = fit_search.recipe(0).layers[0].settings.height
    assert fit_search.message() == (f"{height}", False)

    start(place, mesh)
    until(lambda: fit_search.found.best)
    process = fit_search.process.popen
    assert bpy.ops.terrain.fit_cancel() == {"FINISHED"}
    assert process.returncode is not None and not fit_search.is_busy()
    assert fit_search.message() == ("Canceled", False)
    assert not bpy.ops.terrain.fit_cancel.poll()
    assert fit_search.recipe(0).layers


@pytest.mark.slow
def test_what_is_wrong_with_a_place_is_reported(add, place, tmp_path):
    add(START)
    np.save(tmp_path / "heights.npy", np.zeros((80, 80), np.float32))
    for name, message in (
        ("missing.asc", "does not exist"),
        ("dunes.txt", "must end in"),
        ("heights.npy", "--spacing METERS"),
    ):
        with pytest.raises(RuntimeError, match=message):
            bpy.ops.terrain.fit(filepath=str(tmp_path / name), seconds=1.0)
    with pytest.raises(RuntimeError, match="flat"):
        bpy.ops.terrain.fit(filepath=str(tmp_path / "heights.npy"), seconds=1.0, spacing=10.0)
    assert not user_presets.users_own() and not fit_search.is_busy()
    with pytest.raises(RuntimeError, match="Fit the terrain to an elevation file first"):
        bpy.ops.terrain.fit_apply(number=0)


def test_a_terrain_with_a_painted_map_is_refused(add, place):
    mesh = add(START).data
    painted = Recipe(layers=(Layer.of(HeightMap(source="Paint")),))
    fit_search.start(painted, place, mesh=mesh.session_uid, seconds=60.0, done=str)
    fit_search.finish()
    refused = "A recipe with painted maps cannot be fitted: remove them first"
    assert fit_search.message() == (refused, True)
