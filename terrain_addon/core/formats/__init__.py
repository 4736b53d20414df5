# SPDX-License-Identifier: GPL-3.0-or-later
"""Elevation and height files, read and written without Blender, one module per format.

A module registers its format with :func:`~.registry.add`; the command line follows.
"""

from __future__ import annotations

from pathlib import Path

from ..settings import replaced, sync
from ..settings.registry import load_modules
from .beside import aux_xml, files_beside
from .image_places import Unplaced, image_place
from .raster import ENCODINGS, Raster, Stated, elevation_of, stored_numbers
from .registry import FORMATS, Format, RawLayout, add, check_suffix, read, readable
from .rows import HeightRows

__all__ = [
    "ENCODINGS",
    "FORMATS",
    "Format",
    "HeightRows",
    "Raster",
    "RawLayout",
    "Stated",
    "Unplaced",
    "add",
    "check_suffix",
    "elevation_of",
    "files_beside",
    "image_place",
    "read",
    "read_colors",
    "readable",
    "stored_numbers",
    "writable",
    "write",
]

load_modules(__name__, first=("npy",))
from .png import read_colors  # noqa: E402  # behind .npy, whose format comes first


def writable() -> dict[str, Format]:
    """Return the formats of :func:`write` by suffix."""
    return {suffix: one for suffix, one in FORMATS.items() if one.write}


def write(path: str | Path, rows: HeightRows, *, alone: bool = False) -> None:
    """Write heights to a file while they are computed.

    An older file is replaced once the new one is complete. Formats without coordinates have them in
    an .aux.xml file beside, as GDAL and QGIS read it, with the meters that whole numbers stand for.

    Parameters
    ----------
    path : a file of one of the :func:`writable` formats
    rows : heights, some rows at a time; ``terrain.rows()`` of a :class:`Heightfield`
    alone : whether nothing is written beside the file

    Raises
    ------
    ValueError : an unknown suffix
    OSError : the file cannot be written

    Examples
    --------
    >>> import tempfile
    >>> from terrain_addon.core import evaluate, formats, presets
    >>> recipe = presets.load("crater_field")
    >>> terrain = evaluate(recipe, recipe.grid(33))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     formats.write(f"{folder}/craters.npy", terrain.rows())
    ...     model = formats.read(f"{folder}/craters.npy")
    >>> bool((model.height == terrain.height).all()), model.spacing
    (True, (125.0, 125.0))
    """
    path = Path(path)
    kind = check_suffix(path, writable())
    write_file = kind.write
    assert write_file is not None
    rows.folder = rows.folder or path.absolute().parent
    with replaced(path) as beside:
        try:
            with beside.open("wb") as file:
                write_file(file, rows)
            sync(beside)
        finally:
            rows.close()
    if not alone and not kind.places:
        _write_beside(path, kind, rows)


def _write_beside(path: Path, kind: Format, rows: HeightRows) -> None:
    """Write the .aux.xml file, also over an older one that would place the new file."""
    target = path.with_name(f"{path.name}.aux.xml")
    if rows.georeference is None and not target.exists():
        return
    scale = None
    if kind.plain and rows.georeference is not None:
        low, high = rows.range
        scale = ((high - low) / 65535 or 1.0), low
    text = aux_xml(rows.georeference, rows.shape, south_first=kind.south_first, scale=scale)
    with replaced(target) as new:
        new.write_text(text, "utf-8")
