# SPDX-License-Identifier: GPL-3.0-or-later
"""The eight neighbors of a cell, numbered so that opposite directions differ in the last bit.

Directions are kept as uint8 codes (0 to 7, `NONE` = 8 for a cell that keeps its water): one byte
a cell, independent of the grid's width, and cheap to reverse. `OFFSETS` are (row, column) steps.
"""

from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from ..numerics.arrays import Bools, Floats
from ..numerics.blocks import pieces
from ..numerics.progress import Cancel

Integer = TypeVar("Integer", bound=np.signedinteger[Any])
Codes = NDArray[np.uint8]
Cells = NDArray[np.int32]
"""Row-major numbers of cells, or places among as many: half as large as those NumPy works with."""

NONE = 8
OFFSETS = ((-1, 0), (1, 0), (0, -1), (0, 1), (-1, -1), (1, 1), (-1, 1), (1, -1))
OPPOSITE: Codes = np.array([1, 0, 3, 2, 5, 4, 7, 6, NONE], np.uint8)
# Length of each step in cells; `NONE` counts as one cell so that it can stand in a denominator.
LENGTHS: Floats = np.array([1, 1, 1, 1] + [2**0.5] * 4 + [1], np.float32)


def check_shapes(directions: Codes, *fields: NDArray[Any]) -> None:
    """Raise ValueError where a field is of another shape than the directions."""
    for field in fields:
        if field.shape != directions.shape:
            raise ValueError(
                f"A field is of the shape {field.shape}, the grid of {directions.shape}"
            )


def check_mask(mask: NDArray[Any]) -> None:
    """Raise ValueError for a mask that is not bool: numbers would be taken for row indices."""
    if mask.dtype != bool:
        raise ValueError(f"A mask must be bool, as (mask > 0) is, not {mask.dtype}")


def flat_offsets(width: int) -> Cells:
    """Return steps of all directions (0 for `NONE`) in row-major cell numbers of a grid `width`
    wide."""
    return np.array([dj * width + di for dj, di in OFFSETS] + [0], np.int32)


def neighbors(
    cells: NDArray[Integer],
    codes: NDArray[Any],
    shape: tuple[int, ...],
    wraps: bool = False,
    edge: Bools | None = None,
) -> NDArray[Integer]:
    """Return the row-major numbers of the neighbors of some cells in some directions.

    Parameters
    ----------
    cells : ndarray of int32 or intp, shape (n,)
        Row-major numbers of cells.
    codes : ndarray of integers, shape (n,) or ()
        Codes.
    shape : tuple of int
        Shape of the grid.
    wraps : bool, default False
        Whether the grid repeats, so that its last row and column have the first ones as neighbors.
    edge : ndarray of bool, shape (H * W,), optional
        The :func:`border` as one row, with which many cells take less time.

    Examples
    --------
    >>> neighbors(np.array([0, 3]), np.array([2, 1]), (2, 3), wraps=True).tolist()
    [2, 0]
    """
    made: NDArray[Any] = cells + flat_offsets(shape[1]).take(codes)
    if not wraps:
        return made
    here: Any = slice(None) if edge is None else np.flatnonzero(edge.take(cells))
    steps = np.array([*OFFSETS, (0, 0)]).take(np.broadcast_to(codes, cells.shape)[here], axis=0)
    rows, columns = np.divmod(cells[here], shape[1])
    made[here] = (rows + steps[:, 0]) % shape[0] * shape[1] + (columns + steps[:, 1]) % shape[1]
    return made


def border(shape: tuple[int, ...]) -> Bools:
    """Return a bool array that is True along the edge of a grid.

    Examples
    --------
    >>> int(border((3, 4)).sum())
    10
    """
    mask = np.zeros(shape, bool)
    mask[0] = mask[-1] = True
    mask[:, 0] = mask[:, -1] = True
    return mask


def receivers(directions: Codes, cancelled: Cancel | None = None, *, wraps: bool = False) -> Cells:
    """Return the row-major number of the cell that each cell drains to (itself where it keeps its
    water).

    Parameters
    ----------
    directions : ndarray of uint8, shape (H, W)
        Codes.
    wraps : bool, default False
        As for :func:`neighbors`.

    Returns
    -------
    ndarray of int32, shape (H * W,)
    """
    codes, offsets = directions.ravel(), flat_offsets(directions.shape[1])
    cells = np.empty(codes.size, np.int32)
    for part in pieces(codes.size, cancelled):
        # All codes are known: to clip is faster than to check.
        offsets.take(codes[part], mode="clip", out=cells[part])
        cells[part] += np.arange(part.start, part.stop, dtype=np.int32)
    if wraps:
        edge = np.flatnonzero(border(directions.shape)).astype(np.int32)
        cells[edge] = neighbors(edge, codes[edge], directions.shape, wraps)
    return cells


def inner_and_neighbor(
    shape: tuple[int, ...], code: int
) -> tuple[tuple[slice, slice], tuple[slice, slice]]:
    """Return two windows of equal size: the cells that have a neighbor in direction `code`, and
    those."""
    (here_j, there_j), (here_i, there_i) = (
        _windows(length, step) for length, step in zip(shape, OFFSETS[code], strict=True)
    )
    return (here_j, here_i), (there_j, there_i)


def _windows(length: int, step: int) -> tuple[slice, slice]:
    start, stop = max(0, -step), max(0, length - max(0, step))
    stop = max(start, stop)
    return slice(start, stop), slice(start + step, stop + step)
