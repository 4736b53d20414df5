# SPDX-License-Identifier: GPL-3.0-or-later
import math

import numpy as np
import pytest
from hypothesis import given, strategies as st
from hypothesis.extra import numpy as npst
from numpy.testing import assert_array_equal

from terrain_addon.core.erosion.snow import Snowfall, snow_depth
from terrain_addon.core.erosion.thermal import slide
from terrain_addon.core.numerics.progress import Cancelled

HEIGHTS = npst.arrays(
    np.float32,
    npst.array_shapes(min_dims=2, max_dims=2, min_side=1, max_side=12),
    elements=st.floats(-1000, 1000, width=32),
)


@given(HEIGHTS, st.floats(0, 90), st.integers(0, 4))
def test_mass_is_conserved(height, talus, passes):
    after = slide(height, (2.0, 3.0), talus, passes)
    assert after.sum(dtype=float) == pytest.approx(height.sum(dtype=float), abs=0.02, rel=1e-6)


@given(HEIGHTS, st.floats(0, 90))
def test_no_new_extremes(height, talus):
    after = slide(height, (1.0, 1.0), talus, 3)
    assert after.min() >= height.min() - 1e-3
    assert after.max() <= height.max() + 1e-3


def test_a_block_becomes_a_heap_at_the_talus_angle():
    height = np.zeros((61, 61), np.float32)
    height[28:33, 28:33] = 40
    after = slide(height, (2.0, 2.0), 35.0, 600)
    steepest = max(np.abs(np.diff(after, axis=a)).max() / 2 for a in (0, 1))
    assert steepest == pytest.approx(math.tan(math.radians(35)), rel=0.05)


def test_gentle_land_stays():
    """Also where a row ends far above the one after it begins."""
    height = np.tile(np.arange(20, dtype=np.float32) * np.float32(0.5), (10, 1))
    for one in (height, height[:, ::-1], height.T, height.T[::-1]):
        assert_array_equal(slide(one, (1.0, 1.0), 40.0, 5), one)


@pytest.mark.parametrize(("band", "threads"), [(7, 1), (64, 2), (40, 4), (10_000, 1)])
def test_bands_and_threads_change_nothing(band, threads):
    height = np.random.default_rng(2).random((301, 57), dtype=np.float32) * 30
    expected = slide(height, (1.0, 1.0), 30.0, 4)
    assert_array_equal(slide(height, (1.0, 1.0), 30.0, 4, band=band, threads=threads), expected)


def test_cancelling_stops():
    with pytest.raises(Cancelled):
        slide(np.zeros((9, 9), np.float32), (1.0, 1.0), 30.0, 1, cancelled=lambda: True)


NAN = float("nan")


@pytest.mark.parametrize(
    ("value", "spacing", "talus", "message"),
    [
        (NAN, (1.0, 1.0), 30.0, "has 1 values that are not finite"),
        (math.inf, (1.0, 1.0), 30.0, "has 1 values that are not finite"),
        (0.0, (1.0, NAN), 30.0, "Spacing and talus must be finite"),
        (0.0, (math.inf, 1.0), 30.0, "Spacing and talus must be finite"),
        (0.0, (1.0, 1.0), NAN, "Spacing and talus must be finite"),
    ],
)
def test_what_is_no_number_is_refused(value, spacing, talus, message):
    height = np.zeros((6, 8), np.float32)
    height[2, 3] = value
    for work in (
        lambda: slide(height, spacing, talus, 2),
        lambda: snow_depth(height, spacing, Snowfall(1.0, 0.0, 1.0, talus, 2)),
    ):
        with pytest.raises(ValueError, match=message):
            work()
