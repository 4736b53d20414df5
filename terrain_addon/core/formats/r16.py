# SPDX-License-Identifier: GPL-3.0-or-later
"""Raw 16-bit heightmaps (.r16), which game engines import."""

from __future__ import annotations

from typing import IO

import numpy as np

from .raw import read
from .registry import Format, add
from .rows import POINT, HeightRows


def write(file: IO[bytes], rows: HeightRows) -> None:
    """0 to 65535 from the lowest to the highest point, little-endian; row 0 at the lowest y."""
    low, high = rows.range
    for part in rows:
        share = part * np.float32(0.5)  # halves: differences of large heights stay finite
        share -= np.float32(low / 2)
        share /= np.float32((high - low) / 2 or 1.0)
        share *= np.float32(65535)
        file.write(np.rint(share, out=share).astype("<u2").tobytes())


add(
    Format(
        ".r16",
        "raw 16 bit, normalized from the lowest to the highest point",
        write=write,
        point=POINT + 2,
        read_raw=read,
    )
)
