# SPDX-License-Identifier: GPL-3.0-or-later
import numpy as np
import pytest
from hypothesis import given, strategies as st

from terrain_addon.core.numerics.resample import window_sums


@pytest.mark.parametrize("kind", [np.float32, np.uint16])
@given(st.integers(1, 40), st.integers(0, 30))
def test_sums_of_any_width(kind, width, more):
    values = (np.random.default_rng(width).random((width + more, 3)) * 100).astype(kind)
    before = values.copy()
    expected = np.stack([values[k : k + width].sum(axis=0) for k in range(more + 1)])
    found = window_sums(values, width)
    assert found.dtype == kind
    np.testing.assert_allclose(found, expected, rtol=1e-5)
    np.testing.assert_array_equal(values, before)


def test_sums_of_a_part_have_the_bits_of_the_whole():
    values = np.random.default_rng(1).random((90, 4), np.float32)
    whole = window_sums(values, 23)
    np.testing.assert_array_equal(window_sums(values[11:70], 23), whole[11 : 70 - 22])
