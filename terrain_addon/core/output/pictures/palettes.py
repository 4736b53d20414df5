# SPDX-License-Identifier: GPL-3.0-or-later
"""A picture of a palette: its colors on hills."""

from __future__ import annotations

from ...layers import LAYERS
from ...recipe.palette import Palette
from ...recipe.recipe import SIMPLE, Layer, Recipe
from .block import Bytes, terrain_picture

SEED, OCTAVES = 4, 6
HILL, EXTENT = 4.0, 4.5
"""Size of the largest hills and side of the terrain, relative to its range of heights: gentle
enough to show more than rock."""
NOISE = (-0.28, 0.26)
"""Range of the heights of the noise there, relative to its height."""
ABOVE = 0.12
"""How far the terrain rises above the start of the highest color, relative to all below."""


def palette_picture(palette: Palette, side: int) -> Bytes:
    """Return a small picture of hills that reach through all colors by height.

    Parameters
    ----------
    palette : Palette
    side : int
        Pixels of the picture each way.

    Returns
    -------
    ndarray of uint8, shape (side, side, 4)
        sRGB and alpha, the first row on top.

    Examples
    --------
    >>> from terrain_addon.core import presets
    >>> palette_picture(presets.load_palette("desert"), side=16).shape
    (16, 16, 4)
    """
    low, high = _range(palette)
    span = high - low
    noise = LAYERS["fractal_noise"].from_dict(
        {"size": HILL * span, "height": span, "seed": SEED, "octaves": OCTAVES}, "hills"
    )
    ends = {"input_min": NOISE[0] * span, "input_max": NOISE[1] * span}
    ends |= {"output_min": low, "output_max": high}
    levels = LAYERS["levels"].from_dict(ends, "levels")
    size, layers = EXTENT * span, (Layer.of(noise), Layer.of(levels))
    recipe = Recipe(size_x=size, size_y=size, layers=layers, palette=palette, material=SIMPLE)
    return terrain_picture(recipe, side)


def _range(palette: Palette) -> tuple[float, float]:
    """Return the heights in meters from the lowest color to above the start of the highest."""
    if palette.measure == "relative":
        return 0.0, 100.0
    meters = palette.full_height if palette.measure == "signed" else 1.0
    starts = [region.start * meters for region in palette.by_height]
    return starts[0], starts[-1] + (ABOVE * (starts[-1] - starts[0]) or 1.0)
