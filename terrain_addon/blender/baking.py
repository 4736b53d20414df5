# SPDX-License-Identifier: GPL-3.0-or-later
"""Bake a terrain into an image: what is asked for, and where it goes."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import bpy

from ..core import Bake, Recipe, Settings, bake, memory, param
from . import images

EXR, PNG = "exr", "png"
IMAGE, FILE, BOTH = "image", "file", "both"


class Output(Settings):
    """Size and place of a baked image."""

    width: int = param(
        2048,
        label="Width",
        help="Pixels along X",
        min=2,
        max=16384,
        soft_min=256,
        soft_max=8192,
    )
    height: int = param(
        0,
        label="Height",
        help="Pixels along Y; 0 makes the pixels square",
        min=0,
        max=16384,
        soft_max=8192,
    )
    target: str = param(
        IMAGE,
        label="Target",
        help="Where the image goes",
        choices=[
            (IMAGE, "Image", "An image in this blend file, packed"),
            (FILE, "File", "A file on disk"),
            (BOTH, "Both", "A file on disk, and an image in this blend file that shows it"),
        ],
    )
    format: str = param(
        EXR,
        label="Format",
        help="Kind of file",
        choices=[
            (EXR, "EXR 32-bit", "Floats, exact, any range"),
            (PNG, "PNG 16-bit", "Values from 0 to 1 in 65536 steps; colours in sRGB"),
        ],
        shown_if=("target", (FILE, BOTH)),
    )
    filepath: str = param(
        "//",
        label="File",
        help="File to write, or a folder for a file named like the image",
        unit="path",
        shown_if=("target", (FILE, BOTH)),
    )
    name: str = param(
        "",
        label="Name",
        help="Name of the image; empty for that of the terrain and what the image shows",
    )

    def size(self, size_x: float, size_y: float) -> tuple[int, int]:
        """(width, height) of the image of a terrain of that size in metres."""
        return self.width, self.height or max(round(self.width * size_y / size_x), 2)


@dataclass(frozen=True)
class Baked:
    """What came out."""

    name: str
    size: tuple[int, int]
    low: float
    high: float
    """Range of the land in metres."""
    image: bpy.types.Image | None
    path: Path | None

    def __str__(self) -> str:
        where = f" to {self.path}" if self.path else ""
        width, height = self.size
        land = f"heights {self.low:.4g} m to {self.high:.4g} m"
        return f"Baked {self.name!r}{where}, {width} x {height} pixels, {land}"


def run(
    title: str,
    recipe: Recipe,
    what: Bake,
    output: Output,
    progress: Callable[[float, str], None] | None = None,
) -> Baked:
    """Bake a recipe and put the image where ``output`` says.

    ``title`` names the terrain. ValueError or OSError, before anything is changed, for what
    cannot be done.
    """
    color, gray = what.image == "color", what.image not in ("color", "normal")
    name = output.name.strip() or f"{title} {what.image.title()}"
    size = output.size(recipe.size_x, recipe.size_y)
    path = None if output.target == IMAGE else _path(output, name)
    if path and output.format == PNG and what.image == "displacement" and what.values == "metres":
        raise ValueError("A PNG file holds values from 0 to 1: choose EXR, or values from 0 to 1")
    if output.target != FILE:
        images.check_name(name)
    memory.check_image(*size)
    made = bake(recipe, recipe.pixel_grid(size), what, progress=progress)
    image = None
    if path:
        images.write(path, made.pixels, color=color, gray=gray)
    if output.target == IMAGE:
        image = images.make(name, made.pixels, color=color)
    elif output.target == BOTH and path:
        image = images.link(name, path, color=color)
    if image:
        image["height_low"], image["height_high"] = made.low, made.high
    return Baked(name, size, made.low, made.high, image, path)


def _path(output: Output, name: str) -> Path:
    """The file to write; ValueError when a relative path has nothing to be relative to."""
    text = output.filepath.strip() or "//"
    if text.startswith("//") and not bpy.data.filepath:
        raise ValueError("Save the blend file first, or choose a folder for the image")
    path = Path(bpy.path.abspath(text))
    if path.is_dir() or text.endswith(("/", "\\")):
        path = path / bpy.path.clean_name(name)
    return path.with_name(path.name.removesuffix(f".{output.format}") + f".{output.format}")
