# SPDX-License-Identifier: GPL-3.0-or-later
"""Recorded recipes stay readable and make the same terrain; see tests/schema/golden.py."""

import json

import numpy as np
import pytest

from terrain_addon.core import Recipe
from terrain_addon.core.layers import LAYERS, MASKS
from tests.schema.golden import RECORDED, heights

FILES = sorted(RECORDED.glob("*/*.json"))


@pytest.mark.slow
@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_recorded_recipe_makes_the_same_terrain(path):
    for case in json.loads(path.read_text(encoding="utf-8")):
        recipe = Recipe.from_dict(case["recipe"])
        expected = np.array(case["heights"])
        # Processors and NumPy versions differ by up to 1e-5 of the range of heights.
        tolerance = 1e-5 * max(float(np.ptp(expected)), 1e-3)
        np.testing.assert_allclose(heights(recipe), expected, rtol=0, atol=tolerance)


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_no_recorded_setting_is_lost(path):
    """What is written again holds every setting that was read."""
    for case in json.loads(path.read_text(encoding="utf-8")):
        written = Recipe.from_dict(case["recipe"]).to_dict()
        assert _paths(case["recipe"]) <= _paths(written)


@pytest.mark.parametrize("key", [path.stem for path in FILES if path.parent.name == "layers"])
def test_the_defaults_of_a_layer_stay(key):
    """Recipes may omit settings, so that a default is part of the schema."""
    case = _first(f"layers/{key}.json")
    saved = case["recipe"]["layers"][1]["settings"]
    now = LAYERS[key]().to_dict()
    assert {name: now[name] for name in saved} == saved


@pytest.mark.parametrize("key", [path.stem for path in FILES if path.parent.name == "masks"])
def test_the_defaults_of_a_mask_stay(key):
    case = _first(f"masks/{key}.json")
    saved = case["recipe"]["layers"][1]["masks"][key]
    now = MASKS[key]().to_dict()
    assert {name: now[name] for name in saved} == saved


def _first(name):
    """Return the first case in a file."""
    return json.loads((RECORDED / name).read_text(encoding="utf-8"))[0]


def _paths(data, above=()):
    """Return every key and value of nested JSON data as paths."""
    if isinstance(data, dict):
        return {path for key, value in data.items() for path in _paths(value, (*above, key))}
    if isinstance(data, list):
        return {path for i, value in enumerate(data) for path in _paths(value, (*above, i))}
    return {(*above, data)}
