# SPDX-License-Identifier: GPL-3.0-or-later
"""Pattern layers: each has the form that it promises."""

from typing import Any

import numpy as np
import pytest

from terrain_addon.core import Grid, Layer, Recipe, evaluate, noise, presets
from terrain_addon.core.layers import LAYERS
from terrain_addon.core.layers.generate.patterns._crater_field import laid_out
from terrain_addon.core.numerics import axis as noise_square
from terrain_addon.core.settings import settings_of

PATTERNS = [
    "cinder_cones", "cracks", "craters", "dunes", "hills", "mesa", "plates", "ramp", "rings",
    "volcano", "waves",
]  # fmt: skip


def made(key, grid, seed=1, **values):
    recipe = Recipe(seed=seed, layers=(Layer.of(LAYERS[key](**values)),))
    return evaluate(recipe, grid).height


def line(start, stop, count):
    """A grid of one row along X."""
    return Grid(count, 1, start, 0.0, (stop - start) / (count - 1), 1.0)


def square(size, count):
    step = size / (count - 1)
    return Grid(count, count, -size / 2, -size / 2, step, step)


@pytest.mark.parametrize("key", PATTERNS)
def test_height_scales_and_turning_turns(key):
    grid = square(800, 41)
    once = made(key, grid, height=10.0)
    thrice = made(key, grid, height=-30.0)
    if key == "dunes":  # steeper slip faces get longer
        assert np.abs(thrice + 3 * once).max() > 1
    else:
        np.testing.assert_allclose(thrice, -3 * once, atol=1e-4)
    turned = made(key, grid, height=10.0, rotation=90.0)
    np.testing.assert_allclose(turned, np.rot90(once, -1), atol=2e-3)


@pytest.mark.parametrize("key", PATTERNS)
def test_moving_moves_and_warp_bends_by_its_amount_at_most(key):
    grid = square(800, 41)
    once = made(key, grid)
    moved = made(key, grid, center_x=40.0, center_y=-20.0)
    np.testing.assert_allclose(moved[:-1, 2:], once[1:, :-2], atol=2e-2)
    bent = made(key, grid, warp_amount=30.0)
    assert np.abs(bent - once).max() > 0.1
    fine = made(key, square(800, 401))
    # Every bent height is a height found near by.
    low, high = (
        np.array([[f(fine[max(j - 20, 0):j + 21, max(i - 20, 0):i + 21])
                   for i in range(200, 210, 5)] for j in range(200, 210, 5)])
        for f in (np.min, np.max)
    )  # fmt: skip
    bent = made(key, square(800, 401), warp_amount=30.0)[200:210:5, 200:210:5]
    assert (bent >= low - 0.5).all()
    assert (bent <= high + 0.5).all()


@pytest.mark.parametrize("key", PATTERNS)
def test_windows_of_bent_patterns_have_the_same_bits(key, monkeypatch):
    monkeypatch.setattr(noise_square, "LEAST", 2)  # arrays, that know no origin, would show
    grid = Grid.points(1000.0, 700.0, 91, 64)
    whole = made(key, grid, warp_amount=30.0)
    for i, j, nx, ny in ((0, 0, 30, 20), (40, 31, 51, 23), (80, 5, 1, 59), (50, 50, 1, 1)):
        part = made(key, grid.window(i, j, nx, ny), warp_amount=30.0)
        np.testing.assert_array_equal(part, whole[j : j + ny, i : i + nx])


@pytest.mark.parametrize("key", ["dunes", "craters", "hills", "plates", "cracks"])
def test_bent_patterns_that_take_long_ask_often(key):
    reported = []
    recipe = Recipe(layers=(Layer.of(LAYERS[key](warp_amount=20.0)),))
    evaluate(recipe, square(1000.0, 520), progress=lambda share, *_: reported.append(share))
    assert len(reported) >= 4


def test_craters_of_many_sizes_ask_at_each_of_them():
    def polls(octaves):
        asked = []
        recipe = Recipe(layers=(Layer.of(LAYERS["craters"](octaves=octaves)),))
        evaluate(recipe, square(1000.0, 30), cancelled=lambda: bool(asked.append(1)))
        return len(asked)

    assert polls(8) >= polls(2) + 2 * 6


@pytest.mark.parametrize("profile", ["sine", "triangle", "sawtooth", "ridges", "furrows", "steps"])
def test_waves_have_their_length_and_range(profile):
    got = made("waves", line(0, 400, 801), size=100.0, height=1.0, profile=profile)[0]
    np.testing.assert_allclose(got[:600], got[200:800], atol=1e-5)
    assert got.min() == pytest.approx(0, abs=0.02)
    assert got.max() == pytest.approx(1, abs=0.02)
    assert np.abs(got[:100] - got[100:200]).max() > 0.4


