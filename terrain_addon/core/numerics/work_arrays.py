# SPDX-License-Identifier: GPL-3.0-or-later
"""Work arrays, allocated once per thread and reused for every block.

Fresh memory costs a page fault every 4 KB, which can double the time of a short call. Later
calls reuse the memory too, as soon as no array lies in it.
"""

from __future__ import annotations

import math
import threading
from collections import deque
from typing import Any

import numpy as np
from numpy.typing import NDArray

CACHE_LINE = 64
"""Bytes."""
LEAST, LARGEST = 2**14, 2**21
"""Bytes of the pieces of memory that are kept, all powers of two; larger arrays are rare."""
KEPT = 2**23
"""Bytes in pieces of one size, at most, that wait for their next use."""


class Scratch(threading.local):
    """Uninitialised arrays by name, one set per thread.

    The inner loops write into these instead of fresh temporaries. A name keeps one piece of
    memory, which grows as needed. Make one Scratch per
    call, never a global one.
    """

    def __init__(self) -> None:
        self.kept: dict[Any, Any] = {}
        """Results that later blocks of the same call use again, by keys of their makers."""
        self._memory: dict[str, NDArray[Any]] = {}
        self._views: dict[tuple[str, tuple[int, ...]], NDArray[Any]] = {}
        self._rows: dict[tuple[str, tuple[int, ...]], tuple[NDArray[Any], ...]] = {}

    def __call__(self, name: str, shape: tuple[int, ...], dtype: Any = np.float32) -> NDArray[Any]:
        """Return a C-contiguous array of that shape; a name goes with one dtype."""
        view = self._views.get((name, shape))
        if view is None:
            size = math.prod(shape)
            memory = self._memory.get(name)
            if memory is None or memory.size < size:
                # Release the smaller one first, so that both do not take memory.
                memory = None
                self._memory.pop(name, None)
                self._views = {key: v for key, v in self._views.items() if key[0] != name}
                self._rows = {key: v for key, v in self._rows.items() if key[0] != name}
                memory = self._memory[name] = _memory(size, np.dtype(dtype))
            view = self._views[name, shape] = memory[:size].reshape(shape)
        return view

    def rows(
        self, name: str, shape: tuple[int, ...], dtype: Any = np.float32
    ) -> tuple[NDArray[Any], ...]:
        """Return the parts along the first axis of the array of that name.

        Kept, as to take it apart takes as long as a call of NumPy.
        """
        rows = self._rows.get((name, shape))
        if rows is None:
            rows = tuple(self(name, shape, dtype))
            self._rows[name, shape] = rows
        return rows


def constant(number: float, dtype: Any = np.float32) -> NDArray[Any]:
    """Return a number as an array without axes: calls of NumPy begin in a third less time than with
    its scalars, which counts where a block has a hundred of them."""
    array = np.array(number, dtype)
    array.flags.writeable = False
    return array


def zeros(shape: tuple[int, ...], scratch: Scratch) -> NDArray[np.float32]:
    """Return zeros to compare with: NumPy is twice as fast with an array as with a number."""
    key = ("zeros", shape)
    if key not in scratch.kept:
        scratch.kept[key] = scratch("zeros", shape)
        scratch.kept[key].fill(0)
    return scratch.kept[key]


class _Lease:
    """A piece of memory that waits for its next use once the last array in it is gone."""

    def __init__(self, memory: NDArray[np.uint8], home: deque[NDArray[np.uint8]]) -> None:
        self._memory, self._home = memory, home
        self.__array_interface__ = memory.__array_interface__

    def __del__(self) -> None:
        self._home.append(self._memory)


_WAITING: dict[int, deque[NDArray[np.uint8]]] = {}
"""Pieces of memory by their bytes, for any thread: taking and adding are atomic."""


def _memory(size: int, dtype: np.dtype[Any]) -> NDArray[Any]:
    """Return the memory for that many elements or more."""
    exactly = size * dtype.itemsize
    count = 1 << (max(exactly, LEAST) - 1).bit_length()
    if count > LARGEST:
        return _aligned(exactly).view(dtype)
    home = _WAITING.setdefault(count, deque(maxlen=KEPT // count))
    try:
        memory = home.pop()
    except IndexError:
        memory = _aligned(count)
    return np.asarray(_Lease(memory, home)).view(dtype)


def _aligned(count: int) -> NDArray[np.uint8]:
    """Return that many bytes from the start of a cache line.

    NumPy's own arrays start 16 bytes after one, so that every wide load and store touches two
    lines: sums and products of arrays in the cache then took twice as long.
    """
    memory = np.empty(count + CACHE_LINE, np.uint8)
    start = -memory.ctypes.data % CACHE_LINE
    return memory[start : start + count]
