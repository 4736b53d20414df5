# SPDX-License-Identifier: GPL-3.0-or-later
"""Competition beside all pairs of plants in plain Python."""

import math

import numpy as np
import pytest

from terrain_addon.core.plants.competition import (
    COMPETITION_REACH,
    DENSITY,
    OVERLAP,
    OWN_REACH,
    ROUNDS,
    SUPPRESSED,
    living,
    shade_of_neighbors,
)
from terrain_addon.core.plants.lattice import Box, CellBlock, Spots
from terrain_addon.core.plants.shade import Cover, cast


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


def test_plants_far_away_change_no_bit(candidates):
    """One that is 20000 cells away: from there, places in cells are no float32."""
    spots, height, crown = candidates
    words = spots.words[:1]
    far = Spots.joined(
        [Spots(2.4, np.array([-20_000], np.int32), np.array([0], np.int32), words), spots]
    )
    more = (far, np.append(np.float32(9), height), np.append(np.float32(1), crown))
    np.testing.assert_array_equal(living(*more)[1:], living(*candidates))
    np.testing.assert_array_equal(shade_of_neighbors(*more)[1:], shade_of_neighbors(*candidates))


def test_who_lives_depends_on_others_as_far_as_the_halo_and_no_further():
    """A row of plants, each taller than the one before, whose crowns just overlap."""
    fates = []
    for count in range(1, 13):
        places = np.arange(count, dtype=np.int32)
        row = Spots(1.0, places, np.zeros_like(places), np.zeros(count, np.uint32))
        crown = np.full(count, 1.01 / (2 * OVERLAP), np.float32)
        fates.append(bool(living(row, np.arange(count, dtype=np.float32), crown)[0]))
    counts = [n for n in range(1, 12) if fates[n] != fates[n - 1]]
    assert counts == list(range(1, 8)), "it depends on the seventh neighbor"
    assert 7 < (COMPETITION_REACH - OWN_REACH) * 1.01 / (2 * OVERLAP) < 8


@pytest.mark.parametrize(("crown", "cell", "least"), [(12.0, 0.25, 27.2), (0.3, 2.0, 10.0)])
def test_shade_and_seeds_end_as_far_as_they_are_cast(crown, cell, least):
    """Of one plant, on smaller cells: a crown much wider than the cells, and seeds beyond one."""
    i, j = np.array([3], np.int32), np.array([-4], np.int32)
    spots = Spots(cell, i, j, np.array([7], np.uint32))
    cover = Cover.of(spots, np.array([crown], np.float32), np.array([0], np.int32), crown, [0])
    (x,), (y,) = spots.x, spots.y
    far = 1.2 * cast(crown, cell)
    block = CellBlock.of(Box(x - far, x + far, y - cell, y + cell), cell / 3)
    (band,) = block.bands(1, 1)
    cast_on = (cover.shade_on(band) + cover.seeds_on(band, 0)).any(axis=0)
    reached = np.abs((block.columns[cast_on] + 0.5) * block.cell - x).max()
    assert least < reached < cast(crown, cell)
