# SPDX-License-Identifier: GPL-3.0-or-later
"""Files that are written on one occasion and take their place on another."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import IO

from .atomic_files import replaced
from .atomic_folders import sync
from .write_errors import FULL, NotWritten, named_errors


class PendingFile:
    """A complete file beside ``path`` under another name, until it is kept or discarded.

    It is discarded with the object. An older file stays as it is until then.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "image.png"
    >>> pending = PendingFile(path, lambda file: None if file.write(b"pixels") else None)
    >>> path.exists(), pending.keep(), path.exists()
    (False, None, True)
    """

    def __init__(self, path: Path, write: Callable[[IO[bytes]], None]) -> None:
        """Call ``write`` with the open file, and bring it to the disk.

        Raises OSError, which names ``path``, and whatever ``write`` raises; nothing is left then.
        """
        self.path = path
        self._stack = ExitStack()
        beside = self._stack.enter_context(replaced(path))
        try:
            with named_errors(path, beside):
                with beside.open("wb") as file:
                    write(file)
                    size = file.seek(0, 2)
                sync(beside)
                if beside.stat().st_size != size:
                    raise NotWritten(beside, FULL)
        except BaseException:
            self.discard()
            raise

    def keep(self) -> None:
        """Replace an older file; raises OSError if that fails."""
        self._stack.close()

    def discard(self) -> None:
        """Remove the file; nothing happens once it is kept."""
        error = RuntimeError("discarded")
        self._stack.__exit__(type(error), error, None)

    def __del__(self) -> None:
        if hasattr(self, "_stack"):  # it may have failed before
            self.discard()
