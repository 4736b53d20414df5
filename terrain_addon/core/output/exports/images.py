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
from ...numerics.arrays import Floats
from ...numerics.blocks import row_bands
from ...numerics.progress import Cancel, poll
from ...recipe.recipe import Recipe
from ...recipe.surfaces import SURFACES
from ..engines import COLOR, CONTROL, MASK, NORMAL, WEIGHTS, Engine
from ..images.kinds import IMAGES, Canvas, normalized
from ..images.settings import Bake
from .settings import LAYER, NONE, PACKED, ExportSettings
from .spool import MARGIN, Spool
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

Bytes = NDArray[np.uint8]
BAND = 1 << 17
"""Samples of a tile whose images are made at a time."""


@dataclass(frozen=True)
class Image:
    """An image of each tile.

    Attributes
    ----------
    name : what its files are called, between the name of the terrain and the place of the tile
    kind : of the file, in the card
    channels : of a PNG file; 0 for the bits of floats in an OpenEXR file
    about : what the card says besides
    """

    name: str
    kind: str
    channels: int
    about: Mapping[str, Any]

    @property
    def suffix(self) -> str:
        """Of its files."""
        return ".png" if self.channels else ".exr"


class Painter:
    """Makes the images of an evaluated terrain, some rows of a tile at a time.

    Parameters
    ----------
    recipe, settings, engine : the export
    terrain : with the fields of :func:`fields_for`
    """

    def __init__(
        self, recipe: Recipe, settings: ExportSettings, engine: Engine, terrain: Spool
    ) -> None:
        self.recipe, self.settings, self.engine, self.terrain = recipe, settings, engine, terrain
        self.layers = layer_names(recipe.palette, settings.masks)
        if settings.weights != NONE and engine.controls and len(self.layers) > MOST_TEXTURES:
            raise ValueError(
                f"A control map has at most {MOST_TEXTURES} textures, not {len(self.layers)}: use "
                "fewer colors or masks"
            )

    @property
    def images(self) -> list[Image]:
        """What :meth:`parts` makes, in the same order."""
        found: list[Image] = []
        if self.settings.color:
            found.append(Image("color", COLOR, 3, {}))
        if self.settings.normal:
            found.append(Image("normal", NORMAL, 3, {}))
        names = names_in_files(self.settings.masks)
        for mask, name in zip(self.settings.masks, names, strict=True):
            low, high = self._ends(mask)
            unit = FIELDS[mask].unit if mask in FIELDS else ""
            found.append(Image(name, MASK, 1, {"low": low, "high": high, "unit": unit}))
        return [*found, *self._weight_images()]

    def _weight_images(self) -> list[Image]:
        layers = self.layers
        if self.settings.weights == NONE:
            return []
        if self.engine.controls:
            return [Image("control", CONTROL, 0, {"layers": layers})]
        if self.settings.weights == PACKED:
            groups = [layers[n : n + CHANNELS] for n in range(0, len(layers), CHANNELS)]
            return [
                Image(f"weights{number}", WEIGHTS, CHANNELS, {"layers": group})
                for number, group in enumerate(groups, start=1)
            ]
        return [Image(f"weight-{name}", WEIGHTS, 1, {"layers": [name]}) for name in layers]

    def parts(self, columns: slice, rows: slice) -> Iterator[NDArray[Any]]:
        """Yield rows of all images, row 0 at the lowest y."""
        window = self.terrain.window(columns, rows)
        fields = {name: np.array(one[rows, columns]) for name, one in self.terrain.fields.items()}
        grid = window.grid
        steep = _inside(slope(window.height, grid.dx, grid.dy))
        height, ends = _inside(window.height), (self.terrain.low, self.terrain.high)
        masks = [normalized(fields[name], *self._ends(name)) for name in self.settings.masks]
        if self.settings.color:
            yield self._colors(height, steep, fields, ends)
        if self.settings.normal:
            yield self._normals(window)
        yield from map(image_to_uint8, masks)
        if self.settings.weights != NONE:
            shares = weights(self.recipe.palette, height, steep, fields, ends, masks)
            yield from self._weights(quantized_weights(shares))

    def _colors(
        self, height: Floats, steep: Floats, fields: Mapping[str, Floats], ends: tuple[float, float]
    ) -> Bytes:
        palette = self.recipe.palette
        if self.engine.materials:
            surfaces = palette.surface_weights(height, steep, *ends, fields)
            table = np.array([self.engine.materials[key] for key in SURFACES], np.uint8)
            return table[surfaces.argmax(-1)]
        colors = palette.colors(height, steep, *ends, palette.cover(fields))
        return image_to_uint8(colors[..., :3], color=True)

    def _normals(self, window: Heightfield) -> Bytes:
        ny, nx = window.height.shape
        pixels = np.empty((ny - 2 * MARGIN, nx - 2 * MARGIN, 4), np.float32)
        asked = Bake(image="normal", green=self.engine.green)
        canvas = Canvas(pixels, pixels[..., :0], self.recipe.palette, asked)
        IMAGES["normal"].write(canvas, window, MARGIN)
        return image_to_uint8(pixels[..., :3])

    def _weights(self, stack: Bytes) -> Sequence[NDArray[Any]]:
        if self.engine.controls:
            return [control_map(stack)]
        if self.settings.weights == PACKED:
            return packed(stack)
        return [stack[..., number] for number in range(stack.shape[-1])]

    def _ends(self, name: str) -> tuple[float, float]:
        """Return the values of a mask that 0 and 255 stand for."""
        if name.startswith(LAYER):
            return 0.0, 1.0
        return FIELDS[name].natural or self.terrain.ranges[name]


