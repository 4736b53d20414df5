# SPDX-License-Identifier: GPL-3.0-or-later
"""From a recipe to a heightfield."""

from . import memory

__all__ = [
    "memory",
]
