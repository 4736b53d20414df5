# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks of files before they are read: their type, and the size of those that are small."""

from __future__ import annotations

import stat
from pathlib import Path

LARGEST_TEXT = 8 * 2**20
"""Bytes of the largest recipe, palette, or description of other files: a recipe with a shape of
100,000 points has about 6 MB."""


def check_regular(path: Path) -> None:
    """Raise OSError for a path that is not a regular file, which reading could wait for forever.

    Parameters
    ----------
    path : Path
        Path The file to be read. Symbolic links are followed.

    Raises
    ------
    OSError
        The path is a folder, a pipe, a device or a link to itself, or there is no such file. The
        message names the path and says what to do.

    Examples
    --------
    >>> check_regular(Path("/"))
    Traceback (most recent call last):
    ...
    OSError: / is a folder, not a file: choose a file
    """
    try:
        mode = path.stat().st_mode
    except ValueError as error:  # a null character
        raise OSError(f"{str(path)!r} is not a path: {error}") from None
    if stat.S_ISDIR(mode):
        raise OSError(f"{path} is a folder, not a file: choose a file")
    if not stat.S_ISREG(mode):
        raise OSError(f"{path} is a device or a pipe, not a file: save it to a file first")


def read_text_bytes(path: Path) -> bytes:
    """Return the bytes of a recipe, a palette or another small text file.

    Parameters
    ----------
    path : Path
        Path A regular file of at most 8 MiB.

    Returns
    -------
    bytes
        The content, to be decoded by the caller.

    Raises
    ------
    OSError
        As from `check_regular`, or the file cannot be read.
    ValueError
        The file is larger than 8 MiB. It is not read further.
    """
    check_regular(path)
    with path.open("rb") as file:
        content = file.read(LARGEST_TEXT + 1)  # the size may differ from what the system states
    if len(content) > LARGEST_TEXT:
        raise ValueError(
            f"it has more than {LARGEST_TEXT // 2**20} MiB: no file of its kind is so large"
        )
    return content
