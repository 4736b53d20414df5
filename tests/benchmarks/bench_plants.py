# SPDX-License-Identifier: GPL-3.0-or-later
"""Plants of a square kilometer, and a forest of about a million: processor time and memory."""

from __future__ import annotations

import dataclasses
from functools import partial

from terrain_addon.core import Grid, presets, solve
from terrain_addon.core.plants import Box, Habitat, Plants, PlantSet, grow
from tests.benchmarks import memory
from tests.benchmarks.bench_noise import LITE, beside_peer, fastnoiselite, mesh
from tests.benchmarks.timing import Beside, Row, Tables, aim

SIDE = 4200.0
"""Meters that the hills are stretched to, for about a million plants."""
MILLION = 15.0
"""Limit for a million plants in runs of the peer."""
MOST = 700.0
"""Limit in MiB."""
ROUNDS = 3
KILOMETER = Box(-500.0, 500.0, -500.0, 500.0)


def tables() -> Tables:
    """All tables of this benchmark."""
    wide = wide_hills()
    species = PlantSet.load("temperate")
    return {
        "Plants on Eroded Hills: processor time": kilometer(species),
        "A million plants: processor time": times(wide, species),
        "A million plants: memory": space(wide, species),
    }


def kilometer(species: PlantSet) -> list[Row]:
    """Time of what plants depend on, once for a terrain, and of those on a square kilometer."""
    beside, recipe = beside_peer(), presets.load("eroded_hills")
    solution = solve(recipe)
    habitat = Habitat.of(recipe, solution=solution)
    for _ in range(ROUNDS):
        beside.run("their habitat", partial(Habitat.of, recipe, solution=solution))
        beside.run("a square kilometer", partial(grow, habitat, species, box=KILOMETER))
    return beside.rows()


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
