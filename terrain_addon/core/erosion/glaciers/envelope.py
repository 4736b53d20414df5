# SPDX-License-Identifier: GPL-3.0-or-later
"""Lower envelopes of parabolas: the cross sections of troughs."""

from __future__ import annotations

import math

import numpy as np

from ...numerics.arrays import Doubles, Floats, Indices
from ...numerics.blocks import even_parts
from ...numerics.progress import Cancel, poll

FAR = np.float32(1e9)
"""Meters: above all ground."""
CLASSES = 5
"""Number of steepnesses: a parabola of one steepness is separable into rows and columns."""
STRIP = 128
"""Lines worked on at once: they stay in the processor's cache."""


def lower_envelope(
    shape: tuple[int, int],
    cells: Indices,
    bed: Doubles,
    steepness: Doubles,
    reach: Doubles,
    *,
    classes: int = CLASSES,
    cancelled: Cancel | None = None,
) -> Floats:
    """Return the lowest of the parabolas that rise from some cells of a grid.

    Parameters
    ----------
    shape : tuple of int
        Rows and columns of the grid.
    cells : ndarray of intp, shape (n,)
        Row-major numbers.
    bed : ndarray of float64, shape (n,)
        Meters, heights of the vertices.
    steepness : ndarray of float64, shape (n,)
        Meters by which each parabola rises in the first cell; rounded to one of the ``classes``.
    reach : ndarray of float64, shape (n,)
        Cells up to which it counts.

    Returns
    -------
    ndarray of float32, shape (H, W)
        Meters; `FAR` where no parabola reaches.

    Examples
    --------
    >>> one = np.ones(1)
    >>> lower_envelope((1, 5), np.array([1]), 10 * one, 2 * one, 2 * one).tolist()
    [[12.0, 10.0, 12.0, 18.0, 1000000000.0]]
    """
    out = np.full(shape, FAR, np.float32)
    if not cells.size:
        return out
    log = np.log2(steepness)
    low, high = float(log.min()), float(log.max())
    step = max((high - low) / classes, 1e-6)
    kind = np.minimum((log - low) / step, classes - 1).astype(np.intp)
    rows, columns = np.divmod(cells, shape[1])
    for number in range(classes):
        poll(cancelled)
        own = np.flatnonzero(kind == number)
        if not own.size:
            continue
        radius = math.ceil(float(reach[own].max()))
        window = tuple(
            slice(max(int(at[own].min()) - radius, 0), int(at[own].max()) + radius + 1)
            for at in (rows, columns)
        )
        part = out[window]
        field = np.full(part.shape, FAR, np.float32)
        field[rows[own] - window[0].start, columns[own] - window[1].start] = bed[own]
        rise = 2 ** (low + (number + 0.5) * step) if high > low else 2**low
        for lines in (field, field.T):
            _raise_parabolas(lines, np.float32(rise), radius, cancelled)
        np.minimum(part, field, out=part)
    return out


def _raise_parabolas(
    field: Floats, rise: np.float32, radius: int, cancelled: Cancel | None
) -> None:
    """Replace each value, in place, by the lowest of the parabolas in its column."""
    for columns in even_parts(field.shape[1], STRIP):
        poll(cancelled)
        vertices = np.ascontiguousarray(field[:, columns])
        lowest, raised = vertices.copy(), np.empty_like(vertices)
        for step in range(1, min(radius, len(field) - 1) + 1):
            np.add(vertices, rise * np.float32(step * step), out=raised)
            np.minimum(lowest[step:], raised[:-step], out=lowest[step:])
            np.minimum(lowest[:-step], raised[step:], out=lowest[:-step])
        field[:, columns] = lowest
