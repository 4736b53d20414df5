# SPDX-License-Identifier: GPL-3.0-or-later
"""Export for game engines in Blender: settings, folders, the worker, and the numbers to enter."""

import dataclasses
import json
import time
from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest

from terrain_addon.blender.bake import exporting
from terrain_addon.blender.bake.export_settings import file_name, settings, target
from terrain_addon.blender.bake.exporting import exporter
from terrain_addon.blender.mesh.terrain_mesh import HEIGHT, range_of
from terrain_addon.blender.properties.recipe import read
from terrain_addon.core import evaluate, formats, real_terrain
from terrain_addon.core.output import engines, exports

SMALLEST = {key: min(engine.sizes) for key, engine in engines.ENGINES.items()}


def files(folder: Path) -> list[str]:
    return sorted(one.name for one in folder.iterdir())


def manifest_in(folder: Path) -> dict[str, Any]:
    return json.loads((folder / "manifest.json").read_text("utf-8"))


@pytest.fixture(autouse=True)
def no_export():
    yield
    exporter.reset()


@pytest.mark.smoke
def test_an_export_holds_the_heights_of_the_terrain(add, tmp_path, capfd):
    item = add()
    made = bpy.ops.terrain.export(
        engine="unity", size=65, directory=str(tmp_path / "new"), color=False, normal=False
    )
    assert made == {"FINISHED"}
    assert "Read back: " in capfd.readouterr().out
    manifest = manifest_in(tmp_path / "new")
    stored = np.fromfile(tmp_path / "new" / "Land.raw", "<u2").reshape(65, 65)
    enter = manifest["import_settings"]
    heights = stored / 65535 * enter["Terrain Height"] + enter["Position Y"]
    recipe = read(item.data.terrain)
    expected = evaluate(recipe, recipe.grid((65, 65))).height
    half = (manifest["high"] - manifest["low"]) / 65535 / 2
    assert np.abs(heights - expected).max() <= half * 1.01
    assert np.ptp(expected) > 1


def test_the_panel_gives_what_the_operator_is_not_given(add, tmp_path):
    item = add()
    group = item.data.terrain.export
    group.engine, group.unreal.size, group.unreal.height = "unreal", "127", "png"
    group.tiles_x, group.name, group.color, group.normal = 2, "valley", False, False
    group.folder = str(tmp_path / "panel")
    assert bpy.ops.terrain.export() == {"FINISHED"}
    manifest = manifest_in(tmp_path / "panel")
    assert (manifest["engine"], manifest["tiles"], manifest["points"]) == (
        "unreal",
        [2, 1],
        [253, 127],
    )
    assert [one["path"] for one in manifest["files"]] == ["valley_x0_y0.png", "valley_x1_y0.png"]
    # Another engine has a size and a format of its own; the rest stays.
    group.unity.size = "33"
    bpy.ops.terrain.export(engine="unity", tiles_x=1, directory=str(tmp_path / "other"))
    manifest = manifest_in(tmp_path / "other")
    assert (manifest["engine"], manifest["points"]) == ("unity", [33, 33])
    assert [one["path"] for one in manifest["files"]] == ["valley.raw"]


def test_each_engine_offers_its_own_sizes_and_formats(add):
    item = add()
    terrain, recipe = item.data.terrain, read(item.data.terrain)
    for key, engine in engines.ENGINES.items():
        own = getattr(terrain.export, key)
        offered = own.bl_rna.properties["size"].enum_items.keys()
        assert offered == [str(size) for size in engine.sizes]
        assert own.size == str(engine.usual)
        for size in offered:
            own.size = size
            for tiles in (1, 2):
                given = {"engine": key, "tiles_x": tiles, "tiles_y": tiles}
                exports.extent_of(recipe, settings(item, terrain, recipe, given))
        for suffix in list(own.bl_rna.properties["height"].enum_items.keys()):
            own.height = suffix
            made = settings(item, terrain, recipe, {"engine": key})
            assert exports.extent_of(recipe, made).suffix == (
                "" if suffix == "auto" else f".{suffix}"
            )


def test_masks_are_those_of_the_panel_that_the_terrain_has(add):
    item = add()
    terrain, recipe = item.data.terrain, read(item.data.terrain)
    terrain.export.masks.slope = terrain.export.masks.snow = True
    assert settings(item, terrain, recipe).masks == ("slope",)  # no layer makes snow
    assert settings(item, terrain, recipe, {"masks": ["ridge"]}).masks == ("ridge",)


