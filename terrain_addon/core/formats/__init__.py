# SPDX-License-Identifier: GPL-3.0-or-later
"""Elevation and height files, read and written without Blender, one module per format.

A module registers its format with :func:`~.registry.add`; the command line follows.
"""

from __future__ import annotations

from pathlib import Path

from ..evaluation.heightfield import Heightfield
from ..settings import replaced, sync
from ..settings.registry import load_modules
from .elevation import Elevation, Georeference
from .registry import FORMATS, Format, RawLayout, add, check_suffix, read, readable
from .rows import HeightRows, on_grid
from .sources import (
    EVERY,
    KINDS,
    Source,
    as_map,
    is_elevation,
    load_recipe,
    map_of,
    recipe_of,
    with_maps,
)

__all__ = [
    "EVERY",
    "FORMATS",
    "KINDS",
    "Elevation",
    "Format",
    "Georeference",
    "HeightRows",
    "RawLayout",
    "Source",
    "add",
    "as_map",
    "check_suffix",
    "is_elevation",
    "load_recipe",
    "map_of",
    "on_grid",
    "read",
    "readable",
    "recipe_of",
    "with_maps",
    "writable",
    "write",
]

load_modules(__name__, first=("npy",))


def writable() -> dict[str, Format]:
    """The formats of :func:`write` by suffix."""
    return {suffix: one for suffix, one in FORMATS.items() if one.write}


def write(path: str | Path, terrain: Heightfield | HeightRows) -> None:
    """Write the heights of a terrain, also while they are computed.

    An older file is replaced once the new one is complete.

    Parameters
    ----------
    path : a file of one of the :func:`writable` formats
    terrain : its heights are written; :class:`HeightRows` come some rows at a time

    Raises
    ------
    ValueError : an unknown suffix
    OSError : the file cannot be written

    Examples
    --------
    >>> import tempfile
    >>> from terrain_addon.core import evaluate, formats, presets
    >>> recipe = presets.load("plain_island")
    >>> terrain = evaluate(recipe, recipe.grid(33))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     formats.write(f"{folder}/island.npy", terrain)
    ...     model = formats.read(f"{folder}/island.npy")
    >>> bool((model.height == terrain.height).all()), model.spacing
    (True, None)
    """
    path = Path(path)
    write_file = check_suffix(path, writable()).write
    assert write_file is not None
    rows = HeightRows.of(terrain) if isinstance(terrain, Heightfield) else terrain
    rows.folder = rows.folder or path.absolute().parent
    with replaced(path) as beside:
        try:
            with beside.open("wb") as file:
                write_file(file, rows)
            sync(beside)
        finally:
            rows.close()
