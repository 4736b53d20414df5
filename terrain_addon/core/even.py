# SPDX-License-Identifier: GPL-3.0-or-later
"""Evenly spaced coordinates."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from .arrays import Doubles


@dataclass(frozen=True, eq=False)
class Even:
    """Evenly spaced coordinates that know their place in a larger grid; an array to NumPy.

    ``noise.sample_grid`` and ``noise.warp_grid`` count samples from ``start``: windows of one grid,
    which share ``start`` and ``step``, get the same bits where they overlap.

    Attributes
    ----------
    values : (n,) the coordinates, float64
    start, step : value i is ``start + step * (first + i)``, up to rounding
    first : a whole number
    """

    values: Doubles
    start: float
    step: float
    first: int

    @classmethod
    def counted(cls, start: float, step: float, first: int, count: int) -> Even:
        """So many coordinates, from number ``first`` on."""
        values = start + step * np.arange(first, first + count, dtype=np.float64)
        return cls(values, start, step, first)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        values = np.asarray(self.values, dtype=dtype)
        return values.copy() if copy and values is self.values else values

    def __len__(self) -> int:
        return len(self.values)

    def __iter__(self) -> Iterator[float]:
        return iter(self.values)

    def __add__(self, shift: float) -> Even:
        return replace(self, values=self.values + shift, start=self.start + shift)

    def __sub__(self, shift: float) -> Even:
        return replace(self, values=self.values - shift, start=self.start - shift)

    def __truediv__(self, length: float) -> Even:
        return Even(self.values / length, self.start / length, self.step / length, self.first)

    def __neg__(self) -> Even:
        return Even(-self.values, -self.start, -self.step, self.first)

    def __getitem__(self, part: slice) -> Even:
        """A run of them; ValueError for one with gaps, which would have another step."""
        first, _, by = part.indices(len(self))
        if by != 1:
            raise ValueError("Even coordinates are cut without gaps: take [start:stop]")
        return replace(self, values=self.values[part], first=self.first + first)
