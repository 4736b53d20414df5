# SPDX-License-Identifier: GPL-3.0-or-later
"""Heights that tiles of web maps hold as colors: one number of 24 bits, red first.

Sources: Mapbox, *Terrain-RGB*, 2016; Mapzen, *Terrain Tiles: Data formats* (Terrarium), 2017;
Geospatial Information Authority of Japan, *Detailed specifications of elevation tiles*, 2014.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..elevation import Picture
from ..numerics.arrays import Floats
from .raster import ENCODINGS

RED, SIGNED = 1 << 16, 1 << 24
SMOOTH = 0.25
"""Steps of red that neighbors may differ by, on the mean: terrain is smooth."""

Bytes = NDArray[np.uint8]


@dataclass(frozen=True)
class Encoding:
    """Height = number * ``factor`` + ``offset`` in meters, except for the number of voids.

    Attributes
    ----------
    red : lowest and highest red by which pictures of places of the Earth are known; None where
        others have it too
    signed : whether numbers from 2^23 on are below zero
    """

    factor: float
    offset: float
    void: int
    red: tuple[int, int] | None = None
    signed: bool = False

    def decode(self, pixels: Bytes, heights: Floats) -> None:
        """Fill heights with (rows, columns, channels) bytes; what has no height becomes NaN."""
        red, green, blue = (pixels[..., k].astype(np.int32) for k in range(3))
        numbers = (red << 16) + (green << 8) + blue
        void = numbers == self.void
        if self.signed:
            numbers[numbers >= SIGNED // 2] -= SIGNED
        heights[...] = numbers * self.factor + self.offset
        if void.any():
            heights[void] = np.nan


KNOWN = {
    "mapbox": Encoding(0.1, -10000.0, 0, (1, 2)),
    "terrarium": Encoding(1 / 256, -32768.0, 0, (126, 162)),
    "gsi": Encoding(0.01, 0.0, SIGNED // 2, signed=True),
}
"""Encodings by their names: red of -500 to 9600 m, and of -512 to 9000 m."""


def encoding_of(stated: str | None, pixels: Bytes) -> tuple[Encoding, tuple[str, ...]]:
    """Return the encoding of a picture by its name or by its first rows, and what was taken.

    Raises :class:`Picture` for other pictures: where red has few steps and green many, there are
    heights.
    """
    if stated is not None:
        return KNOWN[stated], (f"Colors read as heights by {ENCODINGS[stated]}, as stated.",)
    red, green = pixels[..., 0], pixels[..., 1]
    low, high = int(red.min()), int(red.max())
    for name, encoding in KNOWN.items():
        if encoding.red is None or not encoding.red[0] <= low <= high <= encoding.red[1]:
            continue
        heights = np.empty(red.shape, np.float32)
        encoding.decode(pixels, heights)
        steps = np.abs(np.diff(heights, axis=1))
        steps = steps[~np.isnan(steps)]
        smooth = steps.size and float(steps.mean()) < SMOOTH * RED * encoding.factor
        if smooth and np.ptp(green) > np.ptp(red):
            note = (
                f"Colors read as heights by {ENCODINGS[name]}, as their red tells: state the "
                "encoding if it is another one."
            )
            return encoding, (note,)
    raise Picture(
        "it is a picture with colors: only gray images hold heights. Where colors stand for "
        f"heights, state the encoding: {', '.join(ENCODINGS)}"
    )
