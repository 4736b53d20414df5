# SPDX-License-Identifier: GPL-3.0-or-later
"""Triangle meshes with a stated error: levels of detail, chunks, and solids for printing."""

from .error_map import ErrorMap, Triangulation
from .levels import ERROR, TRIANGLES, DetailLevel, LevelSettings, levels_of_detail
from .meshes import TriangleMesh, chunk_lines, cut, normals
from .solids import SolidSettings, solid

__all__ = [
    "ERROR",
    "TRIANGLES",
    "DetailLevel",
    "ErrorMap",
    "LevelSettings",
    "SolidSettings",
    "TriangleMesh",
    "Triangulation",
    "chunk_lines",
    "cut",
    "levels_of_detail",
    "normals",
    "solid",
]
