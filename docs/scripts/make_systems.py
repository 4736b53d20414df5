# SPDX-License-Identifier: GPL-3.0-or-later
"""Write the table of coordinate systems and units from the database of PROJ, which pyproj holds.

python docs/scripts/make_systems.py            write the table
python docs/scripts/make_systems.py --check    fail if the table is out of date

The table holds, for each code of EPSG and of Esri, what lengths on the ground follow from: unit,
ellipsoid and projection. It is text, which the zip compresses: values of a column lie side by
side, since they resemble each other more than those of a row.
"""

from __future__ import annotations

import math
import sqlite3
import sys
from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise
from pathlib import Path
from typing import Any

import pyproj
from pyproj.aoi import AreaOfUse
from pyproj.database import query_crs_info
from pyproj.enums import PJType
from pyproj.exceptions import CRSError, ProjError

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))
TABLE = ROOT / "terrain_addon" / "core" / "elevation" / "systems" / "table.txt"
from terrain_addon.core.elevation.systems import METHODS, TRUE  # noqa: E402
from terrain_addon.core.elevation.systems.table import DIFFERENCES  # noqa: E402
from terrain_addon.core.elevation.systems.wkt import parsed, projection_in  # noqa: E402

Row = tuple[Any, ...]
AUTHORITIES = ("EPSG", "ESRI")
TOLERANCE = 1e-3
"""Share by which lengths may be off where no formula is needed."""
HEAD = f"""# Coordinate systems and units of PROJ {pyproj.proj_version_str} (EPSG and Esri).
# Written by docs/scripts/make_systems.py; do not edit. Except in units, each line is a column:
# "1*3" stands for three values of 1; codes, conversions and planes are differences, each from the
# one before it.
"""


def main() -> None:
    text = HEAD + "".join(line + "\n" for line in lines())
    if "--check" not in sys.argv[1:]:
        TABLE.write_text(text, encoding="utf-8", newline="\n")
    elif TABLE.read_text(encoding="utf-8") != text:
        sys.exit(f"{TABLE.name} is out of date: python docs/scripts/make_systems.py")


def lines() -> Iterator[str]:
    """Yield the lines of all sections."""
    ellipsoids, conversions = Numbered(), Numbered()
    projected = [_projected(*one, ellipsoids, conversions) for one in _codes(PJType.PROJECTED_CRS)]
    geographic = [
        _geographic(*one, ellipsoids)
        for kind in (PJType.GEOGRAPHIC_2D_CRS, PJType.GEOGRAPHIC_3D_CRS)
        for one in _codes(kind)
    ]
    geocentric = [(code,) for code, _ in _codes(PJType.GEOCENTRIC_CRS)]
    vertical = [_vertical(*one) for one in _codes(PJType.VERTICAL_CRS)]
    compound = [_compound(*one) for one in _codes(PJType.COMPOUND_CRS)]
    yield "[units]"
    yield from _units()
    yield from _columns("ellipsoids", ("radius", "flattening"), ellipsoids.rows)
    yield from _columns("conversions", ("method",), [row[:1] for row in conversions.rows])
    for method, (parameters, _) in METHODS.items():
        values = [row[1:] for row in conversions.rows if row[0] == method]
        yield from _columns(method, parameters, values)
    yield from _columns("projected", ("code", "ellipsoid", "conversion", "unit"), sorted(projected))
    yield from _columns("geographic", ("code", "ellipsoid", "unit"), sorted(geographic))
    yield from _columns("geocentric", ("code",), sorted(geocentric))
    yield from _columns("vertical", ("code", "unit"), sorted(vertical))
    yield from _columns("compound", ("code", "plane", "heights"), sorted(compound))


def _columns(section: str, names: Sequence[str], rows: Sequence[Row]) -> Iterator[str]:
    """Yield a section with a line for each column, in which runs of a value are counted."""
    yield f"[{section}]"
    for name, values in zip(names, zip(*rows, strict=True), strict=True):
        if name in DIFFERENCES:
            values = (values[0], *(b - a for a, b in pairwise(values)))
        runs = [(number(value), len(list(run))) for value, run in groupby(values)]
        yield f"{name} " + ",".join(f"{value}*{n}" if n > 1 else value for value, n in runs)


class Numbered:
    """Rows, each of which is written once and named by its number."""

    def __init__(self) -> None:
        self.rows: list[Row] = []
        self._numbers: dict[Row, int] = {}

    def __call__(self, *row: Any) -> int:
        if row not in self._numbers:
            self._numbers[row] = len(self.rows)
            self.rows.append(row)
        return self._numbers[row]


