# SPDX-License-Identifier: GPL-3.0-or-later
"""Terrain from elevation files: true size and height, paths, missing and damaged files."""

import shutil
from pathlib import Path
from typing import Any, cast

import bpy
import numpy as np
import pytest

from terrain_addon.blender.data import elevation_files
from terrain_addon.blender.live import rebuild
from terrain_addon.blender.live.surface import is_current
from terrain_addon.blender.properties.recipe import read
from terrain_addon.core import evaluate
from terrain_addon.core.formats.png import write_png

ROWS, COLUMNS, STEP = 41, 61, 50.0
HILL = (
    np.hypot(*np.meshgrid(np.linspace(-1, 1, COLUMNS), np.linspace(-1, 1, ROWS))) * -400 + 900
).astype(np.float32)
HEADER = f"ncols {{}}\nnrows {{}}\nxllcorner {{}}\nyllcorner 0\ncellsize {STEP:g}\n"


def asc(path, height=HILL, west=0.0):
    rows, columns = height.shape
    lines = "\n".join(" ".join(f"{one:.3f}" for one in row) for row in height[::-1])
    path.write_text(HEADER.format(columns, rows, west) + lines + "\n")
    return path


def added(*paths, **options):
    names = [{"name": path.name} for path in paths]
    bpy.ops.terrain.add_elevation(directory=str(paths[0].parent), files=names, **options)
    return cast(Any, bpy.context.object).data


def heights(mesh):
    found = np.empty(len(mesh.vertices), np.float32)
    mesh.attributes["height"].data.foreach_get("value", found)
    return found


@pytest.mark.smoke
def test_a_terrain_has_the_size_and_the_heights_of_its_file(tmp_path):
    mesh = added(asc(tmp_path / "hill.asc"))
    terrain = mesh.terrain
    assert (terrain.resolution, terrain.resolution_y) == (COLUMNS, ROWS)
    assert (terrain.size_x, terrain.size_y) == (60 * STEP, 40 * STEP)
    np.testing.assert_allclose(heights(mesh).reshape(ROWS, COLUMNS), HILL, atol=2e-3)
    layer = terrain.layers[0]
    assert (layer.name, layer.kind, layer.height_map.fit) == ("Real Land", "height_map", "true")
    assert bpy.context.object.name == "hill" and not rebuild.error_of(mesh)
    bpy.ops.terrain.layer_add(kind="erosion")
    recipe = read(terrain)
    eroded = evaluate(recipe, recipe.grid((COLUMNS, ROWS))).height
    np.testing.assert_array_equal(heights(mesh).reshape(ROWS, COLUMNS), eroded)
    assert np.abs(eroded - HILL).max() > 1


def test_several_files_are_one_terrain(tmp_path):
    west = asc(tmp_path / "west.asc", HILL[:, :31])
    east = asc(tmp_path / "east.asc", HILL[:, 30:], west=30 * STEP)
    mesh = added(west, east, resolution=COLUMNS)
    np.testing.assert_allclose(heights(mesh).reshape(ROWS, COLUMNS), HILL, atol=2e-3)


def test_a_part_is_added_at_its_place(tmp_path):
    path = asc(tmp_path / "hill.asc")
    mesh = added(path, use_part=True, part_size=1000.0, part_middle=(500.0, -250.0))
    assert (mesh.terrain.size_x, mesh.terrain.size_y) == (1000, 1000)
    # 20 cells around the sample in column 40 and row 15
    inside = evaluate(read(mesh.terrain), read(mesh.terrain).grid(21)).height
    np.testing.assert_allclose(inside, HILL[5:26, 30:51], atol=2e-3)


def test_the_path_is_relative_to_a_saved_file_and_a_missing_file_leaves_the_mesh(tmp_path):
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "scene.blend"))
    path = asc(tmp_path / "hill.asc")
    mesh = added(path, resolution=COLUMNS)
    assert mesh.terrain.layers[0].height_map.source == "//hill.asc"
    before = heights(mesh)
    path.unlink()
    mesh.terrain.layers[0].height_map.exaggeration = 2.0
    assert "hill.asc is missing: choose it again" in rebuild.error_of(mesh)
    np.testing.assert_array_equal(heights(mesh), before)
    asc(path)
    bpy.ops.terrain.rebuild()
    assert not rebuild.error_of(mesh)
    np.testing.assert_allclose(heights(mesh), 2 * before, rtol=1e-5)


