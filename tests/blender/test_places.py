# SPDX-License-Identifier: GPL-3.0-or-later
"""Terrains lie beside each other by their coordinates; the scene knows its place."""

import math
import re
from typing import Any, cast

import bpy
import numpy as np
import pytest
from mathutils import Vector

from terrain_addon.blender.data import scene_place
from terrain_addon.blender.mesh import ground
from terrain_addon.blender.ui.place_panel import readings
from terrain_addon.core import formats
from terrain_addon.core.elevation import Georeference, System, common_system
from terrain_addon.core.formats import HeightRows

UTM = System.coded(32632)
SLOPE = (np.add.outer(np.arange(41.0), 2 * np.arange(51.0))).astype(np.float32)
"""Heights of 41 x 51 samples."""


def tiff(path, corner, step=(10.0, 10.0), system=UTM, height=SLOPE):
    """A file of heights whose south-western sample lies at the corner."""
    place = Georeference(corner, (step[0], 0.0), (0.0, step[1]), system)
    limits = float(height.min()), float(height.max())
    formats.write(path, HeightRows(height.shape, [height], range=limits, georeference=place))
    return path


def add(path, **options):
    files = [{"name": path.name}]
    bpy.ops.terrain.add_elevation(directory=str(path.parent), files=files, **options)
    return cast(Any, bpy.context.object)


def at(scene, x, y, system=UTM):
    """The place in the scene of coordinates."""
    origin, scale = scene_place.origin_of(scene), scene_place.scale_of(scene)
    lonlat = common_system(system).to_lonlat(x, y)
    x, y = common_system(origin.system).from_lonlat(*lonlat)
    return (x - origin.x) / scale, (y - origin.y) / scale


def corner_of(item):
    """The south-western point in the scene, and the north-eastern one."""
    bpy.context.view_layer.update()
    points = item.data.vertices
    return [tuple(item.matrix_world @ points[i].co)[:2] for i in (0, len(points) - 1)]


@pytest.mark.smoke
def test_neighbors_lie_beside_each_other(tmp_path):
    first = add(tiff(tmp_path / "w.tif", (500_000, 5e6)))
    second = add(tiff(tmp_path / "e.tif", (500_500, 5_000_070)))
    assert tuple(first.location) == (0, 0, 0)
    assert tuple(second.location) == pytest.approx((500, 70, 0), abs=1e-3)
    assert tuple(second.scale) == (1, 1, 1) and second.rotation_euler.z == 0
    scene = bpy.context.scene
    assert (scene["SRID"], scene["crs x"], scene["crs y"]) == ("EPSG:32632", 500_250, 5_000_200)
    assert scene["longitude"] == pytest.approx(9.00318, abs=1e-5)
    assert scene["latitude"] == pytest.approx(45.15486, abs=1e-3)
    assert type(scene["crs y"]) is float and "scale" not in scene


def test_a_terrain_of_several_files_says_so(tmp_path):
    for number in range(3):
        tiff(tmp_path / f"t{number}.tif", (500_000 + 500 * number, 5e6))
    files = [{"name": f"t{number}.tif"} for number in range(3)]
    bpy.ops.terrain.add_elevation(directory=str(tmp_path), files=files)
    item = cast(Any, bpy.context.object)
    assert (item.name, item.data.name) == ("t0 and 2 more",) * 2
    assert item.data.terrain.about == "Real terrain from t0.tif and 2 more."


def test_the_first_terrain_is_at_the_cursor_and_the_others_where_they_are(tmp_path):
    bpy.context.scene.cursor.location = 100.0, -50.0, 7.0
    first = add(tiff(tmp_path / "w.tif", (500_000, 5e6)))
    bpy.context.scene.cursor.location = 0.0, 0.0, 0.0
    second = add(tiff(tmp_path / "e.tif", (500_500, 5e6)))
    assert tuple(first.location) == pytest.approx((100, -50, 0))
    assert tuple(second.location) == pytest.approx((600, -50, 0))


def test_files_without_a_named_system_lie_beside_each_other(tmp_path):
    add(tiff(tmp_path / "w.tif", (1000, 2000), system=System()))
    second = add(tiff(tmp_path / "e.tif", (1500, 2000), system=System()))
    assert tuple(second.location) == pytest.approx((500, 0, 0))
    assert ("System", "Not named") in readings(bpy.context)


