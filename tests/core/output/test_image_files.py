# SPDX-License-Identifier: GPL-3.0-or-later
"""Images that are written some rows at a time, read by the libraries of others."""

import dataclasses
import json
import os
import tracemalloc

import numpy as np
import pytest
from PIL import Image as Picture

from terrain_addon.core import Bake, Cancelled, Layer, Recipe, Region, bake, formats, presets
from terrain_addon.core.layers import LAYERS
from terrain_addon.core.numerics import srgb
from terrain_addon.core.output import IMAGES, ImageSet, kept_terrain, write_image
from terrain_addon.core.output.images import baking, files, streaming
from terrain_addon.core.output.images.dithering import dithered
from terrain_addon.core.settings import PendingFile, pending_file
from tests.core.settings.full_disk import full_disk

RECIPE = Recipe(
    seed=5,
    size_x=600.0,
    size_y=450.0,
    layers=(
        Layer.of(LAYERS["fractal_noise"](octaves=4, height=80.0)),
        Layer.of(LAYERS["falloff"](depth=100.0)),
    ),
    palette=presets.load_palette("alpine"),
)
BY_FIELD = dataclasses.replace(
    RECIPE,
    palette=dataclasses.replace(
        RECIPE.palette, regions=(*RECIPE.palette.regions, Region.of_field("ridge"))
    ),
)
GRID = RECIPE.pixel_grid(64)
CASES = [
    *({"image": kind} for kind in IMAGES),
    {"image": "heightmap", "values": "meters"},
    {"image": "field", "field": "plan_curvature"},
    {"image": "field", "field": "wetness", "values": "meters"},
    {"image": "field", "field": "plan_curvature", "values": "meters"},
    {"image": "color", "pixel_step": 5},
    {"image": "field", "field": "wetness", "pixel_step": 3},
]


@pytest.fixture(autouse=True)
def small_windows(monkeypatch):
    """Several windows even for the small images of the tests."""
    for module in (baking, kept_terrain):
        monkeypatch.setattr(module, "WINDOW", 700)


def streamed(recipe=RECIPE, grid=GRID, **asked):
    return streaming.stream(recipe, grid, Bake(**asked))


@pytest.mark.parametrize("from_north", [False, True])
@pytest.mark.parametrize("asked", CASES, ids=str)
def test_rows_are_those_of_the_whole_image(asked, from_north):
    for recipe in (RECIPE, BY_FIELD):
        whole, image = bake(recipe, GRID, Bake(**asked)), streamed(recipe, **asked)
        assert (image.low, image.high) == (whole.low, whole.high)
        for source in (image, whole):
            got = np.zeros_like(whole.pixels)
            order = []
            for first, rows in source.bands(from_north=from_north):
                order.append(first)
                got[first : first + len(rows)] = rows[:: -1 if from_north else 1]
            np.testing.assert_array_equal(got, whole.pixels)
            assert order == sorted(order, reverse=from_north)


def test_a_set_streams_the_same_images(monkeypatch):
    several = [Bake(), Bake(image="color"), Bake(image="noise"), Bake(image="field", field="ridge")]
    together = ImageSet(RECIPE, GRID, several).stream_all()
    assert together[0].terrain is together[1].terrain is together[3].terrain
    images = ImageSet(RECIPE, GRID, several)
    for n, (asked, image) in enumerate(zip(several, together, strict=True)):
        whole = bake(RECIPE, GRID, asked).pixels
        for one in (image, images.stream(n)):
            rows = [rows for _, rows in one.bands(from_north=False)]
            np.testing.assert_array_equal(np.concatenate(rows), whole)


def exr(path):
    library = pytest.importorskip("OpenEXR")
    with library.File(str(path), separate_channels=True) as file:
        return {name: np.array(one.pixels) for name, one in file.channels().items()}


def test_exr_files_hold_the_values(tmp_path):
    for kind in IMAGES:
        asked = Bake(image=kind)
        write_image(tmp_path / "a.exr", streamed(image=kind), asked)
        channels = exr(tmp_path / "a.exr")
        whole = bake(RECIPE, GRID, asked).pixels[::-1]
        assert sorted(channels) == (["Y"] if IMAGES[kind].gray else ["B", "G", "R"])
        for n, name in enumerate(["Y"] if IMAGES[kind].gray else ["R", "G", "B"]):
            np.testing.assert_array_equal(channels[name], whole[..., n])
    height = Bake(values="meters")
    write_image(tmp_path / "a.exr", streamed(values="meters"), height)
    np.testing.assert_array_equal(
        formats.read(tmp_path / "a.exr").height, bake(RECIPE, GRID, height).pixels[..., 0]
    )


