# SPDX-License-Identifier: GPL-3.0-or-later
"""Biomes: groups of layers that come with the extension or that the user saved, to be added to any
terrain."""

import dataclasses
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, cast

import bpy

from ...core import Layer, presets
from ...core.layers import MASKS
from ...core.recipe import BIOMES, about_biome, biome, biome_names, layers_to_json
from ...core.settings import remove_file
from ..app.preferences import biomes_folder
from ..data import previews
from ..data.terrains import terrain_of
from ..mesh import painted_maps, terrain_mesh
from ..mesh.signature import Signature


@cache
def ready() -> dict[str, str]:
    """Return the biomes of the extension with what they are."""
    return {name: about_biome(name) for name in biome_names()}


def icon(name: str) -> int:
    """Return the icon with the picture of a biome of the extension, or 0 if it has no picture."""
    return previews.of_file(presets.picture_path(name, BIOMES))


def saved() -> list[str]:
    """Return the names of the biomes that the user saved."""
    return presets.names(biomes_folder())


def load(name: str, mesh: bpy.types.Mesh) -> tuple[Layer, ...]:
    """Return the layers of a biome: one that the user saved as it is, one of the extension fitted
    to a terrain. Raises ValueError if it is missing or damaged, or has no layers."""
    if name in ready() and name not in saved():
        terrain = terrain_of(mesh)
        sea = terrain.water.level if terrain.water.show else None
        heights = terrain_mesh.range_of(mesh, terrain_mesh.HEIGHT)
        return biome(name, terrain.size_x, terrain.size_y, heights, sea=sea)
    layers = presets.load(name, biomes_folder()).layers
    if not layers:
        raise ValueError(f"The biome {name!r} has no layers")
    return tuple(_with_known_maps(layer, mesh) for layer in layers)


def _with_known_maps(layer: Layer, mesh: bpy.types.Mesh) -> Layer:
    """Return a layer whose masks wait for a map where the terrain has none of that name: one that
    was painted on another terrain stays there."""
    built = Signature.built(terrain_of(mesh))

    def known(mask: Any) -> Any:
        source = cast(Any, mask).source if isinstance(mask, MASKS["map"]) else ""
        if not source or painted_maps.maps_of(mesh, (built.nx, built.ny), [source]):
            return mask
        return dataclasses.replace(mask, source="")

    return dataclasses.replace(layer, masks=tuple(known(mask) for mask in layer.masks))


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
