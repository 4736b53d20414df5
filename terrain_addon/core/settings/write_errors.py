# SPDX-License-Identifier: GPL-3.0-or-later
"""Errors of writing name the file that the user asked for, and the reason."""

from __future__ import annotations

import re
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

FULL = "the disk may be full"
"""The reason where the system gives none."""
_SHORT = re.compile(r"[0-9]+ requested and [0-9]+ written")
"""What NumPy says where a disk is full."""


class NotWritten(OSError):
    """A file or a folder that cannot be written.

    Attributes
    ----------
    path : Path
        The one that the user asked for.
    reason : object
        What the system says.
    begun : bool, default False
        Whether some of it was written.
    """

    def __init__(self, path: Path, reason: object, begun: bool = False) -> None:
        """State path and reason in the message."""
        super().__init__(f"{path} {'could not' if begun else 'cannot'} be written: {reason}")
        self.path, self.reason, self.begun = path, reason, begun

    def __reduce__(self) -> tuple[type[NotWritten], tuple[Path, object, bool]]:
        """Rebuild it from its parts, as an error that another process sends."""
        return type(self), (self.path, self.reason, self.begun)


@contextmanager
def named_errors(path: Path, temporary: Path) -> Generator[None, None, None]:
    """Name ``path`` in errors of writing the temporary file or folder.

    Errors that name another file, or that are sentences already, stay as they are.

    Examples
    --------
    >>> with named_errors(Path("a.png"), Path("a.png.part")):
    ...     raise OSError(28, "No space left")
    Traceback (most recent call last):
    ...
    terrain_addon.core.settings.write_errors.NotWritten: a.png could not be written: No space left
    """
    try:
        yield
    except OSError as error:
        if (reason := _reason(error, temporary)) is None:
            raise
        raise NotWritten(path, reason, begun=True) from None


def _reason(error: OSError, temporary: Path) -> object | None:
    """Return why the temporary file could not be written; None if the error is about something
    else."""
    if isinstance(error, NotWritten):
        return error.reason if error.path.is_relative_to(temporary) else None
    if error.filename is not None and not Path(error.filename).is_relative_to(temporary):
        return None
    return error.strerror or (FULL if _SHORT.match(str(error)) else None)