def test_a_place_of_blendergis_is_followed(tmp_path):
    scene = bpy.context.scene
    scene["SRID"], scene["crs x"], scene["crs y"] = "25832", 499_000, 4_999_000.5
    item = add(tiff(tmp_path / "w.tif", (500_000, 5e6)))
    assert tuple(item.location) == pytest.approx((1250, 1199.5, 0), abs=1e-3)
    assert scene["SRID"] == "25832" and "longitude" not in scene


def test_a_scene_in_web_mercator_stretches_terrains_as_it_does_maps(tmp_path):
    scene, web = bpy.context.scene, System.coded(3857)
    x, y = common_system(web).from_lonlat(9.0, 60.0)
    scene["SRID"], scene["crs x"], scene["crs y"] = "EPSG:3857", float(x), float(y)
    corner = [float(one) for one in common_system(UTM).from_lonlat(9.0, 60.0)]
    item = add(tiff(tmp_path / "w.tif", corner))
    assert item.scale.x == pytest.approx(2.0, rel=0.005) and item.scale.z == 1
    for ours, true in zip(
        corner_of(item), [corner, (corner[0] + 500, corner[1] + 400)], strict=True
    ):
        assert ours == pytest.approx(at(scene, true[0], true[1]), abs=0.05)


@pytest.mark.parametrize("code", [4326, 32631, 3857, 25832, 32632])
def test_a_terrain_in_another_system_lies_where_it_is(tmp_path, code):
    add(tiff(tmp_path / "w.tif", (300_000, 5e6)))
    system = System.coded(code)
    lonlat = common_system(UTM).to_lonlat(302_000.0, 5_001_000.0)
    corner = [float(one) for one in common_system(system).from_lonlat(*lonlat)]
    step = (1e-4, 1e-4) if system.geographic else (10.0, 10.0)
    item = add(tiff(tmp_path / "other.tif", corner, step, system))
    far = corner[0] + 50 * step[0], corner[1] + 40 * step[1]
    for ours, true in zip(corner_of(item), (corner, far), strict=True):
        assert ours == pytest.approx(at(bpy.context.scene, true[0], true[1], system), abs=0.15)


def test_degrees_begin_a_scene_in_meters_of_the_zone(tmp_path):
    item = add(tiff(tmp_path / "w.tif", (170.0, -44.0), (1 / 3600, 1 / 3600), System.coded(4326)))
    scene = bpy.context.scene
    assert scene["SRID"] == "EPSG:32759"
    assert tuple(item.location) == pytest.approx((0, 0, 0), abs=1e-3)
    west, south = corner_of(item)[0]
    assert (west, south) == pytest.approx(at(scene, 170.0, -44.0, System.coded(4326)), abs=0.1)


def test_neighbors_in_degrees_are_resampled_to_the_system_of_the_scene(tmp_path):
    step, degrees = 1 / 1200, System.coded(4326)
    west = tiff(tmp_path / "w.tif", (6.0, 46.0), (step, step), degrees)
    east = tiff(tmp_path / "e.tif", (6.0 + 50 * step, 46.0), (step, step), degrees)
    add(west, system="utm")
    item = add(east, system="scene")
    assert "system=EPSG:32632" in item.data.terrain.layers[0].height_map.source
    assert tuple(item.scale) == pytest.approx((1, 1, 1), rel=1e-6) and item.rotation_euler.z == 0
    bpy.context.view_layer.update()
    points = [item.matrix_world @ vertex.co for vertex in item.data.vertices]
    origin = scene_place.origin_of(bpy.context.scene)
    x, y = np.array([(p.x + origin.x, p.y + origin.y) for p in points]).T
    longitude, latitude = common_system(origin.system).to_lonlat(x, y)
    height = (latitude - 46) / step + 2 * ((longitude - 6) / step - 50)
    np.testing.assert_allclose([p.z for p in points], height, atol=0.15)


def test_the_system_of_a_scene_without_a_place_is_asked_for_in_vain(tmp_path):
    path = tiff(tmp_path / "w.tif", (500_000, 5e6))
    with pytest.raises(RuntimeError, match="The scene has no place"):
        add(path, system="scene")


