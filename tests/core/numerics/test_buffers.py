# SPDX-License-Identifier: GPL-3.0-or-later
import threading

import numpy as np
import pytest

from terrain_addon.core import Cancelled, evaluate, presets
from terrain_addon.core.noise import sample
from terrain_addon.core.numerics.arrays import BUFFER, small_ufunc_buffer


@pytest.fixture(autouse=True)
def usual():
    """NumPy's buffer as the caller has it."""
    before = np.setbufsize(4096)
    yield
    assert np.setbufsize(before) == 4096, "left as it was found"


def test_short_within_and_as_before_afterwards():
    with small_ufunc_buffer():
        assert np.getbufsize() == BUFFER
    assert np.getbufsize() == 4096


def test_what_fails_leaves_it_as_it_was():
    with pytest.raises(ValueError, match="octaves"):
        sample("perlin", 0.0, 0.0, fractal="fbm", octaves=0)
    with pytest.raises(Cancelled):
        evaluate(presets.load("dunes"), presets.load("dunes").grid(9), cancelled=lambda: True)


def test_other_threads_have_their_own():
    found = []
    with small_ufunc_buffer():
        other = threading.Thread(target=lambda: found.append(np.getbufsize()))
        other.start()
        other.join()
    assert found == [8192]


def test_land_is_the_same_whatever_the_caller_has():
    recipe = presets.load("island")
    short = evaluate(recipe, recipe.grid(65)).height
    np.setbufsize(65536)
    long = evaluate(recipe, recipe.grid(65)).height
    np.setbufsize(4096)
    np.testing.assert_array_equal(short, long)
