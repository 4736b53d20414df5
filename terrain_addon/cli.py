# SPDX-License-Identifier: GPL-3.0-or-later
"""Headless commands: make height maps without Blender."""

from __future__ import annotations

import argparse
import dataclasses
import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from .core import Heightfield, Map, Recipe, evaluate, presets, realism
from .core.formats import read_array, read_esri_grid
from .core.layers import gap_mark
from .core.numerics import user_message
from .core.settings import replaced


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; the exit code: 0 done, 1 something is wrong with the input, 130 stopped."""
    options = _parser().parse_args(arguments)
    try:
        options.run(options)
        sys.stdout.flush()
    except KeyboardInterrupt:
        print("terrain_addon: stopped", file=sys.stderr)
        return 130
    except BrokenPipeError:  # whoever reads the output has seen enough of it, as head has
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # for the flush at the exit
    except (ValueError, OSError, MemoryError) as error:
        print(f"terrain_addon: {user_message(error)}", file=sys.stderr)
        return 1
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="terrain_addon", description="Procedural Terrain without Blender."
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    listing = commands.add_parser("presets", help="list the presets")
    listing.set_defaults(run=_list_presets)
    height = commands.add_parser("height", help="make a height map")
    height.add_argument("recipe", help="name of a preset, or a recipe file (.json)")
    height.add_argument(
        "out", type=Path, help="file to write: .npy (float32 metres) or .r16 (16 bit, normalised)"
    )
    height.add_argument("--resolution", type=int, default=1025, help="points along the longer side")
    height.add_argument("--seed", type=int, help="instead of the recipe's own seed")
    _add_map_option(height)
    height.set_defaults(run=_make_height)
    compare = commands.add_parser("realism", help="compare a land with real mountains")
    compare.add_argument(
        "terrain",
        help="name of a preset, a recipe file (.json), or heights in metres (.npy, or .asc, the "
        "ESRI grid that gdal_translate -of AAIGrid makes of any elevation file)",
    )
    compare.add_argument(
        "--resolution",
        type=int,
        help=f"points along the longer side of a recipe; {realism.USUAL} if not given",
    )
    compare.add_argument(
        "--spacing", type=float, help="metres between heights, where the file does not say it"
    )
    compare.add_argument("--seed", type=int, help="instead of the recipe's own seed")
    _add_map_option(compare)
    compare.set_defaults(run=_compare)
    return parser


def _add_map_option(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--map",
        action="append",
        default=[],
        metavar="NAME=FILE",
        help="a painted map that the recipe names: a .npy file over the whole terrain, row 0 at "
        "the lowest y; once for each map",
    )


def _list_presets(options: argparse.Namespace) -> None:
    for name in presets.names():
        print(f"{name:20} {presets.load(name).about}")


def _make_height(options: argparse.Namespace) -> None:
    writer = _WRITERS.get(options.out.suffix)
    if writer is None:
        raise ValueError(f"{options.out.name}: the file must end in {' or '.join(_WRITERS)}")
    recipe = _recipe(options.recipe, options.seed, options.map)
    begun = time.perf_counter()
    field = evaluate(recipe, recipe.grid(options.resolution))
    seconds = time.perf_counter() - begun
    _write(options.out, writer(field))
    low, high = field.range
    size = f"{field.grid.nx} x {field.grid.ny}"
    print(f"{options.out}: {size}, {low:.3f} to {high:.3f} m, {seconds:.2f} s")


def _recipe(text: str, seed: int | None, maps: Sequence[str]) -> Recipe:
    path = Path(text)
    if path.suffix not in ("", ".json"):
        raise ValueError(
            f"{path.name}: a recipe is the name of a preset, or a file that ends in .json; heights "
            "to compare with real mountains come in a file that ends in .npy or .asc"
        )
    recipe = _read_recipe(path) if path.suffix == ".json" else presets.load(text)
    if seed is not None:
        recipe = Recipe.from_dict(recipe.to_dict() | {"seed": seed})
    return dataclasses.replace(recipe, maps=_maps(maps, recipe.map_names))


def _read_recipe(path: Path) -> Recipe:
    try:
        return Recipe.from_json(path.read_bytes())
    except ValueError as error:
        raise ValueError(f"{path.name}: {error}") from None


def _maps(given: Sequence[str], named: Sequence[str]) -> tuple[Map, ...]:
    """The maps that a recipe names, each given once as NAME=FILE."""
    files: dict[str, str] = {}
    for text in given:
        name, equals, file = text.partition("=")
        if not (name and equals and file):
            raise ValueError(f"--map {text}: expected NAME=FILE")
        if name not in named:
            known = f"it names {', '.join(named)}" if named else "it names none"
            raise ValueError(f"--map {text}: the recipe names no map {name!r}; {known}")
        if name in files:
            raise ValueError(f"--map {text}: {name!r} is given twice")
        files[name] = file
    for name in named:
        if name not in files:
            raise ValueError(f"The recipe names a map {name!r}: give it by --map {name}=FILE")
    return tuple(Map(name, read_array(Path(file), "values")) for name, file in files.items())


def _compare(options: argparse.Namespace) -> None:
    """Print the measures of a land beside those of real mountains."""
    path = Path(options.terrain)
    if path.suffix in (".npy", ".asc"):
        if options.map or options.seed is not None or options.resolution is not None:
            raise ValueError(
                f"--map, --seed and --resolution are for recipes, not for a {path.suffix} file"
            )
        height, spacing = _read_heights(path)
        spacing = spacing if options.spacing is None else options.spacing
        if spacing is None or not 0 < spacing < float("inf"):
            raise ValueError("--spacing METRES, above zero, is needed to measure this file")
    else:
        if options.spacing is not None:
            raise ValueError("--spacing is for a file of heights: a recipe knows its own")
        recipe = _recipe(options.terrain, options.seed, options.map)
        asked = options.resolution
        grid = recipe.pixel_grid(realism.USUAL if asked is None else asked)
        height, spacing = evaluate(recipe, grid).height, grid.dx
    print(realism.report(realism.measure(height, spacing)))


def _read_heights(path: Path) -> tuple[NDArray[np.float32], float | None]:
    """Heights in metres, and metres between them if the file says that."""
    if path.suffix == ".asc":
        height, spacing = read_esri_grid(path)
    else:
        height, spacing = read_array(path, "heights"), None
    mark = gap_mark(height) if height.size else None
    if mark is not None:
        raise ValueError(
            f"{path.name}: some cells hold no data, marked by {mark:g}: cut out a part without gaps"
        )
    return height, spacing


def _npy(field: Heightfield) -> NDArray[np.float32]:
    return field.height


def _r16(field: Heightfield) -> NDArray[np.uint16]:
    """0 to 65535 from the lowest to the highest point, little-endian; the row of lowest y first."""
    low, high = field.range
    share = field.height * np.float32(0.5)  # halves: differences of large heights stay finite
    share -= np.float32(low / 2)
    share /= np.float32((high - low) / 2 or 1.0)
    share *= np.float32(65535)
    return np.rint(share, out=share).astype("<u2")


_WRITERS = {".npy": _npy, ".r16": _r16}


def _write(path: Path, data: NDArray[np.float32] | NDArray[np.uint16]) -> None:
    with replaced(path) as beside, beside.open("wb") as file:
        if path.suffix == ".npy":
            np.save(file, data)
        else:
            file.write(data.tobytes())
