# SPDX-License-Identifier: GPL-3.0-or-later
"""Points of a regular grid as text (.xyz): x, y and height a line, in any order.

Such a file is read twice: the first time for the columns and rows that there are, the second time
for the heights. Places of the grid without a point are voids.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ..elevation import check_count, without_marks
from ..numerics.arrays import Doubles, Floats, Indices
from ..numerics.progress import Cancel, poll
from .beside import Beside
from .esri.ascii_grid import CHUNK, LINE, check_words, encoding_of
from .raster import Raster
from .registry import Format, add
from .samples import ANYWAY, mark_of, store

MOST_LINES = 1000
"""Lines of comments and of a header."""
MOST_PLACES = 1 << 17
"""Different x, or y, of a grid."""
APART = 1e-7
"""Share of the extent up to which two x, or y, are the same."""
NEAR = 1.5
"""Shortest steps up to which a step has nothing between."""
OFF = 0.05
"""Steps that a point may lie off the grid: coordinates are rounded."""
MOST_VOIDS = 50
"""Places of a large grid for each of its points."""
NAMES = (
    ("x", "lon", "long", "longitude", "easting", "east", "e", "rechtswert"),
    ("y", "lat", "latitude", "northing", "north", "n", "hochwert"),
    ("z", "h", "height", "elev", "elevation", "alt", "altitude", "value", "h\u00f6he", "hoehe"),
)
"""Names of x, y and height in a header."""
IRREGULAR = "its points lie on no regular grid: make one of them, for example with gdal_grid"


@dataclass(frozen=True)
class _Table:
    """How the lines of a file are written.

    Attributes
    ----------
    encoding : of the text
    skipped : lines before the first point
    width : words of a line
    order : places of x, y and height among them
    separator : between words, where it is no space
    comma : whether decimals have a comma
    notes : what was assumed
    """

    encoding: str
    skipped: int
    width: int
    order: tuple[int, ...]
    separator: str
    comma: bool
    notes: tuple[str, ...]


@dataclass(frozen=True)
class _Axis:
    """Regular places along x or y."""

    first: float
    step: float
    count: int

    def indices(self, places: Doubles) -> Indices:
        """Return the numbers of places; ValueError for those between two."""
        exact = (places - self.first) / self.step
        numbers = np.rint(exact)
        if np.abs(exact - numbers).max() > OFF:
            raise ValueError(IRREGULAR)
        return numbers.astype(np.intp)


def read(path: Path, beside: Beside, cancelled: Cancel | None = None) -> Raster:
    """Read the points of a regular grid, in any order."""
    try:
        table = _table(path)
        across, along = _axes(path, table, cancelled)
        height = np.full((along.count, across.count), np.nan, np.float32)
        mark = mark_of(beside.no_data, np.dtype("f8"))
        for x, y, z in _points(path, table, cancelled):
            values = np.empty(z.shape, np.float32)
            store(z, values, mark)
            _place(height, along.indices(y), across.indices(x), values)
    except UnicodeError:
        raise ValueError("this is not a table of points") from None
    notes = (*table.notes, *without_marks(height, mark)[1])
    affine = across.first, across.step, 0.0, along.first, 0.0, along.step
    return Raster(height, False, affine, notes=notes)


def _table(path: Path) -> _Table:
    """Read how the lines are written, from the first point and what stands above it."""
    encoding = encoding_of(path)
    encoding = "latin-1" if encoding == "ascii" else encoding
    names: list[str] = []
    with path.open(encoding=encoding) as file:
        for number in range(MOST_LINES):
            line = file.readline(LINE)
            if not line:
                break
            separator, comma = _separated(line)
            words = _plain(line, separator, comma).split()
            if len(words) >= 3 and all(map(_is_number, words[:3])):
                order, notes = _order(names, len(words))
                return _Table(encoding, number, len(words), order, separator, comma, notes)
            names = [word.strip("#\"'") for word in words] if words else names
            names = [name.lower() for name in names if name]
    raise ValueError("this is not a table of points: no line has x, y and a height")


def _separated(line: str) -> tuple[str, bool]:
    """Return what separates words where it is no space, and whether decimals have a comma."""
    if ";" in line:
        return ";", "," in line
    words = line.split()
    if "," in line and len(words) > 2 and not any(word.endswith(",") for word in words):
        return "", True
    return ("," if "," in line else ""), False


def _plain(text: str, separator: str, comma: bool) -> str:
    """Return a text with words between spaces, and points in decimals."""
    text = text.replace(separator, " ") if separator else text
    return text.replace(",", ".") if comma else text


def _is_number(word: str) -> bool:
    try:
        float(word)
    except ValueError:
        return False
    return True


def _order(names: list[str], width: int) -> tuple[tuple[int, ...], tuple[str, ...]]:
    """Return the places of x, y and height among the words of a line, and notes."""
    if len(names) == width:
        places = [[k for k, name in enumerate(names) if name in known] for known in NAMES]
        if all(len(one) == 1 for one in places):
            return tuple(one[0] for one in places), ()
    if width == 3:
        return (0, 1, 2), ()
    return (0, 1, 2), (f"The first three of {width} columns are taken as x, y and height.",)


def _points(
    path: Path, table: _Table, cancelled: Cancel | None
) -> Iterator[tuple[Doubles, Doubles, Doubles]]:
    """Yield x, y and height of some points at a time."""
    with path.open(encoding=table.encoding) as file:
        for _ in range(table.skipped):
            file.readline(LINE)
        rest = ""
        while text := file.read(CHUNK):
            poll(cancelled)
            whole, newline, rest = (rest + text).rpartition("\n")
            check_words(whole + rest)
            if newline:
                yield from _parsed(whole, table)
            elif len(rest) > LINE:
                raise ValueError("a line of it is too long for a point")
        yield from _parsed(rest, table)


def _parsed(text: str, table: _Table) -> Iterator[tuple[Doubles, Doubles, Doubles]]:
    """Parse whole lines."""
    words = _plain(text, table.separator, table.comma).split()
    lines = text.count("\n") + 1
    if len(words) != table.width * lines:
        lines = sum(1 for line in text.split("\n") if line.strip())
    if len(words) != table.width * lines:
        raise ValueError(f"not all of its lines have {table.width} numbers")
    if not words:
        return
    try:
        x, y, z = (np.array(words[place :: table.width], np.float64) for place in table.order)
    except ValueError:
        raise ValueError("its lines hold more than numbers") from None
    if not (np.isfinite(x).all() and np.isfinite(y).all()):
        raise ValueError("its points have places that are no finite numbers")
    yield x, y, z


def _axes(path: Path, table: _Table, cancelled: Cancel | None) -> tuple[_Axis, _Axis]:
    """Return the regular columns and rows of the points; ValueError for other points."""
    places = [np.empty(0), np.empty(0)]
    points = 0
    for x, y, _ in _points(path, table, cancelled):
        points += x.size
        places = [_merged(*pair) for pair in zip(places, (x, y), strict=True)]
    across, along = map(_axis, places)
    check_count(across.count, along.count)
    if across.count * along.count > max(ANYWAY // 4, MOST_VOIDS * points):
        raise ValueError(IRREGULAR)
    return across, along


def _merged(places: Doubles, more: Doubles) -> Doubles:
    """Return the different places, in order; ValueError for more than a grid has."""
    union = np.union1d(places, more)
    apart = np.diff(union, prepend=-np.inf) > APART * (union[-1] - union[0])
    union = union[apart] if union[-1] > union[0] else union[:1]
    if union.size > MOST_PLACES:
        raise ValueError(IRREGULAR)
    return union


def _axis(places: Doubles) -> _Axis:
    """Return the regular places among which all of these are."""
    if places.size < 2:
        raise ValueError("its points lie on one line")
    steps = np.diff(places)
    step = float(steps[steps < NEAR * steps.min()].mean())
    extent = float(places[-1] - places[0])
    count = round(min(extent / step, 1e9))
    axis = _Axis(float(places[0]), extent / count, count + 1)
    check_count(axis.count, 1)
    axis.indices(places)
    return axis


def _place(height: Floats, rows: Indices, columns: Indices, values: Floats) -> None:
    """Fill in heights at places; ValueError for two that differ at one place."""
    before = height[rows, columns]
    height[rows, columns] = values
    after = height[rows, columns]
    twice = ((before != values) & ~np.isnan(before)) | ((after != values) & ~np.isnan(values))
    if twice.any():
        raise ValueError("it has points at one place whose heights differ: keep one of them")


add(Format(".xyz", "points of a regular grid, from gdal_translate -of XYZ", read))
