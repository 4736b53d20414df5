# SPDX-License-Identifier: GPL-3.0-or-later
"""A grid seen through a smooth random displacement, which hides its directions.

Rivers on a grid run from cell to cell in eight directions, and keep to one over many cells. Seen
on a grid that is itself bent, at random and differently each time, they wind.
"""

from __future__ import annotations

import numpy as np

from ..arrays import Bools, Floats
from ..cancel import Cancel, poll
from ..resample import bilinear, blend_rows, doubled
from . import chance
from .bands import in_cache
from .smoothing import share_around

BEND = 1.4
"""Cells by which places are displaced, as a standard deviation. Twice as much would fold the grid
in places; at two thirds the valleys' eightfold symmetry is half as large again."""
BEND_WAVES = (24.0, 12.0)
"""Lengths of the waves in cells; the second are half as high."""
SHORE = 8
"""Cells over which the bend fades towards outlets, which keep their places."""


def doubled_and_bent(field: Floats, seed: int, cancelled: Cancel | None = None) -> Floats:
    """A field at twice its resolution, bent."""
    poll(cancelled)
    fine = doubled(field)
    poll(cancelled)
    return bent([fine], seed, cancelled=cancelled)[0]


def bent(
    fields: list[Floats],
    seed: int,
    outlets: Bools | None = None,
    cancelled: Cancel | None = None,
) -> list[Floats]:
    """Fields of one shape, each seen through the same displacement.

    Parameters
    ----------
    outlets : (H, W) bool, where nothing is displaced: a coast would come to lie inland
    """
    shape = fields[0].shape
    down, across = _Displacement(shape, seed + 1), _Displacement(shape, seed + 2)
    columns = np.arange(shape[1], dtype=np.float32)
    near = None if outlets is None else share_around(outlets, SHORE)
    out = [np.empty_like(field) for field in fields]
    for rows in in_cache(shape):
        poll(cancelled)
        j, i = down.rows(rows), across.rows(rows)
        if near is not None:  # on a straight shore outlets are half of what lies around
            free = np.maximum(1 - 2 * near[rows], 0)
            j *= free
            i *= free
        j += np.arange(rows.start, rows.stop, dtype=np.float32)[:, None]
        i += columns
        for field, result in zip(fields, out, strict=True):
            result[rows] = bilinear(field, j, i)
    return out


class _Displacement:
    """Smooth random distances in cells."""

    def __init__(self, shape: tuple[int, ...], seed: int) -> None:
        long, short = BEND_WAVES
        self._long = chance.smooth_lines(shape, long, seed)
        self._short = chance.smooth_lines(shape, short, seed + 50021)

    def rows(self, rows: slice) -> Floats:
        (short, at), (long, where) = self._short, self._long
        wave = blend_rows(short, at.part(rows))
        wave *= np.float32(0.5)
        wave += blend_rows(long, where.part(rows))
        wave *= np.float32(BEND / 1.25**0.5)
        return wave
