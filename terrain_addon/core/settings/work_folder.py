# SPDX-License-Identifier: GPL-3.0-or-later
"""Folders for unfinished work, which one process at a time uses."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from .owned_files import remove_empty, remove_file
from .write_errors import NotWritten

MARK = "orogen.lock"
"""The file that marks such a folder. The process that uses it holds a lock on it, which the system
releases when the process ends."""
TEXT = b"Orogen keeps unfinished work in this folder.\n"
LOCKED = (errno.EACCES, errno.EAGAIN, errno.EDEADLK)
"""Errors that say that another process holds the lock; others, that the disk has no locks."""


@contextmanager
def work_folder(path: Path, work: str) -> Generator[Path, None, None]:
    """Yield a folder for unfinished work of this process.

    It is a new one, an empty one, or what an earlier process left. At the end it is removed if
    nothing was put into it.

    Parameters
    ----------
    path : Path
        The folder.
    work : str
        What it is for, for messages.

    Raises
    ------
    ValueError
        Another process uses the folder, or Orogen did not make it.
    NotWritten
        It cannot be written.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "alps.unfinished"
    >>> with work_folder(path, "the plan of alps") as folder:
    ...     folder.is_dir()
    True
    >>> path.exists()
    False
    """
    try:
        mark = _claim(path, work)
    except OSError as error:
        raise NotWritten(path, error.strerror) from None
    with mark:
        try:
            yield path
        finally:
            _release(path, mark)


def _claim(path: Path, work: str) -> IO[bytes]:
    """Make a folder, or take over one that is marked, and lock its mark."""
    while True:
        with suppress(FileExistsError):
            path.mkdir(parents=True)
        _check_own(path)
        try:
            mark = (path / MARK).open("ab", buffering=0)  # on a full disk nothing waits in it
        except FileNotFoundError:  # another process has just removed the folder
            continue
        if not _is_locked_by_us(mark):
            mark.close()
            raise ValueError(
                f"Another process is at work on {work}: wait for it, or choose another name"
            )
        if _is_same(mark, path / MARK):
            try:
                if not mark.tell():
                    mark.write(TEXT)
            except OSError:
                with mark:
                    _release(path, mark)
                raise
            return mark
        mark.close()


def _check_own(path: Path) -> None:
    """Raise ValueError for a folder that is neither marked nor empty."""
    names = {one.name for one in path.iterdir()} if path.is_dir() else {path.name}
    if path.is_symlink() or (names and MARK not in names):
        raise ValueError(
            f"{path} is in the way, and Orogen did not make it: rename it, or choose another name"
        )


def _release(path: Path, mark: IO[bytes]) -> None:
    """Remove the folder if it holds nothing but its mark; unlock the mark."""
    if {one.name for one in path.iterdir()} == {MARK}:
        if os.name == "nt":  # an open file cannot be deleted there
            mark.close()
        with suppress(OSError):  # another process has just claimed it
            remove_file(path / MARK, lambda _: True)
        remove_empty(path)


def _is_locked_by_us(mark: IO[bytes]) -> bool:
    """Lock a file until it is closed; False if another process has done so."""
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(mark.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(mark, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        return error.errno not in LOCKED
    return True


def _is_same(mark: IO[bytes], path: Path) -> bool:
    """Return whether an open file still has its name: another process may have removed it
    meanwhile."""
    try:
        return os.path.samestat(os.fstat(mark.fileno()), path.stat())
    except FileNotFoundError:
        return False
