# SPDX-License-Identifier: GPL-3.0-or-later
"""Small pictures of terrains: complete, in the right place, and in files that others read."""

import dataclasses
import zlib

import numpy as np
import PIL.Image
import pytest

from terrain_addon.core import Grid, Mesa, Palette, Ramp, Recipe, Region, Water, presets
from terrain_addon.core.output import (
    ProfileLine,
    evaluate_colored,
    overview,
    palette_picture,
    terrain_picture,
    write_png,
)

RED = Palette(regions=(Region(color="#FF0000"),))
MAP, GAP = 164, 8
MOST_BYTES = 34_000
"""Of a picture, on the mean."""


def flat(height=0.0, count=33):
    grid = Grid.points(100.0, 100.0, count, count)
    return grid, np.full(grid.shape, height, np.float32), np.ones((*grid.shape, 4), np.float32)


def test_every_preset_has_a_picture_and_together_they_are_small():
    pictures = [presets.picture_path(name) for name in ("empty", *presets.names())]
    assert sorted(pictures) == sorted(presets.FOLDER.glob("*.png"))
    assert sum(path.stat().st_size for path in pictures) < MOST_BYTES * len(pictures)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["mesa", "island"])
def test_pictures_of_presets_are_those_of_their_recipes(name):
    """Decoded, as another zlib may pack them in another way."""
    kept = np.asarray(PIL.Image.open(presets.picture_path(name))).astype(int)
    new = terrain_picture(presets.load(name)).astype(int)
    assert kept.shape == new.shape
    assert np.abs(kept - new).mean() < 0.5


