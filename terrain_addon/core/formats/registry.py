# SPDX-License-Identifier: GPL-3.0-or-later
"""The registry of file formats, and reading a file by its suffix."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO

from ..elevation import Elevation, Picture, Unread
from ..numerics.progress import Cancel
from ..settings.input_files import check_regular
from .beside import Beside
from .raster import NOTHING, Raster, Stated, elevation_of
from .rows import POINT, HeightRows
from .samples import flip_rows


@dataclass(frozen=True)
class RawLayout:
    """What a raw file does not say about itself; None is guessed from its size and its values.

    Attributes
    ----------
    columns, rows : samples; a square by default
    bits : 8, 16 or 32, of integers; 32 with ``kind`` "f" are floats
    order : "little" or "big", the byte order
    kind : "u" for numbers from zero on, "i" for signed ones, "f" for floats
    north_first : whether the first row is the northern one
    """

    columns: int | None = None
    rows: int | None = None
    bits: int | None = None
    order: str | None = None
    kind: str | None = None
    north_first: bool = False


@dataclass(frozen=True)
class Format:
    """A file format.

    Attributes
    ----------
    suffix : ending of the file name, in lower case
    help : what such a file holds, for help texts
    read : reads a file, with what lies beside it; ValueError for a damaged one; Cancelled where
        asked to stop; None if not supported
    write : writes heights, which come some rows at a time, to a binary file; None if not supported
    point : bytes of a height on the disk while a file is written, with what waits for the range
    read_raw : reads a file that does not describe itself; instead of ``read``
    places : whether the format holds coordinates; others have them in an .aux.xml file beside
    any_row : whether the first row may be the northern one, which the file does not tell
    south_first : whether the first row that is written is the southern one
    plain : whether it holds numbers of 16 bits, not meters
    """

    suffix: str
    help: str
    read: Callable[[Path, Beside, Cancel | None], Raster] | None = None
    write: Callable[[IO[bytes], HeightRows], None] | None = None
    point: int = POINT
    read_raw: Callable[[Path, Beside, RawLayout, Cancel | None], Raster] | None = None
    places: bool = False
    any_row: bool = False
    south_first: bool = False
    plain: bool = False


SOUTH_FIRST = (
    "Its first row is taken as the southern one; arrays of images and of rasterio begin in the "
    "north: say so with the option north."
)
POINT_CLOUDS = (".las", ".laz", ".copc", ".e57")
CONVERT = 'with pip install "orogen[gis]", orogen convert IN OUT.tif makes a file that is read'
"""What to do about kinds of files that GDAL may read."""
FORMATS: dict[str, Format] = {}
"""All formats by suffix."""


def add(file_format: Format) -> None:
    """Register a format."""
    FORMATS[file_format.suffix] = file_format


def readable() -> dict[str, Format]:
    """Return the formats of :func:`read` by suffix."""
    return {suffix: one for suffix, one in FORMATS.items() if one.read or one.read_raw}


def read(
    path: str | Path,
    layout: RawLayout | None = None,
    *,
    stated: Stated | None = None,
    alone: bool = False,
    cancelled: Cancel | None = None,
) -> Elevation:
    """Read a file of elevations or heights.

    This takes at most 64 MiB of memory beside the heights.

    Parameters
    ----------
    path : a file of one of the :func:`readable` formats
    layout : what a raw file does not say about itself; other files need none, except that
        ``north_first`` turns an array
    stated : units and spacing, instead of what the file says
    alone : whether files beside it are left aside, such as world files and cards of exports
    cancelled : polled every few milliseconds; True stops the reading

    Returns
    -------
    Elevation : heights, row 0 in the south, NaN in voids; spacing and georeference where they are
        known

    Raises
    ------
    ValueError : an unknown suffix, a damaged file, a kind of it that is not read, too many samples;
        :class:`Picture` for one with colors
    OSError : the file cannot be read
    Cancelled : ``cancelled`` returned true

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
    stated = stated or NOTHING
    try:
        one = _format_of(path)
        check_regular(path)
        return elevation_of(
            raster_of(path, one, Beside(path, alone, stated), layout, cancelled), stated
        )
    except ValueError as error:
        text = str(error)
        start = "" if text.startswith(path.name) else f"{path.name}: "
        if isinstance(error, Unread):
            text += f" ({CONVERT})"
        raise _kind(error)(f"{start}{text}") from None


def _format_of(path: Path) -> Format:
    """Return the format of a file to read."""
    suffix = path.suffix.lower()
    if suffix in POINT_CLOUDS:
        raise ValueError(
            "point clouds are not read: make a grid of their ground, for example with pdal "
            f"translate {path.name} out.tif --writers.gdal.resolution=1"
        )
    if suffix not in readable():
        raise Unread(f"files that end in {suffix or 'nothing'} are not read")
    return readable()[suffix]


def _kind(error: ValueError) -> type[ValueError]:
    """Return the class of an error for whoever reads a file."""
    return next((kind for kind in (Picture, Unread) if isinstance(error, kind)), ValueError)


def raster_of(
    path: Path,
    one: Format,
    beside: Beside,
    layout: RawLayout | None = None,
    cancelled: Cancel | None = None,
) -> Raster:
    """Read a file and what lies beside it."""
    if one.read_raw:
        if layout in (None, RawLayout()):
            layout = RawLayout(**beside.raw)
        return beside.complete(one.read_raw(path, beside, layout, cancelled))
    turned = layout is not None and layout.north_first and one.any_row
    if layout not in (None, RawLayout(), RawLayout(north_first=turned)):
        raise ValueError("it says its size and type itself: a layout is for raw files")
    assert one.read is not None
    raster = one.read(path, beside, cancelled)
    if turned:
        flip_rows(raster.height)
        raster = replace(raster, flipped=True)
    raster = beside.complete(raster)
    if one.any_row and not turned and raster.affine is None:
        raster = replace(raster, notes=(*raster.notes, SOUTH_FIRST))
    return raster


def check_suffix(path: Path, among: Mapping[str, Format]) -> Format:
    """Return the format of a file by its suffix; ValueError unless it is ``among`` those given."""
    if path.suffix.lower() not in among:
        raise ValueError(f"{path.name or path}: the file must end in {' or '.join(among)}")
    return among[path.suffix.lower()]
