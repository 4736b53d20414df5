# SPDX-License-Identifier: GPL-3.0-or-later
"""Simple models of plants: stems and crowns of few triangles, 1 high and 1 in radius."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..numerics.arrays import Floats

Triangles = NDArray[np.uint32]
SIDES = 6
"""Of stems and crowns."""
LARGE = ((0.0, 0.06), (0.3, 0.06), (0.3, 0.55), (0.55, 1.0), (0.85, 0.7), (1.0, 0.0))
LOW = ((0.0, 0.5), (0.3, 1.0), (0.75, 0.8), (1.0, 0.0))
CONE = (
    (0.0, 0.06), (0.12, 0.06), (0.1, 1.0), (0.42, 0.4), (0.38, 0.78), (0.72, 0.2), (0.67, 0.46),
    (1.0, 0.0),
)  # fmt: skip
ROCK = ((-0.2, 0.8), (0.45, 1.0), (0.85, 0.75), (1.0, 0.0))
UNEVEN = (1.0, 0.72, 0.95, 0.66, 1.05, 0.78)
"""Factors on the radii of the sides of conifers and rocks, turned from ring to ring."""
RAGGED = frozenset(("conifer", "larch", "boulder", "stone"))
PROFILES: dict[str, tuple[tuple[float, float], ...]] = {
    "conifer": CONE,
    "larch": CONE,
    "pine": ((0.0, 0.06), (0.5, 0.05), (0.5, 0.7), (0.7, 1.0), (0.9, 0.7), (1.0, 0.0)),
    "cypress": ((0.0, 0.1), (0.05, 0.1), (0.05, 0.8), (0.4, 1.0), (1.0, 0.0)),
    "broadleaf": LARGE,
    "birch": LARGE,
    "canopy": ((0.0, 0.05), (0.62, 0.03), (0.64, 0.7), (0.78, 1.0), (0.92, 0.7), (1.0, 0.0)),
    "palm": ((0.0, 0.07), (0.85, 0.05), (0.8, 1.0), (0.95, 0.6), (1.0, 0.0)),
    "cactus": ((0.0, 0.7), (0.2, 1.0), (0.85, 1.0), (1.0, 0.0)),
    "dead_tree": ((0.0, 0.15), (0.6, 0.1), (1.0, 0.0)),
    "boulder": ROCK,
    "stone": ROCK,
}
"""Height and radius of rings from the ground to the top, by the key of the model; others are
low."""


def simple_model(key: str) -> tuple[Floats, Triangles]:
    """Return points (n, 3), Z up, and triangles (m, 3), counterclockwise from outside.

    >>> points, triangles = simple_model("conifer")
    >>> float(points[:, 2].max()), int(triangles.max()) == len(points) - 1
    (1.0, True)
    """
    rings = PROFILES.get(key, LOW)
    turns = np.arange(SIDES) * (2 * np.pi / SIDES)
    circle = np.stack([np.cos(turns), np.sin(turns)], axis=1)
    uneven = np.array(UNEVEN if key in RAGGED else (1.0,) * SIDES)[:, None]
    walls = [
        np.column_stack([circle * wide * np.roll(uneven, ring), np.full(SIDES, up)])
        for ring, (up, wide) in enumerate(rings[:-1])
    ]
    points = np.concatenate([*walls, [[0.0, 0.0, rings[-1][0]]]]).astype(np.float32)
    side, after = np.arange(SIDES), (np.arange(SIDES) + 1) % SIDES
    faces: list[NDArray[np.intp]] = []
    for ring in range(len(walls) - 1):
        low, high = ring * SIDES, (ring + 1) * SIDES
        faces.append(np.stack([low + side, low + after, high + after], axis=1))
        faces.append(np.stack([low + side, high + after, high + side], axis=1))
    last = (len(walls) - 1) * SIDES
    top = np.full(SIDES, len(points) - 1)
    faces.append(np.stack([last + side, last + after, top], axis=1))
    return points, np.concatenate(faces).astype(np.uint32)
