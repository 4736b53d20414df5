# SPDX-License-Identifier: GPL-3.0-or-later
"""How a TIFF file stores its samples: type, compression, strips or tiles."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...elevation import Picture, Unread, check_count
from ..samples import ANYWAY, MOST_RATIO, check_blocks, check_padding, check_row
from . import tags as t
from .compression import METHODS, NONE, refusal

KINDS = {1: "u", 2: "i", 3: "f"}
TYPES = frozenset(("u1", "i1", "u2", "i2", "u4", "i4", "u8", "i8", "f2", "f4", "f8"))
COLOR = {2: "RGB colors", 3: "a palette", 5: "CMYK colors", 6: "YCbCr colors"}


@dataclass(frozen=True)
class Layout:
    """How the samples of a file are stored.

    Attributes
    ----------
    columns, rows : samples
    dtype : of the samples, in the byte order of the file
    compression, predictor : codes of TIFF
    block : (rows, columns) of a strip or tile
    offsets, counts : place and bytes of each block
    samples : numbers of a pixel that lie side by side; the second is alpha
    alpha : number of blocks from those of the heights to those of an alpha band; 0 without
    bits : of a sample; 1 of some masks, otherwise 8 a byte
    """

    columns: int
    rows: int
    dtype: np.dtype
    compression: int
    predictor: int
    block: tuple[int, int]
    offsets: NDArray[np.uint64]
    counts: NDArray[np.uint64]
    samples: int = 1
    alpha: int = 0
    bits: int = 8

    @classmethod
    def of(cls, tags: t.Tags, *, mask: bool = False) -> Layout:
        """Read the layout from the tags; ValueError if it is damaged, or of a kind not read.

        A ``mask`` may have 1 bit a sample.
        """
        columns, rows = tags.one(t.WIDTH), tags.one(t.LENGTH)
        check_count(columns, rows)
        compression = tags.one(t.COMPRESSION, NONE)
        if compression not in METHODS:
            raise Unread(refusal(compression))
        dtype, bits, samples, apart = _sampling(tags, mask)
        # Blocks that a file leaves out count as data here.
        if columns * rows * dtype.itemsize > max(ANYWAY, MOST_RATIO * tags.size):
            raise ValueError(
                f"this is not a complete TIFF file: {tags.size} bytes cannot hold "
                f"{columns} x {rows} samples"
            )
        tiled = t.TILE_OFFSETS in tags.numbers
        if tiled:
            block = tags.one(t.TILE_LENGTH), tags.one(t.TILE_WIDTH)
        else:
            block = min(tags.one(t.ROWS_PER_STRIP, rows), rows), columns
        if min(block) < 1:
            raise ValueError(f"its blocks have {block[1]} x {block[0]} samples")
        check_row(block[1] * dtype.itemsize * samples)
        across = -(-rows // block[0]) * -(-columns // block[1])
        number = across * (2 if apart else 1)
        check_blocks(number, columns * rows)
        padded = samples * number * block[0] * block[1] * dtype.itemsize
        check_padding(padded, columns * rows * dtype.itemsize, tags.size)
        offsets = _listed(tags, t.TILE_OFFSETS if tiled else t.STRIP_OFFSETS, number)
        counts = tags.numbers.get(t.TILE_COUNTS if tiled else t.STRIP_COUNTS)
        if compression == NONE:
            counts = _plain_counts(counts, (block, rows, samples), dtype, bits, number)
        elif counts is None and number == 1:
            counts = np.array([max(tags.size - int(offsets[0]), 0)])
        counts = _checked(tags, counts, number)
        predictor = tags.one(t.PREDICTOR, 1)
        _check_predictor(predictor, dtype)
        alpha = across if apart else 0
        return cls(columns, rows, dtype, compression, predictor, block, offsets, counts, samples,
                   alpha, bits)  # fmt: skip

    @property
    def has_alpha(self) -> bool:
        """Whether a second band tells where there are heights."""
        return self.samples > 1 or self.alpha > 0

    @property
    def row_bytes(self) -> int:
        """Bytes of a row of a block."""
        if self.bits == 1:
            return -(-self.block[1] // 8)
        return self.block[1] * self.dtype.itemsize * self.samples

    @property
    def type_name(self) -> str:
        """The type of the samples, for people."""
        kind = {"u": "unsigned integers", "i": "integers", "f": "floats"}[self.dtype.kind]
        return f"{8 * self.dtype.itemsize}-bit {kind}"

    @property
    def is_rounded(self) -> bool:
        """Whether samples have more digits than float32."""
        return self.dtype.itemsize > (4 if self.dtype.kind == "f" else 2)


def _dtype(tags: t.Tags) -> np.dtype:
    """Return the type of the samples; ValueError for pictures and unusual types."""
    bands = tags.one(t.SAMPLES, 1)
    photometric = tags.one(t.PHOTOMETRIC, 1)
    if photometric in COLOR:
        raise Picture(f"it is a picture with {COLOR[photometric]}, not an elevation model")
    is_alpha = bands == 2 and tags.one(t.EXTRA, 0) in (1, 2)
    if bands != 1 and not is_alpha:
        raise Picture(
            f"it has {bands} bands: choose the one with heights, for example with "
            "gdal_translate -b 1"
        )
    if tags.one(t.FILL_ORDER, 1) != 1:
        raise Unread("its bits are in reverse order (FillOrder 2): gdal_translate rewrites it")
    if tags.one(t.ORIENTATION, 1) != 1:
        raise Unread(
            f"its rows run another way (Orientation {tags.one(t.ORIENTATION)}): rewrite it, for "
            "example with gdal_translate"
        )
    bits = tags.one(t.BITS, 1)
    code = f"{KINDS.get(tags.one(t.SAMPLE_FORMAT, 1), '?')}{bits // 8}"
    if bits % 8 or code not in TYPES:
        raise Unread(
            f"its samples have {bits} bits (format {tags.one(t.SAMPLE_FORMAT, 1)}): convert it, "
            "for example with gdal_translate -ot Float32"
        )
    return np.dtype(tags.order + code)


def _check_predictor(predictor: int, dtype: np.dtype) -> None:
    if predictor not in (1, 2, 3) or (predictor == 3 and dtype.kind != "f"):
        raise ValueError(f"its predictor {predictor} does not fit its {dtype} samples")


def _sampling(tags: t.Tags, mask: bool) -> tuple[np.dtype, int, int, bool]:
    """Return the type of samples, their bits in a mask, how many lie side by side, and whether a
    second band lies apart."""
    bits = tags.one(t.BITS, 1)
    dtype = np.dtype("u1") if mask and bits in (1, 8) else _dtype(tags)
    bands = 1 if mask else tags.one(t.SAMPLES, 1)
    apart = bands > 1 and tags.one(t.PLANES, 1) == 2
    return dtype, 1 if mask and bits == 1 else 8, 1 if apart else bands, apart


def _listed(tags: t.Tags, tag: int, number: int) -> NDArray[np.uint64]:
    return _checked(tags, tags.numbers.get(tag), number)


def _checked(tags: t.Tags, values: NDArray[Any] | None, number: int) -> NDArray[np.uint64]:
    """Return places or sizes of all blocks; ValueError for those that the file cannot have."""
    if values is None or values.size < number:
        raise ValueError("this is not a complete TIFF file: it does not list its blocks")
    if int(values[:number].max()) > tags.size or int(values[:number].min()) < 0:
        raise ValueError("this is not a complete TIFF file: it is cut off")
    return values[:number].astype(np.uint64)


def _plain_counts(
    counts: NDArray[Any] | None,
    shape: tuple[tuple[int, int], int, int],
    dtype: np.dtype,
    bits: int,
    number: int,
) -> NDArray[Any]:
    """Return the bytes of blocks that are not compressed: they follow from the size of the blocks,
    and files leave them out or state them wrong."""
    (block_rows, block_columns), rows, samples = shape
    row = -(-block_columns // 8) if bits == 1 else block_columns * dtype.itemsize * samples
    if counts is not None and counts.size < number:
        counts = None
    if counts is not None and number > 1 and bool(np.all(counts[:number] > 0)):
        return counts
    whole = np.full(number, block_rows * row, np.uint64)
    last = rows - (number - 1) * block_rows
    if 0 < last < block_rows:
        whole[-1] = last * row
    if counts is not None:
        whole[counts[:number] == 0] = 0
    return whole