def test_layers_of_one_exr_file_are_the_images(tmp_path):
    several = {
        "Height": Bake(values="meters"),
        "Color": Bake(image="color"),
        "Curvature": Bake(image="field", field="plan_curvature"),
        "A.long name, which no file without the flag for it may have": Bake(image="slope"),
    }
    images = ImageSet(RECIPE, GRID, list(several.values())).stream_all()
    layers = [
        files.ImageLayer(image, asked, name)
        for image, (name, asked) in zip(images, several.items(), strict=True)
    ]
    files.begin_file(tmp_path / "all.exr", layers).keep()
    channels = exr(tmp_path / "all.exr")
    assert len(channels) == 6
    for name, asked in several.items():
        whole = bake(RECIPE, GRID, asked).pixels[::-1]
        for n, channel in enumerate("V" if asked.kind.gray else "RGB"):
            key = f"{name.replace('.', '_')}.{channel}"
            np.testing.assert_array_equal(channels[key], whole[..., n])
    ranges = json.loads((tmp_path / "all.exr.json").read_text())["layers"]
    assert list(ranges) == ["Curvature"]
    known = {"image": "Plan Curvature", "low": images[2].low, "high": images[2].high}
    assert ranges["Curvature"] == {**known, "unit": "rad/100 m"}


@pytest.mark.parametrize("kind", IMAGES)
def test_png_files_of_8_bits_are_dithered_around_the_value(tmp_path, kind):
    asked = Bake(image=kind)
    write_image(tmp_path / "a.png", streamed(image=kind), asked, depth=8, seed=RECIPE.seed)
    picture = np.asarray(Picture.open(tmp_path / "a.png"))
    assert picture.dtype == np.uint8
    whole = bake(RECIPE, GRID, asked).pixels[::-1, :, : 1 if IMAGES[kind].gray else 3]
    exact = (srgb.encoded(whole.clip(0, 1)) if IMAGES[kind].color else whole) * 255.0
    difference = picture.reshape(exact.shape) - exact.astype(float)
    assert abs(difference).max() <= 1
    assert abs(difference.mean()) < 0.03


def test_dither_does_not_depend_on_windows_but_on_the_seed():
    values = np.random.default_rng(0).random((40, 50, 3), np.float32)
    j, i = np.arange(40) + 70_000, np.arange(50) - 20
    whole = dithered(values, 7, j, i)
    part = dithered(values[10:30, 20:45], 7, j[10:30], i[20:45])
    np.testing.assert_array_equal(part, whole[10:30, 20:45])
    assert (dithered(values, 8, j, i) != whole).mean() > 0.2
    assert (whole[..., 0] - values[..., 0] * 255 > 0).mean() == pytest.approx(0.5, abs=0.03)


def test_dither_leaves_steps_as_they_are_and_has_no_pattern():
    steps = np.tile(np.arange(256, dtype=np.float32) / np.float32(255), (64, 1))[..., None]
    j = np.arange(64)
    made = dithered(steps, 3, j, np.arange(256))[..., 0].astype(float)
    assert abs(made - steps[..., 0] * 255).max() < 1e-4
    half = dithered(np.full((64, 64, 3), 100.5 / 255, np.float32), 3, j, j) - 100.5
    for one, other in ((half[1:], half[:-1]), (half[:, 1:], half[:, :-1])):
        assert abs((one * other).mean() / 0.25) < 0.06
    assert abs((half[..., 0] * half[..., 1]).mean() / 0.25) < 0.06


def test_windows_of_an_image_have_the_bytes_of_the_whole(tmp_path):
    asked, grid = Bake(image="normal"), RECIPE.pixel_grid((60, 40))
    write_image(tmp_path / "a.png", streamed(grid=grid, image="normal"), asked, depth=8, seed=5)
    part = streamed(grid=grid.window(10, 5, 30, 20), image="normal")
    write_image(tmp_path / "b.png", part, asked, depth=8, seed=5)
    whole, window = (np.asarray(Picture.open(tmp_path / name)) for name in ("a.png", "b.png"))
    np.testing.assert_array_equal(window, whole[::-1][5:25, 10:40][::-1])


def test_normalized_values_keep_their_range_beside_the_file(tmp_path):
    path, beside = tmp_path / "a.png", tmp_path / "a.png.json"
    image = streamed()
    write_image(path, image, Bake())
    known = json.loads(beside.read_text())
    assert known == {"image": "Heightmap", "low": image.low, "high": image.high, "unit": "m"}
    picture = np.asarray(Picture.open(path)).astype(float) / 65535
    meters = known["low"] + picture[::-1] * (known["high"] - known["low"])
    height = bake(RECIPE, GRID, Bake(values="meters")).pixels[..., 0]
    np.testing.assert_allclose(meters, height, atol=0.51 * (image.high - image.low) / 65535)
    write_image(path, streamed(image="color"), Bake(image="color"))
    assert not beside.exists()  # it would be wrong
    beside.write_text('{"mine": 1}')
    write_image(path, streamed(image="color"), Bake(image="color"))
    assert beside.read_text() == '{"mine": 1}'
    recipe = tmp_path / "a.json"
    recipe.write_text("recipe")
    beside.unlink()
    write_image(path, image, Bake())
    assert recipe.read_text() == "recipe"


