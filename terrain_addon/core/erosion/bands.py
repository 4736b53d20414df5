# SPDX-License-Identifier: GPL-3.0-or-later
"""Work by bands of rows: in cache, in several threads, and stoppable."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

from ..numerics.arrays import small_ufunc_buffer
from ..numerics.progress import Cancel, Progress, poll, row_bands

CELLS = 65_536
"""Cells worked on at once by one thread: what belongs to them stays in the processor's cache."""
SHARED_CELLS = 262_144
"""The same where several threads work: a thread that waits for its turn between two calls of NumPy
takes as long to wake as a call on fewer cells."""
WORTHWHILE = 2**23
"""Cells from which several threads are faster than one, where a cell takes a few nanoseconds."""


def default_threads() -> int:
    """As many threads as pay: NumPy's calls on a band are short, more than four wait in line."""
    return min(4, os.cpu_count() or 1)


def in_cache(shape: tuple[int, ...], cells: int = CELLS // 2) -> Iterator[slice]:
    """Bands of rows that are small enough for temporaries to stay in the processor's cache."""
    return row_bands(shape, None, cells)


def with_margin(part: slice, margin: int, count: int) -> tuple[slice, slice]:
    """A part with up to ``margin`` more on either side, and where the part lies in that."""
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
    """Call ``work`` for every band of rows of a grid. Bands must not depend on each other.

    Cancelled is raised between bands; each should take well under 50 ms.

    Parameters
    ----------
    shape : (rows, columns) of the grid
    band : rows of a band; by default as many as fit, ``least`` or more
    threads : as many at most; unless ``band`` is given, grids of less than ``worthwhile`` cells
        are done by one, which is faster
    """
    rows = shape[0]
    if band is None:
        if shape[0] * shape[1] < worthwhile:
            threads = 1
        band = max((CELLS if threads == 1 else SHARED_CELLS) // max(shape[1], 1), least)
    bands = [slice(start, min(start + band, rows)) for start in range(0, rows, max(band, 1))]

    @small_ufunc_buffer()
    def one(part: slice) -> None:
        poll(cancelled)
        work(part)
        if progress is not None:
            progress(part.stop / rows)

    if threads > 1 and len(bands) > 1:
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(one, bands))
    else:
        for part in bands:
            one(part)
