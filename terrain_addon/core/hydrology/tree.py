# SPDX-License-Identifier: GPL-3.0-or-later
"""The drainage tree: cells in breadth-first order from the outlets upstream.

In that order the donors of a cell are adjacent, and a level (all cells the same number of steps
from their outlet) is one slice. Passes downstream (drainage area) or upstream (implicit erosion,
spill levels) are then a few array operations per level.
"""

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from ..numerics.arrays import Floats, Indices
from ..numerics.blocks import pieces, taken
from ..numerics.progress import Cancel, Progress, no_progress, poll
from .d8 import (
    LENGTHS,
    NONE,
    OFFSETS,
    OPPOSITE,
    Cells,
    Codes,
    border,
    check_shapes,
    flat_offsets,
    neighbors,
)

Scalar = TypeVar("Scalar", bound=np.generic)

RUN = 2**15
"""Cells of the levels processed at once: their values stay in the processor's cache."""


@dataclass(frozen=True)
class FlowTree:
    """The receiver of every cell, in an order for passes over the whole grid.

    Attributes
    ----------
    directions : ndarray of uint8, shape (H, W)
        Codes of `d8`; `NONE` at the roots (outlets).
    order : ndarray of int32, shape (N,)
        Row-major cell numbers; roots first, then level by level upstream.
    parent : ndarray of int32, shape (N,)
        Place of the receiver within the level before; undefined for roots.
    levels : tuple of int
        Offsets of the levels in `order`, from 0 to N.
    wraps : bool
        Whether the grid repeats, see :func:`~.d8.neighbors`.
    """

    directions: Codes
    order: Cells
    parent: Cells
    levels: tuple[int, ...]
    wraps: bool = False

    @property
    def shape(self) -> tuple[int, int]:
        rows, columns = self.directions.shape
        return rows, columns

    def spans(self) -> list[tuple[int, int, int]]:
        """Return (start, middle, end): receivers in [start, middle), donors in [middle, end)."""
        edges = self.levels
        return list(zip(edges[:-2], edges[1:-1], edges[2:], strict=True))

    def upstream(
        self, cancelled: Cancel | None = None, progress: Progress | None = None
    ) -> Iterator[tuple[slice, slice, Cells]]:
        """Yield, for each level from the outlets up, (receiving level, donating level, receivers).

        Cancelled is raised between levels; ``progress`` gets the share of cells done.
        """
        tell = progress or no_progress
        for start, middle, end in self.spans():
            poll(cancelled)
            yield slice(start, middle), slice(middle, end), self.parent[middle:end]
            tell(end / self.order.size)

    def downstream(
        self, cancelled: Cancel | None = None, progress: Progress | None = None
    ) -> Iterator[tuple[slice, slice, Cells]]:
        """Yield the same triples from the farthest sources down."""
        tell = progress or no_progress
        for start, middle, end in reversed(self.spans()):
            poll(cancelled)
            yield slice(start, middle), slice(middle, end), self.parent[middle:end]
            tell(1 - start / self.order.size)

    def runs(
        self, cancelled: Cancel | None = None, progress: Progress | None = None
    ) -> Iterator[tuple[Indices, Iterator[tuple[slice, slice, Cells]]]]:
        """Yield runs of levels from the outlets up, small enough for the processor's cache.

        Yields the cells of a run in tree order, to update (H, W) fields in place, and the triples
        of :meth:`upstream` as places among those cells. The first cells are the receivers of the
        run's first level. Roots without donors are in no run.
        """
        edges, first = self.levels, 1
        while first + 1 < len(edges):
            last = max(bisect_right(edges, edges[first] + RUN) - 1, first + 1)
            # Donors of a cell are adjacent.
            parent = self.parent[edges[first] : edges[first + 1]]
            begins = np.diff(parent, prepend=np.int32(-1)) > 0
            receivers = self.order[edges[first - 1] : edges[first]][parent[begins]]
            cells = np.concatenate([receivers, self.order[edges[first] : edges[last]]])
            place = np.cumsum(begins, dtype=np.int32)
            place -= np.int32(1)
            numbers = range(first, last)
            yield cells.astype(np.intp), self._levels(numbers, place, cancelled, progress)
            first = last

    def _levels(
        self, numbers: range, parent: Cells, cancelled: Cancel | None, progress: Progress | None
    ) -> Iterator[tuple[slice, slice, Cells]]:
        """Yield the triples of a run; ``parent`` is for its first level."""
        tell, edges = progress or no_progress, self.levels
        below = slice(0, int(parent[-1]) + 1)
        for number in numbers:
            poll(cancelled)
            start, end = edges[number : number + 2]
            donors = slice(below.stop, below.stop + end - start)
            yield below, donors, parent if number == numbers[0] else self.parent[start:end]
            tell(end / self.order.size)
            below = donors

    def check(self, *fields: NDArray[Any]) -> None:
        """Raise ValueError where a field is of another shape than the grid."""
        check_shapes(self.directions, *fields)

    def gather(self, field: NDArray[Scalar], cancelled: Cancel | None = None) -> NDArray[Scalar]:
        """Return the values of a (H, W) field in tree order; ValueError if it is of another
        shape."""
        self.check(field)
        return taken(field.ravel(), self.order, cancelled)

    def scatter(
        self,
        values: NDArray[Scalar],
        cancelled: Cancel | None = None,
        out: NDArray[Scalar] | None = None,
    ) -> NDArray[Scalar]:
        """Return the values in tree order as a (H, W) field: a new one, or ``out``, which is
        contiguous."""
        field = np.empty(self.shape, values.dtype) if out is None else out
        flat = field.reshape(-1)
        if out is None:  # in order, since the first scattered values would claim all memory at once
            for part in pieces(values.size, cancelled):
                flat[part] = 0
        for part in pieces(values.size, cancelled):
            flat[self.order[part]] = values[part]
        return field

    def step_lengths(self, spacing: float, cancelled: Cancel | None = None) -> Floats:
        """Return (N,) float32 meters from each cell to its receiver, in tree order; `spacing` at
        roots."""
        straight = np.float32(spacing)
        lengths = np.empty(self.order.size, np.float32)
        codes = self.directions.ravel()
        for part in pieces(lengths.size, cancelled):
            diagonal = (codes.take(self.order[part]) & np.uint8(4)).astype(bool)  # codes 4 to 7
            lengths[part] = np.where(diagonal, LENGTHS[4] * straight, straight)
        return lengths


