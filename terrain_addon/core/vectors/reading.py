# SPDX-License-Identifier: GPL-3.0-or-later
"""Reading a file of vectors by its suffix."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from ..settings.input_files import check_regular
from .features import CUT, MOST_BYTES, Vectors
from .geojson import read_geojson
from .gpx import read_gpx
from .osm import read_osm

_READERS: dict[str, Callable[[bytes], Vectors]] = {
    ".geojson": read_geojson,
    ".json": read_geojson,
    ".gpx": read_gpx,
    ".osm": read_osm,
}
SUFFIXES = tuple(_READERS)
"""Endings of the names of files that are read, in lower case."""


def read(path: str | Path) -> Vectors:
    """Return the lines and areas of a GeoJSON, GPX or OpenStreetMap XML file.

    Raises
    ------
    ValueError
        A file of another kind, or one that is damaged, too large, or without lines and areas. The
        message names the file.
    OSError
        The file cannot be read.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp(), "line.geojson")
    >>> _ = path.write_text('{"type": "LineString", "coordinates": [[7, 46], [8, 46]]}')
    >>> read(path).features[0].kind
    'line'
    """
    path = Path(path)
    reader = _READERS.get(path.suffix.lower())
    if reader is None:
        raise ValueError(
            f"{path.name}: vectors are read from {', '.join(SUFFIXES)}: convert it, for example "
            "with ogr2ogr -t_srs EPSG:4326 vectors.geojson"
        )
    check_regular(path)
    with path.open("rb") as file:
        content = file.read(MOST_BYTES + 1)
    try:
        if len(content) > MOST_BYTES:
            raise ValueError(f"it has more than {MOST_BYTES >> 20} MiB. {CUT}")
        vectors = reader(content)
        if not vectors.features:
            raise ValueError("it has neither lines nor areas")
    except ValueError as error:
        raise ValueError(f"{path.name}: {error}") from None
    return vectors
