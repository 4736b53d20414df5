# SPDX-License-Identifier: GPL-3.0-or-later
"""What a layer sees while it is evaluated."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..numerics.array_cache import ArrayCache
from ..numerics.arrays import Floats
from ..numerics.grid import Grid
from ..numerics.progress import Cancel, Progress, poll
from .maps import Map


@dataclass(frozen=True)
class LayerContext:
    """One layer's view of the evaluation.

    ``height`` is the (ny, nx) float32 land so far in meters and ``masks`` what the layers below
    left behind: both are shared, so make new arrays instead of writing into them. A layer that
    has masks of its own to offer puts them into ``produced``.
    """

    grid: Grid
    height: Floats
    masks: Mapping[str, Floats]
    produced: dict[str, Floats]
    size_x: float
    size_y: float
    water_level: float
    seed: int
    progress: Progress
    cancelled: Cancel
    heights_below: Callable[[Grid], Floats]
    """The land below this layer on any other grid, for layers that need the whole extent."""
    maps: Mapping[str, Map]
    """Painted maps by name."""
    cache: ArrayCache[Any]
    """For what a layer solves for the whole terrain, independent of the grid."""

    def poll(self) -> None:
        """Stop here if the user asked for it: raises Cancelled."""
        poll(self.cancelled)

    def map(self, name: str, grid: Grid | None = None) -> Floats:
        """A painted map at the points of ``grid``, by default the layer's own: float32.

        ValueError when there is none of that name.
        """
        if name not in self.maps:
            raise ValueError(
                f"There is no map named {name!r}: name an attribute, a vertex group or an image"
            )
        return self.maps[name].sample(grid or self.grid, self.size_x, self.size_y, self.cancelled)

    def zeros(self) -> Floats:
        """A new field of the grid's shape, all zero."""
        return np.zeros(self.grid.shape, np.float32)
