# SPDX-License-Identifier: GPL-3.0-or-later
"""Competition beside all pairs of plants in plain Python."""

import math

import numpy as np
import pytest

from terrain_addon.core.plants.competition import (
    DENSITY,
    OVERLAP,
    OWN_REACH,
    ROUNDS,
    SUPPRESSED,
    living,
    shade_of_neighbors,
)
from terrain_addon.core.plants.lattice import Box, CellBlock


@pytest.fixture(scope="module")
def candidates():
    """Spots, and heights and crowns, of which many heights are equal."""
    block = CellBlock.of(Box(-25.0, 25.0, -25.0, 25.0), 2.4)
    spots = next(iter(block.bands(5, 100))).spots(np.arange(len(block.rows) * len(block.columns)))
    random = np.random.default_rng(2)
    height = random.integers(3, 30, len(spots)).astype(np.float32)
    return spots, height, random.uniform(0.5, 4, len(spots)).astype(np.float32)


def listed(spots, height, crown):
    """x, y, height and crown of each."""
    columns = (one.tolist() for one in (spots.x, spots.y, height, crown))
    return list(zip(*columns, strict=True))


def survivors(plants):
    """Which of (x, y, height, crown) live, by rounds over all pairs; the first of equal ones."""
    over = [
        {
            n
            for n, (x, y, height, crown) in enumerate(plants)
            if (height, -n) > (own[2], -m)
            and math.hypot(x - own[0], y - own[1]) < OVERLAP * (crown + own[3])
        }
        for m, own in enumerate(plants)
    ]
    alive, dead = set(), set()
    for _ in range(ROUNDS):
        alive |= {n for n, those in enumerate(over) if n not in dead and those <= dead}
        dead |= {n for n, those in enumerate(over) if those & alive}
    alive |= {n for n, those in enumerate(over) if n not in dead and those <= dead}
    return [n in alive for n in range(len(plants))]


def test_the_tallest_of_those_whose_crowns_overlap_live(candidates):
    wanted = survivors(listed(*candidates))
    assert 20 < sum(wanted) < len(wanted) / 2
    np.testing.assert_array_equal(living(*candidates), wanted)


def test_plants_shade_those_that_are_much_lower(candidates):
    """Most at the stem and none beyond 1.5 radii, and less for those that are nearly as tall."""
    plants = listed(*candidates)
    wanted = np.zeros(len(plants))
    for n, (x, y, height, _) in enumerate(plants):
        for other_x, other_y, other, crown in plants:
            away = math.hypot(other_x - x, other_y - y) / (OWN_REACH * crown)
            if height < SUPPRESSED * other and away < 1:
                deep = DENSITY * (1 - away) ** 2 * (1 + 2 * away)
                wanted[n] += deep * min(2.5 * (1 - height / (SUPPRESSED * other)), 1)
    assert 0.3 < np.count_nonzero(wanted) / len(plants) < 0.9
    np.testing.assert_allclose(shade_of_neighbors(*candidates), wanted, rtol=1e-5, atol=1e-6)
