# SPDX-License-Identifier: GPL-3.0-or-later
"""The terrain that a command is about: a preset or a recipe file, with its seed and maps."""

from __future__ import annotations

import argparse
import dataclasses
from collections.abc import Sequence
from pathlib import Path

from ..core import Map, Recipe, formats, presets
from .command import UsageError
from .elevation_files import map_values

HELP = "name of a preset, or a recipe file (.json)"


def add_recipe(command: argparse.ArgumentParser) -> None:
    """Declare the recipe and its options."""
    command.add_argument("recipe", help=HELP)
    add_recipe_options(command)


def add_recipe_options(command: argparse.ArgumentParser) -> None:
    """Declare what changes a recipe."""
    command.add_argument("--seed", type=int, help="replaces the seed of the recipe")
    command.add_argument(
        "--map",
        action="append",
        default=[],
        metavar="NAME=FILE",
        help="values of a painted map of the recipe: a file over the whole terrain, row 0 at the "
        f"lowest y ({', '.join(formats.readable())}); repeat for each map",
    )


def recipe_of(options: argparse.Namespace) -> Recipe:
    """The recipe of a command, with its options."""
    text = options.recipe
    path = Path(text)
    if path.suffix not in ("", ".json"):
        raise ValueError(
            f"{path.name}: a recipe is the name of a preset, or a file that ends in .json; a file "
            f"of heights to compare ends in {' or '.join(formats.readable())}"
        )
    recipe = _read(path) if path.suffix == ".json" else presets.load(text)
    if options.seed is not None:
        recipe = Recipe.from_dict(recipe.to_dict(shapes=True) | {"seed": options.seed})
    return dataclasses.replace(recipe, maps=_maps(options.map, recipe.map_names))


def _read(path: Path) -> Recipe:
    try:
        return Recipe.from_json(path.read_bytes())
    except ValueError as error:
        raise ValueError(f"{path.name}: {error}") from None


def _maps(given: Sequence[str], named: Sequence[str]) -> tuple[Map, ...]:
    """The maps of a recipe, each given once as NAME=FILE."""
    files: dict[str, str] = {}
    for text in given:
        name, equals, file = text.partition("=")
        if not (name and equals and file):
            raise UsageError(f"--map {text}: expected NAME=FILE")
        if name not in named:
            known = f"its maps are {', '.join(named)}" if named else "it has none"
            raise ValueError(f"--map {text}: the recipe has no map {name!r}; {known}")
        if name in files:
            raise UsageError(f"--map {text}: {name!r} is given twice")
        files[name] = file
    for name in named:
        if name not in files:
            raise ValueError(f"The recipe has a map {name!r}: add --map {name}=FILE")
    return tuple(Map(name, map_values(file)) for name, file in files.items())
