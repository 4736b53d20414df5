# SPDX-License-Identifier: GPL-3.0-or-later
"""Write small pictures as PNG files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ...formats.png_writer import encoded
from ...numerics import srgb
from ...numerics.arrays import Floats
from ...settings.atomic_files import replaced


def write_png(path: Path, image: NDArray[np.uint8], level: int = 9) -> None:
    """Write an 8-bit image: gray (H, W), sRGB (H, W, 3), or sRGB with alpha (H, W, 4).

    The first row is on top. An existing file is replaced only once the new one is complete. Raises
    OSError if the path is not writable.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "red.png"
    >>> write_png(path, np.full((2, 2, 4), (255, 0, 0, 255), np.uint8))
    >>> path.read_bytes()[1:4]
    b'PNG'
    """
    height, width, *channels = image.shape
    shape = (height, width, *(channels or [1]))
    with replaced(path) as beside:
        beside.write_bytes(b"".join(encoded([image], shape, depth=8, level=level)))


def as_bytes(values: Floats, *, color: bool = False) -> NDArray[np.uint8]:
    """0 to 1 as 0 to 255; linear colors in sRGB.

    >>> as_bytes(np.float32([0.0, 0.5, 2.0])), as_bytes(np.float32([0.5]), color=True)
    (array([  0, 128, 255], dtype=uint8), array([188], dtype=uint8))
    """
    shares = np.clip(values, 0, 1)
    shares = srgb.encoded(shares) if color else shares
    return np.rint(shares * np.float32(255)).astype(np.uint8)
