# SPDX-License-Identifier: GPL-3.0-or-later
"""How long steps tell how far they are, and are told to stop."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from .arrays import Floats
from .errors import Cancelled

Progress = Callable[[float], None]
"""Called with the share done, 0 to 1."""
LayerProgress = Callable[[float, str], None]
"""Called with the share done, 0 to 1, and the name of the layer at work."""
Cancel = Callable[[], bool]
"""Asked every few milliseconds of work; True to stop."""

BAND = 65_536
"""Points worked on between two questions: temporaries stay in the processor's cache."""


def poll(cancelled: Cancel | None) -> None:
    """Raise Cancelled if asked to stop."""
    if cancelled is not None and cancelled():
        raise Cancelled


def row_bands(
    shape: tuple[int, ...], cancelled: Cancel | None, points: int = BAND
) -> Iterator[slice]:
    """Slices of rows of about so many points that cover a grid. Cancelled is raised before each."""
    rows = max(points // max(shape[1], 1), 1)
    for start in range(0, shape[0], rows):
        poll(cancelled)
        yield slice(start, min(start + rows, shape[0]))


def by_bands(function: Callable[..., Floats], cancelled: Cancel | None, *fields: Floats) -> Floats:
    """A new field from a function of others that works point by point, a few rows at a time."""
    out = np.empty(fields[0].shape, np.float32)
    for rows in row_bands(out.shape, cancelled):
        out[rows] = function(*(field[rows] for field in fields))
    return out


def never() -> bool:
    """Cancel that nobody asks for."""
    return False


def untold(share: float, text: str = "") -> None:
    """Progress, or LayerProgress, that nobody follows."""
