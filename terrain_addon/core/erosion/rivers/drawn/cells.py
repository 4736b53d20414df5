# SPDX-License-Identifier: GPL-3.0-or-later
"""Drawn rivers as cells of a grid, each of which drains to the next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ....hydrology.d8 import LENGTHS, NONE, OFFSETS, Codes
from ....numerics.arrays import Bools, Doubles, Indices

GAP = 5
"""Cells by which a river that ends beside another may miss it on a grid."""
BESIDE = 2
"""Cells beside a river that drain to it."""
_CODES = {step: code for code, step in enumerate(OFFSETS)}


@dataclass(frozen=True)
class Bed:
    """A river on a grid.

    Attributes
    ----------
    cells : ndarray of intp, shape (n,)
        Row-major numbers of cells, source first; the last lies in an outlet or in another river.
    codes : ndarray of uint8, shape (n - 1,)
        Directions from each to the next.
    place : ndarray of float64, shape (n,)
        Points of the line that the cells lie at, as positions among its points.
    joins : tuple of int or None
        Number of the bed that it flows into, and the position among that one's cells; None where it
        ends in an outlet.
    number : int
        Number of its line.
    """

    cells: Indices
    codes: Codes
    place: Doubles
    joins: tuple[int, int] | None
    number: int

    @property
    def run(self) -> Doubles:
        """(n,) distances from the source along the cells, in cells."""
        return np.append(0.0, np.cumsum(LENGTHS[self.codes].astype(np.float64)))


@dataclass(frozen=True)
class RiverBeds:
    """Rivers on one grid; those that others flow into come first.

    Attributes
    ----------
    beds : sequence of Bed
        The rivers.
    cells : ndarray of intp, shape (n,)
        Cells that drain along a river.
    codes : ndarray of uint8, shape (n,)
        Their directions.
    mouths : ndarray of intp
        Cells where a river ends at the border, or that are no outlets yet.
    outlets : ndarray of bool, shape (H * W,)
        With the mouths.
    shape : tuple of int
        (rows, columns) of the grid.
    """

    beds: Sequence[Bed]
    cells: Indices
    codes: Codes
    mouths: Indices
    outlets: Bools
    shape: tuple[int, ...]

    @cached_property
    def own(self) -> Bools:
        """(H * W,) bool, the cells of the beds."""
        own = np.zeros(self.shape[0] * self.shape[1], bool)
        for bed in self.beds:
            own[bed.cells] = True
        return own

    def mouth_of(self, bed: Bed) -> Bed:
        """Return the bed at whose end the water of a bed leaves: its own, or that of a river it
        joins."""
        while bed.joins is not None:
            bed = self.beds[bed.joins[0]]
        return bed

    @cached_property
    def with_sides(self) -> tuple[Indices, Codes]:
        """The cells along the rivers and those up to `BESIDE` cells beside them, which drain to
        them, and their directions.

        A valley that comes so close to a river is captured by it; otherwise a lower one would draw
        the river down.
        """
        codes = np.full(self.shape[0] * self.shape[1], NONE, np.uint8)
        taken = self.own.copy()
        codes[self.cells] = self.codes
        ring = np.concatenate([np.empty(0, np.intp), *(bed.cells for bed in self.beds)])
        for _ in range(BESIDE):
            j, i = np.divmod(ring, self.shape[1])
            for code in range(NONE - 1, -1, -1):  # straight steps replace diagonal ones
                rows, columns = j - OFFSETS[code][0], i - OFFSETS[code][1]
                known = (rows >= 0) & (rows < self.shape[0])
                known &= (columns >= 0) & (columns < self.shape[1])
                near = (rows * self.shape[1] + columns)[known]
                codes[near[~taken[near]]] = code
            ring = np.flatnonzero((codes != NONE) & ~taken)
            taken[ring] = True
        cells = np.flatnonzero((codes != NONE) & ~self.outlets)
        return cells, codes[cells]

    def around(self, bed: Bed, cells: int) -> Indices:
        """Return (n, m) the cells in the square around each cell of a bed."""
        (h, w), steps = self.shape, np.arange(-cells, cells + 1)
        j, i = np.divmod(bed.cells, w)
        rows = np.clip(j[:, None, None] + steps[:, None], 0, h - 1)
        columns = np.clip(i[:, None, None] + steps, 0, w - 1)
        return (rows * w + columns).reshape(len(j), -1)


@dataclass
class Trace:
    """The cells of a line so far.

    Attributes
    ----------
    cells : list of int
        Source first.
    points : list of int
        Numbers of the points of the line that they lie at.
    where : dict of int to int
        Positions of the cells among them.
    kept : ndarray of bool, shape (n,)
        Points of the line that belong to the river.
    ended : bool
        Whether the last cell is an outlet or one of another river.
    """

    cells: list[int]
    points: list[int]
    where: dict[int, int]
    kept: Bools
    ended: bool = False

    def add(self, cell: int, point: int) -> None:
        self.where[cell] = len(self.cells)
        self.cells.append(cell)
        self.points.append(point)

    def cut(self, start: int) -> None:
        """Remove the cells from a position on."""
        for cell in self.cells[start:]:
            del self.where[cell]
        del self.cells[start:], self.points[start:]

    def cut_loop(self, start: int, point: int) -> None:
        """Remove the cells after a position, to which the line returns at a point."""
        self.kept[self.points[start] + 1 : point] = False
        self.cut(start + 1)


class Tracer:
    """Finds the cells of one line after another; lines end where they meet one that is there.

    Parameters
    ----------
    outlets : ndarray of bool, shape (H, W)
        Where lines end.
    """

    def __init__(self, outlets: Bools) -> None:
        self.shape = outlets.shape
        self._outlets = outlets.ravel()
        self._owner = np.full(outlets.size, -1, np.int32)
        self._position = np.zeros(outlets.size, np.int32)
        self._mouths: list[int] = []
        self.beds: list[Bed] = []

    def trace(self, line: Doubles) -> Trace:
        """Return the cells of a line of dense points, (n, 2) rows and columns.

        Loops are cut off. Cells between neighbors of which one drains to the other are left out.
        """
        h, w = self.shape
        j, i = np.rint(line).astype(np.intp).T
        known = (j >= 0) & (j < h) & (i >= 0) & (i < w)
        moves = np.flatnonzero(known & np.append(True, (np.diff(j) != 0) | (np.diff(i) != 0)))
        found = Trace([], [], {}, known.copy())
        for point, a, b in zip(moves.tolist(), j[moves].tolist(), i[moves].tolist(), strict=True):
            cell = a * w + b
            if found.cells and max(abs(a - found.cells[-1] // w), abs(b - found.cells[-1] % w)) > 1:
                found.kept[point:] = False  # it left the grid, and came back elsewhere
                break
            if cell in found.where:
                found.cut_loop(found.where[cell], point)
                continue
            before = len(found.cells)
            while len(found.cells) > 1 and _touch(found.cells[-2], cell, w):
                found.cut(len(found.cells) - 1)
            if before - len(found.cells) > 1:  # the tip of a hairpin bend
                found.kept[found.points[-1] + 1 : point] = False
            own = self._beside_step(found.cells, cell, found.where)
            if len(own) == 2 and abs(own[0] - own[1]) == 1:
                found.cut_loop(min(own), point)  # it crosses a diagonal step of its own
            if self._owner[cell] >= 0 and not found.cells:  # it begins in another river
                found.kept[: point + 1] = False
                continue
            cell = self._crossed(found.cells, cell)
            found.add(cell, point)
            if self._owner[cell] >= 0 or (self._outlets[cell] and len(found.cells) > 1):
                found.kept[point + 1 :] = False
                found.ended = True
                break
            if self._outlets[cell]:  # it begins in the sea
                found.kept[: point + 1] = False
                found.cut(0)
        return found

    def _beside_step(self, cells: list[int], cell: int, where: dict[int, int]) -> list[int]:
        """Return the positions along the line of the cells on both sides of a diagonal step to a
        cell."""
        if not cells:
            return []
        w = self.shape[1]
        (a, b), (c, d) = divmod(cells[-1], w), divmod(cell, w)
        sides = (a * w + d, c * w + b) if a != c and b != d else ()
        return [where[side] for side in sides if side in where]

    def _crossed(self, cells: list[int], cell: int) -> int:
        """Return the cell, or one of another river whose diagonal step the step to the cell
        crosses."""
        if not cells:
            return cell
        w = self.shape[1]
        (a, b), (c, d) = divmod(cells[-1], w), divmod(cell, w)
        if a != c and b != d:
            for side in (a * w + d, c * w + b):
                if self._owner[side] >= 0:
                    return side
        return cell

    def lay(self, line: Doubles, number: int, *, joining: bool) -> Bed | None:
        """Add the river along a line; None where the line has no length on this grid.

        Where it meets neither an outlet nor another river, it is led to the nearest one if it is
        ``joining``, and its last cell becomes a mouth otherwise.
        """
        found = self.trace(line)
        cells, points, ended = found.cells, found.points, found.ended
        if not ended and joining and cells:
            ended = self._led(cells, points)
        if len(cells) < 2:
            return None
        if self._owner[cells[-1]] < 0 and (not ended or self._at_border(cells[-1])):
            self._mouths.append(cells[-1])
            self._outlets = self._outlets.copy()
            self._outlets[cells[-1]] = True
        w, last = self.shape[1], cells[-1]
        steps = np.diff(np.stack(np.divmod(np.array(cells), w), axis=1), axis=0)
        codes = np.array([_CODES[int(dj), int(di)] for dj, di in steps], np.uint8)
        owner = int(self._owner[last])
        joins = None if owner < 0 else (owner, int(self._position[last]))
        bed = Bed(np.array(cells), codes, np.array(points, np.float64), joins, number)
        own = bed.cells if joins is None else bed.cells[:-1]
        self._owner[own] = len(self.beds)
        self._position[own] = np.arange(own.size)
        self.beds.append(bed)
        return bed

    def _at_border(self, cell: int) -> bool:
        (h, w), (j, i) = self.shape, divmod(cell, self.shape[1])
        return j in (0, h - 1) or i in (0, w - 1)

    def _led(self, cells: list[int], points: list[int]) -> bool:
        """Lead a line that ends beside another river straight to it."""
        w = self.shape[1]
        own = np.flatnonzero(self._owner >= 0)
        a, b = divmod(cells[-1], w)
        away = np.maximum(np.abs(own // w - a), np.abs(own % w - b))
        if not own.size or away.min() > GAP:
            return False
        c, d = divmod(int(own[away.argmin()]), w)
        way: list[int] = []
        while (a, b) != (c, d):
            a, b = a + (c > a) - (c < a), b + (d > b) - (d < b)
            way.append(self._crossed([*cells, *way], a * w + b))
            if way[-1] in cells:
                return False
            if self._owner[way[-1]] >= 0:
                break
        cells += way
        points += [points[-1]] * len(way)
        return self._owner[cells[-1]] >= 0

    def laid(self) -> RiverBeds:
        """Return all rivers so far."""
        heads = [bed.cells[:-1] for bed in self.beds]
        codes = [bed.codes for bed in self.beds]
        cells: Indices = np.concatenate([np.empty(0, np.intp), *heads])
        directions: NDArray[np.uint8] = np.concatenate([np.empty(0, np.uint8), *codes])
        free = ~self._outlets[cells]
        mouths = np.unique(np.array(self._mouths, np.intp))
        return RiverBeds(
            tuple(self.beds), cells[free], directions[free], mouths, self._outlets, self.shape
        )


def _touch(one: int, other: int, width: int) -> bool:
    (a, b), (c, d) = divmod(one, width), divmod(other, width)
    return max(abs(a - c), abs(b - d)) == 1
