# SPDX-License-Identifier: GPL-3.0-or-later
"""Meshes of the rivers and lakes of a terrain."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from .. import hydrology as hy
from ..erosion.rivers.drawn.course import Course
from ..erosion.rivers.settings import VALLEYS
from ..numerics.arrays import Bools, Doubles, Floats, Indices, small_ufunc_buffer
from ..numerics.blocks import pieces, row_bands
from ..numerics.grid import Grid
from ..numerics.progress import Cancel, Progress, no_progress, poll, within
from ..numerics.resample import bilinear_exact, triangular
from ..recipe.recipe import Recipe, Water
from ..shapes import Segments, nearest_at
from .braided_water import Sheet, sheet

Faces = NDArray[np.int32]
DEPTH = 0.02
"""Least height of the water above the ground, relative to a river's width."""

DEEPEST = 0.5
"""Largest height of the water above the valley bottom, relative to the river's first width."""

DAM = 0.1
"""Largest height, relative to a river's width, of the ground above it between the cells of its
course: higher folds would dam the river, so it passes below them."""

SHORTEST = 0.1
"""Least distance of two points in steps of the course: closer points would show as creases."""

HYDRAULIC = 0.12, 0.8
"""Depth of a river in meters: the first times the width to the power of the second. Widths grow
with discharge to the power of 0.5 and depths with 0.4 (Leopold and Maddock, 1953)."""

SNAP = 2.0
"""Samples from the line of a drawn river within which water follows it."""

ON_BORDER = 1e-3
"""Distance from the border, in cells, within which a mouth lies on it."""

SQUARE = 1.02
"""Cells with sides in a ratio below this count as square."""


@dataclasses.dataclass(frozen=True)
class WaterMesh:
    """A water surface.

    Attributes
    ----------
    points : (n, 3) float32 in meters
    faces : (m, 4) int32 quads
    values : (n,) float32 values of the points by name
    """

    points: Floats
    faces: Faces
    values: Mapping[str, Floats]


@dataclasses.dataclass(frozen=True)
class InlandWater:
    """Rivers and lakes of a terrain.

    Attributes
    ----------
    rivers : ribbons with the values "width" (m), "flow" (catchment area, m²) and "depth" (m), which
        is usual for the width in the middle and zero at the banks; level sheets in the belts of
        braided rivers, which show in all their arms
    lakes : level planes with the value "depth" (m)
    bridges : what carries roads over drawn rivers; see `.bridge_mesh`
    """

    rivers: WaterMesh
    lakes: WaterMesh
    bridges: WaterMesh | None = None


@small_ufunc_buffer()
def inland_water(
    recipe: Recipe,
    height: Floats,
    grid: Grid,
    *,
    progress: Progress | None = None,
    cancelled: Cancel | None = None,
) -> InlandWater:
    """Return the meshes of the rivers and lakes that a recipe shows; those switched off are empty.

    Rivers end in lakes, in the sea if it is shown, or at the border. Hollows along a river that
    are deep enough for a lake become lakes however small. While lakes are off, rivers end in
    hollows deeper than both a lake's least depth and ``DEEPEST``, and in all that would be lakes:
    no river crosses them in the air.

    Parameters
    ----------
    recipe : its water settings are used
    height : (ny, nx) float32 in meters on the points of ``grid``
    progress, cancelled : called with the share done; polled every few milliseconds

    Raises
    ------
    ValueError : heights that are not finite, or do not have the shape of the grid
    Cancelled : ``cancelled`` returned true

    Examples
    --------
    >>> from terrain_addon.core import Recipe, Water, evaluate, presets
    >>> recipe = presets.load("alps")
    >>> terrain = evaluate(recipe, recipe.grid(65))
    >>> water = inland_water(Recipe(water=Water(lakes=True)), terrain.height, terrain.grid)
    >>> water.rivers.faces.shape, water.lakes.points.shape[1]
    ((0, 4), 3)
    """
    if height.shape != grid.shape:
        raise ValueError(f"The heights have the shape {height.shape}, the grid {grid.shape}")
    water = recipe.water
    if not water.inland or min(height.shape) < 3:
        return InlandWater(_ribbons([], height, grid, None), _planes(None, grid, cancelled))
    report = progress or no_progress
    terrain, cells = _on_squares(height, grid)
    found = _surface_water(recipe, terrain, cells, within(progress, 0.0, 0.8), cancelled)
    rivers = _overland(found, cells, water, cancelled) if water.rivers else []
    braids = sheet(recipe, rivers, terrain, cells, cancelled)
    lakes = found.lakes if water.lakes else None
    ribbons = _ribbons(_beside(braids, rivers, cells), height, grid, cancelled)
    ribbons = _with_sheet(ribbons, braids, cells)
    report(0.9)
    poll(cancelled)
    made = InlandWater(ribbons, _planes(lakes, cells, cancelled))
    report(1.0)
    return made


