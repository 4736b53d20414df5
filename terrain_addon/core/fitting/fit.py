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
from .evaluating import Measurer, measurer
from .evolution import Evolution
from .scaling import at_size, with_numbers, with_relief
from .target import FitTarget
from .variables import shares, variables, with_shares

BEST = 8
"""Recipes that are kept."""
SEEDS = 3
"""Seeds that each candidate is measured with."""
CHECKS = 4
"""Further seeds that the best are measured with in the end, which settles their order."""
APART = 0.04
"""Root mean square of the differences of two of the best, at least, as shares of the ranges."""
SCALINGS = 2
"""Times that the heights are multiplied before the search: slopes that slide follow in part."""
FIRST_SEEDS = range(1, 1 + SEEDS)
LAST_SEEDS = range(1 + SEEDS, 1 + SEEDS + CHECKS)


@dataclass(frozen=True)
class Fitted:
    """A recipe that was found.

    Attributes
    ----------
    recipe : of the size of the windows that were measured
    distance : mean distance of its fifteen measures from those of the place, in widths of the
        ranges of real terrain
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
    share : how much of the search is done, 0 to 1
    history : (evaluations, least distance) after each generation
    target : the measures of the place
    """

    start: Fitted
    best: tuple[Fitted, ...]
    evaluations: int
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
    four more.

    Parameters
    ----------
    recipe : where the search starts; what its layers are, and in what order, stays
    height : (H, W) float, meters, without voids, at least 64 x 64 samples
    spacing : meters between samples
    seconds : how long to search, about; None for as many ``evaluations`` as given
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
    ValueError : nothing to search or to measure, or neither seconds nor evaluations
    Cancelled

    Examples
    --------
    >>> from terrain_addon.core import presets
    >>> rings = np.cos(9 * np.hypot(*np.mgrid[-1:1:96j, -1:1:96j])).astype(np.float32)
    >>> found = fit(presets.load("plasma"), 100 * rings, 30.0, seconds=None, evaluations=40)
    >>> found.best[0].distance < found.start.distance
    True
    """
    if seconds is None and evaluations is None:
        raise ValueError("Say how many seconds to search, or how many evaluations")
    if workers < 1:
        raise ValueError(f"{workers} workers: at least 1 is needed")
    if recipe.map_names:
        raise ValueError("A recipe with painted maps cannot be fitted: remove them first")
    target = FitTarget.of(height, spacing, cancelled)
    found = variables(recipe)
    if not found:
        raise ValueError("The recipe has no active layer with settings to change")
    with measurer(workers) as measure:
        search = _Search(target, measure, _Limit(seconds, evaluations), progress, finish, cancelled)
        return search.run(recipe, seed)


@dataclass(frozen=True)
class _Limit:
    """When a search ends."""

    seconds: float | None
    evaluations: int | None
    start: float = field(default_factory=time.monotonic)

    def share(self, done: int, planned: int) -> float:
        """Return the share of the search that has passed after ``planned`` evaluations; beyond 1,
        the search is to end before them."""
        shares = [0.0]
        if self.evaluations is not None:
            shares.append(planned / self.evaluations)
        if self.seconds is not None:
            elapsed = time.monotonic() - self.start
            shares.append(elapsed * planned / max(done, 1) / self.seconds)
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
    limit: _Limit
    progress: Callable[[Fit], object] | None
    finish: Cancel | None
    cancelled: Cancel | None
    evaluations: int = 0
    history: list[tuple[int, float]] = field(default_factory=list[tuple[int, float]])
    best: list[_Candidate] = field(default_factory=list[_Candidate])

    def measured(self, recipes: Sequence[Recipe], seeds: range) -> list[list[Doubles]]:
        """Measure each recipe with each seed."""
        tasks = [(recipe, seed) for recipe in recipes for seed in seeds]
        values = self.measure(tasks, self.target.grid, self.cancelled)
        self.evaluations += len(tasks)
        return [values[k : k + len(seeds)] for k in range(0, len(values), len(seeds))]

    def run(self, recipe: Recipe, seed: int) -> Fit:
        """Search from a recipe."""
        preset = at_size(recipe, self.target.side)
        first = self._with_relief(with_numbers(preset, self.target.relief))
        found = variables(first)
        drawn = np.array([shares(one, found) for one in (preset, first)])
        self.best = self._candidates([preset, first], drawn)
        start = self.best[0]
        search = Evolution(drawn[1], seed)
        checks = CHECKS * (BEST + 1)
        self._report(start, checks)
        while not self._ends(search.size * SEEDS + checks):
            drawn = search.ask()
            recipes = [with_shares(first, found, one) for one in drawn]
            candidates = self._candidates(recipes, drawn)
            search.tell(drawn, np.array([one.loss for one in candidates]))
            self._keep(candidates)
            self.history.append((self.evaluations, self.target.distance(self.best[0].values)))
            self._report(start, checks)
        self._check(start)
        return self._result(start, 1.0)

    def _report(self, start: _Candidate, checks: int) -> None:
        if self.progress is not None:
            share = self.limit.share(self.evaluations, self.evaluations + checks)
            self.progress(self._result(start, share))

    def _ends(self, more: int) -> bool:
        """Whether there is no time for so many further evaluations, or the user has seen enough."""
        if self.finish is not None and self.finish():
            return True
        shares = self.limit.share(self.evaluations, self.evaluations + more)
        return len(self.history) > 0 and shares > 1

    def _with_relief(self, recipe: Recipe) -> Recipe:
        """Return the recipe with about the relief of the target."""
        for _ in range(SCALINGS):
            values = np.array(self.measured([recipe], FIRST_SEEDS)[0])
            recipe = with_relief(recipe, float(values[:, -1].mean()), self.target.relief)
        return recipe

    def _candidates(self, recipes: Sequence[Recipe], drawn: Doubles) -> list[_Candidate]:
        values = self.measured(recipes, FIRST_SEEDS)
        return [
            _Candidate(recipe, place, of_seeds, self.target.loss(of_seeds))
            for recipe, place, of_seeds in zip(recipes, drawn, values, strict=True)
        ]

    def _keep(self, candidates: Sequence[_Candidate]) -> None:
        """Keep the best that differ."""
        kept: list[_Candidate] = []
        for one in sorted([*self.best, *candidates], key=lambda one: one.loss):
            if all(_apart(one, other) >= APART for other in kept):
                kept.append(one)
        self.best = kept[:BEST]

    def _check(self, start: _Candidate) -> None:
        """Measure the best and the start with further seeds, and settle their order."""
        checked = [start, *(one for one in self.best if one is not start)]
        values = self.measured([one.recipe for one in checked], LAST_SEEDS)
        for one, more in zip(checked, values, strict=True):
            one.values = [*one.values, *more]
            one.loss = self.target.loss(one.values)
        self.best.sort(key=lambda one: one.loss)

    def _result(self, start: _Candidate, share: float) -> Fit:
        return Fit(
            self._fitted(start),
            tuple(map(self._fitted, self.best)),
            self.evaluations,
            min(share, 1.0),
            tuple(self.history),
            self.target,
        )

    def _fitted(self, one: _Candidate) -> Fitted:
        return Fitted(one.recipe, self.target.distance(one.values))


def _apart(one: _Candidate, other: _Candidate) -> float:
    return math.sqrt(float(np.square(one.shares - other.shares).mean()))
