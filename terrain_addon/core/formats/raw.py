# SPDX-License-Identifier: GPL-3.0-or-later
"""Raw heightmaps (.r16, .raw), which game engines exchange: numbers without a header."""

from __future__ import annotations

import math
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from ..elevation import check_count, without_marks
from ..numerics.progress import Cancel
from .beside import Beside
from .quantization import height_to_uint16
from .raster import Raster
from .registry import Format, RawLayout, add
from .rows import POINT, HeightRows
from .samples import read_numbers

BITS = (16, 32, 8)
"""Depths that are tried, in this order, for a square."""
Shape = tuple[int, int, int]
"""Columns, rows and bits."""
SAMPLE = 65_536
"""Pairs of neighbors from which the byte order and the sign are guessed."""


def read_raw(
    path: Path, beside: Beside, layout: RawLayout, cancelled: Cancel | None = None
) -> Raster:
    """Read the stored numbers; what the layout leaves open is guessed and stated in the notes."""
    size = path.stat().st_size
    kind, bits = layout.kind, layout.bits
    _check(layout)
    if kind == "f" and bits is None:
        bits = 32
    shapes = _shapes(size, layout.columns, layout.rows, bits)
    check_count(*shapes[0][:2])
    with path.open("rb") as file:
        guesses = [(*_type(file, shape, kind, layout.order), shape) for shape in shapes]
        _, kind, order, (columns, rows, bits) = min(guesses, key=lambda guess: guess[0])
        dtype = np.dtype(f"{'<' if order == 'little' else '>'}{kind}{bits // 8}")
        height = np.empty((rows, columns), np.float32)
        file.seek(0)
        read_numbers(file, dtype, height[::-1] if layout.north_first else height, cancelled)
    note = (
        f"Read as {columns} x {rows} {_words(kind, bits)}, {order}-endian, "
        f"{'northern' if layout.north_first else 'southern'} row first."
    )
    flipped = layout.north_first
    if kind == "f":
        return Raster(height, flipped, notes=(note, *without_marks(height, None)[1]))
    limits = np.iinfo(dtype)
    stored = (float(limits.min), float(limits.max))
    return Raster(height, flipped, stored=stored, notes=(note,))


def _check(layout: RawLayout) -> None:
    if layout.bits not in (None, 8, 16, 32) or layout.kind not in (None, "u", "i", "f"):
        raise ValueError("a raw file has 8, 16 or 32 bits, unsigned, signed or float")
    if layout.kind == "f" and layout.bits not in (None, 32):
        raise ValueError("floats of a raw file have 32 bits")
    if layout.order not in (None, "little", "big"):
        raise ValueError(f"the byte order is little or big, not {layout.order!r}")
    if min(layout.columns or 1, layout.rows or 1) < 1:
        raise ValueError("a raw file has at least one column and row")


def _shapes(size: int, columns: int | None, rows: int | None, bits: int | None) -> list[Shape]:
    """Return the shapes that a file of ``size`` bytes may have."""
    found: list[Shape] = []
    for depth in BITS if bits is None else (bits,):
        count, rest = divmod(size, depth // 8)
        if rest or not count:
            continue
        side = math.isqrt(count)
        width = columns or (count // rows if rows else side)
        height = rows or (count // width if width else 0)
        if width * height == count and (columns or rows or side * side == count):
            found.append((width, height, depth))
    if not found and columns and rows:
        given = f"{columns} x {rows} numbers of {bits or '8, 16 or 32'} bits"
        raise ValueError(f"{given} do not take the {size} bytes that it has")
    if not found:
        raise ValueError(
            f"its {size} bytes are no square of numbers: say how many columns, rows and bits it has"
        )
    return found


def _type(
    file: IO[bytes], shape: Shape, kind: str | None, order: str | None
) -> tuple[float, str, str]:
    """Guess kind and byte order by the smallest mean step between neighbors.

    Returns first that step as a share of the standard deviation, by which depths are compared.
    Terrain is smooth; in the wrong order, or with the wrong sign, neighbors jump.
    """
    columns, rows, bits = shape
    count = columns * rows
    first = max(count // 2 - SAMPLE // 2, 0) // columns * columns
    file.seek(first * bits // 8)
    part = np.frombuffer(file.read(min(SAMPLE, count - first) * bits // 8), np.uint8)
    kinds = (kind,) if kind else ("u", "i", "f") if bits == 32 else ("u", "i")[: bits // 8]
    orders = (order,) if order else ("little", "big")[: bits // 8]
    best = (math.inf, kinds[0], orders[0])
    least = math.inf
    for one in kinds:
        for name in orders:
            values = part.view(f"{'<' if name == 'little' else '>'}{one}{bits // 8}")
            if one == "f" and not _plausible(values):
                continue
            numbers = values.astype(np.float64)
            step = float(np.abs(np.diff(numbers)).mean()) if numbers.size > 1 else 0.0
            if step < least:
                spread = float(numbers.std())
                best, least = (step / spread if spread else 0.0, one, name), step
    return best


def _plausible(values: NDArray[Any]) -> bool:
    """Return True if floats may be heights: integers read as floats are tiny or enormous."""
    size = np.abs(values[values != 0])
    return bool(np.isfinite(values).all() and size.size and size.max() < 1e9 and size.min() > 1e-20)


def _words(kind: str, bits: int) -> str:
    return f"{bits}-bit { ({'u': 'unsigned', 'i': 'signed', 'f': 'float'}[kind]) } numbers"


def _write_heights(file: IO[bytes], rows: HeightRows) -> None:
    """Write 0 to 65535 from the lowest to the highest point, little-endian, southern row first."""
    low, high = rows.range
    for part in rows:
        file.write(height_to_uint16(part, low, high).tobytes())


for _suffix, _help in {
    ".raw": "raw numbers, 16 bit unless said otherwise",
    ".r16": "raw 16 bit, normalized from the lowest to the highest point",
}.items():
    add(Format(_suffix, _help, write=_write_heights, point=POINT + 2, read_raw=read_raw,
               south_first=True, plain=True))  # fmt: skip
