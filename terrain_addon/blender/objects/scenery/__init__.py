# SPDX-License-Identifier: GPL-3.0-or-later
"""Scenes to render: a sun, a sky, haze, a camera, and what surrounds a terrain."""

from .framing import View
from .set_up import EDGES, FRAMINGS, SceneryChoices, set_up

__all__ = ["EDGES", "FRAMINGS", "SceneryChoices", "View", "set_up"]
