# SPDX-License-Identifier: GPL-3.0-or-later
"""A land, its rock and its rain on ever finer grids, with a padding around that hides the border.

They are what erosion starts from: once they are made, the fields they were made of, on a grid of
any resolution, are needed no more.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ..arrays import Doubles, Floats
from ..cancel import Cancel, poll
from ..hydrology import check_height
from ..resample import area_means, halved
from .fluvial_settings import FluvialSettings

COARSEST = 64
"""Cells along the longer side of the first grid."""
PADDING = 6
"""Cells of the first grid around the land, worked on and then cut off."""
FACTORS = (np.float32(1e-4), np.float32(1e4))
"""Range of hardness and rain that makes a difference."""


@dataclass(frozen=True)
class Level:
    """Inputs on one of the grids.

    Attributes
    ----------
    resolution : cells along the longer side of the land
    land : (h, w) float32, in units of the valley spacing
    softness, rain : (h, w) float32 factors, or None
    """

    resolution: int
    land: Floats
    softness: Floats | None
    rain: Floats | None

    @property
    def padding(self) -> int:
        """Cells around the land."""
        return PADDING * self.resolution // COARSEST


@dataclass(frozen=True)
class Grids:
    """The land on all grids, coarsest first, each twice as fine as the one before.

    Attributes
    ----------
    width, depth : metres, the land's size along its columns and rows
    unit : metres, the valley spacing
    """

    levels: tuple[Level, ...]
    width: float
    depth: float
    unit: float

    @property
    def extent(self) -> float:
        """The longer side in metres."""
        return max(self.width, self.depth)

    @classmethod
    def of(
        cls,
        land: Floats,
        spacing: float,
        settings: FluvialSettings,
        *,
        hardness: Floats | None = None,
        rain: Floats | None = None,
        cancelled: Cancel | None = None,
    ) -> Grids:
        """Means of a land, its hardness and its rain on grids of up to ``settings.resolution``.

        Parameters
        ----------
        land : (H, W) float, metres; sample [j, i] covers a square of ``spacing`` metres
        hardness : (H, W) float32 above zero, how many times as hard to wear the rock is
        rain : (H, W) float32 above zero, how many times as much it rains

        Raises
        ------
        ValueError : heights that are not finite, a spacing that is not above zero, hardness or
            rain of another shape or not above zero
        Cancelled
        """
        land = check_height(land)
        if not (math.isfinite(spacing) and spacing > 0):
            raise ValueError(f"The spacing must be finite and above zero, not {spacing:g}")
        for name, factor in (("hardness", hardness), ("rain", rain)):
            if factor is not None:
                _check_factor(name, factor, land.shape)
        poll(cancelled)
        softness: Floats | None = None
        if hardness is not None:
            softness = np.reciprocal(np.clip(hardness, *FACTORS))
        rain = None if rain is None else np.clip(rain, *FACTORS)
        depth, width = (count * spacing for count in land.shape)
        unit = settings.unit(max(width, depth))
        resolutions = [COARSEST]
        while resolutions[-1] * 2 <= int(settings.resolution):
            resolutions.append(resolutions[-1] * 2)
        lands, softs, rains = (
            _pyramid(field, resolutions, cancelled)
            for field in (land / np.float32(unit), softness, rain)
        )
        levels = tuple(
            Level(resolution, land, soft, wet)
            for resolution, land, soft, wet in zip(resolutions, lands, softs, rains, strict=True)
            if land is not None
        )
        return cls(levels, width, depth, unit)


def _check_factor(name: str, factor: Floats, shape: tuple[int, ...]) -> None:
    if factor.shape != shape:
        raise ValueError(f"{name} has the shape {factor.shape}, the land {shape}")
    if not (np.isfinite(factor).all() and (factor > 0).all()):
        raise ValueError(f"{name} must be finite and above zero everywhere")


def _pyramid(
    field: Floats | None, resolutions: list[int], cancelled: Cancel | None
) -> list[Floats] | list[None]:
    """Means of a field on the padded grids, coarsest first."""
    if field is None:
        return [None] * len(resolutions)
    side, finest = max(field.shape), resolutions[-1]
    edges: list[Doubles] = []
    for length in field.shape:
        cells = (math.ceil(length * COARSEST / side) + 2 * PADDING) * (finest // COARSEST)
        places = np.arange(cells + 1, dtype=np.float64)
        edges.append((places / finest - PADDING / COARSEST) * side)
    means = [area_means(field, *edges, cancelled=cancelled)]
    for _ in resolutions[1:]:
        poll(cancelled)
        means.insert(0, halved(means[0]))
    return means
