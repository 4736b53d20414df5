# SPDX-License-Identifier: GPL-3.0-or-later
import json
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, strategies as st

from terrain_addon.core import vectors
from terrain_addon.core.vectors import AREA, LINE, Feature, Vectors, classified
from terrain_addon.core.vectors.clipping import clipped_lines, clipped_ring
from terrain_addon.core.vectors.geojson import read_geojson
from terrain_addon.core.vectors.gpx import read_gpx
from terrain_addon.core.vectors.osm import read_osm

OSM = """<?xml version="1.0" encoding="UTF-8"?>
<osm version="0.6">
 <node id="1" lat="46.0" lon="7.0"/><node id="2" lat="46.0" lon="7.3"/>
 <node id="3" lat="46.3" lon="7.3"/><node id="4" lat="46.3" lon="7.0"/>
 <node id="5" lat="46.1" lon="7.1"/><node id="6" lat="46.1" lon="7.2"/>
 <node id="7" lat="46.2" lon="7.2"/><node id="8" lat="46.15" lon="7.15"/>
 <way id="10"><nd ref="1"/><nd ref="2"/><nd ref="3"/></way>
 <way id="11"><nd ref="1"/><nd ref="4"/><nd ref="3"/></way>
 <way id="12"><nd ref="5"/><nd ref="6"/><nd ref="7"/><nd ref="5"/></way>
 <way id="13"><nd ref="1"/><nd ref="2"/><nd ref="999"/><tag k="highway" v="primary"/></way>
 <way id="14"><nd ref="5"/><nd ref="6"/><nd ref="7"/><nd ref="5"/><tag k="building" v="yes"/>
  <tag k="building:levels" v="2"/></way>
 <way id="15"><nd ref="1"/><nd ref="3"/><tag k="waterway" v="stream"/></way>
 <way id="16"><nd ref="1"/><nd ref="8"/><tag k="railway" v="rail"/></way>
 <way id="17"><nd ref="5"/><nd ref="6"/><nd ref="7"/><nd ref="5"/><tag k="highway" v="tertiary"/>
  <tag k="junction" v="roundabout"/></way>
 <relation id="20"><member type="way" ref="10" role="outer"/>
  <member type="way" ref="11" role="outer"/><member type="way" ref="12" role="inner"/>
  <tag k="type" v="multipolygon"/><tag k="natural" v="water"/></relation>
 <relation id="21"><member type="way" ref="10" role="outer"/>
  <tag k="type" v="multipolygon"/><tag k="natural" v="water"/></relation>
</osm>"""
GPX = """<gpx xmlns="http://www.topografix.com/GPX/1/1"><wpt lat="46" lon="7"/><trk><trkseg>
<trkpt lat="46" lon="7"><ele>5</ele></trkpt><trkpt lat="46.1" lon="7"/></trkseg><trkseg>
<trkpt lat="46" lon="8"/></trkseg></trk><rte><rtept lat="1" lon="2"/><rtept lat="3" lon="4"/></rte>
</gpx>"""


def sorts(found: Vectors) -> list[str]:
    return [classified(one, all_tagged=found.all_tagged).kind for one in found.features]


def geojson(geometry: object, **properties: object) -> bytes:
    feature = {"type": "Feature", "properties": properties, "geometry": geometry}
    return json.dumps({"type": "FeatureCollection", "features": [feature]}).encode()


def test_openstreetmap_has_ways_and_joined_areas_with_holes() -> None:
    found = read_osm(OSM.encode())
    assert sorts(found) == ["roads", "buildings", "rivers", "", "roads", "lakes"]
    lake = found.features[-1]
    assert lake.kind == AREA
    assert [len(ring) for ring in lake.rings] == [4, 3]
    border = {tuple(point) for point in lake.rings[0].tolist()}
    assert border == {(7.0, 46.0), (7.3, 46.0), (7.3, 46.3), (7.0, 46.3)}
    roundabout = found.features[4]
    assert roundabout.kind == LINE
    assert (roundabout.rings[0][0] == roundabout.rings[0][-1]).all()
    assert classified(found.features[1]).height == 6.0
    assert found.notes == (
        "Parts of ways beyond the file are left out: 1",
        "Areas whose border is not closed are left out: 1",
    )


