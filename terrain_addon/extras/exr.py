# SPDX-License-Identifier: GPL-3.0-or-later
"""Heights as OpenEXR files: ``pip install "orogen[exr]"``."""

from __future__ import annotations

from typing import IO

import numpy as np

from ..core.formats import Format, HeightRows, add
from .libraries import library


def write(file: IO[bytes], rows: HeightRows) -> None:
    """Meters, float32, three equal channels, which all engines read; the first row is the northern
    one. The whole image is in memory."""
    exr = library("OpenEXR", "exr")
    height = np.concatenate(list(rows.from_north()))
    header = {"compression": exr.ZIP_COMPRESSION, "type": exr.scanlineimage}
    file.close()  # the library takes names only
    exr.File(header, {"RGB": np.repeat(height[..., None], 3, axis=2)}).write(file.name)


add(Format(".exr", "float32 in meters, by OpenEXR", write=write, point=8))
