# SPDX-License-Identifier: GPL-3.0-or-later
"""Delete, rename and replace files: the only module that does, so that it only meets our own.

A file or folder is Orogen's own if its name is a temporary one, which no user chooses, or if the
caller recognizes it. Everything else stays.
"""

from __future__ import annotations

import os
import platform
import re
import secrets
import shutil
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from .write_errors import NotWritten

Others = Callable[[Path], Sequence[str]]
"""Returns the names in an older folder that Orogen did not put there."""

_PART = re.compile(r"\.([0-9a-f]{8})-([0-9]+)-[0-9a-f]{8}\.part")
"""Ending of a temporary name: a digest of the computer's name, the process, a random number."""
_TEMPORARY = re.compile(rf".+({_PART.pattern}|\.[0-9a-f]{{8}}\.old\.part)", re.DOTALL)
"""Names that no user chooses, those of folders that are being replaced among them."""


def temporary(target: Path) -> Path:
    """Return a new name beside ``target`` that states the computer and the process it is for."""
    ending = f"{computer()}-{os.getpid()}-{secrets.token_hex(4)}"
    return target.with_name(f"{target.name}.{ending}.part")


def leftovers(target: Path) -> Iterator[Path]:
    """Find what killed processes of this computer left under temporary names for ``target``."""
    for path in target.parent.iterdir():
        found = path.name.startswith(target.name) and _PART.fullmatch(path.name, len(target.name))
        if found and found[1] == computer() and not _runs(int(found[2])):
            yield path


def discard(path: Path) -> None:
    """Delete a file or a folder with a temporary name, if it exists.

    Raises ValueError for any other name.
    """
    _check_temporary(path)
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def replace_file(new: Path, target: Path) -> None:
    """Give a file with a temporary name the name that it is for."""
    _check_temporary(new)
    new.replace(target)


def replace_folder(new: Path, target: Path, others: Others) -> None:
    """Give a folder with a temporary name the name that it is for; delete an older folder.

    Raises NotWritten if the older folder holds other files; it is back then.
    """
    _check_temporary(new)
    old = _older(target)
    if target.exists():
        target.rename(old)
    try:
        if old.exists():  # checked now, as nobody puts a file there by its old name any more
            _check_others(old, target, others)
        new.rename(target)
    except OSError:
        with suppress(FileNotFoundError):
            old.rename(target)
        raise
    with suppress(OSError):  # a file that is open on Windows
        _discard_older(old, target)


def recover_folder(target: Path, others: Others) -> None:
    """Finish what killed processes began to replace.

    The older folder comes back if nothing took its place, and what was left beside is deleted.
    Raises NotWritten if both exist and the older one holds other files.
    """
    old = _older(target)
    if old.is_dir():
        remove_empty(target)
        if target.exists():
            _check_others(old, old, others)
            _discard_older(old, target)
        else:
            old.rename(target)
    if target.parent.is_dir():
        for leftover in list(leftovers(target)):
            with suppress(OSError):
                discard(leftover)


def everything(folder: Path) -> list[str]:
    """Return all names in a folder: none of it may be deleted."""
    return [path.name for path in folder.iterdir()]


def remove_file(path: Path, is_own: Callable[[Path], bool]) -> None:
    """Delete a file if it exists and Orogen made it, as ``is_own`` finds; any other stays."""
    if os.path.lexists(path) and not path.is_dir() and is_own(path):
        path.unlink()


def remove_empty(folder: Path) -> None:
    """Delete a folder that holds nothing; any other stays."""
    with suppress(OSError):
        folder.rmdir()


def is_temporary(path: Path) -> bool:
    """Return true for a name that no user chooses, but Orogen.

    Examples
    --------
    >>> is_temporary(temporary(Path("alps.png"))), is_temporary(Path("alps.png.part"))
    (True, False)
    """
    return _TEMPORARY.fullmatch(path.name) is not None


def computer() -> str:
    """Return a digest of the name of this computer."""
    return f"{zlib.crc32(platform.node().encode(errors='replace')):08x}"


def _discard_older(old: Path, target: Path) -> None:
    """Delete an older folder that was checked: under a name that needs no other check, as half of
    it would not pass one."""
    aside = temporary(target)
    old.rename(aside)
    discard(aside)


def _check_others(folder: Path, name: Path, others: Others) -> None:
    """Raise NotWritten, which names ``name``, if a folder holds files that are not Orogen's."""
    if not folder.is_dir():
        raise NotWritten(name, "it is a file: choose another name")
    if found := others(folder):
        raise NotWritten(
            name, f"it holds other files, such as {min(found)}: move them, or choose another name"
        )


def _check_temporary(path: Path) -> None:
    if not is_temporary(path):
        raise ValueError(f"{path} is not a temporary file of Orogen: it stays")


def _older(target: Path) -> Path:
    """Return the name of an older folder while it is replaced."""
    return target.with_name(f"{target.name}.{computer()}.old.part")


def _runs(process: int) -> bool:
    """Return whether a process exists and has not ended. On Windows only this one is known to."""
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
