# SPDX-License-Identifier: GPL-3.0-or-later
"""Exports: a terrain as files that a game engine imports, with every number to type in."""

from .exporting import Exported, check_folder, export
from .georeferencing import LOCAL, georeference_of, on_grid
from .settings import AUTOMATIC, LAYER, USUAL_NAME, WEIGHTS, ExportSettings, extent_of, known_masks
from .verification import Verification

__all__ = [
    "AUTOMATIC",
    "LAYER",
    "LOCAL",
    "USUAL_NAME",
    "WEIGHTS",
    "ExportSettings",
    "Exported",
    "Verification",
    "check_folder",
    "export",
    "extent_of",
    "georeference_of",
    "known_masks",
    "on_grid",
]
