# SPDX-License-Identifier: GPL-3.0-or-later
"""Masks near and inside shapes."""

import dataclasses

import numpy as np
import pytest

from terrain_addon.core import Cache, Layer, Recipe, Shape, evaluate
from terrain_addon.core.evaluation.solution import part_key
from terrain_addon.core.layers import LAYERS, MASKS
from terrain_addon.core.shapes import CLOSED, FACE
from tests.core.shapes.test_shapes import winding_line

LIFT = LAYERS["levels"](input_min=-1.0, input_max=1.0, output_min=1.0, output_max=1.0)


def weight(mask, *shapes, resolution=65, size=400.0, cache=None):
    """The weight of a mask on flat ground, and the grid."""
    layer = Layer.of(LIFT, masks=(mask,))
    recipe = Recipe(layers=(layer,), shapes=shapes, size_x=size, size_y=size)
    return evaluate(recipe, recipe.grid(resolution), cache=cache).height, recipe.grid(resolution)


def smooth(share):
    """The profile of the masks, from 1 at 0 to 0 at 1."""
    t = np.clip(1 - share, 0, 1)
    return t * t * (3 - 2 * t)


def test_a_mask_near_a_curve_fades_beyond_its_distance_by_the_radius():
    path = Shape.of("Path", [[(-100, 0, 0, 1), (100, 0, 0, 2)]])
    found, grid = weight(MASKS["near_shape"](source="Path", distance=20.0, fade=30.0), path)
    x = np.clip(grid.x, -100, 100)[None]
    away = np.hypot(grid.x[None] - x, grid.y[:, None]) / (1.5 + x / 200)
    np.testing.assert_allclose(found, smooth((away - 20) / 30), atol=1e-6)
    hard, _ = weight(MASKS["near_shape"](source="Path", distance=20.0, fade=0.0), path)
    np.testing.assert_array_equal(hard, away <= 20)


def test_a_mask_inside_an_area_fades_outside_of_it():
    rim = Shape.of("Lake", [[(-100, -50), (100, -50), (100, 50), (-100, 50)]], CLOSED)
    mask = MASKS["inside_shape"](source="Lake", margin=10.0, fade=40.0)
    found, grid = weight(mask, rim)
    out = [np.maximum(np.abs(one) - half, 0) for one, half in ((grid.x, 100), (grid.y, 50))]
    away = np.hypot(out[0][None], out[1][:, None])
    np.testing.assert_allclose(found, smooth((away - 10) / 40), atol=1e-6)
    faces = dataclasses.replace(rim, kinds=np.array([FACE]))
    for key in ("inside_shape", "near_shape"):  # an object is near where it is
        under, _ = weight(MASKS[key](source="Lake", fade=40.0), faces)
        least = getattr(MASKS[key](), "margin", 20.0)
        np.testing.assert_allclose(under, smooth((away - least) / 40), atol=1e-6)
    along, _ = weight(MASKS["near_shape"](source="Lake", distance=5.0, fade=0.0), rim)
    assert along[32, 32] == 0 and along[32, 48] == 1


@pytest.mark.parametrize("key", ["near_shape", "inside_shape"])
def test_without_its_shape_a_mask_has_a_defined_result(key):
    unset, _ = weight(MASKS[key]())
    assert (unset == 1).all()
    for shapes in ((), (Shape.empty("Gone"),)):
        missing, _ = weight(MASKS[key](source="Gone"), *shapes)
        inverted, _ = weight(MASKS[key](source="Gone", invert=True), *shapes)
        assert (missing == 0).all() and (inverted == 1).all()


def test_masks_of_shapes_agree_on_all_grids_and_windows():
    path = Shape.of("Path", [winding_line(50) / 3], CLOSED)
    for key in ("near_shape", "inside_shape"):
        layer = Layer.of(LIFT, masks=(MASKS[key](source="Path"),))
        recipe = Recipe(layers=(layer,), shapes=(path,), size_x=400.0, size_y=400.0)
        fine, coarse = (evaluate(recipe, recipe.grid(n)).height for n in (129, 65))
        np.testing.assert_allclose(fine[::2, ::2], coarse, atol=1e-6)
        window = evaluate(recipe, recipe.grid(129).window(30, 40, 50, 20)).height
        np.testing.assert_array_equal(window, fine[40:60, 30:80])


def test_another_shape_is_other_terrain_for_caches_and_solutions():
    cache, mask = Cache(), MASKS["near_shape"](source="Path")
    found, keys = [], []
    for line in ([(0, 0), (30, 40)], [(0, 0), (-30, 40)]):
        path = Shape.of("Path", [line])
        found.append(weight(mask, path, cache=cache)[0])
        np.testing.assert_array_equal(found[-1], weight(mask, path)[0])
        recipe = Recipe(layers=(Layer.of(LIFT, masks=(mask,)),), shapes=(path,))
        keys.append(part_key(recipe, recipe.layers, None, ()))
    assert not np.array_equal(*found) and keys[0] != keys[1]


def test_only_active_layers_ask_for_their_shapes():
    used, off = (
        Layer.of(LIFT, masks=(MASKS[key](source=key),), enabled=key == "near_shape")
        for key in ("near_shape", "inside_shape")
    )
    recipe = Recipe(layers=(used, off, used))
    assert recipe.shape_names == ("near_shape",) and recipe.map_names == ()
