# SPDX-License-Identifier: GPL-3.0-or-later
"""The order in which layers are applied."""

from __future__ import annotations

from collections.abc import Sequence

from .kind import LayerKind


def order_of(kinds: Sequence[LayerKind]) -> list[int]:
    """Return indices of layers in the order in which they are applied: from the ground up, except
    that a layer that erosion must keep comes after the last erosion above it.

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
