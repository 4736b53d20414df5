# SPDX-License-Identifier: GPL-3.0-or-later
import pytest

from terrain_addon.core.plants import PlantSet


@pytest.fixture(scope="session")
def temperate():
    return PlantSet.load("temperate")