def test_rings_are_round_and_die_away():
    got = made("rings", square(800, 81), size=100.0, reach=150.0, height=1.0)
    np.testing.assert_allclose(got, got.T, atol=1e-5)
    np.testing.assert_allclose(got, got[::-1], atol=1e-5)
    row = got[40, 40:]
    assert row[10] == pytest.approx(np.exp(-100 / 150), abs=1e-3)
    assert row[5] == pytest.approx(0, abs=1e-3)


def test_dunes_are_steeper_on_the_lee_side():
    values: dict[str, Any] = {"size": 100.0, "wandering": 0.0, "patchiness": 0.0, "height": 2.0}
    for asymmetry, ratio in ((0.0, 1.0), (0.6, 4.0)):
        got = made("dunes", line(0, 100, 2001), asymmetry=asymmetry, **values)[0]
        slope = np.diff(got)
        assert -slope.min() / slope.max() == pytest.approx(ratio, rel=0.1)
        assert got.max() == pytest.approx(2, abs=0.01)


def slopes(height, step):
    """In degrees, and the part that rises along X."""
    along_y, along_x = np.gradient(height.astype(float), step)
    return np.degrees(np.arctan(np.hypot(along_x, along_y))), along_x


@pytest.mark.slow
@pytest.mark.parametrize("wandering", [0.6, 1.5, 3.0])
def test_slip_faces_of_dunes_are_as_steep_as_sand_stands(wandering):
    grid = square(1000, 1001)
    for height, warp, most in ((12.0, 0.0, 33), (20.0, 10.0, 36)):
        got = made("dunes", grid, height=height, wandering=wandering, warp_amount=warp)
        angle, _ = slopes(got, grid.dx)
        assert np.percentile(angle, 99.9) < most
        assert np.percentile(angle, 99) > 27, "there are slip faces"
    gentle, _ = slopes(made("dunes", grid, slip_angle=20.0), grid.dx)
    assert np.percentile(gentle, 99.9) < 23


@pytest.mark.parametrize("wandering", [0.6, 1.5, 3.0])
def test_slip_faces_look_down_the_wind(wandering):
    """No crest turns back, breaks or closes to a loop: what is steep falls along X."""
    grid = square(1000, 501)
    for seed in range(3):
        angle, along = slopes(made("dunes", grid, seed=seed, wandering=wandering), grid.dx)
        steep = angle > 25
        assert steep.mean() > 0.02
        assert np.mean(along[steep] < 0) > 0.999


def test_high_dunes_that_have_no_room_get_lower():
    grid = square(1000, 501)
    got = made("dunes", grid, height=60.0, patchiness=0.0)
    assert 15 < got.max() < 50


def test_craters_have_floor_rim_and_peak():
    values = {
        "octaves": 1,
        "density": 0.25,
        "size": 300.0,
        "height": 100.0,
        "floor": 0.4,
        "wear": 0.0,
    }
    fields = [made("craters", square(3000, 601), peak=peak, **values) for peak in (0.0, 0.4)]
    bare, peaked = fields
    assert -75 < bare.min() < -50  # filled to 0.6 of the depth, deeper where two overlap
    assert 15 < bare.max() < 60  # rims of a quarter of it, on rims of others
    assert np.mean(bare == 0) > 0.3  # untouched terrain between them
    assert 35 < (peaked - bare).max() < 45
    assert peaked.min() > bare.min() - 0.01
    # Continuous: no jump anywhere, also not where one cell's reach ends.
    assert np.abs(np.diff(bare, axis=0)).max() < 15


def test_smaller_craters_are_more_and_shallower():
    large = made("craters", square(3000, 301), octaves=1)
    small = made("craters", square(3000, 301), octaves=4)
    assert np.abs(small - large).max() <= 100 * (0.5 + 0.25 + 0.125) * 2
    assert np.mean(small != 0) > np.mean(large != 0)


def test_hills_are_as_dense_as_asked_and_smooth():
    grid = square(2000, 401)
    empty, few, many = (made("hills", grid, density=d, height=1.0) for d in (0.0, 0.2, 1.0))
    assert not empty.any()
    assert 0 < few.mean() < 0.5 * many.mean()
    assert few.min() == 0
    assert np.abs(np.diff(many, axis=1)).max() < 0.25


