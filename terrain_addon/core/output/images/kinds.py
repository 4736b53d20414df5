# SPDX-License-Identifier: GPL-3.0-or-later
"""The kinds of image that a terrain can be baked into, one class each.

A new kind is a class here with an instance in `IMAGES`; settings of its own are declared in
`settings.Bake`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Protocol

import numpy as np

from ...analysis.derivatives import gradient_rows, slope
from ...analysis.fields import FIELDS, HABITAT, derived
from ...evaluation.heightfield import Heightfield
from ...layers import GENERATE, LayerKind
from ...numerics.arrays import Floats, inside
from ...recipe.palette import LEAST_RANGE
from ...recipe.recipe import Layer, Recipe

METERS, NORMALIZED = "meters", "normalized"
OPENGL, DIRECTX = "opengl", "directx"


class Asked(Protocol):
    """The settings of :class:`~.settings.Bake` that kinds of image use."""

    values: str
    field: str
    green: str
    layer: int


@dataclass(frozen=True)
class Canvas:
    """An unfinished image, or some of its rows.

    Attributes
    ----------
    pixels : (h, w, 4) float32 RGBA, alpha 1
    beside : (h, w, n) float32, with :meth:`ImageKind.planes` values of each pixel
    """

    pixels: Floats
    beside: Floats
    recipe: Recipe
    asked: Asked

    def rows(self, rows: slice) -> Canvas:
        """Return some rows, as views."""
        return dataclasses.replace(self, pixels=self.pixels[rows], beside=self.beside[rows])


class ImageKind:
    """A kind of image: how its pixels are computed, and how it is named and stored.

    Attributes
    ----------
    key : permanent name; saved files hold it
    settings : names of the settings of a bake that it uses, besides ``which``
    which : the setting that chooses one of several images of this kind
    usual : part of a set by default
    color : linear colors, which a PNG file holds in sRGB; otherwise plain data
    gray : three equal channels, of which a PNG file gets one
    measure : what the range of the image measures, as in its custom properties
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
        """Return what the image shows, in a word or two."""
        return self.label

    def help_of(self, asked: Asked) -> str:
        """Return what the image shows, in a sentence."""
        return self.help

    def name_of(self, recipe: Recipe, asked: Asked) -> str:
        """Return a label that no other image of the terrain has; ``asked`` must be valid for
        :meth:`subject`."""
        return self.label_of(asked)

    def in_sets(self) -> Mapping[str, Mapping[str, str]]:
        """Return the images of this kind that a set may hold: their settings by name."""
        return {} if self.which else {self.key: {}}

    def needs_floats(self, asked: Asked) -> bool:
        """Return whether values exceed 0 to 1: they need an EXR file."""
        return "values" in self.settings and asked.values == METERS

    def tells_range(self, asked: Asked) -> bool:
        """Return whether the meaning of the values depends on the range, which lists then state."""
        return False

    def range_text(self, low: float, high: float) -> str:
        """Return the range of an image in words."""
        return f"heights {low:.4g} m to {high:.4g} m"

    def subject(self, recipe: Recipe, asked: Asked) -> Recipe:
        """Return the recipe to evaluate: the one given, or one derived from it.

        ValueError when the terrain has no such image.
        """
        return recipe

    def fields(self, recipe: Recipe, asked: Asked) -> list[str]:
        """Return the names of the fields that the image is computed from."""
        return []

    def planes(self, recipe: Recipe, asked: Asked) -> int:
        """Return how many values to keep for each pixel until the image is finished, besides its
        color."""
        return 0

    def write(self, canvas: Canvas, terrain: Heightfield, margin: int) -> Floats:
        """Fill some rows, and return the values whose range is that of the image.

        The terrain has ``margin`` more samples, at least 1, on each side of the rows.
        """
        raise NotImplementedError

    def natural(self, asked: Asked) -> tuple[float, float] | None:
        """Return the range of the image if it does not depend on its values."""
        return None

    def ranged(self, terrain: Heightfield, margin: int, asked: Asked) -> Floats:
        """Return the values whose range is that of the image, which :meth:`write` returns."""
        return inside(terrain.height, margin)

    def range_of(self, low: float, high: float, asked: Asked) -> tuple[float, float]:
        """Return the range of the image, given that of the values that were written."""
        return self.natural(asked) or (low, high)

    def unit(self, asked: Asked) -> str:
        """Return the unit of the range."""
        return "m"

    def finish(self, canvas: Canvas, low: float, high: float) -> None:
        """Apply the range of the whole image to some rows, in place."""

    def canvas(self, recipe: Recipe, asked: Asked, shape: tuple[int, int]) -> Canvas:
        """Return an unfinished image of (h, w) pixels to write to."""
        pixels = np.empty((*shape, 4), np.float32)
        pixels[..., 3] = 1
        beside = np.empty((*shape, self.planes(recipe, asked)), np.float32)
        return Canvas(pixels, beside, recipe, asked)

    def pixels(
        self,
        recipe: Recipe,
        asked: Asked,
        terrain: Heightfield,
        margin: int,
        ends: tuple[float, float],
    ) -> Floats:
        """Return the pixels of a window, given the range of the whole image.

        The terrain has ``margin`` more samples, at least 1, on each side.
        """
        ny, nx = terrain.grid.shape
        canvas = self.canvas(recipe, asked, (ny - 2 * margin, nx - 2 * margin))
        self.write(canvas, terrain, margin)
        self.finish(canvas, *ends)
        return canvas.pixels


