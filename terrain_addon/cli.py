# SPDX-License-Identifier: GPL-3.0-or-later
"""Headless commands: make height maps without Blender."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from .core import Heightfield, Recipe, evaluate, presets


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; the exit code: 0 done, 1 something is wrong with the input."""
    options = _parser().parse_args(arguments)
    try:
        options.run(options)
    except (ValueError, OSError) as error:
        print(f"terrain_addon: {error}", file=sys.stderr)
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
    height.set_defaults(run=_make_height)
    return parser


def _list_presets(options: argparse.Namespace) -> None:
    for name in presets.names():
        print(f"{name:20} {presets.load(name).about}")


def _make_height(options: argparse.Namespace) -> None:
    writer = _WRITERS.get(options.out.suffix)
    if writer is None:
        raise ValueError(f"{options.out.name}: the file must end in {' or '.join(_WRITERS)}")
    recipe = _recipe(options.recipe)
    if options.seed is not None:
        recipe = Recipe.from_dict(recipe.to_dict() | {"seed": options.seed})
    begun = time.perf_counter()
    field = evaluate(recipe, recipe.grid(options.resolution))
    seconds = time.perf_counter() - begun
    _write_whole(options.out, writer(field))
    low, high = field.range
    size = f"{field.grid.nx} x {field.grid.ny}"
    print(f"{options.out}: {size}, {low:.3f} to {high:.3f} m, {seconds:.2f} s")


def _recipe(text: str) -> Recipe:
    path = Path(text)
    if path.suffix == ".json":
        return Recipe.from_json(path.read_text(encoding="utf-8"))
    return presets.load(text)


def _npy(field: Heightfield) -> NDArray[np.float32]:
    return field.height


def _r16(field: Heightfield) -> NDArray[np.uint16]:
    """0 to 65535 from the lowest to the highest point, little-endian, row along -Y first."""
    low, high = field.range
    share = (field.height - np.float32(low)) / np.float32((high - low) or 1.0)
    return np.rint(share * np.float32(65535)).astype("<u2")


_WRITERS = {".npy": _npy, ".r16": _r16}


def _write_whole(path: Path, data: NDArray[np.float32] | NDArray[np.uint16]) -> None:
    """Write beside and rename, so that an older file is whole until the new one is."""
    beside = path.with_name(f"{path.name}.tmp")
    try:
        with beside.open("wb") as file:
            if path.suffix == ".npy":
                np.save(file, data)
            else:
                file.write(data.tobytes())
        os.replace(beside, path)
    finally:
        beside.unlink(missing_ok=True)
