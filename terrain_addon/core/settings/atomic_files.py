# SPDX-License-Identifier: GPL-3.0-or-later
"""Atomic file writes: a file is complete or absent."""

from __future__ import annotations

import os
import secrets
import stat
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def replaced(path: Path) -> Generator[Path, None, None]:
    """Context manager: a temporary file beside ``path`` that replaces it at the end.

    An existing file stays until then, and also if an exception is raised inside. Raises OSError if
    the path is not writable.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "recipe.json"
    >>> with replaced(path) as new:
    ...     _ = new.write_text("{}")
    >>> path.read_text()
    '{}'
    """
    with _beside(path) as new:
        yield new
        new.replace(path)


def check_place(path: Path) -> None:
    """Raise OSError if no file can be written there; leaves no file behind."""
    if os.path.isdir(path):  # unlike Path.is_dir, accepts any name
        raise OSError(f"{path} is a folder: choose another name")
    if os.path.exists(path) and not path.stat().st_mode & stat.S_IWUSR:
        raise OSError(f"{path} is read-only: choose another name")
    with _beside(path):
        pass


@contextmanager
def _beside(path: Path) -> Generator[Path, None, None]:
    """A new file in the folder of ``path``, removed at the end unless it was renamed.

    Its name is random. (`tempfile` is no option: only the owner may read its files.)
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
