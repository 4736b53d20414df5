# SPDX-License-Identifier: GPL-3.0-or-later
"""Elevation models resampled to upright, square cells of another coordinate system."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from ..numerics.arrays import Bools, Doubles, Floats
from ..numerics.blocks import row_bands
from .elevation import Elevation, check_count
from .georeference import Georeference, Vector
from .origin import converted
from .systems import System, common_system, system_in, utm_zone
from .transforms import inscribed, spline_of
from .voids import fill_voids

ZONE = "utm"
"""Names the UTM zone of the place as a system."""
CLOSE = 0.02
"""Samples by which places between knots may be off; a tenth would be seen in no height."""
WIDEST = 32
"""Samples between knots, where places are converted exactly, at most."""
ALONG = 33
"""Places along a side of a grid that must lie inside another one."""
EDGE = 1e-3
"""Samples by which a place may lie outside."""

Places = Callable[[Doubles, Doubles], tuple[Doubles, Doubles]]
"""Columns and rows of the old samples, by columns and rows of the new ones."""


def system_named(text: str, model: Elevation) -> System:
    """Return the system that a text such as ``EPSG:32632`` names, or ``utm`` at a model's place.

    Raises ValueError for other texts, and where the place is not known.
    """
    if text.lower() != ZONE:
        return system_in(text)
    place = _place_of(model)
    rows, columns = model.height.shape
    middle = place.at((columns - 1) / 2, (rows - 1) / 2)
    longitude, latitude = common_system(place.system).to_lonlat(*middle)
    return utm_zone(float(longitude), float(latitude))


def reprojected(model: Elevation, system: System) -> Elevation:
    """Resample to upright, square cells of a coordinate system, cropped to a rectangle inside.

    Cells are as large as the shorter side of the old ones in the middle. Heights follow a cubic
    B-spline through the samples; a place whose nearest sample is void stays void. Places are
    converted exactly at knots, and between them linearly, within :data:`CLOSE` of a sample.

    Parameters
    ----------
    model : with a georeference
    system : one of the common ones, or that of the model, whose grid is straightened

    Raises
    ------
    ValueError : no georeference; a system that is not converted; no rectangle inside

    Examples
    --------
    >>> place = Georeference((9.0, 45.0), (1e-3, 0.0), (0.0, 1e-3), System.coded(4326))
    >>> model = Elevation.at(np.full((50, 50), 7, np.float32), place)
    >>> turned = reprojected(model, System.coded(32632))
    >>> turned.height.shape, [round(step, 1) for step in turned.spacing]
    ((70, 49), [78.8, 78.8])
    """
    place = _place_of(model)
    rows, columns = model.height.shape
    target = _target(place, (columns, rows), model.spacing or (1.0, 1.0), system)
    grid, shape = target
    check_count(shape[1], shape[0])
    places = places_of(place, grid, (columns, rows))
    step, off = knots(places, shape)
    height = _resampled(model, places, shape, step)
    old, new = place.system.title, system.title
    what = "Straightened" if old == new else f"Reprojected from {old} to {new}"
    note = f"{what}; places are within {max(off, 1e-4):.1g} of a sample."
    spacing = grid.spacing(shape[1], shape[0])
    kept = tuple(one for one in model.notes if "latitude" not in one and "is sheared" not in one)
    return replace(model, height=height, spacing=spacing, georeference=grid, notes=(*kept, note))


def _place_of(model: Elevation) -> Georeference:
    if model.georeference is None:
        raise ValueError("Only an elevation model that says where it lies is reprojected")
    return model.georeference


def _target(
    place: Georeference, counts: tuple[int, int], spacing: Vector, system: System
) -> tuple[Georeference, tuple[int, int]]:
    """Return the new grid, and its rows and columns."""
    columns, rows = counts
    middle = (columns - 1) / 2, (rows - 1) / 2
    i, j = middle[0] + np.array((0.0, 1.0, 0.0)), middle[1] + np.array((0.0, 0.0, 1.0))
    x, y = _converted(place, system, i, j)
    if not (np.isfinite(x).all() and np.isfinite(y).all()):
        raise ValueError(f"Its middle has no place in {system.title}: choose another system")
    center = float(x[0]), float(y[0])
    across, along = system.lengths(center, (1.0, 0.0), (0.0, 1.0))
    size = min(spacing)
    steps = size / across, size / along
    # The old columns in new cells: how far the old rectangle is turned, and how large it is.
    a, b = (x[1] - x[0]) / steps[0], (y[1] - y[0]) / steps[1]
    c, d = (x[2] - x[0]) / steps[0], (y[2] - y[0]) / steps[1]
    width = (columns - 1) * math.hypot(a, b)
    depth = (rows - 1) * abs(a * d - b * c) / math.hypot(a, b)
    angle = math.atan2(b, a) % math.pi
    if math.pi / 4 < angle % math.pi < 3 * math.pi / 4:
        width, depth, angle = depth, width, angle - math.pi / 2
    most = inscribed(width, depth, abs(math.cos(angle)), abs(math.sin(angle)))

    def grid(share: float) -> tuple[Georeference, tuple[int, int]]:
        nx, ny = (max(int(side * share + 1e-6), 1) + 1 for side in most)
        first = center[0] - (nx - 1) / 2 * steps[0], center[1] - (ny - 1) / 2 * steps[1]
        return Georeference(first, (steps[0], 0.0), (0.0, steps[1]), system), (ny, nx)

    low, high = 0.0, 1.02
    for _ in range(16):
        share = (low + high) / 2
        low, high = (share, high) if _is_inside(place, *grid(share), counts) else (low, share)
    made = grid(low)
    if low < 0.05 or not _is_inside(place, *made, counts):
        raise ValueError(f"No rectangle of {system.title} lies inside: choose another system")
    return made


def _is_inside(
    place: Georeference, grid: Georeference, shape: tuple[int, int], counts: tuple[int, int]
) -> bool:
    """Return whether the border of a grid lies within the old samples."""
    t, o = np.linspace(0, 1, ALONG), np.zeros(ALONG)
    u, v = np.concatenate((t, t, o, o + 1)), np.concatenate((o, o + 1, t, t))
    i, j = places_of(place, grid, counts)(u * (shape[1] - 1), v * (shape[0] - 1))
    inside = (i > -EDGE) & (i < counts[0] - 1 + EDGE) & (j > -EDGE) & (j < counts[1] - 1 + EDGE)
    return bool(inside.all())


def _converted(
    place: Georeference, system: System, i: Doubles, j: Doubles, near: float | None = None
) -> tuple[Doubles, Doubles]:
    """Return the coordinates in a system of columns and rows of a grid."""
    (a, b), (c, d) = place.column_step, place.row_step
    x, y = place.origin[0] + i * a + j * c, place.origin[1] + i * b + j * d
    return converted(place.system, system, x, y, near)


def places_of(place: Georeference, grid: Georeference, counts: tuple[int, int]) -> Places:
    """Return the function that finds the old samples of new ones."""
    near = place.at((counts[0] - 1) / 2, (counts[1] - 1) / 2)[0]
    (a, b), (c, d) = place.column_step, place.row_step
    area = a * d - b * c

    def old(i: Doubles, j: Doubles) -> tuple[Doubles, Doubles]:
        x, y = _converted(grid, place.system, i, j, near)
        x, y = x - place.origin[0], y - place.origin[1]
        return (x * d - y * c) / area, (y * a - x * b) / area

    return old


def knots(places: Places, shape: tuple[int, int]) -> tuple[int, float]:
    """Return how many samples knots are apart, and by how much places between them are off."""
    step = WIDEST
    while True:
        i, j = (numbers(count, step) for count in (shape[1], shape[0]))
        across, along = ((one[:-1] + one[1:]) / 2 for one in (i, j))
        off = 0.0
        for band in np.array_split(along, max(len(along) // 64, 1)):
            exact = places(*np.meshgrid(across, band))
            near = between(places, i, j, across, band)
            off = max(off, *(float(np.abs(a - b).max()) for a, b in zip(exact, near, strict=True)))
        if off <= CLOSE or step == 1:
            return step, off
        step //= 2


def numbers(count: int, step: int) -> Doubles:
    """Return the numbers of every so many samples and of the last one; two at least."""
    last = max(count - 1.0, 1.0)
    every: Doubles = np.arange(0.0, last, step)
    return np.append(every, last)


def between(
    places: Places, i: Doubles, j: Doubles, columns: Doubles, rows: Doubles
) -> tuple[Doubles, Doubles]:
    """Return the old places of new rows and columns, linearly between the knots (i, j)."""
    low = max(int(np.searchsorted(j, rows[:1], "right")[0]) - 1, 0)
    high = min(int(np.searchsorted(j, rows[-1:], "left")[0]), len(j) - 1)
    lines = j[low : high + 1]
    if len(lines) == 1:
        lines = j[max(low - 1, 0) : low + 2][:2] if low else j[:2]
    found = places(*np.meshgrid(i, lines))
    at = np.clip(np.searchsorted(lines, rows, "right") - 1, 0, len(lines) - 2)
    share = ((rows - lines[at]) / (lines[at + 1] - lines[at]))[:, None]
    made: list[Doubles] = []
    for values in found:
        wide: Doubles = np.empty((len(lines), len(columns)))
        for line, row in zip(wide, values, strict=True):
            line[:] = np.interp(columns, i, row)
        made.append(wide[at] * (1 - share) + wide[at + 1] * share)
    return made[0], made[1]


def _resampled(model: Elevation, places: Places, shape: tuple[int, int], step: int) -> Floats:
    """Return the heights at new samples."""
    voids = model.voids
    holey = bool(voids.any())
    whole = fill_voids(model, large=True) if holey else model
    heights_at = spline_of(whole.height)
    i, j = (numbers(count, step) for count in (shape[1], shape[0]))
    columns: Doubles = np.arange(shape[1], dtype=np.float64)
    out = np.empty(shape, np.float32)
    rows, most = model.height.shape
    for band in row_bands(shape):
        lines: Doubles = np.arange(band.start, band.stop, dtype=np.float64)
        x, y = between(places, i, j, columns, lines)
        x, y = np.clip(x, 0, most - 1), np.clip(y, 0, rows - 1)
        out[band] = heights_at(y, x)
        if holey:
            out[band][_nearest(voids, y, x)] = np.nan
    return out


def _nearest(values: Bools, rows: Doubles, columns: Doubles) -> Bools:
    return values[np.rint(rows).astype(np.intp), np.rint(columns).astype(np.intp)]
