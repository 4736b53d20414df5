# SPDX-License-Identifier: GPL-3.0-or-later
"""What is asked of a noise is checked, whatever else is asked."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from terrain_addon.core import noise

AXIS = np.linspace(0.0, 3.0, 7)


@pytest.mark.parametrize("function", [noise.sample, noise.sample_grid])
@pytest.mark.parametrize("fractal", ["none", "fbm"])
@pytest.mark.parametrize("octaves", [0, 33, 2.5, "2", None])
def test_octaves_are_checked_with_every_fractal(function: Any, fractal: str, octaves: Any) -> None:
    with pytest.raises(ValueError, match="octaves must be a whole number from 1 to 32"):
        function("perlin", AXIS, AXIS, fractal=fractal, octaves=octaves)


def test_without_a_fractal_one_octave_is_summed() -> None:
    one, many = (noise.sample("perlin", AXIS, AXIS, octaves=octaves) for octaves in (1, 5))
    np.testing.assert_array_equal(one, many)


@pytest.mark.parametrize("function", [noise.sample, noise.sample_grid])
@pytest.mark.parametrize("seed", ["a", 1.0, 2.5, None, [1]])
def test_a_seed_is_a_whole_number(function: Any, seed: Any) -> None:
    with pytest.raises(ValueError, match="seed must be a whole number, not"):
        function("perlin", AXIS, AXIS, seed=seed)
