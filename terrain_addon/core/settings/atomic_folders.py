# SPDX-License-Identifier: GPL-3.0-or-later
"""Atomic writes of folders: a folder is complete, and on the disk, or absent."""

from __future__ import annotations

import os
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path

from .owned_files import Others, discard, everything, recover_folder, replace_folder, temporary
from .write_errors import NotWritten, named_errors


@contextmanager
def replaced_folder(path: Path, others: Others = everything) -> Generator[Path, None, None]:
    """Yield a new folder beside ``path`` that replaces it at the end.

    An older folder stays until then, and also if an exception is raised inside. All files are
    synced to the disk before the folder is renamed. Folders that killed processes left are
    removed; the older folder is restored if one was killed while it was replaced.

    Parameters
    ----------
    path : Path
        The folder.
    others : Others, default everything
        Returns the names in an older folder that must not be deleted; by default all, so that the
        folder has to be new or empty.

    Raises
    ------
    NotWritten
        The folder cannot be written, or holds other files at the end.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "world"
    >>> with replaced_folder(path) as new:
    ...     _ = (new / "a.txt").write_text("a")
    >>> [one.name for one in path.iterdir()]
    ['a.txt']
    """
    target = Path(os.path.realpath(path))  # "." has no name to rename a folder to
    new = temporary(target)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        recover_folder(target, others)
        new.mkdir()
    except NotWritten:
        raise
    except OSError as error:
        raise NotWritten(path, error.strerror) from None
    try:
        with named_errors(path, new):
            yield new
            _sync(new)
            replace_folder(new, target, others)
            sync(target.parent)
    finally:
        with suppress(OSError):
            discard(new)


def _sync(folder: Path) -> None:
    """Sync a folder with all that it holds."""
    for path, _, names in os.walk(folder):
        for name in names:
            sync(Path(path, name))
        sync(Path(path))


def sync(path: Path) -> None:
    """Wait until a file, or a folder's list of names, is on the disk."""
    flags = os.O_RDONLY
    if os.name == "nt":
        if path.is_dir():  # folders cannot be opened there
            return
        flags = os.O_RDWR | getattr(os, "O_BINARY", 0)
    handle = os.open(path, flags)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
