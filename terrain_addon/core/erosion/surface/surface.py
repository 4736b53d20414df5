# SPDX-License-Identifier: GPL-3.0-or-later
"""The eroded terrain at any points: the drainage grid with gullies, rock and beaches.

All but the final slide of loose rock and the filling of pits depends on the point alone, so bands,
tiles and resolutions agree.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from ... import noise
from ...analysis.derivatives import steepness
from ...hydrology import RiverLine, border, fill_pits, find_rivers
from ...hydrology.d8 import NONE
from ...numerics.arrays import Doubles, Floats
from ...numerics.blocks import SAMPLES, by_bands, for_each_band, parts, row_bands
from ...numerics.progress import Cancel, Progress, poll, within
from ...numerics.resample import blend_columns, blend_rows
from ...numerics.work_arrays import Scratch
from ..coast import shore_distance, shore_reach, worn_by_waves
from ..rivers.drainage import Drainage, Torus
from ..rivers.solver import steepest_bank
from ..smoothing import binomial, box, smoothstep
from ..thermal import ROWS_PER_PASS, slide
from .braids import braiding
from .channels import carve
from .gullies import WORTHWHILE, GullyField
from .ledges import VALLEY_SIDE, Ledges, firmness
from .meanders import meandering
from .settings import SurfaceSettings

CREST = 0.05
"""Height above the mean of the terrain around, in units of the valley spacing, of a full crest."""
CREST_AROUND = 0.25
"""Radius of that mean."""
FLANK_AROUND = 0.3
"""Radius around a valley side that must be steep."""
SHORT = (0.25, 0.45)
"""Mean slopes of the surroundings, clipped at :data:`STEEP`, of a short slope and of a long one:
gullies as far apart as a slope is long would turn it into a string of beads."""
SHORT_AROUND, STEEP = 0.8, np.float32(0.6)
SHORT_CALM = 0.6
"""Share of the rock that short slopes lack; they lack more of the gullies."""
CREST_CALM = 0.7
"""Share of the rock that crests lack."""
GULLIES_FROM, GULLIES = 0.2, 0.85
"""Strength at which gullies begin, and their depth at full strength. Crests have almost none:
stripes along a crest would look like rails, and stripes across it like a row of cones."""
ROCK = (0.15, 0.55)
"""Slopes at which rock begins to show, and at which it is bare: soil covers gentler ones."""
HARDEST = np.float32(2)
"""Most by which hard rock is rougher than normal rock."""
ROCK_OCTAVES, ROCK_GAIN = 8, 0.6
ROCK_MEAN = 0.61
"""Mean of ridged value noise, which is subtracted: otherwise rock would raise all steep ground."""
SLIDES = 3
"""Passes of the final slide of loose rock."""
SCREE = 1.18
"""Steepest slope that holds in the final slide, in units of that of the banks of rivers. With a
lower limit than the flanks themselves have, the slide would plane these to facets and cut their
crests, which it reaches last, to straight lines one sample wide."""
SINKING = 12.0
"""Widths of a river over which it narrows where it ends in a hollow."""
LEAST_WIDTH = 0.02
"""Share of its width that it has at the end."""
STRIP = 2**18
"""Least number of cells of the drainage grid in a strip."""
STRIP_REACHES = 6
"""Least height of a strip, in multiples of the distance that a height depends on."""
REACH = ROWS_PER_PASS * SLIDES
"""Samples around a point that its height depends on before pits are filled."""


def sample_surface(
    drainage: Drainage,
    x: Doubles,
    y: Doubles,
    settings: SurfaceSettings,
    *,
    rivers: Sequence[RiverLine] | None = None,
    forms: Floats | None = None,
    rough: Floats | None = None,
    hardness: Floats | None = None,
    spacing: tuple[float, float] | None = None,
    seed: int = 0,
    threads: int = 1,
    band: int | None = None,
    progress: Progress | None = None,
    cancelled: Cancel | None = None,
) -> Floats:
    """Sample the eroded terrain with its gullies, rock and beaches.

    The result is the same for every number of ``threads`` and every ``band``.

    Parameters
    ----------
    drainage : Drainage
        Solved by `drain`.
    x, y : ndarray of float64
        Coordinates in meters, centered on the terrain.
    rivers : sequence of RiverLine, optional
        Rivers of :func:`rivers_of`, found if None.
    forms : ndarray of float32, shape (len(y), len(x)), optional
        Meters added to the drainage grid, too fine for it; or None.
    rough : ndarray of float32, shape (len(y), len(x)), optional
        Result of :func:`roughness`, computed if None; overwritten unless it is read-only.
    hardness : ndarray of float32, shape (len(y), len(x)), optional
        Factor on the resistance of the rock: hard rock is rough and shows its ledges, soft rock
        lies under soil and scree. None where both are the same everywhere.
    spacing : tuple of float, optional
        Meters between columns and between rows, measured if None; required for windows of one grid
        to agree to the bit.

    Returns
    -------
    ndarray of float32, shape (len(y), len(x))
        Meters.

    Raises
    ------
    Cancelled
    """
    if spacing is None:
        spacing = (_spacing(x), _spacing(y))
    if rough is None:
        rough = roughness(
            drainage.unit,
            x,
            y,
            max(spacing),
            settings,
            seed,
            threads,
            cancelled,
            period=_period(drainage),
        )
    out = rough if rough.flags.writeable else by_bands(np.positive, cancelled, rough)
    if band is None and out.size < WORTHWHILE:  # calls other than for gullies are short
        threads = 1
    for strip in _strips(drainage, out.shape, spacing[1], settings, threads):
        maker = _Maker(drainage, x, y[strip], spacing, settings, seed, cancelled)
        done = within(progress, strip.start / y.size, strip.stop / y.size)
        kept = None if forms is None else forms[strip]
        rock = None if hardness is None else hardness[strip]
        maker.fill(out[strip], kept, rock, band, threads, done)
    steepest = SCREE * firmness(drainage.beds) * steepest_bank(settings)
    talus = math.degrees(math.atan(steepest))
    out = slide(out, spacing, talus, SLIDES, threads=threads, cancelled=cancelled)
    if settings.rivers > 0:
        if rivers is None:
            rivers = rivers_of(drainage, settings, cancelled)
        out = carve(out, x, y, spacing, rivers, cancelled, tapered=settings.tapered_beds)
    return fill_pits(out, spacing, cancelled) if settings.fill_pits else out


def _strips(
    drainage: Drainage,
    shape: tuple[int, ...],
    spacing: float,
    settings: SurfaceSettings,
    threads: int,
) -> Iterator[slice]:
    """Yield strips of rows, computed one after the other.

    They are few, since their margins on the drainage grid are computed twice, but small compared
    with a large grid.
    """
    cells = max(STRIP // drainage.height.shape[1], STRIP_REACHES * reach_of(drainage, settings))
    rows = round(cells * drainage.spacing / spacing)
    if threads > 1:
        rows = max(rows, WORTHWHILE // shape[1])
    return parts(shape[0], rows)


def rivers_of(
    drainage: Drainage, settings: SurfaceSettings, cancelled: Cancel | None = None
) -> list[RiverLine]:
    """Return the rivers of the drainage grid, in world coordinates, beyond the border too, without
    their braids."""
    if drainage.torus is not None:
        return _rivers_around(drainage, drainage.torus, settings, cancelled)
    rivers = find_rivers(
        drainage.height,
        drainage.directions,
        drainage.area,
        drainage.spacing,
        x0=drainage.x0,
        y0=drainage.y0,
        min_area=settings.min_catchment_area * drainage.unit**2,
        width=max(settings.rivers, 1e-6),
        cancelled=cancelled,
    )
    calm: Sequence[Doubles] = ()
    if settings.braids > 0 and settings.meanders > 0:  # a river does the one or the other
        calm = braiding(rivers, drainage, settings.braids, cancelled=cancelled)
    return meandering(rivers, drainage, settings.meanders, cancelled=cancelled, calm=calm)


def _rivers_around(
    drainage: Drainage, torus: Torus, settings: SurfaceSettings, cancelled: Cancel | None
) -> list[RiverLine]:
    """Return the rivers of a terrain that repeats, also half of its extent beyond its borders."""
    margins = torus.rows // 2, torus.columns // 2
    beyond = [(margin, margin) for margin in margins]
    height = np.pad(drainage.height, beyond, mode="wrap")
    area = np.pad(drainage.area, beyond, mode="wrap")
    directions = np.pad(drainage.directions, beyond, mode="wrap")
    directions[border(directions.shape)] = NONE
    rivers = find_rivers(
        height,
        directions,
        area,
        drainage.spacing,
        x0=(0.5 - torus.columns / 2 - margins[1]) * drainage.spacing,
        y0=(0.5 - torus.rows / 2 - margins[0]) * drainage.spacing,
        min_area=settings.min_catchment_area * drainage.unit**2,
        width=max(settings.rivers, 1e-6),
        cancelled=cancelled,
    )
    # The cells of the shorter side may be a little longer or shorter than they are wide.
    across = torus.width / (torus.columns * drainage.spacing)
    along = torus.depth / (torus.rows * drainage.spacing)
    moved = [replace(river, x=river.x * across, y=river.y * along) for river in rivers]
    return [river if _reaches_sea(river, drainage) else _sinking(river) for river in moved]


def _reaches_sea(river: RiverLine, drainage: Drainage) -> bool:
    """Return whether a river ends in another one or in the sea."""
    column, row = (
        int(np.rint((float(end) - start) / drainage.spacing)) % count
        for end, start, count in (
            (river.x[-1], drainage.x0, drainage.height.shape[1]),
            (river.y[-1], drainage.y0, drainage.height.shape[0]),
        )
    )
    inland = drainage.sea is None or float(drainage.height[row, column]) > drainage.sea
    return bool(drainage.directions[row, column] != NONE) or not inland


def _sinking(river: RiverLine) -> RiverLine:
    """Return a river that ends in a hollow and narrows toward its end: as wide as before it would
    end in a trench."""
    steps = np.hypot(np.diff(river.x), np.diff(river.y))
    left = np.append(np.cumsum(steps[::-1])[::-1], 0.0)
    share = np.minimum(left / (SINKING * float(river.width.max())), 1.0)
    return replace(river, width=river.width * np.maximum(share, LEAST_WIDTH))


def _spacing(axis: Doubles) -> float:
    return float(axis[1] - axis[0]) if axis.size > 1 else 1.0


class _Maker:
    """Makes bands of the surface, in any thread, from lines: rows of the drainage grid, seen at the
    columns of the surface. A band is overwritten by the thread's next."""

    def __init__(
        self,
        drainage: Drainage,
        x: Doubles,
        y: Doubles,
        spacing: tuple[float, float],
        settings: SurfaceSettings,
        seed: int,
        cancelled: Cancel | None,
    ) -> None:
        self._drainage, self._cancelled = drainage, cancelled
        self._coast = None if drainage.sea is None else settings.coast(drainage.sea)
        reach = reach_of(drainage, settings)
        self._rows, down = drainage.rows(y).cut(reach)
        columns, across = drainage.columns(x).cut(reach)
        part = (down, across)
        self._shore: Floats | None = None
        height = drainage.height[part]
        if self._coast is not None and drainage.seabed is not None:
            # Below the sea the ground is as it was.
            height = height + drainage.seabed[part]
            shore = shore_distance(height, drainage.spacing, self._coast)
            self._shore = blend_columns(shore, columns)
        poll(cancelled)
        flank = _flanks(drainage, part, cancelled)
        poll(cancelled)
        self._scratch = Scratch()
        self._height = blend_columns(height, columns)
        poll(cancelled)
        self._slope_x = blend_columns(height, columns, slope=True)
        self._slope_x *= np.float32(1 / drainage.spacing)
        poll(cancelled)
        self._flank = blend_columns(flank, columns)
        poll(cancelled)
        self._ledges = Ledges.of(drainage, part, columns, seed, cancelled)
        poll(cancelled)
        form = settings.gullies(drainage.unit)
        period = _period(drainage)
        self._gullies = GullyField(form, x, y, max(spacing), seed + 5, cancelled, period=period)

    def fill(
        self,
        out: Floats,
        forms: Floats | None,
        hardness: Floats | None,
        band: int | None,
        threads: int,
        progress: Progress,
    ) -> None:
        """Replace the roughness of the strip by its heights, with the fine ``forms`` and the
        ``hardness`` of it."""

        def work(rows: slice) -> None:
            parts = (None if field is None else field[rows] for field in (forms, hardness))
            out[rows] = self._made(rows, out[rows], *parts)

        for_each_band(
            out.shape,
            work,
            band=band,
            threads=threads,
            worthwhile=0,
            progress=progress,
            cancelled=self._cancelled,
        )

    def _made(
        self, rows: slice, rough: Floats, forms: Floats | None, hardness: Floats | None
    ) -> Floats:
        """Return the heights of a band of rows, given its roughness, fine forms and hardness."""
        axis = self._rows.part(rows)
        height, gx, gy, strength = self._scratch("fields", (4, *rough.shape))
        spare = self._scratch("spare", rough.shape)
        blend_rows(self._height, axis, out=height, spare=spare)
        blend_rows(self._slope_x, axis, out=gx, spare=spare)
        blend_rows(self._height, axis, slope=True, out=gy, spare=spare)
        gy *= np.float32(1 / self._drainage.spacing)
        blend_rows(self._flank, axis, out=strength, spare=spare)
        if self._coast is not None:
            unit = self._drainage.unit
            above = height - np.float32(self._coast.sea)
            strength *= smoothstep(0.067 * unit, 0.67 * unit, above)
        slope = np.multiply(gx, gx, out=spare)
        slope += gy * gy
        np.sqrt(slope, out=slope)
        np.minimum(slope, np.float32(1.5), out=slope)
        bare = slope - np.float32(ROCK[0])
        bare *= np.float32(1 / (ROCK[1] - ROCK[0]))
        np.clip(bare, 0, 1, out=bare)
        slope *= bare
        slope *= strength
        slope *= rough
        ledges, shown = self._ledges, None
        if ledges is not None:
            shown = ledges.rows(axis, slope, strength, hardness)
        if hardness is not None:
            slope *= np.minimum(hardness, HARDEST)
        height += slope
        if forms is not None:
            height += forms
        strength -= np.float32(GULLIES_FROM)
        strength *= np.float32(GULLIES / (1 - GULLIES_FROM))
        np.maximum(strength, 0, out=strength)
        height += self._gullies.rows(rows, gx, gy, strength)
        if ledges is not None and shown is not None:
            shown *= ledges.moved.at(height)
            height += shown
        if self._coast is not None and self._shore is not None:
            height = worn_by_waves(height, blend_rows(self._shore, axis), self._coast)
        return height


