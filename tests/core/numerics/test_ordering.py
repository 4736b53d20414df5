# SPDX-License-Identifier: GPL-3.0-or-later
import numpy as np
import pytest
from hypothesis import given, strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose, assert_array_equal

from terrain_addon.core.numerics.quantiles import quantiles, sortable

MANY = arrays(
    np.float32,
    st.integers(1, 60),
    elements=st.floats(width=32, allow_nan=False, allow_infinity=False),
)
SHARES = st.lists(st.floats(0, 1), min_size=1, max_size=4)


@given(MANY)
def test_bits_sort_like_the_values(values):
    order = np.argsort(sortable(values), kind="stable")
    assert_array_equal(order, np.argsort(values, kind="stable"))


@given(MANY, SHARES)
def test_quantiles_are_those_of_numpy(values, shares):
    expected = np.quantile(values.astype(np.float64), shares)
    assert_allclose(quantiles(values, shares), expected, rtol=1e-9, atol=1e-9 * np.ptp(expected))


@pytest.mark.parametrize("step", [0.0, 0.5, 40.0], ids=["all different", "some equal", "two"])
def test_quantiles_of_a_large_field(step):
    """Larger than what is looked at at once, with and without values that are equal."""
    field = np.random.default_rng(2).standard_normal((700, 900)).astype(np.float32)
    if step:
        field = np.sign(field) if step > 1 else np.rint(field / step) * np.float32(step)
    shares = (0.005, 0.05, 0.5, 0.95, 1.0)
    expected = np.quantile(field.astype(np.float64), shares)
    assert_allclose(quantiles(field, shares), expected, rtol=1e-12)
