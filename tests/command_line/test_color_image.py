# SPDX-License-Identifier: GPL-3.0-or-later
"""The image that a recipe names for its colors is loaded, and draped by its coordinates."""

import dataclasses
import sys

import numpy as np
import PIL.Image
import pytest
import rasterio

from terrain_addon.command_line import images, main
from terrain_addon.command_line.commands import fit
from terrain_addon.core import Bake, Imagery, bake, formats, presets
from terrain_addon.core.real_terrain import load_recipe
from tests.core.formats.test_geotiff import geo, real, written

pytestmark = pytest.mark.filterwarnings("ignore::rasterio.errors.NotGeoreferencedWarning")
KEYS = ((1024, 1), (1025, 2), (3072, 32632), (3076, 9001))
UTM = "EPSG:32632"


def photo(rows=30, columns=40):
    """Colors that tell the column and the row, the northern one first, smooth enough for JPEG."""
    pixels = np.full((rows, columns, 3), 80, np.uint8)
    pixels[..., 0] = np.arange(columns) * 5
    pixels[..., 1] = np.arange(rows)[:, None] * 7
    return pixels


def shown(folder, name, image="photo.png", **options):
    """Write a recipe that names an image; return it."""
    recipe = presets.load("crater_field")
    recipe = dataclasses.replace(recipe, palette=dataclasses.replace(recipe.palette, image=image))
    (folder / name).write_text(recipe.to_json())
    return recipe


def baked(folder, *arguments):
    """Bake colors; return them, the northern row first."""
    out = folder / "out.png"
    assert main(["bake", *map(str, arguments), str(out), "--image", "color", "--depth", "8"]) == 0
    return np.asarray(PIL.Image.open(out))[..., :3].astype(int)


@pytest.mark.parametrize("image", ["photo.png", "//photo.png", "sub/photo.png", "{}/photo.png"])
def test_the_image_that_a_recipe_names_lies_beside_it(tmp_path, image, monkeypatch):
    image = image.format(tmp_path)
    folder = tmp_path / "sub" if image.startswith("sub") else tmp_path
    folder.mkdir(exist_ok=True)
    PIL.Image.fromarray(photo()).save(folder / "photo.png")
    recipe = shown(tmp_path, "r.json", image)
    monkeypatch.chdir("/")
    colors = baked(tmp_path, tmp_path / "r.json", "--resolution", 64)
    pixels = np.dstack([photo(), np.full((30, 40), 255, np.uint8)])[::-1]
    whole = dataclasses.replace(recipe, imagery=Imagery(image, pixels))
    expected = bake(whole, whole.pixel_grid(64), Bake(image="color")).pixels[::-1, :, :3]
    linear = ((colors / 255 + 0.055) / 1.055) ** 2.4
    assert np.abs(linear - expected).max() < 0.02


def test_exports_and_worlds_have_the_image(tmp_path):
    PIL.Image.fromarray(np.full((8, 8, 3), (200, 10, 30), np.uint8)).save(tmp_path / "photo.png")
    shown(tmp_path, "r.json")
    out = tmp_path / "export"
    export = ["export", str(tmp_path / "r.json"), "--engine", "plain", "--out", str(out)]
    assert main([*export, "--size", "33"]) == 0
    (color,) = out.glob("*color*.png")
    assert (np.asarray(PIL.Image.open(color))[..., :3] == (200, 10, 30)).all()
    plan = ["world", "plan", str(tmp_path / "r.json"), "--out", str(tmp_path / "world")]
    assert main([*plan, "--spacing", "50", "--tile", "17", "--image", "color"]) == 0
    assert main(["world", "run", str(tmp_path / "world")]) == 0
    tiles = list((tmp_path / "world" / "images").rglob("*.png"))
    assert tiles
    for tile in tiles:
        assert (np.asarray(PIL.Image.open(tile))[..., :3] == (200, 10, 30)).all()


@pytest.mark.slow
def test_a_missing_image_is_one_message_where_colors_are_wanted(tmp_path, capsys):
    shown(tmp_path, "r.json", "Aerial on Land")
    for command in (["bake", "{}", "{}.png", "--image", "color"],
                    ["export", "{}", "--engine", "plain", "--out", "{}_files", "--size", "33"],
                    ["world", "plan", "{}", "--out", "{}_world", "--spacing", "50"]):  # fmt: skip
        assert main([one.format(tmp_path / "r.json") for one in command]) == 1
        (line,) = capsys.readouterr().err.splitlines()
        assert "r.json: its colors are those of the image 'Aerial on Land'" in line
        assert "--color-image FILE" in line
    assert {one.name for one in tmp_path.iterdir()} == {"r.json"}
    height = ["height", str(tmp_path / "r.json"), str(tmp_path / "h.npy"), "--resolution", "17"]
    assert main(height) == 0
    roblox = ["export", str(tmp_path / "r.json"), "--engine", "roblox", "--out"]
    assert main([*roblox, str(tmp_path / "roblox"), "--size", "256"]) == 0
    PIL.Image.fromarray(photo()).save(tmp_path / "other.png")
    assert baked(tmp_path, tmp_path / "r.json", "--color-image", tmp_path / "other.png").any()