def roughness(
    unit: float,
    x: Doubles,
    y: Doubles,
    spacing: float,
    settings: SurfaceSettings,
    seed: int,
    threads: int,
    cancelled: Cancel | None,
    *,
    period: tuple[float, float] | None = None,
) -> Floats:
    """Return (len(y), len(x)) float32 meters: ridges of all sizes, to be scaled by slope.

    It depends on these arguments alone; ``unit`` is the valley spacing, in meters as ``spacing``
    and the ``period`` along X and Y after which it repeats.

    Rock breaks along edges: the even bumps of plain fBm would look like wax. Perlin noise is 0
    along many lines of its lattice, where its ridges would draw the grid.
    """
    if settings.rock_roughness <= 0:
        return np.zeros((y.size, x.size), np.float32)
    wave = 0.93 * unit
    counts = period and (max(1, round(period[0] / wave)), max(1, round(period[1] / wave)))
    across, along = (wave, wave)
    if period and counts:
        across, along = period[0] / counts[0], period[1] / counts[1]
    rough = noise.sample_grid(
        "value_cubic",
        x / across,
        y / along,
        period=counts,
        seed=(seed + 99) % 2**31,
        fractal="ridged",
        octaves=ROCK_OCTAVES,
        gain=ROCK_GAIN,
        fade_under=3.0,
        spacing=spacing / wave,
        threads=threads,
        cancelled=cancelled,
    )
    rough -= np.float32(ROCK_MEAN)
    rough *= np.float32(settings.rock_roughness * unit)
    return rough


