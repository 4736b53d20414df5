# SPDX-License-Identifier: GPL-3.0-or-later
"""Drainages that were solved before, by the inputs that they follow from."""

from __future__ import annotations

import hashlib
from typing import Any

from ...numerics.array_cache import ArrayCache
from ...numerics.progress import Cancel, Progress, poll
from .grids import Grids
from .settings import FluvialSettings
from .solver import Drainage, eroded


def cached_drainage(
    grids: Grids,
    settings: FluvialSettings,
    cache: ArrayCache[Any],
    *,
    sea: float | None,
    seed: int,
    progress: Progress | None = None,
    cancelled: Cancel | None = None,
) -> Drainage:
    """The result of :func:`eroded`, from the cache if it holds one for equal inputs."""
    key = solution_key(grids, settings, sea=sea, seed=seed, cancelled=cancelled)
    drainage = cache.get(key)
    if drainage is None:
        drainage = eroded(
            grids, settings, sea=sea, seed=seed, progress=progress, cancelled=cancelled
        )
        cache.put(key, drainage)
    return drainage


def solution_key(
    grids: Grids,
    settings: FluvialSettings,
    *,
    sea: float | None,
    seed: int,
    cancelled: Cancel | None = None,
) -> tuple[object, ...]:
    """The key of :func:`cached_drainage`."""
    finest = grids.finest
    digest = hashlib.blake2b(finest.terrain.data)
    poll(cancelled)
    for factor in (finest.softness, finest.rain):
        if factor is not None:
            digest.update(factor.data)
            poll(cancelled)
    given = (finest.softness is None, finest.rain is None)
    size = (grids.width, grids.depth, grids.unit)
    return (digest.digest(), size, settings.river_settings(), sea, seed, given)