def test_plates_are_flat_inside_and_cracks_run_between_them():
    grid = square(1000, 501)
    plates = made("plates", grid, bevel=0.0, height=1.0)
    assert 20 < np.unique(plates).size < 120
    cracks = made("cracks", grid, height=1.0)
    jumps = np.abs(np.diff(plates, axis=1)) > 1e-3
    assert (cracks[:, 1:][jumps] < -0.8).mean() > 0.95
    assert cracks.max() == 0
    raised = made("cracks", grid, height=1.0, raised=True)
    np.testing.assert_array_equal(raised, -cracks)
    sparse = made("cracks", grid, height=1.0, sparseness=0.6)
    assert 0.05 < sparse.sum() / cracks.sum() < 0.8


def test_cracks_are_as_wide_wherever_they_run():
    """Also where the middles of two cells lie close: no wide fans, no pits within cells."""
    axis = np.linspace(-20, 20, 801)
    x, y = (a.ravel() for a in np.meshgrid(axis, axis))
    values, middle, border = (a.reshape(801, 801) for a in noise.cell_borders(x, y, 3))
    step = axis[1] - axis[0]
    # A distance: it changes as fast as one goes, but along the middle lines of cells.
    slope = np.hypot(*np.gradient(border.astype(float), step))
    inside = border > 2 * step
    assert max(np.abs(np.diff(border, axis=k)).max() for k in (0, 1)) < 1.01 * step
    assert np.mean(slope[inside] > 0.98) > 0.65
    # The border is where the cell is another one, and nowhere else.
    other = np.diff(values, axis=1) != 0
    nearer = np.minimum(border[:, 1:], border[:, :-1])
    assert nearer[other].max() < step and (border > -1e-6).all()
    usual = {"seed": 3, "distance_function": "euclidean"}
    same = noise.sample("cellular", x, y, return_type="distance", **usual).reshape(801, 801)
    np.testing.assert_allclose(middle, same + 1, atol=1e-6)
    same = noise.sample("cellular", x, y, return_type="cell_value", **usual).reshape(801, 801)
    np.testing.assert_array_equal(values, same)


@pytest.mark.parametrize(
    ("key", "size"), [("plates", 1e-3), ("cracks", 1e-3), ("hills", 1e-2), ("craters", 1e-2)]
)
def test_tiny_cells_far_away_are_as_varied_as_near(key, size):
    """Billions of cells from the origin: more than 32 bits tell apart."""
    near, far = (
        made(key, square(20 * size, 201), center_x=x, center_y=-x, size=size) for x in (0.0, 1e7)
    )
    assert far.std() == pytest.approx(near.std(), rel=0.25)


def test_volcano_rises_to_a_rim_around_its_crater():
    got = made("volcano", line(0, 600, 601), radius=500.0, crater=0.2, crater_depth=0.3,
               steepening=1.0, height=100.0)[0]  # fmt: skip
    assert got.argmax() == pytest.approx(100, abs=1)
    assert got.max() == pytest.approx(80, abs=1)
    assert got[0] == pytest.approx(50, abs=1)
    assert not got[500:].any()
    ribbed, smooth = (
        made("volcano", square(1000, 101), crater=0.0, ribs=ribs, rib_depth=0.5, height=100.0)
        for ribs in (12, 0)
    )
    assert (ribbed <= smooth + 1e-3).all()
    assert (smooth - ribbed).max() > 5


def test_the_rim_of_a_ribbed_volcano_is_uneven():
    angle = np.linspace(0, 2 * np.pi, 60, endpoint=False)
    for crater in (0.15, 0.3, 0.9):
        rims = []
        for turned in np.degrees(angle):
            got = made("volcano", line(0, 600, 301), radius=500.0, crater=crater, ribs=12,
                       rotation=turned, height=100.0)[0]  # fmt: skip
            assert np.isfinite(got).all()
            rims.append((2 * got.argmax(), got.max()))
        radius, height = np.array(rims).T
        assert np.ptp(radius) > 20 or crater == 0.9
        assert np.ptp(height) > 4


def test_towers_have_walls_of_tower_karst_and_round_tops():
    """Walls of 60 to 80 degrees: Derek Ford and Paul Williams, Karst Hydrogeology and
    Geomorphology, 2007."""
    towers: dict[str, Any] = {"size": 270.0, "height": 185.0, "steepness": 1.0, "density": 0.3}
    height = made("hills", square(800, 401), **towers)
    angle, _ = slopes(height, 2.0)
    walls = angle[(height > 4) & (height < 0.5 * height.max())]
    assert 60 <= np.median(walls) <= 80
    assert np.median(angle[height > 0.85 * height.max()]) < 35
    assert height.max() < 186, "towers that meet do not add up"
    clustered = made("hills", square(4000, 101), clustering=1.0, **towers)
    assert np.mean(clustered > 8) < 0.7 * np.mean(made("hills", square(4000, 101), **towers) > 8)


