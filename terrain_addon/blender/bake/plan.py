# SPDX-License-Identifier: GPL-3.0-or-later
"""Bake a terrain into an image: what is asked for, and where it goes."""

import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import bpy

from ...core import Bake, Image, Recipe
from ...core.evaluation import memory
from ...core.output import check_bake
from ...core.settings import Settings, check_place, param
from ..data import images
from ..properties.recipe import read_settings

EXR, PNG = "exr", "png"
IMAGE, FILE, BOTH = "image", "file", "both"
SUFFIXES = (".exr", ".png")
LONGEST = 65536
"""Pixels along a side of an image: a strip of land with square pixels may ask for millions."""


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
        help="File to write, or a folder for a file named like the image; what the files of a set "
        "are named begins with that of the file",
        unit="path",
        shown_if=("target", (FILE, BOTH)),
    )
    name: str = param(
        "",
        label="Name",
        help="Name of the image; empty for that of the terrain and what the image shows",
    )

    @property
    def is_image(self) -> bool:
        """Whether an image in the blend file is asked for."""
        return self.target != FILE

    @property
    def is_file(self) -> bool:
        """Whether a file is asked for."""
        return self.target != IMAGE

    def size(self, size_x: float, size_y: float) -> tuple[int, int]:
        """(width, height) of the image of a terrain of that size in metres."""
        return self.width, self.height or max(round(self.width * size_y / size_x), 2)


@dataclass(frozen=True)
class Baked:
    """What came out."""

    name: str
    what: Bake
    size: tuple[int, int]
    low: float
    high: float
    """Range of the land in metres, or of the mask."""
    in_file: bool
    """Whether an image in the blend file changed."""
    path: Path | None

    @property
    def range(self) -> str:
        """The range in words."""
        return self.what.kind.range_text(self.low, self.high)

    def __str__(self) -> str:
        where = f" to {self.path}" if self.path else ""
        width, height = self.size
        return f"Baked {self.name!r}{where}, {width} x {height} pixels, {self.range}"


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
    def of(
        cls,
        item: bpy.types.Object,
        recipe: Recipe,
        what: Bake,
        output: Output,
        *,
        in_set: bool = False,
    ) -> "Plan":
        """Plan to bake the recipe of a terrain object.

        The names that ``output`` gives to the image and to the file are those of all images if
        ``in_set``: each then adds what it shows. ValueError or OSError for what cannot be.
        """
        mesh: Any = item.data
        check_bake(recipe, what)
        chosen = output.name.strip()
        shown = images.ending(f" {what.kind.name_of(recipe, what)}")
        end = shown if in_set or not chosen else ""
        name = images.fitting(chosen or item.name, end)
        if output.is_image and not chosen:
            name = images.free_name(item.name, end, mesh)
        if output.is_file and output.format == PNG and what.kind.needs_floats(what):
            raise ValueError("A PNG file holds values from 0 to 1: choose EXR, or 0 to 1")
        path = _path(output, name, end if in_set else "") if output.is_file else None
        if output.is_image:
            images.check_name(name, mesh)
        if path:
            images.check_file(path, mesh)
            check_place(path)
        size = output.size(recipe.size_x, recipe.size_y)
        if max(size) > LONGEST:
            raise ValueError(f"The image would have {size[0]} x {size[1]} pixels: set its Height")
        memory.check_image(*size)
        return cls(name, size, path, mesh.session_uid, recipe, what, output)

    @property
    def _shown_path(self) -> str:
        """The file for an image that shows it: relative to the blend file when asked for so."""
        path = str(self.path)
        return bpy.path.relpath(path) if _is_relative(self.output.filepath.strip()) else path

    def store(self, made: Image) -> Baked:
        """Put the image where it should go.

        OSError when a file cannot be written, ValueError when another image took the name.
        """
        mesh = next((one for one in bpy.data.meshes if one.session_uid == self.mesh), None)
        if self.output.is_image:
            images.check_name(self.name, mesh)
        kind = self.what.kind
        if self.path:
            images.check_file(self.path, mesh)
            images.write(self.path, made.pixels, color=kind.color, gray=kind.gray)
            if self.output.is_image:
                images.link(self.name, self._shown_path, mesh, color=kind.color)
            changed = images.loaded_again(self.path)
        else:
            changed = [images.make(self.name, made.pixels, mesh, color=kind.color)]
        for image in changed:
            image[f"{kind.measure}_low"], image[f"{kind.measure}_high"] = made.low, made.high
        return Baked(
            self.name,
            self.what,
            self.size,
            made.low,
            made.high,
            bool(changed),
            self.path,
        )


def pixels(terrain: Any) -> str:
    """The size of images of a terrain, as the panel has it."""
    output = Output(**read_settings(terrain.bake, Output))
    width, height = output.size(terrain.size_x, terrain.size_y)
    return f"{width} x {height} pixels"


def place(output: Output) -> str:
    """Where the files of a set go, as the panel has it."""
    text = _place(output)
    if text.endswith(("/", "\\")):
        return text
    bare, suffix = os.path.splitext(text)
    return f"{bare if suffix.lower() in SUFFIXES else text}_..."


def _place(output: Output) -> str:
    """Where the panel's path leads, with a / at the end if to a folder."""
    text = output.filepath.strip() or "//"
    if _is_relative(text):
        text = f"//{text.removeprefix('//')}"
    if text.endswith(("/", "\\")):
        return text
    known = bpy.data.filepath or not _is_relative(text)  # else there is nothing to start from
    folder = known and os.path.isdir(Path(bpy.path.abspath(text)).expanduser())
    return f"{text}/" if folder else text


def _path(output: Output, name: str, end: str) -> Path:
    """The file to write, with an end for its name if it is one of a set.

    ValueError when a relative path has nothing to be relative to, or there is no such folder.
    """
    text = _place(output)
    if _is_relative(text) and not bpy.data.filepath:
        raise ValueError("Save the blend file first, or give a full path for the image")
    path = Path(bpy.path.abspath(text)).expanduser()
    if text.endswith(("/", "\\")):
        path, end = path / _file_name(name), ""
    if not os.path.isdir(path.parent):
        raise ValueError(f"There is no folder {path.parent}")
    stem = path.stem if path.suffix.lower() in SUFFIXES else path.name
    return path.with_name(f"{stem}{_file_name(end)}.{output.format}")


def _file_name(name: str) -> str:
    return re.sub(r'[\\/:*?"<>|\s\x00-\x1f]', "_", name)


def _is_relative(text: str) -> bool:
    """Whether a path starts from the folder of the blend file, as it does without any other."""
    return text.startswith("//") or not Path(text).expanduser().is_absolute()
