# SPDX-License-Identifier: GPL-3.0-or-later
import numpy as np
import pytest
from hypothesis import given, strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_array_equal

from terrain_addon.core import Recipe, evaluate, hydrology as hy
from terrain_addon.core.analysis.derivatives import steepness
from terrain_addon.core.erosion.rivers.fans import find_fans, lay_fans
from terrain_addon.core.erosion.rivers.settings import FluvialSettings
from terrain_addon.core.erosion.rivers.solver import drain
from terrain_addon.core.erosion.rivers.valley_floors import (
    EDGE,
    STEEP,
    fill_valleys,
    raise_upstream,
    run_out,
)
from terrain_addon.core.erosion.smoothing import share_around
from terrain_addon.core.hydrology.d8 import NONE

SPACING = 0.1


def range_and_plain():
    """A mountain front along a column, with three V-shaped valleys that open onto a plain."""
    j, i = np.mgrid[0:90, 0:90].astype(np.float32)
    from_front = np.maximum(40 - i, 0) * np.float32(SPACING)
    across = np.abs((j % 30) - 15) * np.float32(SPACING)
    height = 0.02 * (90 - i) * np.float32(SPACING) + 0.3 * from_front
    height += 0.8 * np.minimum(across, 0.7 * from_front)
    tree = hy.route(height)
    return height, tree, hy.drainage_area(tree, SPACING)


def with_fans(height, tree, area, spacing, amount):
    made = height.copy()
    lay_fans(made, tree, find_fans(height, tree, area, spacing, amount), spacing)
    return made


def test_fans_lie_at_the_mouths_of_the_valleys():
    height, tree, area = range_and_plain()
    laid = with_fans(height, tree, area, SPACING, 1.0) - height
    assert laid.min() == 0
    assert laid.max() > 0.03
    for valley in (15, 45, 75):
        assert laid[valley - 3 : valley + 4, 38:50].max() > 0.02
    assert laid[:, :20].max() < 0.01
    # A cone: as wide as long, highest at the mouth, and falling to nothing.
    fan = laid[30:60]
    rows, columns = np.nonzero(fan > 0.002)
    assert 0.4 < np.ptp(rows) / np.ptp(columns) < 2.5


def test_no_fans_without_plains_or_amount():
    height, tree, area = range_and_plain()
    assert_array_equal(with_fans(height, tree, area, SPACING, 0.0), height)
    slope = np.tile(np.arange(60, dtype=np.float32) * 0.05, (60, 1))
    tree = hy.route(slope)
    assert_array_equal(with_fans(slope, tree, hy.drainage_area(tree, 0.1), 0.1, 1.0), slope)


def gorge(half_width):
    """A steep valley with a large stream, whose floor, some cells to either side, turns gentle."""
    j, i = np.mgrid[0:120, 0:120].astype(np.float32)
    along = (120 - i) * np.float32(0.02 * SPACING)
    along += np.maximum(40 - i, 0) * np.float32(0.35 * SPACING)
    walls = np.maximum(np.abs(j - 60) - half_width, 0) * np.float32(0.7 * SPACING)
    height = along + walls
    tree = hy.route(height)
    area = hy.drainage_area(tree, SPACING)
    return height, tree, area * np.float32(6 / area[60, 40])


def test_a_narrow_valley_has_no_room_for_a_fan():
    height, tree, area = gorge(5)
    assert_array_equal(with_fans(height, tree, area, SPACING, 1.0), height)


def test_a_fan_takes_the_room_that_there_is():
    """In a wide valley fans do not climb its walls, and are the smaller the narrower it is."""
    sizes = []
    for half_width in (8, 16, 50):
        height, tree, area = gorge(half_width)
        laid = with_fans(height, tree, area, SPACING, 1.0) - height
        rows, _ = np.nonzero(laid > 0.005)
        assert rows.size
        assert np.abs(rows - 60).max() < half_width + 4
        sizes.append(float(laid.sum()))
    assert sizes == sorted(sizes)


