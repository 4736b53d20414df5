# SPDX-License-Identifier: GPL-3.0-or-later
"""How NumPy goes through grids that are not one run of memory."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

import numpy as np

ROW = 512
"""Numbers of a row from which NumPy works on the row itself."""


@contextmanager
def whole_rows() -> Generator[None, None, None]:
    """Let NumPy take the rows of a grid as they are; for this thread, until the end.

    Where an operand is a part of a grid, or one row or column for all of it, NumPy first copies
    rows shorter than its buffer, by default 8192 numbers, into that. With a shorter buffer such
    calls take half the time, all layers of an island a tenth less, and no kind of noise longer.
    Usable as a decorator too.
    """
    before = np.setbufsize(ROW)
    try:
        yield
    finally:
        np.setbufsize(before)