def test_a_file_that_changes_is_read_again(tmp_path):
    path = asc(tmp_path / "hill.asc")
    mesh = added(path, resolution=COLUMNS)
    asc(path, HILL + 111.0)
    rebuild.update(mesh)
    np.testing.assert_allclose(heights(mesh).reshape(ROWS, COLUMNS), HILL + 111, atol=2e-3)


def test_the_terrain_is_that_of_the_file_after_opening_it_elsewhere(tmp_path):
    (tmp_path / "old").mkdir()
    path = asc(tmp_path / "old" / "hill.asc")
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "old" / "scene.blend"))
    before = heights(added(path, resolution=COLUMNS))
    bpy.ops.wm.save_mainfile()
    shutil.move(tmp_path / "old", tmp_path / "new")
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "new" / "scene.blend"))
    mesh = cast(Any, bpy.data.objects["hill"]).data
    mesh.terrain.layers[0].height_map.offset = 5.0
    assert not rebuild.error_of(mesh)
    np.testing.assert_allclose(heights(mesh), before + 5, atol=1e-3)


def test_paths_stay_right_when_the_file_is_saved_elsewhere(tmp_path):
    mesh = added(asc(tmp_path / "hill.asc"))
    group = mesh.terrain.layers[0].height_map
    assert group.source == str(tmp_path / "hill.asc")  # nothing to be relative to
    (tmp_path / "a").mkdir()
    (tmp_path / "b" / "c").mkdir(parents=True)
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "a" / "scene.blend"))
    assert group.source == "//../hill.asc"
    copy = str(tmp_path / "b" / "c" / "copy.blend")
    bpy.ops.wm.save_as_mainfile(filepath=copy, copy=True)
    assert group.source == "//../hill.asc" and is_current(mesh)
    rebuild.update(mesh)
    assert not rebuild.error_of(mesh)
    bpy.ops.wm.open_mainfile(filepath=copy)
    mesh = cast(Any, bpy.data.objects["hill"]).data
    assert mesh.terrain.layers[0].height_map.source == "//../../hill.asc"
    assert is_current(mesh) and not rebuild.error_of(mesh)


def test_raw_numbers_get_the_range_and_the_spacing_that_were_asked_for(tmp_path):
    path = tmp_path / "hill.r16"
    numbers = np.rint((HILL - HILL.min()) / np.ptp(HILL) * 65535).astype(">u2")
    numbers[::-1].tofile(path)
    mesh = added(
        path, columns=COLUMNS, rows=ROWS, bits="16", order="big", north=True, low=100.0,
        high=700.0, spacing=20.0, resolution=COLUMNS,
    )  # fmt: skip
    assert mesh.terrain.size_x == 60 * 20
    expected = 100 + (HILL - HILL.min()) / np.ptp(HILL) * 600
    np.testing.assert_allclose(heights(mesh).reshape(ROWS, COLUMNS), expected, atol=0.01)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("cut.raw", b"x" * 8189, "no square of numbers"),
        ("void.asc", "ncols 2\nnrows 2\ncellsize 30\n-9999 -9999 -9999 -9999", "nothing but voids"),
        ("cut.tif", b"II*\0\xff", "cut.tif: "),
        ("odd.asc", "ncols 2\nnrows 2\ncellsize 30\n1 2 3 99999999", "none of terrain"),
        ("gone.hgt", None, "gone.hgt is missing"),
    ],
)
def test_bad_files_are_refused_and_nothing_is_added(tmp_path, name, content, message):
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    before = (len(bpy.data.objects), len(bpy.data.meshes))
    with pytest.raises(RuntimeError, match=message):
        added(path)
    assert (len(bpy.data.objects), len(bpy.data.meshes)) == before


def test_units_that_the_file_does_not_name_are_chosen_in_the_dialog(tmp_path):
    path = asc(tmp_path / "hill.asc")
    mesh = added(path, height_unit="ft", coordinate_unit="us-ft")
    foot = 1200 / 3937
    assert mesh.terrain.size_x == pytest.approx(60 * STEP * foot, rel=1e-5)
    assert heights(mesh).max() == pytest.approx(HILL.max() * 0.3048, rel=1e-5)
    assert read(mesh.terrain).layers[0].settings.source.endswith("#unit=us-ft,heights=ft")


