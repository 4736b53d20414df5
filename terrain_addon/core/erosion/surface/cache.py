# SPDX-License-Identifier: GPL-3.0-or-later
"""The drainage grids made last.

A change of gullies alone, or the next tile of a bake, does not erode the land again.
"""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict

from ...numerics.progress import Cancel, Progress, poll
from ..rivers.grids import Grids
from ..rivers.solver import Drainage, eroded
from .settings import SurfaceSettings


class _Recent:
    """Drainage grids of up to so many cells in all. Safe to use from several threads."""

    def __init__(self, cells: int) -> None:
        self._cells = cells
        self._made: OrderedDict[object, Drainage] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: object) -> Drainage | None:
        with self._lock:
            if key in self._made:
                self._made.move_to_end(key)
            return self._made.get(key)

    def put(self, key: object, drainage: Drainage) -> None:
        with self._lock:
            self._made[key] = drainage
            while len(self._made) > 1 and self._size() > self._cells:
                self._made.popitem(last=False)

    def clear(self) -> None:
        with self._lock:
            self._made.clear()

    def _size(self) -> int:
        return sum(drainage.height.size for drainage in self._made.values())


_RECENT = _Recent(1_000_000)  # cells, of 17 bytes, 21 with a sea


def forget() -> None:
    """Give the memory back: up to 21 MB, or those of one larger grid."""
    _RECENT.clear()


def recent_drainage(
    grids: Grids,
    settings: SurfaceSettings,
    *,
    sea: float | None,
    seed: int,
    progress: Progress | None = None,
    cancelled: Cancel | None = None,
) -> Drainage:
    """`eroded`, or what it gave for the same land and settings a short while ago."""
    finest = grids.finest
    digest = hashlib.blake2b(finest.terrain.data)
    poll(cancelled)
    for factor in (finest.softness, finest.rain):
        if factor is not None:
            digest.update(factor.data)
            poll(cancelled)
    given = (finest.softness is None, finest.rain is None)
    size = (grids.width, grids.depth, grids.unit)
    key = (digest.digest(), size, settings.river_settings(), sea, seed, given)
    known = _RECENT.get(key)
    if known is None:
        known = eroded(grids, settings, sea=sea, seed=seed, progress=progress, cancelled=cancelled)
        _RECENT.put(key, known)
    return known
