# SPDX-License-Identifier: GPL-3.0-or-later
"""The commands ``info`` and ``convert``, for files of elevations."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from .core import elevation, formats
from .core.formats import Elevation
from .core.numerics import Floats
from .core.settings import check_place

INFO_EXAMPLE = """example:
  terrain_addon info N46E007.hgt
  terrain_addon info --json tile_1.tif tile_2.tif"""
CONVERT_EXAMPLE = """examples:
  terrain_addon convert N46E007.hgt N46E008.hgt alps.npy --resample 30
  terrain_addon convert island.raw island.npy --bits 16 --range 0 1800 --spacing 2"""
NOT_STATED = "not stated in the file"


def add_elevation_commands(commands: Any) -> None:
    """Add the commands to the subparsers of the command line."""
    info = commands.add_parser(
        "info",
        help="show the size, spacing, range and place of elevation files",
        epilog=INFO_EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    _add_files(info)
    info.add_argument("--json", action="store_true", help="print JSON instead of a table")
    info.set_defaults(run=_info)
    convert = commands.add_parser(
        "convert",
        help="write elevation files as a height file",
        epilog=CONVERT_EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    _add_files(convert)
    convert.add_argument(
        "out",
        type=Path,
        help=f"file to write: {' or '.join(formats.writable())}; row 0 in the south",
    )
    convert.add_argument(
        "--crop",
        type=float,
        nargs=4,
        metavar=("WEST", "SOUTH", "EAST", "NORTH"),
        help="keep this part, in the coordinates of the files",
    )
    convert.add_argument(
        "--fill-large", action="store_true", help="fill large voids too, not only small ones"
    )
    convert.add_argument(
        "--turn", type=float, default=0.0, help="turn counterclockwise by that many degrees"
    )
    convert.add_argument(
        "--resample",
        type=float,
        metavar="METERS",
        help="spacing of the heights that are written; by default that of the files",
    )
    convert.add_argument("--json", action="store_true", help="print JSON instead of a table")
    convert.set_defaults(run=_convert)


def _add_files(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "files", nargs="+", help=f"files of one mosaic: {', '.join(formats.readable())}"
    )
    command.add_argument(
        "--range",
        type=float,
        nargs=2,
        metavar=("LOW", "HIGH"),
        help="meters of the lowest and the highest number that a .raw, .r16 or .png file can hold",
    )
    command.add_argument(
        "--spacing", type=float, help="meters between heights, where the file does not state it"
    )
    raw = command.add_argument_group("raw files", "what is not given is guessed, and shown")
    raw.add_argument("--columns", type=int, help="numbers in a row")
    raw.add_argument("--rows", type=int, help="number of rows")
    raw.add_argument("--bits", type=int, choices=(8, 16, 32), help="bits of a number")
    raw.add_argument("--order", choices=("little", "big"), help="byte order")
    raw.add_argument("--type", choices=("unsigned", "signed", "float"), help="type of the numbers")
    raw.add_argument("--north-first", action="store_true", help="the first row is the northern one")


def map_values(path: str | Path) -> Floats:
    """The values of a map: heights in meters as they are, other numbers from 0 to 1."""
    model = _filled(path, formats.read(path))
    return (model if model.stored is None else model.with_range(0.0, 1.0)).height


def measured(path: str | Path, spacing: float | None) -> tuple[Floats, float]:
    """Heights in meters in square cells, and their spacing: that in meters, or the file's own.

    Raises ValueError if neither is known, or the heights are not in meters.
    """
    model = _filled(path, formats.read(path))
    if model.stored is not None:
        raise ValueError(
            f"{Path(path).name} does not say what heights its numbers stand for: convert it first, "
            "with terrain_addon convert --range LOW HIGH"
        )
    if spacing is None and model.spacing is None:
        raise ValueError("This file needs --spacing METERS, above zero")
    model = elevation.squared(model if spacing is None else model.with_spacing(spacing))
    assert model.spacing is not None
    return model.height, model.spacing[0]


def _filled(path: str | Path, model: Elevation) -> Elevation:
    try:
        return elevation.fill_voids(model)
    except ValueError as error:
        raise ValueError(f"{Path(path).name}: {error}") from None


def _read(options: argparse.Namespace) -> Elevation:
    """The mosaic of the files."""
    kind = {"unsigned": "u", "signed": "i", "float": "f", None: None}[options.type]
    layout = formats.RawLayout(
        options.columns, options.rows, options.bits, options.order, kind, options.north_first
    )
    models = [formats.read(file, layout) for file in options.files]
    model = elevation.join(models)
    if options.range is not None:
        model = model.with_range(*options.range)
    if options.spacing is not None:
        model = model.with_spacing(options.spacing)
    return model


def _info(options: argparse.Namespace) -> None:
    _show(options.files, _read(options), options.json)


def _convert(options: argparse.Namespace) -> None:
    formats.check_suffix(options.out, formats.writable())
    check_place(options.out)
    model = _read(options)
    if options.crop:
        model = model.crop(*options.crop)
    model = elevation.fill_voids(model, large=options.fill_large)
    if options.resample is not None:
        model = elevation.resampled(model, options.resample)
    if options.turn:
        model = elevation.rotated(model, options.turn)
    formats.write(options.out, formats.HeightRows(_shape(model), [model.height]))
    _show([str(options.out)], model, options.json)


def _shape(model: Elevation) -> tuple[int, int]:
    rows, columns = model.height.shape
    return rows, columns


def _show(names: Sequence[str], model: Elevation, as_json: bool) -> None:
    """Print what a model holds."""
    rows, columns = model.height.shape
    voids = int(model.voids.sum())
    place = model.georeference
    low, high = model.range if voids < model.height.size else (None, None)
    if as_json:
        corners = place and [place.at(0, 0), place.at(columns - 1, rows - 1)]
        found = {
            "files": list(names),
            "columns": columns,
            "rows": rows,
            "spacing": model.spacing,
            "size": model.size,
            "low": low,
            "high": high,
            "in_meters": model.stored is None,
            "stored": model.stored,
            "voids": voids,
            "coordinates": place and place.name,
            "epsg": place and place.epsg,
            "corners": corners,
            "notes": model.notes,
        }
        print(json.dumps(found, indent=2, allow_nan=False))
        return
    lines = {
        "files": ", ".join(names),
        "samples": f"{columns} x {rows}",
        "spacing": _pair(model.spacing, "m"),
        "size": _pair(model.size and (model.size[0] / 1000, model.size[1] / 1000), "km"),
        "heights": _heights(model, low, high),
        "voids": str(voids),
        "coordinates": place.name if place else NOT_STATED,
    }
    if place:
        west_south, east_north = place.at(0, 0), place.at(columns - 1, rows - 1)
        lines["first sample"] = f"{west_south[0]:.10g}, {west_south[1]:.10g}"
        lines["last sample"] = f"{east_north[0]:.10g}, {east_north[1]:.10g}"
    for name, text in lines.items():
        print(f"{name:14}{text}")
    for note in model.notes:
        print(f"- {note}")


def _pair(pair: tuple[float, float] | None, unit: str) -> str:
    return f"{pair[0]:.6g} x {pair[1]:.6g} {unit}" if pair else NOT_STATED


def _heights(model: Elevation, low: float | None, high: float | None) -> str:
    if low is None or high is None:
        return "none"
    if model.stored is None:
        return f"{low:.6g} to {high:.6g} m"
    return (
        f"{low:g} to {high:g} of {model.stored[0]:g} to {model.stored[1]:g} "
        "(--range LOW HIGH makes them meters)"
    )
