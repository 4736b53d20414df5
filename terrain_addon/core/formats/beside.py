# SPDX-License-Identifier: GPL-3.0-or-later
"""Files beside an elevation file that say where it lies and what its numbers mean.

World files (.tfw, .pgw, .wld), projection files (.prj) and .aux.xml files of GDAL and ArcGIS, in
any case of letters.
"""

from __future__ import annotations

import math
import os
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np

from ..elevation import METERS, Georeference, System
from ..elevation.systems import length_named
from ..elevation.systems.texts import system_in
from ..elevation.systems.writing import wkt
from .card import MANIFEST, Card
from .raster import NOTHING, Affine, Raster, Stated

LONGEST = 4 << 20
"""Bytes of a text beside a file."""
DOMAIN = "Orogen"
"""Domain of the metadata that say how large a raw file is."""
NO_UNIT = ("", "none", "unknown", "unitless", "n/a")


@dataclass(frozen=True)
class Beside:
    """What is known of the file at ``path`` beside its content.

    Attributes
    ----------
    path : the file; those beside it are read when they are asked for
    alone : whether they are left aside
    stated : what the user says
    """

    path: Path
    alone: bool = False
    stated: Stated = NOTHING

    @cached_property
    def _names(self) -> dict[str, str]:
        """Names in the folder by those in lower case, of files that begin as this one does."""
        stem = self.path.stem.lower()
        if self.alone:
            return {}
        try:
            names = os.listdir(self.path.parent)
        except OSError:
            return {}
        near = (name for name in names if name.lower().startswith(stem))
        return {name.lower(): name for name in sorted(near, reverse=True)}

    def find(self, *endings: str) -> Path | None:
        """Return the first file whose name is that of the file with another ending, or None."""
        stem, name = self.path.stem.lower(), self.path.name.lower()
        for ending in endings:
            for whole in (f"{name}{ending}", f"{stem}{ending}"):
                found = self._names.get(whole)
                if found is None or found == self.path.name:
                    continue
                if (near := self.path.with_name(found)).is_file():
                    return near
        return None

    def text(self, *endings: str) -> str | None:
        """Return the text of such a file, or None."""
        path = self.find(*endings)
        return None if path is None else decoded(path)

    @cached_property
    def aux(self) -> ElementTree.Element | None:
        """The content of NAME.aux.xml; None without it."""
        text = self.text(".aux.xml")
        if text is None:
            return None
        try:
            if "<!" in text.replace("<!--", ""):  # entities may expand without end
                raise ElementTree.ParseError
            return ElementTree.fromstring(text.strip().encode())
        except (ElementTree.ParseError, ValueError, LookupError):
            raise ValueError(
                "the .aux.xml file beside it is damaged: remove or repair it"
            ) from None

    def band(self, name: str) -> str | None:
        """Return a text about the first band in the .aux.xml file, or None."""
        if self.aux is None:
            return None
        bands = [one for one in self.aux.iter("PAMRasterBand") if one.get("band", "1") == "1"]
        found = bands[0].findtext(name) if bands else None
        return None if found is None else found.strip()

    @cached_property
    def card(self) -> Card | None:
        """The card of an export for a game engine; None for other files."""
        return None if self.alone else Card.of(self.path)

    @property
    def raw(self) -> dict[str, Any]:
        """What is known of the layout of a raw file, by the names of its parts."""
        usual = {"bits": 16, "order": "little", "kind": "u"}
        if self.card is not None:
            card = self.card
            return {"columns": card.columns, "rows": card.rows, "north_first": card.north_first,
                    **usual}  # fmt: skip
        if self.aux is None:
            return {}
        domain = self.aux.find(f"Metadata[@domain='{DOMAIN}']")
        if domain is None:
            return {}
        items = {one.get("key"): int(_number(one.text or "", "size")) for one in domain.iter("MDI")}
        return {"columns": items.get("columns"), "rows": items.get("rows"), **usual}

    @property
    def no_data(self) -> str | None:
        """The value that marks voids, as a text."""
        return self.band("NoDataValue")

    @property
    def is_placed(self) -> bool:
        """Whether a file beside says where the samples lie."""
        return self._aux_affine() is not None or self._world() is not None

    def complete(self, raster: Raster) -> Raster:
        """Add what the files say; an .aux.xml file precedes the file itself, as in GDAL, and other
        files come after it."""
        raster = self._numbers(raster)
        if self.card is not None:
            raster = self._carded(raster, self.card)
        aux = self._aux_affine()
        if aux is not None:
            raster = replace(raster, affine=aux)
        elif raster.affine is None:
            raster = replace(raster, affine=self._world())
        return self._system(raster)

    def _carded(self, raster: Raster, card: Card) -> Raster:
        """Add what the card of an export says."""
        if raster.stored is not None:
            low, high = raster.stored
            factor = (card.high - card.low) / (high - low)
            raster = replace(raster, factor=factor, offset=card.low - low * factor)
        if raster.affine is not None or card.affine is None:
            return raster
        x, a, c, y, b, d = card.affine
        if not raster.flipped:  # the file begins in the south
            rows = raster.height.shape[0]
            x, y, c, d = x + (rows - 1) * c, y + (rows - 1) * d, -c, -d
        system = system_in(card.system) if card.system else METERS
        return replace(raster, affine=(x, a, c, y, b, d), system=system)

    def _numbers(self, raster: Raster) -> Raster:
        """Add factor, offset and unit of the heights."""
        factor, offset, unit = (self.band(name) for name in ("Scale", "Offset", "UnitType"))
        if factor is not None:
            raster = replace(raster, factor=_number(factor, "factor"))
        if offset is not None:
            raster = replace(raster, offset=_number(offset, "offset"))
        if unit is not None and unit.lower() not in NO_UNIT:
            raster = replace(raster, unit=length_named(unit), unit_name=unit)
        return raster

    def _system(self, raster: Raster) -> Raster:
        """Add the coordinate system."""
        text = None
        if self.aux is not None:
            text = self.aux.findtext("SRS") or next(
                (one.text for one in self.aux.iter("WKT") if one.text), None
            )
        if not (text or "").strip() and raster.system is None and not raster.trouble:
            text = self.text(".prj")
        if not (text or "").strip():
            return raster
        try:
            return replace(raster, system=system_in(text or ""), trouble="")
        except ValueError as error:
            return replace(raster, system=None, trouble=str(error))

    def _aux_affine(self) -> Affine | None:
        """Return the affine map of the .aux.xml file, or None."""
        if self.aux is None:
            return None
        text = self.aux.findtext("GeoTransform")
        if text is not None:
            return of_corner(*_numbers(text, 6))
        points = [[_number(one.get(name, ""), name) for name in ("Pixel", "Line", "X", "Y")]
                  for one in self.aux.iter("GCP")]  # fmt: skip
        if not points:
            points = self._control_points()
        if len(points) < 3:
            return None
        columns = np.array(points)
        return of_corner(*_transposed(fitted(columns[:, :2], columns[:, 2:])))

    def _control_points(self) -> list[list[float]]:
        """Return columns, rows and coordinates of the control points of ArcGIS."""
        assert self.aux is not None
        source, target = (self.aux.find(f".//{name}GCPs") for name in ("Source", "Target"))
        if source is None or target is None:
            return []
        from_, to = ([_number(one.text or "", "point") for one in points.iter("Double")]
                     for points in (source, target))  # fmt: skip
        if len(from_) != len(to):
            return []
        pairs = zip(from_[::2], from_[1::2], to[::2], to[1::2], strict=True)
        return [[i, -j, x, y] for i, j, x, y in pairs]

    def _world(self) -> Affine | None:
        """Return the affine map of a world file, which is that of the samples, or None."""
        text = self.text(*world_endings(self.path.suffix))
        if text is None:
            return None
        a, b, c, d, x, y = _numbers(text, 6)
        return x, a, c, y, b, d


