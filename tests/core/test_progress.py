# SPDX-License-Identifier: GPL-3.0-or-later
"""Long steps tell how far they are, from 0 to 1 and never back."""

import numpy as np
import pytest

from terrain_addon.core import hydrology as hy, noise
from terrain_addon.core.analysis import wetness
from terrain_addon.core.erosion.rivers import solver
from terrain_addon.core.erosion.snow import Snowfall, snow_depth
from terrain_addon.core.erosion.surface import channels, fields
from terrain_addon.core.erosion.surface.settings import SurfaceSettings
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
    "steepest directions": lambda terrain, tree, **user_message: hy.steepest_directions(
        terrain, hy.border(terrain.shape), **user_message
    ),
    "depressions": lambda terrain, tree, **user_message: hy.resolve_depressions(
        terrain,
        hy.steepest_directions(terrain, hy.border(terrain.shape)),
        hy.border(terrain.shape),
        **user_message,
    ),
    "tree": lambda terrain, tree, **user_message: hy.build_tree(tree.directions, **user_message),
    "route": lambda terrain, tree, **user_message: hy.route(terrain, **user_message),
    "accumulate": lambda terrain, tree, **user_message: hy.accumulate(
        tree, terrain, **user_message
    ),
    "area": lambda terrain, tree, **user_message: hy.drainage_area(tree, SPACING, **user_message),
    "spill levels": hy.spill_levels,
    "lakes": lambda terrain, tree, **user_message: hy.find_lakes(
        terrain, tree, SPACING, **user_message
    ),
    "multiple flow": lambda terrain, tree, **user_message: hy.multiple_flow_area(
        terrain, tree, SPACING, **user_message
    ),
    "order": lambda terrain, tree, **user_message: hy.stream_order(
        tree, terrain > 0, **user_message
    ),
    "length up": lambda terrain, tree, **user_message: hy.upstream_length(
        tree, SPACING, **user_message
    ),
    "length down": lambda terrain, tree, **user_message: hy.downstream_length(
        tree, SPACING, **user_message
    ),
    "above rivers": lambda terrain, tree, **user_message: hy.height_above_rivers(
        terrain, tree, hy.drainage_area(tree, SPACING) > 5e4, **user_message
    ),
    "watersheds": lambda terrain, tree, **user_message: hy.watersheds(tree, **user_message),
    "rivers": lambda terrain, tree, **user_message: hy.find_rivers(
        terrain,
        tree.directions,
        hy.drainage_area(tree, SPACING),
        SPACING,
        min_area=1e4,
        climb=0.1,
        **user_message,
    ),
    "surface water": lambda terrain, tree, **user_message: hy.surface_water(
        terrain, X, X, min_area=1e4, **user_message
    ),
    "wetness": lambda terrain, tree, **user_message: wetness.wetness(
        terrain, SPACING, SPACING, 20.0, **user_message
    ),
    "lake depth": lambda terrain, tree, **user_message: wetness.lake_depth(
        terrain, SPACING, SPACING, 20.0, **user_message
    ),
    "beds": lambda terrain, tree, **user_message: channels.carve(
        terrain, X, X, (SPACING, SPACING), rivers(terrain, tree), **user_message
    ),
    "masks": lambda terrain, tree, **user_message: fields.flow_and_deposition(
        drained(terrain), X - 400, X - 400, (800.0, 800.0), **user_message
    ),
    "talus": lambda terrain, tree, **user_message: slide(
        terrain, (SPACING, SPACING), 30.0, 5, **user_message
    ),
    "snow": lambda terrain, tree, **user_message: snow_depth(
        terrain, (SPACING, SPACING), Snowfall(5.0, 0.0, 50.0, 30.0, 5), **user_message
    ),
}


def rivers(terrain, tree):
    return hy.find_rivers(
        terrain, tree.directions, hy.drainage_area(tree, SPACING), SPACING, min_area=1e3
    )


def drained(terrain):
    return solver.drain(terrain, SPACING, SurfaceSettings.from_dict({"resolution": "128"}, "it"))


BY_BANDS = ("talus", "snow", "beds")
"""Steps that tell it once or twice on so small a land."""


@pytest.mark.parametrize("step", STEPS)
def test_long_steps_tell_how_far_they_are(step, terrain, tree):
    user_message = []
    STEPS[step](terrain, tree, progress=user_message.append)
    assert user_message == sorted(user_message)
    assert 0 <= user_message[0] < 0.7
    assert user_message[-1] == 1
    assert len(set(user_message)) >= (2 if step in BY_BANDS else 3)


@pytest.mark.parametrize("step", ["route", "lakes", "rivers", "wetness", "lake depth"])
def test_flat_land_tells_it_too(step):
    flat = np.zeros((SIDE, SIDE), np.float32)
    user_message = []
    STEPS[step](flat, hy.route(flat), progress=user_message.append)
    assert user_message == sorted(user_message)
    assert user_message[-1] == 1


def test_a_part_of_the_work_tells_its_share_of_the_whole():
    user_message = []
    part = within(user_message.append, 0.25, 0.75)
    for share in (0.0, 0.5, 1.0):
        part(share)
    assert user_message == [0.25, 0.5, 0.75]
    assert within(None, 0.25, 0.75) is no_progress
