# SPDX-License-Identifier: GPL-3.0-or-later
"""Jobs that bake one or several images of a terrain."""

import dataclasses
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import bpy

from ...core import Bake, Cache, Image, Recipe
from ...core.evaluation import memory
from ...core.numerics import Cancel, LayerProgress
from ...core.output import IMAGES, ImageSet, check_bake, fields_of
from ...core.settings import check_place
from ..data import image_files, images
from ..data.terrains import mesh_of
from .output import PNG, Output

IN_SETS = {
    name: Bake(image=key, **which)
    for key, kind in IMAGES.items()
    for name, which in kind.in_sets().items()
}
"""The images that a set may hold, by the name of their switch."""
WHICH = ("image", *(kind.which for kind in IMAGES.values() if kind.which))
"""The settings that choose the image; a set has switches instead."""
UNSAVED = "; not beside the blend file, which is not saved yet"
"""Note on a bake to the folder of a blend file that has none."""
LONGEST = 65536
"""Pixels along a side at most: square pixels on a narrow strip could need millions."""


def offered(recipe: Recipe) -> list[str]:
    """The images that a set of this terrain may hold."""
    known = set(fields_of(recipe))
    return [
        name for name, what in IN_SETS.items() if known.issuperset(what.kind.fields(recipe, what))
    ]


@dataclass
class BakedImage:
    """An image to bake: checked, and plain data."""

    name: str
    size: tuple[int, int]
    path: Path | None
    mesh: int
    """session_uid of the terrain's mesh."""
    recipe: Recipe
    what: Bake
    output: Output
    low: float = 0.0
    high: float = 0.0
    """Range of the heights in meters, or of the mask, once it is stored."""
    changed_file: bool = False
    """Whether storing it changed an image of the blend file."""
    note: str = ""
    """Why its file is in another place than the settings say."""

    @classmethod
    def of(
        cls,
        item: bpy.types.Object,
        recipe: Recipe,
        what: Bake,
        output: Output,
        *,
        in_set: bool = False,
    ) -> "BakedImage":
        """The image of a terrain object; ValueError or OSError if it cannot be baked.

        In a set, all images share the names in ``output``, and each appends what it shows.
        """
        mesh: Any = item.data
        given, output = output, output.settled
        note = UNSAVED if output.is_file and output.filepath != given.filepath else ""
        check_bake(recipe, what)
        chosen = output.name.strip()
        shown = images.ending(f" {what.kind.name_of(recipe, what)}")
        end = shown if in_set or not chosen else ""
        name = images.fitting(chosen or item.name, end)
        if output.is_image and not chosen:
            name = images.free_name(item.name, end, mesh)
        if output.is_file and output.format == PNG and what.kind.needs_floats(what):
            raise ValueError("A PNG file holds values from 0 to 1: choose EXR, or 0 to 1")
        path = output.path(name, end if in_set else "") if output.is_file else None
        if output.is_image:
            images.check_name(name, mesh)
        if path:
            images.check_file(path, mesh)
            check_place(path)
        size = output.size(recipe.size_x, recipe.size_y)
        if max(size) > LONGEST:
            raise ValueError(f"The image would have {size[0]} x {size[1]} pixels: set its Height")
        memory.check_image(*size)
        return cls(name, size, path, mesh.session_uid, recipe, what, output, note=note)

    def store(self, made: Image) -> None:
        """Put the pixels where they should go.

        Raises OSError if a file cannot be written, ValueError if another image took the name.
        """
        mesh = mesh_of(self.mesh)
        if self.output.is_image:
            images.check_name(self.name, mesh)
        kind = self.what.kind
        if self.path:
            images.check_file(self.path, mesh)
            image_files.write(self.path, made.pixels, color=kind.color, gray=kind.gray)
            if self.output.is_image:
                shown_path = self.output.shown_path(self.path)
                images.link(self.name, shown_path, mesh, color=kind.color)
            changed = images.loaded_again(self.path)
        else:
            changed = [images.make(self.name, made.pixels, mesh, color=kind.color)]
        for image in changed:
            image[f"{kind.measure}_low"], image[f"{kind.measure}_high"] = made.low, made.high
        self.low, self.high, self.changed_file = made.low, made.high, bool(changed)

    @property
    def range(self) -> str:
        """The range in words."""
        return self.what.kind.range_text(self.low, self.high)

    @property
    def summary(self) -> str:
        """What the image shows, and its range unless the values imply it."""
        what = self.what
        return f"{what.shown} ({self.range})" if what.kind.tells_range(what) else what.shown

    def __str__(self) -> str:
        """The report after it is stored."""
        where = f" to {self.path}" if self.path else ""
        width, height = self.size
        return f"Baked {self.name!r}{where}, {width} x {height} pixels, {self.range}{self.note}"


