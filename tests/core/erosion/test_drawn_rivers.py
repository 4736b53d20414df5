# SPDX-License-Identifier: GPL-3.0-or-later
"""Rivers along curves: the water runs along them, with erosion and without."""

import dataclasses

import numpy as np
import pytest
from hypothesis import given, strategies as st

from terrain_addon.core import Cache, Layer, Map, Recipe, Water, evaluate, presets, solve
from terrain_addon.core.analysis.derivatives import steepness
from terrain_addon.core.erosion.rivers.drawn.cells import Tracer
from terrain_addon.core.erosion.rivers.drawn.course import Course, Form, in_order
from terrain_addon.core.erosion.rivers.drawn.lines import FloodPlain
from terrain_addon.core.erosion.rivers.drawn.rivers import graded
from terrain_addon.core.erosion.rivers.grid_bending import before_bend, bent
from terrain_addon.core.erosion.surface import eroded_terrain
from terrain_addon.core.hydrology import border, route
from terrain_addon.core.hydrology.d8 import OFFSETS, receivers
from terrain_addon.core.layers import LAYERS
from terrain_addon.core.numerics.grid import Grid
from terrain_addon.core.output import inland_water
from terrain_addon.core.shapes import CLOSED, Shape, nearest
from tests.core.erosion.drawn_rivers import (
    LINES,
    SIZE,
    distance,
    drainage_of,
    lines_of,
    measured,
    recipe,
    winding,
)

FORM = Form(8.0, True, 1.0, 0.35, 0.55, 4.0, 4.0)


@pytest.mark.parametrize("case", LINES)
def test_all_water_of_the_drainage_and_of_the_surface_runs_along_the_lines(case):
    along = measured(recipe(case, 1, "128"), 257)
    assert along.cells == 1 and along.off < 1
    assert along.rises == 0 and along.dams == 0
    assert along.samples >= 0.995
    assert along.drawn >= (0.98 if case in ("crossing", "sea") else 1)  # all but what cannot be


def test_a_river_goes_on_beyond_each_that_it_crosses():
    lines = [winding((x, -450), (x + 40, 490), 20.0) for x in (-250, 0, 250)]
    lines.append(winding((-420, 100), (500, 60)))
    made = dataclasses.replace(recipe("crossing", 2, "128"), shapes=(Shape.of("Lines", lines),))
    along = measured(made, 257)
    assert along.cells == 1 and along.off < 1 and along.rises == 0 and along.dams == 0
    assert along.samples >= 0.995 and along.drawn > 0.95
    assert len(lines_of(drainage_of(solve(made)))) == 4 + 3


def test_a_line_that_begins_in_a_river_is_one_from_beside_it():
    lines = [[(-450, 0), (490, 20)], [(0, 10), (60, 200), (30, 490)]]
    made = dataclasses.replace(recipe("crossing", 3, "128"), shapes=(Shape.of("Lines", lines),))
    along = measured(made, 257)
    assert along.cells == 1 and along.rises == 0 and along.dams == 0 and along.drawn > 0.95


@pytest.mark.parametrize("seed", [4, 5, 7, 11, 20])
def test_a_river_that_ends_inland_is_led_on_from_its_end(seed):
    """The way to an outlet leads back where the terrain falls toward the source."""
    drainage = drainage_of(solve(recipe("inland", seed, "128")))
    (found,) = lines_of(drainage)
    (drawn,) = LINES["inland"]
    assert distance(drawn[:, 0], drawn[:, 1], found).max() < drainage.spacing / 2
    assert np.hypot(*found[-1]) > 500


@pytest.mark.parametrize("kind", ["plateau", "keep"])
def test_rivers_of_plateaus_and_of_real_terrain_follow_their_lines(kind):
    made = recipe("crossing", 1, "128")
    eroding = made.layers[-1]
    other = dataclasses.replace(eroding, settings=dataclasses.replace(eroding.settings, type=kind))
    layers = (*made.layers[:-1], other)
    along = measured(dataclasses.replace(made, layers=layers), 257)
    assert along.cells == 1 and along.off < 1
    assert along.rises == 0 and along.dams == 0
    assert along.samples >= 0.995


def test_without_a_shape_erosion_has_the_bits_of_a_terrain_without_a_river():
    drawn = recipe("inland", 2, "128")
    dry = tuple(layer for layer in drawn.layers if layer.settings.key != "river")
    plain = dataclasses.replace(drawn, layers=dry, shapes=())
    grid = plain.grid(65)
    expected = evaluate(plain, grid).height
    for shapes in ((), (Shape.empty("Lines"),), (Shape.of("Lines", [[(0, 0)]]),)):
        found = evaluate(dataclasses.replace(drawn, shapes=shapes), grid).height
        np.testing.assert_array_equal(found, expected)
    assert not np.array_equal(evaluate(drawn, grid).height, expected)


