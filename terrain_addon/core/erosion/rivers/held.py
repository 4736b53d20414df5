# SPDX-License-Identifier: GPL-3.0-or-later
"""A guess at another drainage from a solved one: its rivers are held, its heights move.

A few implicit steps on the rivers of the solution, with the old and with the new settings, differ
by about as much as both solutions do where rivers keep their courses. Only solving shows where
they do not, so a guess is for previews: it never enters a cache, and no solution starts from it.

The change of a setting is worth guessing where the guess is nearer to the new solution than the old
one is. :data:`SUITABLE` lists these settings, with the measurements.
"""

from __future__ import annotations

import dataclasses

import numpy as np

from ...hydrology import FlowTree
from ...hydrology.tree import build_tree
from ...numerics.arrays import Floats
from ...numerics.progress import Cancel
from .base_level import base_levels
from .drainage import Drainage
from .grids import Grids
from .settings import KEEP, FluvialSettings
from .solver import beds_of, ground_of, rates_of, steps_of
from .stream_power import Ground, lowered
from .valley_floors import raise_upstream

STEPS = {"uplift": 2, "plateau": 3}
"""Steps of a guess. Mountains continue from their heights; a plateau starts again from its initial
surface, with longer steps."""
SUITABLE = {"uplift": ("strength",), "plateau": ("age",), KEEP: ()}
"""Settings whose change is worth guessing, by type. A terrain that keeps its forms is solved in
about the time of a guess.

Measured as the RMS difference between guess and solution, over that between the old terrain and the
solution, for a setting multiplied or divided by 1.25 and by 1.1: the largest of ten seeds is 0.41
to 0.69 and 0.59 to 0.83 (strength of six presets, age of two). For Valley Depth of Canyon it is
0.82 and 1.03. Concavity, Max Slope, Rounding, Rock Layers and Valley Spacing move rivers more than
anything else: 0.77 to 1.03. Valley Floors and Fans act on what the rivers leave: 1.
"""
NEAREST, FARTHEST = 1.15, 1.3
"""Factors between the settings. A smaller change is mostly that of rivers that take other courses:
at 1.05, 1.1 and 1.15 the ratio is up to 0.88, 0.83 and 0.72. Their courses are decided on the
coarsest grid. Continuing from the coarse heights of the last solution does not follow them either:
at 1.05 on twelve presets, the ratio is up to 0.87 without the first grid, which saves 5 to 14 % of
the time with uplift, and up to 0.97 with the finest grid alone, which saves 26 to 34 %."""


def can_hold(before: FluvialSettings, after: FluvialSettings) -> bool:
    """Return whether settings differ in suitable ones only, enough and not too much."""
    names = SUITABLE[before.type]
    values = {name: getattr(after, name) for name in names}
    if dataclasses.replace(before, **values) != after:
        return False
    return all(_suits(getattr(before, name), value) for name, value in values.items())


def _suits(before: float, after: float) -> bool:
    low, high = sorted((before, after))
    return low == high or 0 < NEAREST * low <= high <= FARTHEST * low


def held_drainage(
    solved: Drainage,
    before: FluvialSettings,
    after: FluvialSettings,
    grids: Grids,
    *,
    sea: float | None,
    seed: int,
    cancelled: Cancel | None = None,
) -> Drainage:
    """Return a guess at the drainage for the settings ``after``, with the rivers of ``solved``.

    Both settings need grids of one unit, and the same type.

    Parameters
    ----------
    solved : Drainage
        The drainage for the settings ``before``.
    grids : Grids
        Grids it was solved on.
    sea : float or None
        Height of the sea in meters.
    seed : int
        Seed it was solved with.

    Raises
    ------
    Cancelled
    """
    tree = build_tree(solved.directions, cancelled)
    levels = grids.levels(cancelled)

    def stepped(settings: FluvialSettings) -> Floats:
        base = base_levels(levels, grids, settings, sea, cancelled)[-1]
        beds = beds_of(grids, settings, seed)
        ground = ground_of(grids.finest, base, beds, grids, settings, sea)
        return _stepped(solved, tree, grids, ground, settings, cancelled)

    height = stepped(after)
    height -= stepped(before)
    height *= np.float32(grids.unit)
    height += solved.height
    return dataclasses.replace(solved, height=height, beds=beds_of(grids, after, seed))


def _stepped(
    solved: Drainage,
    tree: FlowTree,
    grids: Grids,
    ground: Ground,
    settings: FluvialSettings,
    cancelled: Cancel | None,
) -> Floats:
    """Return heights without sediment after the steps of a guess, in units of the valley
    spacing."""
    steps, rates = STEPS[settings.type], rates_of(settings)
    if settings.type == "plateau":
        levels = grids.levels(cancelled)
        count = sum(steps_of(settings, level, grids.extent) for level in levels)
        rates = dataclasses.replace(rates, strength=rates.strength * count / steps)
        height, climb = grids.finest.terrain.copy(), np.float32(1e-3 * ground.spacing)
        ground.base.hold(height)
        raise_upstream(tree, height, lambda cells: np.full(cells.size, climb), cancelled)
    else:
        height = solved.height - solved.deposition
        height *= np.float32(1 / grids.unit)
        ground.base.hold(height)
    area = solved.area * np.float32(1 / grids.unit**2)
    for _ in range(steps):
        height = lowered(height, tree, area, ground, rates, cancelled)
    return height
