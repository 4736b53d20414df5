# SPDX-License-Identifier: GPL-3.0-or-later
"""The recipe of a terrain: seed, extent, layers, water and palette."""

from . import biomes
from .palette import BY_HEIGHT, MAX_REGIONS
from .recipe import (
    DISPLACED,
    MARS,
    MAX_LAYERS,
    MOON,
    NATURAL,
    SIMPLE,
    grouped,
    layers_from_json,
    layers_to_json,
    uncolored,
)
from .rescaling import default_mask_for, default_settings_for, extend, fitted_mask, rescale
from .surfaces import ROCK, SURFACES
from .variation import nine_values, variable_settings, varied, varied_settings

__all__ = [
    "BY_HEIGHT",
    "DISPLACED",
    "MARS",
    "MAX_LAYERS",
    "MAX_REGIONS",
    "MOON",
    "NATURAL",
    "ROCK",
    "SIMPLE",
    "SURFACES",
    "biomes",
    "default_mask_for",
    "default_settings_for",
    "extend",
    "fitted_mask",
    "grouped",
    "layers_from_json",
    "layers_to_json",
    "nine_values",
    "rescale",
    "uncolored",
    "variable_settings",
    "varied",
    "varied_settings",
]
