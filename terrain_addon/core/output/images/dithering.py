# SPDX-License-Identifier: GPL-3.0-or-later
"""Dithered 8-bit values: noise of less than a step hides the steps."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...numerics.arrays import Floats
from ...numerics.hashing import hashed, mixed

ROWS, COLUMNS = 0x0D17, 0x0D18
"""Streams of the random numbers."""
BITS = 16
"""Binary digits of the noise: 255 and the largest of them must add up exactly in float32."""


def dithered(
    values: Floats, seed: int, j: NDArray[np.int64], i: NDArray[np.int64]
) -> NDArray[np.uint8]:
    """Return the values from 0 to 1 in 256 steps, rounded up or down at random by how near they
    are.

    The mean over many samples is the exact value. A value that is a step is always the same. The
    random numbers follow from the seed and the place of the sample, so windows of an image fit
    together to the bit.

    Parameters
    ----------
    values : (h, w, channels) float32
    seed : of the recipe
    j, i : numbers of the rows, (h,), and of the columns, (w,), in the whole image

    Examples
    --------
    >>> half = np.full((64, 64, 1), 0.5, np.float32)
    >>> made = dithered(half, 1, np.arange(64), np.arange(64))
    >>> np.unique(made).tolist(), abs(float(made.mean()) - 127.5) < 0.03
    ([127, 128], True)
    """
    out = np.empty(values.shape, np.uint8)
    rows, columns = hashed(seed, ROWS, j), hashed(seed, COLUMNS, i)
    for channel in range(values.shape[-1]):
        words = mixed(rows[:, None] + columns + np.uint32(channel * 0x9E3779B1 & 0xFFFFFFFF))
        noise = (words >> np.uint32(32 - BITS)).astype(np.float32)
        noise *= np.float32(2.0**-BITS)
        noise += np.clip(values[..., channel], np.float32(0), np.float32(1)) * np.float32(255)
        out[..., channel] = noise  # cut off, which rounds down
    return out
