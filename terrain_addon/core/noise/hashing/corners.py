# SPDX-License-Identifier: GPL-3.0-or-later
"""Interface: hashed values at the corners of lattice cells."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np
from numpy.typing import NDArray

from ...numerics.work_arrays import Scratch, constant
from ..fractals.octave import Field, Octave
from .corner_hash import CornerHash, Fields
from .sign_masks import Mask
from .torus import Torus

Steps = tuple[int, ...]
Count = Field | Mask
"""How often a step is taken at each point: a whole float32 number, 0 or more, or once in a mask."""
Move = tuple[Count, tuple[int, ...]]
"""How often, and the step along each axis. The last axis that moves must move ahead: then the move
leads on in a table."""
MaskedMove = tuple[Mask, tuple[int, int]]
"""The same for planes and masks alone."""

Join = Callable[[Fields, Fields], None]
"""Makes the fields of a row of corners, by the fields and where to write to."""

ONE = constant(1, np.int32)


@dataclass(frozen=True)
class CornerQuery:
    """Which corners of cells are hashed, and how.

    Attributes
    ----------
    hashing, octave, torus : what lies at lattice points, and after how many it repeats
    first, taps : steps to a corner along each axis go from ``first`` to ``first + taps - 1``
    name : distinguishes the work arrays of several in use at once
    joined : of a hash with one field: makes other fields of all that lie along the first axis,
        which are read and written as (taps, n); in a table that is done once. A row is then
        named by its first corner.
    """

    hashing: CornerHash
    octave: Octave
    first: int
    taps: int
    torus: Torus | None = None
    name: str = ""
    joined: Join | None = None


class Corners(ABC):
    """Fields at the corners of the cells of many points.

    A corner is named by its steps from the cell, one per axis, from the first on, and by moves from
    there, which differ from point to point. Moved corners come after all others.
    """

    def __init__(self, count: int, points: int, scratch: Scratch) -> None:
        """``count`` fields are written, each of so many points."""
        self._shape, self._scratch = (count, points), scratch

    def fields(self, steps: Sequence[int | Field]) -> Sequence[Field]:
        """Fields (n,) at a corner; valid until the next call."""
        whole: list[int] = []
        moves: list[Move] = []
        for axis, step in enumerate(steps):
            if isinstance(step, int):
                whole.append(step)
            else:
                whole.append(0)
                moves.append((step, tuple(int(other == axis) for other in range(len(steps)))))
        outs = self._scratch.rows("corner", self._shape)
        self.write(tuple(whole), outs, *moves)
        return outs

    @abstractmethod
    def write(self, steps: Steps, outs: Fields, *moves: Move) -> None:
        """Write the fields (n,) at a corner into arrays.

        Where fields are joined: what is made of the row that begins at that corner.
        """

    @abstractmethod
    def advance(self, where: Mask, along: tuple[int, ...]) -> None:
        """Move some points' cells on by those steps, for moved corners to come."""


def times(count: Count, step: NDArray[np.int32], out: NDArray[np.int32]) -> NDArray[np.int32]:
    """Return the step, an array of one number, so many times."""
    if count.dtype == np.int32:
        return np.bitwise_and(cast("NDArray[np.int32]", count), step, out=out)
    np.copyto(out, count, casting="unsafe")
    return out if step is ONE else np.multiply(out, step, out=out)
