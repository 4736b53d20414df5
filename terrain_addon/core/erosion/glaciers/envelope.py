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
STEEPENING = 0.3
"""Distance over which a parabola steepens beyond its reach, as a share of that."""
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
    highest: float,
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
        Cells beyond which it steepens.
    highest : float
        Meters, above all vertices: up to there the result has no gaps or steps.

    Returns
    -------
    ndarray of float32, shape (H, W)
        Meters; `FAR` where no parabola reaches.

    Examples
    --------
    >>> one = np.ones(1)
    >>> lower_envelope((1, 4), np.array([1]), 10 * one, 2 * one, 2 * one, 12.0).tolist()
    [[12.0, 10.0, 12.0, 18.0]]
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
        middle = low + (number + 0.5) * step if high > low else low
        rise = _rise(2**middle, float(reach[own].max()), highest - float(bed[own].min()))
        window = tuple(
            slice(max(int(at[own].min()) - rise.size, 0), int(at[own].max()) + rise.size + 1)
            for at in (rows, columns)
        )
        part = out[window]
        field = np.full(part.shape, FAR, np.float32)
        field[rows[own] - window[0].start, columns[own] - window[1].start] = bed[own]
        np.minimum(part, lowered(field, rise, cancelled), out=part)
    return out


def _rise(steepness: float, reach: float, relief: float) -> Floats:
    """Return the rise of a parabola at 1, 2, ... cells, until it is above all relief."""
    near = math.ceil(reach)
    beyond = max(math.ceil(STEEPENING * near), 3)
    cells = np.arange(1, near + beyond + 1, dtype=np.float64)
    rise = steepness * cells**2 + relief * (np.maximum(cells - near, 0) / beyond) ** 2
    return rise.astype(np.float32)


def lowered(field: Floats, rise: Floats, cancelled: Cancel | None = None) -> Floats:
    """Return a field, overwritten, lowered to what rises from each of its cells: by ``rise[0]`` in
    the first row or column, ``rise[1]`` in the second, and the sum of both across rows and columns.
    """
    for lines in (field, field.T):
        for columns in even_parts(lines.shape[1], STRIP):
            poll(cancelled)
            vertices = np.ascontiguousarray(lines[:, columns])
            lowest, raised = vertices.copy(), np.empty_like(vertices)
            for step, more in enumerate(rise[: len(vertices) - 1], 1):
                np.add(vertices, more, out=raised)
                np.minimum(lowest[step:], raised[:-step], out=lowest[step:])
                np.minimum(lowest[:-step], raised[step:], out=lowest[:-step])
            lines[:, columns] = lowest
    return field
