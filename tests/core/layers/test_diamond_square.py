# SPDX-License-Identifier: GPL-3.0-or-later
import numpy as np
import pytest
from hypothesis import given, strategies as st

from terrain_addon.core import Grid, Layer, Recipe, evaluate
from terrain_addon.core.layers import LAYERS
from terrain_addon.core.layers.generate.diamond_square import base_squares
from terrain_addon.core.noise.diamond_square import (
    lattice as diamond_lattice,
    sample as diamond_sampling,
)
from terrain_addon.core.noise.diamond_square.lattice import DiamondSquareLattice
from terrain_addon.core.numerics.hashing import hashed, signed_unit

DiamondSquare = LAYERS["diamond_square"]


def poll():
    pass


def lattice(wrap=False, cells=(1, 1), seed=5, roughness=0.8, curved=False):
    return DiamondSquareLattice(
        seed, cells, (10.0, -20.0, 30.0, 5.0), 100.0, roughness, wrap, curved
    )


def whole(made, level):
    mx, my = (cells << level for cells in made.cells)
    return made.nodes(level, np.arange(my + 1), np.arange(mx + 1), poll)


def terrain(kind, resolution, **recipe):
    made = Recipe(layers=(Layer.of(kind),), **recipe)
    return evaluate(made, made.grid(resolution)).height


@pytest.mark.parametrize("wrap", [False, True])
@pytest.mark.parametrize("curved", [False, True])
@pytest.mark.parametrize("cells", [(1, 1), (3, 1), (1, 2)])
def test_a_finer_lattice_keeps_the_coarse_nodes(wrap, curved, cells):
    made = lattice(wrap, cells, curved=curved)
    for level in range(6):
        np.testing.assert_array_equal(whole(made, level + 1)[::2, ::2], whole(made, level))


@pytest.mark.parametrize("wrap", [False, True])
def test_nodes_lie_within_a_displacement_of_the_mean_of_their_neighbors(wrap):
    made = lattice(wrap)
    for level in range(1, 7):
        scale = 100 * 2.0 ** (-0.8 * (level - 1))
        new = whole(made, level).astype(float)
        last = len(new) - 1
        for j, i in np.ndindex(new.shape):
            if j % 2 == 0 and i % 2 == 0:
                continue
            square = [(-1, -1), (-1, 1), (1, -1), (1, 1)]
            diamond = [(-1, 0), (1, 0), (0, -1), (0, 1)]
            near = square if j % 2 and i % 2 else diamond
            places = [(j + a, i + b) for a, b in near]
            if wrap:
                places = [(a % last, b % last) for a, b in places]
            inside = [new[a, b] for a, b in places if 0 <= a <= last and 0 <= b <= last]
            assert len(inside) == (4 if wrap else 4 - (j in (0, last)) - (i in (0, last)))
            most = scale if j % 2 and i % 2 else scale * 2**-0.4
            assert abs(new[j, i] - np.mean(inside)) <= most * (1 + 1e-4)


@given(
    st.booleans(),
    st.booleans(),
    st.integers(0, 6),
    st.tuples(st.integers(0, 64), st.integers(0, 64)),
    st.tuples(st.integers(1, 20), st.integers(1, 20)),
)
def test_any_window_has_the_bits_of_the_whole(wrap, curved, level, start, size):
    made = lattice(wrap, curved=curved)
    full = whole(made, level)
    count = full.shape[0]
    rows, columns = (
        np.arange(min(s, count - 1), min(min(s, count - 1) + n, count))
        for s, n in zip(start, size, strict=True)
    )
    part = made.nodes(level, rows, columns, poll)
    np.testing.assert_array_equal(part, full[np.ix_(rows, columns)])


@given(st.booleans(), st.booleans(), st.sets(st.integers(0, 64), min_size=1), st.data())
def test_scattered_rows_and_columns_have_the_bits_of_the_whole(wrap, curved, rows, data):
    made = lattice(wrap, curved=curved)
    columns = data.draw(st.sets(st.integers(0, 64), min_size=1))
    places = np.array(sorted(rows)), np.array(sorted(columns))
    part = made.nodes(6, *places, poll)
    np.testing.assert_array_equal(part, whole(made, 6)[np.ix_(*places)])


