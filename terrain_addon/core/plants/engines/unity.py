# SPDX-License-Identifier: GPL-3.0-or-later
"""Plants as trees of Unity's Terrain.

Unity is left-handed with +Y up: (x, y, z) of a terrain is (x, z, y). Unity Technologies,
*TreeInstance*: positions are shares of the terrain's size, rotations radians clockwise from above.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

import numpy as np

from ...numerics.arrays import Floats
from ...output.engines import Extent
from ..plants import Plants
from ..species import Species

TREE = (
    '{{"position":{{"x":{:.8f},"y":{:.8f},"z":{:.8f}}},"widthScale":{:.3f},"heightScale":{:.3f},'
    '"rotation":{:.5f},"prototypeIndex":{}}}'
)


def unity_trees(
    extent: Extent, plants: Plants, z: Floats, species: Sequence[Species]
) -> Iterator[str]:
    """Yield JSON: where the whole terrain lies, the species that grow, and a tree for each."""
    grown, numbers = np.unique(plants.species, return_inverse=True)
    kinds: list[int] = grown.tolist()
    about: dict[str, object] = {
        "terrainPosition": _vector(-extent.size_x / 2, extent.low, -extent.size_y / 2),
        "terrainSize": _vector(extent.size_x, extent.high - extent.low, extent.size_y),
        "prototypes": [species[kind].name for kind in kinds],
    }
    up = (z.astype(np.float64) - extent.low) / (extent.high - extent.low)
    across, along = plants.x / extent.size_x + 0.5, plants.y / extent.size_y + 0.5
    turn = (2 * np.pi - plants.rotation) % (2 * np.pi)
    rows = np.array((across, up, along, plants.crown, plants.height, turn), np.float64).T.tolist()
    yield json.dumps(about, ensure_ascii=False, indent=1)[:-2] + ',\n "trees": ['
    separator = "\n"
    for number, row in zip(numbers.tolist(), rows, strict=True):
        yield separator + TREE.format(*row, number)
        separator = ",\n"
    yield "\n]}\n"


def _vector(x: float, y: float, z: float) -> dict[str, float]:
    return {"x": x, "y": y, "z": z}
