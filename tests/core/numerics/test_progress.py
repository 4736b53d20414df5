# SPDX-License-Identifier: GPL-3.0-or-later
"""Long steps tell how far they are, from 0 to 1 and never back."""

import numpy as np
import pytest

from terrain_addon.core import hydrology as hy, noise
from terrain_addon.core.erosion.snow import Snowfall, snow_depth
from terrain_addon.core.erosion.thermal import slide
from terrain_addon.core.numerics.progress import no_progress, within

SIDE, SPACING = 320, 2.5
X = SPACING * (np.arange(SIDE, dtype=np.float64) + 0.5)


@pytest.fixture(scope="module")
def terrain():
    x = np.arange(SIDE) / SIDE * 4
    return noise.sample_grid("perlin", x, x, seed=3, fractal="fbm", octaves=8) * 100


@pytest.fixture(scope="module")
def tree(terrain):
    return hy.route(terrain)


STEPS = {
    "steepest directions": lambda terrain, tree, **reported: hy.steepest_directions(
        terrain, hy.border(terrain.shape), **reported
    ),
    "depressions": lambda terrain, tree, **reported: hy.resolve_depressions(
        terrain,
        hy.steepest_directions(terrain, hy.border(terrain.shape)),
        hy.border(terrain.shape),
        **reported,
    ),
    "tree": lambda terrain, tree, **reported: hy.build_tree(tree.directions, **reported),
    "route": lambda terrain, tree, **reported: hy.route(terrain, **reported),
    "accumulate": lambda terrain, tree, **reported: hy.accumulate(tree, terrain, **reported),
    "area": lambda terrain, tree, **reported: hy.drainage_area(tree, SPACING, **reported),
    "spill levels": hy.spill_levels,
    "lakes": lambda terrain, tree, **reported: hy.find_lakes(terrain, tree, SPACING, **reported),
    "multiple flow": lambda terrain, tree, **reported: hy.multiple_flow_area(
        terrain, tree, SPACING, **reported
    ),
    "order": lambda terrain, tree, **reported: hy.stream_order(tree, terrain > 0, **reported),
    "length up": lambda terrain, tree, **reported: hy.upstream_length(tree, SPACING, **reported),
    "length down": lambda terrain, tree, **reported: hy.downstream_length(
        tree, SPACING, **reported
    ),
    "above rivers": lambda terrain, tree, **reported: hy.height_above_rivers(
        terrain, tree, hy.drainage_area(tree, SPACING) > 5e4, **reported
    ),
    "watersheds": lambda terrain, tree, **reported: hy.watersheds(tree, **reported),
    "rivers": lambda terrain, tree, **reported: hy.find_rivers(
        terrain,
        tree.directions,
        hy.drainage_area(tree, SPACING),
        SPACING,
        min_area=1e4,
        climb=0.1,
        **reported,
    ),
    "surface water": lambda terrain, tree, **reported: hy.surface_water(
        terrain, X, X, min_area=1e4, **reported
    ),
    "talus": lambda terrain, tree, **reported: slide(
        terrain, (SPACING, SPACING), 30.0, 5, **reported
    ),
    "snow": lambda terrain, tree, **reported: snow_depth(
        terrain, (SPACING, SPACING), Snowfall(5.0, 0.0, 50.0, 30.0, 5), **reported
    ),
}


BY_BANDS = ("talus", "snow")
"""Steps that tell it once or twice on so small a land."""


@pytest.mark.parametrize("step", STEPS)
def test_long_steps_tell_how_far_they_are(step, terrain, tree):
    reported = []
    STEPS[step](terrain, tree, progress=reported.append)
    assert reported == sorted(reported)
    assert 0 <= reported[0] < 0.7
    assert reported[-1] == 1
    assert len(set(reported)) >= (2 if step in BY_BANDS else 3)


@pytest.mark.parametrize("step", ["route", "lakes", "rivers"])
def test_flat_land_tells_it_too(step):
    flat = np.zeros((SIDE, SIDE), np.float32)
    reported = []
    STEPS[step](flat, hy.route(flat), progress=reported.append)
    assert reported == sorted(reported)
    assert reported[-1] == 1


def test_a_part_of_the_work_tells_its_share_of_the_whole():
    reported = []
    part = within(reported.append, 0.25, 0.75)
    for share in (0.0, 0.5, 1.0):
        part(share)
    assert reported == [0.25, 0.5, 0.75]
    assert within(None, 0.25, 0.75) is no_progress
