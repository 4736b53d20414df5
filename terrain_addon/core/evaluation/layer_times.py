# SPDX-License-Identifier: GPL-3.0-or-later
"""Processor time of each layer of an evaluation."""

from __future__ import annotations

import time
from collections.abc import Generator
from contextlib import contextmanager


class LayerTimes:
    """Processor time that each layer itself took, by its number among the active layers.

    A layer that evaluates the terrain below on a grid of its own is charged with its own work only;
    the layers below are charged with theirs. A layer whose result was cached is not charged. The
    time is that of the evaluating thread, so that other programs and threads do not add to it.

    Attributes
    ----------
    here : seconds on the grid that the evaluation was for
    elsewhere : seconds on grids of other layers, which do not depend on that grid

    Examples
    --------
    >>> times = LayerTimes()
    >>> with times.layer(1), times.below(), times.layer(0):
    ...     pass
    >>> list(times.here), list(times.elsewhere)
    ([1], [0])
    """

    def __init__(self) -> None:
        self.here: dict[int, float] = {}
        self.elsewhere: dict[int, float] = {}
        self._depth = 0
        self._within = 0.0

    @contextmanager
    def below(self) -> Generator[None, None, None]:
        """Mark that layers are evaluated on a grid of another layer."""
        self._depth += 1
        try:
            yield
        finally:
            self._depth -= 1

    @contextmanager
    def layer(self, n: int) -> Generator[None, None, None]:
        """Charge layer ``n`` with the time of the context, less that of layers within it."""
        outer, self._within = self._within, 0.0
        begun = time.thread_time()
        try:
            yield
        finally:
            spent = time.thread_time() - begun
            seconds = self.elsewhere if self._depth else self.here
            seconds[n] = seconds.get(n, 0.0) + spent - self._within
            self._within = outer + spent
