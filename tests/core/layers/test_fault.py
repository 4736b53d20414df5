# SPDX-License-Identifier: GPL-3.0-or-later
"""Faults along curves."""

import dataclasses

import numpy as np
import pytest
from hypothesis import given, strategies as st

from terrain_addon.core import Fault, Recipe, Shape, evaluate
from terrain_addon.core.shapes import CLOSED
from tests.core.shapes.test_shapes import brute, winding_line

SMOOTH = Fault(source="Line", roughness=0.0)
SIZE = {"size_x": 1000.0, "size_y": 800.0}
X, Y = np.linspace(-500, 500, 101), np.linspace(-400, 400, 81)


def heights(kind, *shapes, resolution=(101, 81)):
    recipe = Recipe(layers=(kind,), shapes=shapes, **SIZE)
    return evaluate(recipe, recipe.grid(resolution)).height


@given(st.floats(5, 90), st.floats(-200, 200), st.floats(50, 900))
def test_a_straight_fault_is_the_formula(angle, throw, reach):
    """Far from its ends, against a plain computation in float64."""
    kind = dataclasses.replace(SMOOTH, angle=angle, throw=throw, reach=reach, taper=0.0)
    found = heights(kind, Shape.of("Line", [[(-3000, 0), (3000, 0)]]))
    away = np.maximum(-Y, 0)
    x = away / max(abs(throw) / np.tan(np.radians(min(angle, 89.9))), 1e-6)
    scarp = np.where(x < 0.5, x, np.where(x < 1.5, 1 - (1.5 - x) ** 2 / 2, 1))
    t = np.clip(away / reach, 0, 1)
    expected = -throw * scarp * (1 - t * t * (3 - 2 * t))
    np.testing.assert_allclose(found, np.tile(expected[:, None], 101), atol=1e-3)


def test_the_drawn_direction_gives_the_side():
    line = Shape.of("Line", [winding_line(30)])
    turned = Shape("Line", line.points[::-1], line.starts, line.kinds)
    one, other = heights(SMOOTH, line), heights(SMOOTH, turned)
    assert one.min() < -50 and other.min() < -50 and one.max() == other.max() == 0
    middle = np.abs(X) < 300
    assert not ((one < -5) & (other < -5))[:, middle].any()
    distances = brute([winding_line(30)], False, X[None], Y[:, None])
    assert not one[distances > SMOOTH.reach + 1].any()


@pytest.mark.slow
def test_the_throw_falls_to_the_ends_without_a_step():
    line = Shape.of("Line", [winding_line(30) * 0.7])
    for kind in (SMOOTH, dataclasses.replace(SMOOTH, angle=30.0, roughness=1.0)):
        found = heights(kind, line, resolution=(1001, 801))
        steepest = np.tan(np.radians(kind.angle))
        for axis in (0, 1):
            assert np.abs(np.diff(found, axis=axis)).max() < 2 * steepest
    ends = heights(SMOOTH, Shape.of("Line", [[(-400, 0), (400, 0)]]))
    assert ends[:, 50].min() < -55 and ends[:, 6].min() > -12
    assert ends[:, 50].min() < ends[:, 25].min() < ends[:, 12].min()


def test_a_ring_lowers_its_inside_or_its_outside():
    ring = [(-200, -150), (200, -150), (200, 150), (-200, 150)]
    sunk = heights(SMOOTH, Shape.of("Line", [ring[::-1]], CLOSED))
    assert sunk[40, 50] < -20 and sunk[40, 90] == 0
    raised = heights(SMOOTH, Shape.of("Line", [ring], CLOSED))
    assert raised[40, 50] == 0 and raised[40, 75] < -20


def test_faults_add_up_and_lines_that_are_none_do_nothing():
    one, two = ([(-450, y), (450, y)] for y in (50, 150))
    both = heights(SMOOTH, Shape.of("Line", [one, two]))
    each = [heights(SMOOTH, Shape.of("Line", [line])) for line in (one, two)]
    np.testing.assert_allclose(both, each[0] + each[1], atol=1e-3)
    for shapes in ((), (Shape.empty("Line"),)):
        assert not heights(SMOOTH, *shapes).any()
    for points in ([(0, 0)], [(0, 0, 0), (0, 0, 90)]):  # no direction: half on either side
        assert np.isfinite(heights(SMOOTH, Shape.of("Line", [points]))).all()
    assert not heights(Fault(), Shape.of("Line", [one])).any()
    assert Fault().note_on("source", 1.0) == "No shape yet: flat" != SMOOTH.note_on("source", 1.0)


def test_a_fault_along_100_000_points_is_that_along_their_line():
    few, many = winding_line(50), np.empty((100_001, 2))
    for axis in (0, 1):
        many[:, axis] = np.interp(np.linspace(0, 50, 100_001), np.arange(51), few[:, axis])
    found = [heights(SMOOTH, Shape.of("Line", [line])) for line in (few, many)]
    assert np.abs(found[1] - found[0]).max() < 2
    assert np.median(np.abs(found[1] - found[0])) == pytest.approx(0, abs=1e-3)
