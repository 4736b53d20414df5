# SPDX-License-Identifier: GPL-3.0-or-later
"""Valleys of one size on terrain of any size: detail, steps, fans, memory."""

import dataclasses

import numpy as np
import pytest

from terrain_addon.core import Erosion, FractalNoise, Layer, Recipe, evaluate, solve
from terrain_addon.core.erosion.rivers import fans
from terrain_addon.core.erosion.rivers.grids import Grids
from terrain_addon.core.erosion.rivers.settings import FluvialSettings
from terrain_addon.core.erosion.rivers.solver import most_fans, steps_of
from terrain_addon.core.evaluation import memory
from terrain_addon.core.layers import LAYERS
from terrain_addon.core.layers.shape.erosion import erosion
from terrain_addon.core.recipe import default_settings_for, extend, rescale


def settings(**changes):
    return FluvialSettings(**{"resolution": "auto", **changes})


@pytest.mark.parametrize(
    ("spacing", "extent", "cells"),
    [
        (0.0, 1000.0, 256),
        (0.0, 64000.0, 256),
        (45.0, 1000.0, 256),
        (500.0, 1000.0, 128),
        (100.0, 10240.0, 1024),
        (100.0, 10250.0, 2048),
        (1e-3, 1000.0, 16384),
    ],
)
def test_automatic_detail_has_ten_to_twenty_cells_across_a_valley(spacing, extent, cells):
    how = settings(valley_spacing=spacing)
    assert how.cells(extent) == cells
    if 128 < cells < 16384:
        assert 10 <= cells / (extent / how.unit(extent)) < 20
    assert str(cells) in how.note_on("resolution", extent)
    assert settings(resolution="512").note_on("resolution", extent) == ""


def bumps(size, count):
    """Even hills, of which wide terrain has more, and the meters between samples."""
    x = np.linspace(0, size / 1000 * 2 * np.pi, count, endpoint=False)
    return (60 * np.sin(x)[:, None] * np.sin(x)).astype(np.float32), size / count


def made(how, size=1000.0):
    return Grids.of(*bumps(size, 2 * how.cells(size)), how)


def steps(how, grids):
    return [steps_of(how, level, grids.extent) for level in grids.levels()]


def test_a_large_terrain_takes_as_many_steps_per_valley_as_a_small_one():
    for kind, ladder in (("uplift", [8, 3, 2]), ("plateau", [25, 10, 5])):
        small = settings(type=kind)
        large = settings(type=kind, valley_spacing=1000.0 / 22)
        assert steps(small, made(small)) == ladder
        assert steps(large, made(large, 4000.0)) == [ladder[0]] * 2 + ladder
    # Fixed grids keep their steps, whatever their valleys.
    for spacing in (0.0, 3.0):
        fixed = settings(resolution="1024", valley_spacing=spacing)
        assert steps(fixed, made(fixed)) == [8, 3, 2, 1, 1]


def test_the_number_of_fans_grows_with_the_area():
    large = settings(valley_spacing=1000.0 / 22)
    assert most_fans(settings(), made(settings())) == fans.MOST_FANS
    assert most_fans(large, made(large, 4000.0)) == 16 * fans.MOST_FANS
    fixed = settings(resolution="512", valley_spacing=10.0)
    assert most_fans(fixed, made(fixed)) == fans.MOST_FANS


def test_fans_are_chosen_as_if_each_was_compared_with_all(monkeypatch):
    rng = np.random.default_rng(3)
    many = [
        fans._Fan(int(j), int(i), 0.0, float(radius), 0.1)
        for j, i, radius in zip(
            rng.integers(0, 400, 500), rng.integers(0, 400, 500), rng.uniform(0.3, 2.5, 500),
            strict=True,
        )
    ]  # fmt: skip
    monkeypatch.setattr(fans, "_fitted", lambda fan, *_: fan)
    flat, spacing = np.zeros((400, 400), np.float32), 0.09
    chosen = fans._chosen(many, flat, flat < 1, spacing, 10**6, None)
    expected = []
    for fan in many:
        if all(
            np.hypot(fan.row - one.row, fan.column - one.column) * spacing
            > fans.APART * max(fan.radius, one.radius)
            for one in expected
        ):
            expected.append(fan)
    assert chosen == expected
    assert len(chosen) > fans.MOST_FANS
    assert fans._chosen(many, flat, flat < 1, spacing, 7, None) == expected[:7]


