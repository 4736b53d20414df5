# SPDX-License-Identifier: GPL-3.0-or-later
"""Handles: where they are, what moving them does, and that they lie on what they stand for."""

import dataclasses
import math

import numpy as np
import pytest

from terrain_addon.core import Layer, Recipe, Shape, evaluate
from terrain_addon.core.layers import LAYERS
from terrain_addon.core.shapes import CLOSED, FRAME, OPEN

SIZE = 1000.0
PATH = Shape.of("Path", [[(-300, -100), (0, -100), (200, 100), (300, 100)]], OPEN)
YARD = Shape.of("Yard", [[(-40, -30), (60, -30), (60, 30), (-40, 30)]], CLOSED)
SPOT = Shape.of("Spot", [[(50, 60, 0), (50, 62, 0), (48, 60, 0), (50, 60, 1)]], FRAME)
SHAPES = {shape.name: shape for shape in (PATH, YARD, SPOT)}
KINDS = {
    "range": {"source": "Path", "left": 120.0, "right": 90.0},
    "falloff": {"center_x": 30.0, "center_y": -20.0, "margin": 0.2},
    "stamp": {"places": "Spot"},
    "volcano": {"center_x": 40.0, "radius": 250.0},
    "mesa": {"center_y": 40.0, "radius": 200.0, "rotation": 30.0, "stretch": 1.5},
    "pad": {"source": "Yard"},
    "hills": {"center_x": 12.0},
}


def handles(kind):
    return kind.handles(SIZE, SIZE, SHAPES)


@pytest.mark.parametrize("key", KINDS)
def test_a_handle_that_is_moved_to_a_place_is_there(key):
    kind = LAYERS[key](**KINDS[key])
    every = handles(kind)
    assert every
    for number, handle in enumerate(every):
        assert handle.moved(*handle.place) == pytest.approx(
            {name: getattr(kind, name) for name in handle.moved(*handle.place)}
        )
        if handle.moves:
            continue
        x, y = handle.place
        changed = dataclasses.replace(kind, **handle.moved(0.9 * x - 5, 0.9 * y - 7))
        assert changed != kind
        moved = handles(changed)[number]
        assert moved.moved(*moved.place) == pytest.approx(handle.moved(0.9 * x - 5, 0.9 * y - 7))
        if len(handle.moved(x, y)) == 2:
            assert moved.place == pytest.approx((0.9 * x - 5, 0.9 * y - 7))


@pytest.mark.parametrize("key", [key for key in KINDS if key != "hills"])
def test_handles_say_what_they_are_for_and_without_shapes_there_are_none_to_guess(key):
    kind = LAYERS[key](**KINDS[key])
    assert len({handle.label for handle in handles(kind)}) == len(handles(kind))
    if key in ("range", "pad", "stamp"):
        assert not kind.handles(SIZE, SIZE, {})
        empty = {name: Shape.empty(name) for name in SHAPES}
        assert not kind.handles(SIZE, SIZE, empty)


def heights_at(kind, places, **recipe):
    """The heights of a layer alone at the samples nearest to some places."""
    layers = (Layer.of(kind),)
    made = Recipe(size_x=SIZE, size_y=SIZE, layers=layers, shapes=tuple(SHAPES.values()), **recipe)
    grid = made.grid(1001)
    height = evaluate(made, grid).height
    columns, rows = (
        np.rint((np.array(values) + SIZE / 2) / grid.dx).astype(int)
        for values in zip(*places, strict=True)
    )
    return height[rows, columns]


def test_the_foot_of_a_volcano_and_the_edge_of_a_mesa_are_at_their_handles():
    volcano = LAYERS["volcano"](**KINDS["volcano"])
    foot = volcano.radius
    inside, outside = heights_at(volcano, [(40 + foot - 3, 0), (40 + foot + 3, 0)])
    assert inside > 0 == outside
    mesa = LAYERS["mesa"](**KINDS["mesa"])
    for handle in handles(mesa)[1:]:
        (x, y), (x0, y0) = handle.place, (mesa.center_x, mesa.center_y)
        points = [(x0 + share * (x - x0), y0 + share * (y - y0)) for share in (0.97, 1.1)]
        top, below = heights_at(mesa, points)
        assert top == pytest.approx(mesa.height, rel=1e-3) and below < 0.7 * mesa.height


@pytest.mark.parametrize("shape", ["square", "circle", "rounded_square", "x", "y"])
def test_a_falloff_lowers_by_a_half_at_its_guide_and_fully_at_its_margin(shape):
    kind = LAYERS["falloff"](**KINDS["falloff"], shape=shape, depth=100.0)
    _, shift, margin = handles(kind)
    assert heights_at(kind, [shift.place])[0] == pytest.approx(-50, abs=2)
    assert heights_at(kind, [margin.place])[0] == pytest.approx(-100, abs=0.1)
    lowered = heights_at(kind, shift.guide.tolist())
    assert np.abs(lowered + 50).max() < 4


def test_handles_of_a_range_are_where_its_sides_end():
    kind = LAYERS["range"](**KINDS["range"], roughness=0.0, taper=0.0)
    left, right = handles(kind)
    points = [
        (middle[0] + share * (end[0] - middle[0]), middle[1] + share * (end[1] - middle[1]))
        for middle, end in (left.guide, right.guide)
        for share in (0.0, 0.9, 1.2)
    ]
    crest, inside, outside, _, right_inside, right_outside = heights_at(kind, points)
    assert crest == pytest.approx(kind.height, rel=0.03)
    assert inside > 0 == outside and right_inside > 0 == right_outside
    assert math.dist(*left.guide) == pytest.approx(120)


def test_a_falloff_has_the_same_bits_in_windows_and_without_a_center():
    layers = (Layer.of(LAYERS["falloff"](**KINDS["falloff"])),)
    recipe = Recipe(size_x=SIZE, size_y=SIZE, layers=layers)
    grid = recipe.grid(129)
    whole = evaluate(recipe, grid).height
    part = evaluate(recipe, grid.window(40, 70, 33, 21)).height
    assert np.array_equal(whole[70:91, 40:73], part)
    middle = dataclasses.replace(
        recipe, layers=(Layer.of(LAYERS["falloff"](center_x=0.0, center_y=0.0)),)
    )
    height = evaluate(middle, grid).height
    assert np.array_equal(height, height[::-1]) and np.array_equal(height, height[:, ::-1])
