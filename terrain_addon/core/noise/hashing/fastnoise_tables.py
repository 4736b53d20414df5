# SPDX-License-Identifier: GPL-3.0-or-later
"""FastNoiseLite's gradient and vector tables (MIT License, Jordan Peck and contributors, 2020)."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

_TABLES = json.loads((Path(__file__).parent / "fastnoiselite.json").read_text("utf-8"))


def _columns(name: str, width: int) -> tuple[NDArray[np.float32], ...]:
    table = np.array(_TABLES[name], np.float32).reshape(-1, width)
    return tuple(np.ascontiguousarray(column) for column in table.T)


GRADIENTS_2D = _columns("gradients_2d", 2)
"""x and y of 128 unit vectors: 24 directions, some repeated."""

GRADIENTS_3D = _columns("gradients_3d", 4)[:3]
"""x, y and z of 64 vectors to the middles of a cube's edges."""

VECTORS_2D = _columns("vectors_2d", 2)
"""x and y of 256 random unit vectors, of cellular noise and warp."""

VECTORS_3D = _columns("vectors_3d", 4)[:3]
"""x, y and z of 256 random unit vectors."""
