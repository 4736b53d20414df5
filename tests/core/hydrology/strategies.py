# SPDX-License-Identifier: GPL-3.0-or-later
"""Small height fields of all proportions: smooth, rough, with ties, flat, with any outlets."""

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

from terrain_addon.core.hydrology import border

SHAPES = npst.array_shapes(min_dims=2, max_dims=2, min_side=1, max_side=9)
LEVELS = st.integers(-3, 3).map(float)  # few levels: plateaus and equal passes
METRES = st.floats(-1e4, 1e4, width=32)


@st.composite
def heights(draw):
    return draw(npst.arrays(np.float32, SHAPES, elements=draw(st.sampled_from([LEVELS, METRES]))))


@st.composite
def heights_and_outlets(draw):
    """A height field with the border, the sea, or any cells as outlets."""
    height = draw(heights())
    kind = draw(st.sampled_from(["border", "sea", "any"]))
    if kind == "border":
        return height, border(height.shape)
    if kind == "sea":
        return height, border(height.shape) | (height <= 0)
    outlets = draw(npst.arrays(bool, height.shape))
    cell = tuple(draw(st.integers(0, side - 1)) for side in height.shape)
    outlets[cell] = True
    return height, outlets
