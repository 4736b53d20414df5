# SPDX-License-Identifier: GPL-3.0-or-later
"""Write GeoTIFF files of 32-bit floats: strips, Deflate, the predictor of floats.

Sources: Adobe, *TIFF Revision 6.0*, 1992; *TIFF Technical Note 3* (predictor 3), 2005; AWare
Systems, *The BigTIFF File Format*, 2004; OGC 19-008r4, *GeoTIFF Standard 1.1*, 2019.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Sequence
from typing import IO

from ...elevation import Georeference
from ..rows import HeightRows, regrouped
from . import keys as k, tags as t
from .predictors import differences

STRIP = 64
"""Rows that are compressed together."""
LEVEL = 4
"""Compression level: level 9 takes four times as long and saves 2 %."""
BIG = 2**32 - 2**25
"""Bytes of heights from which the file is a BigTIFF."""
SHORT, LONG, DOUBLE, LONG8 = 3, 4, 12, 16
CODES = {SHORT: "H", LONG: "I", DOUBLE: "d", LONG8: "Q"}
PROJECTED, GEOGRAPHIC, POINT = 1, 2, 2
DEGREE = 9102

Tag = tuple[int, int, Sequence[float]]
"""Number, type and values."""


def write_geotiff(file: IO[bytes], rows: HeightRows) -> None:
    """Write meters, the northern row first, with the coordinates of the samples if known."""
    height, width = rows.shape
    big = height * width * 4 > BIG
    file.write(_start(big, 0))
    offsets: list[int] = []
    sizes: list[int] = []
    for strip in regrouped(rows.from_north(), STRIP):
        packed = zlib.compress(differences(strip), LEVEL)
        offsets.append(file.tell())
        sizes.append(len(packed))
        file.write(packed)
    if file.tell() % 2:
        file.write(b"\0")
    place = LONG8 if big else LONG
    entries: list[Tag] = [
        (t.WIDTH, LONG, [width]),
        (t.LENGTH, LONG, [height]),
        (t.BITS, SHORT, [32]),
        (t.COMPRESSION, SHORT, [8]),
        (t.PHOTOMETRIC, SHORT, [1]),
        (t.STRIP_OFFSETS, place, offsets),
        (t.SAMPLES, SHORT, [1]),
        (t.ROWS_PER_STRIP, LONG, [STRIP]),
        (t.STRIP_COUNTS, place, sizes),
        (t.PREDICTOR, SHORT, [3]),
        (t.SAMPLE_FORMAT, SHORT, [3]),
    ]
    if rows.georeference is not None:
        entries += _placed(rows.georeference, height)
    directory = file.tell()
    file.write(_directory(entries, directory, big))
    file.seek(0)
    file.write(_start(big, directory))
    file.seek(0, 2)


def _start(big: bool, directory: int) -> bytes:
    """Return the first bytes, which tell where the directory is."""
    if big:
        return struct.pack("<2sHHHQ", b"II", 43, 8, 0, directory)
    return struct.pack("<2sHI", b"II", 42, directory)


def _directory(entries: list[Tag], place: int, big: bool) -> bytes:
    """Return the tags in order, followed by the values that do not fit into their entries."""
    count, entry, room = ("Q", "HHQ8s", 8) if big else ("H", "HHI4s", 4)
    size = struct.calcsize(f"<{count}") + len(entries) * struct.calcsize(f"<{entry}") + room
    listed, behind = [struct.pack(f"<{count}", len(entries))], b""
    for tag, kind, values in sorted(entries):
        packed = struct.pack(f"<{len(values)}{CODES[kind]}", *values)
        if len(packed) > room:
            where = struct.pack("<Q" if big else "<I", place + size + len(behind))
            behind += packed + bytes(-len(packed) % 8)
            packed = where
        listed.append(struct.pack(f"<{entry}", tag, kind, len(values), packed))
    return b"".join(listed) + bytes(room) + behind


def _placed(place: Georeference, height: int) -> list[Tag]:
    """Return the tags of the coordinates, those of the center of the north-western sample."""
    x, y = place.at(0, height - 1)
    (a, b), (c, d) = place.column_step, place.row_step
    if b == c == 0 and a > 0 and d > 0:
        affine: list[Tag] = [
            (t.PIXEL_SCALE, DOUBLE, [a, d, 0.0]),
            (t.TIE_POINTS, DOUBLE, [0.0, 0.0, 0.0, x, y, 0.0]),
        ]
    else:
        matrix = [a, -c, 0.0, x, b, -d, 0.0, y, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0]
        affine = [(t.TRANSFORMATION, DOUBLE, matrix)]
    code = place.epsg or k.USER_DEFINED
    doubles: list[float] = []
    if place.geographic:
        entries = [(k.MODEL_TYPE, GEOGRAPHIC), (k.RASTER_TYPE, POINT), (k.GEOGRAPHIC, code)]
        entries.append((k.ANGULAR_UNIT, DEGREE))
    else:
        entries = [(k.MODEL_TYPE, PROJECTED), (k.RASTER_TYPE, POINT), (k.PROJECTED, code)]
        units = {size: unit for unit, size in (*k.FEET.items(), (k.METER, 1.0))}
        entries.append((k.LINEAR_UNIT, units.get(place.unit, k.USER_DEFINED)))
        if place.unit not in units:
            doubles.append(place.unit)
    directory = [1, 1, 1, len(entries) + len(doubles)]
    for key, value in entries:
        directory += [key, 0, 1, value]
    for number, _ in enumerate(doubles):
        directory += [k.LINEAR_SIZE, t.GEO_DOUBLES, 1, number]
    tags = [*affine, (t.GEO_KEYS, SHORT, directory)]
    return [*tags, (t.GEO_DOUBLES, DOUBLE, doubles)] if doubles else tags