@pytest.mark.parametrize("amount", [0.2, 1.0])
def test_valley_floors_rise_and_stay_drained(amount):
    height, tree, area = range_and_plain()
    filled = fill_valleys(height, tree, area, SPACING, amount)
    assert (filled >= height).all()
    assert (filled - height).max() > 0
    assert_array_equal(fill_valleys(height, tree, area, SPACING, 0.0), height)


@pytest.mark.parametrize("gully", [0.02, 0.4])
def test_only_rivers_from_steep_land_raise_their_floors(gully):
    """A valley with straight sides, gentler or steeper than ground that gives debris."""
    j, i = np.mgrid[0:60, 0:120].astype(np.float32)
    height = (0.01 * (120 - i) + gully * np.abs(j - 30)) * np.float32(SPACING)
    tree = hy.route(height)
    area = hy.drainage_area(tree, SPACING)
    laid = fill_valleys(height, tree, area, SPACING, 1.0) - height
    if gully > STEEP:
        assert laid[30, 10:100].min() > 0.01
    else:
        assert laid.max() < 0.005  # what is smoothed over the bed


@pytest.mark.parametrize("seed", [2, 3])
def test_no_cushions_on_a_plateau(seed):
    """Where nothing is steep as far as valleys are apart, no river has cut and nothing settles."""
    settings = {"seed": seed, "basis": "opensimplex2s", "size": 1700.0, "height": 100.0}
    noise = {"kind": "fractal_noise", "settings": {**settings, "octaves": 4}}
    made = Recipe.from_dict({"size_x": 5120.0, "size_y": 5120.0, "layers": [noise]})
    terrain = evaluate(made, made.pixel_grid(256)).height
    relic = drain(terrain, 20.0, FluvialSettings(type="plateau", incision=250.0, age=0.3))
    bare = relic.height - relic.deposition
    steep = steepness(bare, relic.spacing, relic.spacing) > 0.2
    plateau = share_around(steep, round(relic.unit / relic.spacing)) == 0
    assert plateau.mean() > 0.2
    assert relic.deposition[plateau].max() < 8  # 24 and 27 meters where all land carries debris
    assert relic.deposition[plateau].mean() < 0.3  # 0.8 and 3.4
    valleys = (
        (relic.area > relic.unit**2)
        & (relic.height < terrain.min() - 20)
        & (relic.directions != NONE)
    )
    assert relic.deposition[valleys].mean() > 1


def test_raised_is_the_lowest_surface_with_that_climb():
    height, tree, _ = range_and_plain()
    climb = np.random.default_rng(3).uniform(0, 0.02, height.size).astype(np.float32)
    raised = height.copy()
    raise_upstream(tree, raised, lambda cells: climb[cells])
    assert (raised >= height).all()
    level, out = tree.gather(height), tree.gather(raised)
    for below, donors, parent in tree.upstream():
        steps = climb[tree.order[donors]]
        assert_array_equal(out[donors], np.maximum(level[donors], out[below][parent] + steps))


def test_a_full_basin_runs_over_into_its_neighbor():
    """Of two plains with a low divide, one drains round its far end: filled by itself, it would
    lie as high above the other one as the way round is long, behind a wall."""
    j, i = np.mgrid[0:60, 0:60].astype(np.float32)
    height = np.where(j < 30, i, 120 - i) * np.float32(1e-3 * SPACING)
    height[30, :56] = 0.02
    height[31:, :9] += np.float32(0.5 * SPACING) * (9 - i[31:, :9])  # hills, which give the debris
    outlets = np.zeros(height.shape, bool)
    outlets[:30, 0] = True
    tree = hy.route(height, outlets)
    filled = fill_valleys(height, tree, hy.drainage_area(tree, SPACING), SPACING, 1.0)
    assert (filled - height)[31:, 9:].mean() > 0.05
    steps = np.abs(np.diff(filled[5:, 12:], axis=0))
    assert steps.max() < 2 * EDGE * SPACING


