# SPDX-License-Identifier: GPL-3.0-or-later
import numpy as np
import pytest

from terrain_addon.core.erosion import random_fields


def test_chance_is_even_and_smooth_chance_is_smooth():
    field = random_fields.uniform((300, 300), 7)
    assert abs(field.mean()) < 0.01
    assert field.std() == pytest.approx(3**-0.5, rel=0.01)
    for shift in ((0, 1), (1, 0), (1, 1)):
        assert abs(np.corrcoef(field.ravel(), np.roll(field, shift, (0, 1)).ravel())[0, 1]) < 0.02
    wave = random_fields.smooth((400, 300), 20.0, 7)
    assert wave.std() == pytest.approx(1, rel=0.15)
    assert np.abs(np.diff(wave, axis=0)).max() < 0.6
    assert not np.array_equal(random_fields.uniform((9, 9), 1), random_fields.uniform((9, 9), 2))


def test_chance_goes_by_place_not_by_window():
    rows, columns = np.arange(-4, 5), np.arange(10, 30)
    whole = random_fields.hashed(rows, columns, 3)
    np.testing.assert_array_equal(random_fields.hashed(rows[2:5], columns[7:], 3), whole[2:5, 7:])


def test_factors_go_by_row_not_by_band():
    whole = random_fields.factors(slice(0, 40), 30, 0.6, 3, 5)
    for start, stop in ((0, 7), (7, 8), (8, 40)):
        band = random_fields.factors(slice(start, stop), 30, 0.6, 3, 5)
        for part, field in zip(band, whole, strict=True):
            np.testing.assert_array_equal(part, field[start:stop])
    for field in whole:
        assert 0.4 <= field.min() < 0.42 and 1.58 < field.max() <= 1.6
