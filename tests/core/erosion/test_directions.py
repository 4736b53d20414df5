# SPDX-License-Identifier: GPL-3.0-or-later
"""Valleys have no directions of the grid.

Where a valley runs follows from the curvature across it, on smoothed heights: the gradient of the
cells of a channel tells how the grid cuts its banks, and has the same eightfold symmetry whichever
way the land is turned.
"""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from terrain_addon.core import noise
from terrain_addon.core.erosion.rivers.grid_bending import BEND, bent
from terrain_addon.core.erosion.rivers.settings import FluvialSettings
from terrain_addon.core.erosion.rivers.solver import drain
from terrain_addon.core.erosion.rivers.stream_power import _true_slope_ratio
from terrain_addon.core.erosion.smoothing import binomial
from terrain_addon.core.hydrology import route
from terrain_addon.core.hydrology.d8 import LENGTHS
from tests.core.erosion.lands import EXTENT, axis, hills

MARGIN = 24
"""Cells along the border that are not looked at: the padding of the drainage grid."""


def symmetry(height):
    """Four- and eightfold moment of the directions of the valleys: 0 if even, 1 if all run along
    the axes, or along these and the diagonals."""
    smooth = binomial(np.asarray(height, np.float32), 4).astype(np.float64)
    gy, gx = np.gradient(smooth)
    (gyy, gyx), gxx = np.gradient(gy), np.gradient(gx, axis=1)
    inside = (slice(MARGIN, -MARGIN),) * 2
    mean, half, mixed = (part[inside] for part in ((gxx + gyy) / 2, (gxx - gyy) / 2, gyx))
    hollow = mean + np.hypot(half, mixed)
    valleys = hollow > np.quantile(hollow, 0.9)
    twice = np.arctan2(mixed[valleys], half[valleys])  # of the angle across
    return np.exp(2j * twice).mean().real, np.exp(4j * twice).mean().real


@pytest.mark.parametrize("degrees", [0.0, 10.0, 22.5, 45.0])
def test_the_measure_tells_the_direction_of_valleys(degrees):
    turn = np.radians(degrees)
    j, i = np.mgrid[0:200, 0:200]
    found = symmetry(np.cos((np.cos(turn) * i + np.sin(turn) * j) / 2))
    assert found == pytest.approx((np.cos(4 * turn), np.cos(8 * turn)), abs=0.08)


def test_the_measure_finds_nothing_in_a_real_mountain():
    matplotlib = pytest.importorskip("matplotlib")
    path = Path(matplotlib.get_data_path()) / "sample_data" / "jacksboro_fault_dem.npz"
    with np.load(path) as data:
        four, eight = symmetry(data["elevation"])
    assert abs(four) < 0.12
    assert abs(eight) < 0.04


def simplex(seed):
    x = axis(256) / 330
    field = noise.sample_grid("opensimplex2s", x, x, seed=seed, fractal="fbm", octaves=4)
    return (100 + 20 * field).astype(np.float32)


def tilted(seed):
    x: Any = axis(256) / EXTENT
    turn = 0.3 + 1.1 * seed
    return 100 + 40 * (np.cos(turn) * x + np.sin(turn) * x[:, None]) + 0.01 * hills(256, 256, seed)


LANDS = {
    "hills": lambda seed: hills(256, 256, seed),
    "plateau": lambda seed: 100 + 0.1 * hills(256, 256, seed),
    "simplex": simplex,
    "tilted": tilted,
    "flat": lambda seed: np.full((256, 256), 100, np.float32),
}


@pytest.mark.nightly("statistics")
@pytest.mark.parametrize(
    ("terrain", "age"),
    [
        ("hills", None),
        ("plateau", 0.6),
        ("simplex", 0.3),
        ("simplex", 0.6),
        ("tilted", 0.6),
        ("flat", 0.3),
        ("flat", 0.6),
    ],
)
def test_no_directions_of_the_grid_in_the_valleys(terrain, age):
    """Before the grid was bent after the last step, eightfold moments were 0.08 to 0.15; those of
    real land reach 0.024, and fourfold ones 0.117."""
    relic = {} if age is None else {"type": "plateau", "incision": 60.0, "age": age}
    found = [
        symmetry(
            drain(LANDS[terrain](seed), EXTENT / 256, FluvialSettings(**relic), seed=seed).height
        )
        for seed in range(6)
    ]
    four, eight = np.mean(found, axis=0)
    assert abs(four) < 0.15
    assert abs(eight) < 0.06


def test_all_fields_are_bent_alike_and_outlets_stay():
    j, i = np.mgrid[0:200, 0:300].astype(np.float32)
    outlets = i < 100
    rows, columns, again = bent([j, i, j + i], 5, outlets)
    np.testing.assert_allclose(again, rows + columns, atol=1e-3)
    assert_array_equal(columns[:, :95], i[:, :95])
    away = np.stack([rows - j, columns - i])[:, 20:-20, 120:-20]
    assert away.std() == pytest.approx(BEND, rel=0.25)
    # The grid does not fold.
    (down, along), (across, over) = np.gradient(rows), np.gradient(columns)
    area: Any = down * over - along * across
    assert area[20:-20, 20:-20].min() > 0.1


def test_bends_are_those_of_their_seed():
    field = hills(100, 90)
    assert_array_equal(bent([field], 1)[0], bent([field], 1)[0])
    assert np.abs(bent([field], 1)[0] - bent([field], 2)[0]).max() > 1


@pytest.mark.parametrize("degrees", [0, 10, 22.5, 40, 45, 70, 200, 300])
def test_planes_are_as_steep_whichever_way_they_fall(degrees):
    """The slope in one of eight directions, times the ratio."""
    turn = np.radians(degrees)
    j, i = np.mgrid[0:40, 0:50] - 20.0
    plane = (0.3 * (i * np.cos(turn) + j * np.sin(turn))).astype(np.float32)
    directions = route(plane).directions
    for rows in (slice(0, 7), slice(7, 40)):
        ratio = _true_slope_ratio(plane, directions, rows, LENGTHS.take(directions[rows]))
        aside = np.radians((degrees + 22.5) % 45 - 22.5)
        inner = ratio[1:-1, 1:-1]
        np.testing.assert_allclose(inner, 1 / np.cos(aside), rtol=1e-4)