def files_beside(path: Path) -> list[Path]:
    """Return the files that may say more about a file, the card of an export among them."""
    beside = Beside(path)
    endings = (".aux.xml", ".prj", ".hdr", ".msk", *world_endings(path.suffix))
    near = [beside.find(ending) for ending in endings]
    return [one for one in (*near, path.parent / MANIFEST) if one is not None and one.is_file()]


def world_endings(suffix: str) -> tuple[str, ...]:
    """Return the endings of world files of a file with a suffix, such as .tfw and .tifw."""
    suffix = suffix.lower()
    return f"{suffix[:2]}{suffix[-1]}w", f"{suffix}w", ".wld", ".tfw"


def of_corner(x: float, a: float, c: float, y: float, b: float, d: float) -> Affine:
    """Return the affine map of samples, from that of the outer corners of cells, as GDAL has it."""
    return x + (a + c) / 2, a, c, y + (b + d) / 2, b, d


def fitted(places: np.ndarray, coordinates: np.ndarray) -> np.ndarray:
    """Fit an affine map to (columns, rows) and (x, y) of points: rows of constant, column, row.

    Raises ValueError for points that need another kind of map.
    """
    terms = np.column_stack([np.ones(len(places)), places])
    whole = np.isfinite(terms).all() and np.isfinite(coordinates).all()
    if not whole or np.linalg.matrix_rank(terms) < 3:
        raise ValueError("its tie points do not place it")
    found, *_ = np.linalg.lstsq(terms, coordinates, rcond=None)
    miss = np.abs(terms @ found - coordinates).max()
    if miss > 0.1 * np.abs(found[1:]).max():
        raise ValueError("it is warped by its tie points: straighten it, for example with gdalwarp")
    return found


