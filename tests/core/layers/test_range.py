# SPDX-License-Identifier: GPL-3.0-or-later
"""Ranges along curves: against plain computations, and as uplift that Erosion carves."""

import dataclasses

import numpy as np
import pytest
from hypothesis import given, strategies as st

from terrain_addon.core import (
    Erosion,
    FractalNoise,
    Grid,
    Layer,
    Range,
    Recipe,
    Shape,
    evaluate,
    solve,
)
from terrain_addon.core.hydrology.d8 import receivers
from terrain_addon.core.hydrology.depressions import find_roots
from terrain_addon.core.shapes import CLOSED, FACE, nearest
from tests.core.shapes.test_shapes import LINES, winding_line

SIZE = {"size_x": 1000.0, "size_y": 800.0}
SMOOTH = Range(source="Crest", roughness=0.0)


def heights(kind, *shapes, resolution=(81, 65), window=None, **recipe):
    made = Recipe(layers=(kind,), shapes=shapes, **SIZE, **recipe)
    grid = made.grid(resolution)
    return evaluate(made, grid.window(*window) if window else grid).height


def brute(kind, lines, x, y):
    """The layer for lines without falling ends, in float64: each point against each segment."""
    best = np.zeros(np.broadcast(x, y).shape)
    for line in lines:
        line = np.asarray(line, float)
        away = np.full(best.shape, np.inf)
        for a, b in zip(line, np.append(line[1:], line[-1:], axis=0), strict=True):
            step = b - a
            share = ((x - a[0]) * step[0] + (y - a[1]) * step[1]) / (step @ step or 1.0)
            share = np.clip(share, 0, 1)
            away = np.minimum(
                away, np.hypot(x - a[0] - share * step[0], y - a[1] - share * step[1])
            )
        best = np.maximum(best, 1 - away / kind.left)
    return kind.height * np.maximum(best, 0) ** kind.steepening


@given(LINES, st.floats(30, 500), st.floats(0.5, 3))
def test_heights_are_those_of_brute_force(lines, width, steepening):
    kind = Range(
        source="Crest", roughness=0.0, taper=0.0, left=width, right=width, steepening=steepening
    )
    found = heights(kind, Shape.of("Crest", lines))
    x, y = np.linspace(-500, 500, 81)[None], np.linspace(-400, 400, 65)[:, None]
    np.testing.assert_allclose(found, brute(kind, lines, x, y), atol=0.02 * kind.height)


def test_the_crest_follows_heights_and_radii_of_the_curve():
    """A ridge that rises from 50 to 200 m; its width follows its height and the radius."""
    line = Shape.of("Crest", [[(-450, 0, 50, 1), (450, 0, 200, 1)]])
    kind = dataclasses.replace(SMOOTH, crest="curve", taper=0.0)
    found = heights(kind, line)
    on_line = found[32, 8:-8]
    expected = np.interp(np.linspace(-500, 500, 81)[8:-8], (-450, 450), (50, 200))
    np.testing.assert_allclose(on_line, expected, atol=4)
    wide = heights(kind, Shape("Crest", line.points * [1, 1, 1, 2], line.starts, line.kinds))
    assert (wide > 0).sum() > 1.5 * (found > 0).sum()
    assert not heights(
        kind, Shape("Crest", line.points * [1, 1, -1, 1], line.starts, line.kinds)
    ).any()


def test_each_side_has_its_own_width():
    line = Shape.of("Crest", [[(-700, 0), (700, 0)]])
    found = heights(dataclasses.replace(SMOOTH, left=300.0, right=100.0, taper=0.0), line)
    y = np.linspace(-400, 400, 65)
    assert ((found[:, 40] > 0) == ((y > -100) & (y < 300))).all()
    assert found[:, 40].argmax() == 32 and found.max() == 250
    turned = Shape("Crest", line.points[::-1], line.starts, line.kinds)
    other = heights(dataclasses.replace(SMOOTH, left=100.0, right=300.0, taper=0.0), turned)
    np.testing.assert_allclose(other, found, atol=1e-3)


@pytest.mark.parametrize("widths", [(220.0, 220.0), (320.0, 120.0)])
@pytest.mark.parametrize("crest", ["number", "curve"])
def test_no_step_anywhere(widths, crest):
    """No two neighbors differ by more than the steepest slope, also where a line bends and ends."""
    line = np.column_stack([winding_line(40), np.linspace(100, 250, 41), np.ones(41)])
    line[:, 1] *= 2
    kind = dataclasses.replace(SMOOTH, left=widths[0], right=widths[1], crest=crest)
    found = heights(kind, Shape.of("Crest", [line]), resolution=(1001, 801))
    steepest = 250 * kind.steepening / min(widths)
    most = 1.3 if widths[0] == widths[1] else 3.0
    for axis in (0, 1):
        assert np.abs(np.diff(found, axis=axis)).max() < most * steepest
    assert found.max() > 200