@pytest.fixture
def dem(tmp_path):
    """41 x 33 samples 90 m apart; the north-western pixel's corner is (500000, 5200000)."""
    tags = geo(scale=(90, 90, 0), tie=(0, 0, 0, 500_000, 5_200_000, 0), keys=KEYS)
    return written(tmp_path / "dem.tif", real(33, 41), extratags=tags)


@pytest.mark.parametrize("suffix", [".png", ".jpg", ".tif"])
def test_an_image_with_coordinates_is_draped_by_them(dem, tmp_path, suffix, capsys):
    """Of 100 m pixels, whose middle column and row are those of the terrain."""
    path = tmp_path / f"aerial{suffix}"
    west, north = 499_245.0, 5_200_155.0
    if suffix == ".tif":
        with rasterio.open(
            path, "w", driver="GTiff", width=40, height=30, count=3, dtype="uint8", crs=UTM,
            transform=rasterio.transform.from_origin(west, north, 100, 100),
        ) as file:  # fmt: skip
            file.write(photo().transpose(2, 0, 1))
    else:
        PIL.Image.fromarray(photo()).save(path, quality=100)
        world = path.with_suffix(f".{suffix[1]}{suffix[-1]}w")
        world.write_text(f"100\n0\n0\n-100\n{west + 50}\n{north - 50}\n")
        path.with_suffix(".prj").write_text(UTM)
    colors = baked(tmp_path, dem, "--resolution", 400, "--color-image", path)
    assert not capsys.readouterr().err
    lies = formats.read(dem).georeference
    assert lies is not None
    for x, y in ((500_700, 5_199_500), (502_000, 5_198_000), (503_000, 5_197_500)):
        j, i = (north - y) / 100 - 0.5, (x - west) / 100 - 0.5
        column, row = lies.samples_at(x, y)
        place = round(400 * 320 / 400 * (1 - row / 32) - 0.5), round(400 * column / 40 - 0.5)
        assert np.abs(colors[place] - (5 * i, 7 * j, 80)).max() < 5, (x, y)
    beyond = colors[:, -5:]  # the image ends 150 m before
    plain = baked(tmp_path, dem, "--resolution", 400)
    np.testing.assert_array_equal(beyond, plain[:, -5:])


def test_an_image_elsewhere_or_without_a_place_is_not_guessed(dem, tmp_path, capsys):
    path = tmp_path / "aerial.png"
    PIL.Image.fromarray(photo()).save(path)
    bake = ["bake", str(dem), str(tmp_path / "o.png"), "--image", "color", "--resolution", "50"]
    assert main([*bake, "--color-image", str(path)]) == 0
    assert "covers the terrain from border to border, as it has no" in capsys.readouterr().err
    path.with_suffix(".pgw").write_text("10\n0\n0\n-10\n800000\n100\n")
    path.with_suffix(".prj").write_text(UTM)
    assert main([*bake, "--color-image", str(path)]) == 1
    assert "aerial.png: The image lies elsewhere" in capsys.readouterr().err
    path.with_suffix(".prj").write_text("PROJCS[")
    assert main([*bake, "--color-image", str(path)]) == 1
    assert "orogen: aerial.png: " in capsys.readouterr().err


def test_jpeg_names_the_extra_that_reads_it(tmp_path, monkeypatch, capsys):
    PIL.Image.fromarray(photo()).save(tmp_path / "photo.jpg")
    monkeypatch.setitem(sys.modules, "rasterio", None)
    out = str(tmp_path / "o.png")
    arguments = ["bake", "crater_field", out, "--image", "color", "--color-image"]
    assert main([*arguments, str(tmp_path / "photo.jpg")]) == 1
    assert 'photo.jpg needs rasterio: pip install "orogen[gis]"' in capsys.readouterr().err


@pytest.mark.parametrize("mode", ["L", "LA", "RGB", "RGBA", "P", "I;16"])
def test_png_files_of_every_kind_have_the_colors_of_pillow(tmp_path, mode):
    rgba = np.random.default_rng(1).integers(0, 256, (50, 70, 4)).astype(np.uint8)
    image = PIL.Image.fromarray(rgba, "RGBA")
    if mode == "I;16":
        image = PIL.Image.fromarray(rgba[..., 0].astype(np.uint16) * 257)
        expected = np.dstack([rgba[..., :1]] * 3)
    else:
        image = image.convert(mode)
        expected = np.asarray(image.convert("RGBA"))
    path = tmp_path / "image.png"
    image.save(path)
    found = images._pixels(path)
    np.testing.assert_array_equal(found[::-1, :, : expected.shape[2]], expected)


def test_pictures_of_a_fit_show_the_palette_without_its_image(tmp_path):
    recipe = shown(tmp_path, "r.json", "Aerial in Blender")
    name = fit._written(tmp_path, recipe, float("inf"))
    assert (tmp_path / f"{name}.png").stat().st_size > 1000
    assert load_recipe(str(tmp_path / f"{name}.json")).palette.image == "Aerial in Blender"
