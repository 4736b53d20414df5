# SPDX-License-Identifier: GPL-3.0-or-later
"""An image as a source of colors, such as an aerial photograph."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ..numerics.arrays import Doubles, Floats, Indices
from ..numerics.blocks import row_bands
from ..numerics.grid import Grid
from ..numerics.resample import block_means
from ..numerics.srgb import decoded

Bytes = NDArray[np.uint8]
_LIGHT = decoded(np.arange(256) / 255).astype(np.float32)
"""Linear values of the bytes of an image."""


@dataclass(frozen=True)
class Imagery:
    """An image that covers a terrain from border to border.

    Parameters
    ----------
    name : str
        The name that ``Palette.image`` refers to; JSON holds it only.
    pixels : ndarray of uint8, shape (rows, columns, 4)
        RGB in sRGB and alpha, row 0 at the lowest y. The palette shows where alpha is 0.

    Raises
    ------
    ValueError
        Pixels of another type or shape.

    Examples
    --------
    >>> import numpy as np
    >>> from terrain_addon.core import Grid
    >>> pixels = np.zeros((1, 2, 4), np.uint8)
    >>> pixels[0, 1] = 255
    >>> Imagery("Half", pixels).cover(Grid.points(8.0, 4.0, 5, 2), 8.0, 4.0)[0, :, 3]
    array([0. , 0. , 0.5, 1. , 1. ], dtype=float32)
    """

    name: str
    pixels: Bytes = field(compare=False, repr=False)
    digest: bytes = field(init=False, default=b"")
    _means: dict[tuple[int, int], Floats] = field(
        init=False, compare=False, repr=False, default_factory=dict[tuple[int, int], Floats]
    )

    def __post_init__(self) -> None:
        pixels = np.ascontiguousarray(self.pixels)
        if pixels.dtype != np.uint8 or pixels.ndim != 3 or pixels.shape[2] != 4 or not pixels.size:
            raise ValueError(
                f"The pixels of the image {self.name!r} must be uint8 of (rows, columns, 4), not "
                f"{pixels.dtype} of {pixels.shape}"
            )
        digest = hashlib.blake2b(repr(pixels.shape).encode(), digest_size=8)
        digest.update(pixels.data)
        object.__setattr__(self, "pixels", pixels)
        object.__setattr__(self, "digest", digest.digest())

    def cover(self, grid: Grid, size_x: float, size_y: float) -> Floats:
        """Return the colors at the points of a grid on a terrain of that size in meters.

        They are interpolated linearly; where points are farther apart than pixels, pixels are
        averaged first. Beyond the border, the colors there repeat. Windows of a grid have the same
        bits as the whole.

        Returns
        -------
        ndarray of float32, shape (ny, nx, 4)
            Linear RGB times alpha, and alpha.
        """
        rows, columns, _ = self.pixels.shape
        along = grid.dy * rows / size_y, grid.dx * columns / size_x
        factors = max(int(along[0] + 1e-9), 1), max(int(along[1] + 1e-9), 1)
        low, high, v = _between((grid.y / size_y + 0.5) * rows, factors[0], rows)
        left, right, u = _between((grid.x / size_x + 0.5) * columns, factors[1], columns)
        out = np.empty((*grid.shape, 4), np.float32)
        for band in row_bands(out.shape[:2]):
            first = int(low[band].min())
            lines = self._lines(first, int(high[band].max()) + 1, factors)
            across = _mixed(lines[:, left], lines[:, right], u[:, None])
            near, far = across[low[band] - first], across[high[band] - first]
            out[band] = _mixed(near, far, v[band, None, None])
        return out

    def _lines(self, start: int, stop: int, factors: tuple[int, int]) -> Floats:
        """Return some rows of the means of so many rows and columns of pixels."""
        if factors == (1, 1):
            return _light(self.pixels[start:stop])
        if factors not in self._means:
            self._means.clear()  # those of another grid
            self._means[factors] = self._averaged(factors)
        return self._means[factors][start:stop]

    def _averaged(self, factors: tuple[int, int]) -> Floats:
        """Return all means, from a few rows of pixels at a time."""
        rows, columns, _ = self.pixels.shape
        counts = -(-rows // factors[0]), -(-columns // factors[1])
        out = np.empty((*counts, 4), np.float32)
        for band in row_bands((counts[0], columns * factors[0])):
            part = self.pixels[band.start * factors[0] : band.stop * factors[0]]
            out[band] = block_means(_light(part), factors)
        return out


def _light(pixels: Bytes) -> Floats:
    """Return linear RGB times alpha, and alpha, of bytes."""
    out = np.empty(pixels.shape, np.float32)
    out[..., 3] = pixels[..., 3] * np.float32(1 / 255)
    np.multiply(_LIGHT[pixels[..., :3]], out[..., 3:], out=out[..., :3])
    return out


def _between(edges: Doubles, factor: int, count: int) -> tuple[Indices, Indices, Floats]:
    """Return the two means around each place, and the share of the second.

    Places are in pixels from the border of an image of ``count`` pixels.
    """
    last = -(-count // factor) - 1
    at = np.clip(edges / factor - 0.5, 0, last)
    below = at.astype(np.intp)
    return below, np.minimum(below + 1, last), (at - below).astype(np.float32)


def _mixed(a: Floats, b: Floats, share: Floats) -> Floats:
    """Mix ``share`` of b, the rest of a."""
    return np.add(a, (b - a) * share, dtype=np.float32)
