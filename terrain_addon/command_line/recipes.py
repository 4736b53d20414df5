# SPDX-License-Identifier: GPL-3.0-or-later
"""The terrain that a command is about: a preset, a recipe or elevation file; its seed and maps."""

from __future__ import annotations

import argparse
import dataclasses
import os
from collections.abc import Sequence
from glob import escape, glob
from pathlib import Path
from typing import Any

from ..core import Map, Recipe, formats, presets, real_terrain
from ..core.elevation import Georeference
from ..core.output import exports
from .command import UsageError

HELP = "name of a preset, recipe file (.json), or elevation file; tiles are separated by semicolons"


def add_recipe(command: argparse.ArgumentParser) -> None:
    """Declare the recipe and its options."""
    recipe: Any = command.add_argument("recipe", help=HELP)
    recipe.completer = _suggested
    add_recipe_options(command)


def _suggested(prefix: str, **_: object) -> list[str]:
    """Return presets, and the folders and files of recipes and elevation that begin so."""
    suffixes = (".json", *formats.readable())
    found = sorted(glob(f"{escape(prefix)}*"))
    folders = [f"{one}/" for one in found if os.path.isdir(one)]
    files = [one for one in found if Path(one).suffix.lower() in suffixes]
    return [*presets.names(), *folders, *files]


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
    """Load the recipe of a command and apply its options."""
    text, maps = options.recipe, _maps(options.map)
    suffix = Path(text).suffix
    if suffix == ".json" or real_terrain.is_elevation(text):
        recipe = real_terrain.load_recipe(text, maps=maps)
    elif suffix:
        raise ValueError(
            f"{Path(text).name}: a recipe is the name of a preset, or a file that ends in .json or "
            f"{' or '.join(formats.readable())}"
        )
    else:
        recipe = real_terrain.with_maps(presets.load(text), maps)
    return recipe if options.seed is None else dataclasses.replace(recipe, seed=options.seed)


def place_of(options: argparse.Namespace, recipe: Recipe) -> Georeference | None:
    """Return the coordinates of the elevation files of a recipe, of meters from its center; None
    where they are not known."""
    path = Path(options.recipe)
    return exports.georeference_of(recipe, path.parent if path.suffix == ".json" else None)


def _maps(given: Sequence[str]) -> dict[str, Map]:
    """Load the maps given as NAME=FILE, each name once."""
    files: dict[str, str] = {}
    for text in given:
        name, equals, file = text.partition("=")
        if not (name and equals and file):
            raise UsageError(f"--map {text}: expected NAME=FILE")
        if name in files:
            raise UsageError(f"--map {text}: {name!r} is given twice")
        files[name] = file
    return {name: _map(name, file) for name, file in files.items()}


def _map(name: str, file: str) -> Map:
    """Load the map of a file. One without a size in meters is taken as painted, from 0 to 1."""
    one = real_terrain.map_of(file)
    meters = one.in_meters and one.spacing is not None
    return dataclasses.replace(one, name=name, in_meters=meters)
