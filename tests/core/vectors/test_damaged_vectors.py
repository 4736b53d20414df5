# SPDX-License-Identifier: GPL-3.0-or-later
"""Damaged vectors: readers raise ValueError, or read what is there, in bounded memory.

tests/soak/files.py reads more of them.
"""

import json
import re
import tracemalloc
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from terrain_addon.core import vectors
from terrain_addon.core.vectors import classified, osm
from terrain_addon.core.vectors.geojson import read_geojson
from terrain_addon.core.vectors.osm import read_osm
from tests.core.formats.test_damaged_files import changed
from tests.core.vectors.test_vectors import GPX, OSM

FEW = 40
"""Changes of each file in the test suite."""
MIB = 1 << 20
VALUES = re.compile(rb'(?<==")[^"<>]*|(?<=[\[ ])-?\d+(?:\.\d+)?')
"""Attributes of XML, and numbers of JSON."""
WORDS = (
    *(b"0 -1 1 3 9 10 46 -46 90.01 540 1e400 nan inf 0x1 7,5".split()),
    *(b"way outer inner multipolygon yes null [] {}".split()),
)


def samples() -> Iterator[tuple[str, bytes]]:
    """Name and contents of files of all formats."""
    yield "land.osm", OSM.encode()
    yield "land.gpx", GPX.encode()
    line: Any
    line, ring = [[7.0, 46.0], [7.1, 46.1, 850.0]], [[7, 46], [8, 46], [8, 47], [7, 46]]
    shapes: dict[str, Any] = {
        "Point": [7, 46],
        "LineString": line,
        "MultiLineString": [line, line[::-1]],
        "Polygon": [ring],
        "MultiPolygon": [[ring, ring]],
    }
    features = [
        {
            "type": "Feature",
            "properties": {"highway": "track", "tags": {"width": 3}, "other_tags": '"a"=>"b"'},
            "geometry": {"type": kind, "coordinates": places},
        }
        for kind, places in shapes.items()
    ]
    data = {"type": "FeatureCollection", "features": features}
    yield "land.geojson", json.dumps(data).encode()
    crs = {"type": "name", "properties": {"name": "urn:ogc:def:crs:EPSG::32632"}}
    line = [[500_000, 5_200_000], [500_100, 5_200_100]]
    yield (
        "plane.geojson",
        json.dumps({"type": "LineString", "coordinates": line, "crs": crs}).encode(),
    )


def revalued(data: bytes, rng: np.random.Generator) -> bytes:
    """Return a text in which a few values are others."""
    for _ in range(rng.integers(1, 6)):
        places = [one.span() for one in VALUES.finditer(data)]
        if not places:
            break
        start, end = places[int(rng.integers(len(places)))]
        words = (WORDS[int(rng.integers(len(WORDS)))], b"", data[start:end] * 2)
        data = data[:start] + words[int(rng.choice(3, p=(0.8, 0.1, 0.1)))] + data[end:]
    return data


def attempt(folder: Path, name: str, data: bytes) -> str:
    """Read vectors: what came of it. Any other exception than ValueError goes on."""
    path = folder / name
    path.write_bytes(data)
    try:
        found = vectors.read(path)
    except ValueError as error:
        refusal = str(error)
    else:
        rings = [ring for one in found.features for ring in one.rings]
        assert all(ring.dtype == np.float64 and np.isfinite(ring).all() for ring in rings)
        assert sum(map(len, rings)) <= len(data)
        for one in found.features:
            classified(one, all_tagged=found.all_tagged)
        return "read"
    assert refusal.startswith(name) and len(refusal) < 400, refusal
    return "refused"


@pytest.mark.filterwarnings("error")
def test_changed_files_are_read_or_refused(tmp_path):
    rng = np.random.default_rng(41)
    found = Counter(
        attempt(tmp_path, name, change(data, rng))
        for name, data in samples()
        for change in (changed, revalued)
        for _ in range(FEW)
    )
    assert min(found["read"], found["refused"]) > 50, found


def osm_of(points: int, *relations: str) -> bytes:
    """A file with one closed way of so many points, and relations."""
    nodes = "".join(f'<node id="{n}" lat="{46 + n * 1e-6}" lon="7"/>' for n in range(points))
    way = "".join(f'<nd ref="{n % points}"/>' for n in range(points + 1))
    return f'<osm>{nodes}<way id="9">{way}</way>{"".join(relations)}</osm>'.encode()


MEMBER = '<member type="way" ref="9" role="outer"/>'
LAKE = '<relation><tag k="type" v="multipolygon"/><tag k="natural" v="water"/>{}</relation>'


@pytest.mark.parametrize(
    "place", ['{"x": 7}', "7", '"7"', "null", "[]", "[[7, 46]]", '["7", "46"]']
)
def test_what_is_no_position_is_refused(place):
    text = '{"type": "LineString", "coordinates": [[7, 46], %s, [8, 46, 5]]}'
    with pytest.raises(ValueError, match="no lists of numbers"):
        read_geojson((text % place).encode())


def test_a_way_that_an_area_names_often_is_one_border():
    tracemalloc.start()
    try:
        found = read_osm(osm_of(1000, LAKE.format(MEMBER * 2000)))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert [len(one.rings) for one in found.features] == [1]
    assert peak < 16 * MIB


def test_areas_that_repeat_long_ways_are_refused(monkeypatch):
    monkeypatch.setattr(osm, "MOST_POINTS", 10_000)
    with pytest.raises(ValueError, match="more than 10000 points"):
        read_osm(osm_of(1000, *[LAKE.format(MEMBER)] * 20))


def test_holes_of_thousands_of_areas_are_found_in_little_work(monkeypatch):
    """As many tests of a point in a ring as there are holes within its bounds."""
    tests = []
    contains = osm.contains
    monkeypatch.setattr(osm, "contains", lambda *given: tests.append(1) or contains(*given))
    square = np.array([[0.0, 0.0], [3.0, 0.0], [3.0, 3.0], [0.0, 3.0]])
    outer = [square + np.array([10.0 * n, 0.0]) for n in range(300)]
    inner = [square / 3 + np.array([10.0 * n + 1, 1.0]) for n in range(300)]
    areas = list(osm.areas({}, outer, inner))
    assert [len(one.rings) for one in areas] == [2] * 300
    assert len(tests) == 300
