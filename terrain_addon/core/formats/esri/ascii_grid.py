# SPDX-License-Identifier: GPL-3.0-or-later
"""ESRI ASCII grids (.asc): a header of names and numbers, then rows from north to south.

GDAL converts any elevation file to this format, and many map services offer it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TextIO

import numpy as np

from ...elevation import Elevation, without_marks
from ...numerics.arrays import Floats
from ...numerics.progress import Cancel, poll
from ..registry import Format, add
from ..samples import flip_rows
from .header import counts_of, no_data_of, number_of, place_of

LINE = 500
"""Characters of a line of the header, at most."""
MOST_LINES, MOST_WIDTH = 1000, 100
"""Lines of the header, and characters of a height with the space around it."""
CHUNK = 1 << 20
"""Characters of the rows that are read at once; a file may hold all of them in one line."""


def read(path: Path, cancelled: Cancel | None = None) -> Elevation:
    """Heights in meters; without a spacing if the file has it in degrees of an unknown place."""
    try:
        with path.open(encoding="ascii") as file:
            header, start = _header(file)
            columns, count = counts_of(header)
            size = path.stat().st_size
            if columns * count > size:  # each height has a digit and a space
                raise ValueError(f"it is too short for {columns} x {count} heights")
            if size > MOST_WIDTH * columns * count + CHUNK:
                raise ValueError(f"it is too long for {columns} x {count} heights")
            height = _heights(_words(file, start, cancelled), count, columns)
        place, note = place_of(path, header)
    except ValueError as error:
        reason = "" if isinstance(error, UnicodeError) else f": {error}"
        raise ValueError(f"this is not a complete ESRI ASCII grid{reason}") from None
    flip_rows(height)
    notes = without_marks(height, no_data_of(header))[1] + ((note,) if note else ())
    return Elevation.at(height, place, notes) if place else Elevation(height, notes=notes)


def _header(file: TextIO) -> tuple[dict[str, float], str]:
    """Read the names and numbers of the header, and the beginning of the rows."""
    header: dict[str, float] = {}
    for _ in range(MOST_LINES):
        line = file.readline(LINE)
        words = line.split()
        if words and (not words[0][0].isalpha() or words[0].lower() in ("nan", "inf")):
            return header, line
        if words:
            name = words[0].lower()
            if name in header:
                raise ValueError(f"its header has {name} twice")
            header[name] = number_of(name, words[1:])
    raise ValueError("it has no rows")


def _words(file: TextIO, start: str, cancelled: Cancel | None) -> Iterator[list[str]]:
    """Yield the words of the rows, some at a time; lines need not end where rows do."""
    while text := file.read(CHUNK):
        poll(cancelled)
        text = start + text
        _check_words(text)
        words = text.split()
        start = "" if text[-1].isspace() else words.pop()
        yield words
    yield start.split()


def _check_words(text: str) -> None:
    """Raise ValueError for a word of two lines or more, which would take long as a number."""
    whole = len(text) // LINE * LINE
    lines = np.frombuffer(text[:whole].encode("ascii"), np.uint8).reshape(-1, LINE)
    if (lines.min(1) > ord(" ")).any():
        raise ValueError("its rows hold more than numbers")


def _heights(parts: Iterable[list[str]], rows: int, columns: int) -> Floats:
    """Parse the numbers of all rows."""
    heights = np.empty(rows * columns, np.float32)
    place = 0
    for words in parts:
        try:
            with np.errstate(over="ignore"):
                values = np.array(words, np.float64).astype(np.float32)
                values[np.isinf(values)] = np.nan
        except ValueError:
            raise ValueError("its rows hold more than numbers") from None
        if place + values.size > heights.size:
            raise ValueError(f"it has more heights than {columns} x {rows}")
        heights[place : place + values.size] = values
        place += values.size
    if place != heights.size:
        raise ValueError(f"it has {place} heights, not {columns} x {rows}")
    return heights.reshape(rows, columns)


add(Format(".asc", "an ESRI ASCII grid, from gdal_translate -of AAIGrid", read))
