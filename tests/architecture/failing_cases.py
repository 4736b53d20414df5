# SPDX-License-Identifier: GPL-3.0-or-later
"""A subject of the soak whose cases pass, fail and crash, and fail at the end."""

import os
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def cases(variant: str, folder: Path) -> Iterator[Callable[[int, Counter[str]], None]]:
    seeds: list[int] = []

    def case(seed: int, counts: Counter[str]) -> None:
        seeds.append(seed)
        counts["passed" if seed != 2 else "failed"] += 1
        assert seed != 2, "two"
        if seed == 4:
            os.abort()

    yield case
    assert seeds != [5], "all cases since the crash together"
