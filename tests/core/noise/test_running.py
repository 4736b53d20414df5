# SPDX-License-Identifier: GPL-3.0-or-later
"""How rows of a grid are shared among threads."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, strategies as st

from terrain_addon.core.noise.basis import GridPlan
from terrain_addon.core.noise.fractals.octave import Field
from terrain_addon.core.noise.sampling import sample as sampling
from terrain_addon.core.numerics.work_arrays import Scratch


class Counted(GridPlan):
    """Counts how often each row is filled."""

    def __init__(self, rows: int, step: int, terms: int = 1) -> None:
        self.rows, self.step, self.terms = rows, step, terms
        self.chunks: list[tuple[int, int]] = []

    def fill(
        self, start: int, stop: int, out: Field, scratch: Scratch, poll: Callable[[], None]
    ) -> None:
        self.chunks.append((start, stop))
        out += 1


def run(plan: Counted, rows: int, threads: int) -> Field:
    filled = np.zeros((rows, 1), np.float32)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sampling, "TERMS_PER_THREAD", 1)
        sampling.run_plan(plan, filled, threads)
    return filled


@given(
    rows=st.integers(1, 500),
    most=st.integers(1, 9),
    step=st.integers(1, 5),
    threads=st.integers(1, 4),
    terms=st.integers(0, 9),
)
def test_every_row_is_filled_once(
    rows: int, most: int, step: int, threads: int, terms: int
) -> None:
    plan = Counted(most * step, step, terms)
    assert np.all(run(plan, rows, threads) == 1)
    assert all(start % step == 0 for start, _ in plan.chunks)
    assert max(stop - start for start, stop in plan.chunks) <= plan.rows


@pytest.mark.parametrize("threads", [1, 2, 3, 4])
def test_each_thread_gets_as_many_chunks(threads: int) -> None:
    for rows, chunks in ((100, 3), (4096, 2), (4097, 2), (257, 1)):
        plan = Counted(-(-rows // chunks), 1)
        run(plan, rows, threads)
        assert len(plan.chunks) == -(-chunks // threads) * threads
        sizes = [stop - start for start, stop in plan.chunks]
        assert max(sizes) - min(sizes) < len(sizes)
