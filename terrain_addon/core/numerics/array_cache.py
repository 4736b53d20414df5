# SPDX-License-Identifier: GPL-3.0-or-later
"""Bounded cache for results that consist of arrays."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any, Generic, Protocol, TypeVar

from numpy.typing import NDArray


class Arrays(Protocol):
    """A result that lists the arrays it consists of."""

    @property
    def arrays(self) -> Sequence[NDArray[Any]]: ...


Value = TypeVar("Value", bound=Arrays)


class ArrayCache(Generic[Value]):
    """Keeps the most recently used results, up to a number of bytes and of entries.

    Arrays of a kept result become read-only. A result larger than ``limit`` is not kept, unless it
    is among the ``least`` most recent ones, or among twice as many that fit into ``ample`` bytes.
    Several threads may use one cache. What it lacks is
    looked up in the cache ``below``, which it never writes to.
    """

    def __init__(
        self,
        limit: int,
        most: int,
        below: ArrayCache[Value] | None = None,
        least: int = 0,
        ample: int = 0,
    ) -> None:
        self.limit, self.most, self.below = limit, most, below
        self.least, self.ample = least, ample
        # An OrderedDict would hash the keys, whole recipes, again on every iteration.
        self._kept: dict[object, Value] = {}
        self._lock = threading.Lock()

    def get(self, key: object) -> Value | None:
        """Return the result under a key, now the most recently used, or None."""
        with self._lock:
            value = self._kept.pop(key, None)
            if value is not None:
                self._kept[key] = value
                return value
        return None if self.below is None else self.below.get(key)

    def put(self, key: object, value: Value) -> None:
        """Keep a result; the least recently used make room for it."""
        if not self.least and _nbytes(value) > self.limit:
            return
        for array in value.arrays:
            array.setflags(write=False)
        with self._lock:
            self._kept.pop(key, None)
            self._kept[key] = value
            while len(self._kept) > self._allowed():
                del self._kept[next(iter(self._kept))]

    def clear(self) -> None:
        """Remove all results."""
        with self._lock:
            self._kept.clear()

    def _allowed(self) -> int:
        """Return how many results may be kept."""
        size = sum(map(_nbytes, self._kept.values()))
        if size <= self.limit:
            return max(self.least, self.most)
        return 2 * self.least if size <= self.ample else self.least


def _nbytes(value: Arrays) -> int:
    return sum(array.nbytes for array in value.arrays)
