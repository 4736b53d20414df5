# SPDX-License-Identifier: GPL-3.0-or-later
"""Work by bands of rows: in cache, in several threads, and stoppable."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from ..errors import Cancelled

Progress = Callable[[float], None]
Cancel = Callable[[], bool]


def default_threads() -> int:
    """As many threads as pay: NumPy's calls on a band are short, more than four wait in line."""
    return min(4, os.cpu_count() or 1)


def poll(cancelled: Cancel | None) -> None:
    """Raise Cancelled if asked to stop."""
    if cancelled is not None and cancelled():
        raise Cancelled


def for_each_band(
    rows: int,
    band: int,
    work: Callable[[slice], None],
    *,
    threads: int = 1,
    progress: Progress | None = None,
    cancelled: Cancel | None = None,
) -> None:
    """Call ``work`` for every band of rows. Bands must not depend on each other.

    Cancelled is raised between bands; each band should take well under 50 ms.
    """
    bands = [slice(start, min(start + band, rows)) for start in range(0, rows, max(band, 1))]

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