def found_rivers(
    recipe: Recipe, height: Floats, grid: Grid, *, cancelled: Cancel | None = None
) -> list[hy.RiverLine]:
    """Return the rivers of heights, as a recipe's water settings find them, without lakes."""
    if min(height.shape) < 3:
        return []
    return _surface_water(recipe, *_on_squares(height, grid), None, cancelled).rivers


def _surface_water(
    recipe: Recipe,
    terrain: Floats,
    cells: Grid,
    progress: Progress | None,
    cancelled: Cancel | None,
) -> hy.SurfaceWater:
    """Return the rivers and lakes of heights on squares; drawn rivers are on their lines."""
    water, side = recipe.water, max(recipe.size_x, recipe.size_y)
    min_area = (water.min_catchment_area * side) ** 2
    shapes = {drawn.name: drawn for drawn in recipe.shapes}
    courses = [course for layer in recipe.active for course in layer.settings.courses(shapes)]
    found = hy.surface_water(
        terrain,
        cells.x,
        cells.y,
        min_area=min_area,
        sea=water.level if water.show else None,
        width=water.river_width,
        lake_depth=water.min_lake_depth,
        lake_area=(water.min_lake_size * side) ** 2,
        unbroken=water.rivers and water.lakes,
        springs=_springs(courses, cells, side / VALLEYS, min_area),
        progress=progress,
        cancelled=cancelled,
    )
    poll(cancelled)
    return dataclasses.replace(found, rivers=_on_lines(found.rivers, courses, cells))


def _springs(
    courses: Sequence[Course], grid: Grid, unit: float, least: float
) -> list[tuple[float, float, float]]:
    """Return sources of drawn rivers, with so much water that each is found."""
    low, high = ([axis[min(k, axis.size - 1)] for axis in (grid.x, grid.y)] for k in (1, -2))
    found: list[tuple[float, float, float]] = []
    for course in courses:
        inside = ((course.line > low) & (course.line < high)).all(axis=1)
        if inside.any():
            x, y = course.line[inside.argmax()].tolist()
            found.append((x, y, max(course.form.inflow * unit * unit, 1.01 * least)))
    return found


def _on_lines(
    rivers: list[hy.RiverLine], courses: Sequence[Course], grid: Grid
) -> list[hy.RiverLine]:
    """Return rivers, moved by a few samples to the lines of drawn rivers that they follow."""
    if not rivers or not courses:
        return rivers
    every = _Rivers.of(rivers)
    x, y = every.line.x, every.line.y
    reach = SNAP * max(grid.dx, grid.dy)
    old_x, old_y = x, y
    for course in courses:
        line = Segments.of(course.line, np.zeros(1, np.intp), np.zeros(1, bool))
        near = nearest_at(line, old_x, old_y, reach)
        k = np.maximum(near.segment, 0)
        at = line.start[k] + near.along[:, None] * line.tangent[k]
        x, y = (np.where(near.segment >= 0, to, old) for to, old in zip(at.T, (x, y), strict=True))
    return [
        dataclasses.replace(river, x=x[part], y=y[part])
        for river, part in zip(rivers, every.parts, strict=True)
    ]


def _on_squares(height: Floats, grid: Grid) -> tuple[Floats, Grid]:
    """Return the surface on square cells over the same extent; unchanged if its cells are square.

    On other cells, steps from cell to cell would have wrong slopes. The squares are as narrow as
    the cells, but at most four times as many: wider ones make more hollows.
    """
    if max(grid.dx, grid.dy) < SQUARE * min(grid.dx, grid.dy):
        return height, grid
    size_x, size_y = grid.dx * (grid.nx - 1), grid.dy * (grid.ny - 1)
    side = max(min(grid.dx, grid.dy), math.sqrt(grid.dx * grid.dy) / 2)
    # A very narrow terrain still gets three rows or columns.
    side = max(side, 3 * max(size_x, size_y) / (4 * grid.nx * grid.ny))
    nx, ny = (max(round(size / side) + 1, 3) for size in (size_x, size_y))
    x0, y0 = float(grid.x[0]), float(grid.y[0])
    cells = Grid(nx, ny, x0, y0, size_x / (nx - 1), size_y / (ny - 1))
    rows, columns = (cells.y[:, None] - grid.y[0]) / grid.dy, (cells.x - grid.x[0]) / grid.dx
    return bilinear_exact(height, rows, columns).astype(np.float32), cells


