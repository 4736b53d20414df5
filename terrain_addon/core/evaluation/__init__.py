# SPDX-License-Identifier: GPL-3.0-or-later
"""Evaluation: from a recipe to a heightfield."""

from . import memory
from .stack import DEFAULT_RESOLUTION

__all__ = ["DEFAULT_RESOLUTION", "memory"]
