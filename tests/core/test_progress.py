# SPDX-License-Identifier: GPL-3.0-or-later
"""Long steps tell how far they are, from 0 to 1 and never back."""

import numpy as np
import pytest

from terrain_addon.core import hydrology as hy, noise
from terrain_addon.core.analysis import wetness
from terrain_addon.core.erosion.rivers import solver as drainage
from terrain_addon.core.erosion.snow import Snowfall, snow_depth
from terrain_addon.core.erosion.surface import channels, landforms
from terrain_addon.core.erosion.surface.settings import SurfaceSettings
from terrain_addon.core.erosion.thermal import slide
from terrain_addon.core.numerics.progress import untold, within

SIDE, SPACING = 320, 2.5
X = SPACING * (np.arange(SIDE, dtype=np.float64) + 0.5)


@pytest.fixture(scope="module")
def land():
    x = np.arange(SIDE) / SIDE * 4
    return noise.sample_grid("perlin", x, x, seed=3, fractal="fbm", octaves=8) * 100


@pytest.fixture(scope="module")
def tree(land):
    return hy.route(land)


STEPS = {
    "steepest directions": lambda land, tree, **told: hy.steepest_directions(
        land, hy.border(land.shape), **told
    ),
    "depressions": lambda land, tree, **told: hy.resolve_depressions(
        land, hy.steepest_directions(land, hy.border(land.shape)), hy.border(land.shape), **told
    ),
    "tree": lambda land, tree, **told: hy.build_tree(tree.directions, **told),
    "route": lambda land, tree, **told: hy.route(land, **told),
    "accumulate": lambda land, tree, **told: hy.accumulate(tree, land, **told),
    "area": lambda land, tree, **told: hy.drainage_area(tree, SPACING, **told),
    "spill levels": hy.spill_levels,
    "lakes": lambda land, tree, **told: hy.find_lakes(land, tree, SPACING, **told),
    "multiple flow": lambda land, tree, **told: hy.multiple_flow_area(land, tree, SPACING, **told),
    "order": lambda land, tree, **told: hy.stream_order(tree, land > 0, **told),
    "length up": lambda land, tree, **told: hy.upstream_length(tree, SPACING, **told),
    "length down": lambda land, tree, **told: hy.downstream_length(tree, SPACING, **told),
    "above rivers": lambda land, tree, **told: hy.height_above_rivers(
        land, tree, hy.drainage_area(tree, SPACING) > 5e4, **told
    ),
    "watersheds": lambda land, tree, **told: hy.watersheds(tree, **told),
    "rivers": lambda land, tree, **told: hy.find_rivers(
        land,
        tree.directions,
        hy.drainage_area(tree, SPACING),
        SPACING,
        min_area=1e4,
        climb=0.1,
        **told,
    ),
    "surface water": lambda land, tree, **told: hy.surface_water(land, X, X, min_area=1e4, **told),
    "wetness": lambda land, tree, **told: wetness.wetness(land, SPACING, SPACING, 20.0, **told),
    "lake depth": lambda land, tree, **told: wetness.lake_depth(
        land, SPACING, SPACING, 20.0, **told
    ),
    "beds": lambda land, tree, **told: channels.carve(
        land, X, X, (SPACING, SPACING), rivers(land, tree), **told
    ),
    "masks": lambda land, tree, **told: landforms.masks(
        drained(land), X - 400, X - 400, (800.0, 800.0), **told
    ),
    "talus": lambda land, tree, **told: slide(land, (SPACING, SPACING), 30.0, 5, **told),
    "snow": lambda land, tree, **told: snow_depth(
        land, (SPACING, SPACING), Snowfall(5.0, 0.0, 50.0, 30.0, 5), **told
    ),
}


def rivers(land, tree):
    return hy.find_rivers(
        land, tree.directions, hy.drainage_area(tree, SPACING), SPACING, min_area=1e3
    )


def drained(land):
    return drainage.drain(land, SPACING, SurfaceSettings.from_dict({"resolution": "128"}, "it"))


BY_BANDS = ("talus", "snow", "beds")
"""Steps that tell it once or twice on so small a land."""


@pytest.mark.parametrize("step", STEPS)
def test_long_steps_tell_how_far_they_are(step, land, tree):
    told = []
    STEPS[step](land, tree, progress=told.append)
    assert told == sorted(told)
    assert 0 <= told[0] < 0.7
    assert told[-1] == 1
    assert len(set(told)) >= (2 if step in BY_BANDS else 3)


@pytest.mark.parametrize("step", ["route", "lakes", "rivers", "wetness", "lake depth"])
def test_flat_land_tells_it_too(step):
    flat = np.zeros((SIDE, SIDE), np.float32)
    told = []
    STEPS[step](flat, hy.route(flat), progress=told.append)
    assert told == sorted(told)
    assert told[-1] == 1


def test_a_part_of_the_work_tells_its_share_of_the_whole():
    told = []
    part = within(told.append, 0.25, 0.75)
    for share in (0.0, 0.5, 1.0):
        part(share)
    assert told == [0.25, 0.5, 0.75]
    assert within(None, 0.25, 0.75) is untold
