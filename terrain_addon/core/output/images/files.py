# SPDX-License-Identifier: GPL-3.0-or-later
"""Baked images as files, without Blender."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO

import numpy as np
from numpy.typing import NDArray

from ...formats.png_writer import FAST, encoded
from ...numerics import srgb
from ...settings import replaced, sync
from .baking import Image
from .settings import Bake

ROWS = 64
"""Rows that are converted at a time."""


def write_image(path: str | Path, image: Image, settings: Bake) -> None:
    """Write a baked image.

    Parameters
    ----------
    path : ``.png`` for 16 bits, north on top, colors in sRGB, one channel if all are equal;
        ``.npy`` for the values as they are, float32, row 0 at the lowest y. An older file is
        replaced once the new one is complete
    image : from :func:`~.baking.bake`
    settings : what it was baked with

    Raises
    ------
    ValueError : another suffix, or values that a PNG file does not hold
    OSError : the file cannot be written

    Examples
    --------
    >>> import tempfile
    >>> from terrain_addon.core import Bake, bake, presets
    >>> recipe, color = presets.load("mesa"), Bake(image="color")
    >>> image = bake(recipe, recipe.pixel_grid(32), color)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_image(f"{folder}/mesa.npy", image, color)
    ...     np.load(f"{folder}/mesa.npy").shape
    (32, 32, 3)
    """
    path = Path(path)
    check_image_file(path, settings)
    with replaced(path) as beside:
        try:
            with beside.open("wb") as file:
                WRITERS[path.suffix.lower()](file, image, settings)
            sync(beside)
        except OSError as error:
            reason = error.strerror or "the disk may be full"  # NumPy gives no reason
            raise OSError(f"{path} could not be written: {reason}") from None


def check_image_file(path: Path, settings: Bake) -> None:
    """Raise ValueError where :func:`write_image` would, before anything is baked."""
    if path.suffix.lower() not in WRITERS:
        raise ValueError(f"{path.name}: the file must end in {' or '.join(WRITERS)}")
    if path.suffix.lower() == ".png" and settings.kind.needs_floats(settings):
        raise ValueError(
            f"{path.name}: a PNG file holds values from 0 to 1: choose normalized values, or .npy"
        )


def _write_png(file: IO[bytes], image: Image, settings: Bake) -> None:
    height, width, _ = image.pixels.shape
    shape = (height, width, 1 if settings.kind.gray else 3)
    for chunk in encoded(_png_rows(image, settings), shape, depth=16, level=FAST):
        file.write(chunk)


def _png_rows(image: Image, settings: Bake) -> Iterator[NDArray[np.uint16]]:
    """Rows from the top, 0 to 65535: gray, or colors in sRGB, or data as they are."""
    kind = settings.kind
    pixels = image.pixels[::-1, :, 0] if kind.gray else image.pixels[::-1, :, :3]
    for first in range(0, len(pixels), ROWS):
        part = np.clip(pixels[first : first + ROWS], 0, 1)
        part = srgb.encoded(part) if kind.color else part
        yield np.rint(part * np.float32(65535)).astype(np.uint16)


def _write_npy(file: IO[bytes], image: Image, settings: Bake) -> None:
    pixels = image.pixels[..., 0] if settings.kind.gray else image.pixels[..., :3]
    values = np.ascontiguousarray(pixels, "<f4")
    np.lib.format.write_array(file, values, allow_pickle=False)


WRITERS: dict[str, Callable[[IO[bytes], Image, Bake], None]] = {
    ".png": _write_png,
    ".npy": _write_npy,
}
"""The formats by suffix."""
