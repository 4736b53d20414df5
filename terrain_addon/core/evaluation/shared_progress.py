# SPDX-License-Identifier: GPL-3.0-or-later
"""Progress of a layer that evaluates the terrain below on grids of its own."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

from ..numerics.progress import LayerProgress, Progress


class SharedProgress:
    """Progress of a layer, shared with each terrain below that is evaluated for it."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._start = self._reached = 0.0

    def report(self, share: float) -> None:
        """Report the layer's own work, which takes the range that terrains below have left."""
        self._reach(self._start + (1 - self._start) * share)

    @contextmanager
    def step(self, size: float) -> Generator[LayerProgress, None, None]:
        """Yield the progress of a terrain below with ``size`` times the points of the layer: it
        takes a part of what is left in proportion, at most half, as the layer has yet to work on
        it."""
        start = self._reached
        part = (1 - start) * min(size / (size + 1), 0.5)
        yield lambda share, text: self._reach(start + part * share)
        self._start = start + part

    def _reach(self, share: float) -> None:
        if share > self._reached:
            self._reached = share
            self._progress(share)
