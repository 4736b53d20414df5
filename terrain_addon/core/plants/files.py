# SPDX-License-Identifier: GPL-3.0-or-later
"""Files of plants."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from ..numerics.arrays import Floats
from ..settings.atomic_files import replaced
from .plants import Plants
from .species import PlantSet

COLUMNS = "species,x,y,z,height,crown_radius,rotation,age"


def write_csv(path: Path, plants: Plants, z: Floats, species: PlantSet) -> None:
    """Write a table with a row for each plant, in meters, degrees and years.

    Parameters
    ----------
    path : Path
        The file; an existing one is replaced once the new one is complete.
    z : ndarray of float32, shape (n,)
        Height of the ground at each plant.
    """
    names = [f'"{one.name.replace(chr(34), chr(34) * 2)}"' for one in species.species]
    turned = np.degrees(plants.rotation)
    columns = (plants.x, plants.y, z, plants.height, plants.crown, turned, plants.age)
    rows: list[list[float]] = np.array(columns, np.float64).transpose().tolist()
    kinds: list[int] = plants.species.tolist()
    with replaced(path) as new, open(new, "w", encoding="utf-8", newline="") as file:
        file.write(COLUMNS + "\n")
        for kind, row in zip(kinds, rows, strict=True):
            place = ",".join(f"{one:.3f}" for one in row[:3])
            height, crown, turn, age = row[3:]
            file.write(f"{names[kind]},{place},{height:.2f},{crown:.2f},{turn:.1f},{age:.0f}\n")
