# SPDX-License-Identifier: GPL-3.0-or-later
"""Bake a terrain into an image: what is asked for, and where it goes."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import bpy

from ..core import (
    FIELDS,
    Bake,
    Cancel,
    Image,
    LayerProgress,
    Recipe,
    Settings,
    bake,
    memory,
    param,
)
from . import images

EXR, PNG = "exr", "png"
IMAGE, FILE, BOTH = "image", "file", "both"
SUFFIXES = (".exr", ".png")


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
    """Range of the land in metres, or of the mask."""
    mask: bool
    image: bpy.types.Image | None
    path: Path | None

    def __str__(self) -> str:
        where = f" to {self.path}" if self.path else ""
        width, height = self.size
        shown = f"heights {self.low:.4g} m to {self.high:.4g} m"
        if self.mask:
            shown = f"values {self.low:.4g} to {self.high:.4g}"
        return f"Baked {self.name!r}{where}, {width} x {height} pixels, {shown}"


@dataclass(frozen=True)
class Plan:
    """A bake that was found to be possible: plain data."""

    name: str
    size: tuple[int, int]
    path: Path | None
    mesh: int
    """session_uid of the terrain's"""
    recipe: Recipe
    what: Bake
    output: Output

    @classmethod
    def of(cls, item: bpy.types.Object, recipe: Recipe, what: Bake, output: Output) -> "Plan":
        """Plan to bake the recipe of a terrain object. ValueError for what cannot be."""
        mesh: Any = item.data
        name = images.fitting(output.name.strip() or f"{item.name} {_shown(what)}")
        if output.target != FILE and not output.name.strip():
            name = images.free_name(name, mesh)
        size = output.size(recipe.size_x, recipe.size_y)
        path = None if output.target == IMAGE else _path(output, name)
        metres = what.image in ("displacement", "mask") and what.values == "metres"
        if path and output.format == PNG and metres:
            raise ValueError("A PNG file holds values from 0 to 1: choose EXR, or 0 to 1")
        if path and not path.parent.is_dir():
            raise ValueError(f"There is no folder {path.parent}")
        if output.target != FILE:
            images.check_name(name, mesh)
        if path:
            images.check_file(path, mesh)
        memory.check_image(*size)
        return cls(name, size, path, mesh.session_uid, recipe, what, output)

    @property
    def _shown_path(self) -> str:
        """The file for an image that shows it: relative to the blend file when asked for so."""
        path = str(self.path)
        return bpy.path.relpath(path) if _is_relative(self.output.filepath.strip()) else path

    def make(self, progress: LayerProgress | None = None, cancelled: Cancel | None = None) -> Image:
        """The pixels. Knows no Blender: any thread may call it."""
        grid = self.recipe.pixel_grid(self.size)
        return bake(self.recipe, grid, self.what, progress=progress, cancelled=cancelled)

    def store(self, made: Image) -> Baked:
        """Put the image where it should go.

        OSError when a file cannot be written, ValueError when another image took the name.
        """
        mesh = next((one for one in bpy.data.meshes if one.session_uid == self.mesh), None)
        if self.output.target != FILE:
            images.check_name(self.name, mesh)
        color, gray = self.what.image == "color", self.what.image not in ("color", "normal")
        mask = self.what.image == "mask"
        image = None
        if self.path:
            images.check_file(self.path, mesh)
            images.write(self.path, made.pixels, color=color, gray=gray)
        if self.output.target == IMAGE:
            image = images.make(self.name, made.pixels, mesh, color=color)
        elif self.output.target == BOTH and self.path:
            image = images.link(self.name, self._shown_path, mesh, color=color)
        if image:
            measure = "mask" if mask else "height"
            image[f"{measure}_low"], image[f"{measure}_high"] = made.low, made.high
        return Baked(self.name, self.size, made.low, made.high, mask, image, self.path)


def _shown(what: Bake) -> str:
    """What the image shows, for its name."""
    return FIELDS[what.mask].label if what.image == "mask" else what.image.title()


def _path(output: Output, name: str) -> Path:
    """The file to write; ValueError when a relative path has nothing to be relative to."""
    text = output.filepath.strip() or "//"
    if _is_relative(text):
        if not bpy.data.filepath:
            raise ValueError("Save the blend file first, or give a full path for the image")
        text = f"//{text.removeprefix('//')}"
    path = Path(bpy.path.abspath(text)).expanduser()
    if path.is_dir() or text.endswith(("/", "\\")):
        path = path / re.sub(r'[\\/:*?"<>|\s\x00-\x1f]', "_", name)
    stem = path.stem if path.suffix.lower() in SUFFIXES else path.name
    return path.with_name(f"{stem}.{output.format}")


def _is_relative(text: str) -> bool:
    """Whether a path starts from the folder of the blend file, as it does without any other."""
    return text.startswith("//") or not Path(text).expanduser().is_absolute()
