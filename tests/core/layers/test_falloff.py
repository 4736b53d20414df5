# SPDX-License-Identifier: GPL-3.0-or-later
import numpy as np
import pytest
from hypothesis import given, strategies as st

from terrain_addon.core import Layer, Recipe, evaluate
from terrain_addon.core.layers import LAYERS
from terrain_addon.core.settings import settings_of

Falloff = LAYERS["falloff"]
SHAPES = [c.key for s in settings_of(Falloff) if s.name == "shape" for c in s.choices]
GROUND = Layer.of(LAYERS["fractal_noise"](octaves=3))


def sunk(resolution: int | tuple[int, int] = 33, size=(900.0, 700.0), **values):
    """How far flat terrain is sunk, 0 to 1."""
    recipe = Recipe(
        size_x=size[0], size_y=size[1], layers=(Layer.of(Falloff(depth=1.0, **values)),)
    )
    return -evaluate(recipe, recipe.grid(resolution)).height


def curve(v, a, b):
    return v**a / (v**a + (b - b * v) ** a)


@pytest.mark.parametrize(
    ("shape", "distance"),
    [
        ("square", np.maximum),
        ("circle", np.hypot),
        ("rounded_square", lambda u, v: (u**4 + v**4) ** 0.25),
        ("x", lambda u, v: u + 0 * v),
        ("y", lambda u, v: v + 0 * u),
    ],
)
@pytest.mark.parametrize(("a", "b", "margin"), [(3.0, 2.2, 0.0), (1.0, 1.0, 0.2), (6.5, 0.4, 0.0)])
def test_the_formula(shape, distance, a, b, margin):
    u = np.abs(np.linspace(-1, 1, 41))
    v = np.abs(np.linspace(-1, 1, 31))[:, None]
    scale = 1 - margin
    far = np.minimum(distance(np.minimum(u / scale, 1), np.minimum(v / scale, 1)), 1)
    got = sunk((41, 31), shape=shape, curve=a, shift=b, margin=margin)
    np.testing.assert_allclose(got, curve(far, a, b), atol=2e-6)


@pytest.mark.parametrize("shape", SHAPES)
@given(st.integers(2, 40), st.integers(2, 40), st.floats(1, 1e4), st.floats(1, 1e4))
def test_symmetric_about_the_center_to_the_bit(shape, nx, ny, size_x, size_y):
    recipe = Recipe(
        size_x=size_x, size_y=size_y, layers=(Layer.of(Falloff(shape=shape, margin=0.1)),)
    )
    for grid in (recipe.grid((nx, ny)), recipe.pixel_grid((nx, ny))):
        height = evaluate(recipe, grid).height
        np.testing.assert_array_equal(height, height[::-1])
        np.testing.assert_array_equal(height, height[:, ::-1])


@pytest.mark.parametrize("shape", ["square", "circle", "rounded_square"])
def test_square_terrains_are_symmetric_about_the_diagonal_too(shape):
    got = sunk(41, (500.0, 500.0), shape=shape)
    np.testing.assert_array_equal(got, got.T)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("wobble", [0.0, 1.0])
def test_the_border_is_sunk_whole_and_the_center_not_at_all(shape, wobble):
    got = sunk((33, 27), shape=shape, wobble=wobble)
    assert got.min() >= 0 and got.max() <= 1
    assert got[13, 16] == 0
    if shape != "y":
        np.testing.assert_array_equal(got[:, [0, -1]], 1)
    if shape != "x":
        np.testing.assert_array_equal(got[[0, -1]], 1)


@pytest.mark.parametrize("shape", SHAPES)
def test_a_margin_is_sunk_whole(shape):
    got = sunk((101, 101), shape=shape, margin=0.3)
    if shape != "y":
        assert (got[:, :15] == 1).all() and (got[50, 20:80] < 1).all()
    if shape != "x":
        assert (got[-15:] == 1).all() and (got[20:80, 50] < 1).all()


def test_the_fall_never_turns_back():
    for values in ({}, {"wobble": 1.0, "wobble_size": 200.0, "wobble_octaves": 1}):
        got = sunk((401, 3), shape="x", **values)[1]
        if not values:
            assert (np.diff(got[200:]) >= 0).all()
        assert got[200] == 0 and got[-1] == 1


def test_modes():
    recipe = Recipe(layers=(GROUND,))
    grid = recipe.grid(33)
    terrain, fall = evaluate(recipe, grid).height, sunk(33, (1000.0, 1000.0))

    def made(**values):
        falloff = Layer.of(Falloff(**values))
        return evaluate(Recipe(layers=(GROUND, falloff)), grid).height

    np.testing.assert_allclose(made(depth=70.0), terrain - 70 * fall, atol=1e-3)
    np.testing.assert_allclose(made(mode="multiply"), terrain * (1 - fall), atol=1e-3)
    flat = made(mode="multiply", floor=-30.0)
    np.testing.assert_allclose(flat, terrain + fall * (-30 - terrain), atol=1e-3)
    np.testing.assert_allclose(flat[0], -30, atol=1e-4)
    np.testing.assert_allclose(made(depth=70.0, invert=True), terrain - 70 * (1 - fall), atol=1e-3)


def test_wobble_bends_the_coast_as_its_seed_says():
    plain = sunk(65, shape="circle")
    bent = sunk(65, shape="circle", wobble=0.7)
    assert np.abs(bent - plain).max() > 0.1
    assert np.abs(bent - bent[::-1]).max() > 0.1
    assert np.abs(bent - sunk(65, shape="circle", wobble=0.7, seed=1)).max() > 0.1


def test_the_usual_falloff_has_no_creases():
    """A grid that is twice as fine has a quarter of the bend between samples; at a crease, half."""
    for values, low, high in (({}, 0.2, 0.3), ({"shape": "square"}, 0.4, 0.6)):
        bends = []
        for count in (201, 401):
            row = sunk(count, (500.0, 500.0), **values)[count // 5]  # meets the diagonal at a fifth
            near = slice(count // 5 - count // 50, count // 5 + count // 50)
            bends.append(np.abs(np.diff(row[near], n=2)).max())
        assert low < bends[1] / bends[0] < high