def test_gpx_has_segments_and_routes() -> None:
    found = read_gpx(GPX.encode())
    assert [one.rings[0].tolist() for one in found.features] == [
        [[7, 46], [7, 46.1]],
        [[2, 1], [4, 3]],
    ]
    assert sorts(found) == ["lines", "lines"]
    assert found.notes == ("Waypoints are left out: 1",)


def test_geojson_has_every_geometry() -> None:
    ring = [[0, 0], [4, 0], [4, 4], [0, 4], [0, 0]]
    hole = [[1, 1], [2, 1], [2, 2], [1, 1]]
    geometry = {
        "type": "GeometryCollection",
        "geometries": [
            {"type": "LineString", "coordinates": [[0, 0, 5], [1, 1]]},
            {"type": "MultiLineString", "coordinates": [[[0, 0], [1, 1]], [[2, 2], [3, 3]]]},
            {"type": "Polygon", "coordinates": [ring, hole]},
            {"type": "MultiPolygon", "coordinates": [[ring], [hole]]},
            {"type": "MultiPoint", "coordinates": [[0, 0], [1, 1]]},
        ],
    }
    found = read_geojson(geojson(geometry, name="x"))
    assert [one.kind for one in found.features] == [LINE, LINE, LINE, AREA, AREA, AREA]
    assert [len(ring) for ring in found.features[3].rings] == [4, 3]
    assert sorts(found) == ["lines"] * 3 + ["areas"] * 3
    assert found.notes == ("Points are left out: 2",)


@pytest.mark.parametrize(
    ("properties", "kind"),
    [
        ({"highway": "motorway_link"}, "roads"),
        ({"fclass": "residential"}, "roads"),
        ({"featurecla": "River"}, "rivers"),
        ({"subtype": "road", "class": "tertiary"}, "roads"),
        ({"tags": {"waterway": "canal"}}, "rivers"),
        ({"other_tags": '"width"=>"3","waterway"=>"ditch"'}, "rivers"),
        ({"highway": "primary", "tunnel": "yes"}, ""),
        ({"highway": "proposed"}, ""),
        ({"name": "Elm Street"}, "lines"),
    ],
)
def test_lines_of_other_tools_are_known_by_their_properties(
    properties: dict[str, object], kind: str
) -> None:
    line = {"type": "LineString", "coordinates": [[0, 0], [1, 1]]}
    assert sorts(read_geojson(geojson(line, **properties))) == [kind]


@pytest.mark.parametrize(
    ("tags", "width"),
    [
        ({"highway": "residential"}, 5.5),
        ({"highway": "residential", "width": "4,5 m"}, 4.5),
        ({"highway": "motorway", "lanes": "3"}, 10.5),
        ({"highway": "path", "width": "narrow", "lanes": "x"}, 1.0),
        ({"waterway": "river", "width": "100 ft"}, 30.48),
    ],
)
def test_widths_come_from_the_tags(tags: dict[str, str], width: float) -> None:
    assert classified(Feature(LINE, (np.zeros((2, 2)),), tags)).width == width


def test_an_old_coordinate_system_is_honored() -> None:
    data = {
        "type": "LineString",
        "crs": {"type": "name", "properties": {"name": "urn:ogc:def:crs:EPSG::3857"}},
        "coordinates": [[779236.435552915, 5780349.220256351], [0, 0]],
    }
    found = read_geojson(json.dumps(data).encode()).features[0].rings[0]
    np.testing.assert_allclose(found, [[7, 46], [0, 0]], atol=1e-9)


