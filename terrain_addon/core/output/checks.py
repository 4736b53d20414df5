# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks of finished heights: pits, rivers that run uphill, and what roads took."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ..earthworks import HIGH, Bridges, Courses
from ..erosion.rivers.drawn.course import Course
from ..evaluation.cache import Cache
from ..evaluation.stack import evaluate
from ..hydrology import find_pits
from ..layers.shape.road import Road
from ..numerics.arrays import Bools, Doubles, Floats
from ..numerics.grid import Grid
from ..numerics.progress import Cancel, poll
from ..numerics.resample import bilinear_exact
from ..recipe.recipe import Layer, Recipe
from ..shapes import Shape, crossings
from .bridge_meshes import roads_of
from .water_meshes import found_rivers

MOST = 1025
"""Samples along the longer side of the grid on which volumes and crossings are found."""
LEVEL = 0.01
"""Meters by which a river may rise from step to step: rounding, not water that runs uphill."""


@dataclass(frozen=True)
class Check:
    """One number that was measured in finished heights.

    Attributes
    ----------
    subject : "Terrain", or the name of a layer
    key : what was measured, such as "pits"
    label : the same in words
    value : the number
    unit : its unit, "" for a count
    """

    subject: str
    key: str
    label: str
    value: float
    unit: str = ""

    @property
    def number(self) -> str:
        """The value with its unit.

        >>> Check("Road", "cut", "Cut", 12345.6, "m³").number
        '12,346 m³'
        """
        digits = {"": 0, "m³": 0, "%": 1}.get(self.unit, 2)
        return f"{self.value:,.{digits}f} {self.unit}".rstrip()

    @property
    def text(self) -> str:
        """The check in a line."""
        return f"{self.subject}: {self.label[0].lower()}{self.label[1:]} {self.number}"


def check(
    recipe: Recipe,
    height: Floats,
    grid: Grid,
    *,
    cache: Cache | None = None,
    cancelled: Cancel | None = None,
) -> tuple[Check, ...]:
    """Measure what may be wrong with finished heights, and what roads take.

    For the terrain: pits, which are samples lower than their eight neighbors. For each layer that
    draws rivers: steps uphill along them, in the heights of the samples around, above the sea. For
    each road: its steepest gradient along the center line, the volumes of cut and fill, and its
    crossings of rivers, which are bridges from 3 m above the bed and culverts below.

    Parameters
    ----------
    recipe : the terrain, with its shapes
    height : (ny, nx) float32 meters, the finished heights
    grid : where they are
    cache : may know the solution of the terrain, which each road needs
    cancelled : polled every few milliseconds

    Returns
    -------
    tuple of Check : those of the terrain first, then by layer

    Raises
    ------
    ValueError : heights of another shape than the grid
    Cancelled

    Examples
    --------
    >>> from terrain_addon.core import evaluate, presets
    >>> recipe = presets.load("mesa")
    >>> terrain = evaluate(recipe, recipe.grid(65))
    >>> [one.key for one in check(recipe, terrain.height, terrain.grid)]
    ['pits']
    """
    if height.shape != grid.shape:
        raise ValueError(f"The heights have the shape {height.shape}, the grid {grid.shape}")
    cache = Cache() if cache is None else cache  # roads share the solution of what is below
    found = [Check("Terrain", "pits", "Pits", len(find_pits(height, 1, cancelled)))]
    shapes = {drawn.name: drawn for drawn in recipe.shapes}
    for place in sorted(recipe.active_places):
        poll(cancelled)
        layer = recipe.layers[place]
        courses = layer.settings.courses(shapes)
        if courses:
            found += _rivers(recipe, layer, courses, height, grid)
        elif isinstance(layer.settings, Road) and layer.settings.source in shapes:
            found += _road(recipe, place, shapes, height, grid, cache, cancelled)
    return tuple(found)


def _rivers(
    recipe: Recipe, layer: Layer, courses: Sequence[Course], height: Floats, grid: Grid
) -> Iterator[Check]:
    steps, rise = 0, 0.0
    for course in courses:
        line = course.dense(max(grid.dx, grid.dy)).line
        levels = _lowest_around(height, grid, line)
        if recipe.water.show:
            levels = np.maximum(levels, recipe.water.level)
        inside = _inside(line, grid)
        up = np.diff(levels)[inside[1:] & inside[:-1]]
        steps += int((up > LEVEL).sum())
        rise = max(rise, float(up.max(initial=0.0)))
    yield Check(layer.name, "uphill_steps", "Steps uphill", steps)
    yield Check(layer.name, "uphill_rise", "Largest step uphill", rise, "m")


