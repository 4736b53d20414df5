# SPDX-License-Identifier: GPL-3.0-or-later
"""The command ``plants``."""

from __future__ import annotations

import argparse
import dataclasses
from pathlib import Path

import numpy as np

from ...core import evaluate, plants, solve
from ...core.evaluation import DEFAULT_RESOLUTION
from ...core.plants import Clearings, PlantSet, write_csv
from ...core.settings import check_place
from ..command import Command, CommandResult, UsageError
from ..console import Console
from ..recipes import add_recipe, recipe_of

SOLVED, GROWN = 0.3, 0.95
"""Shares of the work that are done when the terrain and the plants are known."""


def _arguments(command: argparse.ArgumentParser) -> None:
    add_recipe(command)
    command.add_argument("out", type=Path, help="table to write: .csv")
    command.add_argument(
        "--set",
        default="temperate",
        help=f"species: {', '.join(PlantSet.names())}, or a JSON file; %(default)s by default",
    )
    command.add_argument(
        "--temperature", type=float, help="mean of a year in degrees C of the lowest ground"
    )
    command.add_argument("--latitude", type=float, help="degrees, positive in the north")
    command.add_argument(
        "--resolution",
        type=int,
        default=DEFAULT_RESOLUTION,
        help="points along the longer side from which the height of the ground is taken; "
        "%(default)s by default",
    )


def _run(options: argparse.Namespace, console: Console) -> CommandResult:
    out: Path = options.out
    if out.suffix.lower() != ".csv":
        raise UsageError(f"{out.name}: plants are written as .csv")
    check_place(out)
    species = _species(options.set)
    recipe, progress = recipe_of(options), console.progress()
    solution = solve(recipe, progress=lambda share, _: progress(SOLVED * share))
    grid = recipe.grid(options.resolution)
    terrain = evaluate(recipe, grid, fields=(), solution=solution)
    climate = plants.Climate.of(recipe, terrain, species.home)
    if options.temperature is not None:
        low = terrain.range[0]
        climate = dataclasses.replace(climate, temperature=options.temperature, height=low)
    if options.latitude is not None:
        climate = dataclasses.replace(climate, latitude=options.latitude)
    habitat = plants.Habitat.of(recipe, climate, solution=solution)
    found = plants.grow(
        habitat,
        species,
        seed=recipe.seed,
        avoid=Clearings.of(recipe, terrain),
        progress=lambda share, _="": progress(SOLVED + (GROWN - SOLVED) * share),
    )
    write_csv(out, found, found.ground(terrain), species)
    counts = np.bincount(found.species, minlength=len(species.species)).tolist()
    names = [one.name for one in species.species]
    listed = ", ".join(f"{count} {name}" for count, name in zip(counts, names, strict=True))
    return CommandResult(
        f"{out}: {len(found)} plants ({listed})",
        {"file": str(out), "plants": dict(zip(names, counts, strict=True))},
    )


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
        "plants alps trees.csv --set my_species.json --temperature 12",
    ),
    _arguments,
    _run,
)