def fields_for(recipe: Recipe, settings: ExportSettings) -> list[str]:
    """Names of the fields that the images need."""
    known = {name for layer in recipe.active for name in layer.settings.produces}
    colored = settings.color or settings.weights != NONE
    used = {*settings.masks, *(recipe.palette.fields if colored else ())}
    return [name for name, one in FIELDS.items() if name in used and (one.make or name in known)]


def write_images(
    painter: Painter,
    paths: Sequence[Path],
    columns: slice,
    rows: slice,
    cancelled: Cancel | None = None,
) -> None:
    """Write all images of a tile, the northern row on top; OSError if one cannot be written."""
    shape = rows.stop - rows.start, columns.stop - columns.start
    with ExitStack() as stack:
        writers = [
            _Writer(stack.enter_context(path.open("wb")), shape, image.channels)
            for path, image in zip(paths, painter.images, strict=True)
        ]
        for band in reversed(list(row_bands(shape, cancelled, BAND))):
            there = slice(rows.start + band.start, rows.start + band.stop)
            for writer, part in zip(writers, painter.parts(columns, there), strict=True):
                writer.write(part[::-1])
            poll(cancelled)
        for writer in writers:
            writer.end()


class _Writer:
    """A file of an image, PNG, or OpenEXR for the bits of floats, which waits for all rows."""

    def __init__(self, file: IO[bytes], shape: tuple[int, int], channels: int) -> None:
        self._file, self._shape = file, shape
        self._bits: list[NDArray[np.uint32]] = []
        self._png = PngWriter(file, (*shape, channels), 8) if channels else None

    def write(self, part: NDArray[Any]) -> None:
        """Write the next rows."""
        if self._png is None:
            self._bits.append(part.copy())
        else:
            self._png.write(part)

    def end(self) -> None:
        """Finish the file."""
        if self._png is None:
            write_exr(self._file, self._bits, self._shape)
        else:
            self._png.finish()


def _inside(values: Floats) -> Floats:
    return np.ascontiguousarray(values[MARGIN:-MARGIN, MARGIN:-MARGIN])
