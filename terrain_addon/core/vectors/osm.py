# SPDX-License-Identifier: GPL-3.0-or-later
"""OpenStreetMap XML: ways, and areas of several ways."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from ..numerics.arrays import Doubles
from .features import CUT, MOST_POINTS, Feature, Vectors, area_of, checked_degrees, line_of
from .xml_files import number, parse

_AREAS = ("building", "natural", "landuse", "water", "leisure", "amenity", "building:part")
"""Tags that make an area of a closed way."""
_LINEAR = ("coastline", "cliff", "ridge", "arete", "tree_row", "valley")
"""Values of ``natural`` that are lines, even closed ones."""


def read_osm(content: bytes) -> Vectors:
    """Return the ways and multipolygons of an OpenStreetMap file; raise ValueError for another.

    Members of a multipolygon are joined to rings end to end. Ways whose points lie beyond an
    extract lack these; rings that do not close are left out, with a note.

    Examples
    --------
    >>> text = b'<osm><node id="1" lat="46" lon="7"/><node id="2" lat="46" lon="8"/>'
    >>> way = b'<way id="3"><nd ref="1"/><nd ref="2"/><tag k="highway" v="track"/></way></osm>'
    >>> read_osm(text + way).features[0].tags
    {'highway': 'track'}
    """
    reader = _Reader()
    parse(content, "osm", reader)
    places = checked_degrees(np.array(reader.places, np.float64).reshape(-1, 2))
    features: list[Feature] = []
    for way in reader.ways.values():
        if way.tags and (feature := _feature(way, places)):
            features.append(feature)
    open_rings = 0
    for relation in reader.relations:
        outer, missing = _rings(relation, reader.ways, "outer")
        inner, _ = _rings(relation, reader.ways, "inner")
        open_rings += missing
        reader.count(sum(map(len, outer)) + sum(map(len, inner)))  # a way may be in many
        features += areas(
            relation.tags, [places[one] for one in outer], [places[one] for one in inner]
        )
    notes = [f"Parts of ways beyond the file are left out: {reader.lost}"] if reader.lost else []
    notes += [f"Areas whose border is not closed are left out: {open_rings}"] if open_rings else []
    return Vectors(tuple(features), tuple(notes), all_tagged=True)


@dataclass
class _Item:
    """A way with the indices of its points, or a relation with its members."""

    points: list[int] = field(default_factory=list[int])
    tags: dict[str, str] = field(default_factory=dict[str, str])
    members: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])

    @property
    def closed(self) -> bool:
        return len(self.points) > 3 and self.points[0] == self.points[-1]


class _Reader:
    """Collects points, ways and multipolygons."""

    def __init__(self) -> None:
        self.places: list[tuple[float, float]] = []
        self.numbers: dict[str, int] = {}
        self.ways: dict[str, _Item] = {}
        self.relations: list[_Item] = []
        self.item: _Item | None = None
        self.left = MOST_POINTS
        self.lost = 0

    def start(self, name: str, values: dict[str, str]) -> None:
        if name == "node":
            self.count()
            self.numbers[values.get("id", "")] = len(self.places)
            self.places.append((number(values, "lon"), number(values, "lat")))
        elif name == "nd" and self.item is not None:
            self.count()
            place = self.numbers.get(values.get("ref", ""))
            if place is None:
                self.lost += 1
            else:
                self.item.points.append(place)
        elif name == "tag" and self.item is not None:
            self.item.tags[values.get("k", "").lower()] = values.get("v", "")
        elif name == "member" and self.item is not None and values.get("type") == "way":
            self.count()
            self.item.members.append((values.get("ref", ""), values.get("role", "")))
        elif name == "way":
            self.item = self.ways[values.get("id", "")] = _Item()
        elif name == "relation":
            self.item = _Item()

    def end(self, name: str) -> None:
        if name == "relation" and self.item and self.item.tags.get("type") == "multipolygon":
            self.relations.append(self.item)
        if name in ("way", "relation"):
            self.item = None

    def count(self, points: int = 1) -> None:
        """Raise ValueError for more points than a file may have."""
        self.left -= points
        if self.left < 0:
            raise ValueError(f"it has more than {MOST_POINTS} points. {CUT}")


def _feature(way: _Item, places: Doubles) -> Feature | None:
    points = places[way.points]
    return area_of([points], way.tags) if _is_area(way) else line_of(points, way.tags)


def _is_area(way: _Item) -> bool:
    """Return whether a way is an area: a closed line may also be a roundabout."""
    if not way.closed or way.tags.get("area") == "no" or way.tags.get("natural") in _LINEAR:
        return False
    return (
        way.tags.get("area") == "yes"
        or way.tags.get("waterway") == "riverbank"
        or any(tag in way.tags for tag in _AREAS)
    )


def _rings(relation: _Item, ways: dict[str, _Item], role: str) -> tuple[list[list[int]], int]:
    """Return the rings of the members with a role, and how many lines do not close."""
    roles = (role, "") if role == "outer" else (role,)
    parts = [
        ways[ref].points
        for ref, own in dict.fromkeys(relation.members)
        if own in roles and ref in ways and len(ways[ref].points) > 1
    ]
    return joined(parts)


def joined(parts: Sequence[list[int]]) -> tuple[list[list[int]], int]:
    """Join lines of point numbers, end to end in either direction, to rings.

    Returns the rings, without the repeated point, and how many lines are in none.

    Examples
    --------
    >>> joined([[1, 2, 3], [1, 5, 3], [7, 8]])
    ([[1, 2, 3, 5]], 1)
    """
    at: dict[int, list[int]] = {}
    for place, part in enumerate(parts):
        for end in (part[0], part[-1]):
            at.setdefault(end, []).append(place)
    rings: list[list[int]] = []
    used: set[int] = set()
    lost = 0
    for place, part in enumerate(parts):
        if place in used:
            continue
        used.add(place)
        ring, count = list(part), 1
        while ring[0] != ring[-1]:
            following = next((one for one in at[ring[-1]] if one not in used), None)
            if following is None:
                break
            used.add(following)
            count += 1
            more = parts[following]
            ring += more[1:] if more[0] == ring[-1] else more[-2::-1]
        if ring[0] == ring[-1] and len(ring) > 3:
            rings.append(ring[:-1])
        else:
            lost += count
    return rings, lost


def areas(
    tags: dict[str, str], outer: Sequence[Doubles], inner: Sequence[Doubles]
) -> Iterator[Feature]:
    """Yield an area for each border, with the holes that lie in it."""
    first = np.array([hole[0] for hole in inner], np.float64).reshape(-1, 2)
    for border in outer:
        near = ((first >= border.min(axis=0)) & (first <= border.max(axis=0))).all(axis=1)
        at = map(int, np.flatnonzero(near))
        holes = [inner[k] for k in at if contains(border, first[k])]
        if feature := area_of([border, *holes], tags):
            yield feature


def contains(ring: Doubles, point: Doubles) -> bool:
    """Return whether a closed line surrounds a point: a ray from it crosses the line oddly.

    Source: Shimrat, *Algorithm 112: position of point relative to polygon*, 1962.
    """
    x, y = ring.T
    x2, y2 = np.roll(ring, -1, axis=0).T
    crosses = (y > point[1]) != (y2 > point[1])
    at = x[crosses] + (point[1] - y[crosses]) / (y2 - y)[crosses] * (x2 - x)[crosses]
    return bool((at > point[0]).sum() % 2)