@pytest.mark.parametrize("eroded", [True, False])
def test_windows_have_the_bits_of_the_whole(eroded):
    made = recipe("meeting", 3, "128")
    if not eroded:
        made = dataclasses.replace(made, layers=made.layers[:-1])
    solution, grid = solve(made), made.grid(257)
    whole = evaluate(made, grid, solution=solution).height
    for i, j, nx, ny in ((30, 30, 64, 50), (100, 90, 40, 77), (200, 190, 57, 67), (5, 250, 1, 1)):
        part = evaluate(made, grid.window(i, j, nx, ny), solution=solution).height
        np.testing.assert_array_equal(part, whole[j : j + ny, i : i + nx])


def alone(lines=None, **river):
    """A terrain with rivers and no erosion."""
    lines = LINES["crossing"] if lines is None else lines
    noise = LAYERS["fractal_noise"](octaves=5, height=150.0, size=400.0)
    layers = (Layer.of(noise), Layer.of(LAYERS["river"](source="Lines", **river)))
    return Recipe(seed=4, layers=layers, shapes=(Shape.of("Lines", lines),))


@pytest.mark.parametrize("points", [129, 513])
def test_without_erosion_the_bed_falls_all_the_way(points):
    made = alone([winding((-400, 300), (380, -250))])
    (part,) = solve(made).parts.values()
    grid = made.grid(points)
    height = evaluate(made, grid).height
    ground = evaluate(dataclasses.replace(made, layers=made.layers[:1]), grid).height
    found = nearest(part.segments, grid, reach=0.5 * grid.dx)
    bed = np.flatnonzero(found.segment.ravel() >= 0)
    order = bed[np.argsort(found.parameter().ravel()[bed])]
    assert np.diff(height.ravel()[order]).max() < 1e-4
    assert (height <= ground + 1e-3).ravel()[bed].mean() > 0.95


@pytest.mark.parametrize("seed", [3, 4, 8])
def test_the_water_of_a_river_that_ends_inland_above_erosion_passes_its_whole_line(seed):
    """At a dead end it would leave through the lowest valley beside the line."""
    (drawn,) = LINES["inland"]
    made = recipe("inland", seed, "128")
    noise, river, eroding = made.layers
    made = dataclasses.replace(made, layers=(noise, eroding, river))
    grid = made.grid(257)
    height = evaluate(made, grid).height
    below = receivers(route(height).directions)
    i, j = np.rint((drawn[2] - (grid.x0, grid.y0)) / grid.dx).astype(int)
    path = [j * grid.nx + i]
    while below[path[-1]] != path[-1]:
        path.append(int(below[path[-1]]))
    rows, columns = np.divmod(path, grid.nx)
    passed = np.stack([grid.x[columns], grid.y[rows]], 1)
    assert distance(drawn[2:, 0], drawn[2:, 1], passed).max() < 2.5 * grid.dx


def ending_at_water(middle, **river):
    """A plain that falls to one side, with a dome or a hollow in the middle, and a river that ends
    on land; returns the place where its bed ends."""
    x = np.linspace(-SIZE / 2, SIZE / 2, 257)
    broad = 0.02 * x[:, None] + middle * np.exp(-((np.hypot(x[None], x[:, None]) / 150) ** 2))
    below = Layer.of(LAYERS["height_map"](source="Broad", high=1.0))
    made = Recipe(
        layers=(below, Layer.of(LAYERS["river"](source="Lines", **river))),
        shapes=(Shape.of("Lines", [[(0, 480), (20, 260)] if middle < 0 else [(0, 0), (0, -60)]]),),
        maps=(Map("Broad", broad.astype(np.float32)),),
        water=Water(level=10.0),
    )
    (part,) = solve(made).parts.values()
    return part.points[:2, -1]


def test_a_river_that_ends_on_land_runs_to_a_lake_or_to_the_sea():
    assert np.hypot(*ending_at_water(-60.0)) < 250
    coast = np.hypot(*ending_at_water(60.0, sea=True))
    assert 150 < coast < 300
    assert np.abs(ending_at_water(60.0)).max() > 490


