# SPDX-License-Identifier: GPL-3.0-or-later
"""Worlds: terrains too large for one array, as tiles in a folder that share border samples."""

from .finishing import finish
from .manifest import Manifest
from .planning import plan, tile_counts
from .runners import Done, Pool, Runner, Task, serial
from .running import make, run
from .world import Tile, World

__all__ = [
    "Done",
    "Manifest",
    "Pool",
    "Runner",
    "Task",
    "Tile",
    "World",
    "finish",
    "make",
    "plan",
    "run",
    "serial",
    "tile_counts",
]
