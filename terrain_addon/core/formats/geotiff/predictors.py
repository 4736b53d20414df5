# SPDX-License-Identifier: GPL-3.0-or-later
"""Predictors of TIFF files: rows stored as differences.

Source: Adobe, *TIFF Revision 6.0*, 1992, section 14; *TIFF Technical Note 3*, 2005 (floats).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def undo(
    block: bytes, predictor: int, dtype: np.dtype, columns: int, samples: int = 1
) -> NDArray[Any]:
    """Return (rows, columns) samples of a block of whole rows; (rows, columns, samples) of
    several."""
    if predictor == 3:
        values = _floats(block, dtype, columns * samples, samples)
    else:
        values = np.frombuffer(block, dtype).reshape(-1, columns * samples)
    if predictor == 2:
        whole = values.view(f"{dtype.byteorder}u{dtype.itemsize}").astype(f"=u{dtype.itemsize}")
        whole = whole.reshape(-1, columns, samples)
        np.add.accumulate(whole, axis=1, out=whole)  # wraps, as the differences do
        values = whole.reshape(-1, columns * samples).view(f"={dtype.kind}{dtype.itemsize}")
    return values if samples == 1 else values.reshape(-1, columns, samples)


def _floats(block: bytes, dtype: np.dtype, columns: int, samples: int) -> NDArray[Any]:
    """Return the rows of differences of bytes: first the most significant byte of all floats, and
    so on."""
    size = dtype.itemsize
    planes = np.frombuffer(block, np.uint8).reshape(-1, size * columns // samples, samples)
    planes = np.add.accumulate(planes, axis=1, dtype=np.uint8).reshape(-1, size * columns)
    whole = np.empty((planes.shape[0], columns, size), np.uint8)
    for byte in range(size):
        whole[:, :, byte] = planes[:, byte * columns : (byte + 1) * columns]
    return whole.view(f">f{size}")[:, :, 0]


def differences(values: NDArray[np.float32]) -> bytes:
    """Return the rows of floats with predictor 3: the inverse of what :func:`undo` does."""
    rows, columns = values.shape
    bytes_ = values.astype(">f4").view(np.uint8).reshape(rows, columns, 4)
    planes = bytes_.transpose(0, 2, 1).reshape(rows, 4 * columns)
    planes[:, 1:] -= planes[:, :-1].copy()
    return planes.tobytes()
