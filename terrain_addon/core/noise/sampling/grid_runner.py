# SPDX-License-Identifier: GPL-3.0-or-later
"""Fill grids chunk by chunk, on one thread or several."""

from __future__ import annotations

import math
from collections.abc import Callable

from ...numerics.blocks import parts, run_parts
from ...numerics.progress import Cancel, Progress
from ...numerics.work_arrays import Scratch
from ..basis import GridPlan
from ..fractals.octave import Field

POINT = 5
"""Terms that take as long as writing a point."""
TERMS_PER_THREAD = 2**26
"""About 7 ms of work: with less for each, several threads can take longer than one."""


def run_plan(
    plan: GridPlan,
    out: Field,
    threads: int = 1,
    progress: Progress | None = None,
    cancelled: Cancel | None = None,
) -> None:
    """Fill ``out`` in chunks of rows, on up to ``threads`` where that pays; raises Cancelled."""
    scratch, rows = Scratch(), len(out)
    work = out.size * (POINT + plan.terms) if plan.terms else 0
    threads = min(threads, max(1, work // TERMS_PER_THREAD))
    # The same number of chunks for each thread
    chunks = math.ceil(rows / plan.rows / threads) * threads
    size = math.ceil(rows / chunks / plan.step) * plan.step

    def fill(part: slice, ask: Callable[[], None]) -> None:
        plan.fill(part.start, part.stop, out[part], scratch, ask)

    run_parts(
        list(parts(rows, size)), fill, threads=threads, progress=progress, cancelled=cancelled
    )
