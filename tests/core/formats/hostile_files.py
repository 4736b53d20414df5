# SPDX-License-Identifier: GPL-3.0-or-later
"""Files made byte by byte, whose headers say more than an honest program writes."""

import struct
import zlib

import numpy as np

LZW_SEGMENT = 7_365_120 + 3837
"""About the bytes of one segment of :func:`lzw_zeros`."""


def tiff(columns, rows, data, *, compression=1, bits=8, kind=1, strip=None, tile=None, counts=None):
    """A TIFF file of which all blocks are the same bytes. ``counts`` are those that it says."""
    block_rows, block_columns = tile or (strip or rows, columns)
    number = -(-rows // block_rows) * -(-columns // block_columns)
    listed = np.full(number, len(data) if counts is None else counts, "<u4").tobytes()
    places = np.full(number, 8, "<u4").tobytes()
    tags = [(256, columns), (257, rows), (258, bits), (259, compression), (262, 1), (277, 1)]
    tags += [(322, tile[1]), (323, tile[0])] if tile else [(278, block_rows)]
    tags.append((339, kind))
    entries = [(tag, 1, struct.pack("<I", value)) for tag, value in tags]
    behind, start = b"", 8 + len(data)
    for tag, values in zip((324, 325) if tile else (273, 279), (places, listed), strict=True):
        if number > 1:
            where = struct.pack("<I", start + len(behind))
            behind += values
        else:
            where = values
        entries.append((tag, number, where))
    directory = b"".join(
        struct.pack("<HHI4s", tag, 4, count, value) for tag, count, value in sorted(entries)
    )
    head = struct.pack("<2sHI", b"II", 42, start + len(behind))
    return head + data + behind + struct.pack("<H", len(entries)) + directory + bytes(4)


def lzw_zeros(segments):
    """LZW data of zeros: each segment between two clear codes has the longest strings there are."""
    codes = [(256, 9)]
    for _ in range(segments):
        for number, code in enumerate([0, *range(258, 258 + 3836), 256]):
            entries = 257 + number
            codes.append((code, 9 + (entries >= 511) + (entries >= 1023) + (entries >= 2047)))
    bits = "".join(f"{code:0{width}b}" for code, width in codes)
    return int(bits.ljust(-(-len(bits) // 8) * 8, "0"), 2).to_bytes(-(-len(bits) // 8), "big")


def deflated(size):
    """So many zeros, compressed."""
    packer = zlib.compressobj(9)
    whole, rest = divmod(size, 1 << 20)
    parts = [packer.compress(bytes(1 << 20)) for _ in range(whole)]
    return b"".join([*parts, packer.compress(bytes(rest)), packer.flush()])


def png(columns, rows, lines, *, depth=16, kind=0, chunks=1, between=b""):
    """A PNG file of compressed lines in some chunks, and other bytes in front of them."""
    header = struct.pack(">IIBBBBB", columns, rows, depth, kind, 0, 0, 0)
    step = -(-len(lines) // chunks)
    parts = [chunk(b"IDAT", lines[k * step : (k + 1) * step]) for k in range(chunks)]
    start = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + between
    return start + b"".join(parts) + chunk(b"IEND", b"")


def chunk(name, data):
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def exr_header(columns, rows, channels, compression):
    """The header of an OpenEXR file; ``channels`` are names and NumPy's types."""
    kinds = {"u4": 0, "f2": 1, "f4": 2}
    listed = b"".join(
        name.encode() + b"\0" + struct.pack("<iB3xii", kinds[code], 0, 1, 1)
        for name, code in channels
    )
    window = struct.pack("<4i", 0, 0, columns - 1, rows - 1)
    attributes = (
        (b"channels\0chlist\0", listed + b"\0"),
        (b"compression\0compression\0", bytes([compression])),
        (b"dataWindow\0box2i\0", window),
    )
    parts = [name + struct.pack("<i", len(value)) + value for name, value in attributes]
    return struct.pack("<iI", 20000630, 2) + b"".join(parts) + b"\0"


def exr(columns, rows, channels, compression, blocks):
    """An OpenEXR file of blocks that are compressed already."""
    lines = {0: 1, 2: 1, 3: 16}[compression]
    head = exr_header(columns, rows, channels, compression)
    place, offsets, body = len(head) + 8 * len(blocks), [], b""
    for number, block in enumerate(blocks):
        offsets.append(place + len(body))
        body += struct.pack("<ii", number * lines, len(block)) + block
    return head + struct.pack(f"<{len(offsets)}Q", *offsets) + body


def exr_block(plain):
    """The bytes of a block compressed with ZIP, by the specification."""
    values = np.frombuffer(plain, np.uint8)
    values = np.concatenate([values[::2], values[1::2]])
    differences = values.copy()
    differences[1:] = values[1:] - values[:-1] + np.uint8(128)
    return zlib.compress(differences.tobytes())
