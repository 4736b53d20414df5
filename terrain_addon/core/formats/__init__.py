# SPDX-License-Identifier: GPL-3.0-or-later
"""Elevation and height files, read and written without Blender, one module per format.

A module registers its format with :func:`~.registry.add`; the command line follows.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from ..evaluation.heightfield import Heightfield
from ..settings import replaced, sync
from ..settings.registry import load_modules
from .elevation import Elevation, Georeference
from .registry import FORMATS, Format, RawLayout, add
from .rows import HeightRows, on_grid

__all__ = [
    "FORMATS",
    "Elevation",
    "Format",
    "Georeference",
    "HeightRows",
    "RawLayout",
    "add",
    "check_suffix",
    "on_grid",
    "read",
    "readable",
    "writable",
    "write",
]

load_modules(__name__, first=("npy",))


def readable() -> dict[str, Format]:
    """The formats of :func:`read` by suffix."""
    return {suffix: one for suffix, one in FORMATS.items() if one.read or one.read_raw}


def writable() -> dict[str, Format]:
    """The formats of :func:`write` by suffix."""
    return {suffix: one for suffix, one in FORMATS.items() if one.write}


def read(path: str | Path, layout: RawLayout | None = None) -> Elevation:
    """Read a file of elevations or heights.

    Parameters
    ----------
    path : a file of one of the :func:`readable` formats
    layout : what a raw file does not say about itself; other files need none

    Returns
    -------
    Elevation : heights, row 0 in the south, NaN in voids; spacing and georeference where they are
        known

    Raises
    ------
    ValueError : an unknown suffix, a damaged file, a kind of it that is not read, too many samples
    OSError : the file cannot be read

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from terrain_addon.core import formats
    >>> header = "ncols 3\\nnrows 2\\nxllcorner 0\\nyllcorner 0\\ncellsize 30\\n"
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "north_first.asc")
    ...     _ = path.write_text(header + "4 5 6\\n1 2 3\\n")
    ...     model = formats.read(path)
    >>> model.height
    array([[1., 2., 3.],
           [4., 5., 6.]], dtype=float32)
    >>> model.spacing
    (30.0, 30.0)
    """
    path = Path(path)
    one = check_suffix(path, readable())
    try:
        if one.read_raw:
            return one.read_raw(path, layout or RawLayout())
        if layout not in (None, RawLayout()):
            raise ValueError("it says its size and type itself: a layout is for raw files")
        assert one.read is not None
        return one.read(path)
    except ValueError as error:
        text = str(error)
        start = "" if text.startswith(path.name) else f"{path.name}: "
        raise ValueError(f"{start}{text}") from None


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
    >>> recipe = presets.load("mesa")
    >>> terrain = evaluate(recipe, recipe.grid(33))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     formats.write(f"{folder}/mesa.npy", terrain)
    ...     model = formats.read(f"{folder}/mesa.npy")
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
        except OSError as error:  # NumPy gives no reason
            reason = error.strerror or "the disk may be full"
            raise OSError(f"{path} could not be written: {reason}") from None
        finally:
            rows.close()


def check_suffix(path: Path, among: Mapping[str, Format]) -> Format:
    """The format of a file by its suffix; ValueError when it is not ``among`` those given."""
    if path.suffix.lower() not in among:
        raise ValueError(f"{path.name}: the file must end in {' or '.join(among)}")
    return among[path.suffix.lower()]
