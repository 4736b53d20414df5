# SPDX-License-Identifier: GPL-3.0-or-later
"""The image that colors the terrain of a command."""

from __future__ import annotations

import argparse
import dataclasses
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ..core import Imagery, Recipe, formats
from ..core.elevation import Georeference, Picture, Unread, drape_over
from ..core.real_terrain import RELATIVE
from ..core.settings import check_regular
from .console import Console
from .extras import gdal
from .recipes import place_of

OPTION = "--color-image"
Bytes = NDArray[np.uint8]


def add_color_image(command: argparse.ArgumentParser) -> None:
    """Declare the image of the colors."""
    command.add_argument(
        OPTION,
        metavar="FILE",
        help="image of the colors, instead of that which the recipe names: PNG, or with "
        'pip install "orogen[gis]" JPEG, GeoTIFF and others of GDAL; one with coordinates is '
        "draped by them",
    )


def with_image(recipe: Recipe, options: argparse.Namespace, console: Console) -> Recipe:
    """Return a recipe with the image of its colors.

    It is draped by its coordinates where the terrain has some too, and covers the terrain from
    border to border otherwise, with a warning if one of both has some.

    Raises
    ------
    ValueError : a file that is missing or damaged, an image that lies elsewhere
    OSError : it cannot be read
    """
    text = options.color_image or recipe.palette.image
    if not text:
        return recipe
    path = _path(text, options)
    pixels = _pixels(path)
    lies = place_of(options, recipe)
    try:
        place = _place(path, pixels)
        if lies and place:
            colors = pixels.astype(np.float32)
            draped = drape_over(colors, place, lies, (recipe.size_x, recipe.size_y))
            pixels = np.rint(draped).astype(np.uint8)
    except ValueError as error:
        raise ValueError(f"{path.name}: {error}") from None
    if bool(lies) != bool(place):
        lacks = "the terrain" if place else "it"
        console.warn(
            f"{path.name} covers the terrain from border to border, as {lacks} has no coordinates"
        )
    palette = dataclasses.replace(recipe.palette, image=text)
    return dataclasses.replace(recipe, palette=palette, imagery=Imagery(text, pixels))


def _path(text: str, options: argparse.Namespace) -> Path:
    """Return the file of an image, which lies beside the recipe if the recipe names it."""
    if options.color_image:
        return Path(text)
    recipe = Path(options.recipe)
    path = recipe.parent / text.removeprefix(RELATIVE)
    if not path.exists():
        raise ValueError(
            f"{recipe.name}: its colors are those of the image {text!r}, which is not in "
            f"{path.parent}: put the file there, or name it with {OPTION} FILE"
        )
    return path


def _pixels(path: Path) -> Bytes:
    """Return the colors of a file, (rows, columns, 4): sRGB and alpha, row 0 in the south."""
    check_regular(path)
    try:
        if path.suffix.lower() == ".png":
            return formats.read_colors(path)
    except (Picture, Unread):  # with a palette, or interlaced
        pass
    except ValueError as error:
        raise ValueError(f"{path.name}: {error}") from None
    return gdal.read_colors(path)


def _place(path: Path, pixels: Bytes) -> Georeference | None:
    """Return the coordinates of the pixels, None where they are not known."""
    try:
        return formats.image_place(path, pixels.shape[1], pixels.shape[0])
    except formats.Unplaced:
        return None
