# SPDX-License-Identifier: GPL-3.0-or-later
"""Write the height files and the manifest of an engine's import."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ...elevation import Georeference
from ...elevation.systems import wkt
from ...formats import HeightRows, write
from ...numerics.arrays import Floats
from ...numerics.blocks import row_bands
from ...settings import replaced
from .engine import Engine, Extent, readme

RAW = (".r16", ".raw")
"""Files without a header, whose first row is that of the engine."""


def write_heights(
    path: Path,
    engine: Engine,
    extent: Extent,
    height: Floats,
    georeference: Georeference | None = None,
) -> None:
    """Write the heights of a tile, (ny, nx) float32 in meters, row 0 at the lowest y.

    OSError if the file cannot be written.
    """
    rows = height[::-1] if path.suffix in RAW and engine.north_first else height
    parts = [rows[band] for band in row_bands(height.shape)]
    ny, nx = height.shape
    limits = (extent.low, extent.high)
    rows_of = HeightRows((ny, nx), parts, range=limits, georeference=georeference)
    write(path, rows_of, alone=True)  # the manifest has the rest


def card_place(place: Georeference, extent: Extent) -> dict[str, Any]:
    """Return what the manifest says about where the samples of a height file lie.

    ``place`` has six numbers: x, its steps along columns and rows, and the same of y, from the
    north-western sample on; ``system`` is well-known text.
    """
    _, ny = extent.sides
    (x, y), (a, b), (c, d) = place.at(0, ny - 1), place.column_step, place.row_step
    return {"place": [x, a, -c, y, b, -d], "system": wkt(place.system)}


def write_manifest(
    folder: Path, engine: Engine, about: Mapping[str, Any], notes: Sequence[str] = ()
) -> None:
    """Write README.txt and manifest.json."""
    for name, text in (
        ("manifest.json", json.dumps(about, indent=1)),
        ("README.txt", readme(engine, about, notes)),
    ):
        with replaced(folder / name) as new:
            new.write_text(text, "utf-8")
