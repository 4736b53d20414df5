# SPDX-License-Identifier: GPL-3.0-or-later
"""What a drag of a slider costs: a preview, and the full result that replaces it.

Our processor time, that of all threads, from the change of a setting to what is written to the
mesh; Blender's drawing is not included. Each turn moves the setting twice: once for a preview and
the full result that follows it, which finds the drainage solved if the preview solved it, and once
for a full result alone. A change without a row for its preview has none: it would take long.
"""

from __future__ import annotations

import itertools
import statistics
import time
from collections.abc import Callable
from typing import Any

import bpy

import terrain_addon
from terrain_addon.core.numerics import never_cancelled, no_progress

from .timing import Row, Tables, aim

PRESET = "alps"
TURNS = 9
SLIDERS = (
    # Name, kind of the layer, setting, factor of a step, limit of its previews in milliseconds
    ("Gully Depth, without drainage", "erosion", "gully_depth", 1.05, 60.0),
    ("Strength of the erosion by a fifth", "erosion", "strength", 1.2, 60.0),
    ("Strength of the erosion by a twentieth", "erosion", "strength", 1.05, 60.0),
    ("Height of the noise below the erosion", "fractal_noise", "height", 1.05, 150.0),
)
FULL = {(513, "256"): 120.0, (513, "512"): None, (1025, "256"): 350.0, (1025, "512"): 700.0}
"""Limits of the full result in milliseconds, by points a side and River Detail."""
_numbers = itertools.count(1)


def tables() -> Tables:
    """All tables of this benchmark."""
    terrain_addon.register()
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    found = {
        f"Live editing of {PRESET.title()}, {size} x {size} points, River Detail {detail}, "
        "processor time": drags(size, detail, limit)
        for (size, detail), limit in FULL.items()
    }
    terrain_addon.unregister()
    return found


def drags(size: int, detail: str, full: float | None) -> list[Row]:
    """Medians of previews and full results for each slider, and of a change of a color."""
    bpy.ops.terrain.add(preset=PRESET, resolution=size)
    mesh: Any = bpy.context.object.data  # type: ignore[union-attr]
    next(one for one in mesh.terrain.layers if one.kind == "erosion").erosion.resolution = detail
    color = _color(mesh)
    colored = statistics.median(color() for _ in range(TURNS))
    rows = [Row("Start of a color", colored, 1.0, "Start of a color")]
    for name, kind, setting, factor, limit in SLIDERS:
        with_kind = (one for one in mesh.terrain.layers if one.kind == kind)
        group = getattr(next(with_kind), kind)
        for what, ms in _drag(mesh, group, setting, factor).items():
            title = f"{name}: {what}"
            rows.append(Row(title, ms, ms / colored, "Start of a color"))
            most = limit if what == "preview" else full
            if most is not None:
                aim(rows, title, most)
    mesh_object: Any = bpy.context.object
    bpy.data.objects.remove(mesh_object)
    bpy.data.meshes.remove(mesh)
    return rows


def _color(mesh: Any) -> Callable[[], float]:
    region = mesh.terrain.palette.regions[1]

    def change() -> float:
        begun = time.process_time()
        region.start += 1e-3
        return (time.process_time() - begun) * 1e3

    return change


def _drag(mesh: Any, group: Any, setting: str, factor: float) -> dict[str, float]:
    """Median milliseconds of what a drag of a slider shows, up and down in turn."""

    def move(turn: int) -> None:
        value = getattr(group, setting)
        # A new value each time, of which nothing is cached.
        setattr(group, setting, value * factor ** (-1) ** turn * (1 + 1e-5 * next(_numbers)))

    return drag(mesh, move)


def drag(mesh: Any, change: Callable[[int], None]) -> dict[str, float]:
    """Median milliseconds of the previews and full results of a terrain that ``change(0)`` and
    ``change(1)`` alter in turn."""
    from terrain_addon.blender.live import rebuild
    from terrain_addon.blender.live.previews import grid_to_prepare
    from terrain_addon.blender.live.surface import Target, stored_heightfield

    def move(turn: int) -> None:
        with rebuild.quiet():
            change(turn)

    def preview() -> bool:
        target = Target.of(mesh.terrain)
        assert not stored_heightfield(mesh, target) and not rebuild.is_edited(mesh)
        return rebuild._preview(mesh, target, rebuild._expected(mesh.session_uid, target))

    def timed(what: str, job: Callable[[], object], warm: bool) -> bool:
        begun = time.process_time()
        shown = job() is not False
        if shown and warm:
            spent.setdefault(what, []).append((time.process_time() - begun) * 1e3)
        return shown

    def full() -> None:  # as the worker makes it
        target = Target.of(mesh.terrain)
        coarse = grid_to_prepare(rebuild._expected(mesh.session_uid, target), target)
        made = rebuild._make(target, no_progress, never_cancelled, coarse)
        rebuild._write(mesh, made[1], target.recipe, target.signature, made[2])

    spent: dict[str, list[float]] = {}
    for turn in range(TURNS + 1):
        move(0)
        if timed("preview", preview, warm=turn > 0):
            timed("full result after it", full, warm=turn > 0)
        move(1)
        timed("full result", full, warm=turn > 0)
    return {what: statistics.median(times) for what, times in spent.items()}