def test_a_river_passes_a_lake_that_lies_higher_than_its_line():
    height = np.array([[9, 2, 9, 5, 6, 5, 1]], np.float32)
    still = np.full(height.shape, np.inf, np.float32)
    still[0, 3:6] = 6
    plain = FloodPlain(height, border(height.shape), Grid(7, 1, 0, 0, 1, 1), still=still)
    way, course = [2, 3, 4, 5, 6], Course(np.array([[0.0, 0], [2, 0]]), np.ones(2), FORM)
    assert plain.to_still_water(way, np.array([0, 2]), course) == [2, 3]
    assert plain.to_still_water(way, np.array([0, 1, 2]), course) == way


def test_a_river_widens_with_its_discharge_or_as_its_radius_says():
    line = np.column_stack([np.linspace(-450, 490, 200), np.zeros(200)])
    radius = np.linspace(2.0, 0.5, 200)
    shape = Shape.of("Lines", [np.column_stack([line, np.zeros(200), radius])])

    def widths(widths):
        made = alone([line], widths=widths, width=20.0)
        made = dataclasses.replace(made, shapes=(shape,))
        (part,) = solve(made).parts.values()
        return np.interp([-100.0, 100.0, 400.0], part.points[0], 2 * part.points[3])

    found = np.interp([-100.0, 100.0, 400.0], line[:, 0], radius)
    np.testing.assert_allclose(widths("curve"), 20 * found, rtol=0.01)
    assert (np.diff(widths("flow") / found) > 0).all()


def test_masks_and_opacity_do_not_break_a_river():
    plain = alone()
    layer = dataclasses.replace(plain.layers[1], opacity=0.5, blend="add")
    weighed = dataclasses.replace(plain, layers=(plain.layers[0], layer))
    grid = plain.grid(65)
    np.testing.assert_array_equal(evaluate(weighed, grid).height, evaluate(plain, grid).height)


@pytest.mark.parametrize("case", ["ridge", "inland"])
def test_the_water_lies_on_the_drawn_line(case):
    made = recipe(case, 2, "128")
    shown = dataclasses.replace(made, water=Water(rivers=True))
    grid = shown.grid(257)
    mesh = inland_water(shown, evaluate(shown, grid).height, grid).rivers
    (line,) = LINES[case]
    line = line[(np.abs(line) < 490).all(axis=1)]
    middle = mesh.points[mesh.faces][..., :2].mean(axis=1)
    away = np.hypot(*(middle[:, None] - line[None]).T).min(axis=1)
    assert away.max() < grid.dx  # half the length of a face is as much as 0.7 of it


def test_a_moved_point_makes_another_terrain_in_the_same_cache():
    cache, first = Cache(), recipe("inland", 5, "128")
    moved = [line + np.array([0.0, 25.0]) for line in LINES["inland"]]
    second = dataclasses.replace(first, shapes=(Shape.of("Lines", moved),))
    grid = first.grid(65)
    one = evaluate(first, grid, cache=cache).height
    two = evaluate(second, grid, cache=cache).height
    np.testing.assert_array_equal(two, evaluate(second, grid).height)
    assert not np.array_equal(one, two)


@pytest.mark.slow
@pytest.mark.parametrize("case", ["ridge", "inland"])
def test_valleys_far_from_a_moved_point_stay(case):
    """The valley of a river that is cut 160 m deep through the ridge is up to 250 m wide to either
    side."""
    (drawn,) = LINES[case]
    line = drawn.copy()
    line[58:63, 1] += 0.5
    moved = (Shape.of("Lines", [line]),)
    grid = recipe(case, 1).grid(257)
    x, y = np.broadcast_arrays(grid.x[None], grid.y[:, None])
    away = distance(x.ravel(), y.ravel(), drawn[::3]).reshape(grid.shape)
    far, near = [], []
    for seed in range(1, 7):
        made = recipe(case, seed)
        after = evaluate(dataclasses.replace(made, shapes=moved), grid).height
        change = np.abs(after - evaluate(made, grid).height)
        far.append(change[away > 250].mean())
        near.append(change[away < 250].mean())
    assert np.mean(far) < 0.002 and np.median(far) < 0.001 < np.mean(near)


def without_rivers(made):
    """The terrain of a recipe without its drawn rivers."""
    dry = tuple(layer for layer in made.layers if layer.settings.key != "river")
    return dataclasses.replace(made, layers=dry, shapes=())


