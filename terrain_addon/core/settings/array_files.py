# SPDX-License-Identifier: GPL-3.0-or-later
"""Arrays as .npy files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray


def save_array(path: Path, array: NDArray[Any]) -> None:
    """Write an array of numbers into a .npy file, with the bytes of :func:`numpy.save`.

    That function says nothing where a disk is full, if the array is small enough for a buffer of
    the C library, and gives no reason for a larger one.

    Raises
    ------
    OSError
        The file cannot be written.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "ramp.npy"
    >>> save_array(path, np.arange(3.0))
    >>> np.load(path)
    array([0., 1., 2.])
    """
    header = np.lib.format.header_data_from_array_1_0(array)
    values = np.ascontiguousarray(array.T if header["fortran_order"] else array)
    with path.open("wb") as file:
        np.lib.format.write_array_header_1_0(file, header)
        file.write(values.data)