def test_masks_of_layers_are_those_of_the_panel_that_have_some(add, tmp_path):
    item = add()
    terrain = item.data.terrain
    terrain.export.color = terrain.export.normal = False
    for number in (0, 1):
        terrain.layers[number].export_mask = True
    terrain.layers[1].mask_slope.use = True
    terrain.layers[1].name = "Steep"
    assert settings(item, terrain, read(terrain)).masks == ("layer:Steep",)
    bpy.ops.terrain.export(engine="plain", directory=str(tmp_path / "out"))
    masks = [one["path"] for one in manifest_in(tmp_path / "out")["files"] if one["kind"] == "mask"]
    assert masks == [f"{item.name}_layer-steep.png"]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Alps", "Alps"),
        ("Alps.001", "Alps-001"),
        ("North_0_1", "North-0-1"),  # not the place of a tile
        ("Weißer Berg", "Wei-er-Berg"),
        ("-x-", "x"),
        ("a" * 63, "a" * 40),
        ("山", "terrain"),
        ("con", "terrain"),
    ],
)
def test_files_are_named_after_the_terrain(add, name, expected):
    item = add()
    item.name = name
    recipe = read(item.data.terrain)
    for key, engine in engines.ENGINES.items():
        assert file_name(name, engine) == expected
        made = settings(item, item.data.terrain, recipe, {"engine": key})
        engine.check_name(made.name)
    assert file_name("Map 1009x1009", engines.ENGINES["unreal"]) == "terrain"


def test_a_folder_with_other_files_gets_one_for_the_export(add, tmp_path):
    item = add()
    recipe = read(item.data.terrain)
    made = settings(item, item.data.terrain, recipe, {"engine": "unity", "size": 33})
    assert target(str(tmp_path / "new"), made) == tmp_path / "new"
    assert target(str(tmp_path), made) == tmp_path  # it is empty
    (tmp_path / "letter.txt").write_text("dear")
    assert target(str(tmp_path), made) == tmp_path / "Land_unity"
    assert bpy.ops.terrain.export(engine="unity", size=33, directory=str(tmp_path)) == {"FINISHED"}
    assert files(tmp_path) == ["Land_unity", "letter.txt"]
    exported = tmp_path / "Land_unity"
    assert target(str(exported), made) == exported  # an earlier export is replaced
    assert target("", made).name == "Land_unity"
    with pytest.raises(ValueError, match="Save the blend file first"):
        target("//exports", made)
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "scene.blend"))
    assert target("//exports", made) == tmp_path / "exports"
    assert target("", made) == tmp_path / "Land_unity"


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"engine": "unity", "size": 1000}, "not 1000: the nearest is 1025"),
        ({"engine": "unity", "height": "exr"}, "takes heights as"),
        ({"engine": "unreal", "name": "a/b"}, "'a/b' is not a valid file name"),
        ({"masks": "slope, snow"}, "No layer of this terrain produces 'Snow'"),
        ({"masks": "steepness"}, "steepness"),
    ],
)
def test_what_an_engine_does_not_take_is_reported_and_nothing_is_written(
    add, tmp_path, given, message
):
    add()
    with pytest.raises(RuntimeError, match=message):
        bpy.ops.terrain.export(directory=str(tmp_path / "x"), **given)
    assert not files(tmp_path)


