# SPDX-License-Identifier: GPL-3.0-or-later
"""Contours as GeoJSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

import numpy as np

from ..elevation import Georeference, common_system
from ..numerics.arrays import Doubles
from .lines import Contour

DIGITS, METER_DIGITS = 7, 3
"""Decimals of degrees, of about a centimeter, and of meters."""
LOCAL = "meters from the middle of the terrain, which has no place on the Earth"


def geojson(lines: Sequence[Contour], place: Georeference | None = None) -> str:
    """Return contours as the text of a GeoJSON file, each with its height and whether it is bold.

    Parameters
    ----------
    lines : contours
    place : coordinates of columns and rows that are meters from the middle of the terrain, as
        :func:`~terrain_addon.core.output.exports.georeference_of` returns them. With one, lines are
        of longitude and latitude, as RFC 7946 asks for; otherwise of meters, which the file states

    Raises
    ------
    ValueError : the coordinate system of the place is not converted

    Examples
    --------
    >>> text = geojson([Contour(50.0, np.float64([[0, 0], [10, 0]]), True)])
    >>> json.loads(text)["features"][0]["properties"]
    {'height': 50.0, 'index': True}
    """
    places = _meters if place is None else _degrees(place)
    features = [
        {
            "type": "Feature",
            "properties": {"height": round(line.level, 6), "index": line.is_index},
            "geometry": {"type": "LineString", "coordinates": places(line.points).tolist()},
        }
        for line in lines
    ]
    data: dict[str, object] = {"type": "FeatureCollection", "features": features}
    if place is None:
        data["coordinates"] = LOCAL
    return json.dumps(data, separators=(",", ":"))


def _meters(points: Doubles) -> Doubles:
    return points.round(METER_DIGITS)


def _degrees(place: Georeference) -> Callable[[Doubles], Doubles]:
    """Return what makes longitudes and latitudes of points on a terrain."""
    try:
        plane = common_system(place.system)
    except ValueError as error:
        raise ValueError(f"Contours have no longitude and latitude: {error}") from None

    def convert(points: Doubles) -> Doubles:
        (a, b), (c, d) = place.column_step, place.row_step
        x, y = points.T
        x, y = place.origin[0] + x * a + y * c, place.origin[1] + x * b + y * d
        return np.stack(plane.to_lonlat(x, y), axis=1).round(DIGITS)

    return convert
