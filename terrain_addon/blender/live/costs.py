# SPDX-License-Identifier: GPL-3.0-or-later
"""Predicts the processor time of rebuilds from earlier ones, layer by layer.

A layer takes a fixed time, such as the solution of erosion's drainage, and a time in proportion to
the points of the mesh. Only processor time counts, so that a busy machine does not mislead.
"""

import math
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cache
from statistics import median

from ...core import FractalNoise, Grid, Layer, Recipe, evaluate
from ...core.analysis import FIELDS
from ...core.evaluation import LayerTimes, Solved
from ...core.recipe import SIMPLE
from .surface import Target

REST = -1
"""Stands for everything after the layers: slope, colors, writing the mesh."""
REFERENCE = 0.0035
"""Processor time, in seconds, of the noise of :func:`slowness` on the machine where the other
constants were measured."""
SLOW_PREVIEW = 0.15
"""Seconds above which a preview gets in the way. A slower machine allows more: without a preview,
nothing moves there at all."""
WRITING = 25e-9
"""Seconds that a preview takes per point of the mesh, beside its evaluation on a coarse grid."""
SOLVING = {"uplift": (0.03, 0.5e-6), "plateau": (0.1, 0.9e-6), "keep": (0.02, 0.5e-6)}
"""Seconds that the drainage of an erosion takes by its type, and those per cell of its grid."""
HOLDING = (0.015, 0.25e-6)
"""The same where it holds rivers."""
GLACIERS = (0.01, 0.4e-6)
"""The same of its glaciers, in addition."""
RETRY = 5.0
"""Seconds after which a slow preview is tried again: other settings may be faster to preview."""

COLORS, CLASSES = 13e-9, 25e-9
"""Seconds per point of the colors of a palette, and of the weights of its surface classes."""
NEAR, FAR = 1e-7, 5e-7
"""Maximum seconds per point of a mask to show: pointwise ones, and those of the whole terrain."""

Part = tuple[int, str]
"""The number of an active layer and its kind, or `REST`."""


@dataclass(frozen=True)
class Cost:
    """Seconds of an evaluation: a fixed part, and one per point."""

    fixed: float = 0.0
    per_point: float = 0.0

    def __add__(self, other: "Cost") -> "Cost":
        return Cost(self.fixed + other.fixed, self.per_point + other.per_point)

    def at(self, points: int) -> float:
        """Return the seconds for a number of points."""
        return self.fixed + self.per_point * points


def seconds_to_solve(layers: Iterable[Solved], size: float) -> float:
    """Estimate the seconds that the drainage of some layers takes on this machine.

    The longer side of the terrain has ``size`` meters.
    """
    seconds = 0.0
    for layer in layers:
        rivers = HOLDING if layer.held else SOLVING[layer.erosion.type]
        parts = [rivers] * layer.rivers + [GLACIERS] * layer.erosion.glaciers
        cells = layer.erosion.cells(size) ** 2
        seconds += sum(least + per_cell * cells for least, per_cell in parts)
    return slowness() * seconds


@cache
def slowness() -> float:
    """Return how much slower this machine computes noise than the one of the constants here."""
    recipe = Recipe(layers=(FractalNoise(),))
    watches: list[Stopwatch] = []
    for _ in range(5):
        watch = Stopwatch(recipe, recipe.grid(129))
        evaluate(recipe, watch.grid, fields=())
        watch.stop()
        watches.append(watch)
    return median(watch.total for watch in watches) / REFERENCE


def slow_preview() -> float:
    """Return the seconds above which a preview gets in the way on this machine."""
    return SLOW_PREVIEW * max(slowness(), 1.0)


class Stopwatch:
    """Measures the processor time of one evaluation, and of its layers as ``times``."""

    def __init__(self, recipe: Recipe, grid: Grid) -> None:
        self.recipe, self.grid, self.times = recipe, grid, LayerTimes()
        self.total = 0.0
        self._begun = time.thread_time()

    def stop(self) -> None:
        """End the measurement, in the thread that began it."""
        self.total = time.thread_time() - self._begun

    def costs(self, known: dict[Part, Cost]) -> dict[Part, Cost]:
        """Return the costs of the parts that were evaluated.

        The time per point is the least so far. Whatever an evaluation takes beyond it does not
        depend on the points, such as the solution of a drainage that was not cached.
        """
        points, times = self.grid.nx * self.grid.ny, self.times
        rest = self.total - sum(times.here.values()) - sum(times.elsewhere.values())
        here = {**times.here, REST: max(rest, 0.0)}
        found = {}
        for n in {*here, *times.elsewhere}:
            part = _part(list(self.recipe.active), n)
            seconds, fixed = here.get(n, 0.0), times.elsewhere.get(n, 0.0)
            per_point = min(known.get(part, Cost(0.0, math.inf)).per_point, seconds / points)
            found[part] = Cost(fixed + seconds - per_point * points, per_point)
        return found