class BakeJob:
    """Images of one terrain with the same output, baked one after the other."""

    def __init__(self, images: Sequence[BakedImage], cache: Cache | None = None) -> None:
        self.images, self.cache = tuple(images), cache
        self.done = 0
        first = self.images[0]
        grid = first.recipe.pixel_grid(first.size)
        several = [image.what for image in self.images]
        self._set = ImageSet(first.recipe, grid, several, cache=cache)

    @classmethod
    def of_set(
        cls,
        item: bpy.types.Object,
        recipe: Recipe,
        keys: Iterable[str],
        common: Bake,
        output: Output,
        cache: Cache | None = None,
    ) -> "BakeJob":
        """Several images of a terrain object, in their usual order, with ``common`` settings.

        ``cache`` may know the solution of the terrain. Raises ValueError or OSError, before
        anything is baked, if one of them cannot be.
        """
        chosen = set(keys)
        if not chosen:
            raise ValueError("Choose at least one image")
        several = [
            dataclasses.replace(common, **{one: getattr(what, one) for one in WHICH})
            for name, what in IN_SETS.items()
            if name in chosen
        ]
        images = [BakedImage.of(item, recipe, what, output, in_set=True) for what in several]
        return cls(images, cache)

    @property
    def mesh(self) -> int:
        """session_uid of the terrain's mesh."""
        return self.images[0].mesh

    @property
    def stored(self) -> tuple[BakedImage, ...]:
        """The images that are stored already."""
        return self.images[: self.done]

    @property
    def is_done(self) -> bool:
        """Whether all images are stored."""
        return self.done == len(self.images)

    @property
    def changed_file(self) -> bool:
        """Whether an image of the blend file has changed so far."""
        return any(image.changed_file for image in self.stored)

    @property
    def title(self) -> str:
        """Its name in the undo history."""
        first, *others = self.images
        return "Bake Set" if others else f"Bake {first.what.shown}"

    def again(self) -> "BakeJob":
        """The same job with nothing done yet."""
        return BakeJob(self.images, self.cache)

    def make(self, progress: LayerProgress | None = None, cancelled: Cancel | None = None) -> Image:
        """The pixels of the next image, without Blender: any thread may call it.

        ``progress`` gets the share of the whole job. Raises as :meth:`ImageSet.make` does.
        """
        n, count = self.done, len(self.images)

        def report(share: float, text: str) -> None:
            if progress:
                which = f"{n + 1} of {count}: {self.images[n].what.shown}"
                progress((n + share) / count, which if count > 1 else text)

        report(0.0, "")
        return self._set.make(n, report, cancelled)

    def store(self, made: Image) -> None:
        """Store the pixels of the next image; raises as :meth:`BakedImage.store` does."""
        self.images[self.done].store(made)
        self.done += 1

    def __str__(self) -> str:
        """The report after all images are stored."""
        first, *others = self.images
        if not others:
            return str(first)
        width, height = first.size
        where = first.output.where(str(first.path.parent) if first.path else "")
        shown = ", ".join(image.summary for image in self.images)
        count = len(self.images)
        return f"Baked {count} images of {width} x {height} pixels {where}: {shown}{first.note}"

    def canceled(self) -> str:
        """The report after it was canceled."""
        done = f"after {self._stored_names}" if self.done else "no image was stored"
        return f"The bake was canceled{' ' if self.done else ': '}{done}"

    def failed(self, reason: str) -> str:
        """The report after the next image failed."""
        if len(self.images) == 1:
            return reason
        done = f"; stored {self._stored_names}" if self.done else ""
        return f"{self.images[self.done].what.shown}: {reason}{done}"

    @property
    def _stored_names(self) -> str:
        names = ", ".join(image.what.shown for image in self.stored)
        return f"{self.done} of {len(self.images)} images: {names}"
