# SPDX-License-Identifier: GPL-3.0-or-later
"""The registry of file formats."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from ..numerics.arrays import Floats
from ..numerics.blocks import row_bands
from .elevation import Elevation
from .rows import POINT, HeightRows


@dataclass(frozen=True)
class RawLayout:
    """What a raw file does not say about itself; None is guessed from its size and its values.

    Attributes
    ----------
    columns, rows : samples; a square by default
    bits : 8, 16 or 32, of integers; 32 with ``kind`` "f" are floats
    order : "little" or "big", the byte order
    kind : "u" for numbers from zero on, "i" for signed ones, "f" for floats
    north_first : whether the first row is the northern one
    """

    columns: int | None = None
    rows: int | None = None
    bits: int | None = None
    order: str | None = None
    kind: str | None = None
    north_first: bool = False


@dataclass(frozen=True)
class Format:
    """A file format.

    Attributes
    ----------
    suffix : ending of the file name, in lower case
    help : what such a file holds, for help texts
    read : reads a file, ValueError for a damaged one; None if not supported
    write : writes heights, which come some rows at a time, to a binary file; None if not supported
    point : bytes of a height on the disk while a file is written, with what waits for the range
    read_raw : reads a file that does not describe itself; instead of ``read``
    """

    suffix: str
    help: str
    read: Callable[[Path], Elevation] | None = None
    write: Callable[[IO[bytes], HeightRows], None] | None = None
    point: int = POINT
    read_raw: Callable[[Path, RawLayout], Elevation] | None = None


FORMATS: dict[str, Format] = {}
"""All formats by suffix."""


def add(one: Format) -> None:
    """Register a format. What reads its files and what writes them may be in two modules, of which
    the first describes it."""
    known, usual = FORMATS.get(one.suffix, one), Format(one.suffix, "")
    names = [field.name for field in dataclasses.fields(Format) if field.name != "help"]
    given = {name: getattr(one, name) for name in names}
    new = {name: value for name, value in given.items() if value != getattr(usual, name)}
    FORMATS[one.suffix] = dataclasses.replace(known, **new)


def as_heights(found: NDArray[Any]) -> Floats:
    """The values as contiguous float32, those that are too large for it as NaN."""
    values = np.empty(found.shape, np.float32)
    for rows in row_bands(found.shape):
        with np.errstate(over="ignore", invalid="ignore"):
            values[rows] = found[rows]
        values[rows][np.isinf(values[rows])] = np.nan
    return values