def test_the_colors_of_a_picture_are_heights_by_the_encoding_that_is_chosen(tmp_path):
    number = np.round(HILL[::-1] * 100).astype(np.int64)  # of the GSI of Japan
    pixels = np.stack([number >> 16, (number >> 8) & 255, number & 255], -1).astype(np.uint8)
    path = tmp_path / "tile.png"
    write_png(path, pixels)
    with pytest.raises(RuntimeError, match="state the encoding: mapbox, terrarium, gsi"):
        added(path)
    mesh = added(path, encoding="gsi")
    np.testing.assert_allclose(heights(mesh).reshape(ROWS, COLUMNS), HILL, atol=0.006)


def test_a_layer_that_opens_a_file_can_set_the_size_of_the_terrain(add, tmp_path):
    mesh = added(asc(tmp_path / "hill.asc"))
    other = asc(tmp_path / "wide.asc", np.pad(HILL, 10, "edge"))
    bpy.ops.terrain.open_map(filepath=str(other))
    assert mesh.terrain.layers[0].height_map.source == str(other)
    assert elevation_files.known_map(str(other)).size == (80 * STEP, 60 * STEP)
    assert bpy.ops.terrain.size_to_map() == {"FINISHED"}
    assert (mesh.terrain.size_x, mesh.terrain.size_y) == (80 * STEP, 60 * STEP)
    assert not rebuild.error_of(mesh)


@pytest.mark.slow
def test_amplify_adds_detail_below_the_spacing_of_the_data(add, tmp_path):
    rng = np.random.default_rng(1)
    mesh = added(
        asc(tmp_path / "hill.asc", (HILL + rng.normal(0, 4, HILL.shape)).astype(np.float32))
    )
    bpy.ops.terrain.layer_add(kind="erosion")
    assert mesh.terrain.layers[1].erosion.type == "keep"
    mesh.terrain.active_layer = 0
    assert bpy.ops.terrain.amplify() == {"FINISHED"}
    detail = mesh.terrain.layers[1]
    assert (detail.name, detail.kind) == ("Fine Detail", "gullies")
    assert (detail.gullies.scale, detail.gullies.keep_mean) == (1.5 * STEP, STEP)
    assert 0 < detail.gullies.depth <= 0.16 * STEP + 1e-3
    assert not rebuild.error_of(mesh)
    with pytest.raises(RuntimeError, match="Choose a Height Map layer"):
        bpy.ops.terrain.amplify()
    mesh.terrain.active_layer, mesh.terrain.layers[0].height_map.scale = 0, 2.0
    bpy.ops.terrain.amplify()
    assert mesh.terrain.layers[1].gullies.keep_mean == 2 * STEP


def test_amplify_raises_the_resolution_to_what_shows_its_detail(add, tmp_path):
    mesh = added(asc(tmp_path / "hill.asc"), resolution=COLUMNS)
    terrain = mesh.terrain
    bpy.ops.terrain.amplify(raise_resolution=False)
    assert terrain.resolution == COLUMNS
    terrain.active_layer = 0
    bpy.ops.terrain.amplify()
    longer = max(terrain.size_x, terrain.size_y)
    assert longer / (terrain.resolution - 1) <= STEP / 4 < longer / (terrain.resolution - 3)
    terrain.active_layer, terrain.resolution = 0, 700
    bpy.ops.terrain.amplify()
    assert terrain.resolution == 700  # never fewer


def test_a_mask_may_be_an_elevation_file(tmp_path):
    mesh = added(asc(tmp_path / "hill.asc"), resolution=COLUMNS)
    bpy.ops.terrain.layer_add(kind="smooth")
    path = str(tmp_path / "hill.asc")
    settings = "terrain.layers[1].mask_map"
    assert bpy.ops.terrain.open_map(filepath=path, settings=settings) == {"FINISHED"}
    assert not rebuild.error_of(mesh)


def test_dropped_files_of_all_formats_are_taken():
    handler = bpy.types.FileHandler.bl_rna_get_subclass_py("TERRAIN_FH_elevation")
    assert handler.bl_import_operator == "terrain.add_elevation"
    assert {".tif", ".hgt", ".asc", ".r16"} <= set(handler.bl_file_extensions.split(";"))
    assert Path("x.HGT").suffix.lower() in elevation_files.SUFFIXES
