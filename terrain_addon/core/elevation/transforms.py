# SPDX-License-Identifier: GPL-3.0-or-later
"""Elevation models turned and resampled."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from ..numerics.arrays import Doubles, Floats
from ..numerics.blocks import row_bands
from ..numerics.resample import SplineAxis, area_means, spline, spline_at, spline_coefficients
from .elevation import Elevation, check_count

MARGIN = 2
"""Coefficients of a B-spline beyond a border, which a place inside may need."""
EVEN = 1e-9
"""Share of a sample up to which positions are equal."""


def turned(model: Elevation, quarters: int) -> Elevation:
    """Turn by quarter turns counterclockwise, seen from above; the heights stay as they are.

    Examples
    --------
    >>> model = Elevation(np.array([[1, 2], [3, 4]], np.float32))
    >>> turned(model, 1).height
    array([[3., 1.],
           [4., 2.]], dtype=float32)
    """
    height, spacing, place = model.height, model.spacing, model.georeference
    for _ in range(quarters % 4):
        # Row 0 is in the south, so that NumPy's rot90, which has it on top, turns the other way.
        rows = height.shape[0]
        height = np.rot90(height, -1)
        spacing = spacing and spacing[::-1]
        place = place and place.mapped((0, rows - 1), (0, -1), (1, 0))
    return replace(model, height=np.ascontiguousarray(height), spacing=spacing, georeference=place)


def resampled(model: Elevation, spacing: float) -> Elevation:
    """Sample at another spacing, the same along both axes, from the south-western sample on.

    Coarser samples are means of the cells around them, finer ones follow a cubic B-spline.

    Parameters
    ----------
    model : without voids, with a spacing
    spacing : meters

    Raises
    ------
    ValueError : voids, no spacing, too many samples

    Examples
    --------
    >>> slope = np.broadcast_to(np.arange(0, 90, 10, np.float32), (5, 9))
    >>> resampled(Elevation(slope.copy(), (10.0, 10.0)), 20.0).height[0, 1:-1]
    array([20., 40., 60.], dtype=float32)
    """
    _check_filled(model)
    if model.spacing is None:
        raise ValueError("Only an elevation model with a known spacing is resampled")
    if not 0 < spacing < math.inf:
        raise ValueError(f"The spacing must be above zero, not {spacing:g}")
    sides = model.height.shape
    shares = [spacing / one for one in reversed(model.spacing)]
    counts = [
        int(min((side - 1) / share + EVEN, 1e12)) + 1
        for side, share in zip(sides, shares, strict=True)
    ]
    check_count(counts[1], counts[0])
    finer = [share < 1 - EVEN for share in shares]
    height = model.height
    if any(finer):
        rows, columns = (
            np.arange(count if fine else side, dtype=np.float64) * (share if fine else 1.0)
            for side, count, share, fine in zip(sides, counts, shares, finer, strict=True)
        )
        height = _interpolated(height, rows, columns)
    if not all(finer):
        row_edges, column_edges = (
            np.arange(count + 1.0) if fine else (np.arange(count + 1.0) - 0.5) * share + 0.5
            for count, share, fine in zip(counts, shares, finer, strict=True)
        )
        height = area_means(height, row_edges.astype(float), column_edges.astype(float))
    place = model.georeference and model.georeference.mapped((0, 0), (shares[1], 0), (0, shares[0]))
    note = f"Resampled from {model.spacing[0]:.6g} x {model.spacing[1]:.6g} m to {spacing:.6g} m."
    return replace(
        model,
        height=height,
        spacing=(spacing, spacing),
        georeference=place,
        notes=(*model.notes, note),
    )


def squared(model: Elevation) -> Elevation:
    """Return the model with square cells, resampled to the shorter side of its cells if needed.

    Raises ValueError for voids in cells that are not square.
    """
    if model.spacing is None or model.is_square:
        return model
    return resampled(model, min(model.spacing))


def rotated(model: Elevation, angle: float) -> Elevation:
    """Turn by any angle, counterclockwise seen from above, cropped to a rectangle without voids.

    Parameters
    ----------
    model : without voids; cells that are not square are resampled to the finer side first
    angle : degrees

    Raises
    ------
    ValueError : voids, an angle that is not finite

    Examples
    --------
    >>> model = Elevation(np.full((100, 100), 7, np.float32), (1.0, 1.0))
    >>> rotated(model, 45.0).height.shape
    (71, 71)
    """
    if not math.isfinite(angle):
        raise ValueError("The angle must be a finite number of degrees")
    _check_filled(model)
    quarters = math.floor(angle / 90 + 0.5)
    rest = angle - 90 * quarters
    if abs(rest) < 1e-9:
        return turned(model, quarters)
    model = turned(squared(model), quarters)
    ny, nx = model.height.shape
    c, s = math.cos(math.radians(rest)), math.sin(math.radians(rest))
    width, height = inscribed(nx - 1, ny - 1, c, abs(s))
    columns, rows = int(width + EVEN) + 1, int(height + EVEN) + 1
    # The content turns counterclockwise, so positions turn clockwise.
    step_i, step_j = (c, -s), (s, c)
    across, up = (columns - 1) / 2, (rows - 1) / 2
    first = (
        (nx - 1) / 2 - across * step_i[0] - up * step_j[0],
        (ny - 1) / 2 - across * step_i[1] - up * step_j[1],
    )
    out = np.empty((rows, columns), np.float32)
    heights_at = spline_of(model.height)
    along: Doubles = np.arange(columns, dtype=np.float64)
    for band in row_bands(out.shape):
        j: Doubles = np.arange(band.start, band.stop, dtype=np.float64)[:, None]
        x = first[0] + along * step_i[0] + j * step_j[0]
        y = first[1] + along * step_i[1] + j * step_j[1]
        out[band] = heights_at(y, x)
    place = model.georeference and model.georeference.mapped(first, step_i, step_j)
    note = f"Turned by {angle:g} degrees."
    return replace(model, height=out, georeference=place, notes=(*model.notes, note))


def _check_filled(model: Elevation) -> None:
    if model.voids.any():
        raise ValueError("The elevation model has voids: fill them first")


def _coefficients(height: Floats) -> Floats:
    """Return the coefficients of the B-spline, :data:`MARGIN` of them beyond each border, where the
    terrain goes on at its slope."""
    for axis in (0, 1):
        pad = [(0, 0), (0, 0)]
        pad[axis] = (MARGIN + 1, MARGIN + 1)
        if height.shape[axis] > 1:
            height = np.pad(height, pad, "reflect", reflect_type="odd")
        else:
            height = np.pad(height, pad, "edge")
    return spline_coefficients(height)


def _axis(positions: Doubles, count: int) -> SplineAxis:
    """Return the taps in :func:`_coefficients` of so many samples."""
    return SplineAxis.at(positions + MARGIN, count + 2 * MARGIN)


def _interpolated(height: Floats, rows: Doubles, columns: Doubles) -> Floats:
    """Interpolate the heights at the crossings of rows and columns."""
    ny, nx = height.shape
    return spline(_coefficients(height), _axis(rows, ny), _axis(columns, nx))


def spline_of(height: Floats) -> Callable[[Doubles, Doubles], Floats]:
    """Return the B-spline through heights without voids, as a function of rows and columns."""
    coefficients = _coefficients(height)
    ny, nx = height.shape

    def heights_at(rows: Doubles, columns: Doubles) -> Floats:
        j, i = _axis(rows.ravel(), ny), _axis(columns.ravel(), nx)
        return spline_at(coefficients, j, i).reshape(rows.shape)

    return heights_at


def inscribed(width: float, height: float, c: float, s: float) -> tuple[float, float]:
    """Return the sides of the largest upright rectangle in one that is turned by less than 45
    degrees."""
    long, short = max(width, height), min(width, height)
    if short <= 2 * s * c * long:  # two corners touch the longer sides
        half = short / 2
        return (half / s, half / c) if width >= height else (half / c, half / s)
    double = c * c - s * s
    return (width * c - height * s) / double, (height * c - width * s) / double
