# SPDX-License-Identifier: GPL-3.0-or-later
"""The settings of a baked image."""

from __future__ import annotations

from ...analysis import fields
from ...recipe.recipe import MAX_LAYERS
from ...settings.params import Settings, param
from .kinds import DIRECTX, IMAGES, METERS, NORMALIZED, OPENGL, ImageKind, kinds_with


class Bake(Settings):
    """The settings of a baked image.

    Examples
    --------
    >>> Bake().image, Bake(image="field", field="ridge").shown
    ('heightmap', 'Ridge')
    """

    image: str = param(
        "heightmap",
        "Image",
        "What the image shows",
        choices=[(key, kind.label, kind.help) for key, kind in IMAGES.items()],
    )
    values: str = param(
        NORMALIZED,
        "Values",
        "What the values of the image mean",
        choices=[
            (NORMALIZED, "0 to 1", "0 is the lowest point, 1 the highest; the range is reported"),
            (METERS, "Meters", "Heights in meters, attributes in their own unit; EXR only"),
        ],
        shown_if=("image", kinds_with("values")),
    )
    field: str = param(
        "slope",
        "Attribute",
        "The attribute to bake; 0 to 1 is its natural range, or from its lowest to its "
        "highest value",
        choices=fields.choices(),
        shown_if=("image", kinds_with("field")),
    )
    green: str = param(
        OPENGL,
        "Green",
        "Direction of the green channel",
        choices=[
            (OPENGL, "OpenGL", "Up the image: Blender, Godot, Unity"),
            (DIRECTX, "DirectX", "Down the image: Unreal"),
        ],
        shown_if=("image", kinds_with("green")),
    )
    layer: int = param(
        1,
        "Layer",
        "Number of the layer to bake, counted from the first",
        min=1,
        max=MAX_LAYERS,
        shown_if=("image", kinds_with("layer")),
    )
    pixel_step: int = param(
        1,
        "Pixel Step",
        "Evaluate every n-th pixel and repeat it in a block of n x n: coarser and faster",
        min=1,
        max=256,
        soft_max=16,
    )

    @property
    def kind(self) -> ImageKind:
        """The kind of image."""
        return IMAGES[self.image]

    @property
    def shown(self) -> str:
        """Return what the image shows, in a word or two."""
        return self.kind.label_of(self)
