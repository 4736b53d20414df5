# SPDX-License-Identifier: GPL-3.0-or-later
"""How often what slides moves on by a cell."""

from __future__ import annotations

MOST_PASSES = 200


def passes_over(distance: float, dx: float, dy: float) -> int:
    """Passes of one cell each that carry material over a distance in metres.

    What they see beyond a terrain's border ends half its extent outside, see
    `Grid.with_margin`, so that their number alone cannot multiply the work.
    """
    return min(max(round(distance / max(dx, dy)), 1), MOST_PASSES)