def _codes(kind: PJType) -> Iterator[tuple[int, pyproj.CRS]]:
    """Yield the systems of a kind; a code that both authorities have is that of EPSG."""
    seen: set[str] = set()
    for authority in AUTHORITIES:
        for about in query_crs_info(authority, kind, allow_deprecated=True):
            if (
                about.code.isdigit()
                and about.code not in seen
                and not _taken(about.code, authority)
            ):
                seen.add(about.code)
                yield int(about.code), pyproj.CRS.from_authority(authority, about.code)


def _taken(code: str, authority: str) -> bool:
    """Return whether EPSG uses a code of another authority for a system of its own."""
    return authority != "EPSG" and code in _EPSG


_EPSG = {about.code for about in query_crs_info("EPSG", allow_deprecated=True)}


def number(value: Any) -> str:
    """Return a name, or a number in the fewest digits that give it back."""
    if isinstance(value, str):
        return value
    return repr(int(value)) if value == int(value) and abs(value) < 1e15 else repr(float(value))


def _ellipsoid(crs: pyproj.CRS) -> Row:
    body = crs.ellipsoid
    assert body is not None
    return body.semi_major_metre, body.inverse_flattening


def _projected(code: int, crs: pyproj.CRS, ellipsoids: Numbered, conversions: Numbered) -> Row:
    unit = crs.axis_info[0].unit_conversion_factor
    projection = projection_in(parsed(crs.to_wkt("WKT2_2019"))[0], unit, 1.0)
    assert projection is not None and crs.coordinate_operation is not None
    method = projection.method
    if not projection.is_known and method != TRUE:
        method = crs.coordinate_operation.method_name.replace(",", " ")
        method = TRUE if _is_true(crs) else method
    body = ellipsoids(*_ellipsoid(crs))
    return code, body, conversions(method, *projection.values), unit


def _is_true(crs: pyproj.CRS) -> bool:
    """Return whether a projection keeps lengths true to scale throughout its area of use."""
    meridian = crs.prime_meridian.longitude if crs.prime_meridian else 0.0
    area = crs.area_of_use or AreaOfUse(-180, -90, 180, 90, "")
    east = area.east + (360 if area.east < area.west else 0)
    try:
        projection = pyproj.Proj(crs)
    except (CRSError, ProjError):  # PROJ has no formula either
        return False
    for i in range(5):
        for j in range(5):
            x, y = (
                area.west + (east - area.west) * i / 4,
                area.south + (area.north - area.south) * j / 4,
            )
            try:
                scale = projection.get_factors((x - meridian + 180) % 360 - 180, y)
            except ProjError:
                return False
            both = scale.parallel_scale, scale.meridional_scale
            if not all(abs(one - 1) <= TOLERANCE for one in both):
                return False
    return True


def _geographic(code: int, crs: pyproj.CRS, ellipsoids: Numbered) -> Row:
    degrees = math.degrees(crs.axis_info[0].unit_conversion_factor)
    return code, ellipsoids(*_ellipsoid(crs)), 1 if abs(degrees - 1) < 1e-12 else degrees


def _vertical(code: int, crs: pyproj.CRS) -> Row:
    axis = crs.axis_info[0]
    return code, axis.unit_conversion_factor * (-1 if axis.direction == "down" else 1)


def _compound(code: int, crs: pyproj.CRS) -> Row:
    return code, *(int(one.to_authority(min_confidence=0)[1]) for one in crs.sub_crs_list)


def _units() -> Iterator[str]:
    """Yield code, meters or radians, kind and names of all units; a code of 0 has none in EPSG."""
    base = sqlite3.connect(Path(pyproj.datadir.get_data_dir()) / "proj.db")
    about = (
        "select auth_name, code, name, type, conv_factor, proj_short_name from unit_of_measure "
        "where type in ('length', 'angle') and conv_factor is not null and name not like '% per %' "
        "order by auth_name, code"
    )
    for authority, code, name, kind, factor, short in base.execute(about):
        found = base.execute(
            "select alt_name from alias_name where table_name = 'unit_of_measure' "
            "and auth_name = ? and code = ? order by 1", (authority, code)
        )  # fmt: skip
        names: list[str] = [name, *([short] if short else []), *(str(one) for (one,) in found)]
        number_ = code if authority == "EPSG" else 0
        yield f"{number_},{number(factor)},{kind},{','.join(dict.fromkeys(names))}"


if __name__ == "__main__":
    main()