def test_an_export_that_fails_leaves_the_earlier_one_whole(add, tmp_path, monkeypatch):
    add()
    given = {"engine": "unity", "size": 33, "directory": str(tmp_path / "x")}
    bpy.ops.terrain.export(**given)
    before = {one.name: one.read_bytes() for one in (tmp_path / "x").iterdir()}

    def full(*_: Any, **__: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(exports.exporting, "check_tile", full)
    with pytest.raises(RuntimeError, match="No space left"):
        bpy.ops.terrain.export(**given)
    assert {one.name: one.read_bytes() for one in (tmp_path / "x").iterdir()} == before
    assert files(tmp_path) == ["x"]


def in_background(item: Any, folder: Path, size: int = 33, **given: Any) -> exporting.Export:
    terrain = item.data.terrain
    recipe = read(terrain)
    made = settings(item, terrain, recipe, {"engine": "unity", "size": size} | given)
    export = exporting.Export(item.data.session_uid, terrain.built, recipe, made, folder)
    exporter.start(export)
    return export


def test_an_export_in_the_background_ends_with_its_proof(add, tmp_path):
    item = add()
    in_background(item, tmp_path / "x")
    assert exporter.is_busy() and exporter.progress() is not None
    assert bpy.ops.terrain.cancel.poll()
    with pytest.raises(ValueError, match="Another terrain is being exported"):
        in_background(item, tmp_path / "y")
    exporter.finish()
    text, failed = exporter.message(item.data)
    assert not failed and str(tmp_path / "x") in text and "Read back: " in text
    assert not exporter.is_busy() and "manifest.json" in files(tmp_path / "x")


def test_a_canceled_export_leaves_the_earlier_one(add, tmp_path):
    item = add()
    bpy.ops.terrain.export(engine="unity", size=33, directory=str(tmp_path / "x"))
    before = manifest_in(tmp_path / "x")
    in_background(item, tmp_path / "x", 4097)
    time.sleep(0.1)
    assert bpy.ops.terrain.cancel() == {"FINISHED"}
    exporter.finish()
    assert exporter.message(item.data) == (
        "The export was canceled: no file was written", False,
    )  # fmt: skip
    assert manifest_in(tmp_path / "x") == before and files(tmp_path) == ["x"]
    in_background(item, tmp_path / "x", 65)  # another one can be made
    exporter.finish()
    assert manifest_in(tmp_path / "x")["points"] == [65, 65]


def test_an_error_in_the_background_is_shown(add, tmp_path, monkeypatch):
    item = add()
    monkeypatch.setattr(
        exporting.exports, "export", lambda *_, **__: (_ for _ in ()).throw(OSError(28, "No space"))
    )
    in_background(item, tmp_path / "x")
    exporter.finish()
    assert exporter.message(item.data) == ("No space", True)


def test_geotiff_files_have_the_coordinates_of_elevation_files_beside_the_blend_file(tmp_path):
    header = "ncols 3\nnrows 2\nxllcenter 500\nyllcenter 700\ncellsize 30\n"
    (tmp_path / "hill.asc").write_text(header + "4 5 6\n1 2 3\n")
    recipe = real_terrain.load_recipe(str(tmp_path / "hill.asc"))
    source = dataclasses.replace(recipe.layers[0].settings, source="//hill.asc")
    recipe = dataclasses.replace(
        recipe, layers=(source,), maps=(dataclasses.replace(recipe.maps[0], name="//hill.asc"),)
    )
    made = exports.ExportSettings(engine="plain", size=5, height="tif")
    exporting.Export(0, "", recipe, made, tmp_path / "out", None, tmp_path).make()
    place = formats.read(tmp_path / "out" / "terrain.tif").georeference
    assert place.at(0, 0) == pytest.approx((500, 700))
    assert place.at(4, 2) == pytest.approx((560, 730))


def test_the_numbers_are_known_before_and_exact_after_the_export(add, tmp_path):
    item = add(resolution=33)
    terrain, recipe = item.data.terrain, read(item.data.terrain)
    group, mesh = terrain.export, item.data
    group.engine, group.unity.size = "unity", "129"
    made, ends = settings(item, terrain, recipe), range_of(item.data, HEIGHT)
    assert ends
    before, is_made = exporter.manifest(mesh, terrain.built, recipe, made, ends)
    assert not is_made and before["import_settings"]["Heightmap Resolution"] == 129
    assert before["import_settings"]["Position Y"] == ends[0]
    bpy.ops.terrain.export(directory=str(tmp_path / "x"))
    after, is_made = exporter.manifest(mesh, terrain.built, recipe, made, ends)
    assert is_made and after == manifest_in(tmp_path / "x")
    assert (
        after["import_settings"]["Position Y"] < before["import_settings"]["Position Y"]
    )  # it samples more points
    terrain.seed += 1
    assert not exporter.manifest(mesh, terrain.built, read(terrain), made, ends)[1]


def test_the_numbers_are_copied(add, capfd):
    """What arrives on the clipboard is a test in a window."""
    item = add()
    item.data.terrain.export.engine = "unity"
    assert bpy.ops.terrain.export_copy(field="Terrain Width") == {"FINISHED"}
    width = engines.as_text(item.data.terrain.size_x)
    assert f"Copied {width}\n" in capfd.readouterr().out
    assert bpy.ops.terrain.export_copy() == {"FINISHED"}
    assert " numbers\n" in capfd.readouterr().out
    with pytest.raises(RuntimeError, match="There is no 'Width' to enter"):
        bpy.ops.terrain.export_copy(field="Width")
    item.data.terrain.export.engine = "terrain3d"
    low, high = (engines.as_text(end) for end in range_of(item.data, HEIGHT) or ())
    for number, expected in ((0, f"{low}, {high}"), (1, low), (2, high)):
        capfd.readouterr()
        bpy.ops.terrain.export_copy(field="r16_range", number=number)
        assert f"Copied {expected}\n" in capfd.readouterr().out
    with pytest.raises(RuntimeError, match="'r16_range' has 2 numbers, not 3"):
        bpy.ops.terrain.export_copy(field="r16_range", number=3)