def _period(drainage: Drainage) -> tuple[float, float] | None:
    """Return meters along X and Y after which a terrain repeats; None if it does not."""
    return None if drainage.torus is None else (drainage.torus.width, drainage.torus.depth)


def _cells(share: float, drainage: Drainage) -> int:
    """Return a share of the valley spacing in cells of the drainage grid."""
    return max(1, round(share * drainage.unit / drainage.spacing))


def reach_of(drainage: Drainage, settings: SurfaceSettings) -> int:
    """Return the cells of the drainage grid around a point that its height depends on."""
    flank = _cells(max(FLANK_AROUND, CREST_AROUND, SHORT_AROUND), drainage) + 1
    if drainage.sea is None:
        return flank
    return max(flank, shore_reach(drainage.spacing, settings.coast(drainage.sea)))


def _flanks(drainage: Drainage, part: tuple[slice, slice], cancelled: Cancel | None) -> Floats:
    """Return float32: 1 on valley sides, less on crests and short slopes, 0 along channels, which
    stay smooth.

    0 too on slopes that stand alone: the walls of a slot, or a thin divide between plains, are too
    small for gullies. Along rivers full strength is reached some way up the valley sides only:
    gullies and rock as deep as the slope is high would dam and divert the rivers.
    """
    height = drainage.height[part]
    area = drainage.area[part] * np.float32(5 / drainage.unit**2)
    poll(cancelled)
    channel = np.log(area, out=area)
    channel *= np.float32(1 / 1.4)
    np.clip(channel, 0, 1, out=channel)
    binomial(channel, cancelled=cancelled, out=channel)
    steep = steepness(height, drainage.spacing, drainage.spacing, cancelled)
    long = np.minimum(steep, STEEP)
    box(long, _cells(SHORT_AROUND, drainage), out=long)
    poll(cancelled)
    box(steep, _cells(FLANK_AROUND, drainage), out=steep)
    poll(cancelled)
    around = box(height, _cells(CREST_AROUND, drainage))
    for rows in row_bands(channel.shape, cancelled, SAMPLES):
        side = channel[rows]
        side *= np.float32(-2)
        side += np.float32(1)
        np.maximum(side, 0, out=side)
        crest = smoothstep(0.0, CREST * drainage.unit, height[rows] - around[rows])
        crest *= np.float32(-CREST_CALM)
        crest += np.float32(1)
        side *= crest
        calm = smoothstep(*SHORT, long[rows])
        calm *= np.float32(SHORT_CALM)
        calm += np.float32(1 - SHORT_CALM)
        side *= calm
        side *= smoothstep(0.0, VALLEY_SIDE * drainage.unit, drainage.above_rivers[part][rows])
        side *= smoothstep(0.12, 0.32, steep[rows])
    return channel
