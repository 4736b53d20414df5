# SPDX-License-Identifier: GPL-3.0-or-later
"""What the numbers of a GeoTIFF file mean: no-data value, factor, offset, vertical unit."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from .keys import FEET, UNIT_NAMES, VERTICAL_UNIT, read_keys
from .layout import Layout
from .tags import GDAL_METADATA, GDAL_NO_DATA, Tags

_ITEM = re.compile(r'<Item\s+name="(SCALE|OFFSET|UNITTYPE)"[^>]{0,200}>([^<]{1,80})<')
_FEET = {"ft": 0.3048, "foot": 0.3048, "feet": 0.3048, "us-ft": FEET[9003], "ftus": FEET[9003],
         "us survey foot": FEET[9003]}  # fmt: skip


@dataclass(frozen=True)
class Metadata:
    """Height in meters = number * ``factor`` + ``offset``, unless it is ``no_data``."""

    no_data: float | None = None
    factor: float = 1.0
    offset: float = 0.0
    note: str = ""

    @classmethod
    def of(cls, tags: Tags, layout: Layout) -> Metadata:
        """Read the metadata in the tags; ValueError for numbers that are not finite."""
        items = dict(_ITEM.findall(tags.texts.get(GDAL_METADATA, "")[:100_000]))
        factor, offset = _number(items.get("SCALE"), 1.0), _number(items.get("OFFSET"), 0.0)
        key = read_keys(tags).get(VERTICAL_UNIT)
        unit = FEET.get(int(key) if key else 0)
        name = UNIT_NAMES.get(int(key) if key else 0)
        if unit is None and (named := items.get("UNITTYPE", "").strip().lower()) in _FEET:
            unit, name = _FEET[named], "feet"
        notes: list[str] = []
        if (factor, offset) != (1.0, 0.0):
            notes.append(f"Numbers multiplied by {factor:g}, plus {offset:g}.")
        if unit is not None:
            factor, offset = factor * unit, offset * unit
            notes.append(f"Heights converted from {name} to meters.")
        if not (0 < abs(factor) < 1e6 and abs(offset) < 1e9):
            raise ValueError(f"its factor {factor:g} and offset {offset:g} make no heights")
        no_data = tags.texts.get(GDAL_NO_DATA)
        mark = None if no_data is None else _number(no_data.replace(",", "."), math.nan)
        return cls(mark, factor, offset, " ".join(notes))


def _number(text: str | None, default: float) -> float:
    try:
        return default if text is None else float(text)
    except ValueError:
        return default
