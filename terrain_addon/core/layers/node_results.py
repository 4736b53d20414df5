# SPDX-License-Identifier: GPL-3.0-or-later
"""Results of node trees: values on a grid over the whole terrain, kept as text in the recipe.

Blender evaluates the nodes and writes the text. Whatever evaluates the recipe afterwards, with or
without Blender, samples the same values.
"""

from __future__ import annotations

import base64
import binascii
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import numpy as np

from ..numerics.arrays import Floats
from ..numerics.grid import Grid
from ..settings.params import Settings, param
from .context import LayerContext
from .maps import Map
from .periods import crossfaded

STEPS = 2**16 - 1
"""Steps between the lowest and the highest value of a result."""
MOST = 4096
"""Points along a side at most."""
DAMAGED = "The result of the nodes is damaged: clear the setting 'stored', and evaluate them again"


@dataclass(frozen=True)
class NodeResult:
    """Values of a node tree on a grid of points from border to border.

    Attributes
    ----------
    values : Map
        Spans the terrain, whatever its size.
    made_from : str
        A digest of all that the values follow from.
    """

    values: Map
    made_from: str


def packed(values: Floats, made_from: str) -> str:
    """Return values on a grid as text: 16 bits a point between the lowest and the highest.

    Parameters
    ----------
    values : ndarray of float32, shape (ny, nx)
        Finite; up to 4096 points along a side.
    made_from : str
        A digest without spaces of all that they follow from.

    Returns
    -------
    str
        Width, height, lowest, highest, digest and compressed values, for :func:`unpacked`.

    Raises
    ------
    ValueError
        Values that are not finite, or too many.

    Examples
    --------
    >>> import numpy as np
    >>> text = packed(np.float32([[0, 0.5], [0.25, 1]]), "a1")
    >>> unpacked(text).values.values.round(4)
    array([[0.  , 0.5 ],
           [0.25, 1.  ]], dtype=float32)
    """
    if not np.isfinite(values).all():
        raise ValueError("The values of the nodes are not finite")
    if values.ndim != 2 or not 0 < min(values.shape) <= max(values.shape) <= MOST:
        raise ValueError(f"A result of nodes has 1 to {MOST} points along a side")
    low, high = float(values.min()), float(values.max())
    share = (values.astype(np.float64) - low) / ((high - low) or 1.0)
    counts = np.rint(share * STEPS).astype("<u2")
    steps = np.diff(counts, axis=1, prepend=np.uint16(0))  # wraps around; compresses far better
    planes = np.stack([steps & 0xFF, steps >> 8]).astype(np.uint8)
    data = base64.b64encode(zlib.compress(planes.tobytes(), 6)).decode()
    rows, columns = values.shape
    return f"{columns} {rows} {low!r} {high!r} {made_from or '-'} {data}"


@lru_cache(maxsize=16)  # each window and each tick of a slider asks
def unpacked(text: str) -> NodeResult:
    """Return what :func:`packed` packed; ValueError for other text."""
    try:
        columns, rows, low, high, made_from, data = text.split(" ")
        shape, ends = (int(rows), int(columns)), (float(low), float(high))
        if not 0 < min(shape) <= max(shape) <= MOST or not np.isfinite(ends).all():
            raise ValueError(DAMAGED)
        size = 2 * shape[0] * shape[1]
        planes = zlib.decompressobj().decompress(base64.b64decode(data, validate=True), size + 1)
        if len(planes) != size:
            raise ValueError(DAMAGED)
    except (ValueError, binascii.Error, zlib.error):
        raise ValueError(DAMAGED) from None
    parts = np.frombuffer(planes, np.uint8).reshape(2, *shape).astype(np.uint16)
    counts = np.cumsum(parts[0] | parts[1] << 8, axis=1, dtype=np.uint16)
    values = ends[0] + counts / STEPS * (ends[1] - ends[0])
    return NodeResult(Map("", values.astype(np.float32)), made_from)


class FromNodes(Settings):
    """What the layer and the mask from nodes have in common."""

    unset_notes: ClassVar[Mapping[str, str]] = {"nodes": "No nodes yet: without effect"}

    nodes: str = param(
        "",
        "Nodes",
        "Geometry node group with an output of one number, evaluated for each point of a grid "
        "with the heights and fields of the terrain below",
        unit="nodes",
    )
    resolution: int = param(
        512,
        "Resolution",
        "Points of that grid along the longer side; in between, values are interpolated",
        min=2,
        max=MOST,
        soft_min=64,
        soft_max=1024,
    )
    stored: str = param(
        "",
        "Result",
        "The values of the nodes on their grid as text, which Blender writes",
        unit="grid",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.stored:
            unpacked(self.stored)

    def sampled(self, context: LayerContext) -> Floats:
        """Return the result at the points of a context's grid, interpolated linearly: (ny, nx)
        float32.

        Raises ValueError where the nodes have no result yet.
        """
        if not self.stored:
            raise ValueError(
                f"The nodes {self.nodes!r} have no result: open the terrain in Blender and press "
                "Evaluate Nodes beside their name, or clear it"
            )
        found = unpacked(self.stored).values

        def on(grid: Grid, rows: slice, columns: slice) -> Floats:
            return found.sample(grid, context.size_x, context.size_y, context.cancelled)

        if context.seamless:
            return crossfaded(on, context.grid, context.size_x, context.size_y)
        return on(context.grid, slice(None), slice(None))
