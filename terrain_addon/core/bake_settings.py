# SPDX-License-Identifier: GPL-3.0-or-later
"""Which image to make of a terrain."""

from __future__ import annotations

from . import fields
from .params import Settings, param
from .recipe import MAX_LAYERS

DISPLACEMENT, COLOR, NORMAL, SLOPE, NOISE = "displacement", "color", "normal", "slope", "noise"
MASK = "mask"
METRES, NORMALISED = "metres", "normalised"
OPENGL, DIRECTX = "opengl", "directx"


class Bake(Settings):
    """What image to make of a terrain."""

    image: str = param(
        DISPLACEMENT,
        label="Image",
        help="What the image shows",
        choices=[
            (DISPLACEMENT, "Displacement", "Heights, for a Displace modifier or an engine"),
            (COLOR, "Colour", "The colours of the palette"),
            (NORMAL, "Normal", "Tangent-space normals"),
            (SLOPE, "Slope", "From black, flat, to white, upright"),
            (NOISE, "Noise", "The heights of one layer alone, from black to white"),
            (MASK, "Mask", "A mask that follows from the land or that a layer leaves"),
        ],
    )
    values: str = param(
        NORMALISED,
        label="Values",
        help="What the values of the image mean",
        choices=[
            (NORMALISED, "0 to 1", "0 is the lowest point, 1 the highest; the range is reported"),
            (METRES, "Metres", "Heights in metres, masks in their own unit; needs a float file"),
        ],
        shown_if=("image", (DISPLACEMENT, MASK)),
    )
    mask: str = param(
        "slope",
        label="Mask",
        help="The mask to show; from 0 to 1 is its natural range, or else from lowest to highest",
        choices=fields.choices(),
        shown_if=("image", (MASK,)),
    )
    green: str = param(
        OPENGL,
        label="Green",
        help="Which way the green channel points",
        choices=[
            (OPENGL, "OpenGL", "Up the image: Blender, Godot, Unity"),
            (DIRECTX, "DirectX", "Down the image: Unreal"),
        ],
        shown_if=("image", (NORMAL,)),
    )
    layer: int = param(
        1,
        label="Layer",
        help="Number of the layer to show, counted from the first",
        min=1,
        max=MAX_LAYERS,
        shown_if=("image", (NOISE,)),
    )
    block_size: int = param(
        1,
        label="Block Size",
        help="Repeat each sample in blocks of this many pixels: coarser and that much faster",
        min=1,
        max=256,
        soft_max=16,
    )