def read_png(path):
    """Decode an 8-bit RGBA file whose rows are filtered by the average, as the format says."""
    data, chunks, at = path.read_bytes(), {}, 8
    while at < len(data):
        size = int.from_bytes(data[at : at + 4])
        kind, body = data[at + 4 : at + 8], data[at + 8 : at + 8 + size]
        assert int.from_bytes(data[at + 8 + size : at + 12 + size]) == zlib.crc32(kind + body)
        chunks[kind], at = body, at + 12 + size
    width, height = (int.from_bytes(chunks[b"IHDR"][n : n + 4]) for n in (0, 4))
    rows = np.frombuffer(zlib.decompress(chunks[b"IDAT"]), np.uint8).reshape(height, -1)
    assert (rows[:, 0] == 3).all()
    out = np.zeros((height + 1, width + 1, 4), np.uint16)
    for j, row in enumerate(rows[:, 1:].reshape(height, width, 4), start=1):
        for i, pixel in enumerate(row, start=1):
            out[j, i] = (pixel + (out[j, i - 1] + out[j - 1, i]) // 2) % 256
    return out[1:, 1:].astype(np.uint8)


def test_a_png_holds_the_pixels(tmp_path):
    image = np.random.default_rng(1).integers(0, 256, (5, 7, 4)).astype(np.uint8)
    write_png(tmp_path / "a.png", image)
    np.testing.assert_array_equal(read_png(tmp_path / "a.png"), image)
    with pytest.raises(OSError, match="cannot be written"):
        write_png(tmp_path / "none" / "a.png", image)


def test_a_block_stands_in_the_middle_on_nothing():
    image = terrain_picture(Recipe(layers=[Ramp()], palette=RED), side=64)
    assert image.shape == (64, 64, 4)
    seen = image[..., 3] > 0
    assert not seen[:3].any() and not seen[-3:].any() and seen[32].sum() > 45
    assert abs(int(seen.sum(1).nonzero()[0].sum()) / seen.any(1).sum() - 31.5) < 2
    middle = image[32, 32].astype(int)
    assert middle[0] > 90 and middle[1:3].max() < 10, "the ground has the colors of its palette"


def test_what_is_high_hides_what_is_behind():
    """A table mountain in front of a plain: its top is seen higher up than the plain beside it."""
    palette = Palette(regions=(Region(), Region(start=0.5, color="#FF0000")))
    recipe = Recipe(layers=[Mesa(height=300.0, radius=200.0)], palette=palette)
    image = terrain_picture(recipe, side=96).astype(int)
    red = image[..., 0] > 2 * image[..., 1] + 30
    assert 200 < red.sum() < 3000
    rows, columns = red.nonzero()
    assert abs(columns.mean() - 47.5) < 2
    assert rows.mean() < 47


@pytest.mark.parametrize("size", [(1000.0, 250.0), (250.0, 1000.0)])
def test_blocks_of_any_proportions_are_whole(size):
    recipe = Recipe(size_x=size[0], size_y=size[1], layers=[Ramp()], palette=RED)
    seen = terrain_picture(recipe, side=64)[..., 3] > 0
    columns = seen.any(0).nonzero()[0]
    width = columns[-1] - columns[0] + 1
    assert (width > 58) if size[0] > size[1] else (12 < width < 22)
    assert not seen[0].any() and not seen[-1].any()


def test_a_sea_hides_what_is_deep():
    recipe = Recipe(layers=[Ramp(height=100.0)], palette=RED)
    dry = terrain_picture(recipe, side=48).astype(int)
    sea = Water(show=True, level=50.0)
    wet = terrain_picture(dataclasses.replace(recipe, water=sea), side=48).astype(int)
    assert (dry[..., 2] > dry[..., 0] + 20).sum() == 0
    assert (wet[..., 2] > wet[..., 0] + 20).sum() > 100


def test_flat_ground_has_pictures():
    assert terrain_picture(Recipe(), side=32)[16, 16, 3] == 255
    image = overview(*flat(), ProfileLine())
    assert np.isfinite(image).all()


def test_the_overview_has_the_relief_the_bars_and_the_profile():
    grid, height, colors = flat(count=321)
    height[:] = grid.x  # rises to the east
    colors[..., 1:3] = 0
    image = overview(grid, height, colors, ProfileLine("x", 0.25))
    assert image.shape == (256, 256, 4) and image.dtype == np.float32
    profile = image[: 256 - MAP - GAP]
    tops = (profile[..., 3] > 0.9).sum(0)
    assert tops[0] < 3 and tops[-1] > 70 and (np.diff(tops) >= 0).all()
    bars = image[-MAP:, MAP + GAP :]
    lengths = (bars[..., 3] > 0.9).sum(1)
    assert lengths[:150].min() > 70, "all heights are equally frequent"
    assert lengths[-8:].max() == 0, "no bar above the highest point"
    relief = image[-MAP:, :MAP]
    line = np.abs(relief[..., :3] - (1.0, 0.42, 0.1)).max(-1) < 1e-6
    assert line[round(0.25 * (MAP - 1))].all() and line.sum() == MAP


def test_the_line_along_y_and_the_sea_are_shown():
    grid, height, colors = flat()
    height[:] = grid.y[:, None]
    image = overview(grid, height, colors, ProfileLine("y", 0.5), water=0.0)
    tops = (image[: 256 - MAP - GAP, :, 3] > 0.9).sum(0)
    assert tops[0] < 3 and tops[-1] > 70
    blue = image[: 256 - MAP - GAP, 0]
    assert (blue[5:30, 2] > blue[5:30, 0]).all() and blue[60, 2] == blue[60, 0]
    level = overview(grid, height, colors, ProfileLine("x", 0.5))
    tops = (level[: 256 - MAP - GAP, :, 3] > 0.9).sum(0)
    assert np.ptp(tops) == 0


@pytest.mark.parametrize("shape", [(2, 2), (3, 700), (700, 3), (165, 164)])
def test_grids_of_any_shape_have_an_overview(shape):
    grid = Grid.points(10.0 * shape[1], 10.0 * shape[0], shape[1], shape[0])
    height = np.random.default_rng(1).random(shape, np.float32)
    image = overview(grid, height, np.ones((*shape, 4), np.float32), ProfileLine("y", 1.0), -5.0)
    assert np.isfinite(image).all() and image.min() >= 0 and image.max() <= 1


@pytest.mark.slow
def test_an_overview_does_not_change_what_it_is_made_of():
    recipe = presets.load("mesa")
    terrain, coloring = evaluate_colored(recipe, recipe.grid(65))
    before = terrain.height.copy(), coloring.colors.copy()
    overview(terrain.grid, terrain.height, coloring.colors, ProfileLine())
    np.testing.assert_array_equal(terrain.height, before[0])
    np.testing.assert_array_equal(coloring.colors, before[1])


@pytest.mark.parametrize("name", presets.palette_names())
def test_a_picture_of_a_palette_shows_its_lowest_and_its_highest_color(name):
    palette = dataclasses.replace(presets.load_palette(name), rock_on_slopes=False)
    lowest, *between, highest = palette.by_height
    black = [dataclasses.replace(one, color="#000000") for one in between]
    marked = (
        dataclasses.replace(lowest, color="#00FF00"),
        *black,
        dataclasses.replace(highest, color="#FF0000"),
    )
    seen = palette_picture(dataclasses.replace(palette, regions=marked), 32).astype(int)
    assert seen.shape == (32, 32, 4) and 0.4 < (seen[..., 3] == 255).mean() < 0.9
    assert (seen[..., 0] > seen[..., 1] + 60).any()
    assert (seen[..., 1] > seen[..., 0] + 60).any()


def test_flat_palettes_have_pictures():
    assert palette_picture(RED, 16)[..., 0].max() > 100
    meters = dataclasses.replace(RED, measure="meters")
    assert palette_picture(meters, 16)[..., 0].max() > 100
