# SPDX-License-Identifier: GPL-3.0-or-later
"""TIFF files that Blender opens without an error, but with wrong values."""

import io
import struct
from pathlib import Path
from typing import IO, Any

import bpy
import numpy as np
from numpy.typing import NDArray

VOIDS = {"Non-Color": -1.0000305, "Linear Rec.709": -1.0000305, "sRGB": -0.0773825}
"""What Blender makes of -32768, which marks gaps in 16-bit files, by color space."""
NEAR = 5e-7
READABLE = {1, 2, 3, 4, 5, 6, 7, 8, 32773, 32946}
"""The methods of compression of TIFF 6 and its supplements. Blender reads zeros from others."""
NAMES = {
    34712: "JPEG 2000",
    34887: "LERC",
    34925: "LZMA",
    50000: "ZSTD",
    50001: "WebP",
    50002: "JPEG XL",
}
_COMPRESSION = 259  # the tag


def check(image: Any, pixels: NDArray[np.float32]) -> None:
    """Raise ValueError if an image is a TIFF file whose values Blender cannot read.

    ``pixels`` are those that it read.
    """
    if image.file_format != "TIFF":
        return
    method = _method(image)
    if method not in READABLE:
        raise ValueError(
            f"{image.name!r} is compressed with {NAMES.get(method, f'method {method}')}, which "
            "Blender cannot read: convert it first, for example with gdal_translate -co "
            "COMPRESS=DEFLATE"
        )
    void = VOIDS.get(image.colorspace_settings.name)
    if void and abs(float(pixels.min()) - void) < NEAR:
        raise ValueError(
            f"{image.name!r} has gaps, marked by -32768: fill them first, for example with "
            "gdal_fillnodata"
        )


def _method(image: Any) -> int:
    """The method of compression of an image's file; 1, for none, if there is no file."""
    try:
        if image.packed_file:
            return compression(io.BytesIO(image.packed_file.data))
        path = Path(bpy.path.abspath(image.filepath, library=image.library))
        with path.open("rb") as file:
            return compression(file)
    except (OSError, ValueError, OverflowError, struct.error):  # no file that could be at fault
        return 1


def compression(file: IO[bytes]) -> int:
    """The method in the first directory of a TIFF file; 1, for none, if it names none."""
    order = "<" if file.read(2) == b"II" else ">"

    def read(form: str) -> Any:
        return struct.unpack(order + form, file.read(struct.calcsize(order + form)))

    (version,) = read("H")
    # BigTIFF states the size of its numbers before the place of the directory.
    start, count, entry = ("4xQ", "Q", "HHQ8s") if version == 43 else ("I", "H", "HHI4s")
    file.seek(*read(start))
    for _ in range(*read(count)):
        tag, _, _, value = read(entry)
        if tag == _COMPRESSION:
            return struct.unpack(order + "H", value[:2])[0]
    return 1
