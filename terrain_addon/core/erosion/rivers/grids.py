# SPDX-License-Identifier: GPL-3.0-or-later
"""Inputs of erosion: terrain, rock and rain on ever finer grids, padded to hide the border."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ...hydrology import check_height
from ...numerics.arrays import Doubles, Floats
from ...numerics.progress import Cancel, poll
from ...numerics.resample import area_means, halved
from .settings import FluvialSettings

COARSEST = 64
"""Cells along the longer side of the first grid."""
PADDING = 6
"""Cells of the first grid around the terrain, eroded and then cut off."""
FACTORS = (np.float32(1e-4), np.float32(1e4))
"""Effective range of hardness and rain."""


@dataclass(frozen=True)
class Level:
    """Inputs on one of the grids.

    Attributes
    ----------
    resolution : int
        Cells along the longer side of the terrain.
    terrain : ndarray of float32, shape (h, w)
        In units of the valley spacing.
    softness, rain : ndarray of float32, shape (h, w) or None
        Factors, or None.
    wraps : bool
        Whether the terrain repeats, so that there is nothing around it.
    """

    resolution: int
    terrain: Floats
    softness: Floats | None
    rain: Floats | None
    wraps: bool = False

    @property
    def padding(self) -> int:
        """Cells around the terrain."""
        if self.wraps:
            return 0
        return PADDING * self.resolution // COARSEST

    def halved(self, cancelled: Cancel | None = None) -> Level:
        """Return the same on half as many cells each way."""
        softness, rain = (
            None if field is None else halved(field, cancelled)
            for field in (self.softness, self.rain)
        )
        terrain = halved(self.terrain, cancelled)
        return Level(self.resolution // 2, terrain, softness, rain, self.wraps)


@dataclass(frozen=True)
class Grids:
    """The terrain on the finest grid; the coarser ones derive from it.

    Attributes
    ----------
    finest : Level
        The terrain at the resolution of the settings.
    width, depth : float
        Meters, the terrain's size along its columns and rows.
    unit : float
        Meters, the valley spacing.
    """

    finest: Level
    width: float
    depth: float
    unit: float

    @property
    def wraps(self) -> bool:
        """True for terrain whose opposite borders match."""
        return self.finest.wraps

    @property
    def extent(self) -> float:
        """The longer side in meters."""
        return max(self.width, self.depth)

    @classmethod
    def of(
        cls,
        terrain: Floats,
        spacing: float,
        settings: FluvialSettings,
        *,
        hardness: Floats | None = None,
        rain: Floats | None = None,
        period: tuple[float, float] | None = None,
        cancelled: Cancel | None = None,
    ) -> Grids:
        """Average a terrain, its hardness and its rain on the grid of the settings' resolution.

        Parameters
        ----------
        terrain : ndarray of float, shape (H, W)
            Meters; sample [j, i] covers a square of ``spacing`` meters.
        hardness : ndarray of float32, shape (H, W), optional
            Factor on the resistance of the rock; above zero.
        rain : ndarray of float32, shape (H, W), optional
            Factor on the rainfall; above zero.
        period : tuple of float, optional
            Meters along columns and rows after which the terrain, which is as large, repeats. Its
            shorter side must have a whole number of 64ths of the samples of the longer one.

        Raises
        ------
        ValueError
            Heights that are not finite, a spacing that is not above zero, hardness or rain of
            another shape or not above zero.
        Cancelled
        """
        terrain = check_height(terrain)
        if not (math.isfinite(spacing) and spacing > 0):
            raise ValueError(f"The spacing must be finite and above zero, not {spacing:g}")
        for name, factor in (("hardness", hardness), ("rain", rain)):
            if factor is not None:
                _check_factor(name, factor, terrain.shape)
        poll(cancelled)
        depth, width = (count * spacing for count in terrain.shape)
        if period is not None:
            width, depth = period
        extent = max(width, depth)
        unit, resolution = settings.unit(extent), settings.cells(extent)
        edges = _edges(terrain.shape, resolution, 0 if period else PADDING)

        def means(field: Floats | None, of: Callable[[Floats], Floats]) -> Floats | None:
            return None if field is None else area_means(field, *edges, cancelled=cancelled, of=of)

        finest = Level(
            resolution,
            area_means(
                terrain, *edges, cancelled=cancelled, of=lambda part: part / np.float32(unit)
            ),
            means(hardness, lambda part: np.reciprocal(np.clip(part, *FACTORS))),
            means(rain, lambda part: np.clip(part, *FACTORS)),
            wraps=period is not None,
        )
        return cls(finest, width, depth, unit)

    def levels(self, cancelled: Cancel | None = None) -> list[Level]:
        """Return the terrain on all grids, coarsest first, each twice as fine as the one before."""
        made = [self.finest]
        while made[0].resolution > COARSEST:
            poll(cancelled)
            made.insert(0, made[0].halved(cancelled))
        return made


def _check_factor(name: str, factor: Floats, shape: tuple[int, ...]) -> None:
    if factor.shape != shape:
        raise ValueError(f"{name} has the shape {factor.shape}, the terrain {shape}")
    if not (np.isfinite(factor).all() and (factor > 0).all()):
        raise ValueError(f"{name} must be finite and above zero everywhere")


def _edges(shape: tuple[int, ...], resolution: int, padding: int) -> list[Doubles]:
    """Return the edges of the cells of a grid with padding, in cells of the first grid, in samples
    of the terrain: of rows, of columns."""
    side = max(shape)
    edges: list[Doubles] = []
    for length in shape:
        cells = (math.ceil(length * COARSEST / side) + 2 * padding) * (resolution // COARSEST)
        places = np.arange(cells + 1, dtype=np.float64)
        edges.append((places / resolution - padding / COARSEST) * side)
    return edges
