# SPDX-License-Identifier: GPL-3.0-or-later
"""The command ``convert``."""

from __future__ import annotations

import argparse
from pathlib import Path

from ...core import elevation, formats
from ...core.settings import check_place
from ..command import Command, CommandResult
from ..console import Console
from ..elevation_files import add_files, described, read_files

READ, FILLED, TURNED = 0.5, 0.6, 0.8
"""Shares of the work that are done when files are read, voids filled and heights turned."""


def _arguments(command: argparse.ArgumentParser) -> None:
    add_files(command)
    command.add_argument(
        "out",
        type=Path,
        help=f"file to write: {' or '.join(formats.writable())}; row 0 in the south",
    )
    command.add_argument(
        "--crop",
        type=float,
        nargs=4,
        metavar=("WEST", "SOUTH", "EAST", "NORTH"),
        help="keep this part, in the coordinates of the files",
    )
    command.add_argument(
        "--fill-large", action="store_true", help="fill large voids too, not only small ones"
    )
    command.add_argument(
        "--keep-voids", action="store_true", help="write voids as NaN, instead of filling them"
    )
    command.add_argument(
        "--turn", type=float, default=0.0, help="turn counterclockwise by that many degrees"
    )
    command.add_argument(
        "--resample",
        type=float,
        metavar="METERS",
        help="spacing of the heights that are written; by default that of the files",
    )


def _run(options: argparse.Namespace, console: Console) -> CommandResult:
    if formats.check_suffix(options.out, formats.writable()).plain and options.keep_voids:
        raise ValueError(f"{options.out.name}: whole numbers hold no voids: write a .tif or .npy")
    if options.keep_voids and (options.turn or options.resample is not None):
        raise ValueError("Voids are filled where heights are turned or resampled: --keep-voids")
    check_place(options.out)
    progress = console.progress()
    model = read_files(options, lambda share: progress(READ * share))
    if options.crop:
        model = model.crop(*options.crop)
    if not options.keep_voids:
        model = elevation.fill_voids(model, large=options.fill_large)
    progress(FILLED)
    if options.resample is not None:
        model = elevation.resampled(model, options.resample)
    if options.turn:
        model = elevation.rotated(model, options.turn)
    progress(TURNED)
    formats.write(options.out, formats.HeightRows.of(model))
    return described([str(options.out)], model)


CONVERT = Command(
    "convert",
    "write elevation files as a height file",
    (
        "convert N46E007.hgt N46E008.hgt alps.npy --resample 30",
        "convert island.raw island.npy --bits 16 --range 0 1800 --spacing 2",
    ),
    _arguments,
    _run,
)
