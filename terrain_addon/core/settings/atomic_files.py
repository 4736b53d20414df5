# SPDX-License-Identifier: GPL-3.0-or-later
"""Files that are whole or not there."""

from __future__ import annotations

import os
import secrets
import stat
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def replaced(path: Path) -> Generator[Path, None, None]:
    """An empty file beside ``path`` to write to; at the end it takes its place.

    An older file is whole until the new one is, and stays when something fails inside.
    OSError when the place cannot be taken.
    """
    with _beside(path) as new:
        yield new
        new.replace(path)


def check_place(path: Path) -> None:
    """OSError when no file can be written there; leaves nothing behind."""
    if os.path.isdir(path):  # unlike Path.is_dir this fails on no name
        raise OSError(f"{path} is a folder: choose another name")
    if os.path.exists(path) and not path.stat().st_mode & stat.S_IWUSR:
        raise OSError(f"{path} is read-only: choose another name")
    with _beside(path):
        pass


@contextmanager
def _beside(path: Path) -> Generator[Path, None, None]:
    """A new file in the folder of ``path``, which is gone at the end unless it was renamed.

    No file of the user's has its name. (Those of `tempfile` nobody but their owner may read.)
    """
    new = path.with_name(f"{path.name}.{secrets.token_hex(4)}.part")
    try:
        new.touch(exist_ok=False)
    except OSError as error:
        raise OSError(f"{path} cannot be written: {error.strerror}") from None
    try:
        yield new
    finally:
        new.unlink(missing_ok=True)
