# SPDX-License-Identifier: GPL-3.0-or-later
"""Choices at every point by the sign of a number, without comparisons.

Shifted by 31 bits, the bits of a float32 are all set where it is negative: a mask. With one "and" a
mask makes the bits of any number, or of 0. A comparison that writes numbers takes twice as long as
either.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...numerics.work_arrays import constant

Mask = NDArray[np.int32]
"""-1, that is all bits, or 0."""
SIGN = constant(31, np.int32)
"""Bits to shift by."""
ONE, TWO = constant(1), constant(2)
ONE_BITS, TWO_BITS = ONE.view(np.int32), TWO.view(np.int32)
