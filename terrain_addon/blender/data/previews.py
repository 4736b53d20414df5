# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures in menus and panels: files and pixels as Blender's preview icons.

Blender keeps previews until they are removed, so all are in one collection that is removed with the
extension; it is made on first use.
"""

import os
from collections.abc import Hashable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import bpy
import bpy.utils.previews
import numpy as np
from numpy.typing import NDArray


@dataclass
class _Pictures:
    """The collection, what each picture in it shows, and how many collections there were."""

    collection: Any = None
    states: dict[str, Hashable] = field(default_factory=dict)
    generation: int = 0


_pictures = _Pictures()


def generation() -> int:
    """Return a number that changes when all icons lose their meaning."""
    return _pictures.generation


def of_file(path: Path, stamp: Hashable = None) -> int:
    """Return the icon of an image file, 0 if there is none; it is read again when ``stamp``
    changes."""
    if not os.path.isfile(path):
        return 0
    pictures, key = _collection(), str(path)
    if key in pictures and not is_current(key, stamp):
        del pictures[key]
    if key not in pictures:
        pictures.load(key, key, "IMAGE")
        _pictures.states[key] = stamp
    return pictures[key].icon_id


def is_current(key: str, state: Hashable) -> bool:
    """Return whether there is a picture of that key, and it shows that state."""
    return key in _collection() and _pictures.states.get(key) == state


def show(key: str, pixels: NDArray[np.float32], state: Hashable) -> None:
    """Make the pixels the picture of a key, in place of the last."""
    pictures = _collection()
    fill(pictures[key] if key in pictures else pictures.new(key), pixels)
    _pictures.states[key] = state


def icon(key: str) -> int:
    """Return the icon of a key that was shown."""
    return _collection()[key].icon_id


def fill(preview: Any, pixels: NDArray[np.float32]) -> None:
    """Write (H, W, 4) pixels, sRGB and alpha, to a preview; their first row is at the bottom."""
    height, width = pixels.shape[:2]
    if tuple(preview.image_size) != (width, height):
        preview.image_size = (width, height)
    drawn = pixels.copy()
    drawn[..., :3] *= pixels[..., 3:]  # Blender draws previews as multiplied by their alpha
    preview.image_pixels_float.foreach_set(drawn.reshape(-1))


def _collection() -> Any:
    if _pictures.collection is None:
        _pictures.collection = bpy.utils.previews.new()
    return _pictures.collection


def register() -> None:
    """Do nothing: the collection is made on first use."""


def unregister() -> None:
    """Remove all pictures."""
    if _pictures.collection is not None:
        bpy.utils.previews.remove(_pictures.collection)
    _pictures.collection = None
    _pictures.states.clear()
    _pictures.generation += 1
