# SPDX-License-Identifier: GPL-3.0-or-later
import numpy as np
import pytest
from hypothesis import given, strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from terrain_addon.core.numerics.resample import (
    SplineAxis,
    area_means,
    bilinear,
    bilinear_exact,
    blend_columns,
    blend_rows,
    doubled,
    halved,
    spline,
    spline_coefficients,
    spline_of,
    transposed,
)


def test_spline_keeps_planes_and_their_slope():
    j, i = np.mgrid[0:12, 0:15].astype(np.float32)
    field = 2 * i - 3 * j + 5
    rows, columns = np.linspace(2, 9, 23), np.linspace(2, 12, 31)
    axes = SplineAxis.at(rows, 12), SplineAxis.at(columns, 15)
    expected = 2 * columns[None, :] - 3 * rows[:, None] + 5
    assert_allclose(spline(field, *axes), expected, atol=1e-4)
    assert_allclose(blend_rows(blend_columns(field, axes[1], slope=True), axes[0]), 2, atol=1e-4)
    assert_allclose(blend_rows(blend_columns(field, axes[1]), axes[0], slope=True), -3, atol=1e-4)


@given(
    st.lists(st.floats(-1, 1), min_size=16, max_size=16), st.integers(-50, 50),
    st.integers(-50, 50),
)  # fmt: skip
def test_splines_follow_cubics_whatever_their_first_sample(factors, first_row, first_column):
    """To the fourth order, so that cubics are met; row 7 is number 7 wherever the field began."""

    def cubic(y, x):
        return np.polynomial.polynomial.polygrid2d(y / 9, x / 9, np.reshape(factors, (4, 4)))

    rows, columns = np.linspace(2.1, 7.8, 17), np.linspace(3.0, 9.5, 11)
    field = cubic(np.arange(12.0), np.arange(14.0)).astype(np.float32)
    axes = (
        SplineAxis.at(rows + first_row, 10, first_row + 1),
        SplineAxis.at(columns + first_column, 12, first_column + 1),
    )
    assert_allclose(spline(spline_coefficients(field), *axes), cubic(rows, columns), atol=2e-5)


@pytest.mark.parametrize(("coarse", "fine"), [(300, 40), (300, 400), (9, 700)])
def test_a_field_seen_strip_by_strip_is_the_same(coarse, fine):
    field = np.random.default_rng(2).random((coarse, 70), np.float32)
    rows = SplineAxis.at(np.linspace(-3, coarse + 2, fine), coarse)
    columns = SplineAxis.at(np.linspace(5, 60, 90), 70)
    whole = blend_rows(blend_columns(field, columns), rows)
    assert_array_equal(spline(field, rows, columns), whole)
    seen = []

    def part(strip):
        seen.append(len(field[strip]))
        return field[strip]

    assert_array_equal(spline_of(part, rows, columns), whole)
    assert sum(seen) < 1.5 * coarse or coarse < 64
    assert max(seen) < 80 or fine < 64


@given(st.integers(1, 7), st.integers(1, 7), st.integers(-1000, 1000))
def test_constants_stay_constant(rows, columns, value):
    field = np.full((rows, columns), value, np.float32)
    off_grid = SplineAxis.at(np.array([-1e9, -1, 0.3, 50, 1e9]), rows)
    assert_allclose(spline(field, off_grid, SplineAxis.at(np.zeros(1), columns)), value, rtol=1e-5)
    assert_allclose(doubled(field), value, rtol=1e-5)
    assert_allclose(
        bilinear(
            field, np.array([[-3, 0.5, 99]], np.float32), np.array([[7, 0.1, -2]], np.float32)
        ),
        value,
        rtol=1e-5,
    )
    edges = np.linspace(-20, 20, 9)
    assert_allclose(area_means(field, edges, edges), value, rtol=1e-5)


def test_bilinear_is_linear_between_samples():
    field = np.random.default_rng(1).random((5, 4), dtype=np.float32)
    rows, columns = np.array([0, 1.25, 3.75, 9]), np.array([-2, 0.5, 2.25, 1])
    exact = bilinear_exact(field, rows, columns)
    tops = field[1, :2].mean(), field[2, :2].mean()
    assert_allclose(exact[:2], [field[0, 0], 0.75 * tops[0] + 0.25 * tops[1]], rtol=1e-6)
    assert exact[3] == field[4, 1]
    fast = bilinear(field, rows.astype(np.float32), columns.astype(np.float32))
    assert_allclose(fast, exact, rtol=1e-6)


def test_area_means_are_means():
    field = np.random.default_rng(1).random((12, 18), dtype=np.float32)
    means = area_means(field, np.arange(0, 13, 3.0), np.arange(0, 19, 2.0))
    assert_allclose(means, field.reshape(4, 3, 9, 2).mean((1, 3)), rtol=1e-5)
    assert_allclose(halved(field), field.reshape(6, 2, 9, 2).mean((1, 3)), rtol=1e-5)
    halves = area_means(field, np.array([0.5, 1.5]), np.array([0.0, 1.0]))
    assert_allclose(halves[0, 0], (field[0, 0] + field[1, 0]) / 2, rtol=1e-5)


def test_beyond_the_border_the_field_is_mirrored():
    field = np.arange(5, dtype=np.float32)[:, None]
    means = area_means(field, np.arange(-7, 13.0), np.array([0.0, 1.0]))
    assert_allclose(means[:, 0], [3, 4, 4, 3, 2, 1, 0, 0, 1, 2, 3, 4, 4, 3, 2, 1, 0, 0, 1])


@pytest.mark.parametrize("shape", [(1, 1), (130, 3), (70, 200)])
def test_transposed_and_cut_axes(shape):
    field = np.random.default_rng(1).random(shape, np.float32)
    assert_array_equal(transposed(field), field.T)
    positions = np.linspace(-4, shape[1] + 3, 57)
    for part in (slice(0, 9), slice(20, 30), slice(0, 57), slice(50, 57)):
        axis = SplineAxis.at(positions[part], shape[1])
        for reach in (0, 2):
            within, seen = axis.cut(reach)
            cut = blend_columns(field[:, seen], within)
            assert_array_equal(cut, blend_columns(field, axis))
