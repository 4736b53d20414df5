# SPDX-License-Identifier: GPL-3.0-or-later
"""Game engines: the files that they take, and the numbers to type in. One module per engine."""

from ...settings.registry import load_modules
from .engine import ENGINES, Engine, Extent, card, named, readme

__all__ = ["ENGINES", "Engine", "Extent", "card", "named", "readme"]

load_modules(__name__, first=("engine",))
