# SPDX-License-Identifier: GPL-3.0-or-later
"""ESRI ASCII grids (.asc): a header of names and numbers, then rows from north to south.

GDAL converts any elevation file to this format, and many map services offer it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TextIO

import numpy as np

from ...elevation import without_marks
from ...numerics.arrays import Floats
from ...numerics.progress import Cancel, poll
from ..beside import Beside
from ..raster import Raster
from ..registry import Format, add
from ..samples import flip_rows, mark_of
from .header import affine_of, counts_of, no_data_of, number_of

LINE = 500
"""Characters of a line of the header, at most."""
MOST_LINES, MOST_WIDTH = 1000, 100
"""Lines of the header, and characters of a height with the space around it."""
WIDEST = {"utf-16": 2}
"""Bytes of a character by encoding, where there are more than one."""
CHUNK = 1 << 20
"""Characters of the rows that are read at once; a file may hold all of them in one line."""


def read(path: Path, beside: Beside, cancelled: Cancel | None = None) -> Raster:
    """Heights, rows from north to south in the file; no place if it states no size of cells."""
    try:
        encoding = encoding_of(path)
        with path.open(encoding=encoding) as file:
            header, start = _header(file)
            columns, count = counts_of(header)
            size = path.stat().st_size
            if columns * count > size:  # each height has a digit and a space
                raise ValueError(f"it is too short for {columns} x {count} heights")
            if size > WIDEST.get(encoding, 1) * MOST_WIDTH * columns * count + CHUNK:
                raise ValueError(f"it is too long for {columns} x {count} heights")
            mark = float(mark_of(beside.no_data, np.dtype("f8")) or no_data_of(header))
            height = _heights(_words(file, start, cancelled), count, columns, mark)
        affine, notes = affine_of(header)
    except ValueError as error:
        reason = "" if isinstance(error, UnicodeError) else f": {error}"
        raise ValueError(f"this is not a complete ESRI ASCII grid{reason}") from None
    flip_rows(height)
    return Raster(height, affine=affine, notes=without_marks(height, mark)[1] + notes)


def encoding_of(path: Path) -> str:
    """Return the encoding by the byte order mark that editors on Windows write."""
    with path.open("rb") as file:
        start = file.read(3)
    if start.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "utf-16"
    return "utf-8-sig" if start == b"\xef\xbb\xbf" else "ascii"


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
        check_words(text)
        words = text.split()
        start = "" if text[-1].isspace() else words.pop()
        yield words
    yield start.split()


def check_words(text: str) -> None:
    """Raise ValueError for a word of two lines or more, which would take long as a number."""
    whole = len(text) // LINE * LINE
    lines = np.frombuffer(text[:whole].encode("ascii"), np.uint8).reshape(-1, LINE)
    if (lines.min(1) > ord(" ")).any():
        raise ValueError("its rows hold more than numbers")


def _heights(parts: Iterable[list[str]], rows: int, columns: int, mark: float) -> Floats:
    """Parse the numbers of all rows; the mark of voids becomes NaN."""
    heights = np.empty(rows * columns, np.float32)
    place = 0
    for words in parts:
        try:
            with np.errstate(over="ignore"):
                numbers = np.array(words, np.float64)
                values = numbers.astype(np.float32)
                values[numbers == mark] = np.nan
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
