# SPDX-License-Identifier: GPL-3.0-or-later
"""Progress callbacks and cancellation."""

from __future__ import annotations

from collections.abc import Callable


class Cancelled(Exception):
    """Raised inside a long step once its ``cancelled`` callback returns true; no result exists."""


def user_message(error: BaseException) -> str:
    """Return a sentence about an error for the user."""
    if isinstance(error, MemoryError):
        return "There is not enough memory: lower the resolution"
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    if isinstance(error, (ValueError, OSError)):
        return str(error)
    return f"An error in Procedural Terrain, please report it: {type(error).__name__}: {error}"


Progress = Callable[[float], None]
"""Called with the share done, 0 to 1."""
LayerProgress = Callable[[float, str], None]
"""Called with the share done, 0 to 1, and the name of the layer at work."""
Cancel = Callable[[], bool]
"""Asked every few milliseconds of work; True to stop."""


def poll(cancelled: Cancel | None) -> None:
    """Raise Cancelled if asked to stop."""
    if cancelled is not None and cancelled():
        raise Cancelled


def within(progress: Progress | None, start: float, stop: float) -> Progress:
    """Progress of one part of the work, mapped to the range from ``start`` to ``stop``."""
    if progress is None:
        return no_progress
    tell = progress
    return lambda share: tell(start + (stop - start) * share)


def never_cancelled() -> bool:
    """A Cancel that never stops the work."""
    return False


def no_progress(share: float, text: str = "") -> None:
    """A Progress, or LayerProgress, that reports nothing."""
