# SPDX-License-Identifier: GPL-3.0-or-later
"""How long steps tell how far they are, and are told to stop."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from .arrays import Floats


class Cancelled(Exception):
    """Raised inside a long step when its ``cancelled`` callable says so; no result exists."""


def user_message(error: BaseException) -> str:
    """An error in a sentence for the user."""
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

BAND = 65_536
"""Points worked on between two questions: temporaries stay in the processor's cache."""
PIECE = 262_144
"""Places between two questions where values are looked up all over a grid: a few milliseconds,
however far apart in memory they lie."""

Scalar = TypeVar("Scalar", bound=np.generic)


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


def pieces(count: int, cancelled: Cancel | None) -> Iterator[slice]:
    """Slices that cover so many places in a row. Cancelled is raised before each."""
    for start in range(0, count, PIECE):
        poll(cancelled)
        yield slice(start, min(start + PIECE, count))


def taken(
    values: NDArray[Scalar], places: NDArray[Any], cancelled: Cancel | None
) -> NDArray[Scalar]:
    """``values.take(places)``, a piece at a time. All places must lie on the values."""
    out = np.empty(places.size, values.dtype)
    for part in pieces(places.size, cancelled):
        # No place is off the values: to clip is faster than to check.
        values.take(places[part], out=out[part], mode="clip")
    return out


def within(progress: Progress | None, start: float, stop: float) -> Progress:
    """Progress of a part of the work: its shares are told as those from ``start`` to ``stop``."""
    if progress is None:
        return no_progress
    tell = progress
    return lambda share: tell(start + (stop - start) * share)


def never_cancelled() -> bool:
    """Cancel that nobody asks for."""
    return False


def no_progress(share: float, text: str = "") -> None:
    """Progress, or LayerProgress, that nobody follows."""
