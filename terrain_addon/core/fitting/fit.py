# SPDX-License-Identifier: GPL-3.0-or-later
"""Find settings of a recipe whose terrain measures like a place."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from ..numerics.arrays import Doubles, Floats
from ..numerics.progress import Cancel
from ..recipe.recipe import Recipe
from .evaluating import Measurer, Task, measurer
from .evolution import Evolution, population
from .scaling import at_size, with_numbers, with_relief
from .target import FitTarget
from .variables import shares, variables, with_shares

BEST = 8
"""Recipes that are kept."""
APART = 0.04
"""Root mean square of the differences of two of the best, at least, as shares of the ranges."""
LAST_SHARE = 0.25
"""Largest share of the remaining time that the final checks may take."""
SCALINGS = 2
"""Times that the heights are multiplied before the search: slopes that slide follow in part."""


@dataclass(frozen=True)
class Seeds:
    """Seeds that terrains are measured with.

    Attributes
    ----------
    search : for each candidate
    check : further ones for the start and the best in the end, which settle their order
    """

    search: range
    check: range

    def terrains(self, size: int) -> int:
        """Return how many terrains a search with one generation of that size measures."""
        return len(self.search) * (1 + SCALINGS + 1 + size) + self.checks

    @property
    def checks(self) -> int:
        """Terrains that are measured in the end."""
        return len(self.check) * (1 + BEST)


FULL = Seeds(range(1, 4), range(4, 8))
SHORT = Seeds(range(1, 2), range(4, 5))
"""Where the time is too short for one generation with all seeds."""
SEEDS = len(FULL.search) + len(FULL.check)
"""Seeds that each of the best is measured with, where there is time."""


@dataclass(frozen=True)
class Fitted:
    """A recipe that was found.

    Attributes
    ----------
    recipe : of the size of the windows that were measured
    distance : mean distance of its fifteen measures of forms from those of the place, in widths of
        the ranges of real terrain
    """

    recipe: Recipe
    distance: float


@dataclass(frozen=True)
class Fit:
    """What a search has found so far.

    Attributes
    ----------
    start : the recipe as it was, scaled to the size of the place
    best : up to eight recipes that differ, the best first
    evaluations : number of terrains that were measured
    seeds : number of seeds with which each of the best was measured
    share : how much of the search is done, 0 to 1
    history : (evaluations, least distance) after each generation
    target : the measures of the place
    """

    start: Fitted
    best: tuple[Fitted, ...]
    evaluations: int
    seeds: int
    share: float
    history: tuple[tuple[int, float], ...]
    target: FitTarget


def fit(
    recipe: Recipe,
    height: Floats,
    spacing: float,
    *,
    seconds: float | None = 120.0,
    evaluations: int | None = None,
    seed: int = 0,
    workers: int = 1,
    progress: Callable[[Fit], object] | None = None,
    finish: Cancel | None = None,
    cancelled: Cancel | None = None,
) -> Fit:
    """Search for settings whose terrain comes nearest to a place, by the measures of realism.

    The recipe is scaled to windows of the place, of at most 384 x 384 samples, and its heights to
    their relief. Then an evolution strategy changes the numbers of its layers; see
    :func:`variables`. Seeds do not count: each candidate is measured with three, and the best with
    four more. Where the time is too short for one generation, one seed has to do, and one more.

    Parameters
    ----------
    recipe : where the search starts; what its layers are, and in what order, stays
    height : (H, W) float, meters, without voids, at least 64 x 64 samples
    spacing : meters between samples
    seconds : how long to search, at most: a terrain that is not measured by then is dropped; None
        for as many ``evaluations`` as given
    evaluations : terrains that are measured, about; with the same number and seed, the result is
        the same, whatever the number of workers
    seed : of the search
    workers : processes
    progress : called with what was found so far, first with the start, then after each generation
    finish : polled between generations; returning True ends the search with what was found
    cancelled : polled often; returning True raises Cancelled

    Returns
    -------
    Fit : the start, the best eight recipes, and what they were compared with

    Raises
    ------
    ValueError : nothing to search or to measure, neither seconds nor evaluations, or not one
        terrain was measured in the time
    Cancelled

    Examples
    --------
    >>> from terrain_addon.core import Layer, Recipe
    >>> from terrain_addon.core.layers import LAYERS
    >>> recipe = Recipe(layers=(Layer.of(LAYERS["diamond_square"]()),))
    >>> rings = np.cos(9 * np.hypot(*np.mgrid[-1:1:96j, -1:1:96j])).astype(np.float32)
    >>> found = fit(recipe, 100 * rings, 30.0, seconds=None, evaluations=40)
    >>> found.best[0].distance < found.start.distance
    True
    """
    if seconds is None and evaluations is None:
        raise ValueError("Say how many seconds to search, or how many evaluations")
    if workers < 1:
        raise ValueError(f"{workers} workers: at least 1 is needed")
    if recipe.map_names:
        raise ValueError("A recipe with painted maps cannot be fitted: remove them first")
    limit = _Limit(seconds, evaluations, time.monotonic())
    target = FitTarget.of(height, spacing, cancelled)
    if not variables(recipe):
        raise ValueError("The recipe has no active layer with settings to change")
    with measurer(workers) as measure:
        search = _Search(target, measure, workers, limit, progress, finish, cancelled)
        return search.run(recipe, seed)


@dataclass(frozen=True)
class _Limit:
    """When a search ends."""

    seconds: float | None
    evaluations: int | None
    start: float

    @property
    def deadline(self) -> float:
        """The time of ``time.monotonic`` at which the search ends, whatever is being measured."""
        return math.inf if self.seconds is None else self.start + self.seconds

    def share(self, evaluations: int, seconds: float) -> float:
        """Return the share of the limit that is used after a number of evaluations.

        The last of them take ``seconds`` from now. Above 1, they exceed the limit.
        """
        shares = [0.0]
        if self.evaluations is not None:
            shares.append(evaluations / self.evaluations)
        if self.seconds is not None:
            shares.append((time.monotonic() - self.start + seconds) / self.seconds)
        return max(shares)


@dataclass
class _Candidate:
    """Shares of a recipe's variables, and what was measured with each seed."""

    recipe: Recipe
    shares: Doubles
    values: list[Doubles]
    loss: float


