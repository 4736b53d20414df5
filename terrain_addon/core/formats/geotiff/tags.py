# SPDX-License-Identifier: GPL-3.0-or-later
"""The directory of a TIFF file: its tags and their values."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import IO

import numpy as np

from ...elevation.elevation import MOST_SAMPLES
from ...numerics.arrays import Doubles
from ..samples import check_blocks

WIDTH, LENGTH, BITS, COMPRESSION, PHOTOMETRIC = 256, 257, 258, 259, 262
FILL_ORDER, ORIENTATION, SAMPLES, PREDICTOR, SAMPLE_FORMAT = 266, 274, 277, 317, 339
STRIP_OFFSETS, ROWS_PER_STRIP, STRIP_COUNTS = 273, 278, 279
TILE_WIDTH, TILE_LENGTH, TILE_OFFSETS, TILE_COUNTS = 322, 323, 324, 325
SUBFILE, PLANES, EXTRA = 254, 284, 338
PIXEL_SCALE, TIE_POINTS, TRANSFORMATION = 33550, 33922, 34264
GEO_KEYS, GEO_DOUBLES, GEO_TEXTS = 34735, 34736, 34737
GDAL_METADATA, GDAL_NO_DATA = 42112, 42113
WANTED = frozenset(
    (WIDTH, LENGTH, BITS, COMPRESSION, PHOTOMETRIC, FILL_ORDER, ORIENTATION, SAMPLES, PREDICTOR,
     SAMPLE_FORMAT, STRIP_OFFSETS, ROWS_PER_STRIP, STRIP_COUNTS, TILE_WIDTH, TILE_LENGTH,
     TILE_OFFSETS, TILE_COUNTS, PIXEL_SCALE, TIE_POINTS, TRANSFORMATION, GEO_KEYS, GEO_DOUBLES,
     GEO_TEXTS, GDAL_METADATA, GDAL_NO_DATA, SUBFILE, PLANES, EXTRA)
)  # fmt: skip
TYPES = {1: "u1", 2: "u1", 3: "u2", 4: "u4", 6: "i1", 7: "u1", 8: "i2", 9: "i4", 11: "f4",
         12: "f8", 13: "u4", 16: "u8", 17: "i8", 18: "u8"}  # fmt: skip
"""NumPy's type of each of TIFF's, without fractions."""
ASCII = 2
MOST_TAGS = 4096
MOST_DIRECTORIES = 32
MASK = 4
"""Bit of the kind of a subfile: what it holds masks the image."""
LISTS = frozenset((STRIP_OFFSETS, STRIP_COUNTS, TILE_OFFSETS, TILE_COUNTS))
MOST_BYTES = 1 << 20
"""Bytes of the values of other tags. Of longer texts the beginning is read."""


@dataclass(frozen=True)
class Tags:
    """Values of the first directory of a file.

    Attributes
    ----------
    numbers : values by tag, any type
    texts : texts by tag
    order : "<" or ">", the byte order
    size : bytes of the file
    """

    numbers: dict[int, np.ndarray]
    texts: dict[int, str]
    order: str
    size: int

    def one(self, tag: int, default: int | None = None) -> int:
        """Return the first value of a tag; ValueError if it is missing and has no default."""
        values = self.numbers.get(tag)
        if values is None or not values.size:
            if default is None:
                raise ValueError(f"this is not a complete TIFF file: it has no tag {tag}")
            return default
        return int(values[0])

    def doubles(self, tag: int) -> Doubles:
        """Return the values of a tag as float64, empty if it is missing."""
        return np.asarray(self.numbers.get(tag, ()), np.float64)


def read_directories(file: IO[bytes], size: int) -> tuple[Tags, Tags | None]:
    """Read the first directory of a file of ``size`` bytes, and that of its mask, or None.

    Overviews and their masks are left out.
    """
    start = file.read(16)
    order = {b"II": "<", b"MM": ">"}.get(start[:2], "")
    if not order or len(start) < 8:
        raise ValueError("this is not a TIFF file")
    (version,) = struct.unpack(f"{order}H", start[2:4])
    if version == 43:
        offset_bytes, zero, place = struct.unpack(f"{order}HHQ", start[4:16])
        if (offset_bytes, zero) != (8, 0):
            raise ValueError("this is not a TIFF file")
    elif version == 42:
        (place,) = struct.unpack(f"{order}I", start[4:8])
    else:
        raise ValueError("this is not a TIFF file")
    first, place = _directory(file, place, order, version == 43, size)
    seen: set[int] = set()
    while place and place not in seen and len(seen) < MOST_DIRECTORIES:
        seen.add(place)
        try:
            other, place = _directory(file, place, order, version == 43, size)
        except ValueError:  # the image itself is whole
            break
        same = all(other.one(tag, 0) == first.one(tag, 0) for tag in (WIDTH, LENGTH))
        if other.one(SUBFILE, 0) == MASK and same:
            return first, other
    return first, None


def _directory(file: IO[bytes], place: int, order: str, big: bool, size: int) -> tuple[Tags, int]:
    """Read a directory, and the place of the next one, which is 0 after the last."""
    count = int(_array(file, place, 1, "u8" if big else "u2", order, size)[0])
    if not 0 < count <= MOST_TAGS:
        raise ValueError(f"this is not a complete TIFF file: it has {count} tags")
    dtype = np.dtype(
        [
            ("tag", f"{order}u2"),
            ("type", f"{order}u2"),
            ("count", f"{order}u8" if big else f"{order}u4"),
            ("value", "u1", 8 if big else 4),
        ]
    )
    start = place + (8 if big else 2)
    raw = _bytes(file, start, count * dtype.itemsize, size)
    end = start + len(raw)
    tags = Tags({}, {}, order, size)
    for one in np.frombuffer(raw, dtype):
        known = int(one["tag"]) in tags.numbers or int(one["tag"]) in tags.texts
        if int(one["tag"]) in WANTED and int(one["type"]) in TYPES and not known:
            _add(tags, file, int(one["tag"]), int(one["type"]), int(one["count"]), one["value"])
    width = 8 if big else 4
    after = 0 if end + width > size else int(_array(file, end, 1, f"u{width}", order, size)[0])
    return tags, after


def _add(tags: Tags, file: IO[bytes], tag: int, kind: int, count: int, value: np.ndarray) -> None:
    """Read the values of a tag, which stand in its entry or elsewhere in the file."""
    code = TYPES[kind]
    if kind == ASCII:
        count = min(count, MOST_BYTES)
    length = count * int(code[1])
    if tag in LISTS:
        check_blocks(count, MOST_SAMPLES)
    elif length > MOST_BYTES:
        raise ValueError(f"this TIFF file is damaged: tag {tag} has {count} values")
    if length <= value.size:
        raw = value.tobytes()[:length]
        found = np.frombuffer(raw, tags.order + code)
    else:
        form = f"{tags.order}{'Q' if value.size == 8 else 'I'}"
        (place,) = struct.unpack(form, value.tobytes())
        found = _array(file, place, count, code, tags.order, tags.size)
    if kind == ASCII:
        text = found.tobytes().split(b"\0")[0].decode("latin-1")
        tags.texts[tag] = text if tag == GEO_TEXTS else text.strip()
    else:
        tags.numbers[tag] = found


def _array(file: IO[bytes], place: int, count: int, code: str, order: str, size: int) -> np.ndarray:
    raw = _bytes(file, place, count * int(code[1]), size)
    return np.frombuffer(raw, order + code)


def _bytes(file: IO[bytes], place: int, length: int, size: int) -> bytes:
    """Read bytes of the file; ValueError unless all of them are in it."""
    if place + length > size:
        raise ValueError("this is not a complete TIFF file: it is cut off")
    file.seek(place)
    raw = file.read(length)
    if len(raw) != length:
        raise ValueError("this is not a complete TIFF file: it is cut off")
    return raw
