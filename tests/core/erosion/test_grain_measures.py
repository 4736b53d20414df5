# SPDX-License-Identifier: GPL-3.0-or-later
"""The measures of grain on surfaces for which they are known."""

from typing import Any

import numpy as np
import pytest

from terrain_addon.core.analysis import realism
from terrain_addon.core.analysis.realism import directions
from terrain_addon.core.hydrology.d8 import NONE, OFFSETS

Y, X = np.mgrid[-100:100, -100:100].astype(np.float32)
EAST, WEST, NORTH = (
    next(code for code, step in enumerate(OFFSETS) if tuple(step) == way)
    for way in ((0, 1), (0, -1), (1, 0))
)


def courses(*codes: int) -> tuple[Any, Any]:
    """Streams of order 2 in the middle of bands of rows, each in one direction."""
    flow = np.full((40 * len(codes), 60), NONE, np.uint8)
    order = np.zeros(flow.shape, np.uint8)
    for number, code in enumerate(codes):
        rows = slice(40 * number, 40 * number + 40)
        flow[rows] = code
        order[40 * number + 15 : 40 * number + 25, 20:40] = 2
    return flow, order


@pytest.mark.parametrize(
    ("codes", "direction"),
    [((EAST,), 1.0), ((EAST, WEST), 1.0), ((EAST, NORTH), 0.0), ((EAST, EAST, NORTH), 1 / 3)],
)
def test_streams_share_a_line_whichever_way_they_run(codes, direction):
    flow, order = courses(*codes)
    assert directions.stream_direction(flow, order) == pytest.approx(direction, abs=1e-9)


def test_only_streams_of_higher_order_have_a_direction():
    flow, order = courses(EAST)
    assert np.isnan(directions.stream_direction(flow, np.minimum(order, 1)))
    assert np.isnan(directions.stream_direction(np.full_like(flow, NONE), order))


def test_a_roof_has_two_slopes_and_two_shares_of_ground():
    """Two thirds of it fall to +X with a slope of 1/2, the rest to -X with a slope of 1."""
    roof = np.minimum(X / 1.0, 20 - (X - 20) / 2)  # the ridge at X = 20
    slopes, counts = directions.by_aspect(roof, 1.0)
    assert slopes[[0, 4]] == pytest.approx([0.5, 1.0], abs=0.01)
    assert counts[0] / counts[4] == pytest.approx(80 / 120, abs=0.02)
    assert counts[[1, 2, 3, 5, 6, 7]].sum() == 0
    assert np.isnan(directions.unevenness(counts))
    assert directions.unevenness(slopes[[0, 4]]) == pytest.approx(np.log(2), abs=0.02)


def test_a_cone_faces_all_ways_alike():
    cone = -np.hypot(X + 0.5, Y + 0.5)
    cone[np.hypot(X + 0.5, Y + 0.5) > 90] = -90
    slopes, counts = directions.by_aspect(cone, 1.0)
    assert directions.unevenness(slopes) < 0.02
    assert directions.unevenness(counts) < 0.03


@pytest.mark.parametrize(
    ("height", "kept"),
    [
        (0.3 * X - 0.1 * Y, 1.0),  # a plane
        (np.sin(X * np.pi / 12), 0.0),  # opposite after half a wave, alike along the crests
        (np.sin(X * np.pi / 24), 0.5),  # half of it opposite after a quarter
        (np.sin(X * np.pi / 6), 1.0),
        (np.zeros_like(X), np.nan),
    ],
)
def test_aspects_after_twelve_samples(height, kept):
    found = directions.kept_aspect(height.astype(np.float32), 1.0)
    assert found == pytest.approx(kept, abs=0.05, nan_ok=True)


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_slopes_grow_with_height_or_fall(sign):
    """Slope and height of a parabola correlate as x and its square do."""
    place = (X + 100) / 200
    height = (sign * np.square(place if sign > 0 else 1 - place)).astype(np.float32)
    slope = np.hypot(*np.gradient(height.astype(np.float64))).astype(np.float32)
    expected = []
    for start in range(0, 192, 64):
        part = slice(start, start + 64)
        expected.append(np.corrcoef(height[0, part], slope[0, part])[0, 1])
    found = directions.slope_with_height(height, slope)
    assert found == pytest.approx(np.mean(expected), abs=0.01)
    assert sign * found > 0.95
    assert np.isnan(directions.slope_with_height(X, np.ones_like(X)))


@pytest.mark.parametrize(("across", "along"), [(0.02, 0.02), (0.04, 0.01), (0.01, 0.03)])
def test_bends_across_a_slope_and_along_it(across, along):
    """A steep plane with waves of one length: their curvatures are as their heights."""
    height = 5 * Y + across * np.sin(X * np.pi / 10) + along * np.sin(Y * np.pi / 10)
    found = directions.across_to_along(height.astype(np.float64), 1.0)
    assert found == pytest.approx(np.log(across / along), abs=0.02)
    assert np.isnan(directions.across_to_along(X, 100.0))


def test_noise_is_found_to_have_no_grain():
    """All six reach the report, with a range and words of what is wrong."""
    noise = np.random.default_rng(3).random((200, 200), np.float32)
    measures = {m.key: m for m in realism.measure(noise, 5.0)}
    for key, verdict in (
        ("stream_direction", "all directions alike"),
        ("aspect_slopes", "whichever way they face"),
        ("aspect_ground", "as much ground faces each way"),
        ("kept_aspect", "too short and crumpled"),
    ):
        assert verdict in measures[key].verdict
    assert {"height_slopes", "bends"} <= set(measures)