@dataclass
class _Known:
    recipe: Recipe
    grid: Grid
    parts: dict[Part, Cost]


@dataclass
class Costs:
    """Costs of the rebuilds of each mesh, by session_uid."""

    clock: Callable[[], float] = time.monotonic
    _known: dict[int, _Known] = field(default_factory=dict)
    _slow: dict[int, list[float]] = field(default_factory=dict)
    """When previews were slow, since the last fast one."""

    def learn(self, mesh: int, watch: Stopwatch) -> None:
        """Record a measurement; layers whose results were cached keep their costs."""
        old = self._known.get(mesh)
        parts = dict(old.parts) if old else {}
        parts.update(watch.costs(parts))
        self._known[mesh] = _Known(watch.recipe, watch.grid, parts)

    def expected(self, mesh: int, recipe: Recipe, grid: Grid) -> Cost | None:
        """Estimate the cost of a rebuild with unchanged lower layers cached; None if unknown."""
        known = self._known.get(mesh)
        if known is None:
            return None
        layers, first = list(recipe.active), 0
        if known.grid == grid and _ground(known.recipe) == _ground(recipe):
            first = _common(recipe, known.recipe)
        cost = Cost()
        for n in (REST, *range(first, len(layers))):
            part = known.parts.get(_part(layers, n))
            # Erosion follows the lines of drawn rivers, and never evaluates them on a grid.
            if part is None and (n == REST or not layers[n].settings.draws_courses):
                return None
            cost += part or Cost()
        return cost

    def expected_to_color(self, mesh: int, target: Target, classes: bool) -> float:
        """Estimate the seconds to color existing heights, with the weights of surface ``classes``
        or without; infinite if unknown."""
        if target.shown is None:
            classes = classes and target.recipe.material != SIMPLE
            return slowness() * target.points * (COLORS + CLASSES * classes)
        about = FIELDS.get(target.shown.mask)
        if about and about.habitat:  # on a grid of its own
            return math.inf
        if about and about.make:
            return slowness() * target.points * (FAR if about.whole else NEAR)
        known = self.expected(mesh, target.recipe, target.grid)
        return math.inf if known is None else known.at(target.points)

    def learn_preview(self, mesh: int, seconds: float) -> None:
        """Record the processor time of a preview."""
        if seconds > slow_preview():
            self._slow.setdefault(mesh, []).append(self.clock())
        else:
            self._slow.pop(mesh, None)

    def allow_preview(self, mesh: int) -> bool:
        """Return whether one of the last two previews was fast enough, or they are long ago.

        The first one of a drag also evaluates the old recipe on the coarse grid.
        """
        slow = self._slow.get(mesh, [])
        return len(slow) < 2 or self.clock() - slow[-1] > RETRY

    def clear(self) -> None:
        """Forget everything."""
        self._known.clear()
        self._slow.clear()


def _ground(recipe: Recipe) -> tuple[object, ...]:
    """Return everything but the layers that their results depend on."""
    return recipe.seed, recipe.size_x, recipe.size_y, recipe.read_by_layers


def _common(recipe: Recipe, other: Recipe) -> int:
    """Count the equal layers from the first on, whose result is cached."""
    pairs = zip(_with_inputs(recipe), _with_inputs(other), strict=False)
    changed = (n for n, (one, two) in enumerate(pairs) if one != two)
    return next(changed, min(len(recipe.active), len(other.active)))


def _with_inputs(recipe: Recipe) -> list[tuple[object, ...]]:
    """Return the active layers with the maps and shapes that they name."""
    maps = {painted.name: painted for painted in recipe.maps}
    shapes = {shape.name: shape for shape in recipe.shapes}
    return [
        (layer, *map(maps.get, layer.map_names), *map(shapes.get, layer.shape_names))
        for layer in recipe.active
    ]


def _part(layers: list[Layer], n: int) -> Part:
    return n, "" if n == REST else layers[n].settings.key
