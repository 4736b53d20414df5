# SPDX-License-Identifier: GPL-3.0-or-later
"""Images with coordinates, draped over terrains by them."""

from __future__ import annotations

import math

import numpy as np

from ..numerics.arrays import Doubles, Floats
from ..numerics.blocks import row_bands
from ..numerics.resample import block_means
from .georeference import Georeference
from .reprojection import Places, between, knots, numbers, places_of

MOST = 4096
"""Pixels along the longer side of a draped image, unless another number is chosen."""


def drape(image: Floats, place: Georeference, onto: Georeference, shape: tuple[int, int]) -> Floats:
    """Return an image at the samples of a grid, which may have another coordinate system.

    Colors are interpolated linearly; where samples are farther apart than pixels, pixels are
    averaged first. Places are within 0.02 of a pixel of their coordinates.

    Parameters
    ----------
    image : (rows, columns, channels) float32, row 0 in the south
    place : coordinates of the pixels' middles
    onto : coordinates of the samples
    shape : rows and columns of the samples

    Returns
    -------
    (rows, columns, channels + 1) float32, with an alpha of 0 beyond the border of the image

    Raises
    ------
    ValueError : systems that are not converted to each other, an image elsewhere

    Examples
    --------
    >>> image = np.float32([[[0.0], [1.0]], [[0.0], [1.0]]])
    >>> place = Georeference((0.0, 0.0), (10.0, 0.0), (0.0, 10.0))
    >>> onto = Georeference((5.0, 5.0), (10.0, 0.0), (0.0, 10.0))
    >>> drape(image, place, onto, (1, 3)).tolist()
    [[[0.5, 1.0], [1.0, 1.0], [0.0, 0.0]]]
    """
    rows, columns, channels = image.shape
    old = places_of(place, onto, (columns, rows))
    step, _ = knots(old, shape)
    factor = _pixels_per_sample(old, shape)
    small = block_means(image, (factor, factor))
    i, j = (numbers(count, step) for count in (shape[1], shape[0]))
    across: Doubles = np.arange(shape[1], dtype=np.float64)
    out = np.zeros((*shape, channels + 1), np.float32)
    for band in row_bands(shape):
        lines: Doubles = np.arange(band.start, band.stop, dtype=np.float64)
        x, y = between(old, i, j, across, lines)
        inside = (x >= -0.5) & (x <= columns - 0.5) & (y >= -0.5) & (y <= rows - 0.5)
        x, y = ((one + 0.5) / factor - 0.5 for one in (x[inside], y[inside]))
        part = out[band]
        part[inside, :channels] = _linear(small, y, x)
        part[..., channels] = inside
    if not out[..., channels].any():
        raise ValueError("The image lies elsewhere: none of it is on the terrain")
    return out


def drape_over(
    image: Floats,
    place: Georeference,
    center: Georeference,
    size: tuple[float, float],
    resolution: int = 0,
) -> Floats:
    """Return an image that covers a rectangle, such as a terrain, from border to border.

    Parameters
    ----------
    image : (rows, columns, 4) float32, row 0 in the south, with alpha
    place : coordinates of the pixels' middles
    center : coordinates of meters from the middle of the rectangle
    size : meters along both sides
    resolution : pixels along the longer side; 0 for those of the image, at most :data:`MOST`

    Returns
    -------
    (rows, columns, 4) float32, with an alpha of 0 beyond the border of the image

    Raises
    ------
    ValueError : systems that are not converted to each other, an image elsewhere
    """
    if not resolution:
        resolution = min(math.ceil(max(size) / min(place.spacing(1, 1))), MOST)
    step = max(size) / max(resolution, 1)
    nx, ny = (max(round(side / step), 1) for side in size)
    dx, dy = size[0] / nx, size[1] / ny
    first = dx / 2 - size[0] / 2, dy / 2 - size[1] / 2
    out = drape(image, place, center.mapped(first, (dx, 0.0), (0.0, dy)), (ny, nx))
    out[..., 3] *= out[..., 4]
    return out[..., :4]


def _pixels_per_sample(places: Places, shape: tuple[int, int]) -> int:
    """Return how many pixels a sample has, along the axis where they are fewer."""
    middle = np.array([shape[1] / 2, shape[1] / 2 + 1, shape[1] / 2])
    x, y = places(middle, np.array([shape[0] / 2, shape[0] / 2, shape[0] / 2 + 1]))
    lengths = math.hypot(x[1] - x[0], y[1] - y[0]), math.hypot(x[2] - x[0], y[2] - y[0])
    shortest = min(lengths)
    return max(int(shortest), 1) if math.isfinite(shortest) else 1


def _linear(image: Floats, rows: Doubles, columns: Doubles) -> Floats:
    """Return colors between pixels, at scattered places."""
    ny, nx = image.shape[:2]
    y, x = np.clip(rows, 0, ny - 1), np.clip(columns, 0, nx - 1)
    j, i = (np.floor(one).astype(np.intp) for one in (y, x))
    v, u = ((one - low)[:, None].astype(np.float32) for one, low in ((y, j), (x, i)))
    up, right = np.minimum(j + 1, ny - 1), np.minimum(i + 1, nx - 1)
    low, high = (image[k, i] + (image[k, right] - image[k, i]) * u for k in (j, up))
    return np.add(low, (high - low) * v, dtype=np.float32)
