# SPDX-License-Identifier: GPL-3.0-or-later
"""The example of docs/adding-a-layer.md does what the page says."""

import importlib
import re
import sys
from pathlib import Path

import numpy as np
import pytest

from terrain_addon.core import Recipe, evaluate
from terrain_addon.core.layers import LAYERS
from terrain_addon.core.settings.params import settings_of
from tests.core.layers import test_all_layers

PAGE = Path(__file__).parents[2] / "docs" / "adding-a-layer.md"


@pytest.fixture
def example_layer(tmp_path, monkeypatch):
    """The class that the page defines, registered for one test."""
    (code,) = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    (tmp_path / "example_waves_of_the_docs.py").write_text(code, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    importlib.import_module("example_waves_of_the_docs")
    yield LAYERS["example_waves"]
    LAYERS.remove("example_waves")
    del sys.modules["example_waves_of_the_docs"]


def test_the_example_makes_waves_from_json(example_layer):
    recipe = Recipe.from_dict(
        {
            "layers": [
                {"kind": "example_waves", "settings": {"height": 7.0, "wavelength": 250.0}},
            ]
        }
    )
    assert Recipe.from_json(recipe.to_json()) == recipe
    field = evaluate(recipe, recipe.grid(257))
    x = field.grid.x
    np.testing.assert_allclose(field.height[100], 7 * np.sin(2 * np.pi * x / 250), atol=1e-5)
    assert [s.name for s in settings_of(example_layer)] == ["height", "wavelength", "direction"]


def test_the_example_refuses_what_its_limits_exclude(example_layer):
    with pytest.raises(ValueError, match=r"layers\[0\].settings.wavelength: 0 is below"):
        Recipe.from_dict({"layers": [{"kind": "example_waves", "settings": {"wavelength": 0}}]})


@pytest.mark.parametrize("name", [name for name in vars(test_all_layers) if name[:5] == "test_"])
def test_the_example_passes_the_tests_of_all_layers(example_layer, name):
    """A new layer needs no more than the page says, not even limits of its lengths."""
    getattr(test_all_layers, name)(example_layer.key)
