# SPDX-License-Identifier: GPL-3.0-or-later
"""Progress callbacks, cancellation, and messages about errors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Concatenate, ParamSpec, cast


class Cancelled(Exception):
    """Raised by a long step once its ``cancelled`` callback returns true; there is no result."""


def user_message(error: BaseException) -> str:
    """Return a sentence about an error for the user.

    Examples
    --------
    >>> user_message(FileNotFoundError(2, "No such file or directory", "dem.asc"))
    'dem.asc: No such file or directory'
    >>> user_message(ZeroDivisionError("division by zero"))
    'An error in Orogen, please report it: ZeroDivisionError: division by zero'
    """
    if isinstance(error, MemoryError):
        return "There is not enough memory: lower the resolution"
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    if isinstance(error, (ValueError, OSError)):
        return str(error)
    return f"An error in Orogen, please report it: {type(error).__name__}: {error}"


Progress = Callable[[float], None]
"""Called with the share done, 0 to 1."""
LayerProgress = Callable[[float, str], None]
"""Called with the share done, 0 to 1, and the name of the current layer."""
Cancel = Callable[[], bool]
"""Polled every few milliseconds; True stops the work."""


def poll(cancelled: Cancel | None) -> None:
    """Raise Cancelled if ``cancelled`` returns true."""
    if cancelled is not None and cancelled():
        raise Cancelled


Text = ParamSpec("Text")
"""What a callback receives besides the share: the name of the layer, or nothing."""


def within(
    progress: Callable[Concatenate[float, Text], None] | None, start: float, stop: float
) -> Callable[Concatenate[float, Text], None]:
    """Return the progress of one part of the work, mapped to the range from ``start`` to
    ``stop``."""
    if progress is None:
        return cast("Callable[Concatenate[float, Text], None]", no_progress)

    def report(share: float, *args: Text.args, **kwargs: Text.kwargs) -> None:
        progress(start + (stop - start) * share, *args, **kwargs)

    return report


def never_cancelled() -> bool:
    """Return a Cancel that never stops the work."""
    return False


def no_progress(share: float, text: str = "") -> None:
    """Report nothing, as a Progress or LayerProgress."""
