# SPDX-License-Identifier: GPL-3.0-or-later
"""Digital Terrain Elevation Data (.dt0, .dt1, .dt2): columns of one degree, from south to north.

Source: National Imagery and Mapping Agency, *MIL-PRF-89020B: Digital Terrain Elevation Data*, 2000.
"""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np

from ..elevation import System, check_count, without_marks
from ..numerics.arrays import Floats
from ..numerics.blocks import parts
from ..numerics.progress import Cancel
from .beside import Beside
from .raster import Raster
from .registry import Format, add
from .samples import check_row

LABEL, DESCRIPTION, ACCURACY = 80, 648, 2700
"""Bytes of the user header label, the data set identification and the accuracy record."""
TAPE = (b"VOL", b"HDR")
"""Begin further labels, from the time of tapes."""
BEGIN, END = 8, 4
"""Bytes of a column before its heights, and of its checksum."""
SENTINEL = 0xAA
VOID = -32767
DEEPEST = -16_000
"""Heights below are those of writers that store negative numbers as other programs do."""
BATCH = 1 << 20
"""Bytes of columns that are read together."""
DATUMS = {b"WGS84": 4326, b"WGS72": 4322}
_ANGLE = re.compile(rb"(\d{3})(\d\d)(\d\d)([NSEW])")


def read(path: Path, beside: Beside, cancelled: Cancel | None = None) -> Raster:
    """Return the heights in meters. The checksum of every column is verified."""
    with path.open("rb") as file:
        label = file.read(LABEL)
        while label[:3] in TAPE:
            label = file.read(LABEL)
        if len(label) != LABEL or label[:3] != b"UHL":
            raise ValueError("this is not a DTED file")
        west, south = _angle(label[4:12]), _angle(label[12:20])
        dx, dy, columns, rows = (_whole(label[start : start + 4]) for start in (20, 24, 47, 51))
        check_count(columns, rows)
        if not (dx and dy and min(columns, rows) > 1):
            raise ValueError("its header gives no distance between heights")
        description = file.read(DESCRIPTION)
        file.seek(ACCURACY, 1)
        size = BEGIN + 2 * rows + END
        check_row(size)
        if path.stat().st_size < file.tell() + columns * size:
            raise ValueError(f"it is cut off: {columns} x {rows} heights are more than it holds")
        height = np.empty((rows, columns), np.float32)
        others = 0
        for some in parts(columns, BATCH // size, cancelled):
            data = file.read((some.stop - some.start) * size)
            records = np.frombuffer(data, np.uint8).reshape(-1, size)
            others += _store(records, some, height)
    datum = description[144:149]
    notes = without_marks(height, VOID)[1]
    if datum not in DATUMS:
        notes += ("The file names no known datum: WGS 84 assumed.",)
    if others:
        notes += (f"{others} heights below zero are stored as two's complement.",)
    step = dx / 36_000, dy / 36_000  # tenths of arc seconds
    affine = west, step[0], 0.0, south + (rows - 1) * step[1], 0.0, -step[1]
    return Raster(
        height, True, affine, System.coded(DATUMS.get(datum, 4326)), unit=1.0, notes=notes
    )


def _store(records: np.ndarray, columns: slice, height: Floats) -> int:
    """Fill some columns; return how many heights are stored in two's complement.

    Raises ValueError for a wrong checksum, or a column in another place.
    """
    place = records[:, 4:6].astype(np.int64) @ (256, 1)
    if (records[:, 0] != SENTINEL).any() or (place != range(columns.start, columns.stop)).any():
        raise ValueError("this DTED file is damaged: its columns are out of place")
    sums = records[:, :-END].sum(axis=1, dtype=np.int64)
    if (sums != records[:, -END:].astype(np.int64) @ (1 << 24, 1 << 16, 256, 1)).any():
        raise ValueError("this DTED file is damaged: a checksum is wrong")
    numbers = np.ascontiguousarray(records[:, BEGIN:-END]).view(">u2").astype(np.int32)
    values = np.where(numbers >= 1 << 15, (1 << 15) - numbers, numbers)
    other = (values < DEEPEST) & (values != VOID)
    if other.any():
        values[other] = numbers[other] - (1 << 16)
    part = values.T.astype(np.float32)
    part[part == VOID] = np.nan
    height[:, columns] = part
    return int(other.sum())


def _angle(text: bytes) -> float:
    """Return the degrees of DDDMMSSH."""
    parts_ = _ANGLE.fullmatch(text)
    if parts_ is None:
        raise ValueError("its header gives no origin")
    degrees, minutes, seconds = map(int, parts_.groups()[:3])
    size = degrees + minutes / 60 + seconds / 3600
    return -size if parts_[4] in b"SW" else size


def _whole(text: bytes) -> int:
    if not text.strip().isdigit():
        raise ValueError(f"its header has {text!r}, not a number")
    return int(text)


for _suffix in (".dt0", ".dt1", ".dt2"):
    add(Format(_suffix, "a tile of DTED", read))
