# SPDX-License-Identifier: GPL-3.0-or-later
"""Files of heights that are read and written without Blender."""

from .arrays import read_array, read_esri_grid

__all__ = ["read_array", "read_esri_grid"]
