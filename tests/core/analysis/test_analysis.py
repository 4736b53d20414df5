# SPDX-License-Identifier: GPL-3.0-or-later
import numpy as np
import pytest

from terrain_addon.core.analysis import derivatives
from terrain_addon.core.analysis.derivatives import gradient_rows, slope


def plane(nx, ny, dx, dy, a, b):
    return (a * dx * np.arange(nx) + b * dy * np.arange(ny)[:, None]).astype(np.float32)


@pytest.mark.parametrize(("nx", "ny"), [(2, 2), (5, 3), (70, 150), (1, 9), (9, 1)])
def test_a_plane_has_one_slope(nx, ny):
    height = plane(nx, ny, 2.0, 3.0, 0.6, -0.8)
    expected = np.hypot(0.6 if nx > 1 else 0, 0.8 if ny > 1 else 0)
    np.testing.assert_allclose(slope(height, 2.0, 3.0), np.degrees(np.arctan(expected)), atol=1e-3)


def test_gradients_are_central_differences():
    height = np.random.default_rng(1).random((40, 30), np.float32) * 50
    expected_y, expected_x = np.gradient(height.astype(float), 2.0, 0.5)
    gx, gy = gradient_rows(height, 0.5, 2.0, slice(0, 40))
    np.testing.assert_allclose(gx, expected_x, atol=1e-4)
    np.testing.assert_allclose(gy, expected_y, atol=1e-4)


def test_bands_of_rows_do_not_show(monkeypatch):
    height = np.random.default_rng(2).random((100, 40), np.float32)
    whole = slope(height, 1.0, 1.0)
    monkeypatch.setattr(derivatives, "BAND", 7)
    np.testing.assert_array_equal(slope(height, 1.0, 1.0), whole)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("spacing", [1e-9, 1e-3, 1e7])
@pytest.mark.parametrize("tall", [1e4, 1e7, 1e15])
def test_land_however_steep_gives_numbers_without_a_warning(spacing, tall):
    height = np.random.default_rng(3).random((9, 7), np.float32) * np.float32(tall)
    for field in (
        derivatives.slope,
        derivatives.aspect,
        derivatives.hillshade,
        derivatives.profile_curvature,
        derivatives.plan_curvature,
    ):
        assert np.isfinite(field(height, spacing, spacing)).all(), field.__name__
    assert derivatives.slope(height, spacing, spacing).max() <= 90
