# SPDX-License-Identifier: GPL-3.0-or-later
"""Earthworks: roads and level ground, with the slopes that join them to the terrain around."""

from .areas import Areas, LevelAreas, closed
from .batters import Batter, cut_param, fill_param, lowest
from .bridges import HIGH, Bridges, Channel, bridged
from .courses import Courses
from .ground import fixed_grid, ground_at
from .outlets import outlet_path
from .profile import profile
from .roadbed import Roadbed

__all__ = [
    "HIGH",
    "Areas",
    "Batter",
    "Bridges",
    "Channel",
    "Courses",
    "LevelAreas",
    "Roadbed",
    "bridged",
    "closed",
    "cut_param",
    "fill_param",
    "fixed_grid",
    "ground_at",
    "lowest",
    "outlet_path",
    "profile",
]
