# SPDX-License-Identifier: GPL-3.0-or-later
"""The kinds of image that a terrain can be baked into: one class each, and the table of them all.

Whatever makes, names, offers or stores an image asks its kind. Another kind is another class here,
with an instance in `IMAGES`; settings of its own are declared in `bake_settings`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Protocol

import numpy as np

from ...analysis import fields
from ...analysis.derivatives import gradient_rows, slope
from ...evaluation.heightfield import Heightfield
from ...layers import GENERATE, LayerKind
from ...numerics.arrays import Floats
from ...recipe.palette import LEAST_RANGE, Palette
from ...recipe.recipe import Layer, Recipe

METRES, NORMALISED = "metres", "normalised"
OPENGL, DIRECTX = "opengl", "directx"


class Asked(Protocol):
    """The settings of :class:`~.bake_settings.Bake` that kinds of image look at."""

    values: str
    mask: str
    green: str
    layer: int


@dataclass(frozen=True)
class Canvas:
    """An image that is being made, or some rows of it.

    ``pixels`` is (h, w, 4) float32, RGBA, with an alpha of 1. ``beside`` is (h, w, n) float32, with
    as many values of each pixel as :meth:`ImageKind.planes` asks for.
    """

    pixels: Floats
    beside: Floats
    palette: Palette
    asked: Asked

    def rows(self, rows: slice) -> Canvas:
        """Some of its rows, to be written to."""
        return dataclasses.replace(self, pixels=self.pixels[rows], beside=self.beside[rows])


class ImageKind:
    """One kind of image: what is known of it, and how its pixels are made.

    ``key`` is permanent: saved files hold it. ``settings`` names those of a bake that have a
    meaning for it beside ``which``, the one that says which image of the kind it is, if there are
    several. ``usual`` ones are in a set unless told otherwise.

    ``color`` tells linear colours, which a PNG file holds in sRGB, from plain data. ``gray`` ones
    have three equal channels, of which a PNG file gets one. ``measure`` is what the range of an
    image is that of, as its custom properties name it.
    """

    key: ClassVar[str]
    label: ClassVar[str]
    help: ClassVar[str]
    which: ClassVar[str] = ""
    settings: ClassVar[tuple[str, ...]] = ()
    usual: ClassVar[bool] = False
    color: ClassVar[bool] = False
    gray: ClassVar[bool] = False
    measure: ClassVar[str] = "height"

    def label_of(self, asked: Asked) -> str:
        """What the image shows, in a word or two."""
        return self.label

    def help_of(self, asked: Asked) -> str:
        """What the image shows, in a sentence."""
        return self.help

    def name_of(self, recipe: Recipe, asked: Asked) -> str:
        """What its name says it shows: no other image of the terrain is named so.

        ``asked`` must be possible, as :meth:`subject` tells.
        """
        return self.label_of(asked)

    def in_sets(self) -> Mapping[str, Mapping[str, str]]:
        """The images of this kind that a set may hold: by name the settings that ask for each."""
        return {} if self.which else {self.key: {}}

    def needs_floats(self, asked: Asked) -> bool:
        """Whether the values are not within 0 to 1: an EXR file holds them, a PNG file does not."""
        return "values" in self.settings and asked.values == METRES

    def tells_range(self, asked: Asked) -> bool:
        """Whether a list of images needs the range to say what values stand for."""
        return False

    def range_text(self, low: float, high: float) -> str:
        """The range of an image in words."""
        return f"heights {low:.4g} m to {high:.4g} m"

    def subject(self, recipe: Recipe, asked: Asked) -> Recipe:
        """The terrain that the image shows: the very same, or another one made of it.

        ValueError when there is no such image of the terrain. Nothing is evaluated.
        """
        return recipe

    def masks(self, recipe: Recipe, asked: Asked) -> list[str]:
        """Names of the masks that the image is made from."""
        return []

    def planes(self, recipe: Recipe, asked: Asked) -> int:
        """How many values of each pixel must be kept beside it until the image is finished."""
        return 0

    def write(self, canvas: Canvas, terrain: Heightfield, margin: int) -> Floats:
        """Fill some rows as far as it goes; the values whose range is that of the image.

        The land has ``margin`` more samples, at least 1, on each of the four sides of the rows.
        """
        raise NotImplementedError

    def range_of(self, low: float, high: float, asked: Asked) -> tuple[float, float]:
        """The range of the image, when that of what was written is ``low`` to ``high``."""
        return low, high

    def finish(self, canvas: Canvas, low: float, high: float) -> None:
        """What needs the range of the whole image: a second pass over some rows, in place."""


class _Values(ImageKind):
    """One value for each point, by default its height, which goes from black to white."""

    gray = True

    def values_of(self, terrain: Heightfield, asked: Asked) -> Floats:
        """The values of the land that the image shows."""
        return terrain.height

    def tells_range(self, asked: Asked) -> bool:
        return True

    def write(self, canvas: Canvas, terrain: Heightfield, margin: int) -> Floats:
        values = _inside(self.values_of(terrain, canvas.asked), margin)
        canvas.pixels[..., 0] = values
        return values

    def finish(self, canvas: Canvas, low: float, high: float) -> None:
        values = canvas.pixels[..., 0]
        if not self.needs_floats(canvas.asked):
            values = normalised(values, low, high)
        canvas.pixels[..., :3] = values.copy()[..., None]


class Displacement(_Values):
    key, label = "displacement", "Displacement"
    help = "Heights, for a Displace modifier or an engine"
    settings = ("values",)
    usual = True


class Color(ImageKind):
    """Heights and slopes wait in the pixels for the range of the land, or beside what covers them.

    What covers them are the colours by masks, with their weight as alpha.
    """

    key, label = "color", "Colour"
    help = "The colours of the palette"
    usual = True
    color = True

    def masks(self, recipe: Recipe, asked: Asked) -> list[str]:
        # A mask that no layer leaves colours nothing.
        return [name for name in masks_of(recipe) if name in recipe.palette.fields]

    def planes(self, recipe: Recipe, asked: Asked) -> int:
        return 2 if self.masks(recipe, asked) else 0

    def write(self, canvas: Canvas, terrain: Heightfield, margin: int) -> Floats:
        height = _inside(terrain.height, margin)
        ground = _ground(canvas)
        ground[..., 0] = height
        ground[..., 1] = _steepness(terrain, margin)
        if ground is canvas.beside:
            cover = canvas.palette.cover(terrain.fields)
            canvas.pixels[:] = 0 if cover is None else _inside(cover, margin)
        return height

    def finish(self, canvas: Canvas, low: float, high: float) -> None:
        ground = _ground(canvas)
        height, steepness = ground[..., 0].copy(), ground[..., 1].copy()
        cover = canvas.pixels if ground is canvas.beside else None
        canvas.pixels[:] = canvas.palette.colors(height, steepness, low, high, cover)


class Normal(ImageKind):
    """(-dh/dx, -dh/dy, 1) made of length 1, and -1 to 1 shown as 0 to 1."""

    key, label = "normal", "Normal"
    help = "Tangent-space normals"
    settings = ("green",)
    usual = True

    def write(self, canvas: Canvas, terrain: Heightfield, margin: int) -> Floats:
        height, pixels = _inside(terrain.height, margin - 1), canvas.pixels
        gx, gy = gradient_rows(height, terrain.grid.dx, terrain.grid.dy, slice(1, len(height) - 1))
        gx, gy = gx[:, 1:-1], gy[:, 1:-1]
        half = np.float32(0.5) / np.sqrt(gx * gx + gy * gy + np.float32(1))
        down = np.float32(-1 if canvas.asked.green == DIRECTX else 1)
        pixels[..., 0] = np.float32(0.5) - gx * half
        pixels[..., 1] = np.float32(0.5) - gy * half * down
        pixels[..., 2] = np.float32(0.5) + half
        return _inside(height, 1)


class Slope(ImageKind):
    """The angle over 90 degrees."""

    key, label = "slope", "Slope"
    help = "From black, flat, to white, upright"
    gray = True

    def write(self, canvas: Canvas, terrain: Heightfield, margin: int) -> Floats:
        canvas.pixels[..., :3] = (_steepness(terrain, margin) * np.float32(1 / 90))[..., None]
        return _inside(terrain.height, margin)


class Noise(_Values):
    key, label = "noise", "Noise"
    help = "The heights of one layer alone, from black to white"
    which = "layer"

    def subject(self, recipe: Recipe, asked: Asked) -> Recipe:
        kinds = [type(layer.settings) for layer in recipe.layers]
        if reason := why_no_noise(kinds, asked.layer):
            raise ValueError(reason)
        layer = recipe.layers[asked.layer - 1]
        return dataclasses.replace(recipe, layers=(Layer.of(layer.settings, name=layer.name),))

    def name_of(self, recipe: Recipe, asked: Asked) -> str:
        names = [layer.name for layer in recipe.layers]
        name = names[asked.layer - 1]
        number = str(asked.layer) if names.count(name) > 1 else ""
        return " ".join(part for part in (self.label, name, number) if part)


class Mask(_Values):
    """The values of a mask, of which 0 to 1 is the natural range, or else their own."""

    key, label = "mask", "Mask"
    help = "A mask that follows from the land or that a layer leaves"
    which = "mask"
    settings = ("values",)
    measure = "mask"

    def label_of(self, asked: Asked) -> str:
        return fields.FIELDS[asked.mask].label

    def help_of(self, asked: Asked) -> str:
        return fields.FIELDS[asked.mask].help

    def in_sets(self) -> Mapping[str, Mapping[str, str]]:
        # The slope is an image of its own there, by the same name.
        return {name: {"mask": name} for name in fields.FIELDS if name not in IMAGES}

    def tells_range(self, asked: Asked) -> bool:
        return fields.FIELDS[asked.mask].natural is None

    def range_text(self, low: float, high: float) -> str:
        return f"values {low:.4g} to {high:.4g}"

    def subject(self, recipe: Recipe, asked: Asked) -> Recipe:
        if asked.mask not in masks_of(recipe):
            raise ValueError(f"No layer of this terrain leaves the mask {self.label_of(asked)!r}")
        return recipe

    def masks(self, recipe: Recipe, asked: Asked) -> list[str]:
        return [asked.mask]

    def values_of(self, terrain: Heightfield, asked: Asked) -> Floats:
        return terrain.fields[asked.mask]

    def range_of(self, low: float, high: float, asked: Asked) -> tuple[float, float]:
        return fields.FIELDS[asked.mask].natural or (low, high)


IMAGES: dict[str, ImageKind] = {
    kind.key: kind for kind in (Displacement(), Color(), Normal(), Slope(), Noise(), Mask())
}
"""All kinds, in the order in which they are offered."""


def kinds_with(setting: str) -> tuple[str, ...]:
    """Keys of the kinds for which a setting of a bake has a meaning."""
    return tuple(
        key for key, kind in IMAGES.items() if setting == kind.which or setting in kind.settings
    )


def masks_of(recipe: Recipe) -> list[str]:
    """Names of the masks that a terrain has: those of any land, and those that its layers leave."""
    left = {name for layer in recipe.active for name in layer.settings.produces}
    return [name for name, field in fields.FIELDS.items() if field.make or name in left]


def why_no_noise(kinds: Sequence[type[LayerKind]], number: int) -> str:
    """Why a layer cannot be shown alone, "" when it can; ``kinds`` are those of all layers."""
    if not 1 <= number <= len(kinds):
        return f"There is no layer {number}: the terrain has {len(kinds)}"
    kind = kinds[number - 1]
    if kind.group != GENERATE:
        return (
            f"Layer {number}, {kind.label}, shapes the land below it: "
            "choose a layer that makes heights of its own"
        )
    return ""


def normalised(height: Floats, low: float, high: float) -> Floats:
    """Heights with ``low`` as 0 and ``high`` as 1, float32; flat land is 0."""
    bottom, top = np.float32(low), np.float32(high)
    if not top - bottom > LEAST_RANGE:
        return np.zeros_like(height)
    out = height - bottom
    out /= top - bottom  # unlike multiplying by the reciprocal this makes the highest exactly 1
    return np.clip(out, np.float32(0), np.float32(1), out=out)


def _ground(canvas: Canvas) -> Floats:
    """Where heights and slopes wait to be coloured."""
    return canvas.beside if canvas.beside.shape[-1] else canvas.pixels


def _steepness(terrain: Heightfield, margin: int) -> Floats:
    """The slope in degrees, without the margin."""
    return _inside(slope(terrain.height, terrain.grid.dx, terrain.grid.dy), margin)


def _inside(values: Floats, margin: int) -> Floats:
    """The values without so many rows and columns on each side."""
    ny, nx = values.shape[:2]
    return values[margin : ny - margin, margin : nx - margin]
