# SPDX-License-Identifier: GPL-3.0-or-later
"""A terrain at a glance: its relief from above, its heights by frequency, and along a line."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...numerics.arrays import Floats, Indices
from ...numerics.grid import Grid
from ...numerics.srgb import encoded
from .light import lit

SIDE = 256
"""Pixels of the picture each way."""
MAP, GAP = 164, 8
"""Pixels of the relief each way, and between the parts."""
SHADED_RELIEF = 0.25
"""Height drawn in the relief, as a share of the longer side, so that plains have shade too."""
BARS = 41
HEADROOM = 1.08
"""Height of the charts relative to their highest value."""
PAPER: Floats = np.array([0.5, 0.5, 0.5, 0.16], np.float32)
LINE: Floats = np.array([1.0, 0.42, 0.1, 1.0], np.float32)
SEA: Floats = np.array([0.25, 0.56, 0.85, 0.55], np.float32)
ALONG_X, ALONG_Y = "x", "y"


@dataclass(frozen=True)
class ProfileLine:
    """A line across a terrain, along X or Y, at a share of the other side."""

    along: str = ALONG_X
    at: float = 0.5

    def place(self, count: int) -> int:
        """Return the nearest of ``count`` rows or columns."""
        return round(self.at * (count - 1))


def overview(
    grid: Grid, height: Floats, colors: Floats, line: ProfileLine, water: float | None = None
) -> Floats:
    """Return a picture of a terrain that is evaluated already; it takes a few milliseconds.

    The relief is on the left, with the line on it; on the right are bars as long as the heights
    beside them are frequent, the lowest at the bottom; below is the profile along the line. All
    have the colors of the terrain.

    Parameters
    ----------
    grid : where the terrain is sampled
    height : (ny, nx) float32, meters
    colors : (ny, nx, 4) float32, linear
    line : of the profile
    water : the level of the sea, None where none is shown

    Returns
    -------
    (SIDE, SIDE, 4) float32 : sRGB and alpha, the first row at the bottom as in Blender's images

    Examples
    --------
    >>> from terrain_addon.core import presets
    >>> from terrain_addon.core.output import evaluate_colored
    >>> recipe = presets.load("crater_field")
    >>> terrain, coloring = evaluate_colored(recipe, recipe.grid(65))
    >>> overview(terrain.grid, terrain.height, coloring.colors, ProfileLine("y", 0.3)).shape
    (256, 256, 4)
    """
    few, flat = _sampled(grid, height, colors)
    low, full = float(height.min()), float(np.ptp(height)) * HEADROOM or 1.0
    sea = None if water is None else (water - low) / full
    along = (line.place(grid.ny),) if line.along == ALONG_X else (slice(None), line.place(grid.nx))
    out = np.zeros((SIDE, SIDE, 4), np.float32)
    out[-MAP:, :MAP] = _relief(few, flat, grid.size, line)
    out[-MAP:, MAP + GAP :] = _histogram((few - low) / full, flat, sea)
    out[: -MAP - GAP] = _profile((height[along] - low) / full, encoded(colors[along][:, :3]), sea)
    return out


def _sampled(grid: Grid, height: Floats, colors: Floats) -> tuple[Floats, Floats]:
    """Return the heights and colors at no more points than the relief has pixels."""
    few = np.ix_(*(np.linspace(0, n - 1, min(n, MAP)).round().astype(np.intp) for n in grid.shape))
    return height[few], colors[few][..., :3]


def _relief(height: Floats, colors: Floats, size: tuple[float, float], line: ProfileLine) -> Floats:
    """Return the terrain from above, in the sun, with the line of the profile."""
    longer = max(size)
    drawn = height * np.float32(SHADED_RELIEF * longer / (float(np.ptp(height)) or 1.0))
    ny, nx = height.shape
    shaded = lit(colors, drawn, size[0] / max(nx - 1, 1), size[1] / max(ny - 1, 1))
    width, depth = (max(round(MAP * extent / longer), 1) for extent in size)
    ground = encoded(np.clip(shaded, 0, 1))[_stretched(ny, depth)][:, _stretched(nx, width)]
    out = np.zeros((MAP, MAP, 4), np.float32)
    left, bottom = (MAP - width) // 2, MAP - depth
    inside = out[bottom:, left : left + width]
    inside[..., :3], inside[..., 3] = ground, 1.0
    if line.along == ALONG_X:
        inside[line.place(depth)] = LINE
    else:
        inside[:, line.place(width)] = LINE
    return out


def _stretched(count: int, pixels: int) -> Indices:
    """Return the nearest of ``count`` samples for each pixel."""
    return np.linspace(0, count - 1, pixels).round().astype(np.intp)


def _histogram(heights: Floats, colors: Floats, water: float | None) -> Floats:
    """Return the bars from the left, for ``heights`` from 0 to 1 as shares of the chart.

    Their lengths grow with the square root of the frequency: rare heights show, too.
    """
    bins = np.minimum(heights.reshape(-1) * np.float32(BARS), BARS - 1).astype(np.intp)
    counts = np.bincount(bins, minlength=BARS)
    flat = colors.reshape(-1, 3)
    sums = np.stack([np.bincount(bins, flat[:, n], minlength=BARS) for n in range(3)], 1)
    means = sums / np.maximum(counts, 1)[:, None]
    width = SIDE - MAP - GAP
    lengths = np.sqrt(counts / counts.max()) * width
    row = np.arange(MAP) * BARS // MAP
    inside = np.clip(lengths[row, None] - np.arange(width), 0, 1)
    return _chart(encoded(means.astype(np.float32))[row, None], inside, water)


def _profile(heights: Floats, colors: Floats, water: float | None) -> Floats:
    """Return the ground along a line, filled, for ``heights`` from 0 to 1 as shares of the
    chart."""
    depth = SIDE - MAP - GAP
    across = np.linspace(0, len(heights) - 1, SIDE)
    ground = np.interp(across, np.arange(len(heights)), heights) * depth
    inside = np.clip(ground - np.arange(depth)[:, None] + 0.5, 0, 1)
    return _chart(colors[_stretched(len(heights), SIDE)][None], inside, water)


def _chart(color: Floats, inside: NDArray[np.float64], water: float | None) -> Floats:
    """Return the paper, the sea up to ``water``, and the color where it is ``inside``, 0 to 1."""
    out = np.empty((*inside.shape, 4), np.float32)
    out[:] = PAPER
    if water is not None:
        out[: max(round(water * len(out)), 0)] = SEA
    share = inside[..., None].astype(np.float32)
    rest = out[..., 3:] * (1 - share)
    alpha = share + rest
    out[..., :3] = (color * share + out[..., :3] * rest) / alpha
    out[..., 3:] = alpha
    return out
