# SPDX-License-Identifier: GPL-3.0-or-later
"""What features are, by their tags: roads, rivers, lakes, buildings, or lines and areas."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from .features import AREA, LINE, Feature

ROADS, RIVERS, LAKES, BUILDINGS = "roads", "rivers", "lakes", "buildings"
LINES, AREAS = "lines", "areas"
"""Features whose tags say nothing: the user says what they are."""


@dataclass(frozen=True)
class Kind:
    """A class of features.

    Attributes
    ----------
    key, label : for programs and for people
    shape : LINE or AREA
    layer : key of the kind of layer that is made of them; "" where the user chooses
    """

    key: str
    label: str
    shape: str
    layer: str


KINDS = {
    kind.key: kind
    for kind in (
        Kind(ROADS, "Roads", LINE, "road"),
        Kind(RIVERS, "Rivers", LINE, "river"),
        Kind(LAKES, "Lakes", AREA, "lake"),
        Kind(BUILDINGS, "Buildings", AREA, "pad"),
        Kind(LINES, "Lines", LINE, ""),
        Kind(AREAS, "Areas", AREA, ""),
    )
}
"""Classes by key."""

LANE = 3.5
"""Meters of a lane, where only their number is tagged."""
WIDEST = 200.0
FOOT, INCH = 0.3048, 0.0254
STOREY = 3.0
"""Meters of a storey, where only their number is tagged."""
ROAD_WIDTHS = {
    "motorway": 11.5,
    "trunk": 11.0,
    "primary": 8.0,
    "secondary": 7.5,
    "tertiary": 6.5,
    "unclassified": 5.5,
    "residential": 5.5,
    "living_street": 5.0,
    "road": 5.5,
    "busway": 3.5,
    "service": 3.5,
    "pedestrian": 4.0,
    "track": 3.0,
    "cycleway": 2.0,
    "bridleway": 2.0,
    "footway": 1.5,
    "steps": 1.5,
    "path": 1.0,
}
"""Meters by the class of a highway. Those with lanes: AASHTO, *A Policy on Geometric Design of
Highways and Streets*, 2018 (two lanes of 2.7 to 3.6 m by class); a motorway is one of its
carriageways, with the paved shoulder of RAA 2008. Others: what the OpenStreetMap wiki calls usual
(Key:highway, Key:width)."""
RIVER_WIDTHS = {
    "river": 12.0,
    "canal": 10.0,
    "tidal_channel": 8.0,
    "stream": 2.0,
    "drain": 1.5,
    "ditch": 1.0,
}
"""Meters by the class of a waterway: a river cannot be jumped across, a stream can (OpenStreetMap
wiki, Key:waterway)."""
LAKE_TAGS = {
    ("natural", "water"),
    ("natural", "lake"),
    ("landuse", "reservoir"),
    ("landuse", "basin"),
    ("waterway", "dock"),
}
FLOWING = ("river", "stream", "canal", "ditch", "drain", "rapids", "lock", "oxbow_dry")
"""Kinds of water areas that are not level."""
_ELSEWHERE = ("fclass", "featurecla", "class", "subtype", "type", "kind", "highway_class")
"""Names of properties in which Geofabrik, Natural Earth, Overture and others keep the class."""
_NUMBER = re.compile(r"^\s*(\d+(?:[.,]\d+)?|[.,]\d+)\s*(m|meters?|metres?|km|ft|feet|')?\s*$", re.I)
_FEET = re.compile(r"^\s*(\d+)\s*'\s*(?:(\d+(?:\.\d+)?)\s*\")?\s*$")


@dataclass(frozen=True)
class Classified:
    """What a feature is.

    Attributes
    ----------
    kind : a key of :data:`KINDS`; "" for one that is of no use on a terrain
    width : meters of a road or river; 0 where it has none
    height : meters of a building; 0 where it is not known
    """

    kind: str
    width: float = 0.0
    height: float = 0.0


def classified(feature: Feature, *, all_tagged: bool = False) -> Classified:
    """Return what a feature is, by its tags.

    The names are those of OpenStreetMap; Geofabrik's ``fclass``, Natural Earth's ``featurecla``
    and Overture's ``class`` are understood. What lies in a tunnel is of no use. Other features are
    lines and areas, unless the format tags all that it holds.

    Examples
    --------
    >>> import numpy as np
    >>> line = (np.zeros((2, 2)),)
    >>> classified(Feature("line", line, {"highway": "track"}))
    Classified(kind='roads', width=3.0, height=0.0)
    >>> classified(Feature("line", line, {"highway": "primary", "lanes": "4"})).width
    14.0
    """
    tags = _usual(feature.tags)
    if tags.get("tunnel", "no") not in ("no", "") or tags.get("location") == "underground":
        return Classified("")
    line = feature.kind == LINE
    known = _known_line(tags) if line else _known_area(tags)
    if known is None and not all_tagged and not {"highway", "waterway"} & {*tags}:
        known = Classified(LINES if line else AREAS)
    return known or Classified("")


def _known_line(tags: Mapping[str, str]) -> Classified | None:
    if tags.get("highway") in ROAD_WIDTHS:
        return Classified(ROADS, _road_width(tags))
    if tags.get("waterway") in RIVER_WIDTHS:
        usual = RIVER_WIDTHS[tags["waterway"]]
        return Classified(RIVERS, min(meters(tags.get("width", "")) or usual, WIDEST))
    return None


def _known_area(tags: Mapping[str, str]) -> Classified | None:
    if LAKE_TAGS & {*tags.items()}:
        return Classified("" if tags.get("water") in FLOWING else LAKES)
    if tags.get("building", "no") != "no":
        return Classified(BUILDINGS, height=_height(tags))
    return None


def meters(text: str) -> float:
    """Return the meters of a width or height as OpenStreetMap writes it; 0 if it is none.

    Examples
    --------
    >>> [meters(text) for text in ("7.5", "5,5 m", "20 ft", "6'6\\"", "wide")]
    [7.5, 5.5, 6.096, 1.9812, 0.0]
    """
    if match := _FEET.match(text):
        return round(float(match[1]) * FOOT + float(match[2] or 0) * INCH, 4)
    match = _NUMBER.match(text)
    if not match:
        return 0.0
    unit = (match[2] or "m").lower()
    factor = FOOT if unit in ("ft", "feet", "'") else 1000.0 if unit == "km" else 1.0
    size = round(float(match[1].replace(",", ".")) * factor, 4)
    return size if size <= 10 * WIDEST else 0.0


def _road_width(tags: Mapping[str, str]) -> float:
    if width := meters(tags.get("width", "")):
        return min(width, WIDEST)
    try:
        lanes = float(tags.get("lanes", ""))
    except ValueError:
        lanes = 0.0
    return min(lanes * LANE, WIDEST) if 1 <= lanes < 30 else ROAD_WIDTHS[tags["highway"]]


def _height(tags: Mapping[str, str]) -> float:
    height = meters(tags.get("height", tags.get("building:height", "")))
    return height or STOREY * meters(tags.get("building:levels", ""))


def _usual(tags: Mapping[str, str]) -> dict[str, str]:
    """Return tags with the names of OpenStreetMap; ``motorway_link`` counts as a motorway."""
    usual = dict(tags)
    for name in _ELSEWHERE:
        value = usual.get(name, "").lower().replace(" ", "_")
        if value.removesuffix("_link") in ROAD_WIDTHS and value != "road":
            usual.setdefault("highway", value)
        elif value in RIVER_WIDTHS:
            usual.setdefault("waterway", value)
        elif value in ("water", "lake", "reservoir", "lake_centerline", "pond"):
            usual.setdefault("natural", "water")
        elif value == "building":
            usual.setdefault("building", "yes")
        elif value == "road":
            usual.setdefault("highway", "road")
    if "highway" in usual:
        usual["highway"] = usual["highway"].removesuffix("_link")
    return usual
