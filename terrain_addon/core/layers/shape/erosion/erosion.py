# SPDX-License-Identifier: GPL-3.0-or-later
"""Erosion by rivers: the main layer of most terrains."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import ClassVar

import numpy as np

from ....erosion.glaciers.settings import GlacialSettings
from ....erosion.glaciers.snow_line import SnowLine
from ....erosion.rivers.drainage import Drainage
from ....erosion.rivers.drawn.rivers import DrawnRivers
from ....erosion.rivers.grids import COARSEST, PADDING, Grids
from ....erosion.rivers.held import Stepped, Terrain
from ....erosion.rivers.saved_levels import SavedLevels
from ....erosion.rivers.settings import AUTOMATIC, KEEP
from ....erosion.surface import fields
from ....erosion.surface.braids import BELT, braided
from ....erosion.surface.eroded_terrain import Beds, ErodedTerrain, RiverCourses
from ....erosion.surface.settings import SurfaceSettings
from ....erosion.surface.surface import REACH, rivers_of, roughness, sample_surface
from ....hydrology import RiverLine
from ....hydrology.pits import HALO as FILLED_FROM
from ....numerics.arrays import Doubles, Floats
from ....numerics.blocks import default_threads, parts
from ....numerics.grid import Grid
from ....numerics.progress import Cancel, poll
from ....numerics.resample import area_means
from ....settings.params import param, seed_param
from ...context import Inputs, LayerContext, SolveContext
from ...kind import SHAPE, WHOLE, LayerKind, layer
from . import _rock

CELL_BYTES = 45
"""Memory for each cell of the drainage grid while it is solved."""
WHOLE_GRID, STRIP = 2**22, 2**20
"""Samples of the terrain below that are read at once, and those of the strips in which it is
averaged on larger grids."""
OVERSAMPLING = 2
"""Samples of the terrain below per drainage cell, each way: fine noise averages out."""

BASINS_SEED, BRAIDS_SEED = 70001, 80021
"""Added to the seed for the basins of glaciers, and for the threads of rivers."""


@layer(
    "erosion",
    "Erosion",
    "Rivers carve valleys, gullies and coasts into the terrain below",
    group=SHAPE,
    icon="MOD_FLUIDSIM",
)
class Erosion(LayerKind, GlacialSettings, SurfaceSettings):
    """Stream power erosion of the whole terrain on a grid of fixed resolution, with gullies, rock
    and beaches at the resolution of the context's grid.

    Produces the fields "flow" (drainage area, 0 on slopes to 1 in the largest river),
    "erosion_depth" and "deposition" (meters) and "hardness" (of the rock, 0 to 1).
    """

    depends_on = WHOLE
    looks_elsewhere = True
    follows_courses = True
    produces = ("flow", "erosion_depth", "deposition", "hardness")
    holding = ("strength",)
    unset_notes: ClassVar[Mapping[str, str]] = {"snow_line": "Automatic: snow in Colors"}
    # Files without these settings mean 256 cells, and pits.
    new_defaults: ClassVar[Mapping[str, object]] = {"resolution": AUTOMATIC, "fill_pits": True}
    real_defaults: ClassVar[Mapping[str, object]] = {"type": KEEP}
    # Rivers that continue across the sea floor would erode an island to its ribs.
    sea_defaults: ClassVar[Mapping[str, object]] = {"sea": True}
    sea_height_shares: ClassVar[Mapping[str, float]] = {
        "sea_rise": 0.05,
        "coastal_plain": 0.05,
        "cliff_height": 0.05,
    }

    sea: bool = param(
        False,
        "Sea",
        "Ground below the water level is sea: rivers end there and waves build beaches",
    )
    hardness_map: str = param(
        "",
        "Hard Rock",
        "Map of rock hardness: 0 is normal, 1 four times as hard, -1 four times as soft",
        unit="map",
        advanced=True,
    )
    rain_map: str = param(
        "",
        "Rain",
        "Map of rainfall: 0 is normal, 1 four times as much, -1 a quarter",
        unit="map",
        advanced=True,
    )
    seed: int = seed_param("Seed of the valleys")

    def halo(self, dx: float, dy: float) -> int:
        return REACH + (FILLED_FROM if self.fill_pits else 0)

    @property
    def cannot_repeat(self) -> str:
        return "its glaciers end at the border" if self.glaciers else ""

    @property
    def holds_rivers(self) -> bool:
        return self.type == "uplift"

    @property
    def braided_width(self) -> tuple[float, float]:
        return (self.rivers, BELT * self.rivers * self.braids) if self.braids > 0 else (0.0, 0.0)

    @property
    def reads_water_level(self) -> bool:
        return self.sea

    @property
    def reads_snow_line(self) -> bool:
        return self.glaciers and not self.snow_line

    def for_extent(self, size: float) -> Erosion:
        detail = self.resolution if self.scales else AUTOMATIC
        return dataclasses.replace(self, valley_spacing=self.unit(size), resolution=detail)

    def solving_bytes(self, size_x: float, size_y: float) -> int:
        cells = self.cells(max(size_x, size_y))
        around = 2 * PADDING / COARSEST
        share = min(size_x, size_y) / max(size_x, size_y)
        return round(CELL_BYTES * cells**2 * (1 + around) * (share + around))

    def solve(self, context: SolveContext) -> tuple[ErodedTerrain, RiverCourses | None]:
        inputs = self._inputs_of(context)
        if self.glaciers:
            inputs = (*inputs, "glaciers", *self.glacial_settings())
            terrain: ErodedTerrain = context.part(inputs, lambda: self._glaciated(context))
        else:
            terrain = self.eroded_terrain(context)

        cancelled, braids = context.cancelled, self.braids > 0 and not context.seamless

        def lines(surface: Drainage) -> list[RiverLine]:
            drawn = terrain.drainage.drawn
            found = rivers_of(surface, self, cancelled)
            if braids:
                found = _inside(found, context, surface.spacing)
            # Those that are drawn have beds already.
            return found if drawn is None else _apart_from(drawn, found)

        def courses() -> RiverCourses:
            # Rivers run over the lakes that fill the basins of glaciers, not through their sills.
            ground = terrain.drainage
            return RiverCourses.of(lines(ground.with_lakes(cancelled) if self.glaciers else ground))

        def beds() -> Beds:
            seed = context.seed + self.seed + BRAIDS_SEED
            full = terrain.drainage.with_lakes(cancelled, size=(context.size_x, context.size_y))
            # Gravel fills hollows behind fans, but not the basins of glaciers.
            ground = terrain.drainage if self.glaciers else full
            found, ground = braided(lines(full), ground, self.braids, seed, cancelled)
            return Beds(dataclasses.replace(terrain, drainage=ground), RiverCourses.of(found))

        if self.rivers <= 0:
            return terrain, None
        named = (*inputs, "beds", self.rivers, self.min_catchment_area, self.meanders)
        if not braids:
            return terrain, context.part(named, courses)
        made: Beds = context.part((*named, self.braids), beds)
        return made.terrain, made.courses

    def _glaciated(self, context: SolveContext) -> ErodedTerrain:
        """Return the eroded terrain after the glaciers."""
        terrain = self.eroded_terrain(context)
        line = SnowLine(self.snow_line, relative=False) if self.snow_line else context.snow_line
        size = context.size_x, context.size_y
        seed = context.seed + self.seed + BASINS_SEED
        return terrain.glaciated(self, line or SnowLine(), size, seed, context.cancelled)

    def eroded_terrain(self, context: SolveContext) -> ErodedTerrain:
        """Return what rivers have made of the whole terrain, without the beds of these."""
        seed = context.seed + self.seed

        def eroded() -> ErodedTerrain:
            if context.held is not None:
                settings: Erosion
                settings, there = context.held
                solved, before = settings.eroded_terrain(there), settings.stepped(there)
                if context.courses:
                    return solved.drawn_into(before, context.courses, seed, context.cancelled)
                terrain = dataclasses.replace(before.terrain, settings=self)
                if not context.held_below:
                    terrain = self.terrain(context)
                return solved.held(before, terrain, seed, context.cancelled)
            folder = context.unfinished(self.drainage_inputs)
            return ErodedTerrain.of(
                self.grids(context),
                self,
                sea=self.sea_level(context),
                courses=context.courses,
                seed=seed,
                progress=context.progress,
                cancelled=context.cancelled,
                saved=None if folder is None else SavedLevels(folder),
            )

        terrain: ErodedTerrain = context.part(self._inputs_of(context), eroded)
        return terrain

    def stepped(self, context: SolveContext) -> Stepped:
        """Return what is solved once for all terrains with the rivers of this one."""

        def stepped() -> Stepped:
            drainage, terrain = self.eroded_terrain(context).drainage, self.terrain(context)
            return Stepped.of(drainage, terrain, context.seed + self.seed, context.cancelled)

        known: Stepped = context.part((*self.drainage_inputs, "stepped"), stepped)
        return known

    def _inputs_of(self, context: SolveContext) -> Inputs:
        """Return the settings that the drainage depends on, with those that its rivers do."""
        held = () if context.held is None else context.held[0].drainage_inputs
        return (*self.drainage_inputs, *held)

    @property
    def drainage_inputs(self) -> tuple[str | float | bool, ...]:
        """Settings that the drainage depends on."""
        return (
            "drainage",
            *self.river_settings(),
            self.sea,
            self.hardness_map,
            self.rain_map,
            self.seed,
        )

    def apply(self, context: LayerContext) -> Floats:
        solved: tuple[ErodedTerrain, RiverCourses | None] = context.solved
        terrain, courses = solved
        x, y = context.grid.x, context.grid.y
        terrain = terrain.around(x, y, self)
        drainage = terrain.drainage
        spacing = context.grid.dx, context.grid.dy
        if context.needs("erosion_depth"):
            context.produced["erosion_depth"] = fields.erosion_depth(
                drainage, terrain.before, x, y, context.cancelled
            )
        forms = None
        if self.type == KEEP:
            forms = fields.finer_forms(
                drainage,
                terrain.before,
                context.heights_below(context.grid),
                x,
                y,
                context.cancelled,
                buried=self.fan_slope > 0,
            )
        seed = context.seed + self.seed
        rock = None
        if self.bed_contrast > 0 or context.needs("hardness"):
            rock = _rock.hardness(context, self, self.hardness_map, seed, context.grid)
        if context.needs("hardness"):
            context.produced["hardness"] = _rock.on_scale(rock, context.grid, context.cancelled)
        height = sample_surface(
            drainage,
            x,
            y,
            self,
            rivers=() if courses is None else courses.near(x, y, spacing),
            forms=forms,
            rough=self._roughness(context, drainage.unit, seed),
            hardness=rock if self.bed_contrast > 0 else None,
            spacing=spacing,
            seed=seed,
            threads=default_threads(),
            progress=context.progress,
            cancelled=context.cancelled,
        )
        if drainage.drawn is not None:
            height = drainage.drawn.cut_into(height, context.grid, cancelled=context.cancelled)
        if context.needs("flow", "deposition"):
            context.produced.update(
                fields.flow_and_deposition(drainage, x, y, terrain.largest_flow, context.cancelled)
            )
        return height

    def sea_level(self, context: SolveContext) -> float | None:
        """Return the height of the sea, None without one."""
        return context.water_level if self.sea else None

    def terrain(self, context: SolveContext) -> Terrain:
        """Return what is eroded."""
        return Terrain(self.grids(context), self, self.sea_level(context))

    def _roughness(self, context: LayerContext, unit: float, seed: int) -> Floats:
        """Return the ridges of the rock on the context's grid, which most sliders do not change."""
        grid, threads = context.grid, default_threads()

        def made() -> Floats:
            spacing = max(grid.dx, grid.dy)
            return roughness(
                unit,
                grid.x,
                grid.y,
                spacing,
                self,
                seed,
                threads,
                context.cancelled,
                period=context.period,
            )

        inputs = "roughness", grid, unit, self.rock_roughness, seed
        return context.kept((*inputs, context.period) if context.seamless else inputs, made)

    def grids(self, context: SolveContext) -> Grids:
        """Return the input of the erosion: terrain below, rock and rain."""
        count = OVERSAMPLING * self.cells(_extent(context))
        grid = Grid.cells(context.size_x, context.size_y, count)
        if context.seamless:
            grid = _whole_cells(context, count)
        spacing = grid.dy if grid.ny > grid.nx else grid.dx
        if grid.nx * grid.ny <= WHOLE_GRID:
            terrain, hardness, rain = self._inputs(context, grid)
        else:
            rows = max(STRIP // grid.nx // OVERSAMPLING, 1) * OVERSAMPLING
            windows = (
                grid.window(0, part.start, grid.nx, part.stop - part.start)
                for part in parts(grid.ny, rows)
            )
            strips = [
                [_means(field, context.cancelled) for field in self._inputs(context, window)]
                for window in windows
            ]
            terrain, hardness, rain = (
                _joined(field, context.cancelled) for field in zip(*strips, strict=True)
            )
            spacing *= OVERSAMPLING
        assert terrain is not None
        return Grids.of(
            terrain,
            spacing,
            self,
            hardness=hardness,
            rain=rain,
            period=context.period,
            cancelled=context.cancelled,
        )

    def _inputs(
        self, context: SolveContext, grid: Grid
    ) -> tuple[Floats, Floats | None, Floats | None]:
        """Return the heights of the terrain below, hardness of the rock and rain at the points of a
        grid."""
        seed = context.seed + self.seed
        return (
            context.heights_below(grid),
            _rock.hardness(context, self, self.hardness_map, seed, grid),
            _rock.rain(context, self, self.rain_map, seed, grid),
        )


def _whole_cells(context: SolveContext, count: int) -> Grid:
    """Return the centers of cells that fit a terrain a whole number of times each way, ``count``
    along its longer side; a first grid of the erosion has 64 of them there."""
    sides = context.size_x, context.size_y
    nx, ny = (max(round(COARSEST * side / max(sides)), 1) * (count // COARSEST) for side in sides)
    return Grid.pixels(*sides, nx, ny)


def _means(field: Floats | None, cancelled: Cancel) -> Floats | None:
    """Return a field in cells of the drainage grid."""
    if field is None:
        return None
    rows, columns = (
        np.arange(0, count + OVERSAMPLING, OVERSAMPLING, dtype=np.float64) for count in field.shape
    )
    return area_means(field, rows, columns, cancelled)


def _apart_from(drawn: DrawnRivers, rivers: Sequence[RiverLine]) -> list[RiverLine]:
    """Return the parts of rivers that do not run along the drawn ones."""
    if not rivers:
        return []
    x, y = (np.concatenate([getattr(one, axis) for one in rivers]) for axis in ("x", "y"))
    ends = np.cumsum([one.x.size for one in rivers])[:-1]
    apart = np.split(drawn.apart(x, y), ends)
    pairs = zip(rivers, apart, strict=True)
    return [part for one, inside in pairs for part in one.parts(inside)]


def _inside(rivers: Sequence[RiverLine], context: SolveContext, spacing: float) -> list[RiverLine]:
    """Return the parts of rivers on the terrain, which run straight out over the border: beyond it
    the ground is a mirror image, and they would turn along it."""
    sides: Doubles = np.array([context.size_x / 2, context.size_y / 2])

    def out(part: RiverLine, end: int) -> Doubles:
        place: Doubles = np.array([part.x[end], part.y[end]])
        nearest = int(np.argmin(sides - np.abs(place)))
        place[nearest] = np.copysign(sides[nearest] + 2 * spacing, place[nearest])
        return place

    found: list[RiverLine] = []
    for river in rivers:
        inside = np.minimum(sides[0] - np.abs(river.x), sides[1] - np.abs(river.y)) > spacing
        for part in river.parts(inside):
            before, after = part.x[0] != river.x[0], part.x[-1] != river.x[-1]
            count = int(before), int(after)
            longer = RiverLine(*(np.pad(line, count, mode="edge") for line in part.fields))
            if before:
                longer.x[0], longer.y[0] = out(part, 0)
            if after:
                longer.x[-1], longer.y[-1] = out(part, -1)
            found.append(longer)
    return found


def _joined(strips: Sequence[Floats | None], cancelled: Cancel) -> Floats | None:
    """Return the strips of a field as one; None where there is none."""
    known = [strip for strip in strips if strip is not None]
    if not known:
        return None
    whole = np.empty((sum(map(len, known)), known[0].shape[1]), np.float32)
    start = 0
    for strip in known:
        poll(cancelled)
        whole[start : start + len(strip)] = strip
        start += len(strip)
    return whole


def _extent(context: SolveContext) -> float:
    """Return the longer side in meters."""
    return max(context.size_x, context.size_y)