def _overland(
    found: hy.SurfaceWater, grid: Grid, water: Water, cancelled: Cancel | None
) -> list[hy.RiverLine]:
    """Return the parts of rivers between hollows. Where lakes are shown, each part extends into
    them until they are wider than the river, and one point more."""
    parts: list[hy.RiverLine] = []
    for river in found.rivers:
        poll(cancelled)
        j, i = _cells(river.x, river.y, grid)
        lake = found.lakes.label[j, i] > 0
        deepest = max(water.min_lake_depth, DEEPEST * river.width[0])
        dry = ~lake & (found.standing[j, i] <= deepest)
        if water.lakes:
            if lake.any():
                # Lakes end in tips narrower than the river, whose end would stick out.
                one = _Rivers.of([river])
                sides = _sides(one, grid, _mouths_at_border(one, grid))
                left, right = (_cells(x, y, grid) for x, y in sides)
                wide = (found.lakes.label[left] > 0) & (found.lakes.label[right] > 0)
                dry = _touching(dry, dry | (lake & ~wide))
            beside = dry.copy()
            beside[1:] |= dry[:-1]
            beside[:-1] |= dry[1:]
            dry |= beside & lake
        parts += river.parts(dry)
    return parts


def _cells(x: Doubles, y: Doubles, grid: Grid) -> tuple[Indices, Indices]:
    """Return the rows and columns of the grid points nearest to positions."""
    i = np.clip(np.rint((x - grid.x[0]) / grid.dx).astype(np.intp), 0, grid.nx - 1)
    j = np.clip(np.rint((y - grid.y[0]) / grid.dy).astype(np.intp), 0, grid.ny - 1)
    return j, i


def _touching(seeds: Bools, inside: Bools) -> Bools:
    """Return the runs of ``inside`` that contain a seed."""
    run = np.cumsum(np.diff(inside, prepend=False))
    return inside & (np.bincount(run, weights=seeds) > 0)[run]


@dataclasses.dataclass(frozen=True)
class _Rivers:
    """Rivers, one after another: what is done to all points at once takes a fraction of the time.

    Attributes
    ----------
    fields : (6, n) float64, those of `RiverLine`
    first : (rivers,) the first point of each
    last : (rivers,) the last point of each
    """

    fields: Doubles
    first: Indices
    last: Indices

    @classmethod
    def of(cls, rivers: Sequence[hy.RiverLine]) -> _Rivers:
        """Return rivers as one."""
        ends = np.cumsum([river.x.size for river in rivers], dtype=np.intp)
        fields = np.concatenate([np.stack(river.fields) for river in rivers], axis=1)
        return cls(fields, np.append(np.intp(0), ends[:-1]), ends - 1)

    @property
    def line(self) -> hy.RiverLine:
        """All rivers as if they were one line."""
        return hy.RiverLine(*self.fields)

    @property
    def parts(self) -> list[slice]:
        """The points of each river."""
        return [
            slice(a, b + 1) for a, b in zip(self.first.tolist(), self.last.tolist(), strict=True)
        ]


def _ribbons(
    rivers: list[hy.RiverLine], height: Floats, grid: Grid, cancelled: Cancel | None
) -> WaterMesh:
    """Return three points, left, middle and right, for each point of a river, and two quads to the
    next.

    The water level falls along the whole course and fills the valley up to the lower bank where it
    can; it stays back where the smoothed course crosses a spur, at most ``DEEPEST`` above the brim
    of what it crosses. Edges are lowered to the ground, and so are both ends except for a mouth at
    the border: the underside is never visible.
    """
    if not rivers:
        names = ("width", "flow", "depth")
        empty = {name: np.empty(0, np.float32) for name in names}
        return WaterMesh(np.empty((0, 3), np.float32), np.empty((0, 4), np.int32), empty)
    poll(cancelled)
    every = _at_edges(_Rivers.of(rivers), height, grid)
    poll(cancelled)
    line, at_border = every.line, _mouths_at_border(every, grid)
    left, right = _sides(every, grid, at_border)
    banks = _ground(height, grid, *left), _ground(height, grid, *right)
    bed = _ground(height, grid, line.x, line.y)
    lowest_bank = np.minimum(*banks)
    level = np.empty_like(bed)
    for part in every.parts:
        poll(cancelled)
        level[part] = _levels(line, bed, lowest_bank, part)
    edges = np.minimum(level, banks)
    middle = _lowered_ends(level, bed, every, np.logical_or(*at_border))
    lines = (*left, edges[0]), (line.x, line.y, middle), (*right, edges[1])
    points = np.stack([np.stack(one, 1) for one in lines], 1).reshape(-1, 3)
    here = 3 * np.delete(np.arange(line.x.size), every.last)
    quad = np.stack([here, here + 1, here + 4, here + 3], 1)
    quads = np.stack([quad, quad + 1], 1).reshape(-1, 4)
    width = line.head * line.width
    depth = np.zeros((width.size, 3))
    depth[:, 1] = HYDRAULIC[0] * width ** HYDRAULIC[1]
    lists = np.repeat(width, 3), np.repeat(line.flow, 3), depth.ravel()
    named = zip(("width", "flow", "depth"), lists, strict=True)
    values = {name: numbers.astype(np.float32) for name, numbers in named}
    return WaterMesh(points.astype(np.float32), quads.astype(np.int32), values)


