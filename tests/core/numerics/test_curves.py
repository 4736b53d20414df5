# SPDX-License-Identifier: GPL-3.0-or-later
"""Curves through points: monotone, through their points, the same for each value alone."""

import itertools

import numpy as np
import pytest
from hypothesis import given, strategies as st

from terrain_addon.core.numerics import Curve, curve_points, curve_text

HUNDREDTHS = st.integers(0, 100).map(lambda n: n / 100)
POINTS = st.lists(
    st.tuples(HUNDREDTHS, HUNDREDTHS), min_size=2, max_size=8, unique_by=lambda p: p[0]
)


@pytest.mark.slow
@given(POINTS)
def test_between_two_points_it_stays_between_their_heights(points):
    points = curve_points(curve_text(points))
    curve = Curve.through(points)
    for (x0, y0), (x1, y1) in itertools.pairwise(points):
        heights = curve(np.linspace(x0, x1, 50, dtype=np.float32))
        assert heights.dtype == np.float32
        assert heights[0] == pytest.approx(y0, abs=1e-5)
        assert heights[-1] == pytest.approx(y1, abs=1e-5)
        steps = np.diff(heights) * np.sign(y1 - y0)
        assert steps.min() > -1e-5 and (y0 != y1 or np.ptp(heights) < 1e-5)


@given(POINTS, st.integers(0, 40), st.integers(1, 20))
def test_windows_of_values_have_the_same_bits(points, first, count):
    curve = Curve.through(tuple(sorted(points)))
    values = np.linspace(-0.2, 1.2, 64, dtype=np.float32)
    assert np.array_equal(
        curve(values)[first : first + count], curve(values[first : first + count])
    )


def test_it_is_as_smooth_as_fritsch_and_butland_say():
    """The slope between equal steps is the harmonic mean of theirs."""
    curve = Curve.through(((0.0, 0.0), (0.5, 0.2), (1.0, 1.0)))
    low, middle, high = curve(np.array([0.499, 0.5, 0.501], np.float32)).astype(float)
    harmonic = 2 / (1 / 0.4 + 1 / 1.6)
    assert (middle - low) / 0.001 == pytest.approx(harmonic, rel=0.02)
    assert (high - middle) / 0.001 == pytest.approx(harmonic, rel=0.02)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("0 0", "expected points"),
        ("0 0, 1", "expected points"),
        ("a b, 1 1", "expected points"),
        ("0 0, 0 1", "apart along x"),
        ("0 0, 2 1", "between 0 and 1"),
        ("0 nan, 1 1", "between 0 and 1"),
        (", ".join(f"{n / 40} 0" for n in range(40)), "at most 32"),
    ],
)
def test_text_that_is_no_curve_says_why(text, message):
    with pytest.raises(ValueError, match=message):
        curve_points(text)


def test_no_text_is_no_curve_and_points_are_sorted():
    assert curve_points("  ") == ()
    assert curve_points("1 1, 0 0.5") == ((0.0, 0.5), (1.0, 1.0))
