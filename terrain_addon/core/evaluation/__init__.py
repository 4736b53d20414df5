# SPDX-License-Identifier: GPL-3.0-or-later
"""Evaluation: from a recipe to a heightfield."""

from . import memory
from .by_rows import evaluate_by_rows
from .held import Held
from .layer_times import LayerTimes
from .memory import check_disk
from .preview import (
    COARSE,
    HELD,
    NONE,
    Shown,
    Solved,
    coarse_preview,
    compared,
    held_preview,
    preview_kind,
    same_size,
    solved_again,
)
from .stack import DEFAULT_RESOLUTION, below_key, terrain_below

__all__ = [
    "COARSE",
    "DEFAULT_RESOLUTION",
    "HELD",
    "NONE",
    "Held",
    "LayerTimes",
    "Shown",
    "Solved",
    "below_key",
    "check_disk",
    "coarse_preview",
    "compared",
    "evaluate_by_rows",
    "held_preview",
    "memory",
    "preview_kind",
    "same_size",
    "solved_again",
    "terrain_below",
]
