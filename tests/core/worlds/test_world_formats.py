# SPDX-License-Identifier: GPL-3.0-or-later
"""Finished worlds in other formats and for engines: tiles meet, and cards lead back to meters."""

import dataclasses
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from numpy.typing import NDArray

from terrain_addon.command_line import extras, main
from terrain_addon.command_line.extras.zarr_array import ZarrArray
from terrain_addon.core import (
    Bake,
    Erosion,
    FractalNoise,
    Layer,
    Recipe,
    Snow,
    bake,
    evaluate,
    presets,
    worlds,
)
from terrain_addon.core.numerics import srgb
from terrain_addon.core.output.engines import Extent, export_manifest, named, readme
from terrain_addon.core.worlds import World
from tests.core.output import engine_readers
from tests.core.output.engine_readers import decoded

RECIPE = Recipe(
    size_x=1200.0,
    size_y=800.0,
    layers=(
        FractalNoise(height=150.0, octaves=4),
        Erosion(resolution="128", rivers=1.0),
        Layer.of(Snow(line=20.0)),
    ),
    palette=presets.load("alps").palette,
)
SIDE = 33


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> World:
    """6 x 4 tiles with images, made by a pool."""
    folder = tmp_path_factory.mktemp("formats") / "world"
    made = worlds.plan(
        RECIPE, folder, spacing=6.25, side=SIDE, images=["color", "normal", "slope", "flow", "snow"]
    )
    worlds.run(made, workers=2)
    return made


def heights(world: World, tile: worlds.Tile) -> NDArray[np.float32]:
    return np.load(world.path(tile))


def whole(world: World, read: Any) -> NDArray[Any]:
    """All tiles joined; those that meet must have equal samples."""
    ny, nx = world.grid.shape
    first = read((0, 0))
    out = np.zeros((ny, nx, *first.shape[2:]), first.dtype)
    seen = np.zeros((ny, nx), bool)
    for x, y in world.tiles:
        rows, columns = (slice(n * (SIDE - 1), n * (SIDE - 1) + SIDE) for n in (y, x))
        tile = read((x, y))
        shared = seen[rows, columns]
        assert_array_equal(tile[shared], out[rows, columns][shared])
        out[rows, columns], seen[rows, columns] = tile, True
    assert seen.all()
    return out


@pytest.mark.slow
def test_images_of_tiles_are_those_of_the_whole_and_meet(world: World):
    low, high = world.manifest.range
    assert worlds.run(World.load(world.folder)) == 0
    for key, settings in (
        ("normal", Bake(image="normal")),
        ("slope", Bake(image="slope")),
        ("flow", Bake(image="field", field="flow")),
    ):
        expected = bake(RECIPE, world.grid, settings).pixels[..., : 3 if key == "normal" else 1]
        found = whole(world, lambda tile, key=key: decoded(world.image_path(key, tile)))
        assert_array_equal(found.reshape(expected.shape), np.rint(expected * 255))
    snow = whole(world, lambda tile: np.load(world.image_path("snow", tile)))
    assert_array_equal(snow, evaluate(RECIPE, world.grid).fields["snow"])
    assert snow.max() > 0
    palette, terrain = RECIPE.palette, evaluate(RECIPE, world.grid.padded(1))
    cover = palette.cover(terrain.fields)
    colors = palette.colors(terrain.height, terrain.fields["slope"], low, high, cover)
    found = whole(world, lambda tile: decoded(world.image_path("color", tile)))
    expected = np.rint(srgb.encoded(np.clip(colors[1:-1, 1:-1, :3], 0, 1)) * 255)
    assert np.abs(found - expected).max() <= 1
    assert found.std(axis=(0, 1)).min() > 5


@pytest.mark.slow
def test_tiles_of_16_bits_meet_and_are_within_half_a_step(world: World):
    folder = str(world.folder)
    assert main(["world", "finish", folder, "--format", ".r16", "--format", ".png"]) == 0
    index = json.loads((world.folder / "index.json").read_text())
    assert index["range"] == [index["low"], index["high"]]
    expected = whole(world, lambda tile: heights(world, tile))

    def raw(tile: worlds.Tile) -> NDArray[Any]:
        path = world.folder / "r16" / f"{worlds.name_of(tile)}.r16"
        return np.fromfile(path, "<u2").reshape(SIDE, SIDE)

    found = whole(world, raw)
    assert (found.min(), found.max()) == (0, 65535)
    step = (index["high"] - index["low"]) / 65535
    assert np.abs(index["low"] + found * step - expected).max() <= 0.51 * step
    png = whole(world, lambda tile: decoded(world.folder / "png" / f"{worlds.name_of(tile)}.png"))
    assert png.dtype == np.uint16
    assert_array_equal(png, found)


@pytest.mark.slow
def test_floats_are_kept_in_tiff_exr_and_zarr(world: World):
    tifffile, exr = pytest.importorskip("tifffile"), pytest.importorskip("OpenEXR")
    zarr = pytest.importorskip("zarr")
    formats = [part for name in (".tif", ".exr", ".zarr") for part in ("--format", name)]
    assert main(["world", "finish", str(world.folder), *formats, "--workers", "2"]) == 0
    expected = whole(world, lambda tile: heights(world, tile))

    def tiff(tile: worlds.Tile) -> NDArray[Any]:
        return tifffile.imread(world.folder / "tif" / f"{worlds.name_of(tile)}.tif")[::-1]

    def open_exr(tile: worlds.Tile) -> NDArray[Any]:
        path = world.folder / "exr" / f"{worlds.name_of(tile)}.exr"
        return exr.File(str(path)).channels()["RGB"].pixels[::-1]

    assert_array_equal(whole(world, tiff), expected)
    assert_array_equal(whole(world, open_exr)[..., 2], expected)
    array = zarr.open_array(str(world.folder / ZarrArray().folder), mode="r")
    assert array.chunks == (SIDE - 1, SIDE - 1)
    assert_array_equal(array[:], expected)


