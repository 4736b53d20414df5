# SPDX-License-Identifier: GPL-3.0-or-later
"""Images of a blend file as sources of colors."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import bpy
import numpy as np
from numpy.typing import NDArray

from ...core import Imagery
from ...core.numerics.srgb import encoded
from ..data import images

PASSING = ("RENDER_RESULT", "COMPOSITING")
"""Types of generated images whose pixels Blender does not expose."""
_read: dict[int, tuple[Any, Imagery]] = {}
"""The images that were read last, by session_uid, and what tells whether they changed: reading
16 million pixels takes half a second."""
MOST_READ = 4
LEAST_ALPHA = np.float32(1e-6)


def imagery_of(name: str) -> Imagery | None:
    """Return the image of that name as a source of colors, None if there is none.

    Raises ValueError for an image without pixels, and for a render.
    """
    image: Any = bpy.data.images.get(name)
    if image is None:
        return None
    if image.type in PASSING:
        raise ValueError(f"{name!r} cannot color a terrain: save it and open the file as an image")
    state = _state(image)
    before, known = _read.get(image.session_uid, (None, None))
    if known and before == state and not image.is_dirty:
        return known
    pixels = np.rint(encoded_pixels(image) * np.float32(255)).astype(np.uint8)
    made = Imagery(name, pixels)
    _read.pop(image.session_uid, None)
    _read[image.session_uid] = state, made
    while len(_read) > MOST_READ:
        del _read[next(iter(_read))]
    return made


def suggestions(group: Any, context: Any, typed: str) -> Iterator[str]:
    """Yield the names of images, for the search of a text field."""
    return (image.name for image in bpy.data.images if image.type not in PASSING)


def _state(image: Any) -> Any:
    """Return what differs where the pixels of an image may differ."""
    packed, path = image.packed_file, Path(bpy.path.abspath(image.filepath, library=image.library))
    if packed:
        file: Any = packed.size
    else:
        file = path.stat().st_mtime_ns if path.is_file() else None
    space = image.colorspace_settings.name
    return image.name, tuple(image.size), space, image.alpha_mode, str(path), file


def encoded_pixels(image: Any) -> NDArray[np.float32]:
    """Return RGB in sRGB and alpha, (rows, columns, 4), 0 to 1, rows from the bottom.

    Raises ValueError for an image without pixels.
    """
    pixels: NDArray[np.float32] = images.with_four(images.pixels_of(image))
    if image.is_float:  # Blender stores colors times alpha then
        pixels[..., :3] /= np.fmax(pixels[..., 3:], LEAST_ALPHA)
    if image.is_float or image.colorspace_settings.is_data:
        np.clip(pixels, 0, 1, out=pixels)
        pixels[..., :3] = encoded(pixels[..., :3])
    return pixels