def _beside(braids: Sheet | None, rivers: list[hy.RiverLine], grid: Grid) -> list[hy.RiverLine]:
    """Return the parts of rivers outside of braids, and one point more."""
    if braids is None:
        return rivers
    parts: list[hy.RiverLine] = []
    for river in rivers:
        dry = ~braids.wets(*_cells(river.x, river.y, grid))
        beside = dry.copy()
        beside[1:] |= dry[:-1]
        beside[:-1] |= dry[1:]
        parts += river.parts(beside)
    return parts


def _with_sheet(ribbons: WaterMesh, braids: Sheet | None, grid: Grid) -> WaterMesh:
    """Return ribbons with the water of braids."""
    if braids is None:
        return ribbons
    points = np.stack([grid.x[braids.column], grid.y[braids.row], braids.level], axis=1)
    values = {
        name: np.append(ribbons.values[name], getattr(braids, name).astype(np.float32))
        for name in ribbons.values
    }
    return WaterMesh(
        np.concatenate([ribbons.points, points.astype(np.float32)]),
        np.concatenate([ribbons.faces, (len(ribbons.points) + braids.quads).astype(np.int32)]),
        values,
    )


def _levels(line: hy.RiverLine, bed: Doubles, bank: Doubles, part: slice) -> Doubles:
    """Return the water level in the middle of one river, from the heights of its bed and of its
    lower bank."""
    z, width = line.z[part], float(line.width[part.start])
    over = np.maximum.accumulate(np.maximum(z, bed[part])[::-1])[::-1]
    level = np.minimum.accumulate(np.maximum(z, bank[part]))
    return np.minimum(np.maximum(over, level), z + DEEPEST * width) + DEPTH * width


def _lowered_ends(level: Doubles, bed: Doubles, rivers: _Rivers, at_border: Bools) -> Doubles:
    """Return water levels whose ends are no higher than the bed, except for mouths at the
    border."""
    made, longer = level.copy(), rivers.last - rivers.first > 1
    first, last = rivers.first[longer], rivers.last[longer & ~at_border]
    made[first] = np.maximum(level[first + 1], np.minimum(level[first], bed[first]))
    made[last] = np.minimum(level[last], bed[last])
    return made


def _at_edges(rivers: _Rivers, height: Floats, grid: Grid) -> _Rivers:
    """Return the same rivers with a point at each edge of the surface's triangles that they cross,
    where they are narrower than these: the ground between their points is then flat, and no fold
    hides them."""
    line = rivers.line
    column, row = (line.x - grid.x[0]) / grid.dx, (line.y - grid.y[0]) / grid.dy
    narrow = (line.head * line.width)[1:] < min(grid.dx, grid.dy)
    narrow[rivers.last[:-1]] = False  # from one river to the next
    if not narrow.any():
        return rivers
    old = np.arange(column.size, dtype=np.float64)
    places = [old]
    for across in (column, row, column - row):
        start, end = across[:-1], across[1:]
        first = np.ceil(np.minimum(start, end))
        count = np.floor(np.maximum(start, end)) - first + 1
        count = np.where(narrow & (start != end), count, 0).astype(np.intp)
        step = np.repeat(np.arange(count.size), count)
        nth = np.arange(step.size) - np.repeat(np.cumsum(count) - count, count)
        places.append(step + (first[step] + nth - start[step]) / (end - start)[step])
    place = np.sort(np.concatenate(places))
    place = np.union1d(old, place[np.abs(place - np.rint(place)) > SHORTEST])
    place = place[np.append(True, np.diff(place) > SHORTEST)]
    fine = hy.RiverLine(*(np.interp(place, old, values) for values in line.fields))
    dams = _ground(height, grid, fine.x, fine.y) > fine.z + DAM * fine.width
    kept = ~dams | np.isin(place, old)
    place = place[kept]
    return _Rivers(
        np.stack(fine.fields)[:, kept],
        np.searchsorted(place, rivers.first),
        np.searchsorted(place, rivers.last),
    )


