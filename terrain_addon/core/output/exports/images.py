# SPDX-License-Identifier: GPL-3.0-or-later
"""The images of an export: colors, normals, masks and weights, at the points of the heights."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from ...analysis.derivatives import slope
from ...analysis.fields import FIELDS
from ...evaluation.heightfield import Heightfield
from ...formats.exr import write_exr
from ...formats.png import PngWriter
from ...formats.quantization import image_to_uint8
from ...numerics.arrays import Floats, inside
from ...numerics.blocks import row_bands
from ...numerics.grid import Grid
from ...numerics.progress import Cancel, poll
from ...recipe.recipe import Recipe
from ...recipe.surfaces import SURFACES
from ..engines import COLOR, CONTROL, MASK, NORMAL, WEIGHTS, Engine
from ..images.kinds import fields_of, normalized
from ..images.settings import Bake
from ..kept_terrain import KeptTerrain
from .settings import LAYER, NONE, PACKED, ExportSettings
from .weights import (
    CHANNELS,
    MOST_TEXTURES,
    control_map,
    layer_names,
    names_in_files,
    packed,
    quantized_weights,
    weights,
)

BAND = 1 << 17
"""Samples of a tile whose images are computed at a time."""
BORDER = 1
"""Samples around the terrain that are kept: slopes are central differences at borders, too."""

Bytes = NDArray[np.uint8]


@dataclass(frozen=True)
class TileImage:
    """An image that each tile has.

    Attributes
    ----------
    name : str
        Part of its file names, between the name of the terrain and the place of the tile.
    kind : str
        Kind of the file in the manifest.
    channels : int
        Channels of a PNG file; 0 for the bits of floats in an OpenEXR file.
    about : mapping of str to object
        What else the manifest states.
    """

    name: str
    kind: str
    channels: int
    about: Mapping[str, Any]

    @property
    def suffix(self) -> str:
        """Suffix of its files."""
        return ".png" if self.channels else ".exr"


class Painter:
    """Computes the images of a terrain, some rows of a tile at a time.

    Parameters
    ----------
    recipe : Recipe
    settings : ExportSettings
    engine : Engine
    terrain : KeptTerrain
        With a border of :data:`BORDER`, the fields of :func:`fields_for`, and the weights of the
        layers that are masks.

    Raises
    ------
    ValueError
        More textures than a control map can have.
    """

    def __init__(
        self, recipe: Recipe, settings: ExportSettings, engine: Engine, terrain: KeptTerrain
    ) -> None:
        self.recipe, self.settings, self.engine, self.terrain = recipe, settings, engine, terrain
        self.ends = terrain.range()
        self.limits = {mask: _limits(mask, terrain) for mask in settings.masks}
        self.layers = layer_names(recipe.colors, settings.masks)
        if settings.weights != NONE and engine.controls and len(self.layers) > MOST_TEXTURES:
            raise ValueError(
                f"A control map has at most {MOST_TEXTURES} textures, not {len(self.layers)}: use "
                "fewer colors or masks"
            )

    @property
    def images(self) -> list[TileImage]:
        """What :meth:`rows` computes, in the same order."""
        images: list[TileImage] = []
        if self.settings.color:
            images.append(TileImage("color", COLOR, 3, {}))
        if self.settings.normal:
            images.append(TileImage("normal", NORMAL, 3, {}))
        for mask, name in zip(
            self.settings.masks, names_in_files(self.settings.masks), strict=True
        ):
            low, high = self.limits[mask]
            unit = FIELDS[mask].unit if mask in FIELDS else ""
            images.append(TileImage(name, MASK, 1, {"low": low, "high": high, "unit": unit}))
        return [*images, *self._weight_images()]

    def _weight_images(self) -> list[TileImage]:
        layers = self.layers
        if self.settings.weights == NONE:
            return []
        if self.engine.controls:
            return [TileImage("control", CONTROL, 0, {"layers": layers})]
        if self.settings.weights == PACKED:
            groups = [layers[n : n + CHANNELS] for n in range(0, len(layers), CHANNELS)]
            return [
                TileImage(f"weights{number}", WEIGHTS, CHANNELS, {"layers": group})
                for number, group in enumerate(groups, start=1)
            ]
        return [TileImage(f"weight-{name}", WEIGHTS, 1, {"layers": [name]}) for name in layers]

    def rows(self, window: Heightfield) -> Iterator[NDArray[Any]]:
        """Yield some rows of each image, given their terrain with the border around it."""
        steepness = slope(window.height, window.grid.dx, window.grid.dy)
        height, steepness, *values = (
            np.ascontiguousarray(inside(plane, BORDER))
            for plane in (
                window.height,
                steepness,
                *(window.fields[name] for name in self.terrain.fields),
            )
        )
        fields = dict(zip(self.terrain.fields, values, strict=True))
        grid = window.grid.padded(-BORDER)
        if self.settings.color:
            yield self._colors(height, steepness, fields, grid)
        if self.settings.normal:
            yield self._normals(window)
        masks = [normalized(fields[mask], *ends) for mask, ends in self.limits.items()]
        yield from map(image_to_uint8, masks)
        if self.settings.weights != NONE:
            shares = weights(self.recipe.colors, height, steepness, fields, self.ends, masks)
            yield from self._weights(quantized_weights(shares))

    def _colors(
        self, height: Floats, steepness: Floats, fields: Mapping[str, Floats], grid: Grid
    ) -> Bytes:
        """Return the colors of the palette, or those that stand for materials in the engine."""
        palette = self.recipe.colors
        if self.engine.materials:
            surfaces = palette.surface_weights(height, steepness, *self.ends, fields)
            table = np.array([self.engine.materials[key] for key in SURFACES], np.uint8)
            return table[surfaces.argmax(-1)]
        cover = self.recipe.cover(fields, grid)
        colors = palette.colors(height, steepness, *self.ends, cover, fields)
        return image_to_uint8(colors[..., :3], color=True)

    def _normals(self, window: Heightfield) -> Bytes:
        image = Bake(image="normal", green=self.engine.green)
        pixels = image.kind.pixels(self.recipe, image, window, BORDER, self.ends)
        return image_to_uint8(pixels[..., :3])

    def _weights(self, stack: Bytes) -> Sequence[NDArray[Any]]:
        if self.engine.controls:
            return [control_map(stack)]
        if self.settings.weights == PACKED:
            return packed(stack)
        return [stack[..., number] for number in range(stack.shape[-1])]


def _limits(mask: str, terrain: KeptTerrain) -> tuple[float, float]:
    """Return the values of a mask that 0 and 255 stand for."""
    if mask.startswith(LAYER):
        return 0.0, 1.0
    return FIELDS[mask].natural or terrain.range(mask)


def fields_for(recipe: Recipe, settings: ExportSettings) -> list[str]:
    """Return the names of the fields that the images need."""
    colored = settings.color or settings.weights != NONE
    used = {*settings.masks, *(recipe.colors.fields if colored else ())}
    return [name for name in fields_of(recipe) if name in used]


def write_images(
    painter: Painter, paths: Sequence[Path], window: Grid, cancelled: Cancel | None = None
) -> None:
    """Write all images of a tile, the northern row on top; OSError if one cannot be written.

    ``window`` holds the points of the tile.
    """
    with ExitStack() as stack:
        writers = [
            _Writer(stack.enter_context(path.open("wb")), window.shape, image.channels)
            for path, image in zip(paths, painter.images, strict=True)
        ]
        for band in reversed(list(row_bands(window.shape, cancelled, BAND))):
            part = window.window(0, band.start, window.nx, band.stop - band.start)
            terrain = painter.terrain.part(part.padded(BORDER))
            for writer, rows in zip(writers, painter.rows(terrain), strict=True):
                writer.write(rows[::-1])
            poll(cancelled)
        for writer in writers:
            writer.finish()


class _Writer:
    """A PNG file, or an OpenEXR file of the bits of floats, which waits for all rows."""

    def __init__(self, file: IO[bytes], shape: tuple[int, int], channels: int) -> None:
        self._file, self._shape = file, shape
        self._bits: list[NDArray[np.uint32]] = []
        self._png = PngWriter(file, (*shape, channels), 8) if channels else None

    def write(self, rows: NDArray[Any]) -> None:
        """Write the next rows."""
        if self._png:
            self._png.write(rows)
        else:
            self._bits.append(rows.copy())

    def finish(self) -> None:
        """Write what follows the last row."""
        if self._png:
            self._png.finish()
        else:
            write_exr(self._file, self._bits, self._shape)
