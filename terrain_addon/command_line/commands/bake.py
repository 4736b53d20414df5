# SPDX-License-Identifier: GPL-3.0-or-later
"""The command ``bake``."""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Any

from ...core import Bake
from ...core.evaluation import memory
from ...core.output import check_bake, check_image_file, stream_image, write_image
from ...core.settings import Setting, check_place, settings_of
from ..command import Command, CommandResult
from ..console import Console
from ..images import add_color_image, with_image
from ..recipes import add_recipe, recipe_of

USUAL = 2048
"""Pixels along the longer side."""


def _arguments(command: argparse.ArgumentParser) -> None:
    add_recipe(command)
    add_color_image(command)
    command.add_argument("out", type=Path, help="file to write: .png, or .exr and .npy (float32)")
    command.add_argument(
        "--resolution",
        type=int,
        default=USUAL,
        help="pixels along the longer side; %(default)s by default",
    )
    command.add_argument(
        "--depth",
        type=int,
        choices=(16, 8),
        default=16,
        help="bits of a PNG file; with 8, values are dithered; %(default)s by default",
    )
    for setting in settings_of(Bake):
        command.add_argument(f"--{setting.name.replace('_', '-')}", **_options(setting))


def _options(setting: Setting) -> dict[str, Any]:
    """Return how a setting is declared as an option."""
    help = f"{setting.help[0].lower()}{setting.help[1:]}; %(default)s by default"
    common = {"default": setting.default, "help": help}
    if setting.choices:
        keys = [choice.key for choice in setting.choices]
        return common | {"choices": keys, "metavar": "|".join(keys) if len(keys) < 4 else "NAME"}
    return common | {"type": type(setting.default)}


def _run(options: argparse.Namespace, console: Console) -> CommandResult:
    out = options.out
    settings = Bake(
        **{setting.name: getattr(options, setting.name) for setting in settings_of(Bake)}
    )
    check_image_file(out, settings)
    check_place(out)
    recipe = recipe_of(options)
    if settings.image == "color":
        recipe = with_image(recipe, options, console)
    check_bake(recipe, settings)
    grid = recipe.pixel_grid(options.resolution)
    memory.check_streamed(grid.nx, grid.ny, 1 + len(settings.kind.fields(recipe, settings)))
    start = time.perf_counter()
    progress = console.progress(grid.nx * grid.ny, "pixels")
    image = stream_image(recipe, grid, settings, progress=progress)
    write_image(out, image, settings, depth=options.depth, seed=recipe.seed)
    seconds = time.perf_counter() - start
    what = settings.kind.range_text(image.low, image.high)
    return CommandResult(
        f"{out}: {settings.shown}, {grid.nx} x {grid.ny} pixels, {what}, {seconds:.2f} s",
        {
            "file": str(out),
            "image": options.image,
            "pixels": [grid.nx, grid.ny],
            "low": image.low,
            "high": image.high,
            "seconds": seconds,
        },
    )


BAKE = Command(
    "bake",
    "bake an image: heights, colors, normals, slopes, or a field",
    (
        "bake alps alps_color.png --image color --resolution 4096",
        "bake alps alps_flow.exr --image field --field flow --values meters",
    ),
    _arguments,
    _run,
)
