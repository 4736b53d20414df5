# SPDX-License-Identifier: GPL-3.0-or-later
import json
import math
import re
from typing import cast
from xml.etree import ElementTree

import contourpy
import numpy as np
import pytest

from terrain_addon.core import Grid
from terrain_addon.core.contours import (
    Contour,
    ContourSettings,
    contours,
    geojson,
    labels,
    lines_at,
    svg,
)
from terrain_addon.core.elevation import Georeference, System

GRID = Grid.points(400.0, 300.0, 81, 61)


def rough(seed: int = 3, whole: bool = False) -> np.ndarray:
    """Return heights with many saddles; whole numbers lie on levels exactly."""
    random = np.random.default_rng(seed)
    height = random.normal(size=GRID.shape)
    for _ in range(2):
        across = height[1:-1, :-2] + height[1:-1, 2:]
        height[1:-1, 1:-1] = (height[:-2, 1:-1] + height[2:, 1:-1] + across) / 4
    height = height * 40
    return (height.round() if whole else height).astype(np.float32)


def steps(lines: list[np.ndarray]) -> np.ndarray:
    """Return the segments of lines, in an order of their own."""
    found = np.concatenate([np.concatenate([line[:-1], line[1:]], axis=1) for line in lines])
    found = found[(found[:, :2] != found[:, 2:]).any(axis=1)].round(6) + 0.0
    later = (found[:, 0] > found[:, 2]) | (
        (found[:, 0] == found[:, 2]) & (found[:, 1] > found[:, 3])
    )
    turned = np.where(later[:, None], found[:, [2, 3, 0, 1]], found)
    return turned[np.lexsort(turned.T)]


@pytest.mark.parametrize("level", [-11.3, 0.25, 9.0])
def test_lines_are_those_of_contourpy(level: float) -> None:
    height = rough()
    oracle = contourpy.contour_generator(GRID.x, GRID.y, height.astype(np.float64))
    expected = cast(list[np.ndarray], oracle.lines(level))
    found = lines_at(GRID, height, level)
    np.testing.assert_allclose(steps(found), steps(expected), atol=2e-6)
    closed = [sum((line[0] == line[-1]).all() for line in lines) for lines in (found, expected)]
    assert len(found) == len(expected)
    assert closed[0] == closed[1]


def test_lines_through_samples_are_whole() -> None:
    """Lines end at the border only, or where they begin, however many samples lie on the level."""
    height = rough(whole=True)
    for level in range(-20, 21, 4):
        for line in lines_at(GRID, height, float(level)):
            ends = np.abs(line[[0, -1]])
            on_border = (ends[:, 0] == 200) | (ends[:, 1] == 150)
            assert on_border.all() or (line[0] == line[-1]).all()
            assert (np.diff(line, axis=0) != 0).any(axis=1).all()


def test_the_higher_ground_is_on_the_left() -> None:
    hill = -np.hypot(*np.meshgrid(GRID.x, GRID.y)).astype(np.float32)
    (line,) = lines_at(GRID, hill, -100.0)
    x, y = line.T
    area = (x[:-1] * y[1:] - x[1:] * y[:-1]).sum() / 2
    assert area == pytest.approx(math.pi * 100**2, rel=0.01)


def test_nothing_is_drawn_beside_voids() -> None:
    height = np.tile(GRID.x, (61, 1)).astype(np.float32)
    height[20:40] = np.nan
    parts = lines_at(GRID, height, 1.0)
    assert sorted(sorted(part[:, 1][[0, -1]].tolist()) for part in parts) == [
        [-150, -55],
        [50, 150],
    ]


def test_levels_count_from_the_base() -> None:
    settings = ContourSettings(interval=30.0, base=10.0, index=3)
    slope = np.tile(GRID.x, (61, 1)).astype(np.float32)
    found = contours(GRID, slope, settings)
    assert [line.level for line in found] == list(range(-170, 201, 30))
    assert [line.level for line in found if line.is_index] == [-170, -80, 10, 100, 190]
    with pytest.raises(ValueError, match="set a larger one"):
        contours(GRID, slope, ContourSettings(interval=0.01))
    assert len({line.level for line in contours(GRID, slope)}) == 20


def test_geojson_has_longitudes_and_latitudes() -> None:
    slope = np.tile(GRID.x, (61, 1)).astype(np.float32)
    lines = contours(GRID, slope, ContourSettings(interval=100.0))
    place = Georeference((600_000.0, 5_100_000.0), (1.0, 0.0), (0.0, 1.0), System.coded(32632))
    data = json.loads(geojson(lines, place))
    assert [one["properties"]["height"] for one in data["features"]] == [-100, 0, 100, 200]
    assert [one["properties"]["index"] for one in data["features"]] == [False, True, False, False]
    first = data["features"][1]["geometry"]["coordinates"][0]
    pyproj = pytest.importorskip("pyproj")
    back = pyproj.Transformer.from_crs(4326, 32632, always_xy=True).transform(*first)
    np.testing.assert_allclose(back, (600_000, 5_100_150), atol=0.02)
    assert "middle of the terrain" in json.loads(geojson(lines))["coordinates"]


def test_a_drawing_has_readable_labels_in_gaps() -> None:
    y, x = np.meshgrid(GRID.y, GRID.x, indexing="ij")
    hill = (300 - np.hypot(x, 1.3 * y)).astype(np.float32)
    lines = contours(GRID, hill, ContourSettings(interval=10.0))
    image = ElementTree.fromstring(svg(lines, 400.0, 300.0))
    assert (image.get("width"), image.get("height")) == ("1600", "1200")
    texts = [one for one in image.iter() if one.tag.endswith("text")]
    assert {one.text for one in texts} <= {f"{level:g}" for level in range(50, 301, 50)}
    assert len(texts) >= 3
    middles: list[tuple[float, float]] = []
    for one in texts:
        angle, across, down = map(float, re.findall(r"-?[\d.]+", one.get("transform", "")))
        assert -90 <= angle <= 90
        assert 0 < across < 1600
        assert 0 < down < 1200
        assert all(math.dist((across, down), other) > 60 for other in middles)
        middles.append((across, down))
    for path in (one.get("d", "") for one in image.iter() if one.tag.endswith("path")):
        for part in path.split("M")[1:]:
            points = np.array([point.split() for point in part.split("L")], np.float64)
            for middle in middles:  # no line runs through a label
                away = np.hypot(*(points - middle).T).min()
                assert away > 10, (away, middle)


def test_labels_follow_their_line() -> None:
    turned = Contour(100.0, np.array([[100.0, 100.0], [-100.0, -100.0]]), True)
    (label,) = labels([turned], 5.0, 200.0, 200.0)[0]
    assert label.angle == pytest.approx(45.0)
    assert label.x == pytest.approx(label.y)
    assert not labels([Contour(100.0, turned.points)], 5.0, 200.0, 200.0)