def _sides(rivers: _Rivers, grid: Grid, at_border: Bools) -> tuple[list[Doubles], list[Doubles]]:
    """Return the x and y of the left and right edges of rivers, clipped to the terrain.

    A mouth at the border lies along it, also where the river meets it at an angle.
    """
    line = rivers.line
    along_x, along_y = (_gradient(values, rivers) for values in (line.x, line.y))
    half = line.head * line.width / 2 / np.maximum(np.hypot(along_x, along_y), 1e-12)
    left = [line.x - along_y * half, line.y + along_x * half]
    right = [line.x + along_y * half, line.y - along_x * half]
    for side in (left, right):
        for edge, middle, axis, ends in zip(
            side, (line.x, line.y), (grid.x, grid.y), at_border, strict=True
        ):
            np.clip(edge, axis[0], axis[-1], out=edge)
            edge[rivers.last[ends]] = middle[rivers.last[ends]]
    return left, right


def _gradient(values: Doubles, rivers: _Rivers) -> Doubles:
    """Return the change of values from point to point along each river, as `numpy.gradient`."""
    change: Doubles = np.gradient(values)
    change[rivers.first] = values[rivers.first + 1] - values[rivers.first]
    change[rivers.last] = values[rivers.last] - values[rivers.last - 1]
    return change


def _mouths_at_border(rivers: _Rivers, grid: Grid) -> Bools:
    """Return (2, rivers) whether each leaves the terrain at its left or right border, and at its
    front or back."""
    ends = zip(rivers.fields[:2, rivers.last], (grid.x, grid.y), (grid.dx, grid.dy), strict=True)
    return np.stack(
        [np.minimum(at - axis[0], axis[-1] - at) < ON_BORDER * step for at, axis, step in ends]
    )


def _ground(height: Floats, grid: Grid, x: Doubles, y: Doubles) -> Doubles:
    """Return the heights of the surface at any points."""
    return triangular(height, (y - grid.y[0]) / grid.dy, (x - grid.x[0]) / grid.dx)


def _planes(lakes: hy.Lakes | None, grid: Grid, cancelled: Cancel | None) -> WaterMesh:
    """Return all cells of the grid with a corner in a lake, at the level of that lake.

    The shore is where the plane meets the surface. A cell between two lakes belongs to the larger.
    """
    if lakes is None or not lakes.lakes:
        empty = np.empty((0, 3), np.float32)
        return WaterMesh(empty, np.empty((0, 4), np.int32), {"depth": np.empty(0, np.float32)})
    none = np.iinfo(np.int32).max
    quads: list[tuple[Indices, Indices]] = []  # keys of points, and their indices in the faces
    for rows in row_bands((grid.ny - 1, grid.nx), cancelled):
        label = lakes.label[rows.start : rows.stop + 1]
        label = np.where(label > 0, label, none)
        cells = np.minimum.reduce([label[:-1, :-1], label[:-1, 1:], label[1:, :-1], label[1:, 1:]])
        j, i = np.nonzero(cells < none)
        owner = cells[j, i].astype(np.int64)
        corner = (rows.start + j) * grid.nx + i
        corners = np.stack([corner, corner + 1, corner + grid.nx + 1, corner + grid.nx], 1)
        corners += owner[:, None] * (grid.nx * grid.ny)
        quads.append(np.unique(corners, return_inverse=True))
    keys = np.concatenate([part for part, _ in quads])
    keys.sort(kind="stable")  # the fastest sort for sorted runs
    poll(cancelled)
    keys = keys[np.append(True, np.diff(keys) > 0)]
    poll(cancelled)
    faces: Faces = np.empty((sum(places.size for _, places in quads) // 4, 4), np.int32)
    made = 0
    for part, places in quads:
        poll(cancelled)
        count = places.size // 4
        faces[made : made + count] = np.searchsorted(keys, part)[places].reshape(-1, 4)
        made += count
    level = np.array([lake.level for lake in lakes.lakes])
    points, depth = np.empty((keys.size, 3), np.float32), np.empty(keys.size, np.float32)
    for part in pieces(keys.size, cancelled):
        owner, place = np.divmod(keys[part], grid.nx * grid.ny)
        row, column = np.divmod(place, grid.nx)
        points[part] = np.stack([grid.x[column], grid.y[row], level[owner - 1]], 1)
        depth[part] = lakes.depth.reshape(-1)[place]
    return WaterMesh(points, faces, {"depth": depth})
