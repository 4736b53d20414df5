# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the samples of a GeoTIFF file lie.

Source: OGC 19-008r4, *GeoTIFF Standard 1.1*, 2019, requirements of section 7.3 (coordinate
transformation) and of GTRasterTypeGeoKey.
"""

from __future__ import annotations

import math

import numpy as np

from ...elevation import Georeference, seem_degrees
from . import keys as k
from .layout import Layout
from .tags import PIXEL_SCALE, TIE_POINTS, TRANSFORMATION, Tags

AREA, POINT = 1, 2
DEGREE = 9102
Affine = tuple[float, float, float, float, float, float]


def georeference(tags: Tags, layout: Layout) -> tuple[Georeference | None, tuple[str, ...]]:
    """Return the coordinates of the samples, from the last row of the file on, and notes.

    Raises ValueError for angles that are not in degrees, and for damaged numbers.
    """
    affine = _affine(tags)
    if affine is None:
        return None, ()
    keys = k.read_keys(tags)
    x, a, c, y, b, d = affine  # x + a * column + c * row, y + b * column + d * row
    # A pixel that is an area has its sample in the middle; row and column count from its corner.
    half = 0.0 if keys.get(k.RASTER_TYPE, AREA) == POINT else 0.5
    last = layout.rows - 1 + half
    origin = x + half * a + last * c, y + half * b + last * d
    geographic = _is_geographic(keys)
    notes: tuple[str, ...] = ()
    if geographic is None:
        try:
            geographic = seem_degrees(origin, (math.hypot(a, b), math.hypot(c, d)))
        except ValueError as error:
            return None, (str(error),)
        kind = "degrees" if geographic else "a projected one"
        notes = (f"The file names no coordinate system: {kind} assumed.",)
    unit = 1.0
    if geographic:
        if keys.get(k.ANGULAR_UNIT, DEGREE) != DEGREE:
            raise ValueError(
                f"its angles have unit {keys[k.ANGULAR_UNIT]:g}, not degrees: convert it, for "
                "example with gdalwarp -t_srs EPSG:4326"
            )
    else:
        unit, more = _unit(keys)
        notes += more
    code = int(keys.get(k.GEOGRAPHIC if geographic else k.PROJECTED, 0))
    epsg = code if 0 < code < k.USER_DEFINED else None
    return Georeference(origin, (a, b), (-c, -d), geographic, epsg, unit), notes


def _affine(tags: Tags) -> Affine | None:
    """Coordinates of column 0 and row 0 of the file, and their steps; None if it has none."""
    matrix = tags.doubles(TRANSFORMATION)
    if matrix.size >= 16:
        (a, c, _, x), (b, d, _, y) = matrix[:8].reshape(2, 4)
        return float(x), float(a), float(c), float(y), float(b), float(d)
    scale, ties = tags.doubles(PIXEL_SCALE), tags.doubles(TIE_POINTS)
    if ties.size < 6:
        return None
    ties = ties[: ties.size // 6 * 6].reshape(-1, 6)
    if scale.size >= 2:
        column, row, _, x, y, _ = map(float, ties[0])
        sx, sy = float(scale[0]), float(scale[1])
        return x - column * sx, sx, 0.0, y + row * sy, 0.0, -sy
    return _fitted(ties)


def _fitted(ties: np.ndarray) -> Affine | None:
    """Fit an affine map to three or more tie points; ValueError if they need another kind."""
    if len(ties) < 3:
        return None
    places = np.column_stack([np.ones(len(ties)), ties[:, 0], ties[:, 1]])
    if not np.isfinite(ties).all() or np.linalg.matrix_rank(places) < 3:
        raise ValueError("its tie points do not place it")
    found, *_ = np.linalg.lstsq(places, ties[:, 3:5], rcond=None)
    miss = np.abs(places @ found - ties[:, 3:5]).max()
    if miss > 0.1 * np.abs(found[1:]).max():
        raise ValueError("it is warped by its tie points: straighten it, for example with gdalwarp")
    (x, y), (a, b), (c, d) = found.tolist()
    return x, a, c, y, b, d


def _is_geographic(keys: dict[int, float]) -> bool | None:
    """Whether coordinates are degrees; None where the file does not say."""
    model = keys.get(k.MODEL_TYPE)
    if model in (1, 2):
        return model == 2
    if k.PROJECTED in keys or k.GEOGRAPHIC in keys:
        return k.PROJECTED not in keys
    if model == 3:
        raise ValueError("its coordinates are geocentric: convert it, for example with gdalwarp")
    return None


def _unit(keys: dict[int, float]) -> tuple[float, tuple[str, ...]]:
    """Meters per unit of length."""
    code = int(keys.get(k.LINEAR_UNIT, 0))
    if code in (k.METER, 0):
        return 1.0, () if code else ("The file names no unit of length: meters assumed.",)
    if code in k.FEET:
        return k.FEET[code], ()
    if code == k.KILOMETER:
        return 1000.0, ()
    size = keys.get(k.LINEAR_SIZE, 0.0)
    if code == k.USER_DEFINED and 1e-4 < size < 1e5:
        return size, ()
    raise ValueError(
        f"its unit of length {code} is not known: convert it, for example with gdalwarp -t_srs"
    )