@pytest.mark.slow
def test_a_missing_library_is_named_before_anything_is_evaluated(
    world: World, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setitem(__import__("sys").modules, "zarr", None)
    assert main(["world", "finish", str(world.folder), "--format", ".zarr"]) == 1
    assert 'pip install "orogen[' in capsys.readouterr().err


@pytest.mark.slow
def test_a_range_is_kept_or_refused(world: World, capsys: pytest.CaptureFixture[str]):
    command = ["world", "finish", str(world.folder)]
    assert main([*command, "--format", ".r16", "--range=-1000,3000"]) == 0
    found = np.fromfile(world.folder / "r16" / "y0000_x0000.r16", "<u2").reshape(SIDE, SIDE)
    expected = (heights(world, (0, 0)) + 1000) / 4000 * 65535
    assert np.abs(found - expected).max() < 0.51
    capsys.readouterr()
    for text, code, message in (
        ("0,1", 1, "a range of 0 to 1 m would cut them off"),
        ("5,1", 2, "expected two heights"),
        ("x", 2, "expected two heights in meters, as --range=-100,2400"),
    ):
        assert main([*command, f"--range={text}"]) == code
        assert message in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.parametrize("key", ["unreal", "unity", "terrain3d"])
def test_cards_lead_back_to_meters(key: str, tmp_path: Path):
    """The files by the numbers of the manifest alone, compared with the recipe."""
    side = 127 if key == "unreal" else 129
    images = ["color", "normal"]
    made = worlds.plan(
        RECIPE, tmp_path / "world", spacing=3.125, side=side, engines=[key], images=images
    )
    worlds.run(made)
    worlds.finish(made)
    place = made.folder / "engines" / key
    about = json.loads((place / "manifest.json").read_text())
    assert about["points"] == [made.grid.nx, made.grid.ny]
    assert {one["kind"] for one in about["files"]} == {"height", *images}
    assert all((place / one["path"]).is_file() for one in about["files"])
    text = (place / "README.txt").read_text()
    assert all(name in text for name in about["import_settings"]) and named(key).label in text
    assert ("turn on Flip Green Channel" in text) == (key == "unreal")
    step = (about["high"] - about["low"]) / 65535
    found = engine_readers.whole(place, about)
    assert np.abs(found - evaluate(RECIPE, made.grid).height).max() <= 0.501 * step


def test_numbers_of_cards_are_those_of_the_engines_guides():
    extent = Extent(low=0.0, high=900.0, size_x=2016.0, size_y=2016.0, sides=(2017, 2017))
    enter = export_manifest(named("unreal"), extent, [])["import_settings"]
    assert enter["Scale Z"] == pytest.approx(175.78, abs=0.01)
    assert enter["Location Z"] == pytest.approx(45000, abs=1)
    assert (enter["Scale X"], enter["Location X"]) == (100, -100_800)
    assert (enter["Section Size"], enter["Number of Components"]) == ("63x63 Quads", [16, 16])
    tiled = Extent(-50.0, 450.0, 4096.0, 2048.0, (1025, 1025), columns=4, rows=2)
    enter = named("unity").import_settings(tiled)
    assert (enter["Terrain Width"], enter["Position X"]) == (1024, [-2048, 1024])
    assert (enter["Terrain Height"], enter["Position Y"]) == (500, -50)
    enter = named("terrain3d").import_settings(tiled)
    assert (enter["region_size"], enter["import_position x"]) == (256, [-2048, 1024])
    assert enter["import_position y"] == [-1024, 1024] and enter["vertex_spacing"] == 1
    assert "import_position x: -2048, 1024" in readme(
        named("terrain3d"), export_manifest(named("terrain3d"), tiled, [])
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--engine", "unreal", "--tile", "1025"], "Unreal takes tiles of 127, 253, 505, 1009"),
        (["--engine", "unity", "--tile", "1009"], "Unity takes tiles of 33, 65, 129, 257, 513"),
        (["--engine", "terrain3d", "--tile", "100"], "Terrain3D takes tiles of a multiple of 64"),
        (["--engine", "terrain3d", "--spacing", "0.01", "--tile", "1025"], "at most 16384 samples"),
        (["--image", "wetness"], "'wetness', whose values depend on the whole terrain"),
        (["--image", "sunset"], "There is no image 'sunset'; there are color, normal, slope"),
        (["--image", "snow"], "No layer of this terrain produces 'Snow'"),
    ],
)
def test_what_tiles_cannot_have_is_refused_before_anything_is_solved(
    tmp_path: Path,
    arguments: list[str],
    message: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
):
    monkeypatch.setattr("terrain_addon.core.worlds.planning.solve", None)
    assert main(["world", "plan", "mesa", "--out", str(tmp_path / "w"), *arguments]) == 1
    assert message in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_level_ground_has_a_range_that_engines_can_scale(tmp_path: Path):
    flat = dataclasses.replace(RECIPE, layers=())
    made = worlds.plan(flat, tmp_path / "world", spacing=25.0, side=33, engines=["unity"])
    worlds.run(made)
    shares: list[float] = []
    assert worlds.finish(made, progress=shares.append) == (0.0, 0.0)
    phases = 2 if worlds.planned_writers(made) else 1
    count = phases * made.columns * made.rows
    assert shares == [number / count for number in range(1, count + 1)]
    about = json.loads((made.folder / "engines" / "unity" / "manifest.json").read_text())
    assert about["import_settings"]["Terrain Height"] == 1.0
    assert extras.library("json", "x") is json
