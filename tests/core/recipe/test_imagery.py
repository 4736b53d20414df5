# SPDX-License-Identifier: GPL-3.0-or-later
"""An image as a source of colors: the same in meshes, bakes, exports, tiles and worlds."""

import dataclasses
from typing import Any, cast

import numpy as np
import pytest

from terrain_addon.core import Grid, Imagery, Recipe, Region, bake, presets
from terrain_addon.core.numerics.srgb import decoded
from terrain_addon.core.output.coloring import evaluate_colored
from terrain_addon.core.output.images.settings import Bake
from terrain_addon.core.output.window_colors import colored_window
from terrain_addon.core.worlds import plan

SIZE = 400.0, 300.0


def ramp(columns=80, rows=60, alpha=255):
    """Red tells the column, green the row, both linear in bytes."""
    pixels = np.full((rows, columns, 4), alpha, np.uint8)
    pixels[..., 0] = np.arange(columns) * 3
    pixels[..., 1] = np.arange(rows)[:, None] * 4
    return Imagery("Aerial", pixels)


def recipe(imagery=None, **palette):
    plain = presets.load("dunes")
    palette = dataclasses.replace(plain.palette, image="Aerial", **palette)
    size = dict(zip(("size_x", "size_y"), SIZE, strict=True))
    return dataclasses.replace(plain, palette=palette, imagery=imagery or ramp(), **size)


def test_points_have_the_colors_of_their_pixels():
    imagery = ramp()
    grid = Grid.pixels(*SIZE, 80, 60)
    cover = imagery.cover(grid, *SIZE)
    assert np.array_equal(cover[..., 3], np.ones((60, 80), np.float32))
    assert np.allclose(cover[..., :3], decoded(imagery.pixels[..., :3] / 255), atol=1e-6)


def test_windows_have_the_bits_of_the_whole():
    for counts in ((33, 25), (161, 121)):
        grid = Grid.points(*SIZE, *counts)
        whole = ramp(alpha=100).cover(grid, *SIZE)
        part = ramp(alpha=100).cover(grid.window(7, 5, 19, 17), *SIZE)
        assert np.array_equal(part, whole[5:22, 7:26])


def test_pixels_are_averaged_for_coarse_grids():
    checks = np.zeros((90, 120, 4), np.uint8)
    checks[..., 3] = 255
    checks[::2, ::2, :3] = checks[1::2, 1::2, :3] = 255
    cover = Imagery("Aerial", checks).cover(Grid.pixels(*SIZE, 30, 22), *SIZE)
    assert cover[..., 0].mean() == pytest.approx(0.5, abs=1e-3)
    assert np.abs(cover[..., 0] - 0.5).max() < 0.1


def test_transparent_pixels_show_what_is_below():
    by_field = Region(name="Wet", color="#0000FF", based_on="slope", low=-1.0, high=-0.5)
    below = recipe().palette.regions[:31]
    half = ramp(alpha=0)
    half.pixels[:, 40:, 3] = 255
    under = recipe(half, regions=(*below, by_field))
    grid = under.grid(41)
    colors = evaluate_colored(under, grid)[1].colors
    plain = dataclasses.replace(under.palette, image="")
    without = evaluate_colored(dataclasses.replace(under, palette=plain), grid)[1].colors
    assert np.array_equal(colors[:, :19], without[:, :19])
    assert np.allclose(colors[:, 22:, 0], half.cover(grid, *SIZE)[:, 22:, 0])


def test_meshes_bakes_and_tiles_agree():
    painted = recipe()
    pixels = painted.pixel_grid(80)
    expected = ramp().cover(pixels, *SIZE)[..., :3]
    assert np.allclose(evaluate_colored(painted, pixels)[1].colors[..., :3], expected, atol=1e-6)
    image = bake(painted, pixels, Bake(image="color")).pixels
    assert np.allclose(image[..., :3], expected, atol=1e-6)
    grid = painted.grid(65)
    whole = evaluate_colored(painted, grid)[1].colors
    tile = colored_window(painted, grid.window(32, 0, 33, 33))[1].colors
    assert np.array_equal(tile, whole[:33, 32:65])


def test_a_world_keeps_its_image(tmp_path):
    world = plan(recipe(), tmp_path / "world", spacing=6.0, side=33)
    assert type(world).load(world.folder).recipe.imagery == ramp()
    stored = world.folder / "maps" / "image.npy"
    stored.write_bytes(stored.read_bytes()[:-1] + b"\0")
    with pytest.raises(ValueError, match=r"image\.npy was changed: plan the world again"):
        type(world).load(world.folder)


def test_json_holds_the_name_and_a_missing_image_is_named():
    painted = recipe()
    assert '"image"' not in presets.load("dunes").to_json()
    read = Recipe.from_json(painted.to_json())
    assert read.palette == painted.palette and read.imagery is None
    with pytest.raises(ValueError, match="shows the image 'Aerial', which is not there: choose"):
        evaluate_colored(read, read.grid(9))
    with pytest.raises(ValueError, match="shows the image 'Aerial'"):
        bake(read, read.pixel_grid(9), Bake(image="color"))


def test_pixels_of_another_type_are_refused():
    with pytest.raises(ValueError, match=r"must be uint8 of \(rows, columns, 4\)"):
        Imagery("Aerial", cast(Any, np.zeros((2, 2, 3), np.float32)))
