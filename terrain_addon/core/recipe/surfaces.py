# SPDX-License-Identifier: GPL-3.0-or-later
"""Surface classes: what the ground of a color is made of.

The natural material gives each class its own detail, and lets classes compete where colors blend.
"""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np

from ..numerics.arrays import Floats
from ..numerics.srgb import linear

AUTOMATIC = "auto"
ROCK = "rock"


class SurfaceClass(NamedTuple):
    """A surface class: label, tooltip, and the words by which the names of colors suggest it."""

    label: str
    help: str
    words: str


SURFACES: dict[str, SurfaceClass] = {
    ROCK: SurfaceClass(
        "Rock",
        "Bare rock with layers, joints and lighter edges",
        "rock stone sandstone limestone shale granite basalt lava cliff wall bed cap caprock "
        "varnish summit mountain",
    ),
    "scree": SurfaceClass(
        "Scree", "Loose stones", "scree talus debris gravel rubble boulder ejecta cinder moraine"
    ),
    "soil": SurfaceClass(
        "Soil",
        "Earth, clay, ash and dust",
        "soil earth clay mud band ash dust regolith mare lake playa desert flats ground silt "
        "road track path",
    ),
    "sand": SurfaceClass(
        "Sand",
        "Sand with ripples on gentle slopes",
        "sand beach dune hollow slope crest wash sediment shore shallows sea ocean water shelf",
    ),
    "grass": SurfaceClass(
        "Grass",
        "Grass and low shrubs",
        "grass grassland meadow pasture alp heath moor fell scrub moss tundra valley lowland",
    ),
    "wood": SurfaceClass("Wood", "Trees from above", "wood forest jungle trees"),
    "snow": SurfaceClass("Snow", "Snow with a sharp border, thin on steep ground", "snow firn"),
    "ice": SurfaceClass("Ice", "Glacier ice", "ice glacier"),
}
"""All classes by key, in the order of the weights in attributes. Keys are permanent."""

_CLASS_OF_WORD = {word: key for key, one in SURFACES.items() for word in one.words.split()}
_LUMINANCE = (0.2126, 0.7152, 0.0722)
WHITE, GRAY, DARK, WARM = 0.5, 0.3, 0.045, 0.25
"""Luminance of snow, largest saturation of it, luminance of woods and least luminance of sand."""


def choices() -> list[tuple[str, str, str]]:
    """Return the classes as choices of a setting."""
    automatic = (AUTOMATIC, "Automatic", "From the name of the color, or else from the color")
    return [automatic, *((key, one.label, one.help) for key, one in SURFACES.items())]


def suggested(name: str, color: str) -> str:
    """Return the class that a color's name suggests by its last known word, or else its sRGB color.

    Examples
    --------
    >>> suggested("Dune Grass", "#8A815F"), suggested("Zone 3", "#4C5437")
    ('grass', 'grass')
    """
    for word in reversed(re.findall(r"[a-z]+", name.lower())):
        for known in (word, word.removesuffix("s")):
            if known in _CLASS_OF_WORD:
                return _CLASS_OF_WORD[known]
    return _suggested_by_color(color)


def _suggested_by_color(color: str) -> str:
    red, green, blue = (float(channel) for channel in linear(color)[:3])
    light = float(np.dot(_LUMINANCE, (red, green, blue)))
    most = max(red, green, blue)
    saturation = (most - min(red, green, blue)) / most if most > 0 else 0.0
    if light > WHITE and saturation < GRAY:
        return "snow"
    if green == most and saturation > GRAY:
        return "wood" if light < DARK else "grass"
    if is_water(color):
        return "sand"
    if saturation > GRAY and red == most:
        return "sand" if light > WARM else "soil"
    return ROCK


def is_water(color: str) -> bool:
    """Return whether a color is that of water rather than of ground: a saturated blue."""
    red, green, blue = (float(channel) for channel in linear(color)[:3])
    return blue >= green > red and red < (1 - GRAY) * blue


def one_hot(key: str) -> Floats:
    """Return the weights of a point that belongs to one class."""
    return np.array([key == surface for surface in SURFACES], np.float32)
