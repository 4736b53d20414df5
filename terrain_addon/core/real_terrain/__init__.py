# SPDX-License-Identifier: GPL-3.0-or-later
"""Elevation files as parts of recipes: as maps of layers, and as whole terrains."""

from .recipes import load_recipe, recipe_of, with_maps
from .source import EVERY, KINDS, RELATIVE, Source, as_map, is_elevation, map_of

__all__ = [
    "EVERY",
    "KINDS",
    "RELATIVE",
    "Source",
    "as_map",
    "is_elevation",
    "load_recipe",
    "map_of",
    "recipe_of",
    "with_maps",
]
