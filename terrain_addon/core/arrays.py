# SPDX-License-Identifier: GPL-3.0-or-later
"""Kinds of arrays, of any shape."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
"""Heights, masks, colours: what there is of every sample."""
Doubles = NDArray[np.float64]
"""Coordinates, and sums that must be exact."""
Bools = NDArray[np.bool_]
Indices = NDArray[np.intp]
"""Places in other arrays."""
