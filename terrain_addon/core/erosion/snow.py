# SPDX-License-Identifier: GPL-3.0-or-later
"""Snow: it falls above the snow line, lies on gentle slopes and slides off steep ones."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..analysis.derivatives import gradient_rows
from ..numerics.arrays import Floats
from ..numerics.blocks import row_bands
from ..numerics.progress import Cancel, Progress
from .smoothing import smoothstep
from .thermal import PAIRS, ROWS_PER_PASS, by_tiles, limits_of


@dataclass(frozen=True)
class Snowfall:
    """Where snow falls and lies.

    Attributes
    ----------
    depth : float
        Meters of snow well above the line.
    line, fade : float
        Height in meters where half as much falls, and the range over which it fades.
    steepest : float
        Slope in degrees above which snow slides.
    passes : int
        Number of cells that it can slide.
    shade : float, default 0.0
        Meters by which the line is lower on a wall that faces +Y, away from the midday sun, and
        higher on one that faces it.
    """

    depth: float
    line: float
    fade: float
    steepest: float
    passes: int
    shade: float = 0.0

    @property
    def margin(self) -> int:
        """Passes around a point that its snow depends on: one more where slopes count."""
        return self.passes + (self.shade != 0)

    @property
    def reach(self) -> int:
        """Samples around a point that its snow depends on."""
        return ROWS_PER_PASS * self.margin

    def fallen(self, height: Floats, spacing: tuple[float, float]) -> Floats:
        """Return meters of snow before it slides."""
        half = max(self.fade / 2, 1e-6)
        if self.shade:
            lower = np.float32(self.shade) * _away_from_sun(height, spacing)
            height = np.asarray(height + lower, np.float32)
        return smoothstep(self.line - half, self.line + half, height) * np.float32(self.depth)


def _away_from_sun(height: Floats, spacing: tuple[float, float]) -> Floats:
    """Return how much the ground faces +Y: 1 for a wall that does, -1 for one that faces -Y."""
    gx, gy = gradient_rows(height, *spacing, slice(0, len(height)))
    length = np.sqrt(1 + gx * gx + gy * gy)
    return np.divide(-gy, length, out=length)


def snow_depth(
    height: Floats,
    spacing: tuple[float, float],
    snowfall: Snowfall,
    *,
    band: int | None = None,
    threads: int = 1,
    progress: Progress | None = None,
    cancelled: Cancel | None = None,
) -> Floats:
    """Return the depth of the snow on a terrain; sliding snow is conserved.

    Parameters
    ----------
    height : ndarray of float32, shape (H, W)
        Meters.
    spacing : tuple of float
        Meters between columns and between rows.
    snowfall : Snowfall
        Where snow falls and lies.
    band, threads : int
        Rows worked on at once, and by how many threads; the result is the same.

    Returns
    -------
    ndarray of float32, shape (H, W)
        Meters of snow.

    Raises
    ------
    ValueError
        Heights, spacing or angle that are not finite.
    Cancelled

    Examples
    --------
    >>> height = np.array([[0.0, 500.0, 1000.0]], np.float32)
    >>> snowfall = Snowfall(depth=2.0, line=500.0, fade=100.0, steepest=60.0, passes=0)
    >>> snow_depth(height, (1000.0, 1000.0), snowfall).tolist()
    [[0.0, 1.0, 2.0]]
    """
    limits = limits_of(spacing, snowfall.steepest)

    def lying(ground: Floats) -> Floats:
        snow = snowfall.fallen(ground, spacing)
        scratch = np.empty_like(snow)
        for _ in range(snowfall.passes):
            _slide_once(ground, snow, limits, scratch, cancelled)
        return snow

    return by_tiles(
        height,
        lying,
        snowfall.margin,
        band=band,
        threads=threads,
        progress=progress,
        cancelled=cancelled,
    )


def _slide_once(
    ground: Floats,
    snow: Floats,
    limits: list[np.float32],
    scratch: Floats,
    cancelled: Cancel | None,
) -> None:
    """Slide snow as `thermal.slide_once` does; nothing else moves.

    In each direction a cell gives at most half its snow to either side.
    """
    half = np.float32(0.5)
    for (here, there, _, share), limit in zip(PAIRS, limits, strict=True):
        a, b, over, under = snow[here], snow[there], ground[here], ground[there]
        moved = scratch[here]
        for rows in row_bands(a.shape, cancelled):
            difference = (over[rows] - under[rows]) + (a[rows] - b[rows])
            holds = np.clip(difference, -limit, limit)
            part = np.subtract(difference, holds, out=moved[rows])
            part *= np.float32(share)
            np.minimum(part, a[rows] * half, out=part)
            np.maximum(part, b[rows] * -half, out=part)
        for rows in row_bands(a.shape, cancelled):
            a[rows] -= moved[rows]
        for rows in row_bands(a.shape, cancelled):
            b[rows] += moved[rows]
