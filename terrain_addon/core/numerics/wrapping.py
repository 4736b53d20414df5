# SPDX-License-Identifier: GPL-3.0-or-later
"""Fields that repeat: the last row and column have the first ones as neighbors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .arrays import Floats

Field = NDArray[Any]


def wrapped(field: Field, reach: int) -> Field:
    """Return a field with ``reach`` more rows and columns on each side, as it repeats.

    Examples
    --------
    >>> wrapped(np.array([[1, 2, 3]]), 1)[0].tolist()
    [3, 1, 2, 3, 1]
    """
    return np.pad(field, reach, mode="wrap")


def on_torus(make: Callable[..., Floats], reach: int, *fields: Field | None) -> Floats:
    """Return what a filter makes of fields that repeat.

    Parameters
    ----------
    make : callable
        Returns an array of the shape of the fields, from fields or None.
    reach : int
        Samples around a point that its result depends on.
    fields : ndarray, shape (H, W), or None

    Examples
    --------
    >>> field = np.array([[0.0, 0.0, 3.0]])
    >>> on_torus(lambda field: np.roll(field, 1, 1) + field, 1, field).tolist()
    [[3.0, 0.0, 3.0]]
    """
    made = make(*(None if field is None else wrapped(field, reach) for field in fields))
    rows, columns = (slice(reach, count - reach) for count in made.shape)
    return np.ascontiguousarray(made[rows, columns])