class _Values(ImageKind):
    """One value for each point, by default its height, from black to white."""

    gray = True

    def values_of(self, terrain: Heightfield, asked: Asked) -> Floats:
        """Return the values that the image shows."""
        return terrain.height

    def tells_range(self, asked: Asked) -> bool:
        return True

    def ranged(self, terrain: Heightfield, margin: int, asked: Asked) -> Floats:
        return inside(self.values_of(terrain, asked), margin)

    def write(self, canvas: Canvas, terrain: Heightfield, margin: int) -> Floats:
        values = self.ranged(terrain, margin, canvas.asked)
        canvas.pixels[..., 0] = values
        return values

    def finish(self, canvas: Canvas, low: float, high: float) -> None:
        values = canvas.pixels[..., 0]
        if not self.needs_floats(canvas.asked):
            values = normalized(values, low, high)
        canvas.pixels[..., :3] = values.copy()[..., None]


class Heightmap(_Values):
    key, label = "heightmap", "Heightmap"
    help = "Heights, for a Displace modifier or an engine"
    settings = ("values",)
    usual = True


class Color(ImageKind):
    """Heights and slopes are kept until the range is known: in the pixels, or beside them where the
    pixels hold the colors over those by height, with their weight as alpha."""

    key, label = "color", "Color"
    help = "The colors of the palette"
    usual = True
    color = True

    def fields(self, recipe: Recipe, asked: Asked) -> list[str]:
        # A field that no layer produces colors nothing.
        return [name for name in fields_of(recipe) if name in recipe.colors.fields]

    def planes(self, recipe: Recipe, asked: Asked) -> int:
        covered = recipe.palette.image or self.fields(recipe, asked)
        return 2 + len(recipe.areas) if covered else 0

    def write(self, canvas: Canvas, terrain: Heightfield, margin: int) -> Floats:
        height = inside(terrain.height, margin)
        ground = _ground(canvas)
        ground[..., 0] = height
        ground[..., 1] = _steepness(terrain, margin)
        if ground is canvas.beside:
            cover = canvas.recipe.cover(terrain.fields, terrain.grid)
            canvas.pixels[:] = 0 if cover is None else inside(cover, margin)
        for n, (name, _) in enumerate(canvas.recipe.areas):
            ground[..., 2 + n] = inside(terrain.fields[name], margin)
        return height

    def finish(self, canvas: Canvas, low: float, high: float) -> None:
        ground = _ground(canvas)
        height, steepness = ground[..., 0].copy(), ground[..., 1].copy()
        cover = canvas.pixels if ground is canvas.beside else None
        names = [name for name, _ in canvas.recipe.areas]
        areas = {name: ground[..., 2 + n].copy() for n, name in enumerate(names)}
        colors = canvas.recipe.colors.colors(height, steepness, low, high, cover, areas)
        canvas.pixels[:] = colors


class Normal(ImageKind):
    """(-dh/dx, -dh/dy, 1), normalized; -1 to 1 becomes 0 to 1."""

    key, label = "normal", "Normal"
    help = "Tangent-space normals"
    settings = ("green",)
    usual = True

    def write(self, canvas: Canvas, terrain: Heightfield, margin: int) -> Floats:
        height, pixels = inside(terrain.height, margin - 1), canvas.pixels
        gx, gy = gradient_rows(height, terrain.grid.dx, terrain.grid.dy, slice(1, len(height) - 1))
        gx, gy = gx[:, 1:-1], gy[:, 1:-1]
        half = np.float32(0.5) / np.sqrt(gx * gx + gy * gy + np.float32(1))
        down = np.float32(-1 if canvas.asked.green == DIRECTX else 1)
        pixels[..., 0] = np.float32(0.5) - gx * half
        pixels[..., 1] = np.float32(0.5) - gy * half * down
        pixels[..., 2] = np.float32(0.5) + half
        return inside(height, 1)


