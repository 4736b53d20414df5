# SPDX-License-Identifier: GPL-3.0-or-later
"""The command ``plants``."""

from __future__ import annotations

import argparse
import dataclasses
from pathlib import Path

import numpy as np

from ...core import Heightfield, Recipe, evaluate, plants, solve
from ...core.evaluation import DEFAULT_RESOLUTION
from ...core.output import exports
from ...core.output.engines import Extent, scale_range
from ...core.plants import (
    PLANT_FILES,
    Clearings,
    Plants,
    PlantSet,
    Species,
    check_suffix,
    write_csv,
    write_for_engine,
    write_glb,
)
from ...core.settings import check_place
from ..arguments import tiles
from ..command import Command, CommandResult, UsageError
from ..console import Console
from ..recipes import add_recipe, recipe_of

WRITERS = {".csv": write_csv, ".glb": write_glb}
"""What writes plants, by the suffix of the file."""
SOLVED, GROWN = 0.3, 0.95
"""Shares of the work that are done when the terrain and the plants are known."""


def _arguments(command: argparse.ArgumentParser) -> None:
    add_recipe(command)
    command.add_argument(
        "out",
        type=Path,
        help="file to write: .csv, a table, or .glb, instances; for an engine "
        + ", ".join(f"{one.suffix} ({key})" for key, one in PLANT_FILES.items()),
    )
    command.add_argument(
        "--set",
        default="temperate",
        help=f"species: {', '.join(PlantSet.names())}, or a JSON file; %(default)s by default",
    )
    command.add_argument(
        "--temperature",
        type=float,
        help="mean of a year in degrees C at the sea, or at the lowest ground",
    )
    command.add_argument("--latitude", type=float, help="degrees, positive in the north")
    command.add_argument(
        "--density",
        type=float,
        default=1.0,
        help="share of the plants that are kept, evenly, 0 to 1; %(default)s by default",
    )
    command.add_argument(
        "--resolution",
        type=int,
        default=DEFAULT_RESOLUTION,
        help="points along the longer side from which the height of the ground is taken; "
        "%(default)s by default",
    )
    command.add_argument(
        "--engine",
        choices=list(PLANT_FILES),
        help="write what this engine takes, on the terrain that the command export makes for it",
    )
    command.add_argument(
        "--size", type=int, default=0, help="with --engine: the --size of the export"
    )
    command.add_argument(
        "--tiles", default="1x1", metavar="NxM", help="with --engine: the --tiles of the export"
    )


def _run(options: argparse.Namespace, console: Console) -> CommandResult:
    out: Path = options.out
    _check(out, options.engine)
    if not 0 <= options.density <= 1:
        raise UsageError(f"--density {options.density:g}: expected a share from 0 to 1")
    species = _species(options.set)
    recipe, progress = recipe_of(options), console.progress()
    extent = _extent(recipe, options)
    solution = solve(recipe, progress=lambda share, _: progress(SOLVED * share))
    grid = recipe.grid(options.resolution)
    terrain = evaluate(recipe, grid, fields=(), solution=solution)
    climate = plants.climate_of(
        recipe, terrain, species.home, temperature=options.temperature, latitude=options.latitude
    )
    habitat = plants.Habitat.of(recipe, climate, solution=solution)
    parts = plants.cover(
        recipe,
        habitat,
        species,
        avoid=Clearings.of(recipe, terrain),
        progress=lambda share, _="": progress(SOLVED + (GROWN - SOLVED) * share),
    )
    kinds, found = plants.together(parts)
    found = found.thinned(options.density)
    if extent is None:
        WRITERS[out.suffix.lower()](out, found, found.ground(terrain), kinds)
    else:
        exported = evaluate(recipe, recipe.grid(extent.points), fields=(), solution=solution)
        _write(out, options.engine, extent, exported, found, kinds)
    counts = np.bincount(found.species, minlength=len(kinds)).tolist()
    names = [one.name for one in kinds]
    listed = ", ".join(f"{count} {name}" for count, name in zip(counts, names, strict=True))
    return CommandResult(
        f"{out}: {len(found)} plants ({listed})",
        {"file": str(out), "plants": dict(zip(names, counts, strict=True))},
    )


def _check(out: Path, engine: str | None) -> None:
    """Raise UsageError or OSError for a file that cannot be written."""
    if engine is not None:
        try:
            check_suffix(out, engine)
        except ValueError as error:
            raise UsageError(str(error)) from None
    elif out.suffix.lower() not in WRITERS:
        raise UsageError(
            f"{out.name}: plants are written as {' or '.join(WRITERS)}, or with --engine"
        )
    check_place(out)


def _extent(recipe: Recipe, options: argparse.Namespace) -> Extent | None:
    """Return the terrain that the command export makes for the engine; None without one."""
    if options.engine is None:
        return None
    columns, rows = tiles(options.tiles)
    settings = exports.ExportSettings(
        engine=options.engine, size=options.size, tiles_x=columns, tiles_y=rows
    )
    return exports.extent_of(recipe, settings)


def _write(
    out: Path,
    engine: str,
    extent: Extent,
    exported: Heightfield,
    found: Plants,
    kinds: tuple[Species, ...],
) -> None:
    """Write plants for an engine, on the heights at the samples of the export."""
    low, high = scale_range(*exported.range)
    extent = dataclasses.replace(extent, low=low, high=high)
    write_for_engine(out, engine, extent, found, found.ground(exported), kinds)


def _species(text: str) -> PlantSet:
    path = Path(text)
    if path.suffix == ".json":
        return PlantSet.load(path.stem, path.parent)
    return PlantSet.load(text)


PLANTS = Command(
    "plants",
    "spread plants that compete",
    (
        "plants eroded_hills trees.csv",
        "plants butte_desert cacti.glb --set desert",
        "plants alps trees.csv --set my_species.json --temperature 12",
        "plants alps trees.json --engine unity --size 1025",
    ),
    _arguments,
    _run,
)
