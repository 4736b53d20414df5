# SPDX-License-Identifier: GPL-3.0-or-later
import numpy as np
import pytest
from hypothesis import given, strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from terrain_addon.core.erosion import smoothing


@given(st.integers(1, 7), st.integers(1, 7), st.integers(-1000, 1000))
def test_constants_stay_constant(rows, columns, value):
    field = np.full((rows, columns), value, np.float32)
    assert_allclose(smoothing.binomial(field), value, rtol=1e-5)
    assert_allclose(smoothing.box(field, 3), value, rtol=1e-5)


@pytest.mark.parametrize("radius", [0, 1, 4, 7, 126, 130])
def test_shares_around_are_means_of_the_mask(radius):
    mask = np.random.default_rng(radius).random((40, 70)) < 0.3
    expected = smoothing.box(mask.astype(np.float32), radius)
    assert_array_equal(smoothing.share_around(mask, radius), expected)


@given(
    rows=st.integers(1, 40),
    columns=st.integers(1, 9),
    passes=st.integers(1, 8),
    radius=st.integers(1, 20),
    seed=st.integers(0, 99),
)
def test_bands_of_rows_show_nowhere(rows, columns, passes, radius, seed):
    random = np.random.default_rng(seed)
    field, weight = random.random((2, rows, columns), np.float32)

    def made():
        return [
            smoothing.binomial(field, passes),
            smoothing.binomial(field, passes, weight),
            smoothing.box(field, radius),
            smoothing.share_around(field < 0.5, radius),
        ]

    def made_in_place():
        blurred, weighted, mean = (field.copy() for _ in range(3))
        smoothing.binomial(blurred, passes, out=blurred)
        smoothing.binomial(weighted, passes, weight, out=weighted)
        return [blurred, weighted, smoothing.box(mean, radius, out=mean)]

    whole = made()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(smoothing, "BAND", columns)
        for one, other in zip(made(), whole, strict=True):
            assert_array_equal(one, other)
        for one, other in zip(made_in_place(), whole[:3], strict=True):
            assert_array_equal(one, other)
