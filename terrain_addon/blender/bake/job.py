# SPDX-License-Identifier: GPL-3.0-or-later
"""Jobs that bake one or several images of a terrain."""

import dataclasses
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import bpy

from ...core import Bake, Cache, Image, Recipe, checks, evaluate
from ...core.evaluation import memory
from ...core.numerics import Cancel, LayerProgress
from ...core.output import (
    IMAGES,
    ImageFile,
    ImageLayer,
    ImageRows,
    ImageSet,
    begin_file,
    check_bake,
    fields_of,
)
from ...core.settings import check_place
from ..data import images
from ..data.terrains import mesh_of
from .output import LAYERS, Output

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
EVALUATING = 0.6
"""Share of the progress of an image before its file is written."""
Range = tuple[float, float]
HEIGHTS = "heightmap"
"""The image whose heights are checked."""
CHECKED = 1025
"""Samples along a side on which they are checked, at most."""
LONGEST = 65536
"""Pixels along a side at most: square pixels on a narrow strip could need millions."""


def offered(recipe: Recipe) -> list[str]:
    """Return the images that a set of this terrain may hold."""
    known = set(fields_of(recipe))
    return [
        name for name, what in IN_SETS.items() if known.issuperset(what.kind.fields(recipe, what))
    ]


@dataclass
class Written:
    """A file that is complete, but has not replaced an older one yet."""

    file: ImageFile
    ranges: tuple[Range, ...]


@dataclass
class BakedImage:
    """An image to bake, or a file of several layers: checked, and plain data."""

    name: str
    size: tuple[int, int]
    path: Path | None
    mesh: int
    """session_uid of the terrain's mesh."""
    recipe: Recipe
    several: tuple[Bake, ...]
    """What it shows, or what its layers show."""
    output: Output
    layered: bool = False
    ranges: tuple[Range, ...] = ()
    """Range of the heights in meters, or of the field, once it is stored; that of each layer."""
    changed_file: bool = False
    """Whether storing it changed an image of the blend file."""
    note: str = ""
    """Why its file is in another place than the settings say."""
    checked: str = ""
    """What was found in the heights, if it shows these, once it is made."""

    @classmethod
    def of(
        cls,
        item: bpy.types.Object,
        recipe: Recipe,
        several: Bake | Sequence[Bake],
        output: Output,
        *,
        in_set: bool = False,
    ) -> "BakedImage":
        """Return the image of a terrain object; ValueError or OSError if it cannot be baked.

        Several are the layers of one file. In a set, all images share the names in ``output``, and
        each appends what it shows.
        """
        mesh: Any = item.data
        given, output = output, output.settled
        note = UNSAVED if output.is_file and output.filepath != given.filepath else ""
        layers = (several,) if isinstance(several, Bake) else tuple(several)
        for what in layers:
            check_bake(recipe, what)
            if output.is_file and output.is_png and what.kind.needs_floats(what):
                raise ValueError("A PNG file holds values from 0 to 1: choose EXR, or 0 to 1")
        layered = not isinstance(several, Bake)
        shown = "Layers" if layered else layers[0].kind.name_of(recipe, layers[0])
        chosen = output.name.strip()
        end = images.ending(f" {shown}") if in_set or not chosen else ""
        name = images.fitting(chosen or item.name, end)
        if output.is_image and not chosen:
            name = images.free_name(item.name, end, mesh)
        path = output.path(name, end if in_set else "") if output.is_file else None
        if output.is_image:
            images.check_name(name, mesh)
        if path:
            images.check_file(path, mesh)
            check_place(path)
        size = output.size(recipe.size_x, recipe.size_y)
        if max(size) > LONGEST:
            raise ValueError(f"The image would have {size[0]} x {size[1]} pixels: set its Height")
        if path:
            fields = {field for what in layers for field in what.kind.fields(recipe, what)}
            memory.check_streamed(*size, 1 + len(fields))
        else:
            memory.check_image(*size)
        uid = mesh.session_uid
        return cls(name, size, path, uid, recipe, layers, output, layered=layered, note=note)

    @property
    def what(self) -> Bake:
        """What it shows, or what its first layer shows."""
        return self.several[0]

    def write(
        self, rows: Sequence[ImageRows], progress: LayerProgress, cancelled: Cancel | None
    ) -> Written:
        """Write its file under another name. Any thread may call it.

        Raises OSError if it cannot be written, and Cancelled.
        """
        assert self.path
        layers = [
            ImageLayer(image, what, what.kind.name_of(self.recipe, what) if self.layered else "")
            for image, what in zip(rows, self.several, strict=True)
        ]
        file = begin_file(
            self.path,
            layers,
            depth=self.output.depth,
            seed=self.recipe.seed,
            progress=lambda share: progress(share, "Writing"),
            cancelled=cancelled,
        )
        return Written(file, tuple((image.low, image.high) for image in rows))

    def store(self, made: Image | Written) -> None:
        """Put the pixels where they should go, or a file that is written in its place.

        Raises OSError if a file cannot be replaced, ValueError if another image took the name.
        """
        mesh = mesh_of(self.mesh)
        if self.output.is_image:
            images.check_name(self.name, mesh)
        color = self.what.kind.color and not self.layered
        if isinstance(made, Written):
            assert self.path
            images.check_file(self.path, mesh)
            made.file.keep()
            self.ranges = made.ranges
            if self.output.is_image:
                images.link(self.name, self.output.shown_path(self.path), mesh, color=color)
            changed = images.loaded_again(self.path)
        else:
            self.ranges = ((made.low, made.high),)
            changed = [images.make(self.name, made.pixels, mesh, color=color)]
        for image in changed:
            self._note_ranges(image)
        self.changed_file = bool(changed)

    def _note_ranges(self, image: Any) -> None:
        """Write the ranges to the custom properties of an image."""
        for what, (low, high) in zip(self.several, self.ranges, strict=True):
            kind = what.kind
            key = what.shown if self.layered else kind.measure
            image[f"{key}_low"], image[f"{key}_high"] = low, high
            image[f"{key}_unit"] = kind.unit(what)

    @property
    def low(self) -> float:
        """The lowest value, once it is stored."""
        return self.ranges[0][0]

    @property
    def high(self) -> float:
        """The highest value, once it is stored."""
        return self.ranges[0][1]

    @property
    def shown(self) -> str:
        """What it shows, in a word or two."""
        return "Layers" if self.layered else self.what.shown

    @property
    def summary(self) -> str:
        """What the image shows, and its range unless the values imply it."""
        return ", ".join(
            f"{what.shown} ({what.kind.range_text(*ends)})"
            if what.kind.tells_range(what)
            else what.shown
            for what, ends in zip(self.several, self.ranges, strict=True)
        )

    def __str__(self) -> str:
        """Return the report after it is stored."""
        where = f" to {self.path}" if self.path else ""
        width, height = self.size
        what = self.summary if self.layered else self.what.kind.range_text(self.low, self.high)
        made = f"Baked {self.name!r}{where}, {width} x {height} pixels, {what}{self.note}"
        return f"{made}. {self.checked}" if self.checked else made


