# SPDX-License-Identifier: GPL-3.0-or-later
"""The drainage tree: cells in breadth-first order from the outlets upstream.

In that order the donors of a cell lie side by side, and a whole level (all cells the same number
of steps from their outlet) is one slice. Passes that run downstream (drainage area) or upstream
(implicit erosion, spill levels) are then a few array operations per level.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from .d8 import LENGTHS, NONE, OPPOSITE, Codes, flat_offsets, inner_and_neighbour

Floats = NDArray[np.float32]
Scalar = TypeVar("Scalar", bound=np.generic)


@dataclass(frozen=True)
class FlowTree:
    """Where every cell drains to, ordered for passes over the whole grid.

    Attributes
    ----------
    directions : (H, W) uint8 codes of `d8`; `NONE` at the roots (outlets)
    order : (N,) int32, row-major cell numbers; roots first, then level by level upstream
    parent : (N,) intp, place of the receiver within the level before; undefined for roots
    levels : offsets of the levels in `order`, from 0 to N
    """

    directions: Codes
    order: NDArray[np.int32]
    parent: NDArray[np.intp]
    levels: tuple[int, ...]

    @property
    def shape(self) -> tuple[int, int]:
        rows, columns = self.directions.shape
        return rows, columns

    def spans(self) -> list[tuple[int, int, int]]:
        """(start, middle, end): receivers in [start, middle), their donors in [middle, end)."""
        edges = self.levels
        return list(zip(edges[:-2], edges[1:-1], edges[2:], strict=True))

    def upstream(self) -> Iterator[tuple[slice, slice, NDArray[np.intp]]]:
        """Per level from the outlets up: (receiving level, donating level, receiver of each)."""
        for start, middle, end in self.spans():
            yield slice(start, middle), slice(middle, end), self.parent[middle:end]

    def downstream(self) -> Iterator[tuple[slice, slice, NDArray[np.intp]]]:
        """The same triples from the farthest sources down."""
        for start, middle, end in reversed(self.spans()):
            yield slice(start, middle), slice(middle, end), self.parent[middle:end]

    def gather(self, field: NDArray[Scalar]) -> NDArray[Scalar]:
        """Values of a (H, W) field in tree order."""
        return field.ravel()[self.order]

    def scatter(self, values: NDArray[Scalar]) -> NDArray[Scalar]:
        """Values in tree order as a (H, W) field."""
        field = np.empty_like(values)
        field[self.order] = values
        return field.reshape(self.shape)

    def step_lengths(self, spacing: float) -> Floats:
        """(N,) float32 metres from each cell to its receiver, in tree order; `spacing` at roots."""
        return LENGTHS[self.gather(self.directions)] * np.float32(spacing)


def build_tree(directions: Codes) -> FlowTree:
    """Order the cells of a D8 grid without cycles breadth first from its roots.

    Parameters
    ----------
    directions : (H, W) uint8 codes. Every cell must reach a cell of code `NONE`.

    Raises
    ------
    ValueError : directions that run in a circle (their cells would never be reached)
    """
    donors, first, count = _donors(directions)
    frontier: NDArray[np.int32] = np.flatnonzero(directions.ravel() == NONE).astype(np.int32)
    parts, parents = [frontier], [np.zeros(frontier.size, np.intp)]
    numbers = np.arange(directions.size)
    while frontier.size:
        counts = count.take(frontier)
        ends = counts.cumsum()
        if ends[-1] == 0:
            break
        parent = numbers[: frontier.size].repeat(counts)
        ends -= counts
        places = (first.take(frontier) - ends).take(parent)
        places += numbers[: places.size]
        frontier = donors.take(places)
        parts.append(frontier)
        parents.append(parent)
    levels = np.cumsum([0] + [part.size for part in parts])
    if levels[-1] != directions.size:
        raise ValueError("the flow directions run in a circle")
    return FlowTree(
        directions, np.concatenate(parts), np.concatenate(parents), tuple(levels.tolist())
    )


def _donors(
    directions: Codes,
) -> tuple[NDArray[np.int32], NDArray[np.intp], NDArray[np.intp]]:
    """Donors of all cells in one list, with the place of each cell's first donor and their count.

    One bit per neighbour that drains into the cell: unpacked, the bits are the list, without a
    sort.
    """
    bits = np.zeros(directions.shape, np.uint8)
    for code in range(NONE):
        here, there = inner_and_neighbour(directions.shape, code)
        drains_here = directions[there] == OPPOSITE[code]
        bits[here] |= drains_here.view(np.uint8) << np.uint8(7 - code)
    unpacked = np.unpackbits(bits.ravel())
    hits = np.flatnonzero(unpacked.view(bool))
    donors = (hits >> 3).astype(np.int32)
    donors += flat_offsets(directions.shape[1])[hits & 7]
    count = _BIT_COUNT.take(bits.ravel())
    first = np.cumsum(count)
    first -= count
    return donors, first, count


_BIT_COUNT = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1).sum(1, dtype=np.intp)
