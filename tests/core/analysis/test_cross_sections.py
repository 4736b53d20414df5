# SPDX-License-Identifier: GPL-3.0-or-later
"""The exponent of the cross section of valleys."""

import math

import numpy as np
import pytest

from terrain_addon.core.analysis import cross_section_exponent


@pytest.mark.parametrize("exponent", [1.0, 1.4, 2.5])
@pytest.mark.parametrize("turned", [False, True])
def test_a_valley_has_the_exponent_that_it_was_made_with(exponent, turned):
    y, x = np.mgrid[0:120, 0:120]
    apart = 0.5 * np.maximum(y - 60, 0)  # two streams meet
    beside = np.abs(np.abs(x - 60.0) - apart)
    height = (0.5 * y + beside**exponent).astype(np.float32)
    where = y < 50
    height, where = (height.T.copy(), where.T.copy()) if turned else (height, where)
    assert cross_section_exponent(height, 30.0, where) == pytest.approx(exponent, abs=0.05)


def test_terrain_without_valleys_has_none():
    y, x = np.mgrid[0:60, 0:60]
    plane = (x + 0.1 * y).astype(np.float32)
    assert math.isnan(cross_section_exponent(plane, 10.0))
    assert math.isnan(cross_section_exponent(plane, 10.0, np.zeros(plane.shape, bool)))