class BakeJob:
    """Images of one terrain with the same output, baked one after the other."""

    def __init__(self, images: Sequence[BakedImage], cache: Cache | None = None) -> None:
        self.images, self.cache = tuple(images), cache
        self.done = 0
        first = self.images[0]
        grid = first.recipe.pixel_grid(first.size)
        several = [what for image in self.images for what in image.several]
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
        """Return several images of a terrain in their usual order, with ``common`` settings.

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
        layered = output.format == LAYERS and output.settled.is_file
        files = [several] if layered else several
        images = [BakedImage.of(item, recipe, what, output, in_set=True) for what in files]
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
        return "Bake Set" if others else f"Bake {first.shown}"

    def again(self) -> "BakeJob":
        """Return the same job with nothing done yet."""
        return BakeJob(self.images, self.cache)

    def make(
        self, progress: LayerProgress | None = None, cancelled: Cancel | None = None
    ) -> Image | Written:
        """Return the next image, as pixels or as a file, without Blender: any thread may call it.

        ``progress`` gets the share of the whole job. Raises as :meth:`ImageSet.make` does, and
        OSError if a file cannot be written.
        """
        n, count = self.done, len(self.images)
        image = self.images[n]

        def report(share: float, text: str) -> None:
            if progress:
                which = f"{n + 1} of {count}: {image.shown}"
                progress((n + share) / count, which if count > 1 else text)

        report(0.0, "")
        if any(what.image == HEIGHTS for what in image.several):
            image.checked = self._checked(image, cancelled)
        if not image.path:
            return self._set.make(n, report, cancelled)
        evaluating = _part(report, 0.0, EVALUATING)
        if image.layered:
            rows = self._set.stream_all(evaluating, cancelled)
        else:
            rows = [self._set.stream(n, evaluating, cancelled)]
        written = image.write(rows, _part(report, EVALUATING, 1.0), cancelled)
        report(1.0, "")
        return written

    def _checked(self, image: BakedImage, cancelled: Cancel | None) -> str:
        """Check the heights, at every so many pixels of a large image."""
        recipe, every = image.recipe, max(-(-max(image.size) // CHECKED), 1)
        nx, ny = (max(count // every, 2) for count in image.size)
        grid = recipe.pixel_grid((nx, ny))
        height = evaluate(recipe, grid, fields=(), cache=self.cache, cancelled=cancelled).height
        found = checks.check(recipe, height, grid, cache=self.cache, cancelled=cancelled)
        where = f" ({nx} x {ny} samples)" if every > 1 else ""
        return f"{'; '.join(one.text for one in found)}{where}"

    def store(self, made: Image | Written) -> None:
        """Store the pixels or the file of the next image; raises as
        :meth:`BakedImage.store` does."""
        self.images[self.done].store(made)
        self.done += 1

    def __str__(self) -> str:
        """Return the report after all images are stored."""
        first, *others = self.images
        if not others:
            return str(first)
        width, height = first.size
        where = first.output.where(str(first.path.parent) if first.path else "")
        shown = ", ".join(image.summary for image in self.images)
        count = len(self.images)
        checked = "".join(f". {image.checked}" for image in self.images if image.checked)
        made = f"Baked {count} images of {width} x {height} pixels {where}: {shown}{first.note}"
        return made + checked

    def canceled(self) -> str:
        """Return the report after it was canceled."""
        done = f"after {self._stored_names}" if self.done else "no image was stored"
        return f"The bake was canceled{' ' if self.done else ': '}{done}"

    def failed(self, reason: str) -> str:
        """Return the report after the next image failed."""
        if len(self.images) == 1:
            return reason
        done = f"; stored {self._stored_names}" if self.done else ""
        return f"{self.images[self.done].shown}: {reason}{done}"

    @property
    def _stored_names(self) -> str:
        names = ", ".join(image.shown for image in self.stored)
        return f"{self.done} of {len(self.images)} images: {names}"


def _part(progress: LayerProgress, start: float, end: float) -> LayerProgress:
    """Return progress of a step that is mapped to the range from ``start`` to ``end``."""
    return lambda share, text: progress(start + (end - start) * share, text)
