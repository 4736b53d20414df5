# SPDX-License-Identifier: GPL-3.0-or-later
"""Grids filled chunk by chunk, on one thread or several."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from ..errors import Cancelled
from .octave import Field
from .registry import GridPlan
from .scratch import Scratch

POINTS_PER_THREAD = 2**22
"""Threads that have less to do take longer than one alone."""


def run_plan(
    plan: GridPlan,
    out: Field,
    threads: int = 1,
    progress: Callable[[float], None] | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> None:
    """Fill ``out`` in chunks of rows, on several threads if asked and useful; raises Cancelled."""
    scratch, stopped = Scratch(), threading.Event()
    rows = len(out)
    chunks = [(start, min(start + plan.rows, rows)) for start in range(0, rows, plan.rows)]

    def fill(chunk: tuple[int, int]) -> int:
        if not stopped.is_set():
            plan.fill(*chunk, out[chunk[0] : chunk[1]], scratch)
        return chunk[1]

    def follow(done: int) -> None:
        if progress is not None:
            progress(done / rows)

    def poll() -> None:
        if cancelled is not None and cancelled():
            stopped.set()
            raise Cancelled

    threads = min(threads, max(1, out.size // POINTS_PER_THREAD), len(chunks))
    if threads > 1 and plan.parallel:
        with ThreadPoolExecutor(threads) as pool:
            for done in pool.map(fill, chunks):
                follow(done)
                poll()
    else:
        for chunk in chunks:
            poll()
            follow(fill(chunk))
