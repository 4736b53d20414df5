# SPDX-License-Identifier: GPL-3.0-or-later
"""Level ground that is the same everywhere."""

import numpy as np

from terrain_addon.core import Grid
from terrain_addon.core.plants import HABITAT, Habitat

SIDE = 320.0
VALUES = {
    "temperature": 7.5, "moisture": 0.5, "sun": 1.0, "soil": 1.2, "slope": 3.0, "disturbance": 0.0,
    "river": 0.0, "talus": 0.0, "shore": 0.0,
}  # fmt: skip


def even(side=SIDE, **values):
    grid = Grid.points(side, side, 33, 33)
    fields = {key: np.full(grid.shape, (VALUES | values)[key], np.float32) for key in HABITAT}
    return Habitat(grid, fields, np.zeros(grid.shape, np.float32))