@pytest.mark.parametrize(
    "text",
    [
        '{"mine": 1}',
        '{"low": 1, "high": 2}',
        RECIPE.to_json(),
        '{"layers": {}}',
        '{"layers": {"a": 1}}',
        '["image", "low", "high", "unit"]',
        "no JSON",
    ],
)
def test_a_file_with_the_name_of_the_range_stays(tmp_path, text):
    path, beside = tmp_path / "a.png", tmp_path / "a.png.json"
    beside.write_text(text)
    write_image(path, streamed(image="color"), Bake(image="color"))
    before = path.read_bytes()
    with pytest.raises(ValueError, match="a.png.json is in the way of the range of the image"):
        write_image(path, streamed(), Bake())
    assert (beside.read_text(), path.read_bytes()) == (text, before)
    assert len(list(tmp_path.iterdir())) == 2


def test_a_file_that_comes_while_an_image_is_written_stays(tmp_path):
    path, beside = tmp_path / "a.png", tmp_path / "a.png.json"
    pending = files.begin_file(path, [files.ImageLayer(streamed(), Bake())])
    beside.write_text("mine")
    with pytest.raises(ValueError, match="is in the way"):
        pending.keep()
    pending.pending.discard()
    assert [one.name for one in tmp_path.iterdir()] == ["a.png.json"]
    assert beside.read_text() == "mine"


@pytest.mark.parametrize("room", [10, 2000, -1])
@pytest.mark.parametrize("suffix", [".png", ".exr", ".npy"])
def test_a_full_disk_leaves_the_older_files(tmp_path, suffix, room):
    path = tmp_path / f"a{suffix}"
    write_image(path, streamed(), Bake())
    before = {one: one.read_bytes() for one in tmp_path.iterdir()}
    assert len(before) == 2
    with (
        full_disk(room % len(before[path])),
        pytest.raises(OSError, match=f"^{path} could not be written: "),
    ):
        write_image(path, streamed(), Bake())
    assert {one: one.read_bytes() for one in tmp_path.iterdir()} == before


def test_a_canceled_or_dropped_file_leaves_nothing(tmp_path):
    path, asked = tmp_path / "a.exr", Bake()
    shares = []
    pending = files.begin_file(path, [files.ImageLayer(streamed(), asked)], progress=shares.append)
    assert shares == sorted(shares) and shares[-1] == 1 and len(shares) > 2
    assert [one.suffix for one in tmp_path.iterdir()] == [".part"]
    del pending
    assert not list(tmp_path.iterdir())
    with pytest.raises(Cancelled):
        files.begin_file(path, [files.ImageLayer(streamed(), asked)], cancelled=lambda: True)
    assert not list(tmp_path.iterdir())
    kept = PendingFile(path, lambda file: None)
    kept.keep()
    kept.discard()
    assert path.exists()


def test_a_file_that_the_disk_cuts_off_never_replaces_an_older_one(tmp_path, monkeypatch):
    path = tmp_path / "a.exr"
    path.write_bytes(b"older")
    monkeypatch.setattr(pending_file, "sync", lambda beside: os.truncate(beside, 5))

    def write(file):
        file.write(b"pixels")

    with pytest.raises(OSError, match=r"a\.exr could not be written: the disk may be full"):
        PendingFile(path, write)
    assert [one.read_bytes() for one in tmp_path.iterdir()] == [b"older"]


def test_what_no_file_holds_is_refused(tmp_path):
    asked = Bake(values="meters")
    with pytest.raises(ValueError, match="choose normalized values"):
        write_image(tmp_path / "a.png", streamed(values="meters"), asked)
    with pytest.raises(ValueError, match="must end in .png, .exr or .npy"):
        write_image(tmp_path / "a.jpg", streamed(), Bake())
    with pytest.raises(OSError, match="no folder"):
        write_image(tmp_path / "no folder" / "a.png", streamed(), Bake())


def test_memory_beside_the_heights_is_small(tmp_path, monkeypatch):
    monkeypatch.setattr(kept_terrain, "WINDOW", 1 << 14)
    grid = RECIPE.pixel_grid((1024, 768))
    image = streamed(grid=grid, image="color")
    tracemalloc.start()
    write_image(tmp_path / "a.png", image, Bake(image="color"), depth=8)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 1024 * 768 * 4  # the pixels would take 16 bytes each
