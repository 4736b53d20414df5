# SPDX-License-Identifier: GPL-3.0-or-later
"""Headers of ENVI beside binary grids: names and values, in braces where they are lists."""

from __future__ import annotations

import math
import re

from ...elevation import METERS, System, Unread, check_count
from ...elevation.systems.texts import system_in
from ..beside import of_corner
from ..raster import Affine
from .grid import Grid, check_bands, number_type

BEGIN = "ENVI"
TYPES = {
    1: "u8",
    2: "i16",
    3: "i32",
    4: "f32",
    5: "f64",
    12: "u16",
    13: "u32",
    14: "i64",
    15: "u64",
}
"""Kinds of numbers with their bits, by the codes of ENVI."""
ZONES = {"wgs-84": (32600, 32700), "wgs84": (32600, 32700), "north america 1983": (26900, None)}
"""Codes of UTM in the north and in the south of a datum, less the zone."""
_FIELD = re.compile(
    r"^\s*([a-z][a-z ]{0,40}?)\s*=\s*(\{[^}]*\}|[^\n{]*)", re.MULTILINE | re.IGNORECASE
)


def grid_of(text: str) -> Grid:
    """Return what a header says."""
    fields = {name.lower(): value.strip() for name, value in _FIELD.findall(text)}
    columns, rows, bands, skip, kind, order = (
        _whole(fields, name, default)
        for name, default in (
            ("samples", None), ("lines", None), ("bands", 1), ("header offset", 0),
            ("data type", None), ("byte order", 0),
        )
    )  # fmt: skip
    check_count(columns, rows)
    check_bands(bands)
    if fields.get("file compression", "0") not in ("0", ""):
        raise Unread("it is compressed by ENVI, which is not read")
    code = TYPES.get(kind, "?0")
    dtype = number_type(code[0], int(code[1:]), "<>"[min(order, 1)])
    affine, system, trouble = _place(fields)
    notes = () if "map info" not in fields or affine else ("Its map info gives no place.",)
    return Grid(
        columns, rows, dtype, skip, 0, fields.get("data ignore value"), affine, system, trouble,
        notes,
    )  # fmt: skip


def _whole(fields: dict[str, str], name: str, default: int | None) -> int:
    text = fields.get(name)
    if text is None and default is not None:
        return default
    if text is None or not text.isdecimal() or len(text) > 9:
        raise ValueError(f"its header has {name} = {(text or '')[:40]!r}, not a whole number")
    return int(text)


def _words(text: str) -> list[str]:
    return [word.strip() for word in text.strip("{} \n").split(",")]


def _place(fields: dict[str, str]) -> tuple[Affine | None, System | None, str]:
    """Return the coordinates of the samples, their system, and why it is not known."""
    words = _words(fields.get("map info", ""))
    if len(words) < 7:
        return None, None, ""
    try:
        column, row, x, y, dx, dy = map(float, words[1:7])
        turn = next((float(word.partition("=")[2]) for word in words if "rotation" in word), 0.0)
    except ValueError:
        raise ValueError("the map info in its header holds more than numbers") from None
    if not all(map(math.isfinite, (column, row, x, y, dx, dy, turn))):
        raise ValueError("the map info in its header holds no finite numbers")
    cosine, sine = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    a, b, c, d = dx * cosine, dx * sine, dy * sine, -dy * cosine
    i, j = column - 1, row - 1  # counted from 1 at the outer corner
    corner = x - i * a - j * c, a, c, y - i * b - j * d, b, d
    try:
        return of_corner(*corner), _system(fields, words), ""
    except ValueError as error:
        return of_corner(*corner), None, str(error)


def _system(fields: dict[str, str], words: list[str]) -> System | None:
    """Return the system of the coordinates; None where it is arbitrary."""
    text = fields.get("coordinate system string", "").strip("{} \n")
    if text:
        return system_in(text)
    name = words[0].lower()
    if name.startswith("geographic"):
        return System.coded(4326)
    if name == "utm" and len(words) > 9:
        north, south = ZONES.get(words[9].lower(), (None, None))
        base = south if words[8].lower().startswith("s") else north
        if base is not None and words[7].isdecimal() and 1 <= int(words[7]) <= 60:
            return System.coded(base + int(words[7]))
    if name == "arbitrary":
        return METERS
    raise ValueError(
        f"its header names the projection {words[0][:40]!r} without a coordinate system string: "
        "state the unit of its coordinates, m or deg"
    )
