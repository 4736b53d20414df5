# SPDX-License-Identifier: GPL-3.0-or-later
"""Which image to make of a terrain."""

from __future__ import annotations

from ...analysis import fields
from ...recipe.recipe import MAX_LAYERS
from ...settings.params import Settings, param
from .kinds import DIRECTX, IMAGES, METRES, NORMALISED, OPENGL, ImageKind, kinds_with


class Bake(Settings):
    """What image to make of a terrain."""

    image: str = param(
        "displacement",
        label="Image",
        help="What the image shows",
        choices=[(key, kind.label, kind.help) for key, kind in IMAGES.items()],
    )
    values: str = param(
        NORMALISED,
        label="Values",
        help="What the values of the image mean",
        choices=[
            (NORMALISED, "0 to 1", "0 is the lowest point, 1 the highest; the range is reported"),
            (METRES, "Metres", "Heights in metres, masks in their own unit; needs a float file"),
        ],
        shown_if=("image", kinds_with("values")),
    )
    mask: str = param(
        "slope",
        label="Mask",
        help="The mask to show; from 0 to 1 is its natural range, or else from lowest to highest",
        choices=fields.choices(),
        shown_if=("image", kinds_with("mask")),
    )
    green: str = param(
        OPENGL,
        label="Green",
        help="Which way the green channel points",
        choices=[
            (OPENGL, "OpenGL", "Up the image: Blender, Godot, Unity"),
            (DIRECTX, "DirectX", "Down the image: Unreal"),
        ],
        shown_if=("image", kinds_with("green")),
    )
    layer: int = param(
        1,
        label="Layer",
        help="Number of the layer to show, counted from the first",
        min=1,
        max=MAX_LAYERS,
        shown_if=("image", kinds_with("layer")),
    )
    block_size: int = param(
        1,
        label="Block Size",
        help="Repeat each sample in blocks of this many pixels: coarser and that much faster",
        min=1,
        max=256,
        soft_max=16,
    )

    @property
    def kind(self) -> ImageKind:
        """What is known of such images."""
        return IMAGES[self.image]

    @property
    def shown(self) -> str:
        """What the image shows, in a word or two, as all texts and names have it."""
        return self.kind.label_of(self)
