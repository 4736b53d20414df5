# SPDX-License-Identifier: GPL-3.0-or-later
"""What the drainage grid has to offer at any points, and the drainage grids made last."""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict

import numpy as np
from numpy.typing import NDArray

from .. import noise
from .bands import Cancel, Progress, poll
from .drainage import Drainage, drain
from .surface_settings import SurfaceSettings

Floats = NDArray[np.float32]
Axis = NDArray[np.float64]


def masks(
    drainage: Drainage, x: Axis, y: Axis, cancelled: Cancel | None = None
) -> dict[str, Floats]:
    """Masks at world coordinates in metres, each (len(y), len(x)) float32.

    "flow": log of the drainage area, 0 on slopes to 1 in the largest river; "wear": metres worn
    away; "deposit": metres of sediment.
    """
    area = drainage.area / np.float32(0.04 * drainage.unit**2)
    flow = np.log(np.maximum(area, 1))
    flow /= max(float(flow.max()), 1e-6)
    worn = np.maximum(drainage.before - drainage.height, 0)
    fields = {"flow": flow, "wear": worn, "deposit": np.maximum(drainage.deposit, 0)}
    found: dict[str, Floats] = {}
    for name, field in fields.items():
        poll(cancelled)
        found[name] = drainage.sample(field, x, y)
    return found


def uneven(
    variation: float, x: Axis, y: Axis, wave: float, seed: int, cancelled: Cancel | None = None
) -> Floats | None:
    """A factor for the hardness of the rock, or the rain, at each place: (len(y), len(x)) float32.

    A quarter to four where ``variation`` is 1, over patches of ``wave`` metres; None where it is 0.
    """
    if variation <= 0:
        return None
    factor = noise.sample_grid(
        "perlin",
        x / wave,
        y / wave,
        seed=seed & 0x7FFFFFFF,
        fractal="fbm",
        octaves=3,
        cancelled=cancelled,
    )
    factor *= np.float32(-4 * variation)
    np.clip(factor, -2, 2, out=factor)
    return np.exp2(factor)


class _Recent:
    """The drainage grids made last, so that a change of gullies alone, or the next tile of a
    bake, does not erode the land again. Safe to use from several threads."""

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

    def _size(self) -> int:
        return sum(drainage.height.size for drainage in self._made.values())


_RECENT = _Recent(1_000_000)  # cells, of about 50 bytes


def recent_drainage(
    land: Floats,
    spacing: float,
    settings: SurfaceSettings,
    *,
    sea: float | None,
    seed: int,
    hardness: Floats | None = None,
    rain: Floats | None = None,
    progress: Progress | None = None,
    cancelled: Cancel | None = None,
) -> Drainage:
    """`drain`, or what it gave for the same land and settings a short while ago."""
    digest = hashlib.blake2b(np.ascontiguousarray(land).data)
    poll(cancelled)
    for factor in (hardness, rain):
        if factor is not None:
            digest.update(np.ascontiguousarray(factor).data)
            poll(cancelled)
    given = (hardness is None, rain is None)
    key = (digest.digest(), land.shape, spacing, settings.river_settings(), sea, seed, given)
    known = _RECENT.get(key)
    if known is None:
        known = drain(
            land,
            spacing,
            settings,
            sea=sea,
            hardness=hardness,
            rain=rain,
            seed=seed,
            progress=progress,
            cancelled=cancelled,
        )
        _RECENT.put(key, known)
    return known
