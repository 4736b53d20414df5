# SPDX-License-Identifier: GPL-3.0-or-later
"""What GDAL says in a GeoTIFF file about its numbers: no-data value, factor, offset, unit."""

from __future__ import annotations

import re
from dataclasses import dataclass

from .tags import GDAL_METADATA, GDAL_NO_DATA, Tags

_ITEM = re.compile(r'<Item\s+name="(SCALE|OFFSET|UNITTYPE)"([^>]{0,200})>([^<]{1,80})<')
NO_UNIT = ("", "none", "unknown", "unitless", "n/a")


@dataclass(frozen=True)
class Metadata:
    """Height = number * ``factor`` + ``offset`` in a unit, unless it is the mark of voids."""

    no_data: str | None = None
    factor: float = 1.0
    offset: float = 0.0
    unit: str = ""

    @classmethod
    def of(cls, tags: Tags) -> Metadata:
        """Read the metadata in the tags."""
        items = {
            name: text.strip()
            for name, about, text in reversed(
                _ITEM.findall(tags.texts.get(GDAL_METADATA, "")[:100_000])
            )
            if 'sample="' not in about or 'sample="0"' in about
        }
        unit = items.get("UNITTYPE", "")
        return cls(
            tags.texts.get(GDAL_NO_DATA),
            _number(items.get("SCALE"), 1.0),
            _number(items.get("OFFSET"), 0.0),
            "" if unit.lower() in NO_UNIT else unit,
        )


def _number(text: str | None, default: float) -> float:
    try:
        return default if text is None else float(text)
    except ValueError:
        return default
