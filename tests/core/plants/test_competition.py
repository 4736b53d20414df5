# SPDX-License-Identifier: GPL-3.0-or-later
"""Competition beside all pairs of plants in plain Python."""

import math

import numpy as np

from terrain_addon.core.plants.competition import OVERLAP, ROUNDS, living
from terrain_addon.core.plants.lattice import Box, CellBlock


def survivors(plants):
    """Which of (x, y, height, crown) live, by rounds over all pairs."""
    over = [
        {
            n
            for n, (x, y, height, crown) in enumerate(plants)
            if height > own[2] and math.hypot(x - own[0], y - own[1]) < OVERLAP * (crown + own[3])
        }
        for own in plants
    ]
    alive, dead = set(), set()
    for _ in range(ROUNDS):
        alive |= {n for n, those in enumerate(over) if n not in dead and those <= dead}
        dead |= {n for n, those in enumerate(over) if those & alive}
    alive |= {n for n, those in enumerate(over) if n not in dead and those <= dead}
    return [n in alive for n in range(len(plants))]


def test_the_tallest_of_those_whose_crowns_overlap_live():
    block = CellBlock.of(Box(-25.0, 25.0, -25.0, 25.0), 2.4)
    spots = next(iter(block.bands(5, 100))).spots(np.arange(len(block.rows) * len(block.columns)))
    random = np.random.default_rng(2)
    height, crown = (
        random.uniform(low, high, len(spots)).astype(np.float32)
        for low, high in ((3, 30), (0.5, 4))
    )
    columns = (one.tolist() for one in (spots.x, spots.y, height, crown))
    wanted = survivors(list(zip(*columns, strict=True)))
    assert 20 < sum(wanted) < len(spots) / 2
    np.testing.assert_array_equal(living(spots, height, crown), wanted)
