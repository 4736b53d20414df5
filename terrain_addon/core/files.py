# SPDX-License-Identifier: GPL-3.0-or-later
"""Files that are whole or not there."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def replaced(path: Path) -> Generator[Path, None, None]:
    """A path beside ``path`` to write to; at the end it takes its place.

    An older file is whole until the new one is, and stays when something fails inside.
    OSError when the place cannot be taken.
    """
    beside = path.with_name(f"{path.name}.part")
    try:
        yield beside
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)
