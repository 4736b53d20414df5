# SPDX-License-Identifier: GPL-3.0-or-later
"""Plan a world: solve its recipe, divide it into tiles, and write what they are made from."""

from __future__ import annotations

import dataclasses
import hashlib
import math
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ..elevation import Georeference
from ..elevation.systems import wkt
from ..evaluation.solution import Solution, made_by
from ..evaluation.solving import remove_checkpoint, solve
from ..evaluation.solving_fields import solve_fields
from ..evaluation.stack import DEFAULT_RESOLUTION, evaluate
from ..numerics.progress import Cancel, LayerProgress
from ..output.engines import Extent, named
from ..recipe.recipe import Recipe
from ..settings import check_place, replaced_folder, save_array, work_folder
from .images import check_images
from .manifest import Manifest, digest_of
from .world import DIGESTS, IMAGE, MANIFEST, MAPS, RECIPE, SOLUTION, TILES, World

MOST_TILES = 100_000
"""Tiles along a side: their names have five digits at most."""


def plan(
    recipe: Recipe,
    folder: str | Path,
    *,
    spacing: float,
    side: int,
    images: Sequence[str] = (),
    writers: Sequence[str] = (),
    engines: Sequence[str] = (),
    georeference: Georeference | None = None,
    progress: LayerProgress | None = None,
    cancelled: Cancel | None = None,
) -> World:
    """Solve a recipe, and write all that its tiles are made from into a new folder.

    The folder is complete and on the disk, or absent. A plan of many minutes that was stopped
    continues: until it is complete, the last finished grid of its rivers is in a folder beside,
    ``NAME.unfinished``.

    Parameters
    ----------
    recipe : the terrain, with the painted maps that it names
    spacing : meters between samples, at most: the extent is divided into whole tiles
    side : samples along a side of a tile, at least 2
    images : keys of images of each tile: color, normal, slope, or the name of a field
    writers : suffixes of the formats that the heights of the finished world are written in
    engines : keys of the game engines that the finished world is exported to
    georeference : coordinates of columns and rows that are meters from the center of the terrain;
        by default these meters

    Raises
    ------
    ValueError : the folder is not empty, or another process plans it; ``NAME.unfinished`` is
        somebody else's; the spacing or the side is not valid; no such image; tiles that an engine
        does not take
    OSError : the folder cannot be written, or was filled meanwhile
    Cancelled
    """
    place = georeference
    folder = Path(os.path.realpath(folder))
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise ValueError(f"{folder} is not empty: choose another name")
    columns, rows = tile_counts(recipe, spacing, side)
    check_images(recipe, images)
    extent = Extent(0.0, 1.0, recipe.size_x, recipe.size_y, (side, side), columns, rows)
    for key in engines:
        named(key).check(extent)
    folder.parent.mkdir(parents=True, exist_ok=True)
    if not folder.exists():
        check_place(folder)  # before minutes of solving
    beside = folder.with_name(f"{folder.name}.unfinished")
    with work_folder(beside, f"the plan of {folder}") as unfinished:
        solution = solve(recipe, progress=progress, cancelled=cancelled, checkpoint=unfinished)
        # Fields that tiles sample, on the grid of habitats.
        solution = solve_fields(recipe, recipe.grid(2), images, solution, cancelled=cancelled)
        coarse = evaluate(
            recipe,
            recipe.grid(DEFAULT_RESOLUTION),
            solution=solution,
            fields=(),
            cancelled=cancelled,
        ).height
        manifest = Manifest(
            side=side,
            columns=columns,
            rows=rows,
            spacing=(recipe.size_x / (columns * (side - 1)), recipe.size_y / (rows * (side - 1))),
            range=(float(coarse.min()), float(coarse.max())),
            recipe="",
            maps={},
            solution={},
            made_by=made_by(),
            images=tuple(images),
            writers=tuple(writers),
            engines=tuple(engines),
            place=() if place is None else (*place.origin, *place.column_step, *place.row_step),
            system="" if place is None else wkt(place.system),
        )
        with replaced_folder(folder) as new:
            manifest = _write(new, recipe, solution, manifest)
        remove_checkpoint(unfinished)
    return World(folder, recipe, manifest)


def _write(folder: Path, recipe: Recipe, solution: Solution, manifest: Manifest) -> Manifest:
    """Write all that tiles are made from; return the manifest with its digests."""
    for name in (TILES, DIGESTS, MAPS):
        (folder / name).mkdir()
    text = recipe.to_json(shapes=True).encode()
    (folder / RECIPE).write_bytes(text)
    maps: dict[str, list[Any]] = {}
    for number, one in enumerate(recipe.maps):
        save_array(folder / MAPS / f"{number}.npy", one.values)
        about = [one.to_border, one.spacing, one.in_meters]
        maps[str(number)] = [one.name, *about, one.digest.hex()]
    if recipe.imagery:
        save_array(folder / MAPS / IMAGE, recipe.imagery.pixels)
    solution.save(folder / SOLUTION)
    manifest = dataclasses.replace(
        manifest,
        recipe=hashlib.sha256(text).hexdigest(),
        maps=maps,
        image=digest_of(folder / MAPS / IMAGE) if recipe.imagery else "",
        solution={path.name: digest_of(path) for path in sorted((folder / SOLUTION).iterdir())},
    )
    (folder / MANIFEST).write_text(manifest.to_json(), "utf-8")
    return manifest


def tile_counts(recipe: Recipe, spacing: float, side: int) -> tuple[int, int]:
    """Return the columns and rows of tiles whose samples are at most ``spacing`` meters apart.

    ValueError for a spacing or a side that is not valid.
    """
    if not (math.isfinite(spacing) and spacing > 0):
        raise ValueError(f"The spacing must be above zero, not {spacing:g}")
    if side < 2:
        raise ValueError(f"A tile has at least 2 samples along a side, not {side}")
    columns, rows = (
        max(math.ceil(size / spacing / (side - 1) - 1e-9), 1)
        for size in (recipe.size_x, recipe.size_y)
    )
    if max(columns, rows) > MOST_TILES:
        raise ValueError(f"{columns} x {rows} tiles are too many: make them larger")
    return columns, rows
