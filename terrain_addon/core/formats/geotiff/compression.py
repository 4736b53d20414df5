# SPDX-License-Identifier: GPL-3.0-or-later
"""Compressed blocks of TIFF files.

Source: Adobe, *TIFF Revision 6.0*, 1992, sections 9 (PackBits) and 13 (LZW); *Adobe Photoshop TIFF
Technical Notes*, 2002 (Deflate); IETF, *RFC 8878*, 2021 (Zstandard).
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from typing import Any

from ..streams import PIECE, Inflated, Joined, Stream, Unpacked
from .lzw import decode as decode_lzw

NONE, LZW, ZSTD = 1, 5, 50000
REFUSED = {
    2: "CCITT fax", 3: "CCITT fax", 4: "CCITT fax", 6: "JPEG", 7: "JPEG", 34712: "JPEG 2000",
    34887: "LERC", 34925: "LZMA", ZSTD: "ZSTD", 50001: "WebP", 50002: "JPEG XL",
}  # fmt: skip
"""Methods by their codes."""
WINDOW = 25
"""Binary logarithm of the bytes that ZSTD may refer back to: 32 MiB."""
LONGEST_RUN = 129
"""Bytes of a run of PackBits in the file."""


def refusal(method: int) -> str:
    """Return why a file with that method of compression is not read, and what to do."""
    name = REFUSED.get(method, f"method {method}")
    since = " before Python 3.14" if method == ZSTD else ""
    return (
        f"it is compressed with {name}, which is not read{since}: convert it, for example with "
        "gdal_translate -co COMPRESS=DEFLATE -co PREDICTOR=2 IN.tif OUT.tif"
    )


def _stored(blocks: Sequence[Stream], size: int) -> Sequence[Stream]:
    return blocks


def _inflated(blocks: Sequence[Stream], size: int) -> Sequence[Stream]:
    return [Inflated(block.read) for block in blocks]


def _of_zstd(blocks: Sequence[Stream], size: int) -> Sequence[Stream]:
    zstd = _zstd()
    assert zstd is not None
    most = {zstd.DecompressionParameter.window_log_max: WINDOW}
    return [Unpacked(block.read, zstd.ZstdDecompressor(options=most)) for block in blocks]


def _zstd() -> Any:
    """Return the module of Python 3.14; None before."""
    try:
        return import_module("compression.zstd")
    except ImportError:
        return None


def errors() -> tuple[type[Exception], ...]:
    """Return the errors that damaged blocks cause."""
    zstd = _zstd()
    return (zlib.error,) if zstd is None else (zlib.error, zstd.ZstdError)


def _unpacked(blocks: Sequence[Stream], size: int) -> Sequence[Stream]:
    return [Joined(_packbits(block, size)) for block in blocks]


def _packbits(block: Stream, size: int) -> Iterator[bytes]:
    """Decode runs: a count n below 128, then n + 1 bytes; or a count above 128, then a byte that is
    repeated 257 - n times."""
    data, more = b"", True
    while more and size > 0:
        piece = block.read(PIECE)
        more = len(piece) == PIECE
        data += piece
        out = bytearray()
        place, end = 0, len(data) - (LONGEST_RUN if more else 1)
        while place < end and len(out) < size:
            count = data[place]
            if count < 128:
                out += data[place + 1 : place + 2 + count]
                place += 2 + count
            elif count > 128:
                out += data[place + 1 : place + 2] * (257 - count)
                place += 2
            else:
                place += 1
        data = data[place:]
        size -= len(out)
        yield bytes(out)


METHODS: dict[int, Callable[[Sequence[Stream], int], Sequence[Stream]]] = {
    NONE: _stored,
    LZW: decode_lzw,
    8: _inflated,
    32946: _inflated,
    32773: _unpacked,
}
"""Functions by their codes: some blocks, and the bytes of each of them that are wanted when it is
decompressed, of which it may have fewer or more."""
if _zstd() is not None:
    METHODS[ZSTD] = _of_zstd
