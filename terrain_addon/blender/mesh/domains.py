# SPDX-License-Identifier: GPL-3.0-or-later
"""Elements of a grid mesh by domain, and resampling of their values."""

from collections.abc import Iterator
from typing import Any

import bpy
import numpy as np
from numpy.typing import NDArray

from ..data.attributes import values_of

Shape = tuple[int, int]

_POINTS, _CELLS, _ENDS = "points", "cells", "ends of cells"
_PARTS = {
    "POINT": ((_POINTS, _POINTS),),
    "EDGE": ((_POINTS, _CELLS), (_CELLS, _POINTS)),  # along X, along Y
    "FACE": ((_CELLS, _CELLS),),
    "CORNER": ((_ENDS, _ENDS),),
}
"""The grids formed by the elements of a domain: what their rows and columns are."""


def _length(kind: str, points: int) -> int:
    """Return the number of elements along an axis with that many points."""
    return {_POINTS: points, _CELLS: points - 1, _ENDS: 2 * (points - 1)}[kind]


def element_count(domain: str, shape: Shape) -> int:
    """Return the number of elements of a domain of a grid."""
    nx, ny = shape
    return sum(_length(rows, ny) * _length(columns, nx) for rows, columns in _PARTS[domain])


def element_order(mesh: bpy.types.Mesh, shape: Shape, domain: str) -> Any:
    """Return an index that sorts the elements of a domain by its grids."""
    nx, ny = shape
    if domain == "CORNER":
        of_face = np.arange(4 * (nx - 1) * (ny - 1), dtype=np.int32).reshape(ny - 1, nx - 1, 4)
        ends = of_face[..., [0, 1, 3, 2]].reshape(ny - 1, nx - 1, 2, 2)  # faces go around
        return ends.swapaxes(1, 2).reshape(-1)
    if domain == "EDGE":  # the grid node numbers edges along Y differently
        ends = values_of(mesh.attributes[".edge_verts"])
        start = ends.min(axis=1)
        return np.lexsort((start, ends.max(axis=1) - start > 1))
    return slice(None)


def grids(
    domain: str, values: NDArray[Any], old: Shape, new: Shape, *, nearest: bool
) -> Iterator[NDArray[Any]]:
    """Yield the values of each grid of a domain, resampled to another number of points, flat."""
    first = 0
    for along_y, along_x in _PARTS[domain]:
        rows, columns = _length(along_y, old[1]), _length(along_x, old[0])
        part = values[first : first + rows * columns].reshape(rows, columns, -1)
        at = _places(along_y, old[1], new[1]), _places(along_x, old[0], new[0])
        yield _sampled(part, *at, nearest=nearest).reshape(-1, values.shape[1])
        first += rows * columns


def _places(kind: str, old: int, new: int) -> NDArray[np.float64]:
    """Return the fractional indices, among ``old`` points, of the elements along an axis of ``new``
    points.

    The end of a cell lies in the old cell on its own side, so that corners differ only where those
    of adjacent cells did before.
    """
    if kind == _POINTS:
        return np.linspace(0, old - 1, new)
    if kind == _CELLS:
        centers = (np.arange(new - 1) + 0.5) * (old - 1) / (new - 1) - 0.5
        return centers.clip(0, old - 2)
    points = np.arange(new) * (old - 1)  # over new - 1: exact in integers
    starts, ends = points[:-1], points[1:]
    cells = np.stack([starts // (new - 1), (ends - 1) // (new - 1)], axis=1)
    return (np.stack([starts, ends], axis=1) / (new - 1) + cells).reshape(-1)


def resampled(values: NDArray[Any], shape: Shape, *, nearest: bool = False) -> NDArray[Any]:
    """Resample a field (rows, columns, ...) to (nx, ny) points from border to border.

    float32 is interpolated bilinearly unless ``nearest``; other types take the nearest value.
    """
    rows = _places(_POINTS, values.shape[0], shape[1])
    columns = _places(_POINTS, values.shape[1], shape[0])
    return _sampled(values, rows, columns, nearest=nearest or values.dtype != np.float32)


def _sampled(
    values: NDArray[Any], rows: NDArray[np.float64], columns: NDArray[np.float64], *, nearest: bool
) -> NDArray[Any]:
    """Sample a field at ascending fractional row and column indices."""
    if nearest:
        near = values.take(np.rint(columns).astype(int), axis=1)
        return near.take(np.rint(rows).astype(int), axis=0)
    across = _blended(values.swapaxes(0, 1), columns)  # the few rows first
    return _blended(np.ascontiguousarray(across.swapaxes(0, 1)), rows)


def _blended(values: NDArray[Any], at: NDArray[np.float64]) -> NDArray[Any]:
    """Interpolate linearly between rows at ascending fractional indices."""
    out = np.empty((len(at), *values.shape[1:]), np.float32)
    low = np.minimum(at.astype(int), max(len(values) - 2, 0))
    share = (at - low).astype(np.float32).reshape(-1, *[1] * (values.ndim - 1))
    starts = np.searchsorted(low, np.arange(len(values) + 1))
    for n in np.unique(low):  # one row at a time, for the CPU cache
        part = slice(starts[n], starts[n + 1])
        below, above = values[n], values[min(n + 1, len(values) - 1)]
        np.multiply(above - below, share[part], out=out[part])
        out[part] += below
    return out
