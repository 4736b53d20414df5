# SPDX-License-Identifier: GPL-3.0-or-later
"""Overviews and tiles come into the scene: computed by the worker, one after the other.

No reference to Blender data outlives a call: scenes are looked up by name, worlds by folder.
"""

import traceback
from collections.abc import Mapping
from functools import partial
from typing import Any

import bpy

from ...core.numerics import user_message
from ...core.worlds import Tile, World
from ..app.tasks import Task
from ..app.undo import push_step
from ..app.worker import Job, Result
from ..mesh.terrain_mesh import Surface
from . import scene, surfaces

OVERVIEW, BORDERS = "overview", "borders"
"""Goals of jobs besides tiles."""


def open_overview(target: bpy.types.Scene, folder: str, world: World) -> None:
    """Show a coarse terrain of the whole world; raises as :func:`surfaces.overview`."""
    scene.add_overview(target, world, folder, surfaces.overview(world))


def load_tiles(
    target: bpy.types.Scene, folder: str, world: World, steps: Mapping[Tile, int]
) -> None:
    """Show tiles, each with every so many samples.

    Raises ValueError or OSError, and changes nothing, if the world has no overview in the scene, or
    one of the tiles cannot be loaded.
    """
    collection, ends = _check_tiles(target, folder, world, steps)
    solution = world.solution
    made = {tile: surfaces.tile(world, solution, tile, step, ends) for tile, step in steps.items()}
    for tile, surface in made.items():
        scene.put_tile(collection, world, tile, steps[tile], surface)
    _fit_borders(collection, steps)


def unload_tiles(target: bpy.types.Scene, folder: str, tiles: Mapping[Tile, Any]) -> None:
    """Remove tiles from the scene; their files stay."""
    if collection := scene.find(target, folder):
        scene.remove_tiles(collection, tiles)
        _fit_borders(collection, tiles)


def _check_tiles(
    target: bpy.types.Scene, folder: str, world: World, steps: Mapping[Tile, int]
) -> tuple[bpy.types.Collection, tuple[float, float]]:
    """Return the collection of the world, and the ends of its heights; raises as `load_tiles`."""
    collection = scene.find(target, folder)
    if collection is None:
        raise ValueError("Open the overview of the world first")
    for step in set(steps.values()):
        surfaces.check(world, [tile for tile, own in steps.items() if own == step], step)
    return collection, scene.ends_of(collection)


def _fit_borders(collection: bpy.types.Collection, tiles: Mapping[Tile, Any]) -> None:
    for tile in scene.beside(tiles):
        scene.stitch(collection, tile)
    scene.stitch_overview(collection)


class _WorldLoad(Task):
    """The overview or the tiles that are, or were last, loaded in the background.

    Attributes
    ----------
    folder : that of their world
    """

    def __init__(self) -> None:
        super().__init__()
        self.folder = ""
        self._scene = ""
        self._world: World | None = None
        self._steps: dict[Tile, int] = {}
        self._done = 0
        self._borders: list[Tile] = []  # tiles whose borders are to be fitted

    def open_overview(self, target: bpy.types.Scene, folder: str, world: World) -> None:
        """Show the overview when it is computed."""
        self._begin(target, folder, world, {})
        self.worker.start(Job(-1, OVERVIEW, partial(surfaces.overview, world)))

    def load_tiles(
        self, target: bpy.types.Scene, folder: str, world: World, steps: Mapping[Tile, int]
    ) -> None:
        """Show each tile when it is computed; raises as the function of this name."""
        _, ends = _check_tiles(target, folder, world, steps)
        solution = world.solution
        self._begin(target, folder, world, steps)
        for number, (tile, step) in enumerate(steps.items()):
            make = partial(surfaces.tile, world, solution, tile, step, ends)
            self.worker.start(Job(number, tile, make))

    def progress(self) -> tuple[float, str] | None:
        """Return the share done (0 to 1) and what is being loaded; None if nothing is."""
        if not self.is_busy():
            return None
        if not self._steps:
            return self.worker.share, "Overview"
        if self._done == len(self._steps):
            return 1.0, "Fitting borders"
        share = (self._done + self.worker.share) / len(self._steps)
        return share, f"Tile {self._done + 1} of {len(self._steps)}"

    def canceled(self) -> None:
        """Fit the borders of the tiles that are loaded; they stay."""
        done = f" after {self._done} of {len(self._steps)} tiles" if self._steps else ""
        self.say(f"Canceled{done}")
        self._start_borders()

    def reset(self) -> None:
        """Drop all loading: tiles belong to the file that they were loaded in."""
        super().reset()
        self._steps, self._borders = {}, []

    def receive(self, result: Result) -> bool:
        """Show what was computed; return whether that is done."""
        goal = result.job.goal
        if goal == BORDERS:
            return self._fit_next()
        if error := result.error or self._shown(goal, result.made):
            self.worker.cancel()
            self.say(error, True)
            self._start_borders()
        elif goal != OVERVIEW and self._done == len(self._steps):
            self._start_borders()
        return True

    def _begin(
        self, target: bpy.types.Scene, folder: str, world: World, steps: Mapping[Tile, int]
    ) -> None:
        """Prepare to load an overview or tiles, and drop the loading before."""
        self.worker.cancel()
        self._messages.clear()
        self._scene, self.folder, self._world = target.name, folder, world
        self._steps, self._done, self._borders = dict(steps), 0, []

    def _collection(self) -> bpy.types.Collection | None:
        target = bpy.data.scenes.get(self._scene)
        return scene.find(target, self.folder) if target else None

    def _shown(self, goal: Any, surface: Surface) -> str:
        """Show an overview or a tile; return what went wrong, "" for nothing."""
        target, world, collection = (
            bpy.data.scenes.get(self._scene),
            self._world,
            self._collection(),
        )
        try:
            if target is None or world is None:
                raise ValueError("The scene was removed")
            if goal == OVERVIEW:
                scene.add_overview(target, world, self.folder, surface)
                push_step("Open World")
                return ""
            collection = self._collection()
            if collection is None:
                raise ValueError("The overview was removed")
            scene.put_tile(collection, world, goal, self._steps[goal], surface)
            self._done += 1
        except Exception as error:  # nothing above a timer could handle it
            if not isinstance(error, (ValueError, OSError, MemoryError)):
                traceback.print_exception(error)
            return user_message(error)
        return ""

    def _start_borders(self) -> None:
        """Fit the borders of the loaded tiles and their neighbors, one at a time."""
        loaded = list(self._steps)[: self._done]
        self._steps = dict.fromkeys(loaded, 1)
        self._borders = sorted(scene.beside(loaded))
        if loaded:
            self.worker.start(Job(-2, BORDERS, lambda progress, cancelled: None))

    def _fit_next(self) -> bool:
        """Fit the borders of one tile; return whether that was the last."""
        collection = self._collection()
        if collection is None:
            return True
        while self._borders:
            tile = self._borders.pop()
            if tile in scene.tiles_of(collection):
                scene.stitch(collection, tile)
                break
        if self._borders:
            return False
        scene.stitch_overview(collection)
        push_step("Load Tiles")
        return True


world_load = _WorldLoad()
