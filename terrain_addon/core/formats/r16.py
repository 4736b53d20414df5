# SPDX-License-Identifier: GPL-3.0-or-later
"""Raw 16-bit heightmaps (.r16, .raw), which game engines import."""

from __future__ import annotations

from typing import IO

import numpy as np
from numpy.typing import NDArray

from ..numerics.arrays import Floats
from .raw import read
from .registry import Format, add
from .rows import POINT, HeightRows


def write(file: IO[bytes], rows: HeightRows) -> None:
    """0 to 65535 from the lowest to the highest point, little-endian; row 0 at the lowest y."""
    low, high = rows.range
    for part in rows:
        file.write(quantized(part, low, high).tobytes())


def quantized(height: Floats, low: float, high: float) -> NDArray[np.uint16]:
    """Heights as 0 to 65535 from ``low`` to ``high``, little-endian.

    It depends on each height alone: tiles with one range meet at equal numbers.

    Examples
    --------
    >>> quantized(np.array([10.0, 15.0, 20.0], np.float32), 10.0, 20.0)
    array([    0, 32768, 65535], dtype=uint16)
    """
    share = height.astype(np.float64)  # in float32, some would be off by more than half a step
    share -= low
    share *= 65535 / ((high - low) or 1.0)
    np.rint(share, out=share)
    return np.clip(share, 0, 65535, out=share).astype("<u2")


_HELP = "raw 16 bit, normalized from the lowest to the highest point"
add(Format(".r16", _HELP, write=write, point=POINT + 2, read_raw=read))
add(Format(".raw", _HELP, write=write, point=POINT + 2))
