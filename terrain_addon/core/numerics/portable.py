# SPDX-License-Identifier: GPL-3.0-or-later
"""Functions that give the same float32 on every processor.

NumPy chooses its kernels for powers and exponentials by the instructions that a processor has, and
float32 results differ in the last bit between them. The drainage amplifies such a bit: a river
takes another course. In float64 the kernels differ too, but rounding to float32 removes that.
"""

from __future__ import annotations

import numpy as np

from .arrays import Floats


def power(base: Floats, exponent: float, out: Floats | None = None) -> Floats:
    """Return non-negative float32 numbers raised to a power, for instance by ``np.float32(0.38)``.

    Parameters
    ----------
    base : ndarray of float32
        Any shape, float32, 0 or more.
    exponent : float
        Rounded to float32 first.
    out : ndarray of float32, optional
        Where the result goes; may be ``base``.

    Examples
    --------
    >>> power(np.array([0, 1, 4], np.float32), 0.5).tolist()
    [0.0, 1.0, 2.0]
    """
    raised = np.power(base.astype(np.float64), float(np.float32(exponent)))
    if out is None:
        return raised.astype(np.float32)
    out[...] = raised
    return out


def exp2(values: Floats) -> Floats:
    """Return two to the power of float32 numbers, any shape.

    Examples
    --------
    >>> exp2(np.array([-1, 0, 2], np.float32)).tolist()
    [0.5, 1.0, 4.0]
    """
    return np.exp2(values.astype(np.float64)).astype(np.float32)
