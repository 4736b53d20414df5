# SPDX-License-Identifier: GPL-3.0-or-later
"""From coordinates to cells: whole part, float32 offset, and the hash keys of lattice lines."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .octave import Axis, Field
from .scratch import Scratch

Keys = NDArray[np.uint32]

LARGEST_CELL = 2.0**52
"""From here on, coordinates have no fraction left."""
NARROW_CELL = 2.0**29
"""Below this, cells fit a signed 32-bit integer, skewed ones too."""


def split(coord: Axis, scratch: Scratch, out: Field) -> Axis:
    """Whole coordinates below ``coord``; the rest, 0 to 1, goes into ``out`` as float32.

    Coordinates stay float64 up to here, so that cells far from the origin are as smooth as near.
    """
    cell = scratch("cell", coord.shape, np.float64)
    np.floor(coord, out=cell)
    rest = scratch("rest_of_cell", coord.shape, np.float64)
    np.subtract(coord, cell, out=rest)
    np.copyto(out, rest, casting="same_kind")
    return cell


def copy_lines(lines: Axis, wide: bool, out: Keys, scratch: Scratch) -> None:
    """Whole coordinates modulo 2**32; ``wide`` if some do not fit a signed 32-bit integer."""
    if wide:
        whole = scratch("whole", lines.shape, np.int64)
        np.copyto(whole, lines, casting="unsafe")
        np.copyto(out, whole, casting="unsafe")
    else:
        np.copyto(out.view(np.int32), lines, casting="unsafe")


def tap_keys(
    cell: Axis,
    taps: int,
    first: int,
    prime: int,
    period: int | None,
    wide: bool,
    name: str,
    scratch: Scratch,
) -> list[Keys]:
    """Keys of the lattice lines cell + first, cell + first + 1 and so on.

    They lie in scratch arrays that are named after ``name``, and may be changed.
    """
    keys = [scratch(f"{name}{tap}", cell.shape, np.uint32) for tap in range(taps)]
    if period is not None:
        for tap, key in enumerate(keys):
            copy_lines(np.remainder(cell + (first + tap), period), False, key, scratch)
            key *= np.uint32(prime)
        return keys
    base = scratch("base", cell.shape, np.uint32)
    copy_lines(cell, wide, base, scratch)
    base *= np.uint32(prime)
    for tap, key in enumerate(keys):
        np.add(base, np.uint32((first + tap) * prime & 0xFFFFFFFF), out=key)
    return keys
