# SPDX-License-Identifier: GPL-3.0-or-later
"""Elevation and height files, read and written without Blender, one module per format.

A module registers its format with :func:`~.registry.add`; the command line follows.
"""

from __future__ import annotations

from pathlib import Path

from ..settings import replaced, sync
from ..settings.registry import load_modules
from .registry import FORMATS, Format, RawLayout, add, check_suffix, read, readable
from .rows import HeightRows

__all__ = [
    "FORMATS",
    "Format",
    "HeightRows",
    "RawLayout",
    "add",
    "check_suffix",
    "read",
    "readable",
    "writable",
    "write",
]

load_modules(__name__, first=("npy",))


def writable() -> dict[str, Format]:
    """Return the formats of :func:`write` by suffix."""
    return {suffix: one for suffix, one in FORMATS.items() if one.write}


def write(path: str | Path, rows: HeightRows) -> None:
    """Write heights to a file while they are computed.

    An older file is replaced once the new one is complete.

    Parameters
    ----------
    path : a file of one of the :func:`writable` formats
    rows : heights, some rows at a time; ``terrain.rows()`` of a :class:`Heightfield`

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
    ...     formats.write(f"{folder}/island.npy", terrain.rows())
    ...     model = formats.read(f"{folder}/island.npy")
    >>> bool((model.height == terrain.height).all()), model.spacing
    (True, None)
    """
    path = Path(path)
    write_file = check_suffix(path, writable()).write
    assert write_file is not None
    rows.folder = rows.folder or path.absolute().parent
    with replaced(path) as beside:
        try:
            with beside.open("wb") as file:
                write_file(file, rows)
            sync(beside)
        finally:
            rows.close()
