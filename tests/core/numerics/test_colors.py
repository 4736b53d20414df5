# SPDX-License-Identifier: GPL-3.0-or-later
import numpy as np
import pytest
from hypothesis import given

from terrain_addon.core.numerics import srgb as colors
from tests.core.strategies import COLORS


@given(COLORS)
def test_hex_codes_are_srgb_and_become_linear(code):
    assert colors.hex_code(colors.channels(code)) == code
    rgba = colors.linear(code)
    assert rgba.dtype == np.float32 and rgba[3] == 1
    light = colors.encoded(rgba)
    assert light.dtype == np.float32
    assert colors.hex_code(light[:3].tolist()) == code


def test_the_curve_is_that_of_the_standard():
    assert colors.linear("#808080")[0] == pytest.approx(0.21586, abs=1e-5)
    assert colors.linear("#0A0A0A")[0] == pytest.approx(10 / 255 / 12.92)
