# SPDX-License-Identifier: GPL-3.0-or-later
"""Worlds: terrains too large for one array, as tiles in a folder that share border samples."""

from .finishing import finish
from .running import run
from .world import Tile, World, plan

__all__ = ["Tile", "World", "finish", "plan", "run"]
