# SPDX-License-Identifier: GPL-3.0-or-later
"""Block iterators and a thread runner, for loops that stay in the cache and can be cancelled.

The sizes suit most loops. A loop that is faster with another size defines it, with the reason.
"""

from __future__ import annotations

import math
import os
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from .arrays import Floats, small_ufunc_buffer
from .progress import Cancel, Progress, poll

BAND = 65_536
"""Points of a band: temporaries stay in the processor's cache between two polls."""
PIECE = 262_144
"""Indices gathered between two polls: a few milliseconds, even when scattered in memory."""
SHARED_BAND = 262_144
"""Points of a band on several threads: on fewer, waking a thread between two NumPy calls would take
as long as a call."""
WORTHWHILE = 2**23
"""Points from which several threads are faster than one, at a few nanoseconds a point."""

SAMPLES = 32_768
"""Grid samples of a block of noise: enough to hide the overhead of calls, few enough that most of
its one to two dozen arrays of 128 KB stay in a core's cache. A compromise: 65 536 take a tenth
longer on an Intel Xeon, with a slow shared cache; 16 384 take as much longer on an AMD EPYC."""

POINTS = 16_384
"""Scattered points of a block of noise, which needs more arrays at once. On the Xeon OpenSimplex2S
takes 4 % less time than with 24 576, cellular noise 5 % more."""

Scalar = TypeVar("Scalar", bound=np.generic)


def default_threads() -> int:
    """Return the number of useful threads: calls on a band are too short for more than four."""
    return min(4, os.cpu_count() or 1)


def parts(count: int, length: int, cancelled: Cancel | None = None) -> Iterator[slice]:
    """Yield the slices of at most ``length`` items that cover ``count``. Cancelled is raised before
    each."""
    length = max(length, 1)
    for start in range(0, count, length):
        poll(cancelled)
        yield slice(start, min(start + length, count))


def even_parts(count: int, most: int) -> list[slice]:
    """Return the slices of about equal length, at most ``most``: 513 columns should not leave one
    over."""
    return list(parts(count, math.ceil(count / max(1, math.ceil(count / most)))))


def row_bands(
    shape: tuple[int, ...], cancelled: Cancel | None = None, points: int = BAND
) -> Iterator[slice]:
    """Yield the slices of rows, of about ``points`` points each. Cancelled is raised before
    each."""
    return parts(shape[0], points // max(shape[1], 1), cancelled)


def grid_pieces(
    shape: tuple[int, int], cancelled: Cancel | None = None, points: int = BAND
) -> Iterator[tuple[slice, slice]]:
    """Yield the slices of rows and of columns, in order: whole rows, or parts of one row where a
    row has more than ``points`` points. Cancelled is raised before each.

    Examples
    --------
    >>> [(row.start, part.start, part.stop) for row, part in grid_pieces((2, 5), None, 3)]
    [(0, 0, 3), (0, 3, 5), (1, 0, 3), (1, 3, 5)]
    """
    for rows in row_bands(shape, cancelled, points):
        for columns in parts(shape[1], points, cancelled):
            yield rows, columns


def by_bands(function: Callable[..., Floats], cancelled: Cancel | None, *fields: Floats) -> Floats:
    """Apply a pointwise function to fields of one shape, band by band; float32."""
    out = np.empty(fields[0].shape, np.float32)
    for rows in row_bands(out.shape, cancelled):
        out[rows] = function(*(field[rows] for field in fields))
    return out


def pieces(count: int, cancelled: Cancel | None) -> Iterator[slice]:
    """Yield the slices of :data:`PIECE` items that cover ``count``; Cancelled is raised before
    each."""
    return parts(count, PIECE, cancelled)


def taken(
    values: NDArray[Scalar], places: NDArray[Any], cancelled: Cancel | None
) -> NDArray[Scalar]:
    """Return ``values.take(places)``, piece by piece. All places must be in range."""
    out = np.empty(places.size, values.dtype)
    for part in pieces(places.size, cancelled):
        # mode="clip" skips the bounds check
        values.take(places[part], out=out[part], mode="clip")
    return out


def with_margin(part: slice, margin: int, count: int) -> tuple[slice, slice]:
    """Return a part extended by up to ``margin`` on both sides, and the part within it."""
    start, stop = max(part.start - margin, 0), min(part.stop + margin, count)
    return slice(start, stop), slice(part.start - start, part.stop - start)


def for_each_band(
    shape: tuple[int, ...],
    work: Callable[[slice], None],
    *,
    band: int | None = None,
    least: int = 1,
    threads: int = 1,
    worthwhile: int = WORTHWHILE,
    progress: Progress | None = None,
    cancelled: Cancel | None = None,
) -> None:
    """Call ``work`` with each band of rows of a grid. Bands must not depend on each other.

    Each band should take well under 50 ms: Cancelled is raised between bands only.

    Parameters
    ----------
    shape : tuple of int
        (rows, columns) of the grid.
    band : int, optional
        Rows of a band; by default as many as stay in the cache, ``least`` or more.
    threads : int, default 1
        Upper limit; unless ``band`` is given, grids of less than ``worthwhile`` points are run on
        one thread, which is faster.
    """
    if band is None:
        threads = threads if shape[0] * shape[1] >= worthwhile else 1
        band = max((BAND if threads == 1 else SHARED_BAND) // max(shape[1], 1), least)
    run_parts(
        list(parts(shape[0], band)),
        lambda part, ask: work(part),
        threads=threads,
        progress=progress,
        cancelled=cancelled,
    )


def run_parts(
    todo: Sequence[slice],
    work: Callable[[slice, Callable[[], None]], None],
    *,
    threads: int = 1,
    progress: Progress | None = None,
    cancelled: Cancel | None = None,
) -> None:
    """Call ``work(part, ask)`` with each part, on up to ``threads`` threads; raises Cancelled.

    ``work`` calls ``ask`` every few milliseconds, which raises Cancelled to stop. The calling
    thread works too (sleeping would cost a tenth of the gain); only it reports progress and polls
    ``cancelled``.
    """
    left, stopped, done = deque(todo), threading.Event(), list[int]()
    total = sum(part.stop - part.start for part in todo)

    def ask_caller() -> None:
        if progress is not None and total:
            progress(sum(done) / total)
        poll(cancelled)

    def ask_others() -> None:
        poll(stopped.is_set)

    @small_ufunc_buffer()
    def work_on(ask: Callable[[], None]) -> None:
        while left:
            try:
                part = left.popleft()
            except IndexError:  # another thread was faster
                return
            ask()
            work(part, ask)
            done.append(part.stop - part.start)
        ask()

    others = min(threads, len(left)) - 1
    if others < 1:
        work_on(ask_caller)
        return
    with ThreadPoolExecutor(others) as pool:
        futures = [pool.submit(work_on, ask_others) for _ in range(others)]
        try:
            work_on(ask_caller)
        except BaseException:
            stopped.set()
            raise
        for future in futures:
            future.result()
