# SPDX-License-Identifier: GPL-3.0-or-later
"""Hardness of the rock and rainfall at each place: functions of the place alone.

Rivers, ledges, rough rock and colors all read the same hardness, at the points that they need.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ....erosion.rivers.settings import FluvialSettings
from ....erosion.surface import fields
from ....erosion.tilted_beds import TiltedBeds
from ....numerics.arrays import Floats
from ....numerics.blocks import by_bands
from ....numerics.grid import Grid
from ....numerics.portable import exp2
from ....numerics.progress import Cancel
from ...context import TerrainContext
from ...periods import crossfaded

RAIN = (3, 0.5)
"""Octaves and gain of the rainfall variation, which spans many valleys."""
ROCK = (5, 0.8)
"""Those of the rock hardness variation, down to a quarter of a valley: broad patches of hard rock
would leave isolated domes on plains."""
ROCK_SEED, RAIN_SEED, BEDS_SEED = 31, 67, 311
"""Added to the seed of the layer."""
PATCHES = 4
"""Size of the largest patches in valley spacings."""


def hardness(
    context: TerrainContext, settings: FluvialSettings, painted: str, seed: int, grid: Grid
) -> Floats | None:
    """Return a factor on the resistance of the rock at the points of a grid, (ny, nx) float32; None
    where all rock is alike.

    Parameters
    ----------
    context : TerrainContext
        Of the layer, in ``solve`` or in ``apply``.
    settings : FluvialSettings
        Settings of the erosion.
    painted : str
        Name of a map of hardness, from -1 to 1, or "".
    seed : int
        Seed of the layer.
    grid : Grid
        The points.
    """
    if context.seamless and (
        settings.rock_hardness_variation > 0 or painted or settings.bed_contrast > 0
    ):
        return _repeating(context, settings, painted, seed, grid, _hardness)
    return _hardness(context, settings, painted, seed, grid)


def _hardness(
    context: TerrainContext, settings: FluvialSettings, painted: str, seed: int, grid: Grid
) -> Floats | None:
    varied = _varied(
        context, settings, settings.rock_hardness_variation, ROCK, painted, seed + ROCK_SEED, grid
    )
    if settings.bed_contrast <= 0:
        return varied
    beds = exp2(_tilted(context, settings, seed, grid) * np.float32(2 * settings.bed_contrast))
    return beds if varied is None else beds * varied


def rain(
    context: TerrainContext, settings: FluvialSettings, painted: str, seed: int, grid: Grid
) -> Floats | None:
    """Return a factor on the rainfall; parameters are those of :func:`hardness`."""
    if context.seamless and (settings.rainfall_variation > 0 or painted):
        return _repeating(context, settings, painted, seed, grid, _rain)
    return _rain(context, settings, painted, seed, grid)


def _repeating(
    context: TerrainContext,
    settings: FluvialSettings,
    painted: str,
    seed: int,
    grid: Grid,
    make: Callable[[TerrainContext, FluvialSettings, str, int, Grid], Floats | None],
) -> Floats:
    """Return a factor that repeats after the extent of the terrain."""

    def made(grid: Grid, rows: slice, columns: slice) -> Floats:
        factor = make(context, settings, painted, seed, grid)
        assert factor is not None
        return factor

    return crossfaded(made, grid, context.size_x, context.size_y)


def _rain(
    context: TerrainContext, settings: FluvialSettings, painted: str, seed: int, grid: Grid
) -> Floats | None:
    variation = settings.rainfall_variation
    return _varied(context, settings, variation, RAIN, painted, seed + RAIN_SEED, grid)


def on_scale(factor: Floats | None, grid: Grid, cancelled: Cancel) -> Floats:
    """Return a factor on the hardness as a field, (ny, nx) float32: 0 a quarter of normal or
    softer, 0.5 normal, 1 four times as hard or harder."""
    if factor is None:
        return np.full(grid.shape, 0.5, np.float32)

    def scaled(part: Floats) -> Floats:
        share = np.log2(part.astype(np.float64)) / 4 + 0.5
        return np.clip(share, 0, 1).astype(np.float32)

    return by_bands(scaled, cancelled, factor)


def _tilted(context: TerrainContext, settings: FluvialSettings, seed: int, grid: Grid) -> Floats:
    """Return the hardness of the tilted beds, -1 to 1."""
    beds = TiltedBeds(
        settings.strike,
        settings.dip,
        settings.bed_spacing * _unit(context, settings),
        settings.bends,
        seed + BEDS_SEED,
    )
    return context.kept(
        ("tilted beds", grid, beds), lambda: beds.hardness(grid.x, grid.y, context.cancelled)
    )


def _varied(
    context: TerrainContext,
    settings: FluvialSettings,
    variation: float,
    form: tuple[int, float],
    painted: str,
    seed: int,
    grid: Grid,
) -> Floats | None:
    """Return a factor from random patches and from a painted map; None with neither."""
    wave, (octaves, gain) = PATCHES * _unit(context, settings), form

    def patches() -> Floats:
        return fields.variation(
            variation, grid.x, grid.y, wave, seed, context.cancelled, octaves=octaves, gain=gain
        )

    varied = None
    if variation > 0:
        varied = context.kept(("variation", grid, variation, wave, seed, *form), patches)
    if not painted:
        return varied
    drawn = np.clip(context.map_on(painted, grid), np.float32(-1), np.float32(1))
    drawn = exp2(2 * drawn)  # 1/4 to 4
    return drawn if varied is None else varied * drawn


def _unit(context: TerrainContext, settings: FluvialSettings) -> float:
    """Return the valley spacing in meters."""
    return settings.unit(max(context.size_x, context.size_y))
