# SPDX-License-Identifier: GPL-3.0-or-later
"""What a drag of a slider costs: a preview, and the full result that replaces it.

Our processor time, that of all threads, from the change of a setting to what is written to the
mesh; Blender's drawing is not included. Each turn moves the setting twice: once for a preview and
the full result that follows it, which finds the drainage solved if the preview solved it, and once
for a full result alone. A change without a row for its preview has none: it would take long.

The limits were set in milliseconds on the Intel Xeon of the page, where pyfastnoiselite (C++) takes
`PEER_MS` for its noise. It takes its turn here too, so that they mean the same on any machine.
"""

from __future__ import annotations

import itertools
import statistics
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import bpy

import terrain_addon
from terrain_addon.core.numerics import never_cancelled, no_progress
from tests.benchmarks.bench_noise import LITE, fastnoiselite, mesh as points_of
from tests.benchmarks.timing import Jobs, Row, Tables, aim, medians

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
PEER_MS = 94.3
"""Milliseconds of pyfastnoiselite on that machine, for 8 octaves of Perlin noise at 1024 x 1024
points."""
COLOR = "Start of a color"
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
    """Medians of previews and full results of each slider, of a change of a color, and of the peer.

    The peer and the color take their turns before each slider. There are no limits without a peer.
    """
    bpy.ops.terrain.add(preset=PRESET, resolution=size)
    item: Any = bpy.context.object
    mesh = item.data
    next(one for one in mesh.terrain.layers if one.kind == "erosion").erosion.resolution = detail
    peer = fastnoiselite("perlin", points_of(1024, 2.0, 8))
    jobs: Jobs = {} if peer is None else {LITE: peer}
    jobs[COLOR] = partial(_change_color, mesh)
    unit = next(iter(jobs))
    turns: list[dict[str, float]] = []
    spent: dict[str, float] = {}
    limits: dict[str, float | None] = {}
    for name, kind, setting, factor, limit in SLIDERS:
        turns.append(medians(jobs, 3, clock=time.process_time))
        with_kind = (one for one in mesh.terrain.layers if one.kind == kind)
        group = getattr(next(with_kind), kind)
        for what, ms in _drag(mesh, group, setting, factor).items():
            spent[f"{name}: {what}"] = ms
            limits[f"{name}: {what}"] = limit if what == "preview" else full
    bpy.data.objects.remove(item)
    bpy.data.meshes.remove(mesh)
    spent = {job: statistics.median(turn[job] for turn in turns) for job in jobs} | spent
    rows = [Row(name, ms, ms / spent[unit], unit) for name, ms in spent.items()]
    for name, most in limits.items():
        if most is not None:
            aim(rows, name, most / PEER_MS, LITE)
    return rows


def _change_color(mesh: Any) -> None:
    mesh.terrain.palette.regions[1].start += 1e-3


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
        cost = rebuild._expected(mesh.session_uid, target)
        coarse = rebuild._state.previews.to_prepare(mesh.session_uid, target, cost)
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
