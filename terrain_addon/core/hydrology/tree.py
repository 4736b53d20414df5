# SPDX-License-Identifier: GPL-3.0-or-later
"""The drainage tree: cells in breadth-first order from the outlets upstream.

In that order the donors of a cell lie side by side, and a whole level (all cells the same number
of steps from their outlet) is one slice. Passes that run downstream (drainage area) or upstream
(implicit erosion, spill levels) are then a few array operations per level.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from ..arrays import Floats, Indices
from ..cancel import Cancel, poll
from .d8 import LENGTHS, NONE, OPPOSITE, Codes, flat_offsets

Scalar = TypeVar("Scalar", bound=np.generic)


@dataclass(frozen=True)
class FlowTree:
    """Where every cell drains to, ordered for passes over the whole grid.

    Attributes
    ----------
    directions : (H, W) uint8 codes of `d8`; `NONE` at the roots (outlets)
    order : (N,) intp, row-major cell numbers; roots first, then level by level upstream
    parent : (N,) intp, place of the receiver within the level before; undefined for roots
    levels : offsets of the levels in `order`, from 0 to N
    """

    directions: Codes
    order: Indices
    parent: Indices
    levels: tuple[int, ...]

    @property
    def shape(self) -> tuple[int, int]:
        rows, columns = self.directions.shape
        return rows, columns

    def spans(self) -> list[tuple[int, int, int]]:
        """(start, middle, end): receivers in [start, middle), their donors in [middle, end)."""
        edges = self.levels
        return list(zip(edges[:-2], edges[1:-1], edges[2:], strict=True))

    def upstream(self, cancelled: Cancel | None = None) -> Iterator[tuple[slice, slice, Indices]]:
        """Per level from the outlets up: (receiving level, donating level, receiver of each).

        Cancelled is raised between levels.
        """
        for start, middle, end in self.spans():
            poll(cancelled)
            yield slice(start, middle), slice(middle, end), self.parent[middle:end]

    def downstream(self, cancelled: Cancel | None = None) -> Iterator[tuple[slice, slice, Indices]]:
        """The same triples from the farthest sources down."""
        for start, middle, end in reversed(self.spans()):
            poll(cancelled)
            yield slice(start, middle), slice(middle, end), self.parent[middle:end]

    def check(self, *fields: NDArray[Any]) -> None:
        """ValueError where a field is of another shape than the grid."""
        for field in fields:
            if field.shape != self.shape:
                raise ValueError(f"A field is of the shape {field.shape}, the grid of {self.shape}")

    def gather(self, field: NDArray[Scalar]) -> NDArray[Scalar]:
        """Values of a (H, W) field in tree order; ValueError if it is of another shape."""
        self.check(field)
        # No place is off the field: to clip is faster than to check.
        return field.ravel().take(self.order, mode="clip")

    def scatter(self, values: NDArray[Scalar]) -> NDArray[Scalar]:
        """Values in tree order as a (H, W) field."""
        field = np.empty_like(values)
        field[self.order] = values
        return field.reshape(self.shape)

    def step_lengths(self, spacing: float) -> Floats:
        """(N,) float32 metres from each cell to its receiver, in tree order; `spacing` at roots."""
        diagonal = (self.gather(self.directions) & np.uint8(4)).astype(bool)  # codes 4 to 7
        straight = np.float32(spacing)
        return np.where(diagonal, LENGTHS[4] * straight, straight)

    def parents(self) -> Indices:
        """(N,) intp, place of each cell's receiver in tree order; that of a root is its own."""
        starts = np.array((0, *self.levels[:-2]), np.intp)
        places = np.repeat(starts, np.diff(self.levels))
        places += self.parent
        roots = self.levels[1]
        places[:roots] = np.arange(roots)
        return places


def build_tree(directions: Codes, cancelled: Cancel | None = None) -> FlowTree:
    """Order the cells of a D8 grid without cycles breadth first from its roots.

    Parameters
    ----------
    directions : (H, W) uint8 codes. None points off the grid, and every cell must reach a cell of
        code `NONE`.

    Raises
    ------
    ValueError : directions that run in a circle (their cells would never be reached)
    Cancelled
    """
    donors = _donor_bits(directions)
    offsets = flat_offsets(directions.shape[1]).astype(np.intp)
    frontier = np.flatnonzero(directions == NONE)
    parts, parents = [frontier], [np.zeros(frontier.size, np.intp)]
    while frontier.size:
        poll(cancelled)
        # The place of a set bit tells the cell (eight bits each) and the direction of its donor.
        places = np.unpackbits(donors.take(frontier)).view(bool).nonzero()[0]
        parent = places >> 3
        places &= 7
        frontier = frontier.take(parent)
        frontier += offsets.take(places)
        parts.append(frontier)
        parents.append(parent)
    levels = [0, *accumulate(part.size for part in parts[:-1])]
    if levels[-1] != directions.size:
        raise ValueError("The flow directions run in a circle")
    return FlowTree(directions, np.concatenate(parts), np.concatenate(parents), tuple(levels))


def _donor_bits(directions: Codes) -> NDArray[np.uint8]:
    """One bit for each neighbour that drains into a cell, highest for code 0; cells in one row."""
    # With a margin before the first and after the last row no neighbour is out of reach. Beside
    # the first and last column lie cells of other rows, which never drain across the border.
    margin, count = directions.shape[1] + 1, directions.size
    codes = np.full(count + 2 * margin, NONE, np.uint8)
    codes[margin : margin + count] = directions.ravel()
    bits = np.zeros(count, np.uint8)
    for code, offset in enumerate(flat_offsets(directions.shape[1])[:NONE].tolist()):
        start = margin + offset
        drains_here = (codes[start : start + count] == OPPOSITE[code]).view(np.uint8)
        drains_here <<= np.uint8(7 - code)
        bits |= drains_here
    return bits
