# SPDX-License-Identifier: GPL-3.0-or-later
"""Undo after data-blocks were added that no undo step contains: Blender itself would crash."""

import os
import subprocess
import sys
from pathlib import Path

import bpy
import pytest

from terrain_addon.blender.app import undo

# Each case adds data-blocks after the undo step that asked for them, as a window does. The steps
# before it are equal, so Blender keeps what refers to the new data-blocks.
SCRIPT = """
import os
from types import SimpleNamespace
from unittest.mock import patch
import conftest
import bpy
from terrain_addon.blender.live import rebuild, shapes
from terrain_addon.blender.operators.add import make_terrain
from terrain_addon.core import Layer, Recipe
from terrain_addon.core.layers import LAYERS

def follow():
    bpy.context.view_layer.update()
    if bpy.app.timers.is_registered(shapes.follow):
        bpy.app.timers.unregister(shapes.follow)
        shapes.follow()

def push(times=1):
    for _ in range(times):
        follow()
        bpy.ops.ed.undo_push(message="Step")

def add(recipe):
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    item = make_terrain("Land", recipe, 33, bpy.context.collection)
    bpy.context.view_layer.objects.active = item
    item.select_set(True)
    return item

class Window:
    "bpy.app, of a Blender with a window."
    background = False
    def __getattr__(self, name):
        return getattr(bpy.app, name)

def show_lakes_late(item):
    # As if it took too long to wait for, and a preview too.
    with (
        patch.object(rebuild, "bpy", SimpleNamespace(**{**vars(bpy), "app": Window()})),
        patch.object(rebuild, "computes_in_background", lambda _: True),
        patch.object(rebuild.Previews, "make", lambda *_: None),
        patch.object(rebuild.request, "__defaults__", (-1.0,)),
    ):
        item.data.terrain.water.lakes = True
        push()
        assert rebuild.is_busy(), "the lakes are not computed"
        assert "Lakes" not in bpy.data.objects
    rebuild.finish()
    assert "Lakes" in bpy.data.objects

def lakes():
    item = add(conftest.hills())
    push(4)
    show_lakes_late(item)

def lakes_in_surroundings():
    item = add(conftest.hills())
    bpy.ops.terrain.scenery()
    push(4)
    show_lakes_late(item)

def drawn_shapes():
    lift = LAYERS["levels"](input_min=-1.0, input_max=1.0, output_min=9.0, output_max=9.0)
    item = add(Recipe(layers=(Layer.of(lift),)))
    group = bpy.data.collections.new("Group")
    bpy.context.scene.collection.children.link(group)
    mask = item.data.terrain.layers[0].mask_near_shape
    def curve():
        data = bpy.data.curves.new("Curve", "CURVE")
        data.dimensions = "3D"
        data.splines.new("POLY").points.add(1)
        group.objects.link(bpy.data.objects.new("Curve", data))
    curve()
    mask.source, mask.use = "Group", True
    push(4)
    curve()
    bpy.context.view_layer.update()
    bpy.ops.ed.undo_push(message="Step")
    follow()

for case in (drawn_shapes, lakes, lakes_in_surroundings):
    case()
    after = {one.name for one in bpy.context.scene.objects}
    for turn in ("undo", "undo", "redo", "redo", "undo", "undo"):
        getattr(bpy.ops.ed, turn)()
        rebuild.finish()
        follow()
        gone = after - {one.name for one in bpy.context.scene.objects}
        print(case.__name__, turn, *gone, flush=True)
os._exit(0)
"""


@pytest.mark.slow
def test_undo_of_what_came_after_the_last_step_does_not_crash(tmp_path):
    folder = Path(__file__).parent
    paths = os.pathsep.join(map(str, (folder, folder.parents[1])))
    environment = {**os.environ, "PYTHONPATH": paths, "BLENDER_USER_RESOURCES": str(tmp_path)}
    run = subprocess.run(
        [sys.executable, "-c", SCRIPT], capture_output=True, text=True, env=environment, check=False
    )
    late = {"drawn_shapes": "Curve.001", "lakes": "Lakes", "lakes_in_surroundings": "Lakes"}
    expected = [
        f"{case} {turn}"
        for case, name in late.items()
        for turn in (*[f"undo {name}"] * 2, f"redo {name}", "redo", *[f"undo {name}"] * 2)
    ]
    turns = [line for line in run.stdout.splitlines() if line.startswith(tuple(late))]
    assert (run.returncode, turns) == (0, expected), run.stdout + run.stderr


@pytest.fixture
def steps():
    """Two undo steps, and the preferences as they are now."""
    bpy.context.preferences.edit.use_global_undo = True
    for _ in range(2):
        bpy.ops.ed.undo_push(message="Step")
    yield (before := _preferences())
    assert _preferences() == before


def _preferences():
    own = bpy.context.preferences
    return own.view.show_developer_ui, own.experimental.use_undo_legacy, own.is_dirty


@pytest.mark.parametrize("turn", ["undo", "redo"])
def test_one_undo_or_redo_reads_everything_anew_after_data_was_added(steps, add, turn):
    seen = []
    listen = getattr(bpy.app.handlers, f"{turn}_pre")
    if turn == "redo":
        bpy.ops.ed.undo()
    listen.append(lambda *_: seen.append(_preferences()[:2]))
    undo.note_new_data()
    for one in (turn, "redo" if turn == "undo" else "undo", turn):
        getattr(bpy.ops.ed, one)()
    listen.pop()
    assert seen == [(True, True), steps[:2]]


def test_undo_in_a_mode_reads_nothing_so_the_next_one_does(steps, add):
    item = add()
    bpy.ops.ed.undo_push(message="Land")
    bpy.ops.object.mode_set(mode="EDIT")
    for _ in range(2):
        bpy.ops.mesh.select_all(action="INVERT")
        bpy.ops.ed.undo_push(message="Inverted")
    undo.note_new_data()
    address = item.data.as_pointer()
    bpy.ops.ed.undo()
    assert bpy.context.object.data.as_pointer() == address and undo._state.has_new_data
    bpy.ops.object.mode_set(mode="OBJECT")
    bpy.ops.ed.undo_push(message="Object Mode")
    bpy.ops.ed.undo()
    bpy.ops.ed.undo()
    assert not undo._state.has_new_data


def test_a_step_that_blender_does_not_take_is_made_up_for():
    undo._state.has_new_data = False
    undo.push_step("Bake")
    assert undo._state.has_new_data
