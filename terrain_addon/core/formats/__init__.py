# SPDX-License-Identifier: GPL-3.0-or-later
"""Height files that are read and written without Blender, one module per format.

A module registers its format with :func:`~.registry.add`; the command line follows.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from ..evaluation.heightfield import Heightfield
from ..layers import gap_mark
from ..settings import replaced, sync
from ..settings.registry import load_modules
from .registry import FORMATS, Format, Heights, add
from .rows import HeightRows

__all__ = [
    "FORMATS",
    "Format",
    "HeightRows",
    "Heights",
    "add",
    "check_suffix",
    "read",
    "readable",
    "writable",
    "write",
]

load_modules(__name__, first=("npy",))


def readable() -> dict[str, Format]:
    """The formats of :func:`read` by suffix."""
    return {suffix: one for suffix, one in FORMATS.items() if one.read}


def writable() -> dict[str, Format]:
    """The formats of :func:`write` by suffix."""
    return {suffix: one for suffix, one in FORMATS.items() if one.write}


def read(path: str | Path) -> Heights:
    """Read a height file.

    Parameters
    ----------
    path : a file of one of the :func:`readable` formats

    Returns
    -------
    Heights : ``values`` (rows, columns) float32, and ``spacing`` in meters or None

    Raises
    ------
    ValueError : an unknown suffix, a damaged file, values that are not finite or mark gaps
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
    ...     heights = formats.read(path)
    >>> heights.values
    array([[1., 2., 3.],
           [4., 5., 6.]], dtype=float32)
    >>> heights.spacing
    30.0
    """
    path = Path(path)
    read_file = check_suffix(path, readable()).read
    assert read_file is not None
    heights = read_file(path)
    mark = gap_mark(heights.values) if heights.values.size else None
    if mark is not None:
        raise ValueError(
            f"{path.name}: some cells hold no data, marked by {mark:g}: "
            "crop to a part without gaps, or fill them"
        )
    return heights


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
    ...     heights = formats.read(f"{folder}/mesa.npy")
    >>> bool((heights.values == terrain.height).all()), heights.spacing
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
