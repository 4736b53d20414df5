# SPDX-License-Identifier: GPL-3.0-or-later
"""Pixels written to image files, value for value.

Files are written under another name and then renamed, so an older file stays whole until then.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import bpy
import numpy as np

from ...core.numerics import srgb
from ...core.settings import replaced
from .images import Pixels, filled

PNG_END = b"\0\0\0\0IEND\xaeB`\x82"
"""The last bytes of a PNG file. Blender reports no error if a full disk cuts one off."""


def write(path: Path, pixels: Pixels, *, color: bool, gray: bool) -> None:
    """Write (H, W, 4) pixels, by the suffix of ``path`` as 32-bit EXR or 16-bit PNG.

    EXR is compressed without loss. PNG holds values from 0 to 1, colors in sRGB; a ``gray`` one has
    a single channel. Raises OSError if the file cannot be written.
    """
    if not path.parent.is_dir():
        raise OSError(f"There is no folder {path.parent}")
    png = path.suffix == ".png"
    image = filled(path.stem, encoded(pixels) if png and color else pixels)
    try:
        with replaced(path) as beside, _scene(png=png, gray=gray) as scene:
            image.save_render(filepath=str(beside), scene=scene)
            if not _is_complete(beside, PNG_END if png else b""):
                raise OSError(f"{path} could not be written completely: the disk may be full")
    except RuntimeError as error:
        reason = str(error).splitlines()[0].removeprefix("Error: ")
        raise OSError(f"{path} could not be written, the disk may be full: {reason}") from None
    finally:
        bpy.data.images.remove(image)


def _is_complete(path: Path, end: bytes) -> bool:
    """Whether a file has content that ends like that."""
    with path.open("rb") as file:
        size = file.seek(0, os.SEEK_END)
        file.seek(max(size - len(end), 0))
        return size > 0 and file.read() == end


@contextmanager
def _scene(*, png: bool, gray: bool) -> Iterator[bpy.types.Scene]:
    """A scene for ``save_render``: 16-bit PNG or 32-bit EXR, values unchanged.

    Blender writes gray values to EXR as three equal channels; compressed, they take no more room.
    """
    scene: Any = bpy.data.scenes.new("Image Output")
    settings = scene.render.image_settings
    if hasattr(settings, "media_type"):  # Blender 5.0 and later
        settings.media_type = "IMAGE"
    settings.file_format = "PNG" if png else "OPEN_EXR"
    settings.color_mode = "BW" if gray and png else "RGB"
    settings.color_depth = "16" if png else "32"
    settings.exr_codec = "ZIP"  # without loss
    scene.view_settings.view_transform = "Raw"
    try:
        yield scene
    finally:
        bpy.data.scenes.remove(scene)


def encoded(pixels: Pixels) -> Pixels:
    """Linear colors as sRGB; alpha is unchanged."""
    out = np.empty_like(pixels)
    for rows in range(0, len(pixels), 64):  # temporaries stay small
        part = np.clip(pixels[rows : rows + 64], 0, 1)
        out[rows : rows + 64] = srgb.encoded(part)
    out[..., 3] = pixels[..., 3]
    return out
