# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the samples of a GeoTIFF file lie.

Source: OGC 19-008r4, *GeoTIFF Standard 1.1*, 2019, requirements of section 7.3 (coordinate
transformation) and of GTRasterTypeGeoKey.
"""

from __future__ import annotations

from ..beside import fitted
from ..raster import Affine
from .keys import Keys
from .tags import PIXEL_SCALE, TIE_POINTS, TRANSFORMATION, Tags

UPRIGHT = (
    "The file says that its rows run from south to north by a scale below zero; GDAL and QGIS take "
    "such files as north-up, and so does this."
)


def placed(tags: Tags, keys: Keys) -> tuple[Affine | None, tuple[str, ...]]:
    """Return the coordinates of the samples in columns and rows of the file, and notes.

    Raises ValueError for tie points that place it in no regular grid.
    """
    affine, notes = _affine(tags)
    if affine is None or keys.is_point:
        return affine, notes
    x, a, c, y, b, d = affine
    # A pixel that is an area has its sample in the middle; row and column count from its corner.
    return (x + (a + c) / 2, a, c, y + (b + d) / 2, b, d), notes


def _affine(tags: Tags) -> tuple[Affine | None, tuple[str, ...]]:
    """Return the coordinates of column 0 and row 0 of the file, and their steps; None if it has
    none."""
    matrix = tags.doubles(TRANSFORMATION)
    if matrix.size >= 16:
        (a, c, _, x), (b, d, _, y) = matrix[:8].reshape(2, 4)
        return (float(x), float(a), float(c), float(y), float(b), float(d)), ()
    scale, ties = tags.doubles(PIXEL_SCALE), tags.doubles(TIE_POINTS)
    if ties.size < 6:
        return None, ()
    ties = ties[: ties.size // 6 * 6].reshape(-1, 6)
    if scale.size >= 2:
        column, row, _, x, y, _ = map(float, ties[0])
        sx, sy = float(scale[0]), abs(float(scale[1]))
        notes = (UPRIGHT,) if scale[1] < 0 else ()
        return (x - column * sx, sx, 0.0, y + row * sy, 0.0, -sy), notes
    if len(ties) < 3:
        return None, ()
    (x, y), (a, b), (c, d) = fitted(ties[:, :2], ties[:, 3:5]).tolist()
    return (x, a, c, y, b, d), ()