def test_the_ends_fall_and_ranges_join():
    line = [(-400, 0), (400, 0)]
    found = heights(SMOOTH, Shape.of("Crest", [line]))[32]
    x = np.linspace(-500, 500, 81)
    assert found[40] == pytest.approx(250, abs=1) and found[0] == found[-1] < 0.2
    assert found[np.abs(x) > 401].max() < 40
    falling = found[(x >= 160) & (x <= 400)]
    assert (np.diff(falling) < 1e-3).all()
    branch = [(0, 0), (0, -350)]
    both = heights(SMOOTH, Shape.of("Crest", [line, branch]))
    assert (both >= heights(SMOOTH, Shape.of("Crest", [line])) - 1e-3).all()
    ring = Shape.of("Crest", [[(-200, -100), (200, -100), (0, 200)]], CLOSED)
    for place in ((-200, -100), (0, -100), (0, 200)):
        at = round((place[1] + 400) / 12.5), round((place[0] + 500) / 12.5)
        assert heights(SMOOTH, ring)[at] == pytest.approx(250, abs=15)


def test_lines_that_are_none_have_a_defined_result():
    upright = Shape.of("Crest", [[(0, 0, 0), (0, 0, 100)]])
    dot = Shape.of("Crest", [[(0, 0, 100)]])
    for shape in (upright, dot):
        cone = heights(SMOOTH, shape)
        assert cone[32, 40] == cone.max() == 250 and cone[32, 60] == 0
    face = Shape.of("Crest", [[(-200, -100), (200, -100), (0, 200)]], FACE)
    for shapes in ((), (Shape.empty("Crest"),), (face,)):
        assert not heights(SMOOTH, *shapes).any()
    assert not heights(Range(), dot).any()
    assert Range().note_on("source", 1000.0) == "No shape yet: flat" and not SMOOTH.note_on(
        "source", 1
    )
    with pytest.raises(ValueError, match="not finite numbers: remove them"):
        Shape.of("Crest", [[(0, 0), (np.nan, 1)]])


def test_a_line_that_crosses_itself_is_a_range_of_one_height():
    loop = [(-300, -200), (300, 200), (300, -200), (-300, 200)]
    found = heights(dataclasses.replace(SMOOTH, taper=0.1), Shape.of("Crest", [loop]))
    assert found[32, 40] == pytest.approx(250, abs=10)


def test_a_line_of_100_000_points_is_the_line_that_they_follow():
    few, many = winding_line(50), np.empty((100_001, 2))
    for axis in (0, 1):
        many[:, axis] = np.interp(np.linspace(0, 50, 100_001), np.arange(51), few[:, axis])
    found = [heights(SMOOTH, Shape.of("Crest", [line])) for line in (few, many)]
    np.testing.assert_allclose(found[1], found[0], atol=1.0)


@pytest.mark.parametrize("widths", [(220.0, 220.0), (320.0, 120.0), (120.0, 320.0)])
def test_the_divide_of_an_eroded_range_stays_near_its_line(widths):
    """Within a third of a valley on the median, whichever side is wider."""
    u = np.linspace(0, 1, 200)[:, None]
    across = 70 * np.sin(4 * np.pi * u) * [-580, 760] / np.hypot(580, 760)
    shape = Shape.of("Crest", [[-380, -300] + u * [760, 580] + across])
    uplift = Range(source="Crest", left=widths[0], right=widths[1])
    off = np.concatenate([_off_the_line(shape, uplift, seed) for seed in (0, 1)])
    assert np.median(np.abs(off)) < Erosion().unit(1000.0) / 3


def _off_the_line(shape, uplift, seed):
    """Distances of the divide from a line in meters."""
    ground = Layer.of(FractalNoise(height=20.0, size=300.0))
    recipe = Recipe(seed=seed, layers=(ground, Layer.of(uplift), Erosion()), shapes=(shape,))
    (drainage,) = (one.drainage for one in solve(recipe).parts.values() if hasattr(one, "drainage"))
    rows, columns = drainage.height.shape
    spacing = drainage.spacing
    grid = Grid(columns, rows, drainage.x0, drainage.y0, spacing, spacing)
    found = nearest(shape.lines, grid, 3000.0)
    along = found.parameter() / shape.lines.length.sum()
    # On which side of the line water is once it is 100 m away from it.
    below = np.array(receivers(drainage.directions)).ravel()
    away = np.flatnonzero(found.distance >= 100)
    below[away] = away
    side = found.side().ravel()[find_roots(below)].reshape(rows, columns)
    edge = np.zeros(side.shape, bool)
    edge[:, :-1] |= side[:, 1:] != side[:, :-1]
    edge[:-1] |= side[1:] != side[:-1]
    return found.distance[edge & (found.distance < 100) & (along > 0.1) & (along < 0.9)]