class Slope(ImageKind):
    """The angle over 90 degrees."""

    key, label = "slope", "Slope"
    help = "From black (flat) to white (vertical)"
    gray = True

    def write(self, canvas: Canvas, terrain: Heightfield, margin: int) -> Floats:
        canvas.pixels[..., :3] = (_steepness(terrain, margin) * np.float32(1 / 90))[..., None]
        return inside(terrain.height, margin)


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


class FieldImage(_Values):
    """A field; 0 to 1 is its natural range, or the range of its values."""

    key, label = "field", "Attribute"
    help = "A value of each point, derived from the heights or produced by a layer"
    which = "field"
    settings = ("values",)
    measure = "field"

    def label_of(self, asked: Asked) -> str:
        return FIELDS[asked.field].label

    def help_of(self, asked: Asked) -> str:
        return FIELDS[asked.field].help

    def in_sets(self) -> Mapping[str, Mapping[str, str]]:
        # The slope is an image of its own, with the same name.
        return {name: {"field": name} for name in FIELDS if name not in IMAGES}

    def tells_range(self, asked: Asked) -> bool:
        return FIELDS[asked.field].natural is None

    def range_text(self, low: float, high: float) -> str:
        return f"values {low:.4g} to {high:.4g}"

    def subject(self, recipe: Recipe, asked: Asked) -> Recipe:
        if asked.field not in fields_of(recipe):
            raise ValueError(f"No layer of this terrain produces {self.label_of(asked)!r}")
        return recipe

    def fields(self, recipe: Recipe, asked: Asked) -> list[str]:
        return [asked.field]

    def values_of(self, terrain: Heightfield, asked: Asked) -> Floats:
        return terrain.fields[asked.field]

    def natural(self, asked: Asked) -> tuple[float, float] | None:
        return FIELDS[asked.field].natural

    def unit(self, asked: Asked) -> str:
        return FIELDS[asked.field].unit


IMAGES: dict[str, ImageKind] = {
    kind.key: kind for kind in (Heightmap(), Color(), Normal(), Slope(), Noise(), FieldImage())
}
"""All kinds of image by key, in the order of the menu."""


def kinds_with(setting: str) -> tuple[str, ...]:
    """Return the keys of the kinds that use a setting of a bake."""
    return tuple(
        key for key, kind in IMAGES.items() if setting == kind.which or setting in kind.settings
    )


def fields_of(recipe: Recipe) -> list[str]:
    """Return the names of a terrain's fields: those of any terrain, and those its layers produce.

    Examples
    --------
    >>> from terrain_addon.core import Layer, Recipe, Snow
    >>> "snow" in fields_of(Recipe()), "snow" in fields_of(Recipe(layers=(Layer.of(Snow()),)))
    (False, True)
    """
    known = {*derived(), *HABITAT, *recipe.produced}
    return [name for name in FIELDS if name in known]


def why_no_noise(kinds: Sequence[type[LayerKind]], number: int) -> str:
    """Return why layer ``number`` (from 1) has no image of its own; "" if it has.

    Examples
    --------
    >>> from terrain_addon.core import FractalNoise
    >>> why_no_noise([FractalNoise], 2)
    'There is no layer 2: the terrain has 1'
    """
    if not 1 <= number <= len(kinds):
        return f"There is no layer {number}: the terrain has {len(kinds)}"
    kind = kinds[number - 1]
    if kind.group != GENERATE:
        return (
            f"Layer {number}, {kind.label}, shapes the terrain below it: "
            "choose a layer that generates heights"
        )
    return ""


def normalized(height: Floats, low: float, high: float) -> Floats:
    """Return heights with ``low`` as 0 and ``high`` as 1, float32; flat terrain is 0."""
    bottom, top = np.float32(low), np.float32(high)
    if not top - bottom > LEAST_RANGE:
        return np.zeros_like(height)
    out = height - bottom
    out /= top - bottom  # multiplying by the reciprocal would not map the highest to exactly 1
    return np.clip(out, np.float32(0), np.float32(1), out=out)


def _ground(canvas: Canvas) -> Floats:
    """Return the array that keeps heights and slopes until they are colored."""
    return canvas.beside if canvas.beside.shape[-1] else canvas.pixels


def _steepness(terrain: Heightfield, margin: int) -> Floats:
    """Return the slope in degrees, without the margin."""
    return inside(slope(terrain.height, terrain.grid.dx, terrain.grid.dy), margin)
