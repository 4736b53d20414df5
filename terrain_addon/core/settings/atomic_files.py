# SPDX-License-Identifier: GPL-3.0-or-later
"""Atomic file writes: a file is complete or absent."""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path

from .owned_files import discard, leftovers, replace_file, temporary
from .write_errors import NotWritten, named_errors


@contextmanager
def replaced(path: Path) -> Generator[Path, None, None]:
    """Yield a temporary file beside ``path`` that replaces it at the end.

    An existing file stays until then, and also if an exception is raised inside. Its permissions
    and its hard links are kept, and a symbolic link still leads to it. Raises OSError if the path
    is not writable, or is not a regular file. Temporary files of processes that were killed are
    removed.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "recipe.json"
    >>> with replaced(path) as new:
    ...     _ = new.write_text("{}")
    >>> path.read_text()
    '{}'
    """
    target = _target(path)
    with _beside(target, path) as new, named_errors(path, new):
        with suppress(OSError):  # of a folder that hides its files, or a file open on Windows
            for leftover in leftovers(target):
                discard(leftover)
        yield new
        if target.exists() and target.stat().st_nlink > 1:
            _overwrite(target, new)
            return
        with suppress(OSError):  # a new file has no permissions to keep, some disks have none
            shutil.copymode(target, new)
        replace_file(new, target)


def check_place(path: Path) -> None:
    """Raise OSError if no file can be written there; leaves no file behind."""
    with _beside(_target(path), path):
        pass


def _target(path: Path) -> Path:
    """Resolve the symbolic links of a path; raise OSError if the file cannot be replaced."""
    try:
        target = Path(os.path.realpath(path))
        mode = target.stat().st_mode if os.path.lexists(target) else stat.S_IFREG | stat.S_IWUSR
    except (OSError, ValueError) as error:  # ValueError: a null character
        reason = error.strerror if isinstance(error, OSError) else error
        raise NotWritten(path, reason) from None
    if stat.S_ISDIR(mode):
        raise OSError(f"{path} is a folder: choose another name")
    if not stat.S_ISREG(mode):
        raise OSError(f"{path} is a device or a pipe, not a file: choose another name")
    if not mode & stat.S_IWUSR:
        raise OSError(f"{path} is read-only: choose another name")
    return target


@contextmanager
def _beside(target: Path, path: Path) -> Generator[Path, None, None]:
    """Yield a new file in the folder of ``target``; remove it at the end unless renamed.

    Errors name ``path``. (`tempfile` is no option: only the owner may read its files.)
    """
    new = temporary(target)
    try:
        new.touch(exist_ok=False)
    except OSError as error:
        raise NotWritten(path, error.strerror) from None
    try:
        yield new
    finally:
        discard(new)


def _overwrite(target: Path, new: Path) -> None:
    """Copy a complete file into one with several names, which a renamed file would not replace.

    The room is reserved first, so that a full disk does not leave half of it.
    """
    old_size, size = target.stat().st_size, new.stat().st_size
    with target.open("ab", buffering=0) as file:
        try:
            while (missing := size - file.tell()) > 0:
                file.write(bytes(min(missing, 1 << 20)))
        except OSError:
            file.truncate(old_size)
            raise
    with target.open("r+b") as file, new.open("rb") as source:
        shutil.copyfileobj(source, file)
        file.truncate()