def _inside(line: Doubles, grid: Grid) -> Bools:
    """Return whether each point (n, 2) of a line is on the grid."""
    x, y = line.T
    return (x >= grid.x[0]) & (x <= grid.x[-1]) & (y >= grid.y[0]) & (y <= grid.y[-1])


def _lowest_around(height: Floats, grid: Grid, line: Doubles) -> Doubles:
    """Return the lowest of the four samples around each point of a line; beyond the border, of
    those nearest."""
    i = np.clip(((line[:, 0] - grid.x[0]) / grid.dx).astype(np.intp), 0, grid.nx - 2)
    j = np.clip(((line[:, 1] - grid.y[0]) / grid.dy).astype(np.intp), 0, grid.ny - 2)
    corners = [height[j + row, i + column] for row in (0, 1) for column in (0, 1)]
    return np.min(corners, axis=0).astype(np.float64)


def _road(
    recipe: Recipe,
    place: int,
    shapes: Mapping[str, Shape],
    height: Floats,
    grid: Grid,
    cache: Cache,
    cancelled: Cancel | None,
) -> Iterator[Check]:
    layer = recipe.layers[place]
    road = layer.settings
    assert isinstance(road, Road)
    extent = recipe.size_x, recipe.size_y
    step = max(grid.dx, grid.dy)
    course = Courses.along(shapes[road.source], road.half, step, *extent, 0.0)
    course = course.at_level(_at(height, grid, course.x, course.y))
    laid = roads_of(recipe, cache, cancelled)[layer]
    deck = laid.carries(course.x, course.y, max(road.half, step))
    on_ground = ~(deck[course.first] | deck[np.minimum(course.first + 1, len(deck) - 1)])
    steepest = float(np.abs(course.gradients[on_ground]).max(initial=0.0))
    yield Check(layer.name, "gradient", "Steepest gradient", 100 * steepest, "%")
    coarse = recipe.grid(min(MOST, max(grid.nx, grid.ny)))
    before, after = (
        evaluate(
            dataclasses.replace(recipe, layers=recipe.layers[:end]),
            coarse,
            fields=(),
            cache=cache,
            cancelled=cancelled,
        ).height
        for end in (place, place + 1)
    )
    change = (after.astype(np.float64) - before) * (coarse.dx * coarse.dy)
    yield Check(layer.name, "cut", "Cut", float(-np.minimum(change, 0).sum()), "m³")
    yield Check(layer.name, "fill", "Fill", float(np.maximum(change, 0).sum()), "m³")
    clear = _clearances(recipe, course, before, after, coarse, 2 * road.half, laid, cancelled)
    large: list[bool] = [*laid.is_large.tolist(), *(clear >= HIGH).tolist()]
    yield Check(layer.name, "bridges", "Bridges over rivers", sum(large))
    yield Check(layer.name, "culverts", "Culverts of rivers", len(large) - sum(large))


def _at(height: Floats, grid: Grid, x: Doubles, y: Doubles) -> Doubles:
    return bilinear_exact(height, (y - grid.y[0]) / grid.dy, (x - grid.x[0]) / grid.dx)


def _clearances(
    recipe: Recipe,
    road: Courses,
    before: Floats,
    after: Floats,
    grid: Grid,
    apart: float,
    laid: Bridges,
    cancelled: Cancel | None,
) -> Doubles:
    """Return the meters from the bed up to the road where it crosses each river that it has no
    bridge over."""
    x, y = road.x, road.y
    lines = [np.stack([x[part], y[part]], axis=1) for part in _lines(road)]
    shapes = {drawn.name: drawn for drawn in recipe.shapes}
    rivers = [course.line for layer in recipe.active for course in layer.settings.courses(shapes)]
    if recipe.water.rivers:
        found = found_rivers(recipe, before, grid, cancelled=cancelled)
        rivers += [np.stack([one.x, one.y], axis=1) for one in found]
    places: list[Doubles] = []
    for river in rivers:
        for line in lines:
            poll(cancelled)
            for at in crossings(line, river).points:
                # A drawn river is found as well, and one that winds along a road is one.
                if all(math.dist(at, other) > apart for other in places):
                    places.append(at)
    at = np.array(places).reshape(-1, 2)
    at = at[_inside(at, grid) & ~laid.carries(*at.T, apart)]
    return _at(after, grid, *at.T) - _lowest_around(before, grid, at)


def _lines(road: Courses) -> Iterator[slice]:
    """Yield the points of each line."""
    ends = np.append(road.begins[1:], len(road.x))
    yield from map(slice, road.begins.tolist(), ends.tolist())


def report(found: Sequence[Check]) -> str:
    """Return checks as text, a line each."""
    return "\n".join(one.text for one in found)
