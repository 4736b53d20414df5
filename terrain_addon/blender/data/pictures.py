# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures of layer kinds and palettes, as numbers of icons."""

from pathlib import Path

import numpy as np

from ...core import presets
from ...core.output import palette_picture
from . import previews

LAYERS = Path(__file__).parent / "layer_pictures"
"""Written by docs/scripts/make_layer_pictures.py."""
SIDE = 64
"""Pixels of the picture of a palette each way."""


def of_layer(kind: str) -> int:
    """Return the picture of a kind of layer, or 0 if it has none."""
    return previews.of_file(LAYERS / f"{kind}.png")


def of_palette(name: str) -> int:
    """Return the picture of a built-in palette, which is drawn on first use."""
    key = f"palette {name}"
    if not previews.is_current(key, name):
        pixels = palette_picture(presets.load_palette(name), SIDE)[::-1]
        previews.show(key, pixels.astype(np.float32) / np.float32(255), name)
    return previews.icon(key)
