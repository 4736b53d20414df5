# SPDX-License-Identifier: GPL-3.0-or-later
"""The images that a world may have beside its heights."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ..analysis.fields import FIELDS
from ..formats.png import FAST, write_png
from ..formats.quantization import image_to_uint8
from ..numerics.arrays import Floats
from ..output.images.baking import check
from ..output.images.kinds import METERS, NORMALIZED
from ..output.images.settings import Bake
from ..recipe.recipe import Recipe
from ..settings import replaced, save_array

OWN = ("color", "normal", "slope")
"""Images that any terrain has; the others are fields."""


def bake_of(key: str) -> Bake:
    """Return the settings of an image by its key: color, normal, slope, or the name of a field."""
    if key in OWN:
        return Bake(image=key)
    return Bake(image="field", field=key, values=METERS if is_float(key) else NORMALIZED)


def is_float(key: str) -> bool:
    """Return whether an image holds float32 in the unit of its field: it has no range that is the
    same in all tiles."""
    return key not in OWN and FIELDS[key].natural is None


def check_images(recipe: Recipe, keys: Sequence[str]) -> None:
    """Raise ValueError for an image that the tiles of this recipe cannot have.

    Tiles meet only where a value follows from the terrain around it and from a fixed range.
    """
    for key in keys:
        field = FIELDS.get(key)
        if key not in OWN and field is None:
            raise ValueError(f"There is no image {key!r}; there are {', '.join(known_images())}")
        if field is not None and field.whole:
            raise ValueError(
                f"Tiles have no image {key!r}, whose values depend on the whole terrain"
            )
        check(recipe, bake_of(key))


def known_images() -> list[str]:
    """Return the keys of all images that tiles may have."""
    return [*OWN, *(name for name, one in FIELDS.items() if not one.whole and name not in OWN)]


def write_image(path: Path, key: str, pixels: Floats) -> None:
    """Write an image: PNG of 8 bits with north on top, or .npy with row 0 at the lowest y.

    OSError if the file cannot be written.
    """
    if is_float(key):
        with replaced(path) as new:
            save_array(new, pixels[..., 0])
        return
    kind = bake_of(key).kind
    values = pixels[::-1, :, 0] if kind.gray else pixels[::-1, :, :3]
    write_png(path, image_to_uint8(values, color=kind.color), FAST)
