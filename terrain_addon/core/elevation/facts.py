# SPDX-License-Identifier: GPL-3.0-or-later
"""An elevation model in words and numbers."""

from __future__ import annotations

from .elevation import Elevation

NOT_STATED = "not stated in the file"


def facts(model: Elevation) -> dict[str, str]:
    """Return the size, spacing, range, voids and coordinate system of a model, by their names.

    Examples
    --------
    >>> import numpy as np
    >>> found = facts(Elevation(np.array([[1, 2], [3, np.nan]], np.float32), (30.0, 30.0)))
    >>> found["Spacing"], found["Heights"], found["Voids"]
    ('30 x 30 m', '1 to 3 m', '1 of 4 samples')
    """
    rows, columns = model.height.shape
    voids = int(model.voids.sum())
    place = model.georeference
    return {
        "Samples": f"{columns} x {rows}",
        "Spacing": _pair(model.spacing, "m"),
        "Size": _pair(model.spacing and _kilometers(model), "km"),
        "Heights": "none" if voids == model.height.size else _heights(model),
        "Voids": f"{voids} of {columns * rows} samples" if voids else "none",
        "Coordinates": place.name if place else NOT_STATED,
    }


def _kilometers(model: Elevation) -> tuple[float, float]:
    """Return the kilometers from the first sample to the last."""
    assert model.spacing is not None
    rows, columns = model.height.shape
    return (columns - 1) * model.spacing[0] / 1000, (rows - 1) * model.spacing[1] / 1000


def _pair(pair: tuple[float, float] | None, unit: str) -> str:
    return f"{pair[0]:.5g} x {pair[1]:.5g} {unit}" if pair else NOT_STATED


def _heights(model: Elevation) -> str:
    low, high = model.range
    if model.stored is None:
        return f"{low:.6g} to {high:.6g} m"
    return f"{low:g} to {high:g} of {model.stored[0]:g} to {model.stored[1]:g}"
