# SPDX-License-Identifier: GPL-3.0-or-later
"""docs/scripts/make_pictures.py, which renders the pictures of the docs, fits the sources."""

from pathlib import Path

from terrain_addon.core import evaluate
from terrain_addon.core.layers import LAYERS

SCRIPTS = Path(__file__).parents[2] / "docs" / "scripts"


def test_each_kind_of_layer_has_a_recipe_for_its_picture(monkeypatch):
    monkeypatch.syspath_prepend(SCRIPTS)
    import make_pictures  # pyright: ignore[reportMissingImports]

    for key in LAYERS:
        recipe = make_pictures.layer_recipe(key)
        assert key in [one.settings.key for one in recipe.layers]
        if not recipe.map_names:
            assert evaluate(recipe, recipe.grid(9)).height.any()
