# SPDX-License-Identifier: GPL-3.0-or-later
"""A forest of about a million plants: processor time and memory."""

from __future__ import annotations

import dataclasses
from functools import partial

from terrain_addon.core import Grid, presets
from terrain_addon.core.plants import Habitat, Plants, PlantSet, grow
from tests.benchmarks import memory
from tests.benchmarks.bench_noise import LITE, fastnoiselite, mesh
from tests.benchmarks.timing import Beside, Row, Tables, aim

SIDE = 4200.0
"""Meters that the hills are stretched to, for about a million plants."""
MILLION = 15.0
"""Limit for a million plants in runs of the peer."""
MOST = 700.0
"""Limit in MiB."""
ROUNDS = 3


def tables() -> Tables:
    """All tables of this benchmark."""
    wide = wide_hills()
    species = PlantSet.load("temperate")
    return {
        "A million plants: processor time": times(wide, species),
        "A million plants: memory": space(wide, species),
    }


def wide_hills() -> Habitat:
    """Return the habitat of hills, stretched."""
    habitat = Habitat.of(presets.load("eroded_hills"))
    grid = habitat.grid
    return dataclasses.replace(habitat, grid=Grid.points(SIDE, SIDE, grid.nx, grid.ny))


def times(habitat: Habitat, species: PlantSet) -> list[Row]:
    """Time of plants, scaled to a million."""
    peer = fastnoiselite("perlin", mesh(1024, 2.0, 8))
    if peer is None:
        return []
    beside, found = Beside(LITE, peer), 0
    for _ in range(ROUNDS):
        made = beside.run("plants", partial(grow, habitat, species))
        assert isinstance(made, Plants)
        found = len(made)
    first, row = beside.rows()
    scale = 1e6 / found
    name = "a million plants"
    own = dataclasses.replace(row, name=name, value=row.value * scale, ratio=row.ratio * scale)
    rows = [first, own]
    aim(rows, name, MILLION, LITE)
    return rows


def space(habitat: Habitat, species: PlantSet) -> list[Row]:
    """Peak of the memory that plants take beside their habitat."""
    size = sum(one.nbytes for one in habitat.fields.values())
    return memory.rows("habitat", size, {"plants": partial(grow, habitat, species)})
