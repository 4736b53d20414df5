# SPDX-License-Identifier: GPL-3.0-or-later
"""What an artist waits for in Blender: adding a terrain, moving a slider."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import bpy
import numpy as np

import terrain_addon
from terrain_addon.core import Recipe, evaluate, presets
from terrain_addon.core.output import positions
from tests.benchmarks import per_vertex
from tests.benchmarks.timing import Jobs, Row, Tables, aim, compare

PRESET = "island"
POINTS = 1025
SLIDERS = (
    # Name, index of the layer, kind of the layer, setting, step
    ("height of the first noise", 0, "fractal_noise", "height", 0.1),
    ("height of the second noise", 1, "fractal_noise", "height", 0.1),
    ("depth of the falloff", 2, "falloff", "depth", 0.1),
    ("upper end of the levels", 3, "levels", "output_max", 0.1),
)
MANY = 31  # rounds: the first touch of memory is slow on a virtual machine
TICK = 40.0  # milliseconds that a slider may take at 513 x 513
_numbers = itertools.count(1)


def tables() -> Tables:
    """All tables of this benchmark."""
    terrain_addon.register()
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    found = {
        f"Add a colored island of {POINTS} x {POINTS} points": adding(),
        f"Mesh of {POINTS} x {POINTS} points": meshes(),
    }
    for size in (257, 513, 1025):
        found[f"One tick of a slider at {size} x {size} points"] = ticks(size)
        found[f"Parts of a rebuild at {size} x {size} points"] = parts(size)
    terrain_addon.unregister()
    return found


def adding() -> list[Row]:
    """The operator, compared with A.N.T. Landscape at as many points."""
    ours = f"bpy.ops.terrain.add, {PRESET}, {POINTS} x {POINTS}"
    loop = f"a Python loop over {per_vertex.FULL} x {per_vertex.FULL} points, as A.N.T. Landscape"
    part = 256
    rows = compare(
        ours,
        {ours: _add, loop: lambda: per_vertex.add(part)},
        MANY,
        after=_remove_active,
        scale={loop: (per_vertex.FULL / part) ** 2},
    )
    aim(rows, ours, 1 / 25, loop)
    return rows


def _add() -> None:
    """Add a terrain with a new seed, of which nothing is cached."""
    bpy.ops.terrain.add(preset=PRESET, resolution=POINTS, seed=next(_numbers))


def _remove_active() -> None:
    item: Any = bpy.context.object
    mesh = item.data
    for child in (*item.children, item):
        bpy.data.objects.remove(child)
    bpy.data.meshes.remove(mesh)
    bpy.context.view_layer.update()


def ticks(size: int) -> list[Row]:
    """Setting a property of a layer, and the synchronous rebuild; drawing is not included."""
    bpy.ops.terrain.add(preset=PRESET, resolution=size)
    mesh: Any = bpy.context.object.data
    jobs: Jobs = {"np.copyto of the points": _copy(size * size * 3)}
    for name, layer, kind, setting, step in SLIDERS:
        jobs[name] = _slider(getattr(mesh.terrain.layers[layer], kind), setting, step)
    jobs["height of a color"] = _slider(mesh.terrain.palette.regions[3], "start", 0.01)
    rows = compare("np.copyto of the points", jobs, 11)
    _remove_active()
    if size == 513:
        for name, *_ in SLIDERS:
            aim(rows, name, TICK)
    return rows


def _slider(group: Any, setting: str, step: float) -> Callable[[], None]:
    """Move a setting by a step to a new value, for which nothing above it is cached."""

    def move() -> None:
        setattr(group, setting, getattr(group, setting) + step)

    return move


def meshes() -> list[Row]:
    """Making a mesh and moving its points, without evaluating the terrain."""
    from terrain_addon.blender.mesh import terrain_mesh as ours

    made = _surface(presets.load(PRESET), POINTS)
    kept = _mesh(made)
    created: list[Any] = []

    def make() -> None:
        created.append(_mesh(made))

    def reshape() -> None:
        created.append(bpy.data.meshes.new("Terrain"))
        ours.build(created[-1], made, None)

    def drop() -> None:
        while created:
            bpy.data.meshes.remove(created.pop())

    jobs: Jobs = {
        "np.copyto of the points": _copy(POINTS * POINTS * 3),
        "make a new mesh, move and color its points": make,
        "change the resolution of a mesh, as above": reshape,
        "move and color its points": lambda: ours.move(kept, made),
    }
    rows = compare("np.copyto of the points", jobs, after=drop)
    bpy.data.meshes.remove(kept)
    return rows


def parts(size: int) -> list[Row]:
    """The steps of a rebuild, one by one."""
    from terrain_addon.blender.mesh import terrain_mesh as ours

    recipe = presets.load(PRESET)
    made = _surface(recipe, size)
    mesh = _mesh(made)
    low, high = float(made.height.min()), float(made.height.max())

    def place() -> None:
        ours._set(mesh, "position", "vector", positions(made.grid, made.height))

    jobs: Jobs = {
        "np.copyto of the points": _copy(size * size * 3),
        "evaluate the layers": lambda: evaluate(recipe, made.grid),
        "slope": lambda: evaluate(Recipe(), made.grid).fields["slope"],
        "colors": lambda: recipe.palette.colors(made.height, made.slope, low, high),
        "write positions": place,
        "write colors": lambda: ours.color(mesh, made.colors),
    }
    rows = compare("np.copyto of the points", jobs)
    bpy.data.meshes.remove(mesh)
    return rows


def _surface(recipe: Recipe, size: int) -> Any:
    from terrain_addon.blender.live.surface import make_surface

    return make_surface(recipe, recipe.grid(size))


def _mesh(surface: Any) -> Any:
    from terrain_addon.blender.mesh import terrain_mesh as ours

    with ours.new("Terrain", surface.grid) as mesh:
        ours.move(mesh, surface)
    return mesh


def _copy(count: int) -> Callable[[], object]:
    a, b = np.zeros(count, np.float32), np.ones(count, np.float32)
    return lambda: np.copyto(a, b)
