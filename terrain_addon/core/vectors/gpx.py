# SPDX-License-Identifier: GPL-3.0-or-later
"""GPX, the GPS Exchange Format: tracks and routes."""

from __future__ import annotations

import numpy as np

from .features import CUT, MOST_POINTS, Feature, Vectors, checked_degrees, line_of
from .xml_files import number, parse

_LINES = {"trkseg": "trkpt", "rte": "rtept"}
"""Elements that are a line, and those of their points."""


def read_gpx(content: bytes) -> Vectors:
    """Return the segments of tracks and the routes of a GPX file; raise ValueError for another.

    Examples
    --------
    >>> text = b'<gpx><trk><trkseg><trkpt lat="46" lon="7"/><trkpt lat="46.1" lon="7"/></trkseg>'
    >>> read_gpx(text + b"</trk></gpx>").features[0].rings[0].tolist()
    [[7.0, 46.0], [7.0, 46.1]]
    """
    reader = _Reader()
    parse(content, "gpx", reader)
    notes = [f"Waypoints are left out: {reader.waypoints}"] if reader.waypoints else []
    return Vectors(tuple(reader.features), tuple(notes))


class _Reader:
    def __init__(self) -> None:
        self.features: list[Feature] = []
        self.line: list[tuple[float, float]] = []
        self.point = ""
        self.left = MOST_POINTS
        self.waypoints = 0

    def start(self, name: str, values: dict[str, str]) -> None:
        if name in _LINES:
            self.line, self.point = [], _LINES[name]
        elif name == self.point:
            self.left -= 1
            if self.left < 0:
                raise ValueError(f"it has more than {MOST_POINTS} points. {CUT}")
            self.line.append((number(values, "lon"), number(values, "lat")))
        elif name == "wpt":
            self.waypoints += 1

    def end(self, name: str) -> None:
        if name in _LINES:
            points = checked_degrees(np.array(self.line, np.float64).reshape(-1, 2))
            self.point = ""
            if feature := line_of(points, {}):
                self.features.append(feature)
