# SPDX-License-Identifier: GPL-3.0-or-later
"""Biomes: groups of layers that the user saved, to be added to any terrain."""

from collections.abc import Sequence
from pathlib import Path

from ...core import Layer, presets
from ...core.recipe import layers_to_json
from ...core.settings import remove_file
from ..app.preferences import biomes_folder


def saved() -> list[str]:
    """Return the names of the biomes that the user saved."""
    return presets.names(biomes_folder())


def load(name: str) -> tuple[Layer, ...]:
    """Return the layers of a biome; ValueError if it is missing or damaged, or has no layers."""
    layers = presets.load(name, biomes_folder()).layers
    if not layers:
        raise ValueError(f"The biome {name!r} has no layers")
    return layers


def save(name: str, layers: Sequence[Layer]) -> None:
    """Save a group with its layers; ValueError if the name is not allowed."""
    presets.save_text(name.strip(), layers_to_json(layers), biomes_folder())


def remove(name: str) -> None:
    """Delete a biome; ValueError if there is none of that name."""
    if name not in saved():
        raise ValueError(f"There is no biome named {name!r}")
    remove_file(biomes_folder() / f"{name}.json", _is_ours)


def _is_ours(path: Path) -> bool:
    return path.parent == biomes_folder()
