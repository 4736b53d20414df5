# SPDX-License-Identifier: GPL-3.0-or-later
"""Estimates the duration of a rebuild from earlier ones, layer by layer."""

import time
from dataclasses import dataclass, field

from ...core import Grid, Layer, Recipe

REST = -1
"""Stands for everything after the layers: slope, colors, writing the mesh."""


@dataclass(frozen=True)
class Conditions:
    """Everything but the layers that their results depend on."""

    seed: int
    size: tuple[float, float]
    water: float
    grid: Grid

    @classmethod
    def of(cls, recipe: Recipe, grid: Grid) -> "Conditions":
        size = (recipe.size_x, recipe.size_y)
        return cls(recipe.seed, size, recipe.water.level, grid)


class Stopwatch:
    """Measures the layers of one evaluation; give it as its ``progress``."""

    def __init__(self, recipe: Recipe, grid: Grid) -> None:
        self.conditions = Conditions.of(recipe, grid)
        self.layers = list(recipe.active)
        self.seconds: dict[int, float] = {}
        self._at = REST
        self._since = time.perf_counter()

    def __call__(self, share: float, text: str) -> None:
        now = time.perf_counter()
        self.seconds[self._at] = self.seconds.get(self._at, 0.0) + now - self._since
        n = int(share * len(self.layers) + 1e-6)
        self._at = n if n < len(self.layers) else REST
        self._since = now

    def stop(self) -> None:
        """End the last part."""
        self(1.0, "")


@dataclass
class _Known:
    conditions: Conditions
    layers: list[Layer]
    per_point: dict[tuple[int, str], float]


@dataclass
class Costs:
    """Durations of the last rebuild of each mesh, by session_uid."""

    _known: dict[int, _Known] = field(default_factory=dict)
    _previews: dict[int, tuple[list[str], list[float]]] = field(default_factory=dict)

    def learn(self, mesh: int, watch: Stopwatch) -> None:
        """Record a measurement; layers taken from the cache keep their old values."""
        old = self._known.get(mesh)
        per_point = dict(old.per_point) if old else {}
        points = watch.conditions.grid.nx * watch.conditions.grid.ny
        for n, seconds in watch.seconds.items():
            per_point[n, _kind(watch.layers, n)] = seconds / points
        self._known[mesh] = _Known(watch.conditions, watch.layers, per_point)

    def expected(self, mesh: int, recipe: Recipe, grid: Grid) -> float | None:
        """Seconds for a rebuild if unchanged lower layers are cached; None if unknown."""
        known = self._known.get(mesh)
        if known is None:
            return None
        layers, first = list(recipe.active), 0
        if known.conditions == Conditions.of(recipe, grid):
            first = _common(layers, known.layers)
        parts = [REST, *range(first, len(layers))]
        costs = [known.per_point.get((n, _kind(layers, n))) for n in parts]
        if any(cost is None for cost in costs):
            return None
        return sum(cost for cost in costs if cost is not None) * grid.nx * grid.ny

    def guess(self, mesh: int, recipe: Recipe, grid: Grid, seconds: float) -> None:
        """Distribute the duration of a rebuild evenly over its layers."""
        layers = list(recipe.active)
        parts = [REST, *range(len(layers))]
        each = seconds / (grid.nx * grid.ny * len(parts))
        shares = {(n, _kind(layers, n)): each for n in parts}
        self._known[mesh] = _Known(Conditions.of(recipe, grid), layers, shares)

    def learn_preview(self, mesh: int, recipe: Recipe, seconds: float) -> None:
        """Record the duration of a preview."""
        kinds, last = self._previews.get(mesh, ([], []))
        known = last[-1:] if kinds == _kinds(recipe) else []
        self._previews[mesh] = (_kinds(recipe), [*known, seconds])

    def previews_within(self, mesh: int, recipe: Recipe, seconds: float) -> bool:
        """Whether the faster of the last two previews took at most ``seconds``.

        Some layers take as long on a coarse grid as on a fine one.
        """
        kinds, last = self._previews.get(mesh, ([], []))
        return kinds != _kinds(recipe) or len(last) < 2 or min(last) <= seconds

    def clear(self) -> None:
        """Forget everything."""
        self._known.clear()
        self._previews.clear()


def _common(layers: list[Layer], others: list[Layer]) -> int:
    """Number of equal layers from the first: the cache has their result."""
    pairs = zip(layers, others, strict=False)
    changed = (n for n, (one, other) in enumerate(pairs) if one != other)
    return next(changed, min(len(layers), len(others)))


def _kinds(recipe: Recipe) -> list[str]:
    return [layer.settings.key for layer in recipe.active]


def _kind(layers: list[Layer], n: int) -> str:
    return "" if n == REST else layers[n].settings.key
