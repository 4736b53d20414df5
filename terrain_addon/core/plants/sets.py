# SPDX-License-Identifier: GPL-3.0-or-later
"""Ready sets of species, one JSON file each."""

from __future__ import annotations

from pathlib import Path

from ..recipe import presets
from .species import PlantSet

FOLDER = presets.FOLDER / "plants"


def names(folder: Path = FOLDER) -> list[str]:
    """Return the names of the sets in a folder, sorted; by default those of the extension.

    >>> "temperate" in names()
    True
    """
    return presets.names(folder)


def load(name: str, folder: Path = FOLDER) -> PlantSet:
    """Return the set of that name. Raises ValueError if it does not exist or is invalid.

    >>> load("temperate").strata[0].name
    'Canopy'
    """
    return PlantSet.from_dict(presets.read(name, folder, "set of plants"), name)
