# SPDX-License-Identifier: GPL-3.0-or-later
"""Where noise is sampled in tests."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import strategies as st

# Cells of a hundredth to a hundred samples, near and far from the origin.
axes = st.tuples(
    st.sampled_from([0.0, -3.7, 17.25, -1e5, 3e9]),
    st.sampled_from([0.0101, 0.13, 0.5, 1.7, 97.3, -0.21]),
)


def axis(place: tuple[float, float], count: int) -> np.ndarray[Any, np.dtype[np.float64]]:
    return np.asarray(place[0] + np.arange(count) * place[1], np.float64)
