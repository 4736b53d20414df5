# SPDX-License-Identifier: GPL-3.0-or-later
"""How long steps tell how far they are, and are told to stop."""

from __future__ import annotations

from collections.abc import Callable

from .errors import Cancelled

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


def never() -> bool:
    """Cancel that nobody asks for."""
    return False


def untold(share: float, text: str = "") -> None:
    """Progress, or LayerProgress, that nobody follows."""
