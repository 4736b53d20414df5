# SPDX-License-Identifier: GPL-3.0-or-later
"""Colors of presets, palettes and fields stay within what natural ground reflects."""

import numpy as np
import pytest

from terrain_addon.core import presets
from terrain_addon.core.analysis import FIELDS
from terrain_addon.core.numerics.srgb import linear

LUMINANCE = np.array([0.2126, 0.7152, 0.0722])
BRIGHT = ("snow", "ice", "sand", "beach", "dry lake", "crest")
"""Words in the names of surfaces that may reflect more than 45 % of the light."""

PALETTES = {
    **{name: presets.load(name).palette for name in presets.names()},
    **{f"palette {name}": presets.load_palette(name) for name in presets.palette_names()},
}


def surfaces():
    """Every named color that ships with the extension."""
    for name, palette in PALETTES.items():
        for region in palette.regions:
            yield pytest.param(region.name, region.color, id=f"{name}-{region.name}")
        yield pytest.param("rock", palette.rock_color, id=f"{name}-rock")
    for key, field in FIELDS.items():
        yield pytest.param(key, field.color, id=f"field-{key}")


@pytest.mark.parametrize(("name", "color"), list(surfaces()))
def test_no_surface_reflects_more_than_its_kind(name, color):
    rgb = linear(color)[:3].astype(float)
    luminance = float(rgb @ LUMINANCE)
    bright = any(word in name.lower() for word in BRIGHT)
    assert luminance <= (0.85 if bright else 0.45)
    if rgb.argmax() == 1:  # vegetation
        assert luminance <= 0.14
        assert (rgb.max() - rgb.min()) / rgb.max() <= 0.6


def test_bare_ground_has_no_green():
    for name in ("badlands", "butte_desert", "canyon", "crater_field", "dry_wash", "dunes"):
        for region in PALETTES[name].regions:
            red, green, blue, _ = linear(region.color)
            assert red >= green >= blue, f"{name}: {region.name}"
