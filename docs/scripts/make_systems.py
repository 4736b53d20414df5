# SPDX-License-Identifier: GPL-3.0-or-later
"""Write the table of coordinate systems and units from the database of PROJ, which pyproj holds.

python docs/scripts/make_systems.py            write the table
python docs/scripts/make_systems.py --check    fail if the table is out of date

The table holds, for each code of EPSG and of Esri, what lengths on the ground follow from: unit,
ellipsoid and projection. It is text, which the zip compresses.
"""

from __future__ import annotations

import math
import sqlite3
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pyproj
from pyproj.aoi import AreaOfUse
from pyproj.database import query_crs_info
from pyproj.enums import PJType
from pyproj.exceptions import CRSError, ProjError

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))
TABLE = ROOT / "terrain_addon" / "core" / "elevation" / "systems" / "table.txt"
from terrain_addon.core.elevation.systems.table import COUNTED  # noqa: E402

AUTHORITIES = ("EPSG", "ESRI")
TOLERANCE = 1e-3
"""Share by which lengths may be off where no formula is needed."""
HEAD = f"""# Coordinate systems and units of PROJ {pyproj.proj_version_str} (EPSG and Esri).
# Written by docs/scripts/make_systems.py; do not edit.
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
    yield "[units]"
    yield from _units()
    yield "[ellipsoids]"
    yield from ellipsoids.rows
    yield "[conversions]"
    yield from conversions.rows
    for name, rows in {
        "projected": projected,
        "geographic": geographic,
        "geocentric": [(code, "") for code, _ in _codes(PJType.GEOCENTRIC_CRS)],
        "vertical": [_vertical(*one) for one in _codes(PJType.VERTICAL_CRS)],
        "compound": [_compound(*one) for one in _codes(PJType.COMPOUND_CRS)],
    }.items():
        yield f"[{name}]"
        values = [f"{code},{text}" if text else str(code) for code, text in sorted(rows)]
        yield from _differences(values, COUNTED.get(name, (0,)))


def _differences(rows: list[str], columns: Sequence[int]) -> Iterator[str]:
    """Yield rows with differences from the row above in some columns, and nothing for 1."""
    above = dict.fromkeys(columns, 0)
    for row in rows:
        values = row.split(",")
        for column in columns:
            step, above[column] = int(values[column]) - above[column], int(values[column])
            values[column] = "" if step == 1 else str(step)
        yield ",".join(values)


class Numbered:
    """Rows, each of which is written once and named by its number."""

    def __init__(self) -> None:
        self.rows: list[str] = []
        self._numbers: dict[str, int] = {}

    def __call__(self, row: str) -> int:
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


def number(value: float) -> str:
    """Return a number in the fewest digits that give it back."""
    return repr(int(value)) if value == int(value) and abs(value) < 1e15 else repr(float(value))


def _ellipsoid(crs: pyproj.CRS) -> str:
    body = crs.ellipsoid
    assert body is not None
    return f"{number(body.semi_major_metre)},{number(body.inverse_flattening)}"


def _projected(
    code: int, crs: pyproj.CRS, ellipsoids: Numbered, conversions: Numbered
) -> tuple[int, str]:
    from terrain_addon.core.elevation.systems.wkt import parsed, projection_in

    unit = crs.axis_info[0].unit_conversion_factor
    projection = projection_in(parsed(crs.to_wkt("WKT2_2019"))[0], unit, 1.0)
    assert projection is not None and crs.coordinate_operation is not None
    if projection.is_known:
        values = [number(round(one, 11)) for one in projection.values]
        row = ",".join([projection.method, *values])
    else:
        row = (
            "true"
            if projection.method == "true" or _is_true(crs)
            else crs.coordinate_operation.method_name.replace(",", " ")
        )
    parts = [number(ellipsoids(_ellipsoid(crs))), number(conversions(row))]
    return code, ",".join(parts if unit == 1 else [*parts, number(unit)])


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


def _geographic(code: int, crs: pyproj.CRS, ellipsoids: Numbered) -> tuple[int, str]:
    degrees = math.degrees(crs.axis_info[0].unit_conversion_factor)
    parts = [number(ellipsoids(_ellipsoid(crs)))]
    return code, ",".join(parts if abs(degrees - 1) < 1e-12 else [*parts, number(degrees)])


def _vertical(code: int, crs: pyproj.CRS) -> tuple[int, str]:
    axis = crs.axis_info[0]
    factor = axis.unit_conversion_factor * (-1 if axis.direction == "down" else 1)
    return code, "" if factor == 1 else number(factor)


def _compound(code: int, crs: pyproj.CRS) -> tuple[int, str]:
    return code, ",".join(str(one.to_authority(min_confidence=0)[1]) for one in crs.sub_crs_list)


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
