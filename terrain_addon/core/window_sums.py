# SPDX-License-Identifier: GPL-3.0-or-later
"""Running sums."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def window_sums(values: NDArray[Any], width: int) -> NDArray[Any]:
    """Sums of ``width`` rows, from each row on: ``width - 1`` fewer rows than ``values`` has.

    Sums of 1, 2, 4, 8 ... rows are built from each other and pieced together. Unlike differences
    of cumulative sums that takes the same steps wherever an array begins, so windows of one grid
    agree to the bit, and it costs the logarithm of the width.
    """
    count = len(values) - width + 1
    total: NDArray[Any] | None = None
    start, length = 0, 1
    while True:
        if width & length:
            part = values[start : start + count]
            total = part.copy("K") if total is None else np.add(total, part, out=total)
            start += length
        if 2 * length > width:
            assert total is not None, "a width has a highest bit"
            return total
        values = values[:-length] + values[length:]
        length *= 2
