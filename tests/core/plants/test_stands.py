# SPDX-License-Identifier: GPL-3.0-or-later
"""Densities and basal areas of the sets beside published stands, whose sources the guide names."""

import numpy as np
import pytest

from terrain_addon.core.plants import PlantSet, grow
from tests.core.plants.even_ground import even

SIDE = 240.0
TREES = {"conifer", "larch", "pine", "cypress", "broadleaf", "birch", "palm", "canopy"}
STANDS = {
    "beech": ("temperate", {"temperature": 12.0, "soil": 1.3}, (200, 401), (24, 40)),
    "spruce": ("temperate", {"temperature": 4.0}, (200, 401), (24, 41)),
    "mountain spruce": ("alpine", {"temperature": 5.0, "moisture": 0.4}, (200, 401), (24, 41)),
    "larch and stone pine": (
        "alpine", {"temperature": 1.3, "moisture": 0.3, "soil": 0.8}, (250, 350), (8, 41),
    ),
    "boreal pine": (
        "boreal", {"temperature": 3.0, "moisture": 0.08, "soil": 0.6}, (900, 1400), (10, 30),
    ),
    "holm oak": (
        "mediterranean", {"temperature": 14.0, "moisture": 0.4, "soil": 1.0}, (500, 1200), (3, 30),
    ),
    "rain forest": (
        "tropical_island", {"temperature": 24.5, "slope": 6.0}, (550, 1025), (24, 51),
    ),
}  # fmt: skip
"""Set, habitat, and the ranges of stems per hectare and of basal area in m2 per hectare."""


def stems(plants, species):
    """Which plants are trees of a canopy, and the diameters of stems in meters, after Jucker et al.
    (2017)."""
    canopy = [
        one.model in TREES and one.stratum == species.strata[0].name for one in species.species
    ]
    width = 2.0 * plants.crown.astype(float)
    stem = 0.557e-2 * (plants.height * width) ** 0.809 * np.exp(0.056**2 / 2)
    return np.array(canopy)[plants.species] & (stem >= 0.07), stem


@pytest.mark.parametrize("name", STANDS)
def test_stands_are_as_dense_as_published_ones(name):
    key, values, density, basal = STANDS[name]
    species = PlantSet.load(key)
    made = grow(even(SIDE, **values), species, seed=3)
    tree, stem = stems(made, species)
    hectares = SIDE * SIDE / 1e4
    assert density[0] < tree.sum() / hectares < density[1]
    assert basal[0] < (np.pi / 4 * stem[tree] ** 2).sum() / hectares < basal[1]


def test_creosote_bushes_stand_as_on_mapped_flats():
    """959 per hectare at Rock Valley, Nevada, and a cover of 1 to 50 % in such deserts."""
    desert = PlantSet.load("desert")
    made = grow(even(SIDE, temperature=21.0, moisture=0.2, slope=1.0), desert, seed=3)
    number = [one.name for one in desert.species].index("Creosote Bush")
    assert 700 < (made.species == number).sum() / (SIDE * SIDE / 1e4) < 1200
    assert 0.05 < (np.pi * made.crown.astype(float) ** 2).sum() / SIDE**2 < 0.5
