# SPDX-License-Identifier: GPL-3.0-or-later
"""Exports: a terrain as files that a game engine imports, with every number to type in."""

from .exporting import Exported, check_folder, export
from .settings import AUTOMATIC, USUAL_NAME, ExportSettings, extent_of

__all__ = [
    "AUTOMATIC",
    "USUAL_NAME",
    "ExportSettings",
    "Exported",
    "check_folder",
    "export",
    "extent_of",
]
