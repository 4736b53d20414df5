# SPDX-License-Identifier: GPL-3.0-or-later
"""Random actions on a scene in Blender: after each one, terrains that claim to be current are.

A seed is a sequence of actions, saved and opened again at its end. The first fault ends it.
"""

import contextlib
import hashlib
import io
import threading
import traceback
import warnings
from collections import Counter, deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

COUNTS = {"60": 84}
"""Actions in a sequence, and sequences: 5040 actions."""
REFUSALS = (RuntimeError, ReferenceError, AttributeError)
"""How Blender refuses an action: a failed poll, a removed item, a read-only property."""


@contextmanager
def cases(variant: str, folder: Path) -> Iterator[Callable[[int, Counter[str]], None]]:
    # Here, as the command line reads COUNTS in environments without Blender.
    import bpy

    from tests.blender.enabled import enable_from_source

    enable_from_source()
    warnings.simplefilter("default")
    from tests.soak import actions_blender, actions_terrain
    from tests.soak.scene import Scene

    scene = Scene(folder)

    def case(seed: int, counts: Counter[str]) -> None:
        if not scene.enabled:
            actions_blender.enable(scene)
        for path in folder.glob("f?.blend"):
            path.unlink()
        bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
        scene.rng = Random(f"{seed}")
        actions_terrain.add(scene)
        bpy.ops.ed.undo_push(message="start")
        checked: set[tuple[str, str]] = set()
        done: deque[str] = deque(maxlen=20)
        for step in range(int(variant)):
            scene.rng, scene.note = Random(f"{seed} {step}"), ""
            done.append(act(scene, counts))
            print(step, done[-1], flush=True)  # what a crash follows
            counts["actions"] += 1
            try:
                check_terrains(scene, checked, counts)
            except AssertionError as error:
                steps = "; ".join(done)
                raise AssertionError(f"after step {step}: {steps}\n{error}") from error
        check_reopened(scene, counts)
        others = [thread.name for thread in threading.enumerate() if thread.daemon]
        assert not others, f"threads are left: {others}"

    yield case


def act(scene: Any, counts: Counter[str]) -> str:
    """Do one action; return what it was. An error of ours, or one printed, is a fault."""
    from tests.soak.scene import ACTIONS

    do = scene.rng.choices(list(ACTIONS), list(ACTIONS.values()))[0]
    out = io.StringIO()
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
            do(scene)
            scene.settle()
    except REFUSALS as error:
        frames = traceback.extract_tb(error.__traceback__)
        ours = any("/terrain_addon/" in frame.filename for frame in frames)
        if "Traceback" in str(error) or (ours and not isinstance(error, RuntimeError)):
            raise
        counts["refused"] += 1
    said = out.getvalue()
    faulty = "Traceback" in said or ("Warning" in said and "terrain_addon" in said)
    assert not faulty, f"{said[-3000:]}\n{do.__name__} printed: {said.strip().splitlines()[-1]}"
    return f"{do.__name__} {scene.note}".strip()


def check_terrains(scene: Any, checked: set[tuple[str, str]], counts: Counter[str]) -> None:
    """Each live terrain has an error, is edited, or shows its recipe to the last bit."""
    if not scene.enabled:
        return
    rebuild = scene.module("blender.live.rebuild")
    is_current = scene.module("blender.live.surface").is_current
    why_not = scene.module("blender.data.terrains").why_not_editable
    for mesh in scene.terrain_meshes():
        terrain = mesh.terrain
        if why_not(mesh) or mesh.override_library or not terrain.live:
            continue
        if rebuild.error_of(mesh) or rebuild.is_edited(mesh):
            counts["with an error or edited"] += 1
            continue
        assert is_current(mesh), f"a terrain is not current, without an error: {mesh.users} users"
        key = (mesh.name_full, terrain.built)
        if key not in checked:
            check_heights(scene, mesh)
            counts["terrains compared"] += 1
            checked.add(key)


def check_heights(scene: Any, mesh: Any) -> None:
    recipes = scene.module("blender.properties.recipe")
    recipe = recipes.read(mesh.terrain)
    grid = recipes.grid_of(mesh.terrain, recipe)
    height = scene.module("core").evaluate(recipe, grid).height
    assert len(mesh.vertices) == height.size, f"{len(mesh.vertices)} vertices for {height.shape}"
    off = np.abs(positions(mesh)[2::3] - height.ravel()).max()
    assert off == 0, f"heights differ by {off}"
    assert not mesh.validate(verbose=False), "the mesh is not valid"


def positions(mesh: Any) -> Any:
    out = np.empty(3 * len(mesh.vertices), np.float32)
    if len(mesh.vertices):
        mesh.attributes["position"].data.foreach_get("vector", out)
    return out


def check_reopened(scene: Any, counts: Counter[str]) -> None:
    """A file that is saved and opened again has the same terrains."""
    import bpy

    if not scene.enabled:
        return
    scene.object_mode()
    scene.follow()
    path = str(scene.folder / "end.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path, copy=True)
    before = digests(scene)
    bpy.ops.wm.open_mainfile(filepath=path, load_ui=False)
    scene.follow()
    after = digests(scene)
    lost = sorted(name for name in before if before[name] != after.get(name))
    assert not lost, f"other heights after saving and opening: {lost}"
    counts["opened again"] += 1


def digests(scene: Any) -> dict[str, str]:
    """Digest of the positions of each terrain of this file that shows its recipe."""
    rebuild = scene.module("blender.live.rebuild")
    is_current = scene.module("blender.live.surface").is_current
    return {
        mesh.name: hashlib.sha256(positions(mesh).tobytes()).hexdigest()
        for mesh in scene.terrain_meshes()
        if not mesh.library and mesh.users and is_current(mesh)
        if not rebuild.is_edited(mesh) and not rebuild.error_of(mesh)
    }
