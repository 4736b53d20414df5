# SPDX-License-Identifier: GPL-3.0-or-later
"""Which tiles of a world to load, and in which detail."""

import math
from collections.abc import Iterator
from typing import Any

import bpy
import numpy as np
from mathutils import Vector

from ...core.worlds import Tile, World
from . import scene
from .settings import ALL, CAMERA, CURSOR, NUMBERS
from .surfaces import DETAILS


def chosen(context: bpy.types.Context, world: World, folder: str, settings: Any) -> dict[Tile, int]:
    """Return the chosen tiles with the step of their meshes; ValueError if there are none."""
    collection = scene.find(context.scene, folder)
    overview = scene.overview_of(collection) if collection else None
    step = int(settings.detail)
    if settings.choose == ALL:
        found = dict.fromkeys(world.tiles, step)
    elif settings.choose == NUMBERS:
        found = dict.fromkeys(_between(world, settings.first, settings.last), step)
    elif settings.choose in (CURSOR, CAMERA):
        place = _local(_center(context, settings.choose), overview)
        found = _around(world, place, settings.radius, step, coarser=settings.coarser)
        if not found:
            raise ValueError("There is no tile: move it over the world, or enlarge the radius")
    else:
        found = dict.fromkeys(_selected(context, world, overview), step)
        if not found:
            raise ValueError(
                "Select faces of the overview in Edit Mode, or objects above the tiles"
            )
    return found


def _between(world: World, first: Any, last: Any) -> Iterator[Tile]:
    for tile in (first, last):
        world.window(tuple(tile))
    if first[0] > last[0] or first[1] > last[1]:
        raise ValueError("The last tile must not be before the first one")
    return ((x, y) for y in range(first[1], last[1] + 1) for x in range(first[0], last[0] + 1))


def _center(context: bpy.types.Context, choose: str) -> Vector:
    if choose == CURSOR:
        return context.scene.cursor.location
    camera = context.scene.camera
    if camera is None:
        raise ValueError("The scene has no active camera: add one, or choose tiles otherwise")
    return camera.matrix_world.translation


def _local(place: Vector, overview: Any) -> Vector:
    """Return a place in the coordinates of the world."""
    return overview.matrix_world.inverted_safe() @ place if overview else place


def _around(
    world: World, place: Vector, radius: float, step: int, *, coarser: bool
) -> dict[Tile, int]:
    """Return the tiles within a radius in meters of a place."""
    found: dict[Tile, int] = {}
    grid, size = world.grid, world.side - 1
    length = size * max(grid.dx, grid.dy)
    for tile in world.tiles:
        aside = (
            max(low - at, at - low - width, 0.0)
            for at, low, width in (
                (place.x, grid.x0 + tile[0] * size * grid.dx, size * grid.dx),
                (place.y, grid.y0 + tile[1] * size * grid.dy, size * grid.dy),
            )
        )
        distance = math.hypot(*aside)
        if distance <= radius:
            rings = math.ceil(distance / length - 1e-6) if coarser else 0
            found[tile] = _coarser(step, rings, size)
    return found


def _coarser(step: int, rings: int, size: int) -> int:
    """Return the step after halving the detail a number of times, as far as a tile allows."""
    possible = [detail for detail in DETAILS if detail <= step << rings and size % detail == 0]
    return max([step, *possible])


def _selected(context: bpy.types.Context, world: World, overview: Any) -> list[Tile]:
    found: set[Tile] = set()
    if overview is not None and overview.select_get():
        found.update(_of_faces(overview))
    for item in context.selected_objects:
        if item != overview and scene.TILE not in item:
            tile = tile_at(world, _local(item.matrix_world.translation, overview))
            found.update([tile] if tile else [])
    found.update(
        (int(item[scene.TILE][0]), int(item[scene.TILE][1]))
        for item in context.selected_objects
        if scene.TILE in item and item.parent == overview
    )
    return sorted(found, key=lambda tile: tile[::-1])


def _of_faces(overview: Any) -> set[Tile]:
    """Return the tiles with selected faces of the overview."""
    if overview.mode == "EDIT":
        overview.update_from_editmode()
    cells, columns, _ = (int(count) for count in overview[scene.CELLS])
    mesh = overview.data
    picked = np.zeros(len(mesh.polygons), np.bool_)
    mesh.polygons.foreach_get("select", picked)
    j, i = np.divmod(np.flatnonzero(picked), columns * cells)
    return set(zip((i // cells).tolist(), (j // cells).tolist(), strict=True))


def tile_at(world: World, place: Vector) -> Tile | None:
    """Return the tile below a place, None outside the world."""
    grid, size = world.grid, world.side - 1
    x = math.floor((place.x - grid.x0) / (size * grid.dx))
    y = math.floor((place.y - grid.y0) / (size * grid.dy))
    return (x, y) if 0 <= x < world.columns and 0 <= y < world.rows else None
