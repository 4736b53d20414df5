# SPDX-License-Identifier: GPL-3.0-or-later
import numpy as np
import pytest

from terrain_addon.core.earthworks import Courses
from terrain_addon.core.earthworks.profile import profile
from terrain_addon.core.shapes import Shape


@pytest.mark.slow
def test_a_network_of_thousands_of_roads_has_a_profile() -> None:
    """Rounding grows with the number of lines; no change may be taken for one that matters."""
    random = np.random.default_rng(5)
    start = random.uniform(-5000, 5000, (5000, 1, 2))
    lines = start + np.cumsum(random.normal(0, 25, (5000, 8, 2)), axis=1)
    shape = Shape.of("Network", list(lines))
    roads = Courses.along(shape, 4.0, 20.0, 12_000.0, 12_000.0, 10.0)
    ground = 500 + 80 * np.sin(roads.x / 300) + 60 * np.cos(roads.y / 200)
    rounds = 0

    def cancelled() -> bool:
        nonlocal rounds
        rounds += 1
        assert rounds < 5000, "the levels never settle"
        return False

    level = profile(roads, ground, 0.1, 30.0, cancelled)
    inner = np.ones(len(level) - 1, bool)
    inner[roads.begins[1:] - 1] = False
    step = np.hypot(np.diff(roads.x), np.diff(roads.y))
    assert (np.abs(np.diff(level)) <= 0.1 * step + 1e-3)[inner].all()
