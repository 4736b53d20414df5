# SPDX-License-Identifier: GPL-3.0-or-later
"""Lakes and pads against plain computations."""

import dataclasses
import heapq

import numpy as np
import pytest
from hypothesis import given, strategies as st

from terrain_addon.core import (
    Erosion,
    FractalNoise,
    Lake,
    Layer,
    Pad,
    Recipe,
    Shape,
    Smooth,
    evaluate,
)
from terrain_addon.core.shapes import CLOSED, FACE, FRAME, OPEN, winding_at

SIZE = {"size_x": 1000.0, "size_y": 1000.0}
HILLS = Layer.of(FractalNoise(octaves=5, height=150.0, size=600.0))
TURN = np.linspace(0, 2 * np.pi, 40, endpoint=False)
RING = np.stack([-80 + 120 * np.cos(TURN), 60 + 90 * np.sin(TURN) + 20 * np.sin(3 * TURN)], axis=1)


def heights(kind, shape, resolution=257, layers=(), seed=0):
    recipe = Recipe(layers=(*layers, Layer.of(kind)), shapes=(shape,), seed=seed, **SIZE)
    grid = recipe.grid(resolution)
    return grid, evaluate(recipe, grid).height


def flooded(height):
    """Spill levels by priority-flood, plainly."""
    ny, nx = height.shape
    out = np.full(height.shape, np.inf)
    queue = [
        (float(height[j, i]), j, i)
        for j in range(ny)
        for i in range(nx)
        if j in (0, ny - 1) or i in (0, nx - 1)
    ]
    for level, j, i in queue:
        out[j, i] = level
    heapq.heapify(queue)
    while queue:
        level, j, i = heapq.heappop(queue)
        for b in range(max(j - 1, 0), min(j + 2, ny)):
            for a in range(max(i - 1, 0), min(i + 2, nx)):
                if np.isinf(out[b, a]):
                    out[b, a] = max(level, float(height[b, a]))
                    heapq.heappush(queue, (out[b, a], b, a))
    return out


def signed(ring, grid):
    """Distances from a closed line in float64, negative inside."""
    x, y = (one.ravel() for one in np.meshgrid(grid.x, grid.y))
    best = np.full(x.shape, np.inf)
    for start, end in zip(ring, np.roll(ring, -1, axis=0), strict=True):
        step = end - start
        share = ((x - start[0]) * step[0] + (y - start[1]) * step[1]) / (step @ step)
        share = np.clip(share, 0, 1)
        best = np.minimum(
            best, np.hypot(x - start[0] - share * step[0], y - start[1] - share * step[1])
        )
    inside = winding_at(Shape.of("", [ring], CLOSED).areas, x, y) != 0
    return np.where(inside, -best, best).reshape(grid.shape)


@pytest.mark.parametrize("level", [None, 20.0])
def test_a_lake_spills_at_its_level(level):
    named = {} if level is None else {"follow": "number", "elevation": level}
    shape = Shape.of("Lake", [RING], CLOSED)
    kind = Lake(source="Lake", **named)
    grid, found = heights(kind, shape, 129, (HILLS,))
    away = signed(RING, grid)
    if level is None:
        fine, ground = heights(Lake(), shape, 513, (HILLS,))
        level = ground[np.abs(signed(RING, fine)) <= 2].min()
        tolerance = 1.0  # of the shore between samples
    else:
        tolerance = 0.05
    deep = away < -20
    spill = flooded(found)[deep]
    assert np.ptp(spill) < 1e-3, "one lake"
    assert abs(spill[0] - level) < tolerance
    assert (found[deep] < spill[0]).all()


@pytest.mark.slow
@given(
    turns=st.lists(st.floats(0, 6.28), min_size=3, max_size=20, unique=True).map(sorted),
    radii=st.lists(st.floats(50, 150), min_size=20, max_size=20),
    level=st.floats(-80, 80),
    roughness=st.floats(0, 1),
    rim=st.floats(1, 30),
    seed=st.integers(0, 99),
    resolution=st.sampled_from([65, 100, 129]),
)
def test_lakes_of_any_shape_fill_to_their_level(
    turns, radii, level, roughness, rim, seed, resolution
):
    radii = np.array(radii[: len(turns)])
    ring = np.stack([30 + radii * np.cos(turns), -20 + radii * np.sin(turns)], axis=1)
    kind = Lake(
        source="Lake", follow="number", elevation=level, roughness=roughness, rim=rim, depth=12.0
    )
    shape = Shape.of("Lake", [ring], CLOSED)
    grid, found = heights(kind, shape, resolution, (HILLS,), seed)
    deep = signed(ring, grid) < -2 * grid.dx
    np.testing.assert_allclose(flooded(found)[deep], level, atol=0.05)


