# SPDX-License-Identifier: GPL-3.0-or-later
"""Surface classes of colors, and their weights at points."""

import dataclasses

import numpy as np
import pytest
from hypothesis import given, strategies as st

from terrain_addon.core import Heightfield, Palette, Recipe, Region, evaluate, presets
from terrain_addon.core.analysis import FIELDS
from terrain_addon.core.analysis.fields import radius_of, reach
from terrain_addon.core.layers import LAYERS
from terrain_addon.core.numerics.srgb import linear
from terrain_addon.core.output import MaskView, evaluate_colored
from terrain_addon.core.recipe import SURFACES
from tests.core.strategies import palettes

KEYS = list(SURFACES)


@pytest.mark.parametrize(
    ("name", "color", "expected"),
    [
        ("Alpine Meadow", "#FFFFFF", "grass"),
        ("Dune Grass", "#808080", "grass"),
        ("Snow Peaks", "#000000", "snow"),
        ("SANDSTONE", "#C2B280", "rock"),
        ("Beaches", "#808080", "rock"),  # no known word, and gray
        ("Dunes", "#808080", "sand"),
        ("Color 7", "#4C5437", "grass"),
        ("Color 7", "#283123", "wood"),
        ("Color 7", "#E7EAED", "snow"),
        ("Color 7", "#B89775", "sand"),
        ("Color 7", "#6B4631", "soil"),
        ("Color 7", "#0D2B45", "sand"),
        ("", "#000000", "rock"),
    ],
)
def test_the_class_follows_from_the_name_or_the_color(name, color, expected):
    assert Region(name=name, color=color).surface_class == expected
    assert Region(name=name, color=color, surface="ice").surface_class == "ice"


@given(palettes(), st.floats(-1e4, 1e4), st.floats(0, 1e4))
def test_weights_are_shares(palette, low, span):
    height = np.linspace(low, low + span, 50, dtype=np.float32)
    slope = np.linspace(0, 90, 50, dtype=np.float32)
    values = {name: np.linspace(-1, 1, 50, dtype=np.float32) for name in FIELDS}
    weights = palette.surface_weights(height, slope, low, low + span, values)
    assert weights.shape == (50, len(KEYS)) and weights.dtype == np.float32
    assert weights.min() >= -1e-6
    np.testing.assert_allclose(weights.sum(1), 1, atol=1e-5)


@given(palettes(), st.sampled_from([0.0, 0.3, 1.0]))
def test_colors_and_classes_have_the_bits_of_each_alone(palette, blend):
    palette = dataclasses.replace(palette, blend=blend)
    height = np.linspace(-10, 90, 60, dtype=np.float32).reshape(6, 10)
    slope = np.linspace(0, 90, 60, dtype=np.float32).reshape(6, 10)
    fields = {name: np.linspace(-1, 1, 60, dtype=np.float32).reshape(6, 10) for name in FIELDS}
    colors, classes = palette.colors_and_classes(
        height, slope, -10.0, 90.0, fields, palette.cover(fields)
    )
    alone = palette.colors(height, slope, -10.0, 90.0, palette.cover(fields))
    np.testing.assert_array_equal(colors, alone)
    weights = palette.surface_weights(height, slope, -10.0, 90.0, fields)
    np.testing.assert_array_equal(np.concatenate(list(classes), axis=-1), weights)


def test_weights_mix_as_colors_do():
    """Colors of one channel each: the mixed color is the mixture of the classes."""
    regions = [
        Region(name="Sand", color="#FF0000"),
        Region(name="Grass", color="#00FF00", start=0.4),
        Region(name="Snow", color="#0000FF", based_on="valley", low=0.0, high=1.0),
    ]
    palette = Palette(blend=1.0, regions=regions, rock_on_slopes=True, rock_color="#000000")
    height = np.array([0.1, 0.3, 0.5, 0.5], np.float32)
    slope = np.array([0, 0, 0, 42], np.float32)
    values = {"valley": np.array([0, 0, 0.25, 0.5], np.float32)}
    colors = palette.colors(height, slope, 0.0, 1.0, palette.cover(values))
    weights = palette.surface_weights(height, slope, 0.0, 1.0, values)
    order = [KEYS.index(key) for key in ("sand", "grass", "snow")]
    np.testing.assert_allclose(weights[:, order], colors[:, :3], atol=1e-6)
    assert weights[3, KEYS.index("rock")] == pytest.approx(0.25)


