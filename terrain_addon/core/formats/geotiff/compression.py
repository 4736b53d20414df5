# SPDX-License-Identifier: GPL-3.0-or-later
"""Compressed blocks of TIFF files.

Source: Adobe, *TIFF Revision 6.0*, 1992, sections 9 (PackBits) and 13 (LZW); *Adobe Photoshop TIFF
Technical Notes*, 2002 (Deflate).
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Sequence

from .lzw import decode as decode_lzw

NONE, LZW = 1, 5
REFUSED = {
    2: "CCITT fax", 3: "CCITT fax", 4: "CCITT fax", 6: "JPEG", 7: "JPEG", 34712: "JPEG 2000",
    34887: "LERC", 34925: "LZMA", 50000: "ZSTD", 50001: "WebP", 50002: "JPEG XL",
}  # fmt: skip
"""Methods by their codes."""

Blocks = list[bytes]


def refusal(method: int) -> str:
    """Why a file with that method of compression is not read, and what to do."""
    name = REFUSED.get(method, f"method {method}")
    return (
        f"it is compressed with {name}, which is not read: convert it, for example with "
        "gdal_translate -co COMPRESS=DEFLATE -co PREDICTOR=2 IN.tif OUT.tif"
    )


def _stored(blocks: Sequence[bytes], size: int) -> Blocks:
    return [block[:size] for block in blocks]


def _inflated(blocks: Sequence[bytes], size: int) -> Blocks:
    # Bounded: a few bytes could expand to a thousand times as many.
    return [zlib.decompressobj().decompress(block, size) for block in blocks]


def _unpacked(blocks: Sequence[bytes], size: int) -> Blocks:
    return [_packbits(block, size) for block in blocks]


def _packbits(data: bytes, size: int) -> bytes:
    """Runs: a count n below 128, then n + 1 bytes; or a count above 128, then a byte that is
    repeated 257 - n times."""
    out = bytearray()
    place, end = 0, len(data)
    while place + 1 < end and len(out) < size:
        count = data[place]
        if count < 128:
            out += data[place + 1 : place + 2 + count]
            place += 2 + count
        elif count > 128:
            out += data[place + 1 : place + 2] * (257 - count)
            place += 2
        else:
            place += 1
    return bytes(out[:size])


METHODS: dict[int, Callable[[Sequence[bytes], int], Blocks]] = {
    NONE: _stored,
    LZW: decode_lzw,
    8: _inflated,
    32946: _inflated,
    32773: _unpacked,
}
"""Functions by their codes: some blocks, and the bytes of each of them when it is decompressed,
of which it may have fewer."""
