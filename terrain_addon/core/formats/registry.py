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
from .rows import POINT, HeightRows


@dataclass(frozen=True)
class Heights:
    """Contents of a height file.

    Attributes
    ----------
    values : (rows, columns) float32, row 0 at the lowest y
    spacing : meters between samples, None where the file does not state it
    """

    values: Floats
    spacing: float | None = None


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
    """

    suffix: str
    help: str
    read: Callable[[Path], Heights] | None = None
    write: Callable[[IO[bytes], HeightRows], None] | None = None
    point: int = POINT


FORMATS: dict[str, Format] = {}
"""All formats by suffix."""


def add(one: Format) -> None:
    """Register a format. What reads its files and what writes them may be in two modules."""
    known = FORMATS.get(one.suffix, one)
    given = {field.name: getattr(one, field.name) for field in dataclasses.fields(Format)}
    usual = Format(one.suffix, known.help)
    FORMATS[one.suffix] = dataclasses.replace(
        known, **{name: value for name, value in given.items() if value != getattr(usual, name)}
    )


def finite(path: Path, found: NDArray[Any]) -> Floats:
    """The values as contiguous float32; ValueError unless all are finite."""
    with np.errstate(over="ignore"):
        values = np.ascontiguousarray(found, np.float32)
    if not np.isfinite(values).all():
        raise ValueError(f"{path.name}: all values must be finite numbers within 3.4e38")
    return values
