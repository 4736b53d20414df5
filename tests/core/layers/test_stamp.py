# SPDX-License-Identifier: GPL-3.0-or-later
"""Stamps: maps at the places of empties."""

import dataclasses
import math

import numpy as np
import pytest
from hypothesis import given, strategies as st

from terrain_addon.core import Map, Ramp, Recipe, Shape, Stamp, evaluate
from terrain_addon.core.recipe import rescale
from terrain_addon.core.shapes import FRAME, OPEN, nearest, winding

U = np.linspace(-0.5, 0.5, 65)
BUMP = np.exp(-((U[None] - 0.1) ** 2 + 2 * U[:, None] ** 2) / 0.05)
HILL = Map("Hill", BUMP.astype(np.float32))
STAMP = Stamp(source="Hill", places="Spots", size=200.0, height=80.0)
SIZE = {"size_x": 1000.0, "size_y": 800.0}


def frames(*places):
    """A shape of empties: x, y, z, turn in degrees, and the scales along their axes."""
    points = []
    for x, y, z, turn, sx, sy, sz in places:
        c, s = math.cos(math.radians(turn)), math.sin(math.radians(turn))
        axes = [(0, 0, 0), (sx * c, sx * s, 0), (-sy * s, sy * c, 0), (0, 0, sz)]
        points += [(x + a, y + b, z + d, 1) for a, b, d in axes]
    count = len(places)
    return Shape("Spots", np.array(points), 4 * np.arange(count), np.full(count, FRAME, np.uint8))


def heights(kind, *shapes, resolution=(201, 161), layers=()):
    recipe = Recipe(layers=(*layers, kind), shapes=shapes, maps=(HILL,), **SIZE)
    return evaluate(recipe, recipe.grid(resolution)).height


def brute(kind, place):
    """One stamp on flat ground in float64: its shape and its weight."""
    x, y = np.meshgrid(np.linspace(-500, 500, 201), np.linspace(-400, 400, 161))
    px, py, _, turn, sx, sy, sz = place
    c, s = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    u = (c * (x - px) + s * (y - py)) / (kind.size * sx)
    v = (c * (y - py) - s * (x - px)) / (kind.size * sy)
    rise = kind.height * sz * np.exp(-((u - 0.1) ** 2 + 2 * v * v) / 0.05)
    t = [np.clip((1 - 2 * np.abs(one)) / kind.falloff, 0, 1) for one in (u, v)]
    fade = [one * one * (3 - 2 * one) for one in t]
    return rise, fade[0] * fade[1]


SCALE = st.one_of(st.floats(0.6, 3), st.floats(-3, -0.6))


@given(st.floats(-500, 500), st.floats(-400, 400), st.floats(-360, 360), SCALE, SCALE, SCALE)
def test_a_stamp_lies_as_its_empty_does(x, y, turn, sx, sy, sz):
    place = (x, y, 50.0, turn, sx, sy, sz)
    rise, weight = brute(STAMP, place)
    np.testing.assert_allclose(heights(STAMP, frames(place)), weight * rise, atol=2.0 * abs(sz))


@pytest.mark.parametrize("mode", ["add", "max", "min", "replace"])
def test_modes(mode):
    place = (100.0, -50.0, 30.0, 25.0, 1.5, 1.0, 2.0)
    ground = Ramp(height=120.0)
    below = heights(ground)
    kind = dataclasses.replace(STAMP, mode=mode)
    rise, weight = brute(kind, place)
    own = {
        "add": below + rise,
        "max": np.maximum(below, 30 + rise),
        "min": np.minimum(below, 30 + rise),
        "replace": 30 + rise,
    }[mode]
    found = heights(kind, frames(place), layers=(ground,))
    np.testing.assert_allclose(found, below + weight * (own - below), atol=1.5)


def test_many_stamps_add_up_and_points_of_lines_are_places():
    each = [
        (x, y, 0, 30.0 * n, 1, 1, 1) for n, (x, y) in enumerate([(-200, 0), (-120, 60), (300, 9)])
    ]
    every = heights(STAMP, frames(*each))
    single = sum(heights(STAMP, frames(one)) for one in each)
    np.testing.assert_allclose(every, single, atol=1e-3)
    line = Shape.of("Spots", [[(-100, 20, 9, 2), (150, 30, 9, 1)]])
    likewise = frames((-100, 20, 9, 0, 2, 2, 2), (150, 30, 9, 0, 1, 1, 1))
    np.testing.assert_allclose(heights(STAMP, line), heights(STAMP, likewise), atol=1e-4)


def test_resolutions_and_windows_agree():
    shape = frames((-80, 30, 0, 33.0, 2, 1, 1), (200, -100, 0, 0, 1, 1.5, 1))
    recipe = Recipe(layers=(STAMP,), shapes=(shape,), maps=(HILL,), **SIZE)
    fine, coarse = (evaluate(recipe, recipe.grid(n)).height for n in ((401, 321), (201, 161)))
    np.testing.assert_allclose(fine[::2, ::2], coarse, atol=0.5)
    part = evaluate(recipe, recipe.grid((401, 321)).window(120, 90, 77, 101)).height
    np.testing.assert_array_equal(part, fine[90:191, 120:197])


def test_without_a_map_or_places_the_terrain_stays():
    for kind in (Stamp(), Stamp(places="Spots"), STAMP):
        assert not heights(kind, Shape.empty("Spots")).any()
    assert not heights(STAMP).any()
    assert not heights(STAMP, frames((0, 0, 0, 0, 0, 1, 1), (0, 0, 0, 0, 1, 0, 1))).any()
    assert (
        heights(dataclasses.replace(STAMP, falloff=0.0), frames((0, 0, 0, 0, 1, 1, 1))).max() > 79
    )
    with pytest.raises(ValueError, match="There is no map named 'Gone'"):
        heights(Stamp(source="Gone", places="Spots"), frames((0, 0, 0, 0, 1, 1, 1)))
    assert Stamp().note_on("places", 1.0) == "No places yet: no stamps"


def test_a_larger_terrain_has_larger_stamps():
    recipe = Recipe(
        layers=(STAMP,), shapes=(frames((50, 20, 0, 33.0, 2, 1, 1)),), maps=(HILL,), **SIZE
    )
    large = rescale(recipe, 2.0)
    a, b = (evaluate(one, one.grid((101, 81))).height for one in (recipe, large))
    np.testing.assert_allclose(b, 2 * a, atol=1e-2)


def test_a_frame_is_a_point_for_lines_and_has_no_area():
    shape = frames((30, 40, 5, 45.0, 2, 2, 2))
    assert len(shape.lines) == 1 and shape.line_points[:, :3].tolist() == [[30, 40, 5]]
    assert not len(shape.areas) and not len(shape.borders)
    again = Shape.from_dict("Spots", shape.to_dict(), "shape")
    assert again.kinds.tolist() == [FRAME] and again.digest == shape.digest
    with pytest.raises(ValueError, match="a place and three axes in each frame"):
        Shape("Spots", shape.points[:3], shape.starts, shape.kinds)
    grid = Recipe(**SIZE).grid(9)
    assert nearest(shape.lines, grid, 2000.0).distance.min() < 200
    assert not winding(shape.areas, grid).any()
    mixed = Shape(
        "Spots",
        np.concatenate([shape.points, shape.points[:1]]),
        np.array([0, 4]),
        np.array([FRAME, OPEN], np.uint8),
    )
    assert len(mixed.places()) == 2 and len(mixed.lines) == 2