def build_tree(
    directions: Codes,
    cancelled: Cancel | None = None,
    progress: Progress | None = None,
    *,
    wraps: bool = False,
) -> FlowTree:
    """Order the cells of a D8 grid breadth first from its roots.

    Parameters
    ----------
    directions : ndarray of uint8, shape (H, W)
        Codes without cycles; none points off a grid that does not repeat.
    wraps : bool, default False
        Whether the grid repeats, see :func:`~.d8.neighbors`.

    Raises
    ------
    ValueError
        Directions with a cycle, whose cells no root reaches.
    Cancelled
    """
    tell = progress or no_progress
    donors = _donor_bits(directions, cancelled, wraps)
    edge = border(directions.shape).ravel() if wraps else None
    offsets = flat_offsets(directions.shape[1]).astype(np.intp)
    order, parents = np.empty((2, directions.size), np.int32)
    frontier = np.flatnonzero(directions == NONE)
    order[: frontier.size], parents[: frontier.size] = frontier, 0
    levels = [0, frontier.size]
    while frontier.size:
        poll(cancelled)
        # The index of a set bit is eight times the cell plus the direction of its donor.
        places = np.unpackbits(donors.take(frontier)).view(bool).nonzero()[0]
        parent = places >> 3
        places &= 7
        frontier = frontier.take(parent)
        if wraps:
            frontier = neighbors(frontier, places, directions.shape, wraps, edge)
        else:
            frontier += offsets.take(places)
        start, end = levels[-1], levels[-1] + frontier.size
        order[start:end], parents[start:end] = frontier, parent
        if frontier.size:
            levels.append(end)
            tell(end / order.size)
    if levels[-1] != directions.size:
        raise ValueError("The flow directions run in a circle")
    return FlowTree(directions, order, parents, tuple(levels), wraps)


def _donor_bits(directions: Codes, cancelled: Cancel | None, wraps: bool) -> NDArray[np.uint8]:
    """Return for each cell one bit per neighbor that drains into it, highest for code 0: (H *
    W,)."""
    if wraps:
        around = np.zeros(directions.shape, np.uint8)
        for code, (dj, di) in enumerate(OFFSETS):
            poll(cancelled)
            there = np.roll(directions, (-dj, -di), (0, 1)) == OPPOSITE[code]
            around |= there.view(np.uint8) << np.uint8(7 - code)
        return around.ravel()
    # A margin before the first and after the last row holds their neighbors. Across the left and
    # right border are cells of other rows, which never drain there.
    margin, count = directions.shape[1] + 1, directions.size
    codes = np.full(count + 2 * margin, NONE, np.uint8)
    codes[margin : margin + count] = directions.ravel()
    bits = np.zeros(count, np.uint8)
    offsets = flat_offsets(directions.shape[1])[:NONE].tolist()
    for part in pieces(count, cancelled):
        for code, offset in enumerate(offsets):
            there = slice(part.start + margin + offset, part.stop + margin + offset)
            drains_here = (codes[there] == OPPOSITE[code]).view(np.uint8)
            drains_here <<= np.uint8(7 - code)
            bits[part] |= drains_here
    return bits
