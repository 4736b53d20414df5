# SPDX-License-Identifier: GPL-3.0-or-later
"""Atomic file writes: a file is complete or absent."""

from __future__ import annotations

import os
import platform
import re
import secrets
import shutil
import stat
import zlib
from collections.abc import Generator, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_PART = re.compile(r"\.([0-9a-f]{8})-([0-9]+)-[0-9a-f]{4}\.part")
"""Ending of a temporary name: a digest of the computer's name, the process, a random number."""


@contextmanager
def replaced(path: Path) -> Generator[Path, None, None]:
    """Context manager: a temporary file beside ``path`` that replaces it at the end.

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
    with _beside(target, path) as new:
        _remove_leftovers(target)
        yield new
        if target.exists() and target.stat().st_nlink > 1:
            _overwrite(target, new)
            return
        with suppress(OSError):  # a new file has no permissions to keep, some disks have none
            shutil.copymode(target, new)
        new.replace(target)


def check_place(path: Path) -> None:
    """Raise OSError if no file can be written there; leaves no file behind."""
    with _beside(_target(path), path):
        pass


def _target(path: Path) -> Path:
    """The file that a path leads to, through symbolic links; OSError if it cannot be replaced."""
    try:
        target = Path(os.path.realpath(path))
        mode = target.stat().st_mode if os.path.lexists(target) else stat.S_IFREG | stat.S_IWUSR
    except (OSError, ValueError) as error:  # ValueError: a null character
        reason = error.strerror if isinstance(error, OSError) else error
        raise OSError(f"{path} cannot be written: {reason}") from None
    if stat.S_ISDIR(mode):
        raise OSError(f"{path} is a folder: choose another name")
    if not stat.S_ISREG(mode):
        raise OSError(f"{path} is a device or a pipe, not a file: choose another name")
    if not mode & stat.S_IWUSR:
        raise OSError(f"{path} is read-only: choose another name")
    return target


@contextmanager
def _beside(target: Path, path: Path) -> Generator[Path, None, None]:
    """A new file in the folder of ``target``, removed at the end unless it was renamed.

    Errors name ``path``. (`tempfile` is no option: only the owner may read its files.)
    """
    new = temporary(target)
    try:
        new.touch(exist_ok=False)
    except OSError as error:
        raise OSError(f"{path} cannot be written: {error.strerror}") from None
    try:
        yield new
    finally:
        new.unlink(missing_ok=True)


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


def temporary(target: Path) -> Path:
    """A new name beside ``target``, which tells the computer and the process that it is for."""
    ending = f"{computer()}-{os.getpid()}-{secrets.token_hex(2)}"
    return target.with_name(f"{target.name}.{ending}.part")


def leftovers(target: Path) -> Iterator[Path]:
    """What processes on this computer that have ended left under temporary names for ``target``."""
    for one in target.parent.iterdir():
        found = one.name.startswith(target.name) and _PART.fullmatch(one.name, len(target.name))
        if found and found[1] == computer() and not _runs(int(found[2])):
            yield one


def _remove_leftovers(target: Path) -> None:
    with suppress(OSError):  # of a folder that hides its files, or a file open on Windows
        for one in leftovers(target):
            one.unlink()


def _runs(process: int) -> bool:
    """Whether a process exists and has not ended. On Windows only this one is known to."""
    if process == os.getpid() or os.name == "nt":
        return process == os.getpid()
    try:
        os.kill(process, 0)  # sends nothing
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        return True
    with suppress(OSError):  # Linux: a zombie exists until its parent asks how it ended
        return not Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].startswith(" Z")
    return True


def computer() -> str:
    """A digest of the name of this computer."""
    return f"{zlib.crc32(platform.node().encode(errors='replace')):08x}"
