# SPDX-License-Identifier: GPL-3.0-or-later
"""Files of elevations on the command line: how they are named, read and described."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from ..core import elevation, formats
from ..core.elevation import Elevation
from ..core.numerics import Floats, no_progress
from .command import CommandResult
from .extras import gdal

NOT_STATED = "not stated in the file"


def listed(known: Mapping[str, formats.Format]) -> str:
    """List the suffixes of formats with what they are, for help texts."""
    return ", ".join(f"{suffix} ({one.help})" for suffix, one in known.items())


def add_files(command: argparse.ArgumentParser) -> None:
    """Declare the files of a mosaic, and what they do not say about themselves."""
    command.add_argument(
        "files",
        nargs="+",
        help=f"files of one mosaic: {', '.join(formats.readable())}; with orogen[gis] any of GDAL",
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
    command.add_argument(
        "--unit", help="unit of the coordinates, instead of what the file states: m, us-ft, deg"
    )
    command.add_argument(
        "--heights", help="unit of the heights, instead of what the file states: m, ft, us-ft"
    )
    command.add_argument(
        "--encoding",
        choices=formats.ENCODINGS,
        help="how the colors of a .png stand for heights; known by itself in most places",
    )
    raw = command.add_argument_group("raw files", "what is not given is guessed, and shown")
    raw.add_argument("--columns", type=int, help="numbers in a row")
    raw.add_argument("--rows", type=int, help="number of rows")
    raw.add_argument("--bits", type=int, choices=(8, 16, 32), help="bits of a number")
    raw.add_argument("--order", choices=("little", "big"), help="byte order")
    raw.add_argument("--type", choices=("unsigned", "signed", "float"), help="type of the numbers")
    raw.add_argument(
        "--north-first", action="store_true", help="the first row is the northern one; also of .npy"
    )


def measured(path: str | Path, spacing: float | None) -> tuple[Floats, float]:
    """Return the heights in meters in square cells, and their spacing: that in meters, or the
    file's own.

    Raises ValueError if neither is known, or the heights are not in meters.
    """
    model = _filled(path, _read(Path(path), None, formats.Stated(spacing)))
    if model.stored is not None:
        raise ValueError(
            f"{Path(path).name} does not say what heights its numbers stand for: convert it first, "
            "with orogen convert --range LOW HIGH"
        )
    if spacing is None and model.spacing is None:
        raise ValueError("This file needs --spacing METERS, above zero")
    model = elevation.squared(model)
    assert model.spacing is not None
    return model.height, model.spacing[0]


def _filled(path: str | Path, model: Elevation) -> Elevation:
    try:
        return elevation.fill_voids(model)
    except ValueError as error:
        raise ValueError(f"{Path(path).name}: {error}") from None


def read_files(
    options: argparse.Namespace, progress: Callable[[float], None] = no_progress
) -> Elevation:
    """Join the files to one model; ``progress`` is called after each."""
    kind = {"unsigned": "u", "signed": "i", "float": "f", None: None}[options.type]
    layout = formats.RawLayout(
        options.columns, options.rows, options.bits, options.order, kind, options.north_first
    )
    alone = len(options.files) == 1  # several are joined by their coordinates first
    stated = formats.Stated(
        options.spacing if alone else None, options.unit, options.heights, options.encoding
    )
    models: list[Elevation] = []
    for file in options.files:
        models.append(_read(Path(file), layout, stated))
        progress(len(models) / len(options.files))
    model = elevation.join(models)
    if options.range is not None:
        model = model.with_range(*options.range)
    if options.spacing is not None and not alone:
        model = model.with_spacing(options.spacing)
    return model


def _read(path: Path, layout: formats.RawLayout | None, stated: formats.Stated) -> Elevation:
    """Read a file, by GDAL where it is of a kind that is not read otherwise."""
    try:
        return formats.read(path, layout, stated=stated)
    except elevation.Unread as error:
        if not gdal.is_installed():
            raise
        return gdal.read(path, stated, str(error))


def described(names: Sequence[str], model: Elevation) -> CommandResult:
    """Describe what a model holds."""
    rows, columns = model.height.shape
    voids = int(model.voids.sum())
    place = model.georeference
    low, high = model.range if voids < model.height.size else (None, None)
    corners = place and [place.at(0, 0), place.at(columns - 1, rows - 1)]
    found = {
        "files": list(names),
        "columns": columns,
        "rows": rows,
        "spacing": model.spacing,
        "size": model.size,
        "span": model.span,
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
    lines = {
        "files": ", ".join(names),
        "samples": f"{columns} x {rows}",
        "spacing": _pair(model.spacing, "m"),
        "span": _kilometers(model.span, "from the first to the last sample"),
        "size": _kilometers(model.size, "covered by the cells around the samples"),
        "heights": _heights(model, low, high),
        "voids": str(voids),
        "coordinates": place.name if place else NOT_STATED,
    }
    if place:
        west_south, east_north = place.at(0, 0), place.at(columns - 1, rows - 1)
        lines["first sample"] = f"{west_south[0]:.10g}, {west_south[1]:.10g}"
        lines["last sample"] = f"{east_north[0]:.10g}, {east_north[1]:.10g}"
    text = [f"{name:14}{text}" for name, text in lines.items()]
    return CommandResult("\n".join([*text, *(f"- {note}" for note in model.notes)]), found)


def _pair(pair: tuple[float, float] | None, unit: str) -> str:
    return f"{pair[0]:.6g} x {pair[1]:.6g} {unit}" if pair else NOT_STATED


def _kilometers(pair: tuple[float, float] | None, what: str) -> str:
    return f"{_pair((pair[0] / 1000, pair[1] / 1000), 'km')} {what}" if pair else NOT_STATED


def _heights(model: Elevation, low: float | None, high: float | None) -> str:
    if low is None or high is None:
        return "none"
    if model.stored is None:
        return f"{low:.6g} to {high:.6g} m"
    return (
        f"{low:g} to {high:g} of {model.stored[0]:g} to {model.stored[1]:g} "
        "(--range LOW HIGH makes them meters)"
    )