def _transposed(found: np.ndarray) -> Affine:
    (x, y), (a, b), (c, d) = found.tolist()
    return x, a, c, y, b, d


def decoded(path: Path) -> str:
    """Return the text of a small file, in UTF-8 or, with a byte order mark, in UTF-16."""
    with path.open("rb") as file:
        data = file.read(LONGEST)
    return as_text(data)


def as_text(data: bytes) -> str:
    """Decode a text: UTF-16 with a byte order mark, otherwise UTF-8 or Latin-1."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", "replace").lstrip("\ufeff")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def _number(text: str, name: str) -> float:
    try:
        value = float(text.strip().replace(",", "."))
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise ValueError(f"the {name} {text[:40]!r} in a file beside it is no number")
    return value


def _numbers(text: str, count: int) -> list[float]:
    """Parse the first numbers of a text, separated by spaces, lines or commas."""
    words = text.replace(", ", " ").replace(",\n", " ").split()
    if len(words) < count:
        raise ValueError(f"a file beside it has {len(words)} numbers, not {count}, for its place")
    return [_number(word, "number") for word in words[:count]]


def aux_xml(
    place: Georeference | None,
    shape: tuple[int, int],
    *,
    south_first: bool,
    scale: tuple[float, float] | None = None,
) -> str:
    """Return the text of an .aux.xml file, for formats that hold no coordinates.

    Parameters
    ----------
    place : coordinates of the samples, from the south-western one on; None if there are none
    shape : rows and columns
    south_first : whether the first row of the file is the southern one
    scale : factor and offset that make meters of the numbers; None for meters
    """
    rows, columns = shape
    sizes = "".join(f'<MDI key="{key}">{size}</MDI>' for key, size in
                    (("columns", columns), ("rows", rows)))  # fmt: skip
    lines = ["<PAMDataset>", f'  <Metadata domain="{DOMAIN}">{sizes}</Metadata>']
    if place is not None:
        (x, y), (a, b), (c, d) = place.origin, place.column_step, place.row_step
        if not south_first:
            x, y, c, d = x + (rows - 1) * c, y + (rows - 1) * d, -c, -d
        numbers = x - (a + c) / 2, a, c, y - (b + d) / 2, b, d
        text = _escaped(wkt(place.system))
        lines.append(f'  <SRS dataAxisToSRSAxisMapping="{axes_of(place.system)}">{text}</SRS>')
        lines.append(f"  <GeoTransform>{', '.join(map(repr, map(float, numbers)))}</GeoTransform>")
    lines.append('  <PAMRasterBand band="1">')
    if scale is not None:
        lines += [f"    <Offset>{scale[1]!r}</Offset>", f"    <Scale>{scale[0]!r}</Scale>"]
    lines += ["    <UnitType>m</UnitType>", "  </PAMRasterBand>", "</PAMDataset>", ""]
    return "\n".join(lines)


def axes_of(system: System) -> str:
    """Return GDAL's order of the axes: that of longitude and latitude is latitude first."""
    return "2,1" if system.geographic else "1,2"


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
