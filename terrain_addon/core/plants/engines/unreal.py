# SPDX-License-Identifier: GPL-3.0-or-later
"""Plants as a data table of Unreal Engine.

Unreal is left-handed with +Z up and measures in centimeters: (x, y, z) of a terrain is
(100 x, -100 y, 100 z), where an exported Landscape lies. Epic Games, *Data Driven Gameplay
Elements*: the first column of a table is the name of a row, a transform is text as in *Copy*.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from ...numerics.arrays import Floats
from ...output.engines import Extent
from ..plants import Plants, quoted_names
from ..species import Species

HEAD = "---,Species,Transform,Height,Crown,Age\n"
ROW = (
    '"(Rotation=(X=0,Y=0,Z={:.6f},W={:.6f}),Translation=(X={:.1f},Y={:.1f},Z={:.1f}),'
    'Scale3D=(X={:.3f},Y={:.3f},Z={:.3f}))",{:.2f},{:.2f},{:.0f}\n'
)


def unreal_table(
    extent: Extent, plants: Plants, z: Floats, species: Sequence[Species]
) -> Iterator[str]:
    """Yield the head of the table, then a row for each plant."""
    names = quoted_names(species)
    half = -plants.rotation / 2  # -Y turns the other way round
    crown, height = plants.crown, plants.height
    places = (100 * plants.x, -100 * plants.y, 100 * z.astype(np.float64))
    columns = (np.sin(half), np.cos(half), *places, crown, crown, height, height, crown, plants.age)
    yield HEAD
    rows = np.array(columns, np.float64).T.tolist()
    for number, (kind, row) in enumerate(zip(plants.species.tolist(), rows, strict=True)):
        yield f"plant_{number},{names[kind]}," + ROW.format(*row)
