# SPDX-License-Identifier: GPL-3.0-or-later
import numpy as np
import pytest

from terrain_addon.core.layers.blend import BLENDS, blended

BELOW = np.array([[1, 5, -3, 0]], np.float32)
OWN = np.array([[4, 2, -1, 7]], np.float32)
EXPECTED = {
    "replace": OWN,
    "add": [[5, 7, -4, 7]],
    "subtract": [[-3, 3, -2, -7]],
    "multiply": [[4, 10, 3, 0]],
    "min": [[1, 2, -3, 0]],
    "max": [[4, 5, -1, 7]],
    "difference": [[3, 3, 2, 7]],
    "average": [[2.5, 3.5, -2, 3.5]],
}


def test_every_mode_is_known_here():
    assert set(EXPECTED) == set(BLENDS)


@pytest.mark.parametrize("mode", BLENDS)
def test_modes(mode):
    np.testing.assert_array_equal(blended(BELOW, OWN, mode, 1.0, None), EXPECTED[mode])


@pytest.mark.parametrize("mode", BLENDS)
def test_amount_and_mask_mix_with_the_terrain_below(mode):
    full = np.asarray(EXPECTED[mode], np.float32)
    weight = np.array([[0, 1, 0.5, 0.25]], np.float32)
    np.testing.assert_allclose(
        blended(BELOW, OWN, mode, 0.25, None), BELOW + 0.25 * (full - BELOW), rtol=1e-6
    )
    got = blended(BELOW, OWN, mode, 0.5, weight)
    np.testing.assert_allclose(got, BELOW + 0.5 * weight * (full - BELOW), rtol=1e-6)
    assert got.dtype == np.float32
    assert got[0, 0] == BELOW[0, 0]


@pytest.mark.parametrize("mode", BLENDS)
def test_inputs_are_left_alone(mode):
    below, own = BELOW.copy(), OWN.copy()
    blended(below, own, mode, 0.3, np.full_like(below, 0.5))
    np.testing.assert_array_equal(below, BELOW)
    np.testing.assert_array_equal(own, OWN)
