# SPDX-License-Identifier: GPL-3.0-or-later
"""Worlds: terrains too large for one array, as tiles in a folder that share border samples."""

from .finishing import finish, planned_writers
from .images import known_images
from .manifest import Manifest
from .planning import plan, tile_counts
from .runners import Done, Pool, Runner, Task, serial
from .running import make, run
from .world import Tile, World, damaged_text, name_of
from .writers import EngineFiles, Files, Writer

__all__ = [
    "Done",
    "EngineFiles",
    "Files",
    "Manifest",
    "Pool",
    "Runner",
    "Task",
    "Tile",
    "World",
    "Writer",
    "damaged_text",
    "finish",
    "known_images",
    "make",
    "name_of",
    "plan",
    "planned_writers",
    "run",
    "serial",
    "tile_counts",
]
