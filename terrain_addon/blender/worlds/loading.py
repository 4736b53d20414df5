# SPDX-License-Identifier: GPL-3.0-or-later
"""Overviews and tiles come into the scene: computed by the worker, one after the other.

No reference to Blender data outlives a call: scenes are looked up by name, worlds by folder.
"""

import traceback
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import bpy
from bpy.app.handlers import persistent

from ...core.numerics import user_message
from ...core.worlds import Tile, World
from ..app.registration import handlers_factory
from ..app.status import redraw
from ..app.undo import push_step
from ..app.worker import Job, Result, Worker
from ..mesh.terrain_mesh import Surface
from . import scene, surfaces

OVERVIEW, BORDERS = "overview", "borders"
"""Goals of jobs besides tiles."""


@dataclass
class _State:
    worker: Worker
    scene: str = ""
    folder: str = ""
    world: World | None = None
    steps: dict[Tile, int] = field(default_factory=dict)
    """Tiles to load."""
    done: int = 0
    borders: list[Tile] = field(default_factory=list)
    """Tiles whose borders are to be fitted."""
    message: tuple[str, bool] = ("", False)
    """How it ended, and whether it failed."""


def open_overview(
    target: bpy.types.Scene, folder: str, world: World, *, background: bool = False
) -> None:
    """Show a coarse terrain of the whole world; raises as :func:`surfaces.overview`."""
    if background:
        _begin(target, folder, world, {})
        _state.worker.start(Job(-1, OVERVIEW, partial(surfaces.overview, world)))
        return
    scene.add_overview(target, world, folder, surfaces.overview(world))


def load_tiles(
    target: bpy.types.Scene,
    folder: str,
    world: World,
    steps: Mapping[Tile, int],
    *,
    background: bool = False,
) -> None:
    """Show tiles, each with every so many samples.

    Raises ValueError or OSError, and changes nothing, if the world has no overview in the scene, or
    one of the tiles cannot be loaded.
    """
    collection = scene.find(target, folder)
    if collection is None:
        raise ValueError("Open the overview of the world first")
    for step in set(steps.values()):
        surfaces.check(world, [tile for tile, own in steps.items() if own == step], step)
    solution, ends = world.solution, scene.ends_of(collection)
    if background:
        _begin(target, folder, world, steps)
        for number, (tile, step) in enumerate(steps.items()):
            make = partial(surfaces.tile, world, solution, tile, step, ends)
            _state.worker.start(Job(number, tile, make))
        return
    made = {tile: surfaces.tile(world, solution, tile, step, ends) for tile, step in steps.items()}
    for tile, surface in made.items():
        scene.put_tile(collection, world, tile, steps[tile], surface)
    for tile in scene.beside(steps):
        scene.stitch(collection, tile)
    scene.stitch_overview(collection)


def unload_tiles(target: bpy.types.Scene, folder: str, tiles: Mapping[Tile, Any]) -> None:
    """Remove tiles from the scene; their files stay."""
    collection = scene.find(target, folder)
    if collection is None:
        return
    scene.remove_tiles(collection, tiles)
    for tile in scene.beside(tiles):
        scene.stitch(collection, tile)
    scene.stitch_overview(collection)


def folder() -> str:
    """The folder of the world that is, or was last, loaded."""
    return _state.folder


def progress() -> tuple[float, str] | None:
    """Share done (0 to 1), and what is being loaded; None if nothing is."""
    if not _is_busy():
        return None
    if not _state.steps:
        return _state.worker.share, "Overview"
    if _state.done == len(_state.steps):
        return 1.0, "Fitting borders"
    share = (_state.done + _state.worker.share) / len(_state.steps)
    return share, f"Tile {_state.done + 1} of {len(_state.steps)}"


def message() -> tuple[str, bool]:
    """How the last loading ended, "" for none, and whether it failed."""
    return _state.message


def cancel() -> None:
    """Load no more tiles; those that are loaded stay."""
    if not _is_busy():
        return
    _state.worker.cancel()
    _state.message = f"Canceled after {_state.done} of {len(_state.steps)} tiles", False
    if not _state.steps:
        _state.message = "Canceled", False
        return
    loaded = list(_state.steps)[: _state.done]
    _start_borders(loaded)


def finish() -> None:
    """Wait until everything is loaded."""
    _state.worker.finish()
    while _state.borders:
        _state.worker.poll()


def _is_busy() -> bool:
    return _state.worker.busy or bool(_state.borders)


def _begin(target: bpy.types.Scene, folder: str, world: World, steps: Mapping[Tile, int]) -> None:
    """Remember what is loaded; whatever was before is dropped."""
    _state.worker.cancel()
    _state.scene, _state.folder, _state.world = target.name, folder, world
    _state.steps, _state.done, _state.borders = dict(steps), 0, []
    _state.message = "", False


def _receive(result: Result) -> bool:
    """Show what was computed; return whether that is done."""
    goal = result.job.goal
    if goal == BORDERS:
        return _fit_next()
    if goal != OVERVIEW and goal not in _state.steps:
        return True  # of a load that was dropped
    if error := result.error or _shown(goal, result.made):
        _state.worker.cancel()
        _state.message = error, True
        _start_borders(list(_state.steps)[: _state.done])
    elif goal != OVERVIEW and _state.done == len(_state.steps):
        _start_borders(list(_state.steps))
    return True


def _shown(goal: Any, surface: Surface) -> str:
    """Show an overview or a tile; return what went wrong, "" for nothing."""
    target, world = bpy.data.scenes.get(_state.scene), _state.world
    collection = scene.find(target, _state.folder) if target else None
    try:
        if target is None or world is None:
            raise ValueError("The scene was removed")
        if goal == OVERVIEW:
            scene.add_overview(target, world, _state.folder, surface)
            push_step("Open World")
            return ""
        if collection is None:
            raise ValueError("The overview was removed")
        scene.put_tile(collection, world, goal, _state.steps[goal], surface)
        _state.done += 1
    except Exception as error:  # nothing above a timer could handle it
        if not isinstance(error, (ValueError, OSError, MemoryError)):
            traceback.print_exception(error)
        return user_message(error)
    return ""


def _start_borders(loaded: list[Tile]) -> None:
    """Fit the borders of loaded tiles and their neighbors, one at a time."""
    _state.steps = dict.fromkeys(loaded, 1)
    _state.done = len(loaded)
    _state.borders = sorted(scene.beside(loaded))
    if loaded:
        _state.worker.start(Job(-2, BORDERS, lambda progress, cancelled: None))


def _fit_next() -> bool:
    """Fit the borders of one tile; return whether that was the last."""
    target = bpy.data.scenes.get(_state.scene)
    collection = scene.find(target, _state.folder) if target else None
    if collection is None:
        _state.borders = []
        return True
    while _state.borders:
        tile = _state.borders.pop()
        if tile in scene.tiles_of(collection):
            scene.stitch(collection, tile)
            break
    if _state.borders:
        return False
    scene.stitch_overview(collection)
    push_step("Load Tiles")
    redraw()
    return True


@persistent
def _on_load(*_: Any) -> None:
    """Tiles belong to the file that they were loaded in."""
    _state.worker.reset()
    _state.steps, _state.borders, _state.message = {}, [], ("", False)


_state = _State(Worker(_receive))

register, _remove_handlers = handlers_factory({"load_pre": _on_load})


def unregister() -> None:
    _remove_handlers()
    _on_load()
