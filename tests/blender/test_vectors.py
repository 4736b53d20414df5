# SPDX-License-Identifier: GPL-3.0-or-later
"""Import roads, rivers, lakes and buildings, and make layers of them."""

import json
from collections.abc import Sequence
from pathlib import Path

import bpy
import numpy as np
import pytest

from terrain_addon.core import formats
from terrain_addon.core.elevation import Elevation, Georeference, System, common_system

SAMPLES, STEP = 65, 20.0
WEST, SOUTH = 600_000.0, 5_100_000.0
Points = Sequence[tuple[float, float]]
LAKE = [(-200, -200), (0, -200), (0, 0), (-200, 0)]
ISLAND = [(-150, -150), (-50, -150), (-50, -50), (-150, -50)]
HOUSE_OF_STATE = [(-400, -200), (400, -200), (400, 200), (-400, 200)]
HOUSE = [(300, 300), (340, 300), (340, 330), (300, 330)]


@pytest.fixture
def place(tmp_path: Path) -> bpy.types.Object:
    """A terrain of a tilted plane in UTM, 1280 m on each side."""
    rows, columns = np.mgrid[:SAMPLES, :SAMPLES].astype(np.float32)
    georeference = Georeference((WEST, SOUTH), (STEP, 0.0), (0.0, STEP), System.coded(32632))
    model = Elevation(500 + columns + 2 * rows, (STEP, STEP), georeference)
    formats.write(tmp_path / "plane.tif", formats.HeightRows.of(model))
    bpy.ops.terrain.add_elevation(filepath=str(tmp_path / "plane.tif"))
    item = bpy.context.object
    assert item is not None
    return item


def degrees(points: Points) -> list[tuple[float, float]]:
    """Return longitudes and latitudes of meters from the middle of the terrain."""
    middle = (SAMPLES - 1) * STEP / 2
    x, y = np.array(points, np.float64).T
    plane = common_system(System.coded(32632))
    return list(zip(*plane.to_lonlat(WEST + middle + x, SOUTH + middle + y), strict=True))


def osm(path: Path, *ways: tuple[Points, dict[str, str]], more: str = "") -> str:
    """Write an OpenStreetMap file of ways, and return its path; the first way has the id 1."""
    nodes: list[str] = []
    texts: list[str] = []
    for number, (points, tags) in enumerate(ways, 1):
        refs = ""
        for place, (lon, lat) in enumerate(degrees(points)):
            nodes.append(f'<node id="{number}-{place}" lon="{lon:.9f}" lat="{lat:.9f}"/>')
            refs += f'<nd ref="{number}-{place}"/>'
        if tags.pop("closed", ""):
            refs += f'<nd ref="{number}-0"/>'
        marks = "".join(f'<tag k="{key}" v="{value}"/>' for key, value in tags.items())
        texts.append(f'<way id="{number}">{refs}{marks}</way>')
    path.write_text(f"<osm>{''.join(nodes)}{''.join(texts)}{more}</osm>")
    return str(path)


def village(folder: Path) -> str:
    lake = '<relation id="9"><member type="way" ref="1" role="outer"/><member type="way" ref="2" '
    tags = '<tag k="type" v="multipolygon"/><tag k="natural" v="water"/>'
    return osm(
        folder / "village.osm",
        (LAKE, {"closed": "1"}),
        (ISLAND, {"closed": "1"}),
        ([(-5000, 100), (0, 100), (400, 200)], {"highway": "primary"}),
        ([(0, 100), (0, 500)], {"highway": "track"}),
        ([(500, 600), (450, -600)], {"waterway": "river", "width": "20"}),
        (HOUSE, {"closed": "1", "building": "house"}),
        more=f'{lake} role="inner"/>{tags}</relation>',
    )


def points_of(spline: bpy.types.Spline) -> np.ndarray:
    values = np.empty(4 * len(spline.points), np.float32)
    spline.points.foreach_get("co", values)
    return values.reshape(-1, 4)[:, :3]


def test_vectors_lie_on_the_terrain_where_they_belong(
    place: bpy.types.Object, tmp_path: Path
) -> None:
    assert bpy.ops.terrain.import_vectors(filepath=village(tmp_path)) == {"FINISHED"}
    collection = bpy.data.collections["village"]
    names = {item.name for item in collection.all_objects}
    assert names == {
        "village Roads", "village Rivers", "village Lakes with Islands", "village Buildings",
    }  # fmt: skip
    assert bpy.context.object == place
    roads = bpy.data.objects["village Roads"]
    assert roads.parent == place
    first, second = (points_of(spline) for spline in roads.data.splines)
    np.testing.assert_allclose(first[:, :2], [(-640, 100), (0, 100), (400, 200)], atol=0.01)
    assert [round(spline.points[0].radius * 8, 3) for spline in roads.data.splines] == [8, 3]
    middle = (SAMPLES - 1) / 2
    for points in (first, second):
        ground = 500 + middle + points[:, 0] / STEP + 2 * (middle + points[:, 1] / STEP)
        np.testing.assert_allclose(points[:, 2], ground, atol=0.02)
    lake = bpy.data.objects["village Lakes with Islands"].data
    assert sum(face.area for face in lake.polygons) == pytest.approx(200**2 - 100**2, rel=1e-3)
    house = bpy.data.objects["village Buildings"].data.splines[0]
    assert house.use_cyclic_u
    assert len(house.points) == 4


