# SPDX-License-Identifier: GPL-3.0-or-later
"""What a drag of a slider costs: a preview, and the full result that replaces it.

Our processor time, that of all threads, from the change of a setting to what is written to the
mesh; Blender's drawing is not included. Each turn moves the setting twice: once for a preview and
the full result that follows it, which finds the drainage solved if the preview solved it, and once
for a full result alone. A change without a row for its preview has none: it would take long.

A change of a color, and one of a water level that no layer reads, keep the heights. They are shown
at once; the weights of surface classes follow the colors.

Limits are multiples of pyfastnoiselite (C++), which runs before and after each change, so that they
mean the same on any machine. The ratios are medians too.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from functools import partial
from typing import Any

import bpy

import terrain_addon
from terrain_addon.core.numerics import never_cancelled, no_progress
from terrain_addon.core.output import recolored
from tests.benchmarks.bench_noise import LITE, beside_peer
from tests.benchmarks.timing import Beside, Row, Tables, aim

PRESET = "alps"
TURNS, ROUNDS = 9, 3
SLIDERS = (
    # Name, kind of the layer, setting, factor of a step
    ("Gully Depth, without drainage", "erosion", "gully_depth", 1.05),
    ("Strength of the erosion by a fifth", "erosion", "strength", 1.2),
    ("Strength of the erosion by a twentieth", "erosion", "strength", 1.05),
    ("Height of the noise below the erosion", "fractal_noise", "height", 1.05),
)
RIVER, STEP = "Point of a drawn river", 5.0
"""A point that moves by so many meters."""
COLOR, WEIGHTS, LEVEL = "Start of a color", "Start of a color: weights after it", "Water level"
PREVIEW = 0.65
FULL = {(513, "256"): 1.27, (513, "512"): None, (1025, "256"): 3.6, (1025, "512"): 7.4}
"""Limits of the full result by points a side and River Detail, as multiples of the peer."""
OTHERS = {COLOR: 0.15, LEVEL: 0.1, f"{RIVER}: full result": 4.0}
"""Limits at 1025 points and River Detail 256."""
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
    """Medians of previews and full results of each slider and of a point of a river, and of changes
    that keep the heights.

    These take their turns before each slider. There are no limits without a peer.
    """
    bpy.ops.terrain.add(preset=PRESET, resolution=size)
    item: Any = bpy.context.object
    mesh, beside = item.data, beside_peer()
    next(one for one in mesh.terrain.layers if one.kind == "erosion").erosion.resolution = detail
    for name, kind, setting, factor in SLIDERS:
        _keep_heights(mesh, beside)
        with_kind = (one for one in mesh.terrain.layers if one.kind == kind)
        group = getattr(next(with_kind), kind)
        _drag(mesh, beside, name, group, setting, factor)
    _keep_heights(mesh, beside)
    _river(mesh, beside)
    bpy.data.objects.remove(item)
    bpy.data.meshes.remove(mesh)
    rows = beside.rows()
    for name in [row.name for row in rows]:
        most = PREVIEW if name.endswith("preview") else full if "full result" in name else None
        if (size, detail) == (1025, "256"):
            most = OTHERS.get(name, most)
        if most is not None and not (name.startswith(RIVER) and size == 513):
            aim(rows, name, most, LITE)
    return rows


def _keep_heights(mesh: Any, beside: Beside) -> None:
    """Time the changes that keep the heights."""
    for _ in range(ROUNDS):
        beside.run(COLOR, partial(_change_color, mesh))
        beside.run(WEIGHTS, partial(_weigh, mesh))
        beside.run(LEVEL, partial(_change_level, mesh))


def _change_color(mesh: Any) -> None:
    """Do what a slider of a color does before the worker takes over."""
    from terrain_addon.blender.live import rebuild
    from terrain_addon.blender.live.surface import Target, read_stored, recolor, stored_names

    with rebuild.quiet():
        mesh.terrain.palette.regions[1].start += 1e-3
    target = Target.of(mesh.terrain)
    stored = read_stored(mesh, target, stored_names(mesh, target))
    recolor(
        mesh, target, recolored(target.recipe, stored, None, None, classes=False), classes=False
    )


def _weigh(mesh: Any) -> None:
    """Do what the worker does after it, and write its result."""
    from terrain_addon.blender.live.surface import Target, read_stored, recolor, stored_names

    target = Target.of(mesh.terrain)
    stored = read_stored(mesh, target, stored_names(mesh, target))
    recolor(mesh, target, recolored(target.recipe, stored, None, None))


def _change_level(mesh: Any) -> None:
    mesh.terrain.water.level += 0.1


def _river(mesh: Any, beside: Beside) -> None:
    """Time what a drag of a point of a river shows, which is drawn for it."""
    bpy.ops.terrain.draw(kind="river")
    curve: Any = bpy.context.object
    point = curve.data.splines[0].bezier_points[2]

    def move(turn: int) -> None:
        point.co.x += STEP * (-1) ** turn * (1 + 1e-4 * next(_numbers))
        bpy.context.view_layer.update()

    drag(mesh, beside, RIVER, move)
    bpy.data.objects.remove(curve)


def _drag(mesh: Any, beside: Beside, name: str, group: Any, setting: str, factor: float) -> None:
    """Time what a drag of a slider shows, up and down in turn."""

    def move(turn: int) -> None:
        value = getattr(group, setting)
        # A new value each time, of which nothing is cached.
        setattr(group, setting, value * factor ** (-1) ** turn * (1 + 1e-5 * next(_numbers)))

    drag(mesh, beside, name, move)


def drag(mesh: Any, beside: Beside, name: str, change: Callable[[int], None]) -> None:
    """Time the previews and full results of a terrain that ``change(0)`` and ``change(1)`` alter in
    turn, as "NAME: preview" and so on."""
    from terrain_addon.blender.live import rebuild
    from terrain_addon.blender.live.surface import Target, stored_heightfield

    def move(turn: int) -> None:
        with rebuild.quiet():
            change(turn)

    def preview() -> bool:
        target = Target.of(mesh.terrain)
        assert not stored_heightfield(mesh, target) and not rebuild.is_edited(mesh)
        return rebuild._preview(mesh, target, rebuild._expected(mesh.session_uid, target))

    def full() -> None:  # as the worker makes it
        target = Target.of(mesh.terrain)
        cost = rebuild._expected(mesh.session_uid, target)
        coarse = rebuild._state.previews.to_prepare(mesh.session_uid, target, cost)
        made = rebuild._make(target, no_progress, never_cancelled, coarse)
        rebuild._write(mesh, made[1], target.recipe, target.signature, made[2])

    for _ in range(TURNS + 1):
        move(0)
        if beside.run(f"{name}: preview", preview) is not False:
            beside.run(f"{name}: full result after it", full)
        move(1)
        beside.run(f"{name}: full result", full)
