# SPDX-License-Identifier: GPL-3.0-or-later
"""A grid seen through a smooth random displacement, which hides its directions.

Rivers on a grid run from cell to cell in eight directions, and keep to one over many cells. Seen
on a grid that is itself bent, at random and differently each time, they wind.
"""

from __future__ import annotations

import numpy as np

from ...numerics.arrays import Bools, Doubles, Floats
from ...numerics.blocks import SAMPLES, row_bands
from ...numerics.progress import Cancel, poll
from ...numerics.resample import bilinear, bilinear_exact, blend_rows, doubled
from ...numerics.wrapping import on_torus, wrapped
from .. import random_fields
from ..smoothing import share_around

BEND = 1.4
"""Cells by which places are displaced, as a standard deviation. With twice as much the grid would
fold in places; with half as much the valleys' eightfold symmetry is twice as large."""
WAVE = 20.0
"""Length of the displacement's waves in cells."""
FARTHEST = 10
"""Cells by which no place is displaced farther."""
TAPS = 2
"""Cells around a cell that it depends on when it is doubled."""
HOLLOW = 0.3
"""Share of outlets among the nine cells around an outlet that is no part of a shore."""
SHORE = 8
"""Cells over which the bend fades towards outlets, which keep their places."""


def doubled_and_bent(
    field: Floats, seed: int, cancelled: Cancel | None = None, *, wraps: bool = False
) -> Floats:
    """Return a field at twice its resolution, bent."""
    fine = doubled_on(field, cancelled, wraps=wraps)
    poll(cancelled)
    return bent([fine], seed, cancelled=cancelled, wraps=wraps)[0]


def doubled_on(field: Floats, cancelled: Cancel | None = None, *, wraps: bool = False) -> Floats:
    """Return a field at twice its resolution, also one that repeats."""
    if not wraps:
        return doubled(field, cancelled)
    fine = doubled(wrapped(field, TAPS), cancelled)
    return np.ascontiguousarray(fine[2 * TAPS : -2 * TAPS, 2 * TAPS : -2 * TAPS])


def bent(
    fields: list[Floats],
    seed: int,
    outlets: Bools | None = None,
    cancelled: Cancel | None = None,
    *,
    wraps: bool = False,
) -> list[Floats]:
    """Return fields of one shape, each seen through the same displacement.

    Parameters
    ----------
    outlets : ndarray of bool, shape (H, W), optional
        Where nothing is displaced: a coast would come to lie inland.
    wraps : bool, default False
        Whether the fields repeat.
    """
    shape = fields[0].shape
    (down, at), (across, _) = (
        random_fields.smooth_lines(shape, WAVE, seed + part, wraps=wraps) for part in (1, 2)
    )
    columns = np.arange(shape[1], dtype=np.float32)
    if wraps:
        columns += FARTHEST
    around = FARTHEST if wraps else 0
    near = None
    if outlets is not None and wraps:
        near = on_torus(_near_outlets, 2 * SHORE, outlets)
    elif outlets is not None:
        near = share_around(outlets, SHORE)
    if wraps:
        fields = [wrapped(field, around) for field in fields]
    out = [np.empty(shape, field.dtype) for field in fields]
    for rows in row_bands(shape, cancelled, SAMPLES):
        part = at.part(rows)
        j, i = blend_rows(down, part), blend_rows(across, part)
        j *= np.float32(BEND)
        i *= np.float32(BEND)
        if near is not None:  # on a straight shore outlets are half of what lies around
            free = np.maximum(1 - 2 * near[rows], 0)
            j *= free
            i *= free
        j += np.arange(rows.start + around, rows.stop + around, dtype=np.float32)[:, None]
        i += columns
        for field, result in zip(fields, out, strict=True):
            result[rows] = bilinear(field, j, i)
    return out


def _near_outlets(outlets: Bools) -> Floats:
    """Return the share of outlets around each cell; the ground around an outlet in a hollow counts
    too, as the hollow would move away from it."""
    hollows = outlets & (share_around(outlets, 1) < HOLLOW)
    return share_around(outlets | (share_around(hollows, SHORE) > 0), SHORE)


def before_bend(
    shape: tuple[int, ...], seed: int, places: Doubles, outlets: Bools | None = None
) -> Doubles:
    """Return where the places (n, 2), rows and columns, of what :func:`bent` returns were before.

    No inversion is needed: what is seen at a place was at the place plus its displacement.
    """
    rows, columns = places.T
    moves = np.stack(
        [
            BEND * random_fields.smooth_at(shape, WAVE, seed + part, rows, columns)
            for part in (1, 2)
        ],
        axis=1,
    ).astype(np.float64)
    if outlets is not None:
        near = bilinear_exact(share_around(outlets, SHORE), rows, columns)
        moves *= np.maximum(1 - 2 * near, 0)[:, None]
    return places + moves
