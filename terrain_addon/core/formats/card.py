# SPDX-License-Identifier: GPL-3.0-or-later
"""The card of an export for a game engine: what ``manifest.json`` says about its height files."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..settings.input_files import check_regular
from ..settings.strict_json import parsed
from .raster import Affine

MANIFEST = "manifest.json"


@dataclass(frozen=True)
class Card:
    """What a card says about one file.

    Attributes
    ----------
    columns, rows : samples
    low, high : meters of the lowest and the highest number
    north_first : whether the first row of a raw file is the northern one
    affine : coordinates of the samples, from the north-western one on; None where it has none
    system : the coordinate system, as a text
    """

    columns: int
    rows: int
    low: float
    high: float
    north_first: bool
    affine: Affine | None
    system: str

    @classmethod
    def of(cls, path: Path) -> Card | None:
        """Return the card of a height file; None for a file without one."""
        try:
            check_regular(path.parent / MANIFEST)
            about = parsed((path.parent / MANIFEST).read_bytes())
            entry = next(one for one in about["files"] if one["path"] == path.name)
            return cls._read(about, entry)
        except (OSError, ValueError, KeyError, TypeError, StopIteration):
            return None

    @classmethod
    def _read(cls, about: dict[str, Any], entry: dict[str, Any]) -> Card | None:
        if entry["kind"] != "height" or "north_first" not in about:
            return None
        columns, rows = map(int, about["tile_points"])
        place = entry.get("place")
        affine = None
        if place is not None:
            x, a, c, y, b, d = map(float, place)
            affine = x, a, c, y, b, d
        low, high = float(about["low"]), float(about["high"])
        system = str(entry.get("system", ""))
        return cls(columns, rows, low, high, about["north_first"] is True, affine, system)
