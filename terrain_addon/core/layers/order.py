# SPDX-License-Identifier: GPL-3.0-or-later
"""The order in which layers are applied."""

from __future__ import annotations

from collections.abc import Sequence

from .kind import LayerKind


def order_of(kinds: Sequence[LayerKind]) -> list[int]:
    """Places of layers, those that are applied first in front: from the ground up, but layers that
    erosion is to keep follow the last erosion above them.

    Examples
    --------
    >>> from terrain_addon.core import Erosion, FractalNoise, Lake, Smooth
    >>> order_of([FractalNoise(), Lake(), Erosion(), Smooth()])
    [0, 2, 1, 3]
    """
    erosion = [n for n, kind in enumerate(kinds) if kind.follows_courses]
    last = max(erosion, default=-1)
    waits = [kind.waits_for_erosion and n < last for n, kind in enumerate(kinds)]
    return sorted(range(len(kinds)), key=lambda n: (last if waits[n] else n, waits[n], n))
