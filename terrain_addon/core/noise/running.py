# SPDX-License-Identifier: GPL-3.0-or-later
"""Grids filled chunk by chunk, on one thread or several."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait

from ..errors import Cancelled
from .octave import Field
from .registry import GridPlan
from .scratch import Scratch

POINTS_PER_THREAD = 2**22
"""Threads that have less to do take longer than one alone."""
POLL = 0.02
"""Seconds between two questions whether to go on, while other threads work."""


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

    def poll() -> None:
        if cancelled is not None and cancelled():
            stopped.set()
            raise Cancelled

    def stop() -> None:
        """What the threads do instead: only the caller's own one asks whether to go on."""
        if stopped.is_set():
            raise Cancelled

    def fill(chunk: tuple[int, int], ask: Callable[[], None]) -> int:
        plan.fill(*chunk, out[chunk[0] : chunk[1]], scratch, ask)
        return chunk[1] - chunk[0]

    done = 0
    threads = min(threads, max(1, out.size // POINTS_PER_THREAD), len(chunks))
    if threads == 1 or not plan.parallel:
        for chunk in chunks:
            done += fill(chunk, poll)
            if progress is not None:
                progress(done / rows)
        return
    with ThreadPoolExecutor(threads) as pool:
        pending = {pool.submit(fill, chunk, stop) for chunk in chunks}
        while pending:
            poll()
            finished, pending = wait(pending, POLL, FIRST_COMPLETED)
            for future in finished:
                done += future.result()
                if progress is not None:
                    progress(done / rows)
                poll()