def test_classes_become_one_layer_each(place: bpy.types.Object, tmp_path: Path) -> None:
    bpy.ops.terrain.import_vectors(filepath=village(tmp_path))
    before = [vertex.co.z for vertex in place.data.vertices]
    assert bpy.ops.terrain.vector_layers() == {"FINISHED"}
    terrain = place.data.terrain
    layers = {layer.kind: getattr(layer, layer.kind) for layer in terrain.layers}
    assert list(layers) == ["height_map", "river", "lake", "pad", "road"]
    assert layers["road"].source == "village Roads"
    assert layers["road"].width == pytest.approx(8)
    assert layers["river"].width == pytest.approx(20)
    assert layers["river"].widths == "curve"
    assert layers["lake"].source == "village Lakes All"
    after = [vertex.co.z for vertex in place.data.vertices]
    changed = np.abs(np.subtract(after, before)).reshape(SAMPLES, SAMPLES) > 0.01
    middle = (SAMPLES - 1) // 2
    assert changed[middle - 9, middle - 9]  # the lake
    assert not changed[middle - 5, middle - 5]  # its island
    assert changed[middle + 16, middle + 16]  # the house
    assert changed[:, middle + 23].any()  # the river
    with pytest.raises(RuntimeError, match="has its layer already"):
        bpy.ops.terrain.vector_layers()


def test_curves_follow_the_ground_after_a_change(place: bpy.types.Object, tmp_path: Path) -> None:
    bpy.ops.terrain.import_vectors(filepath=village(tmp_path))
    bpy.ops.terrain.vector_layers(classes={"roads"})
    roads = bpy.data.objects["village Roads"].data
    before = points_of(roads.splines[0])
    place.data.terrain.layers[0].height_map.offset = 100.0
    after = points_of(roads.splines[0])
    np.testing.assert_allclose(after[:, 2] - before[:, 2], 100, atol=0.1)


def test_unnamed_lines_and_areas_are_what_the_user_says(
    place: bpy.types.Object, tmp_path: Path
) -> None:
    line = [list(point) for point in degrees([(-300, 0), (300, 50)])]
    area = [list(point) for point in degrees([*HOUSE, HOUSE[0]])]
    path = tmp_path / "plain.geojson"
    geometries = [
        {"type": "LineString", "coordinates": line},
        {"type": "Polygon", "coordinates": [area]},
    ]
    path.write_text(json.dumps({"type": "GeometryCollection", "geometries": geometries}))
    bpy.ops.terrain.import_vectors(filepath=str(path))
    with pytest.raises(RuntimeError, match="layer already"):
        bpy.ops.terrain.vector_layers()
    bpy.ops.terrain.vector_layers(lines_as="rivers", areas_as="outline")
    terrain = place.data.terrain
    assert [layer.kind for layer in terrain.layers] == ["height_map", "river"]
    assert terrain.layers[1].river.source == "plain Lines"
    mask = terrain.layers[1].mask_inside_shape
    assert (mask.source, mask.use, mask.fade) == ("plain Areas", True, 0.0)


@pytest.mark.parametrize("name", ["far.osm", "broken.osm"])
def test_what_cannot_be_placed_changes_nothing(
    place: bpy.types.Object, tmp_path: Path, name: str
) -> None:
    path = tmp_path / name
    osm(path, ([(90_000, 0), (90_100, 0)], {"highway": "path"}))
    if name == "broken.osm":
        path.write_text(path.read_text()[:-8])
    before = len(bpy.data.objects), len(bpy.data.collections)
    message = "lies on the terrain" if name == "far.osm" else "no whole XML file"
    with pytest.raises(RuntimeError, match=message):
        bpy.ops.terrain.import_vectors(filepath=str(path))
    assert (len(bpy.data.objects), len(bpy.data.collections)) == before


def test_without_a_file_nothing_is_imported(place: bpy.types.Object) -> None:
    """As from a shortcut or a script that names none."""
    for run, message in (
        (bpy.ops.terrain.import_vectors, "Choose one or several files"),
        (bpy.ops.terrain.drape_image, "Choose a file"),
        (bpy.ops.terrain.open_map, "Choose a file"),
        (bpy.ops.terrain.add_elevation, "Choose at least one file"),
    ):
        with pytest.raises(RuntimeError, match=message):
            run()


def test_a_terrain_without_a_place_says_so(add, tmp_path: Path) -> None:
    add()
    path = osm(tmp_path / "a.osm", ([(0, 0), (9, 0)], {"highway": "path"}))
    with pytest.raises(RuntimeError, match="no place on the Earth"):
        bpy.ops.terrain.import_vectors(filepath=path)


def test_a_solid_ends_at_an_imported_area(place: bpy.types.Object, tmp_path: Path) -> None:
    path = osm(tmp_path / "park.osm", (HOUSE_OF_STATE, {"closed": "1", "building": "yes"}))
    bpy.ops.terrain.import_vectors(filepath=path)
    bpy.ops.terrain.solid(outline="park Buildings", longest_side=100.0)
    solid = bpy.context.object
    assert solid.dimensions.x == pytest.approx(100, rel=0.01)
    assert solid.dimensions.y == pytest.approx(50, rel=0.01)
    edges: dict[tuple[int, int], int] = {}
    for face in solid.data.polygons:
        for key in face.edge_keys:
            edges[key] = edges.get(key, 0) + 1
    assert set(edges.values()) == {2}
    bpy.context.view_layer.objects.active = place
    with pytest.raises(RuntimeError, match="no object or collection 'Gone'"):
        bpy.ops.terrain.solid(outline="Gone")
