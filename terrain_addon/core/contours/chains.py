# SPDX-License-Identifier: GPL-3.0-or-later
"""Segments joined end to end to lines."""

from __future__ import annotations

from itertools import chain

import numpy as np

from ..numerics.arrays import Indices


def chains(start: Indices, end: Indices) -> list[Indices]:
    """Return the nodes along each line of segments, in order; those of a closed line end with the
    first.

    Parameters
    ----------
    start, end : (n,) nodes from which and to which segments run. A node begins one segment at most,
        and ends one at most

    Examples
    --------
    >>> [line.tolist() for line in chains(np.array([7, 2, 5, 4]), np.array([2, 9, 4, 5]))]
    [[7, 2, 9], [5, 4, 5]]
    """
    if not len(start):
        return []
    order = np.argsort(start)
    following = order[np.minimum(np.searchsorted(start[order], end), len(start) - 1)]
    following[start[following] != end] = -1
    continued = np.zeros(len(start), bool)
    continued[following[following >= 0]] = True
    after, unseen = following.tolist(), bytearray(b"\1") * len(start)
    lines: list[Indices] = []
    for first in chain(np.flatnonzero(~continued).tolist(), range(len(start))):
        line: list[int] = []
        segment = first
        while segment >= 0 and unseen[segment]:
            unseen[segment] = 0
            line.append(segment)
            segment = after[segment]
        if line:
            lines.append(np.append(start[line], end[line[-1]]))
    return lines