@dataclass
class _Search:
    """A search, and what it has found."""

    target: FitTarget
    measure: Measurer
    workers: int
    limit: _Limit
    progress: Callable[[Fit], object] | None
    finish: Cancel | None
    cancelled: Cancel | None
    seeds: Seeds = FULL
    evaluations: int = 0
    spent: float = 0.0
    history: list[tuple[int, float]] = field(default_factory=list[tuple[int, float]])
    best: list[_Candidate] = field(default_factory=list[_Candidate])

    def run(self, recipe: Recipe, seed: int) -> Fit:
        """Search from a recipe."""
        preset = at_size(recipe, self.target.side)
        values = self._measured_first(preset)
        first = self._with_relief(with_numbers(preset, self.target.relief))
        found = variables(first)
        drawn = np.array([shares(one, found) for one in (preset, first)])
        start = _Candidate(preset, drawn[0], values, self.target.loss(values))
        self.best = [start]
        self._keep(self._candidates([first], drawn[1:]))
        self._report(start)
        search = Evolution(drawn[1], seed)
        while not self._ends(search.size):
            drawn = search.ask()
            recipes = [with_shares(first, found, one) for one in drawn]
            candidates = self._candidates(recipes, drawn)
            self._keep(candidates)
            self.history.append((self.evaluations, self.target.distance(self.best[0].values)))
            self._report(start)
            if len(candidates) < search.size:
                break
            search.tell(drawn, np.array([candidate.loss for candidate in candidates]))
        self._check(start)
        return self._result(start, 1.0)

    def _measured(self, tasks: Sequence[Task], until: float) -> list[Doubles | None]:
        """Measure recipes with seeds; None for those that are not ready by then."""
        measurements = self.measure(tasks, self.target.grid, until, self.cancelled)
        ready = [measurement for measurement in measurements if measurement is not None]
        self.evaluations += len(ready)
        self.spent += sum(one.seconds for one in ready)
        return [None if measurement is None else measurement.values for measurement in measurements]

    def _seconds(self, terrains: int) -> float:
        """Return about how long it takes to measure so many terrains."""
        return terrains * self.spent / max(self.evaluations, 1) / self.workers

    def _measured_first(self, recipe: Recipe) -> list[Doubles]:
        """Measure the start, and choose the seeds by the time that it takes."""
        values = self._measured([(recipe, seed) for seed in FULL.search], self.limit.deadline)
        needed = FULL.terrains(population(len(variables(recipe)))) - self.evaluations
        if time.monotonic() + self._seconds(needed) > self.limit.deadline:
            self.seeds = SHORT
        ready = [value for value in values[: len(self.seeds.search)] if value is not None]
        if not ready:
            raise ValueError("The time was too short to measure one terrain: search longer")
        return ready

    def _with_relief(self, recipe: Recipe) -> Recipe:
        """Return the recipe with about the relief of the target."""
        for _ in range(SCALINGS):
            for values in self._all_seeds([recipe]).values():
                relief = float(np.array(values)[:, -1].mean())
                recipe = with_relief(recipe, relief, self.target.relief)
        return recipe

    def _candidates(self, recipes: Sequence[Recipe], drawn: Doubles) -> list[_Candidate]:
        """Measure recipes; without those for which there is no time before the last checks."""
        return [
            _Candidate(recipes[k], drawn[k], values, self.target.loss(values))
            for k, values in self._all_seeds(recipes).items()
        ]

    def _all_seeds(self, recipes: Sequence[Recipe]) -> dict[int, list[Doubles]]:
        """Return what each recipe measures with each seed, by number; without those that are not
        ready when the last checks have to begin."""
        seeds = self.seeds.search
        end = self.limit.deadline
        checks = min(self._seconds(self.seeds.checks), LAST_SHARE * (end - time.monotonic()))
        until = end - checks
        values = self._measured([(recipe, seed) for recipe in recipes for seed in seeds], until)
        of_recipes = (values[k : k + len(seeds)] for k in range(0, len(values), len(seeds)))
        return {
            k: ready
            for k, each in enumerate(of_recipes)
            if len(ready := [one for one in each if one is not None]) == len(seeds)
        }

    def _keep(self, candidates: Sequence[_Candidate]) -> None:
        """Keep the best that differ."""
        kept: list[_Candidate] = []
        for one in sorted([*self.best, *candidates], key=lambda one: one.loss):
            if all(_apart(one, other) >= APART for other in kept):
                kept.append(one)
        self.best = kept[:BEST]

    def _check(self, start: _Candidate) -> None:
        """Measure the best and the start with further seeds, and settle their order.

        A seed with which not all of them were measured in time does not count.
        """
        checked = [start, *(one for one in self.best if one is not start)]
        tasks = [(one.recipe, seed) for seed in self.seeds.check for one in checked]
        values = self._measured(tasks, self.limit.deadline)
        for k in range(0, len(values), len(checked)):
            ready = [value for value in values[k : k + len(checked)] if value is not None]
            if len(ready) == len(checked):
                for one, more in zip(checked, ready, strict=True):
                    one.values = [*one.values, more]
        for one in checked:
            one.loss = self.target.loss(one.values)
        self.best.sort(key=lambda one: one.loss)

    def _report(self, start: _Candidate) -> None:
        if self.progress is not None:
            self.progress(self._result(start, self._share(self.seeds.checks)))

    def _share(self, more: int) -> float:
        """Return the share of the search that has passed after so many further evaluations."""
        return self.limit.share(self.evaluations + more, self._seconds(more))

    def _ends(self, size: int) -> bool:
        """Return True if too little time is left for a generation, or the user ends the search."""
        if self.finish is not None and self.finish():
            return True
        more = size * len(self.seeds.search) + self.seeds.checks
        return len(self.history) > 0 and self._share(more) > 1

    def _result(self, start: _Candidate, share: float) -> Fit:
        return Fit(
            self._fitted(start),
            tuple(map(self._fitted, self.best)),
            self.evaluations,
            len(self.best[0].values),
            min(share, 1.0),
            tuple(self.history),
            self.target,
        )

    def _fitted(self, one: _Candidate) -> Fitted:
        return Fitted(one.recipe, self.target.distance(one.values))


def _apart(one: _Candidate, other: _Candidate) -> float:
    return math.sqrt(float(np.square(one.shares - other.shares).mean()))