@pytest.mark.parametrize("curved", [False, True])
def test_corners_are_given(curved):
    made = whole(lattice(curved=curved), 4)
    assert (made[0, 0], made[0, -1], made[-1, 0], made[-1, -1]) == (10, -20, 30, 5)
    wrapped = whole(lattice(True, curved=curved), 4)
    assert set(wrapped[[0, 0, -1, -1], [0, -1, 0, -1]]) == {np.mean([10, -20, 30, 5])}


@pytest.mark.parametrize("curved", [False, True])
def test_a_wrapped_tile_repeats_without_a_seam(curved):
    made = lattice(True, (2, 1), curved=curved)
    full = whole(made, 5)
    np.testing.assert_array_equal(full[0], full[-1])
    np.testing.assert_array_equal(full[:, 0], full[:, -1])
    beyond = made.nodes(5, np.arange(-7, 40), np.arange(-30, 100), poll)
    index = np.ix_(np.arange(-7, 40) % 32, np.arange(-30, 100) % 64)
    np.testing.assert_array_equal(beyond, full[index])
    # Steps across the seam are of the size of steps elsewhere.
    across = np.abs(np.diff(beyond, axis=1))
    assert across[:, 29:31].max() < 1.5 * across.max(axis=0).mean() * 2


def test_without_displacements_curves_join_the_corners_evenly():
    for corners in ((0.0, 10.0, 20.0, 30.0), (10.0, -20.0, 30.0, 5.0)):
        got = whole(DiamondSquareLattice(1, (1, 1), corners, 0.0, 0.8, False, True), 5)
        sw, se, nw, ne = corners
        u, v = np.meshgrid(*[np.linspace(0, 1, 33)] * 2)
        expected = (1 - v) * ((1 - u) * sw + u * se) + v * ((1 - u) * nw + u * ne)
        np.testing.assert_allclose(got, expected, atol=1e-4)


def test_displacements_from_curves_leave_no_peaks_on_a_square_net():
    """The bend of the terrain at nodes of a coarse lattice beside that at most points."""
    for roughness in (0.9, 1.05):
        for midpoints, low, high in (("mean", 2.5, 20), ("curve", 0.4, 1.6)):
            kind = DiamondSquare(roughness=roughness, midpoints=midpoints, subdivisions=12)
            h = terrain(kind, 1025).astype(float)
            bend = np.abs(
                h[:-2, 1:-1] + h[2:, 1:-1] + h[1:-1, :-2] + h[1:-1, 2:] - 4 * h[1:-1, 1:-1]
            )
            for step in (64, 128):
                ratio = bend[step - 1 :: step, step - 1 :: step].mean() / np.median(bend)
                assert low < ratio < high


def test_roughness_is_the_slope_of_the_displacements():
    """The spread of what a level adds falls by 2^-h."""
    for roughness in (0.5, 1.0):
        made = DiamondSquareLattice(9, (1, 1), (0.0, 0.0, 0.0, 0.0), 100.0, roughness, True)
        spread = []
        for level in range(5, 9):
            new = whole(made, level)
            centers = new[1::2, 1::2]
            means = (new[:-1:2, :-1:2] + new[2::2, :-1:2] + new[:-1:2, 2::2] + new[2::2, 2::2]) / 4
            spread.append(np.std(centers - means))
        ratios = np.divide(spread[1:], spread[:-1])
        np.testing.assert_allclose(ratios, 2**-roughness, rtol=0.06)


def test_displacements_are_evenly_spread_and_unrelated():
    words = hashed(3, 4, np.arange(100000))
    values = signed_unit(words)
    assert abs(values.mean()) < 0.01 and abs(values.std() - 3**-0.5) < 0.01
    for lag in (1, 2, 3, 64):
        assert abs(np.corrcoef(values[lag:], values[:-lag])[0, 1]) < 0.015
    for other in (hashed(4, 4, np.arange(100000)), hashed(3, 5, np.arange(100000))):
        assert abs(np.corrcoef(values, signed_unit(other))[0, 1]) < 0.015
    first, second = (
        lattice(True, roughness=0.0)._displacements(7, np.arange(300), np.arange(k, k + 300), 1.0)
        for k in (0, 1)
    )
    assert abs(np.corrcoef(first.reshape(-1), second.reshape(-1))[0, 1]) < 0.015
    assert abs(np.corrcoef(first.reshape(-1), first.T.reshape(-1))[0, 1]) < 0.015


