# SPDX-License-Identifier: GPL-3.0-or-later
"""Levels of river beds that fall all the way, across confluences too."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ....numerics.arrays import Doubles

FALL = 1e-3
"""Least slope along a bed."""


def graded(
    levels: Sequence[Doubles],
    falls: Sequence[Doubles],
    joins: Sequence[tuple[int, int] | None],
    mouths: Sequence[float | None],
) -> list[Doubles]:
    """Return the highest beds up to some levels that fall all along, and by no less than given.

    What a river needs is cut into the one that it joins. Rivers that others join come first.

    Parameters
    ----------
    levels : (n,) highest levels of each river, source first
    falls : (n,) least fall from the source to each point
    joins : number of the river that each one joins, and the position on it
    mouths : levels at which rivers end, below which nothing is cut; None where they are free
    """
    made = [level.copy() for level in levels]
    for level, fall, join in reversed(list(zip(made, falls, joins, strict=True))):
        level[:] = np.minimum.accumulate(level + fall) - fall
        if join is not None:
            below = made[join[0]]
            below[join[1]] = min(below[join[1]], level[-1])
    for level, fall, join, mouth in zip(made, falls, joins, mouths, strict=True):
        end = mouth if join is None else float(made[join[0]][join[1]])
        if end is not None:
            level[-1] = end
            np.maximum(level, end + (fall[-1] - fall), out=level)
    return made
