# SPDX-License-Identifier: GPL-3.0-or-later
"""Plants as files of game engines, on the terrain that an export for the engine has."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ...numerics.arrays import Floats
from ...output.engines import ENGINES, Extent
from ...settings.pending_file import PendingFile
from ..plants import Plants
from ..species import Species
from .godot import hterrain_scene, terrain3d_scene
from .unity import unity_trees
from .unreal import unreal_table

Content = Callable[[Extent, Plants, Floats, Sequence[Species]], Iterator[str]]


@dataclass(frozen=True)
class PlantFile:
    """A file of plants that an engine takes: its suffix, and what yields its text."""

    suffix: str
    content: Content


PLANT_FILES: Mapping[str, PlantFile] = {
    "unreal": PlantFile(".csv", unreal_table),
    "unity": PlantFile(".json", unity_trees),
    "terrain3d": PlantFile(".tscn", terrain3d_scene),
    "hterrain": PlantFile(".tscn", hterrain_scene),
}
"""Files of plants by the key of the engine. To add one, write what yields its text."""


def check_suffix(path: Path, engine: str) -> None:
    """Raise ValueError for a file that is not of the kind that the engine takes."""
    suffix = PLANT_FILES[engine].suffix
    if path.suffix.lower() != suffix:
        raise ValueError(
            f"{path.name}: {ENGINES[engine].label} takes plants as {suffix}: choose "
            f"{path.with_suffix(suffix).name}"
        )


def write_for_engine(
    path: Path, engine: str, extent: Extent, plants: Plants, z: Floats, species: Sequence[Species]
) -> None:
    """Write plants as an engine takes them, where they stand on an exported terrain.

    Models are 1 m high and 1 m in radius, as in :func:`write_glb`; sizes are factors of them.

    Parameters
    ----------
    path : Path
        The file; an existing one is replaced once the new one is complete.
    engine : str
        Key in `PLANT_FILES`.
    extent : Extent
        The exported terrain, from :func:`~terrain_addon.core.output.exports.extent_of`, with the
        lowest and the highest height.
    z : ndarray of float32, shape (n,)
        Height of the ground at each plant.
    species : sequence of Species
        What the numbers of species mean.

    Raises
    ------
    ValueError
        The file has another suffix than the engine's.
    OSError
        The file cannot be written.
    """
    check_suffix(path, engine)
    lines = PLANT_FILES[engine].content(extent, plants, z, species)
    PendingFile(path, lambda file: file.writelines(line.encode() for line in lines)).keep()