@pytest.mark.parametrize("level", [None, 15.0])
def test_erosion_in_front_and_behind_keeps_a_lake(level):
    named = {} if level is None else {"follow": "number", "elevation": level}
    lake = Layer.of(Lake(source="Lake", **named))
    erosion = Layer.of(Erosion())
    shape = Shape.of("Lake", [RING], CLOSED)
    found = []
    for layers in ((HILLS, erosion, lake), (HILLS, lake, erosion)):
        recipe = Recipe(layers=layers, shapes=(shape,), **SIZE)
        grid = recipe.grid(129)
        found.append(evaluate(recipe, grid).height)
    np.testing.assert_array_equal(*found)
    deep = signed(RING, grid) < -20
    spill = flooded(found[1])[deep]
    assert np.ptp(spill) < 1e-3 and (found[1][deep] < spill[0] - 4).all()
    assert level is None or spill[0] == pytest.approx(level, abs=0.05)


def test_a_lake_follows_the_last_erosion_that_is_on():
    layers = (HILLS, *map(Layer.of, (Lake(), Erosion(), Smooth())))
    kinds = [type(one.settings) for one in Recipe(layers=layers).active]
    assert kinds == [FractalNoise, Erosion, Lake, Smooth]
    disabled = (*layers[:2], dataclasses.replace(layers[2], enabled=False), layers[3])
    kinds = [type(one.settings) for one in Recipe(layers=disabled).active]
    assert kinds == [FractalNoise, Lake, Smooth]


@pytest.mark.parametrize("resolution", [65, 129, 257])
def test_resolutions_agree_about_the_level(resolution):
    shape = Shape.of("Lake", [RING], CLOSED)
    grid, found = heights(Lake(source="Lake"), shape, resolution, (HILLS,))
    middle = grid.ny // 2 + round(60 / grid.dy), grid.nx // 2 - round(80 / grid.dx)
    assert flooded(found)[middle] == pytest.approx(-10.838, abs=0.05)


def test_depth_and_shore_are_those_of_the_formula():
    shape = Shape.of("Lake", [RING], CLOSED)
    kind = Lake(source="Lake", follow="number", elevation=-10.0, depth=9.0, shore=12.0, bank=30.0,
                roughness=0.0)  # fmt: skip
    grid, found = heights(kind, shape)
    away = signed(RING, grid)
    wide = 2 * 9 / np.tan(np.radians(12))
    rest = np.maximum(1 + away / wide, 0)
    bed = -10 - 9 * (1 - rest**2)
    banks = np.minimum(0, -10 + np.tan(np.radians(30)) * away)
    x, y = np.meshgrid(grid.x, grid.y)
    inside = away < 0
    np.testing.assert_allclose(found[inside], bed[inside], atol=1e-3)
    beside = (away >= 0) & (y > 60) & (x < -80)  # where no outlet is
    np.testing.assert_allclose(found[beside], banks[beside], atol=0.01)


@pytest.mark.slow
def test_a_point_makes_a_round_lake():
    expected = None
    frame = [(-80, 60, 5, 1), (-78, 60, 5, 1), (-80, 62, 5, 1), (-80, 60, 7, 1)]
    empty = Shape("Lake", np.array(frame, float), np.array([0]), np.array([FRAME], np.uint8))
    for shape in (Shape.of("Lake", [[(-80, 60, 5, 2)]]), empty):
        grid, found = heights(Lake(source="Lake", follow="curve", radius=40.0), shape)
        away = np.hypot(grid.x + 80, grid.y[:, None] - 60)
        assert (found[away < 79] < 5).all() and (found[(away > 81) & (away < 90)] <= 5.5).all()
        assert flooded(found)[np.unravel_index(away.argmin(), away.shape)] == pytest.approx(
            5.0, abs=0.05
        )
        expected = found if expected is None else expected
        np.testing.assert_allclose(found, expected, atol=1e-3)


BOX = np.array([(-30.0, -20.0), (40.0, -20.0), (40.0, 30.0), (-30.0, 30.0)])


def box(x, y, z, angle=0.3):
    c, s = np.cos(angle), np.sin(angle)
    plan = BOX @ np.array([[c, s], [-s, c]]) + (x, y)
    bottom, top = (np.column_stack([plan, np.full(4, one)]) for one in (z, z + 30))
    sides = [[bottom[n], bottom[(n + 1) % 4], top[(n + 1) % 4], top[n]] for n in range(4)]
    return plan, [bottom, top, *sides]


