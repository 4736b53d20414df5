# SPDX-License-Identifier: GPL-3.0-or-later
"""Write GeoTIFF files of 32-bit floats: strips, Deflate, the predictor of floats.

Sources: Adobe, *TIFF Revision 6.0*, 1992; *TIFF Technical Note 3* (predictor 3), 2005; AWare
Systems, *The BigTIFF File Format*, 2004; OGC 19-008r4, *GeoTIFF Standard 1.1*, 2019.
"""

from __future__ import annotations

import math
import struct
import zlib
from collections.abc import Sequence
from typing import IO

import numpy as np

from ...elevation import Georeference, System
from ...elevation.systems.units import code_of_length
from ..rows import HeightRows, regrouped
from . import keys as k, tags as t
from .predictors import differences

STRIP = 64
"""Rows that are compressed together."""
LEVEL = 4
"""Compression level: level 9 takes four times as long and saves 2 %."""
BIG = 2**32 - 2**25
"""Bytes of heights from which the file is a BigTIFF."""
ASCII, SHORT, LONG, DOUBLE, LONG8 = 2, 3, 4, 12, 16
CODES = {ASCII: "B", SHORT: "H", LONG: "I", DOUBLE: "d", LONG8: "Q"}
PROJECTED, GEOGRAPHIC, POINT = 1, 2, 2

Tag = tuple[int, int, Sequence[float]]
"""Number, type and values."""


def write_geotiff(file: IO[bytes], rows: HeightRows) -> None:
    """Write meters, the northern row first, with the coordinates of the samples if known; voids are
    NaN."""
    height, width = rows.shape
    big = height * width * 4 > BIG
    file.write(_start(big, 0))
    offsets: list[int] = []
    sizes: list[int] = []
    has_voids = False
    for strip in regrouped(rows.from_north(), STRIP):
        packed = zlib.compress(differences(strip), LEVEL)
        offsets.append(file.tell())
        sizes.append(len(packed))
        file.write(packed)
        has_voids = has_voids or bool(np.isnan(strip).any())
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
    if has_voids:
        entries.append((t.GDAL_NO_DATA, ASCII, b"nan\0"))
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
    directory, doubles = _keys(place.system)
    tags = [*affine, (t.GEO_KEYS, SHORT, directory)]
    return [*tags, (t.GEO_DOUBLES, DOUBLE, doubles)] if doubles else tags


def _keys(system: System) -> tuple[list[int], list[float]]:
    """Return the keys of a system, by its code or with all that defines it, and their numbers."""
    code = system.epsg if system.epsg and System.coded(system.epsg).unit == system.unit else None
    shorts = {k.MODEL_TYPE: GEOGRAPHIC if system.geographic else PROJECTED, k.RASTER_TYPE: POINT}
    numbers: dict[int, float] = {}
    if system.geographic:
        shorts[k.GEOGRAPHIC] = code or k.USER_DEFINED
        shorts[k.ANGULAR_UNIT] = k.DEGREE
        if system.unit != 1:
            shorts[k.ANGULAR_UNIT] = k.USER_DEFINED
            numbers[k.ANGULAR_SIZE] = math.radians(system.unit)
    else:
        shorts[k.PROJECTED] = code or k.USER_DEFINED
        shorts[k.LINEAR_UNIT] = code_of_length(system.unit) or k.USER_DEFINED
        if shorts[k.LINEAR_UNIT] == k.USER_DEFINED:
            numbers[k.LINEAR_SIZE] = system.unit
    if code is None:
        _define(system, shorts, numbers)
    entries = [(key, 0, 1, value) for key, value in shorts.items()]
    entries += [(key, t.GEO_DOUBLES, 1, place) for place, key in enumerate(numbers)]
    directory = [1, 1, 1, len(entries)]
    for entry in sorted(entries):
        directory += entry
    return directory, list(numbers.values())


def _define(system: System, shorts: dict[int, int], numbers: dict[int, float]) -> None:
    """Add the ellipsoid and the projection of a system without a code."""
    if system.geographic or system.projection is not None:
        shorts[k.GEOGRAPHIC] = shorts[k.DATUM] = shorts[k.ELLIPSOID] = k.USER_DEFINED
        web = system.projection is not None and system.projection.method == "webmerc"
        body = system.body.sphere if web else system.body
        numbers[k.MAJOR_AXIS] = body.radius
        numbers[k.MINOR_AXIS] = body.radius * (1 - body.flattening)
        if not system.geographic:
            shorts[k.ANGULAR_UNIT] = k.DEGREE
    projection = system.projection
    if projection is None or projection.method not in k.WRITTEN:
        return
    method, names = k.WRITTEN[projection.method]
    shorts[k.PROJECTION], shorts[k.METHOD] = k.USER_DEFINED, method
    for name, key in names.items():
        size = system.unit if name in ("x_0", "y_0") else 1.0
        numbers[key] = projection.parameters[name] / size