def test_mean_colors_are_those_of_the_classes_in_use():
    regions = [Region(name="Red Sand", color="#FF0000"), Region(name="Sand", color="#000000")]
    means = Palette(regions=regions, rock_on_slopes=True).surface_colors
    assert set(means) == {"sand", "rock"}
    np.testing.assert_allclose(means["sand"], [0.5, 0, 0])
    np.testing.assert_allclose(means["rock"], linear("#6B645C")[:3])


def test_colors_of_water_do_not_darken_the_mean_of_sand():
    sea, beach = Region(name="Sea", color="#0D2B45"), Region(name="Beach", color="#AF9F85")
    np.testing.assert_allclose(
        Palette(regions=[sea, beach]).surface_colors["sand"], linear("#AF9F85")[:3]
    )
    np.testing.assert_allclose(Palette(regions=[sea]).surface_colors["sand"], linear("#0D2B45")[:3])


def test_every_preset_has_the_classes_that_its_ground_has():
    """Vegetation only on green colors, and snow only on bright ones."""
    for region in (one for name in presets.names() for one in presets.load(name).palette.regions):
        red, green, blue, _ = linear(region.color)
        if region.surface_class == "snow":
            assert min(red, green, blue) > 0.5
        if region.surface_class == "wood":
            assert green == max(red, green, blue)


def test_the_natural_material_needs_fields_and_weights():
    layers = (LAYERS["fractal_noise"](), LAYERS["erosion"](resolution="128"))
    natural = Recipe(layers=layers)
    simple = dataclasses.replace(natural, material="simple")
    assert simple.fields == ()
    scales = ("convexity_fine", "convexity_medium", "convexity_broad")
    assert natural.fields == (*scales, "flow", "deposition")
    grid = natural.grid(33)
    assert evaluate_colored(simple, grid)[1].surfaces is None
    assert evaluate_colored(natural, grid)[1].surfaces.shape == (2, 33, 33, 4)
    assert evaluate_colored(natural, grid, MaskView("slope"))[1].surfaces is None


@pytest.mark.parametrize("scale", ["fine", "medium", "broad"])
def test_convexity_is_that_of_its_scale(scale):
    """A wave of that width has crests; a plane and a wave twenty times as wide do not."""
    width = 1000.0 / {"fine": 256, "medium": 64, "broad": 16}[scale]
    recipe = Recipe()
    grid = recipe.grid(1025)
    x = np.broadcast_to(grid.x, grid.shape).astype(np.float64)

    def strength(height):
        field = Heightfield(grid, height).fields[f"convexity_{scale}"]
        return float(np.abs(field[64:-64, 64:-64]).max())

    wave = np.cos(2 * np.pi * x / width)
    assert strength(0.1 * width * wave) > 0.5
    assert strength(0.3 * x) < 0.01
    assert strength(0.1 * width * np.cos(2 * np.pi * x / (20 * width))) < 0.1


@pytest.mark.parametrize("scale", ["fine", "medium", "broad"])
def test_convexity_does_not_depend_on_the_resolution(scale):
    """Waves much wider than the scale and the samples."""
    recipe = Recipe()

    def strength(points):
        grid = recipe.grid(points)
        x = np.broadcast_to(grid.x, grid.shape).astype(np.float64)
        wave = (10.0 * np.cos(2 * np.pi * x / 333.0)).astype(np.float32)
        field = Heightfield(grid, wave).fields[f"convexity_{scale}"]
        margin = points // 8
        return float(np.abs(field[margin:-margin, margin:-margin]).max())

    found = [strength(points) for points in (129, 257, 513, 1025)]
    assert max(found) < 1.2 * min(found)


@pytest.mark.slow
def test_windows_of_convexity_have_the_bits_of_the_whole():
    recipe = presets.load("island")
    grid = recipe.grid(129)
    whole = evaluate(recipe, grid)
    radius = radius_of(recipe.size_x, recipe.size_y)
    for name in ("convexity_fine", "convexity_medium", "convexity_broad"):
        halo = reach(name, grid.dx, grid.dy, radius)
        window = grid.window(30, 40, 50, 30)
        wide = window.with_margin(halo, recipe.size_x, recipe.size_y)
        j, i = window.j0 - wide.j0, window.i0 - wide.i0
        part = evaluate(recipe, wide).fields[name]
        expected = whole.fields[name][window.j0 :, window.i0 :][: window.ny, : window.nx]
        np.testing.assert_array_equal(part[j : j + window.ny, i : i + window.nx], expected)
