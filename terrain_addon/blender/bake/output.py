# SPDX-License-Identifier: GPL-3.0-or-later
"""Size, format and place of baked images."""

import dataclasses
import os
import re
import tempfile
from pathlib import Path
from typing import Any

import bpy

from ...core.settings import Settings, param
from ..properties.recipe import read_settings

EXR, PNG, PNG8, LAYERS = "exr", "png", "png8", "layers"
AUTO, IMAGE, FILE, BOTH = "auto", "image", "file", "both"
BESIDE = "//"
"""The folder of the blend file."""
SUFFIXES = (".exr", ".png")


class Output(Settings):
    """Size and place of a baked image."""

    width: int = param(
        2048, "Width", "Pixels along X", min=2, max=16384, soft_min=256, soft_max=8192
    )
    height: int = param(
        0,
        "Height",
        "Pixels along Y (0: from proportions, square pixels)",
        min=0,
        max=16384,
        soft_max=8192,
    )
    target: str = param(
        AUTO,
        "Save To",
        "Where to save the image",
        choices=[
            (
                AUTO,
                "Automatic",
                "A file on disk, and an image in this blend file that shows it. Until the blend "
                "file is saved, a packed image in it",
            ),
            (IMAGE, "Blend File", "A packed image in this blend file"),
            (FILE, "File", "A file on disk"),
            (BOTH, "Both", "A file on disk, and an image in this blend file that shows it"),
        ],
    )
    format: str = param(
        EXR,
        "Format",
        "File format",
        choices=[
            (EXR, "EXR 32-bit", "Exact floating-point values of any range"),
            (PNG, "PNG 16-bit", "Values from 0 to 1 in 65536 steps, colors in sRGB"),
            (
                PNG8,
                "PNG 8-bit",
                "Values from 0 to 1 in 256 steps, dithered so that no steps show, colors in sRGB",
            ),
            (
                LAYERS,
                "EXR Layers",
                "A set as one EXR file with a layer for each image; a single image as EXR 32-bit",
            ),
        ],
        shown_if=("target", (AUTO, FILE, BOTH)),
    )
    filepath: str = param(
        BESIDE,
        "File",
        "File to write, or a folder for files named after their images; // is the folder of "
        "the blend file. The files of a set start with this name",
        unit="path",
        shown_if=("target", (AUTO, FILE, BOTH)),
    )
    name: str = param(
        "", "Name", "Name of the image. If empty, the name of the terrain and what the image shows"
    )

    @property
    def settled(self) -> "Output":
        """The output for the blend file as it is now: with a target, and a folder that exists.

        Without a blend file to put files beside, they go to the home folder.
        """
        target, filepath = self.target, self.filepath
        if target == AUTO:
            target = BOTH if bpy.data.filepath else IMAGE
        if target != IMAGE and self._place() == BESIDE and not bpy.data.filepath:
            filepath = os.path.join(home(), "")
        return dataclasses.replace(self, target=target, filepath=filepath)

    @property
    def is_png(self) -> bool:
        """Whether files hold values from 0 to 1 only."""
        return self.format in (PNG, PNG8)

    @property
    def depth(self) -> int:
        """Bits of a channel of a PNG file."""
        return 8 if self.format == PNG8 else 16

    @property
    def is_image(self) -> bool:
        """Whether to make an image in the blend file."""
        return self.target != FILE

    @property
    def is_file(self) -> bool:
        """Whether to write a file."""
        return self.target != IMAGE

    def size(self, size_x: float, size_y: float) -> tuple[int, int]:
        """Return the width and height in pixels for a terrain of a size in meters."""
        return self.width, self.height or max(round(self.width * size_y / size_x), 2)

    def where(self, folder: str) -> str:
        """Describe where images go; ``folder`` is that of their files."""
        to = f"to {folder}" if self.is_file else ""
        into = "into this blend file" if self.is_image else ""
        return " and ".join(part for part in (to, into) if part)

    def place(self) -> str:
        """Return where the files of a set go, for the dialog."""
        text = self._place()
        if text.endswith(("/", "\\")):
            return text
        bare, suffix = os.path.splitext(text)
        return f"{bare if suffix.lower() in SUFFIXES else text}_..."

    def path(self, name: str, end: str) -> Path:
        """Return the file for an image; ``end`` completes the name of one that is part of a set.

        Raises ValueError for a relative path in an unsaved blend file, and for a missing folder.
        """
        text = self._place()
        if _is_relative(text) and not bpy.data.filepath:
            raise ValueError("Save the blend file first, or give a full path for the image")
        path = Path(bpy.path.abspath(text)).expanduser()
        if text.endswith(("/", "\\")):
            path, end = path / _file_name(name), ""
        if not os.path.isdir(path.parent):
            raise ValueError(f"There is no folder {path.parent}")
        stem = path.stem if path.suffix.lower() in SUFFIXES else path.name
        suffix = "png" if self.is_png else "exr"
        return path.with_name(f"{stem}{_file_name(end)}.{suffix}")

    def shown_path(self, path: Path) -> str:
        """Return a path for an image that shows the file: relative if the setting is."""
        relative = _is_relative(self.filepath.strip())
        return bpy.path.relpath(str(path)) if relative else str(path)

    def _place(self) -> str:
        """Return the path in the setting, with a final / if it is a folder."""
        text = self.filepath.strip() or BESIDE
        if _is_relative(text):
            text = f"{BESIDE}{text.removeprefix(BESIDE)}"
        if text.endswith(("/", "\\")):
            return text
        known = bpy.data.filepath or not _is_relative(text)  # otherwise relative to nothing
        folder = known and os.path.isdir(Path(bpy.path.abspath(text)).expanduser())
        return f"{text}/" if folder else text


def pixels(terrain: Any) -> str:
    """Return the size of images of a terrain, for panels."""
    output = Output(**read_settings(terrain.bake, Output))
    width, height = output.size(terrain.size_x, terrain.size_y)
    return f"{width} x {height} pixels"


def home() -> str:
    """Return the home folder, or that for temporary files if nothing can be written there."""
    home = os.path.expanduser("~")
    return home if os.access(home, os.W_OK) else tempfile.gettempdir()


def _file_name(name: str) -> str:
    return re.sub(r'[\\/:*?"<>|\s\x00-\x1f]', "_", name)


def _is_relative(text: str) -> bool:
    """Return whether a path is relative to the blend file, with or without a leading //."""
    return text.startswith(BESIDE) or not Path(text).expanduser().is_absolute()