@pytest.mark.parametrize("scale", [0.01, 0.3048, 2.0])
def test_the_unit_scale_of_the_scene_counts(tmp_path, scale):
    scene = bpy.context.scene
    scene.unit_settings.scale_length = scale
    add(tiff(tmp_path / "w.tif", (500_000, 5e6)))
    second = add(tiff(tmp_path / "e.tif", (500_500, 5e6)))
    assert second.location.x * scale == pytest.approx(500, rel=1e-5)
    assert second.dimensions.x * scale == pytest.approx(500, rel=1e-5)
    assert second.dimensions.z * scale == pytest.approx(140, rel=1e-5)
    scene.cursor.location = second.location
    assert dict(readings(bpy.context))["Easting"] == "500750.00"


@pytest.mark.parametrize(
    ("corner", "system", "message"),
    [
        ((500_000, 200_000), System.coded(27700), "not converted here: .*gdalwarp"),
        ((500_000, 5e6), System.coded(32618), "too far from the place of this scene"),
        ((2_800_000, 5e6), UTM, "2300 km from the place of this scene"),
        ((500_000, 5e6), System(), "not converted here"),
    ],
)
def test_a_terrain_without_a_way_to_the_scene_says_so_and_comes_to_the_cursor(
    tmp_path, corner, system, message, capfd
):
    add(tiff(tmp_path / "w.tif", (500_000, 5e6)))
    bpy.context.scene.cursor.location = 5.0, 6.0, 7.0
    item = add(tiff(tmp_path / "far.tif", corner, system=system))
    assert tuple(item.location) == (5, 6, 7) and tuple(item.scale) == (1, 1, 1)
    heard = capfd.readouterr().out
    assert re.search(f"at the 3D cursor, not at its place: .*{message}", heard), heard


def test_the_cursor_is_read_in_coordinates_and_the_ground_below_it(tmp_path):
    item = add(tiff(tmp_path / "w.tif", (500_000, 5e6)))
    scene = bpy.context.scene
    bpy.context.view_layer.update()
    scene.cursor.location = -145.0, -148.0, 300.0
    read = dict(readings(bpy.context))
    assert (read["System"], read["Easting"], read["Northing"]) == (
        "EPSG:32632", "500105.00", "5000052.00",
    )  # fmt: skip
    longitude, latitude = common_system(UTM).to_lonlat(500_105.0, 5_000_052.0)
    assert read["Longitude"] == f"{longitude:.6f}°" and read["Latitude"] == f"{latitude:.6f}°"
    assert read["Cursor Height"].startswith("300") and read["Ground"].startswith("26.2")
    # Moved by hand, the terrain is elsewhere, and so is its ground; the coordinates stay.
    item.location.x += 100
    bpy.context.view_layer.update()
    moved = dict(readings(bpy.context))
    assert moved["Easting"] == read["Easting"] and moved["Ground"].startswith("6.2")
    assert ground.below(item, Vector((9e3, 0.0, 0.0))) is None


def test_the_place_is_cleared_and_what_is_not_known_is_said(tmp_path):
    add(tiff(tmp_path / "w.tif", (500_000, 5e6)))
    scene = bpy.context.scene
    scene["SRID"] = "nonsense"
    with pytest.raises(ValueError, match="The place of this scene is not known"):
        readings(bpy.context)
    bpy.ops.terrain.clear_place()
    assert not any(key in scene for key in scene_place.KEYS)
    assert not bpy.ops.terrain.clear_place.poll()
    item = add(tiff(tmp_path / "w.tif", (500_000, 5e6), system=System.coded(32618)))
    assert scene["SRID"] == "EPSG:32618" and math.isclose(item.location.x, 0)


@pytest.mark.slow
def test_a_world_that_is_planned_in_blender_knows_its_place(tmp_path):
    from terrain_addon.core.worlds import World

    add(tiff(tmp_path / "w.tif", (500_000, 5e6)))
    folder = tmp_path / "world"
    settings = bpy.context.scene.terrain_world
    settings.spacing, settings.side = 10.0, 33
    bpy.ops.terrain.world_export(directory=str(folder))
    place = World.load(folder).georeference
    assert place.epsg == 32632 and place.origin == pytest.approx((500_250, 5_000_200))
