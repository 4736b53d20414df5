# SPDX-License-Identifier: GPL-3.0-or-later
"""Baked images as files, without Blender, some rows at a time."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from ...formats.exr import write_exr
from ...formats.png import PngWriter
from ...numerics import Cancel, Floats, srgb
from ...numerics.progress import Progress, no_progress
from ...settings import PendingFile, remove_file, replaced
from ...settings.input_files import read_text_bytes
from ...settings.strict_json import parsed
from .baking import Image
from .dithering import dithered
from .settings import Bake
from .streaming import ImageRows

GRAY, COLORS = ("Y",), ("R", "G", "B")
"""Channels of an EXR file."""
RANGE = {"image", "low", "high", "unit"}
"""Keys of the file that states the range of an image."""
ONE = "V"
"""The channel of a layer with one value."""


@dataclass(frozen=True)
class ImageLayer:
    """An image to write, alone or as a layer of a file."""

    image: Image | ImageRows
    settings: Bake
    name: str = ""

    @property
    def channels(self) -> tuple[str, ...]:
        """Names of its channels in an EXR file."""
        gray = self.settings.kind.gray
        if not self.name:
            return GRAY if gray else COLORS
        name = self.name.replace(".", "_")  # a dot ends the name of a layer
        return tuple(f"{name}.{channel}" for channel in ((ONE,) if gray else COLORS))

    @property
    def shape(self) -> tuple[int, int]:
        """(H, W)."""
        image = self.image
        return image.grid.shape if isinstance(image, ImageRows) else image.pixels.shape[:2]

    @property
    def range(self) -> dict[str, Any] | None:
        """What 0 and 1 stand for, None if the values are not normalized to their range."""
        if not _has_range(self.settings):
            return None
        kind = self.settings.kind
        return {
            "image": self.settings.shown,
            "low": self.image.low,
            "high": self.image.high,
            "unit": kind.unit(self.settings),
        }


@dataclass(frozen=True)
class ImageFile:
    """A complete image file that has not taken its place yet.

    Attributes
    ----------
    pending : the file
    ranges : content of the file beside it that names the range, see :func:`range_path`; empty if
        there is none
    """

    pending: PendingFile
    ranges: Mapping[str, Any]

    def keep(self) -> None:
        """Replace older files.

        Raises OSError if that fails, and ValueError if the file of the range is somebody else's.
        """
        beside = range_path(self.pending.path)
        if self.ranges:
            _check_ranges(beside)
            with replaced(beside) as new:
                new.write_text(json.dumps(self.ranges, indent=2) + "\n", encoding="utf-8")
        else:
            with suppress(OSError):
                remove_file(beside, _holds_ranges)
        self.pending.keep()


def range_path(path: Path) -> Path:
    """Return the JSON file beside an image, with the range that 0 to 1 stand for.

    It has the whole name of the image, so that ``alps.json``, perhaps a recipe, stays.

    Examples
    --------
    >>> range_path(Path("alps.png")).name
    'alps.png.json'
    """
    return path.with_name(f"{path.name}.json")


def write_image(
    path: str | Path, image: Image | ImageRows, settings: Bake, *, depth: int = 16, seed: int = 0
) -> None:
    """Write a baked image, and a JSON file with its range if the values are normalized to it.

    Parameters
    ----------
    path : ``.png``, north on top, colors in sRGB, one channel if all are equal; ``.exr`` and
        ``.npy`` for the values as they are, float32; ``.npy`` has row 0 at the lowest y. Older
        files are replaced once the new ones are complete
    image : from :func:`~.baking.bake`, or for any size from :func:`~.streaming.stream`
    settings : what it was baked with
    depth : bits of a channel of a PNG file: 16, or 8 with dithered values
    seed : of the recipe, for the dither

    Raises
    ------
    ValueError : another suffix, values that a PNG file does not hold, or another file with the name
        of that for the range
    OSError : the file cannot be written

    Examples
    --------
    >>> import tempfile
    >>> from terrain_addon.core import Bake, bake, presets
    >>> recipe, color = presets.load("crater_field"), Bake(image="color")
    >>> image = bake(recipe, recipe.pixel_grid(32), color)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_image(f"{folder}/craters.npy", image, color)
    ...     np.load(f"{folder}/craters.npy").shape
    (32, 32, 3)
    """
    begin_file(Path(path), [ImageLayer(image, settings)], depth=depth, seed=seed).keep()


def begin_file(
    path: Path,
    layers: Sequence[ImageLayer],
    *,
    depth: int = 16,
    seed: int = 0,
    progress: Progress | None = None,
    cancelled: Cancel | None = None,
) -> ImageFile:
    """Write images to a file that takes its place once it is kept. Several need ``.exr``.

    Parameters and errors are those of :func:`write_image`; ``cancelled`` raises Cancelled.
    """
    for layer in layers:
        check_image_file(path, layer.settings)
    report = progress or no_progress
    write = WRITERS[path.suffix.lower()]
    options = _Options(depth, seed, report, cancelled)
    pending = PendingFile(path, lambda file: write(file, layers, options))
    known = {layer.name: layer.range for layer in layers if layer.range}
    if not layers[0].name:
        return ImageFile(pending, known.get("") or {})
    return ImageFile(pending, {"layers": known} if known else {})


def check_image_file(path: Path, settings: Bake) -> None:
    """Raise ValueError where :func:`write_image` would, before anything is baked."""
    if path.suffix.lower() not in WRITERS:
        *others, last = WRITERS
        raise ValueError(f"{path.name}: the file must end in {', '.join(others)} or {last}")
    if path.suffix.lower() == ".png" and settings.kind.needs_floats(settings):
        raise ValueError(
            f"{path.name}: a PNG file holds values from 0 to 1: choose normalized values, or EXR"
        )
    if _has_range(settings):
        _check_ranges(range_path(path))


def _has_range(settings: Bake) -> bool:
    """Return True if values are normalized to a range that follows from the terrain."""
    kind = settings.kind
    return kind.tells_range(settings) and not kind.needs_floats(settings)


@dataclass(frozen=True)
class _Options:
    depth: int
    seed: int
    report: Progress
    cancelled: Cancel | None


def _bands(
    layer: ImageLayer, options: _Options, *, from_north: bool
) -> Iterator[tuple[int, Floats]]:
    """Yield the channels of an image, (h, W, 1 or 3), some rows at a time, and the first of the
    rows."""
    count, done = 1 if layer.settings.kind.gray else 3, 0
    for first, rows in layer.image.bands(from_north=from_north, cancelled=options.cancelled):
        done += len(rows)
        options.report(done / layer.shape[0])
        yield first, rows[..., :count]


def _write_png(file: IO[bytes], layers: Sequence[ImageLayer], options: _Options) -> None:
    """Write 8 or 16 bits: gray, or colors in sRGB, or data as they are."""
    [layer] = layers
    shape = (*layer.shape, 1 if layer.settings.kind.gray else 3)
    writer = PngWriter(file, shape, options.depth)
    for rows in _png_rows(layer, options):
        writer.write(rows)
    writer.finish()


def _png_rows(
    layer: ImageLayer, options: _Options
) -> Iterator[NDArray[np.uint8] | NDArray[np.uint16]]:
    grid = layer.image.grid if isinstance(layer.image, ImageRows) else None
    i = np.arange(layer.shape[1]) + (grid.i0 if grid else 0)
    for first, rows in _bands(layer, options, from_north=True):
        part = srgb.encoded(np.clip(rows, 0, 1)) if layer.settings.kind.color else rows
        if options.depth == 8:
            j = first + np.arange(len(rows))[::-1] + (grid.j0 if grid else 0)
            yield dithered(part, options.seed, j, i)
        else:
            yield np.rint(np.clip(part, 0, 1) * np.float32(65535)).astype(np.uint16)


def _write_exr(file: IO[bytes], layers: Sequence[ImageLayer], options: _Options) -> None:
    names = [channel for layer in layers for channel in layer.channels]
    write_exr(file, _exr_rows(layers, options), layers[0].shape, names)


def _exr_rows(layers: Sequence[ImageLayer], options: _Options) -> Iterator[NDArray[np.uint32]]:
    """Yield the bits of all layers, (rows, W, channels), as many rows as each of them has at
    hand."""
    sources = [_bands(layer, options, from_north=True) for layer in layers]
    known: list[Floats] = [next(source)[1] for source in sources]
    left = layers[0].shape[0]
    while left:
        count = min(len(rows) for rows in known)
        parts = [rows[:count] for rows in known]
        yield np.ascontiguousarray(np.concatenate(parts, axis=-1)).view(np.uint32)
        left -= count
        known = [rows[count:] for rows in known]
        if left:
            known = [
                rows if len(rows) else next(source)[1]
                for rows, source in zip(known, sources, strict=True)
            ]


def _write_npy(file: IO[bytes], layers: Sequence[ImageLayer], options: _Options) -> None:
    [layer] = layers
    shape = layer.shape if layer.settings.kind.gray else (*layer.shape, 3)
    header = {"descr": "<f4", "fortran_order": False, "shape": shape}
    np.lib.format.write_array_header_1_0(file, header)
    for _, rows in _bands(layer, options, from_north=False):
        file.write(np.ascontiguousarray(rows, "<f4").tobytes())


def _holds_ranges(path: Path) -> bool:
    """Return True if a JSON file holds the ranges of an image, and nothing else."""
    try:
        known = parsed(read_text_bytes(path))
        ranges = known["layers"].values() if known.keys() == {"layers"} else [known]
        return bool(ranges) and all(one.keys() == RANGE for one in ranges)
    except (OSError, ValueError, AttributeError):
        return False


def _check_ranges(path: Path) -> None:
    """Raise ValueError if a file of another kind has the name of that with the ranges."""
    if path.exists() and not _holds_ranges(path):
        raise ValueError(
            f"{path} is in the way of the range of the image: rename it, or choose another name"
        )


WRITERS: dict[str, Callable[[IO[bytes], Sequence[ImageLayer], _Options], None]] = {
    ".png": _write_png,
    ".exr": _write_exr,
    ".npy": _write_npy,
}
"""The formats by suffix."""
