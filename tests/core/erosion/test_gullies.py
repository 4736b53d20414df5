# SPDX-License-Identifier: GPL-3.0-or-later
import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from terrain_addon.core.erosion.surface import gullies
from terrain_addon.core.erosion.surface.gullies import Gullies, GullyField

FORM = Gullies(scale=20.0, depth=4.0, octaves=3)


def slopes(x, y):
    """A smooth slope that turns with the place."""
    gx = np.cos(y / 90)[:, None] * np.ones(x.size)[None, :]
    gy = np.sin(x / 70)[None, :] * np.ones(y.size)[:, None]
    return gx.astype(np.float32), gy.astype(np.float32)


def cut(x, y, form=FORM, seed=1, band=16):
    field, (gx, gy) = GullyField(form, x, y, x[1] - x[0], seed), slopes(x, y)
    parts = [slice(k, k + band) for k in range(0, y.size, band)]
    return np.concatenate([field.rows(p, gx[p].copy(), gy[p].copy()) for p in parts])


def test_windows_fit_together():
    x, y = np.arange(200) * 1.5 - 77.0, np.arange(150) * 1.5 + 1e5
    whole = cut(x, y)
    assert_array_equal(cut(x[30:120], y[41:99]), whole[41:99, 30:120])


def test_bands_change_nothing():
    x, y = np.arange(90) * 2.0, np.arange(77) * 2.0
    assert_array_equal(cut(x, y, band=5), cut(x, y, band=77))


def test_flat_land_has_no_gullies():
    x = np.arange(64, dtype=np.float64) * 2.0
    flat = np.zeros((64, 64), np.float32)
    assert_array_equal(GullyField(FORM, x, x, 2.0, 1).rows(slice(0, 64), flat, flat.copy()), 0)


@pytest.mark.parametrize("start", [0.0, 1e-6, 0.15])
def test_columns_without_gullies_are_left_out(start, monkeypatch):
    """With the same bits: slopes around the start, and places where no gullies may be."""
    x, y = np.arange(0.0, 1000.0, 2.0), np.arange(0.0, 32.0, 2.0)
    form = Gullies(scale=20.0, depth=4.0, octaves=3, slope_start=start)
    slope = np.zeros((16, 500), np.float32)
    slope[:, 100:120] = np.nextafter(np.float32(start), np.float32(1))
    slope[:, 300:310] = 0.5
    strength = np.ones_like(slope)
    strength[:, 302:] = 0.0
    computed, blended = [], gullies._blended

    def count(octave, band, waves, scratch):
        computed.append(waves.shape[2])
        return blended(octave, band, waves, scratch)

    monkeypatch.setattr(gullies, "_blended", count)

    def change():
        fields = slope.copy(), np.zeros_like(slope), strength.copy()
        return GullyField(form, x, y, 2.0, 1).rows(slice(0, 16), *fields)

    parts = change()
    assert max(computed) < 500
    monkeypatch.setattr(gullies, "BLOCK", 500)
    assert_array_equal(change(), parts)
    assert max(computed) == 500
    assert parts[:, 300:302].any()


@pytest.mark.parametrize("sharpness", [-1.0, 0.0, 0.7])
@pytest.mark.parametrize("share", [0.0, 0.3, 1.0])
def test_depth_and_place_are_as_asked(sharpness, share):
    x = np.arange(400, dtype=np.float64) * 1.0
    form = Gullies(20.0, 4.0, octaves=1, sharpness=sharpness, raise_share=share)
    gx = np.ones((400, 400), np.float32)
    change = GullyField(form, x, x, 1.0, 3).rows(slice(0, 400), gx, np.zeros_like(gx))
    assert change.max() == pytest.approx(4 * share, abs=0.1)
    assert change.min() == pytest.approx(4 * (share - 1), abs=0.1)


def test_stripes_run_down_the_slope():
    x = np.arange(300, dtype=np.float64) * 1.0
    gx = np.ones((300, 300), np.float32)  # falls along x: stripes vary along y
    change = GullyField(Gullies(20.0, 4.0, 1), x, x, 1.0, 3).rows(
        slice(0, 300), gx, np.zeros_like(gx)
    )
    along, across = np.diff(change, axis=1).std(), np.diff(change, axis=0).std()
    assert across > 3 * along


def test_slope_joins_the_next_octave():
    """The analytic slope of an octave is that of the stripes it made."""
    x = np.arange(200, dtype=np.float64) * 0.5
    gx, gy = np.ones((200, 200), np.float32), np.zeros((200, 200), np.float32)
    field = GullyField(Gullies(40.0, 4.0, 2, gain=0.0), x, x, 0.5, 3)
    change = field.rows(slice(0, 200), gx, gy)  # leaves the slopes for the last octave in gx, gy
    made = np.gradient(change, 0.5, axis=0)
    assert np.corrcoef(made.ravel(), gy.ravel())[0, 1] > 0.95
    assert_allclose(gy.std(), made.std(), rtol=0.15)


def test_octaves_too_fine_for_the_grid_are_left_out():
    x = np.arange(50, dtype=np.float64) * 30.0
    assert_array_equal(cut(x, x), 0)


def on_a_plane(spacing, **form):
    """Gullies on 60 x 60 meters of a slope, and the spacing of its samples."""
    x = np.arange(round(60 / spacing), dtype=np.float64) * spacing
    g = np.full((x.size, x.size), 0.6, np.float32)
    return GullyField(Gullies(20.0, 4.0, **form), x, x, spacing, 5).rows(
        slice(0, x.size), g, g / np.float32(3)
    )


@pytest.mark.parametrize("sharpness", [-1.0, -0.4, 0.0, 0.6, 1.0])
def test_no_slits(sharpness):
    """Finer gullies follow crests and creases of any sharpness without a jump: four times as close,
    neighbors differ about a quarter."""
    steps = [
        np.abs(np.diff(on_a_plane(spacing, octaves=2, sharpness=sharpness), axis=0)).max()
        for spacing in (0.4, 0.1)
    ]
    assert steps[1] < 0.4 * steps[0]


def test_no_edge_around_places_where_waves_cancel():
    """Four times as close, slopes of neighbors differ a quarter too."""
    bends = [
        np.abs(np.diff(on_a_plane(spacing, octaves=1), 2, axis=0)).max() / spacing
        for spacing in (0.4, 0.1)
    ]
    assert bends[1] < 0.4 * bends[0]