def test_ground_under_objects_is_level_and_batters_are_those_of_brute_force():
    plan, faces = box(120.0, -60.0, 12.0)
    kind = Pad(source="Pads", margin=4.0, cut=40.0, fill=30.0, reach=1e4)
    ground = heights(Pad(), Shape.empty("Pads"), layers=(HILLS,))[1].astype(float)
    grid, found = heights(kind, Shape.of("Pads", faces, FACE), layers=(HILLS,))
    away = np.maximum(signed(plan, grid) - 4, 0)
    assert np.abs(found[away == 0] - 12).max() < 1e-3
    cut, fill = (12 + sign * np.tan(np.radians(a)) * away for sign, a in ((1, 40), (-1, 30)))
    np.testing.assert_allclose(found, np.clip(ground, fill, cut), atol=0.02)


def test_every_object_has_its_level_unless_they_overlap():
    (one, first), (two, second), (_, third) = (
        box(-200.0, 0.0, 5.0), box(200.0, 100.0, 40.0), box(-160.0, 20.0, 25.0, 1.0))  # fmt: skip
    kind = Pad(source="Pads")
    grid, found = heights(kind, Shape.of("Pads", [*first, *second], FACE), layers=(HILLS,))
    for plan, level in ((one, 5.0), (two, 40.0)):
        assert np.abs(found[signed(plan, grid) <= 0] - level).max() < 1e-3
    grid, found = heights(kind, Shape.of("Pads", [*first, *third], FACE), layers=(HILLS,))
    assert np.abs(found[signed(one, grid) <= 0] - 5).max() < 1e-3
    assert np.abs(found[np.hypot(grid.x + 160, grid.y[:, None] - 20) < 15] - 5).max() < 1e-3


def test_the_mean_of_the_ground_and_a_number():
    plan, faces = box(120.0, -60.0, 300.0)
    shape = Shape.of("Pads", faces, FACE)
    ground = heights(Pad(), shape, layers=(HILLS,))[1]
    for kind, level, tolerance in (
        (Pad(source="Pads", follow="ground"), None, 0.5),
        (Pad(source="Pads", follow="number", elevation=-7.0), -7.0, 1e-3),
    ):
        grid, found = heights(kind, shape, layers=(HILLS,))
        inside = signed(plan, grid) <= 0
        level = ground[inside].mean() if level is None else level
        assert abs(found[inside].mean() - level) < tolerance and np.ptp(found[inside]) < 1e-3


@pytest.mark.slow
@pytest.mark.parametrize("kind", [Lake, Pad])
def test_odd_shapes_have_a_defined_result(kind):
    before = heights(kind(), Shape.empty("Odd"), layers=(HILLS,))[1]
    np.testing.assert_array_equal(
        heights(kind(source="Odd"), Shape.empty("Odd"), layers=(HILLS,))[1], before
    )
    np.testing.assert_array_equal(
        heights(kind(source="Gone"), Shape.empty("Odd"), layers=(HILLS,))[1], before
    )
    far = Shape.of("Odd", [RING + 5000.0], CLOSED)
    np.testing.assert_array_equal(heights(kind(source="Odd"), far, layers=(HILLS,))[1], before)
    many = np.linspace(0, 2 * np.pi, 100_000, endpoint=False)
    lines = [
        [(-100, -100), (100, 100), (100, -100), (-100, 100)],
        [(0, 0), (0, 0), (0, 0)],
        np.stack([90 * np.cos(many), 90 * np.sin(many)], axis=1),
    ]
    for line in lines:
        for way in (CLOSED, OPEN):
            found = heights(kind(source="Odd"), Shape.of("Odd", [line], way), layers=(HILLS,))[1]
            assert np.isfinite(found).all()
    with pytest.raises(ValueError, match="not finite numbers"):
        Shape.of("Odd", [[(np.nan, 0), (1, 1), (2, 0)]], CLOSED)


@pytest.mark.parametrize("kind", [Lake(source="L"), Pad(source="L", follow="ground")])
def test_windows_have_the_same_bits(kind):
    shape = Shape.of("L", [RING, RING * 0.5 + 150], CLOSED)
    recipe = Recipe(layers=(HILLS, Layer.of(kind)), shapes=(shape,), **SIZE)
    grid = recipe.grid(257)
    whole = evaluate(recipe, grid).height
    part = evaluate(recipe, grid.window(60, 70, 120, 111)).height
    np.testing.assert_array_equal(part, whole[70:181, 60:180])
