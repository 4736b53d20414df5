# SPDX-License-Identifier: GPL-3.0-or-later
"""How a TIFF file stores its samples: type, compression, strips or tiles."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...elevation import Picture, check_count
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
    """

    columns: int
    rows: int
    dtype: np.dtype
    compression: int
    predictor: int
    block: tuple[int, int]
    offsets: NDArray[np.uint64]
    counts: NDArray[np.uint64]

    @classmethod
    def of(cls, tags: t.Tags) -> Layout:
        """Read the layout from the tags; ValueError if it is damaged, or of a kind not read."""
        columns, rows = tags.one(t.WIDTH), tags.one(t.LENGTH)
        check_count(columns, rows)
        compression = tags.one(t.COMPRESSION, NONE)
        if compression not in METHODS:
            raise ValueError(refusal(compression))
        dtype = _dtype(tags)
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
        check_row(block[1] * dtype.itemsize)
        number = -(-rows // block[0]) * -(-columns // block[1])
        check_blocks(number, columns * rows)
        padded = number * block[0] * block[1] * dtype.itemsize
        check_padding(padded, columns * rows * dtype.itemsize, tags.size)
        places: list[NDArray[np.uint64]] = []
        names = (t.TILE_OFFSETS, t.TILE_COUNTS) if tiled else (t.STRIP_OFFSETS, t.STRIP_COUNTS)
        for tag in names:
            values = tags.numbers.get(tag)
            if values is None or values.size < number:
                raise ValueError("this is not a complete TIFF file: it does not list its blocks")
            if int(values[:number].max()) > tags.size or int(values[:number].min()) < 0:
                raise ValueError("this is not a complete TIFF file: it is cut off")
            places.append(values[:number].astype(np.uint64))
        predictor = tags.one(t.PREDICTOR, 1)
        _check_predictor(predictor, dtype)
        offsets, counts = places
        return cls(columns, rows, dtype, compression, predictor, block, offsets, counts)

    @property
    def row_bytes(self) -> int:
        """Bytes of a row of a block."""
        return self.block[1] * self.dtype.itemsize

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
    if bands != 1:
        raise Picture(
            f"it has {bands} bands: choose the one with heights, for example with "
            "gdal_translate -b 1"
        )
    if tags.one(t.FILL_ORDER, 1) != 1:
        raise ValueError("its bits are in reverse order (FillOrder 2): gdal_translate rewrites it")
    if tags.one(t.ORIENTATION, 1) != 1:
        raise ValueError(
            f"its rows run another way (Orientation {tags.one(t.ORIENTATION)}): rewrite it, for "
            "example with gdal_translate"
        )
    bits = tags.one(t.BITS, 1)
    code = f"{KINDS.get(tags.one(t.SAMPLE_FORMAT, 1), '?')}{bits // 8}"
    if bits % 8 or code not in TYPES:
        raise ValueError(
            f"its samples have {bits} bits (format {tags.one(t.SAMPLE_FORMAT, 1)}): convert it, "
            "for example with gdal_translate -ot Float32"
        )
    return np.dtype(tags.order + code)


def _check_predictor(predictor: int, dtype: np.dtype) -> None:
    if predictor not in (1, 2, 3) or (predictor == 3 and dtype.kind != "f"):
        raise ValueError(f"its predictor {predictor} does not fit its {dtype} samples")