@given(st.data())
def test_what_runs_out_is_the_most_that_stays(data):
    shape = data.draw(st.tuples(st.integers(1, 12), st.integers(1, 12)))
    numbers = st.floats(0, 1, width=32)
    ground, rise = (data.draw(arrays(np.float32, shape, elements=numbers)) for _ in range(2))
    left = run_out(ground, rise, SPACING)
    j, i = np.indices(shape).reshape(2, -1)
    apart = np.abs(j[:, None] - j) + np.abs(i[:, None] - i)
    cones = (ground + rise).reshape(-1).astype(np.float64) + EDGE * SPACING * apart
    expected = np.clip(cones.min(axis=1).reshape(shape) - ground, 0, rise)
    np.testing.assert_allclose(left, expected, atol=1e-6)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("terrain_addon.core.erosion.rivers.valley_floors.SAMPLES", 1)
        assert_array_equal(run_out(ground, rise, SPACING), left)


def test_fans_leave_no_cliffs_on_the_plain():
    """What fills one basin to its brim runs down into the next, across divides as low as those of
    a plain around a volcano."""
    cone = {"seed": 2, "height": 1050.0, "radius": 2000.0, "ribs": 15, "rib_depth": 0.1}
    slopes = []
    for fans in (0.0, 1.0):
        layers = [
            {"kind": "fractal_noise", "settings": {"seed": 5, "size": 1600.0, "height": 90.0}},
            {"kind": "volcano", "settings": cone},
            {"kind": "erosion", "settings": {"valley_spacing": 400.0, "fans": fans}},
        ]
        made = Recipe.from_dict({"size_x": 5000.0, "size_y": 5000.0, "layers": layers})
        grid = made.pixel_grid(256)
        j, i = np.mgrid[:256, :256] - 127.5
        plain = np.hypot(j, i) * grid.dx > 1700
        slopes.append(np.quantile(evaluate(made, grid).fields["slope"][plain], [0.5, 0.99, 0.999]))
    assert (slopes[1] < slopes[0]).all()


def test_fans_of_a_given_slope_have_lobes_by_the_seed():
    """They were even cones, all alike."""
    height, tree, area = range_and_plain()
    cones = []
    for seed in (1, 2):
        found = find_fans(height, tree, area, SPACING, 1.0, slope=0.1, seed=seed)
        made = height.copy()
        lay_fans(made, tree, found, SPACING)
        cones.append(made)
    fan = found.fans[0]
    angle = np.linspace(-1.2, 1.2, 60)  # around the apex, over the plain
    rows, columns = (
        np.rint(apex + 0.7 * fan.radius / SPACING * way(angle)).astype(int)
        for apex, way in ((fan.row, np.sin), (fan.column, np.cos))
    )
    arcs = [made[rows, columns] for made in cones]
    uneven = [np.ptp(arc - arc[::-1]) for arc in arcs]  # the valley is symmetric
    assert min(uneven) > 0.01
    assert np.abs(arcs[0] - arcs[1]).max() > 0.01


def test_no_moats_between_fans_and_the_walls_beside_them():
    """The rise was blurred, and fell to nothing a few cells before a wall."""
    spacing = 0.05
    j, i = np.mgrid[0:120, 0:120].astype(np.float32)
    behind = np.maximum(60 - i, 0) * np.float32(spacing)
    beside = np.maximum(np.abs(j - 60) * np.float32(spacing) - np.float32(0.1), 0)
    height = 0.001 * (120 - i) + 0.1 * behind + 2 * np.minimum(beside, 2 * behind)
    tree = hy.route(height)
    fans = find_fans(height, tree, hy.drainage_area(tree, spacing), spacing, 1.0, slope=0.105)
    lay_fans(height, tree, fans, spacing)
    from_plain = height[:, ::-1]
    dip = np.maximum.accumulate(from_plain, axis=1) - from_plain
    assert (dip[:, 50:62] > 0.01).sum() < 10  # 67 before
