# SPDX-License-Identifier: GPL-3.0-or-later
"""Blender with the extension enabled, and an empty scene for each test."""

import shutil
from collections.abc import Callable
from typing import Any

import bpy
import pytest

from tests.blender.enabled import EXTENSION, enable_from_source

# Now, not in a fixture: test modules import from terrain_addon while they are collected.
enable_from_source()


@pytest.fixture(scope="session")
def extension_id() -> str:
    """The id under which Blender knows the extension."""
    return EXTENSION


@pytest.fixture(autouse=True)
def empty_scene() -> None:
    """Start each test with Blender's factory settings, without objects and own presets."""
    from terrain_addon.blender.app.preferences import biomes_folder, presets_folder

    for folder in (presets_folder(), biomes_folder()):
        shutil.rmtree(folder, ignore_errors=True)
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)


@pytest.fixture
def add(recipe: Any) -> Callable[..., bpy.types.Object]:
    """Add a terrain of a recipe to the scene; it becomes the active object."""
    from terrain_addon.blender.operators.add import make_terrain

    usual = recipe

    def added(recipe: Any = None, resolution: int = 33) -> bpy.types.Object:
        item = make_terrain("Land", recipe or usual, resolution, bpy.context.collection)
        bpy.context.view_layer.objects.active = item
        item.select_set(True)
        return item

    return added


def hills(**settings: Any) -> Any:
    """Return a recipe of two layers and two colors, with the material that is made at once.

    The natural material has 499 nodes, which take ten times as long as the terrain of most tests:
    tests of materials ask for the fixture ``natural``, and a module of them has it as its `recipe`.
    """
    from terrain_addon.core import Layer, Palette, Recipe, Region
    from terrain_addon.core.layers import LAYERS

    low, high = Region(name="Low", start=0.0, color="#204D75"), Region(name="High", start=0.5)
    return Recipe(
        seed=3,
        layers=(Layer.of(LAYERS["fractal_noise"]()), Layer.of(LAYERS["terrace"](), opacity=0.5)),
        palette=Palette(regions=(low, high)),
        **{"material": "simple"} | settings,
    )


@pytest.fixture
def recipe() -> Any:
    """A recipe of two layers and two colors, with the simple material."""
    return hills()


@pytest.fixture
def natural() -> Any:
    """The same recipe with the natural material."""
    return hills(material="natural")