def test_the_layer_is_the_lattice_where_points_are_nodes():
    kind = DiamondSquare(height=100.0, roughness=0.8, corner_sw=10.0, corner_se=-20.0,
                         corner_nw=30.0, corner_ne=5.0, seed=5)  # fmt: skip
    np.testing.assert_array_equal(terrain(kind, 65), whole(lattice(), 6))
    np.testing.assert_array_equal(terrain(kind, (65, 17)), whole(lattice(), 6)[::4])


@pytest.mark.parametrize("border", ["average", "wrap"])
def test_points_between_nodes_agree_in_every_grid(border):
    kind = DiamondSquare(subdivisions=7, border=border)
    for coarse, fine, factor in ((50, 99, 2), (34, 100, 3), (100, 199, 2)):
        a, b = terrain(kind, coarse), terrain(kind, fine)[::factor, ::factor]
        np.testing.assert_allclose(a, b, atol=1e-3 if factor == 3 else 0)


def test_points_between_nodes_lie_on_smooth_curves():
    kind = DiamondSquare(subdivisions=3, roughness=1.0)
    fine = terrain(kind, 8 * 40 + 1)
    np.testing.assert_array_equal(fine[::40, ::40], terrain(kind, 9))
    steps = np.diff(fine[3], n=2)
    assert np.abs(steps).max() < 0.02 * np.ptp(fine), "no jumps of height or slope"


def test_beyond_the_border_lies_the_mirror_image():
    made = Recipe(layers=(Layer.of(DiamondSquare()),))
    for grid in (made.grid(33), made.grid(30)):
        padded = evaluate(made, grid.padded(40)).height
        inside = evaluate(made, grid).height
        np.testing.assert_allclose(padded[40:-40, 40:-40], inside, atol=0)
        np.testing.assert_allclose(padded[40 - 20 : 40], padded[41 : 41 + 20][::-1], atol=1e-3)


def test_long_terrains_have_several_nearly_square_parts():
    assert base_squares(1000, 1000) == (1, 1)
    assert base_squares(4000, 1000) == (4, 1)
    assert base_squares(1000, 2600) == (1, 3)
    assert base_squares(1e7, 1e-3) == (64, 1)
    made = terrain(DiamondSquare(corner_sw=50.0), 65, size_x=4000.0)
    assert made[0, 0] == 50 and np.isfinite(made).all()


@pytest.mark.slow
def test_bands_of_rows_do_not_show(monkeypatch):
    kinds = [
        DiamondSquare(),
        DiamondSquare(subdivisions=5),
        DiamondSquare(border="wrap"),
        DiamondSquare(midpoints="curve"),
    ]
    expected = [terrain(kind, n) for kind in kinds for n in (129, 100)]
    monkeypatch.setattr(diamond_sampling, "NODES", 900)
    monkeypatch.setattr(diamond_sampling, "BLOCK", 3)
    got = [terrain(kind, n) for kind in kinds for n in (129, 100)]
    for a, b in zip(expected, got, strict=True):
        np.testing.assert_array_equal(a, b)


def test_thin_grids_need_no_square_lattice():
    """2 x 4097 points must not make 4097 x 4097 nodes."""
    made = Recipe(layers=(Layer.of(DiamondSquare(subdivisions=14)),))
    assert evaluate(made, Grid.points(1000.0, 1000.0, 2, 9)).height.shape == (9, 2)
    rows = evaluate(made, Grid.points(1000.0, 1000.0, 1025, 2)).height
    np.testing.assert_array_equal(rows, terrain(DiamondSquare(subdivisions=14), 1025)[[0, -1]])


@pytest.mark.parametrize("midpoints", ["mean", "curve"])
def test_work_is_in_proportion_to_the_samples(midpoints, monkeypatch):
    """However fine the lattice is, only nodes around the samples are made."""
    made = []
    scattered = diamond_lattice._scattered

    def counted(rows, columns, scale):
        made.append(rows.size * columns.size)
        return scattered(rows, columns, scale)

    monkeypatch.setattr(diamond_lattice, "_scattered", counted)
    terrain(DiamondSquare(subdivisions=14, midpoints=midpoints), 100)
    assert sum(made) < 1000 * 100**2 < 0.05 * (2**14 + 1) ** 2
