# SPDX-License-Identifier: GPL-3.0-or-later
"""GeoJSON: RFC 7946 of 2016, and the coordinate systems of the specification of 2008."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from ..elevation.systems import common_system, system_in
from ..numerics.arrays import Doubles
from .features import CUT, MOST_POINTS, Feature, Vectors, area_of, checked_degrees, line_of

DEEPEST = 32
"""Collections within each other that are followed."""
_GLOBE = re.compile(r"\b(CRS84|OGC:1\.3:CRS:?84)\b", re.IGNORECASE)
_PAIR = re.compile(r'"([^"\\]+)"\s*=>\s*"((?:[^"\\]|\\.)*)"')
Convert = Callable[[Doubles], Doubles]


def read_geojson(content: bytes) -> Vectors:
    """Return the lines and areas of a GeoJSON file.

    Raises ValueError for a text of another kind, for coordinates that are no numbers or no place,
    and for a coordinate system that is not known.

    Examples
    --------
    >>> text = b'{"type": "LineString", "coordinates": [[7, 46], [7.1, 46.1, 850]]}'
    >>> read_geojson(text).features[0].rings[0].tolist()
    [[7.0, 46.0], [7.1, 46.1]]
    """
    data = _object(_parsed(content))
    if not isinstance(data.get("type"), str):
        raise ValueError("it is no GeoJSON: it must be an object with a type")
    reader = _Reader(_conversion(data.get("crs")))
    features = tuple(reader.features(data, {}, 0))
    notes = [f"Points are left out: {reader.points}"] if reader.points else []
    return Vectors(features, tuple(notes))


def _parsed(content: bytes) -> Any:
    def refuse(name: str) -> float:
        raise ValueError(f"it has the number {name}")

    try:
        return json.loads(content.decode("utf-8-sig"), parse_constant=refuse)
    except UnicodeDecodeError:
        raise ValueError("it is no text in UTF-8") from None
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    except json.JSONDecodeError as error:
        raise ValueError(f"it is no JSON: {error}") from None


class _Reader:
    """Walks through the objects of a file."""

    def __init__(self, convert: Convert) -> None:
        self.convert = convert
        self.left = MOST_POINTS
        self.points = 0

    def features(self, item: Any, tags: dict[str, str], depth: int) -> Iterator[Feature]:
        """Yield the lines and areas of an object and of those within."""
        if item is None:  # a feature without a geometry
            return
        item = _object(item)
        if not item or depth > DEEPEST:
            raise ValueError("it has a feature that is no object, or nested too deeply")
        kind = item.get("type")
        if kind == "FeatureCollection":
            for one in _list(item.get("features"), "features"):
                yield from self.features(one, tags, depth + 1)
        elif kind == "Feature":
            yield from self.features(item.get("geometry"), _tags(item), depth + 1)
        elif kind == "GeometryCollection":
            for one in _list(item.get("geometries"), "geometries"):
                yield from self.features(one, tags, depth + 1)
        else:
            yield from filter(None, self._geometry(str(kind), item.get("coordinates"), tags))

    def _geometry(self, kind: str, values: Any, tags: dict[str, str]) -> Iterator[Feature | None]:
        values = _list(values, "coordinates")
        if kind == "LineString":
            yield line_of(self._places(values), tags)
        elif kind == "MultiLineString":
            for line in values:
                yield line_of(self._places(line), tags)
        elif kind == "Polygon":
            yield area_of([self._places(ring) for ring in values], tags)
        elif kind == "MultiPolygon":
            for part in values:
                rings = [self._places(ring) for ring in _list(part, "coordinates")]
                yield area_of(rings, tags)
        elif kind in ("Point", "MultiPoint"):
            self.points += 1 if kind == "Point" else len(values)
        else:
            raise ValueError(f"it has a geometry of the type {kind[:40]!r}, which GeoJSON has not")

    def _places(self, values: Any) -> Doubles:
        """Return positions as longitudes and latitudes; heights are left out."""
        values = _list(values, "coordinates")
        self.left -= len(values)
        if self.left < 0:
            raise ValueError(f"it has more than {MOST_POINTS} points. {CUT}")
        if not values:
            return np.empty((0, 2))
        try:
            if len({len(one) for one in values}) > 1:
                values = [one[:2] for one in values]
            points: NDArray[Any] = np.asarray(values)
        except (
            TypeError,
            ValueError,
            OverflowError,
            KeyError,
        ):  # such as an object in place of one
            points = np.empty(0, object)
        if points.ndim != 2 or points.shape[1] < 2 or points.dtype.kind not in "iuf":
            raise ValueError("it has coordinates that are no lists of numbers")
        return self.convert(points[:, :2].astype(np.float64))


def _conversion(crs: Any) -> Convert:
    """Return what makes longitudes and latitudes of positions, by the old member ``crs``."""
    if crs is None:
        return checked_degrees
    name = _object(_object(crs).get("properties")).get("name")
    if not isinstance(name, str):
        raise ValueError("its coordinate system (crs) has no name: export it in EPSG:4326")
    if _GLOBE.search(name):
        return checked_degrees
    try:
        plane = common_system(system_in(name))
    except ValueError as error:
        raise ValueError(f"{str(error).partition(':')[0]}: export it in EPSG:4326") from None

    def convert(points: Doubles) -> Doubles:
        return checked_degrees(np.stack(plane.to_lonlat(*points.T), axis=1))

    return convert


def _list(values: Any, what: str) -> list[Any]:
    if not isinstance(values, list):
        raise ValueError(f"it has an object without a list of {what}")
    return cast(list[Any], values)


def _object(value: Any) -> dict[str, Any]:
    """Return a value that is an object; an empty one for others."""
    return cast(dict[str, Any], value) if isinstance(value, dict) else {}


def _tags(item: dict[str, Any]) -> dict[str, str]:
    """Return the properties of a feature as tags; those of Overpass and of GDAL are nested."""
    tags: dict[str, str] = {}
    for name, value in _object(item.get("properties")).items():
        if name == "tags":
            tags.update({key.lower(): str(one) for key, one in _object(value).items()})
        elif name == "other_tags" and isinstance(value, str):
            tags.update({key.lower(): one for key, one in _PAIR.findall(value)})
        elif isinstance(value, str | int | float) and not isinstance(value, bool):
            tags[name.lower()] = str(value)
    return tags
