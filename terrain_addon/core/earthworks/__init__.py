# SPDX-License-Identifier: GPL-3.0-or-later
"""Earthworks: roads and level ground, with the slopes that join them to the terrain around."""

from .batters import Batter, lowest
from .courses import Courses
from .ground import fixed_grid, ground_at
from .profile import profile
from .roadbed import Roadbed

__all__ = ["Batter", "Courses", "Roadbed", "fixed_grid", "ground_at", "lowest", "profile"]
