# SPDX-License-Identifier: GPL-3.0-or-later
"""Work arrays that are made once per thread and used again for every block."""

from __future__ import annotations

import math
import threading
from typing import Any

import numpy as np
from numpy.typing import NDArray

CACHE_LINE = 64
"""Bytes."""
LEAST = 4096
"""Elements of an array when it is first made."""


class Scratch(threading.local):
    """Uninitialised arrays by name, one set per thread.

    Fresh temporaries cost page faults that double the time of a run, so the inner loops write
    into these. A name keeps one piece of memory: asking for it again hands out the same memory,
    grown if need be. Make one Scratch per call, never a global one.
    """

    def __init__(self) -> None:
        self.kept: dict[Any, Any] = {}
        """Results that later blocks of the same call use again, by keys of their makers."""
        self._memory: dict[str, NDArray[Any]] = {}
        self._views: dict[tuple[str, tuple[int, ...]], NDArray[Any]] = {}

    def __call__(self, name: str, shape: tuple[int, ...], dtype: Any = np.float32) -> NDArray[Any]:
        """A C-contiguous array of that shape; a name goes with one dtype."""
        view = self._views.get((name, shape))
        if view is None:
            size = math.prod(shape)
            memory = self._memory.get(name)
            if memory is None or memory.size < size:
                # With room to grow: octaves ask for more and more.
                room = max(LEAST, size if memory is None else size + size // 4)
                memory = self._memory[name] = _aligned(room, np.dtype(dtype))
                self._views = {key: v for key, v in self._views.items() if key[0] != name}
            view = self._views[name, shape] = memory[:size].reshape(shape)
        return view


def _aligned(size: int, dtype: np.dtype[Any]) -> NDArray[Any]:
    """An array that starts at a cache line.

    NumPy's own start 16 bytes after one, so that every wide load and store touches two lines:
    sums and products of arrays in the cache then took twice as long.
    """
    memory = np.empty(size * dtype.itemsize + CACHE_LINE, np.uint8)
    start = -memory.ctypes.data % CACHE_LINE
    return memory[start : start + size * dtype.itemsize].view(dtype)