HILLS = FractalNoise(height=150.0, size=500.0, octaves=3)


def test_automatic_detail_is_medium_where_the_spacing_is_automatic():
    for kind in ("uplift", "plateau"):
        both = [
            Recipe(layers=(HILLS, Erosion(type=kind, resolution=detail, fans=1.0)))
            for detail in ("auto", "256")
        ]
        first, second = (evaluate(recipe, recipe.grid(129)).height for recipe in both)
        np.testing.assert_array_equal(first, second)


def test_new_layers_have_automatic_detail_and_files_without_it_256_cells():
    for size in (100.0, 1000.0, 64000.0):
        new = default_settings_for(LAYERS["erosion"], size, size, (0.0, size / 10))
        assert (new.resolution, new.cells(size)) == ("auto", 256)
    assert Recipe.from_dict({"layers": [{"kind": "erosion"}]}).layers[0].settings.cells(5.0) == 256


@pytest.mark.slow
def test_an_extended_terrain_has_valleys_of_the_same_size():
    small = Recipe(layers=(HILLS, Erosion()), size_y=800.0)
    large = extend(small, 4.0)
    assert (large.size_x, large.size_y) == (4000.0, 3200.0)
    assert large.wide_radius == small.wide_radius == 1000 / 64
    assert large.water.min_catchment_area * 4 == small.water.min_catchment_area
    before, after = (next(iter(solve(one).parts.values())).drainage for one in (small, large))
    assert after.unit == before.unit
    assert after.spacing == before.spacing
    # As steep, and cut as finely by rivers.
    for measured in (
        lambda one: float(np.median(np.hypot(*np.gradient(one.height, one.spacing)))),
        lambda one: float((one.area > 2 * one.unit**2).mean()),
    ):
        assert measured(after) == pytest.approx(measured(before), rel=0.2)
    fine = dataclasses.replace(Erosion(), resolution="4096")
    assert extend(Recipe(layers=(fine,)), 2.0).layers[0].settings.resolution == "4096"


def test_a_solution_that_does_not_fit_into_memory_is_refused_before_it_is_begun(monkeypatch):
    monkeypatch.setattr(memory, "available", lambda: 4 * 10**9)
    recipe = Recipe(layers=(HILLS, Layer.of(Erosion(resolution="16384"), name="Rivers")))
    with pytest.raises(ValueError, match="'Rivers' needs about 17 GB to find its rivers, 4 GB are"):
        solve(recipe)
    assert Erosion(resolution="16384").solving_bytes(2.0, 1.0) < 0.6 * 17e9
    assert HILLS.solving_bytes(1.0, 1.0) == 0


def test_lengths_of_the_recipe_scale_with_it():
    recipe = Recipe(field_radius=20.0, layers=(Erosion(valley_spacing=50.0),))
    twice = rescale(recipe, 2.0)
    assert (twice.field_radius, twice.layers[0].settings.valley_spacing) == (40.0, 100.0)


@pytest.mark.parametrize("size_y", [1000.0, 500.0])
def test_terrain_read_in_strips_is_solved_as_in_one_piece(size_y, monkeypatch):
    recipe = Recipe(size_y=size_y, layers=(HILLS, Erosion(resolution="128")))
    whole = next(iter(solve(recipe).parts.values())).drainage
    monkeypatch.setattr(erosion, "WHOLE_GRID", 0)
    monkeypatch.setattr(erosion, "STRIP", 2**13)
    strips = next(iter(solve(recipe).parts.values())).drainage
    assert strips.spacing == whole.spacing
    # Only rounding differs, which may give a stream another course.
    assert np.quantile(np.abs(strips.height - whole.height), 0.9) < 1e-3
    assert (strips.directions == whole.directions).mean() > 0.99
