# SPDX-License-Identifier: GPL-3.0-or-later
"""Contours as GeoJSON."""

from __future__ import annotations

import json
from collections.abc import Sequence

from ..elevation import Georeference
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
    ValueError : the projection of the place is not known

    Examples
    --------
    >>> import numpy as np
    >>> text = geojson([Contour(50.0, np.float64([[0, 0], [10, 0]]), True)])
    >>> json.loads(text)["features"][0]["properties"]
    {'height': 50.0, 'index': True}
    """
    features = [
        {
            "type": "Feature",
            "properties": {"height": round(line.level, 6), "index": line.is_index},
            "geometry": {"type": "LineString", "coordinates": _places(line, place)},
        }
        for line in lines
    ]
    data = {"type": "FeatureCollection", "features": features}
    if place is None:
        data["coordinates"] = LOCAL
    return json.dumps(data, separators=(",", ":"))


def _places(line: Contour, place: Georeference | None) -> list[list[float]]:
    if place is None:
        return line.points.round(METER_DIGITS).tolist()
    found: list[list[float]] = []
    for x, y in line.points.tolist():
        position = place.system.position(*place.at(x, y))
        if position is None:
            raise ValueError(
                f"The projection of the terrain ({place.name}) is not known, so its contours have "
                "no longitude and latitude: export an SVG file"
            )
        found.append([round(position[0], DIGITS), round(position[1], DIGITS)])
    return found
