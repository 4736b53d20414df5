# SPDX-License-Identifier: GPL-3.0-or-later
"""Small elevation files, written with NumPy and the standard library alone."""

import struct
from typing import Any

import numpy as np

NUMBERS = {"B": 1, "s": 2, "H": 3, "I": 4, "d": 12}
"""Types of TIFF by the codes of ``struct``; "s" is text."""


def slope(rows=40, columns=50):
    """A plane that rises 1 m a row to the north and 0.25 m a column to the east, from 100 m on."""
    j, i = np.mgrid[0:rows, 0:columns]
    return (100 + (rows - 1 - j) + 0.25 * i).astype("<f4")


def keys(doubles=(), texts=(), **named):
    """Tags of a GeoKeyDirectory: ``k1024=1`` are numbers, ``doubles`` and ``texts`` pairs."""
    entries = [(int(name[1:]), 0, 1, value) for name, value in named.items()]
    entries += [(key, 34736, 1, place) for place, (key, _) in enumerate(doubles)]
    letters = ""
    for key, text in texts:
        entries.append((key, 34737, len(text) + 1, len(letters)))
        letters += f"{text}|"
    numbers = [1, 1, 0, len(entries), *(number for one in sorted(entries) for number in one)]
    tags: dict[int, tuple[str, Any]] = {34735: ("H", numbers)}
    if doubles:
        tags[34736] = ("d", [value for _, value in doubles])
    if letters:
        tags[34737] = ("s", letters)
    return tags


def placed(x, y, dx, dy=None):
    """Tags of the north-western corner and the size of cells."""
    return {
        33550: ("d", [dx, dx if dy is None else dy, 0.0]),
        33922: ("d", [0.0, 0.0, 0.0, x, y, 0.0]),
    }


def metadata(**items):
    """Tag of GDAL's metadata, such as UNITTYPE."""
    lines = "".join(
        f'<Item name="{name}" sample="0" role="{name.lower()}">{value}</Item>'
        for name, value in items.items()
    )
    return {42112: ("s", f"<GDALMetadata>{lines}</GDALMetadata>")}


def tiff(path, z, *tags, mask=None, leave_out=()):
    """Write a TIFF of one strip, the northern row first; ``mask`` is 1 byte a sample."""
    z = np.ascontiguousarray(z)
    more = {number: value for one in tags for number, value in one.items()}
    bands = z.shape[2] if z.ndim == 3 else 1
    first = _image(z, {262: ("H", [1]), 277: ("H", [bands]), **more}, leave_out)
    images = [(first, z.tobytes())]
    if mask is not None:
        marks = np.where(mask, 255, 0).astype("u1")
        about = {254: ("I", [4]), 262: ("H", [4])}
        images.append((_image(marks, about, ()), marks.tobytes()))
    path.write_bytes(_joined(images))
    return path


def _image(z, more, leave_out):
    kind = {"f": 3, "i": 2, "u": 1}[z.dtype.kind]
    tags = {
        256: ("I", [z.shape[1]]), 257: ("I", [z.shape[0]]), 258: ("H", [8 * z.itemsize]),
        259: ("H", [1]), 273: ("I", [0]), 277: ("H", [1]), 278: ("I", [z.shape[0]]),
        279: ("I", [z.nbytes]), 339: ("H", [kind]), **more,
    }  # fmt: skip
    return {number: value for number, value in tags.items() if number not in leave_out}


def _joined(images):
    """Header, then the data of all images, then their directories."""
    body = b""
    for image, data in images:
        image[273] = ("I", [8 + len(body)])
        body += data + bytes(len(data) % 2)
    head = struct.pack("<2sHI", b"II", 42, 8 + len(body))
    for number, (image, _) in enumerate(images):
        body += _directory(image, 8 + len(body), last=number == len(images) - 1)
    return head + body


def _directory(tags, place, last):
    start = place + 2 + 12 * len(tags) + 4
    listed, behind = b"", b""
    for number, (kind, values) in sorted(tags.items()):
        raw = (
            values.encode() + b"\0"
            if kind == "s"
            else struct.pack(f"<{len(values)}{kind}", *values)
        )
        count = len(raw) if kind == "s" else len(values)
        where = raw.ljust(4, b"\0")
        if len(raw) > 4:
            where = struct.pack("<I", start + len(behind))
            behind += raw + bytes(len(raw) % 2)
        listed += struct.pack("<HHI", number, NUMBERS[kind], count) + where
    after = 0 if last else start + len(behind)
    return struct.pack("<H", len(tags)) + listed + struct.pack("<I", after) + behind


def asc(path, prj=None, x=500000, y=5000000, cell=30):
    """Write a grid of 3 x 2 heights from 10 to 60, and a .prj file beside it."""
    path.write_text(
        f"ncols 3\nnrows 2\nxllcorner {x}\nyllcorner {y}\ncellsize {cell}\nNODATA_value -9999\n"
        "10 20 30\n40 50 60\n"
    )
    if prj is not None:
        path.with_suffix(".prj").write_text(prj)
    return path
