# SPDX-License-Identifier: GPL-3.0-or-later
"""Heights and image values as whole numbers of 16 and 8 bits."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..numerics import srgb
from ..numerics.arrays import Floats


def height_to_uint16(height: Floats, low: float, high: float) -> NDArray[np.uint16]:
    """Scale heights to 0 at ``low`` and 65535 at ``high``, little-endian.

    Each number depends on its height alone: tiles with one range meet at equal numbers.

    Examples
    --------
    >>> height_to_uint16(np.array([10.0, 15.0, 20.0], np.float32), 10.0, 20.0)
    array([    0, 32768, 65535], dtype=uint16)
    """
    share = height.astype(np.float64)  # in float32, some would be off by more than half a step
    share -= low
    share *= 65535 / ((high - low) or 1.0)
    np.rint(share, out=share)
    return np.clip(share, 0, 65535, out=share).astype("<u2")


def image_to_uint8(values: Floats, *, color: bool = False) -> NDArray[np.uint8]:
    """Scale values from 0 to 1 to 0 to 255; ``color`` converts linear colors to sRGB.

    Examples
    --------
    >>> image_to_uint8(np.float32([0.0, 0.5, 2.0]))
    array([  0, 128, 255], dtype=uint8)
    >>> image_to_uint8(np.float32([0.5]), color=True)
    array([188], dtype=uint8)
    """
    shares = np.clip(values, 0, 1)
    shares = srgb.encoded(shares) if color else shares
    return np.rint(shares * np.float32(255)).astype(np.uint8)