def test_land_whose_rivers_keep_their_water_is_that_without_a_drawn_river():
    made = recipe("ridge", 2, "128")
    drawn, plain = drainage_of(solve(made)), drainage_of(solve(without_rivers(made)))
    below = receivers(drawn.directions)
    near = nearest(drawn.drawn.segments, cells_of(drawn), 12 * drawn.spacing).segment >= 0
    reached = near | (drawn.area != plain.area) | (drawn.directions != plain.directions)
    reached = reached.ravel()
    for _ in range(9):  # doubling: whether the water of a cell passes one of these
        reached = reached | reached[below]
        below = below[below]
    apart = ~grown(reached.reshape(near.shape))
    assert apart.sum() > 500
    np.testing.assert_allclose(drawn.height[apart], plain.height[apart], rtol=0, atol=1e-4)
    assert np.abs(drawn.height - plain.height)[near].mean() > 1


def test_sides_of_a_valley_cut_through_hills_are_as_steep_as_those_around():
    """Without an opening as wide as that of other valleys they are 1.42 times as steep."""
    made = presets.load("eroded_hills")
    noise, eroding, _ = made.layers
    coarse = dataclasses.replace(eroding.settings, resolution="128")
    layers = (noise, Layer.of(LAYERS["river"](source="Line")), Layer.of(coarse))
    line = Shape.of("Line", [winding((-700, 300), (990, -100), 60.0)])
    made = dataclasses.replace(made, layers=layers, shapes=(line,), seed=1)
    drawn, plain = drainage_of(solve(made)), drainage_of(solve(without_rivers(made)))
    away = nearest(drawn.drawn.segments, cells_of(drawn), 150.0).distance
    beside = (away > 40) & (away < 150)
    one, two = (
        np.quantile(steepness(land.height, land.spacing, land.spacing)[beside], 0.95)
        for land in (drawn, plain)
    )
    assert (drawn.height < plain.height - 10)[beside].mean() > 0.1
    assert one < 1.15 * two


def test_a_bed_that_crosses_valleys_falls_in_no_steps():
    drawn = drainage_of(solve(recipe("ridge", 2, "128"))).drawn
    fall = -np.diff(drawn.points[2]) / np.hypot(*np.diff(drawn.points[:2]))
    assert 0 < fall.max() < 0.2


def cells_of(drainage):
    """The grid of the cells of a drainage."""
    rows, columns = drainage.height.shape
    spacing = drainage.spacing
    return Grid(columns, rows, drainage.x0, drainage.y0, spacing, spacing)


def grown(mask, cells=4):
    """A mask grown by some cells: creep and slides reach so far."""
    for _ in range(cells):
        padded = np.pad(mask, 1)
        mask = padded[:-2] | padded[1:-1] | padded[2:]
        mask = mask[:, :-2] | mask[:, 1:-1] | mask[:, 2:]
    return mask


def test_a_river_that_moves_does_not_solve_the_land_around_it_again(monkeypatch):
    solved = []
    whole = eroded_terrain.eroded
    monkeypatch.setattr(
        eroded_terrain, "eroded", lambda *args, **more: solved.append(1) or whole(*args, **more)
    )
    cache, made = Cache(), recipe("inland", 5, "128")
    for step in range(3):
        lines = [line + np.array([0.0, 5.0 * step]) for line in LINES["inland"]]
        solve(dataclasses.replace(made, shapes=(Shape.of("Lines", lines),)), cache=cache)
    assert len(solved) == 1


def test_heights_beside_a_drawn_river_follow_their_settings():
    """Its rivers are held as those of a terrain without it are."""
    made = recipe("inland", 3, "128").holding_rivers()
    noise, river, eroding = made.layers
    higher = dataclasses.replace(noise.settings, height=1.05 * noise.settings.height)
    layers = (dataclasses.replace(noise, settings=higher), river, eroding)
    after = dataclasses.replace(made, layers=layers)
    one, two = (drainage_of(solve(one)) for one in (made, after))
    change = two.height - one.height
    assert 0 < np.sqrt((change**2).mean()) < 0.06 * np.ptp(one.height)
    assert (two.directions == one.directions).mean() > 0.9


SPIRAL = np.linspace(0, 30, 100_000)
STRANGE = {
    "a point": [[(0, 0), (0, 0)]],
    "vertical": [[(10, 10, 0), (10, 10, 50)]],
    "outside": [[(3000, 0), (4000, 0)]],
    "from the outside through": [[(-900, 30), (900, -40)]],
    "along the border": [[(-500, -500), (500, -500)]],
    "crossing itself": [[(-300, 0), (300, 0), (300, 200), (0, 200), (0, -300)]],
    "back and forth": [[(-300, 0), (300, 0), (-300, 0)]],
    "of 100 000 points": [np.column_stack([SPIRAL * np.cos(SPIRAL), SPIRAL * np.sin(SPIRAL)]) * 12],
    "twice": [winding((-300, 0), (300, 0))] * 2,
    "a star": [[(400 * np.cos(a), 400 * np.sin(a)), (0, 0)] for a in range(6)],
    "very short": [[(0, 0), (0.01, 0)]],
}


