# SPDX-License-Identifier: GPL-3.0-or-later
"""The index of a finished world: range and digests of its tiles, and an overview picture."""

from __future__ import annotations

import itertools
import json
import os
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..formats.png import write_png
from ..formats.quantization import image_to_uint8
from ..numerics.progress import Progress, no_progress
from ..output.engines import (
    DIRECTX,
    Extent,
    card_place,
    export_manifest,
    scale_range,
    write_manifest,
)
from ..output.exports import on_grid
from ..output.images.baking import bake
from ..output.images.settings import Bake
from ..settings import replaced
from .images import is_float
from .runners import Done, Pool, Runner, serial
from .world import Tile, World, damaged_text
from .writers import EngineFiles, Files, Writer, extent_of, write_tile

INDEX, OVERVIEW = "index.json", "overview.png"
FLIP = "Normal maps have the green channel of OpenGL: turn on Flip Green Channel."
Measure = tuple[float, float, str]
"""Lowest and highest height, and SHA-256 of a tile."""
PICTURE = 512
"""Pixels along the longer side of the overview picture."""
LEVEL = 0.5**0.5
"""Hillshade of level ground, which keeps the colors of the palette."""

AMBIENT = 0.45
"""Share of the light that comes from the whole sky: slopes in the shade are not black."""


def finish(
    world: World,
    *,
    writers: Sequence[Writer] | None = None,
    range: tuple[float, float] | None = None,
    workers: int = 1,
    runner: Runner | None = None,
    progress: Progress = no_progress,
) -> tuple[float, float]:
    """Write index, overview and other formats of a world; return its lowest and highest height.

    All tiles have one range, so that files of 16 bits meet at equal numbers on their borders.

    Parameters
    ----------
    writers : formats to write; by default those of the plan
    range : meters that 0 and 65535 stand for; by default the lowest and the highest height
    workers, runner : as for :func:`~.running.run`
    progress : called after each tile is measured, and after its other formats are written

    Raises
    ------
    ValueError : tiles are missing, or damaged: the next run makes them anew; heights beyond the
        range
    OSError : a file cannot be written
    """
    missing = world.columns * world.rows - len(world.with_files())
    if missing:
        raise ValueError(f"{missing} of {world.columns * world.rows} tiles are missing: run it")
    writers = planned_writers(world) if writers is None else writers
    for one in writers:
        one.begin(world)
    runner = runner or (Pool(workers) if workers > 1 else serial)
    measures: dict[Tile, Measure] = {}
    tiles, done = list(world.tiles), itertools.count(1)

    def counted(keep: Done) -> Done:
        def made(tile: Tile, result: Any) -> None:
            keep(tile, result)
            progress(next(done) / (len(tiles) * (2 if writers else 1)))

        return made

    damaged: list[Tile] = []

    def measured(tile: Tile, found: Measure | None) -> None:
        if found is None:
            damaged.append(tile)
        else:
            measures[tile] = found

    runner(measure, world.folder, tiles, counted(measured))
    if damaged:
        world.forget(damaged)
        raise ValueError(f"{damaged_text(damaged)}: run the world again, which makes them anew")
    low = min(one[0] for one in measures.values())
    high = max(one[1] for one in measures.values())
    first, last = scale_range(low, high, range)
    extent = extent_of(world, first, last)
    if writers:
        runner(partial(write_tile, writers, extent), world.folder, tiles, counted(_nothing))
    for one in writers:
        if isinstance(one, EngineFiles):
            _write_manifest(world, one, extent)
    digests = {world.path(tile).name: measures[tile][2] for tile in world.tiles}
    index = {"low": low, "high": high, "range": [first, last], "sha256": digests}
    with replaced(world.folder / INDEX) as new:
        new.write_text(json.dumps(index, indent=1), "utf-8")
    write_png(world.folder / OVERVIEW, _picture(world))
    return low, high


def planned_writers(world: World) -> list[Writer]:
    """Return the formats of a world's plan; ValueError for an unknown one."""
    files = [Files.of(suffix) for suffix in world.manifest.writers]
    return [*files, *(EngineFiles(key) for key in world.manifest.engines)]


def measure(folder: Path, tile: Tile) -> Measure | None:
    """Measure the range of heights and the SHA-256 of a tile, as a task of a runner; None if it is
    damaged."""
    world = World.load(folder)
    if world.is_damaged(tile):
        return None
    height = world.heights(tile)
    return float(height.min()), float(height.max()), world.digest(tile)


def _nothing(tile: Tile, result: object) -> None:
    pass


def _write_manifest(world: World, files: EngineFiles, extent: Extent) -> None:
    """Write README.txt and manifest.json, beside the height files of an engine."""
    engine, place = files.engine, world.folder / files.folder
    names: list[dict[str, Any]] = [
        {
            "path": engine.name(extent, *tile),
            "kind": "height",
            **card_place(on_grid(world.georeference, world.window(tile)), extent),
        }
        for tile in world.tiles
    ]
    kinds = {"color": "color", "normal": "normal"}
    for key in world.manifest.images:
        if is_float(key):  # no engine reads it
            continue
        for tile in world.tiles:
            path = os.path.relpath(world.image_path(key, tile), place)
            names.append({"path": Path(path).as_posix(), "kind": kinds.get(key, "mask")})
    green = engine.green == DIRECTX and "normal" in world.manifest.images
    write_manifest(place, engine, export_manifest(engine, extent, names), [FLIP] if green else [])


def _picture(world: World) -> NDArray[np.uint8]:
    """Return (H, W, 4) sRGB: the colors of the palette in the light of a low sun, north on top."""
    grid, solution = world.recipe.pixel_grid(PICTURE), world.solution
    color, light = (
        bake(world.recipe, grid, what, solution=solution).pixels[::-1]
        for what in (Bake(image="color"), Bake(image="field", field="hillshade"))
    )
    color[..., :3] *= np.float32(AMBIENT) + np.float32((1 - AMBIENT) / LEVEL) * light[..., :3]
    return image_to_uint8(color, color=True)
