# SPDX-License-Identifier: GPL-3.0-or-later
"""From coordinates to cells: whole part, float32 offset, and the hash keys of lattice lines."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .octave import Axis, Field
from .scratch import Scratch


def split(coords: Axis, scratch: Scratch, out: Field) -> Axis:
    """Whole coordinates below ``coords``; the rest, 0 to 1, goes into ``out`` as float32.

    Coordinates stay float64 up to here, so that cells far from the origin are as smooth as near.
    """
    cell = scratch("cell", coords.shape, np.float64)
    np.floor(coords, out=cell)
    np.subtract(coords, cell, out=out, casting="same_kind")
    return cell


def copy_lines(lines: Axis, out: NDArray[np.uint32], scratch: Scratch) -> None:
    """Whole coordinates modulo 2**32; by way of int64, which holds all that have a fraction."""
    whole = scratch("whole", lines.shape, np.int64)
    np.copyto(whole, lines, casting="unsafe")
    np.copyto(out, whole, casting="unsafe")


def tap_keys(
    cell: Axis,
    taps: int,
    first: int,
    primes: tuple[int, ...],
    period: tuple[int, int] | None,
    scratch: Scratch,
) -> NDArray[np.uint32]:
    """Keys (taps, axes, n) of the lattice lines cell + first, cell + first + 1 and so on."""
    keys = scratch("keys", (taps, *cell.shape), np.uint32)
    steps = np.array(primes[: len(cell)], np.uint32)[:, None]
    for tap, key in enumerate(keys):
        if period is not None:
            lines = cell + (first + tap)
            lines[:2] = np.remainder(lines[:2], np.array(period)[:, None])
            copy_lines(lines, key, scratch)
            key *= steps
        elif tap == 0:
            copy_lines(cell, key, scratch)
            key += np.uint32(first & 0xFFFFFFFF)
            key *= steps
        else:
            np.add(keys[tap - 1], steps, out=key)
    return keys


def corner_shape(axis: int, axes: int, taps: int, points: int) -> list[int]:
    """Shape of (taps, points) values of one axis in an array of corners [..., y, x, point]."""
    return [1] * (axes - 1 - axis) + [taps] + [1] * axis + [points]
