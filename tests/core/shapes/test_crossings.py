# SPDX-License-Identifier: GPL-3.0-or-later
"""Where lines cross others, or themselves."""

import itertools

import numpy as np
import pytest
from hypothesis import given, strategies as st

from terrain_addon.core import Lake, Pad, Range, River, Shape
from terrain_addon.core.layers import LAYERS, MASKS
from terrain_addon.core.layers.masks.inside_shape import InsideShapeMask
from terrain_addon.core.shapes import CLOSED, OPEN, crosses_itself, crossings

points = st.lists(
    st.tuples(st.integers(-9, 9), st.integers(-9, 9)), min_size=2, max_size=5, unique=True
)


@given(points, points)
def test_lines_cross_where_exact_numbers_say(one, two):
    expected = []
    for p, q in itertools.pairwise(one):
        for a, b in itertools.pairwise(two):
            r, s = (q[0] - p[0], q[1] - p[1]), (b[0] - a[0], b[1] - a[1])
            turn = r[0] * s[1] - r[1] * s[0]
            if not turn:
                continue
            t = (a[0] - p[0]) * s[1] - (a[1] - p[1]) * s[0]
            u = (a[0] - p[0]) * r[1] - (a[1] - p[1]) * r[0]
            if turn < 0:
                turn, t, u = -turn, -t, -u
            if 0 <= t < turn and 0 <= u < turn:
                expected.append((p[0] + t / turn * r[0], p[1] + t / turn * r[1]))
    at = crossings(np.array(one, float), np.array(two, float)).points
    np.testing.assert_allclose(at, np.array(expected).reshape(-1, 2), atol=1e-12)


EIGHT = [(-200, -100), (200, 100), (200, -100), (-200, 100)]


@pytest.mark.parametrize("kind", [OPEN, CLOSED])
def test_a_figure_eight_crosses_itself_and_a_square_does_not(kind):
    square = [(-200, -100), (200, -100), (200, 100), (-200, 100)]
    assert crosses_itself(Shape.of("Eight", [EIGHT], kind))
    assert not crosses_itself(Shape.of("Square", [square], kind))
    assert not crosses_itself(Shape.of("Ring", [[*square, square[0]]], kind))
    assert not crosses_itself(Shape.of("Two", [EIGHT[:2], EIGHT[2:]], kind)), "of two lines"


@given(points)
def test_only_segments_that_are_no_neighbors_count(line):
    """Against every pair of segments, also those that only touch, at whole coordinates."""
    pairs = itertools.combinations(itertools.pairwise(line), 2)
    apart = [(a, b) for a, b in pairs if a[1] != b[0]]
    hits = [len(crossings(np.array(a, float), np.array(b, float)).points) > 0 for a, b in apart]
    assert crosses_itself(Shape.of("Line", [line])) == any(hits)


@pytest.mark.parametrize(
    ("line", "kind", "said"),
    [
        ([(-200, 0), (0, 50), (200, 0)], OPEN, ""),
        (EIGHT, OPEN, "crosses itself"),
        ([(-200, 0), (0, 50), (200, 0)], CLOSED, "closed"),
        ([(0, 0)], OPEN, "two points"),
        ([(0, 0), (0, 0)], OPEN, "two points"),
        ([(900, 0), (700, 50)], OPEN, "beyond the border"),
        ([(0, -900), (0, -700)], OPEN, "beyond the border"),
    ],
)
def test_a_river_says_what_is_wrong_with_its_line(line, kind, said):
    fault = River().fault_in(Shape.of("Line", [line], kind), 1000.0, 800.0)
    assert said in fault and bool(said) == bool(fault)


def test_every_kind_says_that_its_curve_is_empty_or_far_away():
    for kind in (*LAYERS.values(), *MASKS.values()):
        assert "no points" in kind().fault_in(Shape.empty("Line"), 1000.0, 800.0)
        far = Shape.of("Line", [[(600, 0), (700, 9), (700, 90)]])
        assert "border" in kind().fault_in(far, 1000.0, 800.0)


def test_areas_say_that_their_outline_crosses_itself():
    eight = Shape.of("Eight", [EIGHT], CLOSED)
    for kind in (Lake, Pad, InsideShapeMask):
        assert "crosses itself" in kind().fault_in(eight, 1000.0, 800.0)
    assert not Range().fault_in(eight, 1000.0, 800.0)