LINE_TEXT = '{"type": "LineString", "coordinates": %s}'


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.geojson", LINE_TEXT % "[[2600000, 1200000], [2600001, 1200001]]", "EPSG:4326"),
        ("a.geojson", LINE_TEXT % '[["7", "46"], ["8", "46"]]', "no lists of numbers"),
        ("a.geojson", LINE_TEXT % "[[true, false], [true, true]]", "no lists of numbers"),
        ("a.geojson", LINE_TEXT % "[[1e999, 2], [3, 4]]", "not finite"),
        ("a.geojson", LINE_TEXT % "[[NaN, 2], [3, 4]]", "the number NaN"),
        ("a.geojson", LINE_TEXT % "[1, 2]", "no lists of numbers"),
        ("a.json", "[" * 100_000, "nested too deeply"),
        ("a.json", "{}", "no GeoJSON"),
        ("a.json", '{"type": "FeatureCollection", "features": 3}', "without a list of features"),
        ("a.json", '{"type": "Point", "coordinates": [1, 2]}', "neither lines nor areas"),
        ("a.json", '{"type": "Blob", "coordinates": []}', "'Blob'"),
        ("a.gpx", "<kml></kml>", "begins with <kml>"),
        ("a.gpx", "<gpx><trk>", "no whole XML file"),
        ("a.gpx", '<gpx><rte><rtept lat="x" lon="1"/></rte></gpx>', "'lon'|'lat'"),
        ("a.gpx", '<?xml version="1.0" encoding="nope"?><gpx/>', "no whole XML|encoding"),
        ("a.osm", '<!DOCTYPE osm [<!ENTITY a "aa">]><osm>&a;</osm>', "document type"),
        ("a.osm", "<osm>" + "<a>" * 50, "nested too deeply"),
        ("a.osm", '<osm><node id="1" lat="146" lon="7"/></osm>', "EPSG:4326"),
        ("a.shp", "", "vectors are read from"),
    ],
)
def test_other_files_are_refused_with_their_name(
    tmp_path: Path, name: str, text: str, message: str
) -> None:
    path = tmp_path / name
    path.write_text(text)
    with pytest.raises(ValueError, match=f"(?s)^{name}: .*({message})"):
        vectors.read(path)


numbers = st.floats(-20, 20).map(lambda number: round(number, 2))
points = st.lists(st.tuples(numbers, numbers), min_size=3, max_size=8)


@given(points)
def test_lines_are_cut_as_their_samples_say(values: list[tuple[float, float]]) -> None:
    line = np.array(values)
    parts = clipped_lines(line, 8.0, 5.0)
    half = np.array([8.0, 5.0])
    length = 0.0
    for part in parts:
        assert (np.abs(part) <= half).all()
        assert len(part) > 1
        length += np.hypot(*np.diff(part, axis=0).T).sum()
    share = np.linspace(0, 1, 4001)[:, None]
    expected = 0.0
    for start, end in pairwise(line):
        inside = (np.abs(start + share * (end - start)) <= half).all(axis=1)
        expected += np.hypot(*(end - start)) * inside.mean()
    assert length == pytest.approx(expected, abs=0.1)


def area(ring: np.ndarray) -> float:
    x, y = ring.T
    return float((x * np.roll(y, -1) - np.roll(x, -1) * y).sum() / 2)


@given(points)
def test_areas_are_cut_to_their_share(values: list[tuple[float, float]]) -> None:
    """The areas of four quarters add up to the whole, also of a border that crosses itself."""
    ring = np.array(values)
    whole = sum(
        area(clipped_ring(ring + np.array([x, y]), 20.0, 20.0))
        for x in (-20, 20)
        for y in (-20, 20)
    )
    assert whole == pytest.approx(area(ring), abs=1e-9)


def test_a_terrain_gets_what_lies_on_it() -> None:
    found, notes = vectors.placed(
        read_osm(OSM.encode()), lambda degrees: (degrees - [7.15, 46.15]) * 1000, 200.0, 200.0
    )
    assert {kind: len(one.starts) for kind, one in found.items()} == {
        "roads": 1, "rivers": 1, "lakes": 2, "buildings": 1,
    }  # fmt: skip
    np.testing.assert_allclose(np.abs(found["lakes"].points[:4]), 100)
    assert found["lakes"].outer.tolist() == [0, 0]
    assert "Features of no use are left out: 1 (1 railway)" in notes
    assert "Features beyond the terrain are left out: 1" in notes
    np.testing.assert_allclose(found["rivers"].points, [[-100, -100], [100, 100]])


def test_lines_are_simplified_and_houses_keep_their_corners() -> None:
    bow = np.stack([np.linspace(-50, 50, 501), np.sin(np.linspace(0, 3, 501))], axis=1)
    house = np.array([[0.0, 0.0], [9.0, 0.0], [9.0, 6.0], [0.0, 6.0]])
    both = Vectors(
        (
            Feature(LINE, (bow,), {"highway": "path"}),
            Feature(AREA, (house,), {"building": "yes"}),
            Feature(AREA, (house,), {"natural": "water"}),
        )
    )
    found, _ = vectors.placed(both, lambda degrees: degrees, 100.0, 100.0, tolerance=10.0)
    assert len(found["roads"].points) == 2
    assert found["buildings"].points.tolist() == house.tolist()
    assert len(found["lakes"].points) >= 3