@pytest.mark.parametrize("name", STRANGE)
@pytest.mark.parametrize("eroded", [True, False])
def test_strange_curves_make_terrain(name, eroded):
    made = recipe("inland", 1, "128") if eroded else alone()
    made = dataclasses.replace(made, shapes=(Shape.of("Lines", STRANGE[name]),))
    assert np.isfinite(evaluate(made, made.grid(65)).height).all()


def test_closed_lines_are_no_rivers():
    loop = Shape.of("Lines", [[(0, 0), (100, 0), (0, 100)]], CLOSED)
    assert Course.all_of(loop, FORM) == ()


def test_what_others_flow_into_comes_first():
    main = Course(np.array([[-100.0, 0], [100, 0]]), np.ones(2), FORM)
    side = Course(np.array([[0.0, 100], [0, 3]]), np.ones(2), FORM)
    assert in_order([side, main], 5.0)[0] is main
    assert in_order([main, side], 5.0)[0] is main


@given(
    st.lists(
        st.lists(st.tuples(st.integers(-3, 24), st.integers(-3, 20)), min_size=2, max_size=8),
        min_size=1,
        max_size=4,
    )
)
def test_cells_are_neighbors_and_rivers_never_cross(lines):
    shape = (18, 22)
    tracer, steps = Tracer(border(shape)), []
    for number, points in enumerate(lines):
        line = np.array(points, np.float64)
        if (line == line[0]).all():
            continue
        (course,) = Course.all_of(Shape.of("Line", [line]), FORM)
        tracer.lay(course.dense(0.25).line, number, joining=False)
    beds = tracer.laid()
    for bed in beds.beds:
        assert len(set(bed.cells.tolist())) == len(bed.cells) == len(bed.codes) + 1
        places = np.stack(np.divmod(bed.cells, shape[1]), axis=1)
        for (j, i), (k, m), code in zip(places[:-1], places[1:], bed.codes, strict=True):
            assert (k - j, m - i) == OFFSETS[code]
            steps.append((j + k, i + m, abs(k - j) + abs(m - i)))
        end = bed.cells[-1]
        if bed.joins is None:
            assert beds.outlets[end]
        else:
            assert beds.beds[bed.joins[0]].cells[bed.joins[1]] == end
    diagonal = [step[:2] for step in steps if step[2] == 2]
    assert len(set(diagonal)) == len(diagonal)  # two that cross have one middle
    cells = np.concatenate([bed.cells[:-1] for bed in beds.beds]) if beds.beds else np.empty(0)
    assert len(np.unique(cells)) == len(cells)


@given(st.integers(0, 2**31), st.integers(2, 30), st.integers(2, 20))
def test_beds_fall_across_confluences_and_are_as_high_as_they_can_be(seed, count, more):
    random = np.random.default_rng(seed)
    levels = [random.normal(0, 5, count), random.normal(0, 5, more)]
    falls = [np.cumsum(random.uniform(0.01, 0.1, n)) for n in (count, more)]
    place = int(random.integers(count))
    made = graded(levels, falls, [None, (0, place)], [None, None])
    for level, bed, fall in zip(levels, made, falls, strict=True):
        assert (np.diff(bed + fall) <= 1e-12).all()
        assert (bed[:-1] <= level[:-1] + 1e-12).all() or bed is made[1]
    assert made[1][-1] == made[0][place]
    # By brute force: the lowest level upstream, less the fall from there.
    for k in range(count):
        up = [levels[0][n] - falls[0][k] + falls[0][n] for n in range(k + 1)]
        if place <= k:
            side = [levels[1][n] - falls[1][-1] + falls[1][n] for n in range(more)]
            up += [one - falls[0][k] + falls[0][place] for one in side]
        assert made[0][k] == pytest.approx(min(up))


def test_places_before_a_bend_show_what_is_seen_after_it():
    shape = (60, 80)
    j, i = np.meshgrid(*(np.arange(n, dtype=np.float32) for n in shape), indexing="ij")
    rows, columns = bent([j, i], seed=7)
    inner = np.stack(np.meshgrid([20.0, 33.0], [25.0, 50.0], indexing="ij"), -1).reshape(-1, 2)
    found = before_bend(shape, 7, inner)
    at = tuple(inner.astype(int).T)
    np.testing.assert_allclose(found, np.stack([rows[at], columns[at]], 1), atol=1e-4)
