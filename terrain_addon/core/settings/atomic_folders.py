# SPDX-License-Identifier: GPL-3.0-or-later
"""Atomic writes of folders: a folder is complete, and on the disk, or absent."""

from __future__ import annotations

import os
import shutil
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path

from .atomic_files import computer, leftovers, temporary


@contextmanager
def replaced_folder(path: Path) -> Generator[Path, None, None]:
    """Context manager: a new folder beside ``path`` that replaces it at the end.

    An older folder stays until then, and also if an exception is raised inside. All files are
    synced to the disk before the folder is renamed. Folders that killed processes left are
    removed; the older folder is restored if one was killed while it was replaced.

    Raises
    ------
    OSError : the folder cannot be written

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
        recover(target)
        new.mkdir()
    except OSError as error:
        raise OSError(f"{path} cannot be written: {error.strerror}") from None
    try:
        yield new
        _sync(new)
        _replace(target, new)
    finally:
        shutil.rmtree(new, ignore_errors=True)


def recover(target: Path) -> None:
    """Put back an older folder that a killed process had moved away, and remove what such processes
    left beside it."""
    old = _older(target)
    if old.is_dir() and not target.exists():
        old.rename(target)
    if target.parent.is_dir():
        for one in list(leftovers(target)):
            shutil.rmtree(one, ignore_errors=True)
    shutil.rmtree(old, ignore_errors=True)


def _older(target: Path) -> Path:
    """The name of an older folder while it is replaced."""
    return target.with_name(f"{target.name}.{computer()}.old.part")


def _replace(target: Path, new: Path) -> None:
    old = _older(target)
    if target.exists():
        target.rename(old)
    try:
        new.rename(target)
    except OSError:
        with suppress(FileNotFoundError):
            old.rename(target)
        raise
    sync(target.parent)
    shutil.rmtree(old, ignore_errors=True)


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
