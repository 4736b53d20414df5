# SPDX-License-Identifier: GPL-3.0-or-later
"""Which lattice lines the samples along one axis of a grid need."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

SPARSE = 64
"""Lattice lines per sample beyond which most are not needed."""


@dataclass(frozen=True)
class Lines:
    """Lattice lines near the samples of one axis.

    Attributes
    ----------
    needed : ndarray of int64
        The lines that any sample uses, ascending.
    start : ndarray of intp
        Sample i uses ``needed[start[i]]`` and the next ones, ``taps`` in all.
    taps : int
        How many lines each sample uses.
    """

    needed: NDArray[np.int64]
    start: NDArray[np.intp]
    taps: int

    @staticmethod
    def around(first: NDArray[np.int64], taps: int) -> Lines:
        """Return lines ``first[i]`` to ``first[i] + taps - 1`` for each sample i."""
        low = int(first.min())
        span = int(first.max()) - low + taps
        if span > SPARSE * first.size:
            needed = np.unique(first + np.arange(taps)[:, None])
            return Lines(needed, np.searchsorted(needed, first).astype(np.intp), taps)
        start = first - low  # a mark for every line is several times as fast as sorting them
        marked = np.zeros(span, np.bool_)
        for tap in range(taps):
            marked[start + tap] = True
        needed = np.flatnonzero(marked)
        number = np.empty(span, np.intp)
        number[needed] = np.arange(needed.size)
        return Lines((needed + low).astype(np.int64), number[start], taps)

    def part(self, samples: slice) -> tuple[NDArray[np.int64], NDArray[np.intp]]:
        """Return the lines of some samples, and where each sample's first one is among these."""
        start = self.start[samples]
        low = int(start.min())
        return self.needed[low : int(start.max()) + self.taps], start - low
