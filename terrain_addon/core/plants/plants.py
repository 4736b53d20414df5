# SPDX-License-Identifier: GPL-3.0-or-later
"""Plants as columns of numbers, and as a table in a file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ..evaluation.heightfield import Heightfield
from ..numerics.arrays import Bools, Doubles, Floats, Indices
from ..numerics.resample import bilinear_exact
from ..settings.atomic_files import replaced
from .species import Species

COLUMNS = "species,x,y,z,height,crown_radius,rotation,age"
"""The head of a table of plants."""


@dataclass(frozen=True)
class Plants:
    """Plants of a terrain: arrays of one length, by strata, and by cells in each tile of growth.

    Attributes
    ----------
    x, y : ndarray of float64
        Meters from the middle of the terrain.
    species : ndarray of int32
        Number in the set of species.
    height, crown : ndarray of float32
        Height, and radius of the crown, in meters.
    age : ndarray of float32
        Years.
    rotation : ndarray of float32
        Radians, 0 to 2 pi.
    rank : ndarray of float32
        Uniform, 0 to 1: those below a number are an even selection, for fewer plants far away.
    """

    x: Doubles
    y: Doubles
    species: NDArray[np.int32]
    height: Floats
    crown: Floats
    age: Floats
    rotation: Floats
    rank: Floats

    def __len__(self) -> int:
        return len(self.x)

    def take(self, which: Bools | Indices) -> Plants:
        """Return some of the plants."""
        return Plants(*(getattr(self, one.name)[which] for one in fields(self)))

    def thinned(self, share: float | Floats) -> Plants:
        """Return an even share of the plants, 0 to 1 for all or for each.

        Their ranks are uniform again.
        """
        shares = np.broadcast_to(np.float32(share), self.rank.shape)
        kept = self.rank < shares
        left = self.take(kept)
        return replace(left, rank=left.rank / shares[kept])

    def ground(self, terrain: Heightfield) -> Floats:
        """Return the height of a terrain at each plant in meters, (n,) float32."""
        grid = terrain.grid
        rows, columns = (
            (self.y - grid.y0) / grid.dy - grid.j0,
            (self.x - grid.x0) / grid.dx - grid.i0,
        )
        return bilinear_exact(terrain.height, rows, columns).astype(np.float32)

    @classmethod
    def none(cls) -> Plants:
        """Return no plants."""
        place, number = np.empty(0, np.float64), np.empty(0, np.int32)
        rest = np.empty(0, np.float32)
        return cls(place, place, number, rest, rest, rest, rest, rest)

    @classmethod
    def joined(cls, parts: Sequence[Plants]) -> Plants:
        """Return the plants of several parts, one after the other."""
        every = [cls.none(), *parts]
        columns = ([getattr(part, one.name) for part in every] for one in fields(cls))
        return cls(*(np.concatenate(column) for column in columns))


def quoted_names(species: Sequence[Species]) -> list[str]:
    """Return the names of species as cells of a table, in quotes."""
    return ['"' + one.name.replace('"', '""') + '"' for one in species]


def write_csv(path: Path, plants: Plants, z: Floats, species: Sequence[Species]) -> None:
    """Write a table with a row for each plant, in meters, degrees and years.

    Parameters
    ----------
    path : Path
        The file; an existing one is replaced once the new one is complete.
    z : ndarray of float32, shape (n,)
        Height of the ground at each plant.
    species : sequence of Species
        What the numbers of species mean.
    """
    names = quoted_names(species)
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