def crater(diameter, age=0.0, octave=0, **values):
    """Return radii from the center, 0 to 1.6, and heights there in meters."""
    r = np.linspace(0, 1.6, 1601, dtype=np.float32)
    craters = LAYERS["craters"](size=diameter, **values)
    height, _ = craters._profile(r, np.float32(age), octave)
    return r, height.astype(float) * craters.height


def test_craters_of_the_moon_are_as_deep_as_their_age_lets_them():
    """0.2 of the diameter when fresh (Richard Pike, Size-dependence in the shape of fresh impact
    craters on the Moon, 1977), 0.05 when old."""
    layers = presets.load("crater_field").layers
    for layer, old in ((layers[1], 0.05), (layers[2], None)):
        values = {**layer.settings.to_dict(), "complex_size": 0.0}
        diameter = values.pop("size")
        r, fresh = crater(diameter, **values)
        assert np.ptp(fresh) / diameter == pytest.approx(0.2, abs=0.02)
        assert 0.95 < r[fresh.argmax()] < 1.1
        assert 0.03 < fresh.max() / diameter < 0.05
        if old:
            assert np.ptp(crater(diameter, age=1.0, **values)[1]) / diameter < old + 0.015


def test_large_craters_are_shallow_terraced_and_peaked():
    """Depths of complex craters in km: 1.044 D^0.301, of simple ones 0.196 D^1.01 (Pike 1977)."""
    kind: dict[str, Any] = {"complex_size": 15_000.0, "height": 7200.0, "floor": 0.2, "wear": 0.0}
    for octave, wanted in ((0, 1.044 * 30**0.301), (1, 0.196 * 15**1.01)):
        diameter = 30.0 * 0.5**octave
        r, height = crater(40_000.0, octave=octave, **kind)
        # The profile is in depths of the largest craters, whose mean is 0.75 of the largest.
        part = 0.75 * 0.5**octave * height / 1000
        bottom = part[(r > 0.3) & (r < 0.9)].min()
        assert part.max() - bottom == pytest.approx(wanted, rel=0.25)
        wall = np.diff(part[(r > 0.55) & (r < 0.95)])
        is_complex = diameter > 15
        assert (part[0] > bottom + 0.3) == is_complex, "a central peak"
        assert (wall.min() < 0.3 * wall.mean()) == is_complex, "terraces"
    _, plain = crater(40_000.0, **{**kind, "complex_size": 0.0})
    assert plain[0] > plain[400] + 500, "the two largest sizes have peaks by default"


def test_mesa_has_a_flat_top_a_cliff_and_a_skirt():
    got = made("mesa", line(0, 700, 701), radius=300.0, cliff=0.1, skirt=0.3, skirt_width=0.5,
               squareness=0.0, height=100.0)[0]  # fmt: skip
    np.testing.assert_allclose(got[:290], 100, atol=1e-3)
    assert got[330] == pytest.approx(30, abs=0.5)
    assert not got[480:].any()
    assert (np.diff(got) <= 1e-4).all()
    square_top = made("mesa", square(640, 65), squareness=1.0, radius=300.0, height=1.0)
    round_top = made("mesa", square(640, 65), squareness=0.0, radius=300.0, height=1.0)
    assert (square_top > 0.99).sum() > 1.15 * (round_top > 0.99).sum()


def test_ramp_rises_between_its_ends():
    got = made("ramp", line(-500, 500, 101), size=400.0, height=10.0, smoothness=0.0)[0]
    assert not got[:30].any()
    assert got[50] == pytest.approx(5, abs=1e-4)
    assert (got[70:] == 10).all()
    for smoothness in (0.1, 0.5, 1.0):  # no crease: slopes change little from point to point
        got = made("ramp", line(-500, 500, 1001), size=400.0, height=400.0, smoothness=smoothness)
        slope = np.diff(got[0])
        assert np.abs(np.diff(slope)).max() < 0.011 / smoothness / (1 - smoothness / 2)
        assert slope.min() == 0 and got.min() == 0 and got.max() == 400
        assert slope.max() == pytest.approx(1 / (1 - smoothness / 2), rel=0.01)
    endless = made("ramp", line(-500, 500, 101), size=400.0, height=10.0, endless=True)[0]
    np.testing.assert_allclose(np.diff(endless), 0.25, atol=1e-4)


