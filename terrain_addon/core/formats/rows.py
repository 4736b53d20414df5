# SPDX-License-Identifier: GPL-3.0-or-later
"""Heights to write, some rows at a time."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, TypeVar

import numpy as np
from numpy.typing import NDArray

from ..elevation import Elevation, Georeference
from ..numerics.arrays import Floats

POINT = 4
"""Bytes of a height, also in the temporary file."""

Number = TypeVar("Number", np.float32, np.uint32)


class HeightRows:
    """The heights of a grid in meters, from the lowest y on, for a file that is written.

    Iteration yields (rows, nx) float32. Rows that are computed on the way, by a generator, can be
    iterated once; where a format asks for :attr:`range` first, they wait in a temporary file.

    Parameters
    ----------
    shape : (ny, nx)
    parts : the rows, in order
    folder : where a temporary file may be; by default that of the system
    range : lowest and highest height where they are known, or are those of more than these rows
    georeference : coordinates of the samples, for formats that hold them

    Examples
    --------
    >>> rows = HeightRows((3, 2), (np.full((1, 2), height, np.float32) for height in range(3)))
    >>> rows.range
    (0.0, 2.0)
    >>> [part.tolist() for part in rows]
    [[[0.0, 0.0]], [[1.0, 1.0]], [[2.0, 2.0]]]
    >>> rows.close()
    """

    def __init__(
        self,
        shape: tuple[int, int],
        parts: Iterable[Floats],
        folder: Path | None = None,
        *,
        range: tuple[float, float] | None = None,
        georeference: Georeference | None = None,
    ) -> None:
        self.shape, self.folder, self.georeference = shape, folder, georeference
        self._range = range
        self._parts = parts
        self._low, self._high = math.inf, -math.inf
        self._cache: IO[bytes] | None = None
        self._counts: list[int] = []

    @classmethod
    def of(cls, model: Elevation) -> HeightRows:
        """Return the heights of an elevation model with their coordinates, or with meters from the
        first sample where only its spacing is known."""
        place = model.georeference
        if place is None and model.spacing is not None:
            dx, dy = model.spacing
            place = Georeference((0.0, 0.0), (dx, 0.0), (0.0, dy))
        rows, columns = model.height.shape
        return cls((rows, columns), [model.height], georeference=place)

    @property
    def range(self) -> tuple[float, float]:
        """Lowest and highest height in meters."""
        if self._range is not None:
            return self._range
        self._compute()
        return self._low, self._high

    def from_north(self) -> Iterator[Floats]:
        """Yield the rows in reverse order, for images, whose first row is at the top."""
        self._compute()
        if self._cache is None:
            assert isinstance(self._parts, Sequence)
            for part in reversed(self._parts):
                yield np.ascontiguousarray(part[::-1], np.float32)
            return
        end = sum(self._counts)
        for count in reversed(self._counts):
            end -= count
            self._cache.seek(POINT * end * self.shape[1])
            yield self._read(self._cache, count)[::-1]

    def _compute(self) -> None:
        """Compute all rows, if they are not yet; those that can be iterated once are kept."""
        if not self._counts and isinstance(self._parts, Sequence):
            for _ in self._computed():  # they are in memory already
                pass
        elif not self._counts:
            self._cache = TemporaryFile(dir=self.folder)  # noqa: SIM115  # closed with the rows
            for part in self._computed():
                self._cache.write(part.data.cast("B"))

    def close(self) -> None:
        """Remove the temporary file; the range stays known."""
        if self._cache is not None:
            self._cache.close()

    def __iter__(self) -> Iterator[Floats]:
        return self._computed() if self._cache is None else self._kept(self._cache)

    def _computed(self) -> Iterator[Floats]:
        counts: list[int] = []
        for part in self._parts:
            rows = np.ascontiguousarray(part, np.float32)
            self._low = min(self._low, float(rows.min()))
            self._high = max(self._high, float(rows.max()))
            counts.append(len(rows))
            yield rows
        if sum(counts) != self.shape[0]:
            raise ValueError(f"{sum(counts)} rows of heights are not {self.shape[0]}")
        self._counts = counts

    def _kept(self, cache: IO[bytes]) -> Iterator[Floats]:
        cache.seek(0)
        for count in self._counts:
            yield self._read(cache, count)

    def _read(self, cache: IO[bytes], count: int) -> Floats:
        data = cache.read(POINT * count * self.shape[1])
        return np.frombuffer(data, np.float32).reshape(count, self.shape[1])


def regrouped(parts: Iterable[NDArray[Number]], count: int) -> Iterator[NDArray[Number]]:
    """Yield rows in groups of ``count``, the last of which may be smaller.

    Examples
    --------
    >>> parts = [np.arange(n) for n in (2, 3, 1)]
    >>> [len(group) for group in regrouped(parts, 4)]
    [4, 2]
    """
    left: NDArray[Number] | None = None
    for part in parts:
        rows = part if left is None else np.concatenate([left, part])
        whole = len(rows) // count * count
        for start in range(0, whole, count):
            yield rows[start : start + count]
        left = rows[whole:]
    if left is not None and len(left):
        yield left