def test_small_craters_dig_into_the_floors_of_large_ones():
    values: dict[str, Any] = {"size": 400.0, "density": 0.8, "peak": 0.0, "rim_height": 0.0}
    large, both = (made("craters", square(1200, 513), octaves=n, **values) for n in (1, 2))
    floor = large < 0.6 * large.min()
    assert floor.mean() > 0.05
    assert (both[floor] < large[floor] - 1).mean() > 0.05


def test_crests_of_craters_are_round():
    """A grid that is twice as fine has a quarter of the bend between its samples, not half."""
    for values in ({"octaves": 1}, {"octaves": 3, "wear": 0.0}):
        bends = [
            np.abs(np.diff(made("craters", line(-1500, 1500, count), **values)[0], n=2)).max()
            for count in (6001, 12001)
        ]
        assert bends[1] < 0.3 * bends[0]
        assert bends[0] < 0.1, "of a depth of 60 m, at a spacing of 0.5 m"


def test_the_younger_of_two_craters_covers_the_older():
    """Discs of the height of their size are never seen through others of them."""
    x, y = (axis.ravel() for axis in np.meshgrid(*[np.linspace(-3, 3, 301)] * 2))
    ages = {}

    def disc(r, age, octave):
        ages[octave] = age
        return np.where(r < 1, 1 + age, 0).astype(np.float32), (r >= 1).astype(np.float32)

    every: dict[str, Any] = {"size": 1.0, "density": 1.0, "reach": 1.5}
    one = laid_out(x, y, 5, octaves=1, profile=disc, **every)
    assert 0.25 < np.mean(one > 0) < 0.4
    assert one.max() <= 2, "a sum would be higher"
    # Where two lie, it is mostly a young one that is seen.
    assert 0 <= ages[0].min() < 0.1 and 0.9 < ages[0].max() <= 1
    several = laid_out(x, y, 5, octaves=3, profile=disc, **every)
    assert several.max() <= 2 + 1 + 0.5


def test_a_young_crater_lies_on_the_slope_of_an_old_one():
    """The terrain inside it is a plane, whatever older rims it covers."""
    x, y = (axis.ravel() for axis in np.meshgrid(*[np.linspace(-2, 2, 401)] * 2))

    def profile(r, age, octave):
        if octave == 0:  # ridges all around old, large craters
            return np.exp(-50 * np.abs(r - 1)).astype(np.float32), np.ones_like(r)
        return np.zeros_like(r), (r >= 1).astype(np.float32)

    every = {"size": 1.0, "density": 1.0, "reach": 1.8, "profile": profile}
    large, both = (laid_out(x, y, 3, octaves=n, **every).reshape(401, 401) for n in (1, 2))
    cut = (both != large)[1:-1, 1:-1]
    bend = [np.abs(h[:-2, 1:-1] - 2 * h[1:-1, 1:-1] + h[2:, 1:-1]) for h in (large, both)]
    inside = cut[:-2, 1:-1] & cut[2:, 1:-1] & cut[1:-1, 1:-1]
    before, after = (b[1:-1, 1:-1][inside] for b in bend)
    assert inside.mean() > 0.1 and before.max() > 0.1
    assert np.mean(after > 1e-3) < 0.2 * np.mean(before > 1e-3)


def test_old_craters_are_worn():
    grid = square(3000, 601)
    fresh, worn = (made("craters", grid, octaves=1, wear=wear) for wear in (0.0, 1.0))
    assert np.mean(np.abs(worn)) < 0.8 * np.mean(np.abs(fresh))
    assert worn.min() > 0.98 * 60 * -1 and worn.max() <= fresh.max() + 1
    assert np.abs(worn - fresh).min() == 0 and np.abs(worn - fresh).max() > 15


COMMON = ["height", "seed", "center_x", "center_y", "rotation", "warp_amount", "warp_size"]


@pytest.mark.parametrize("key", PATTERNS)
def test_settings_begin_with_what_a_pattern_is_about(key):
    names = [one.name for one in settings_of(LAYERS[key])]
    assert names[-8:] == [*COMMON, "warp_octaves"]
    assert len(names) > 8 and not set(names[:-8]) & set(COMMON)


def test_noise_begins_with_what_noise_it_is():
    names = [one.name for one in settings_of(LAYERS["fractal_noise"])]
    assert names[:5] == ["basis", "fractal", "size", "height", "octaves"]
    own = [s.name for fractal in noise.FRACTALS.values() for s in fractal.settings]
    own += [s.name for basis in noise.BASES.values() for s in basis.settings]
    assert max(map(names.index, own)) < names.index("seed") < names.index("offset_x")
    assert names.index("rotation") < names.index("warp_amount") < names.index("keep_fine")
