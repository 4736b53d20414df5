# SPDX-License-Identifier: GPL-3.0-or-later
"""Coordinate systems as well-known text, version 1 of OGC, GDAL and Esri, and version 2.

Sources: OGC 01-009, *Coordinate Transformation Services*, 2001; OGC 18-010r7, *Well-known text
representation of coordinate reference systems*, 2019.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from .ellipsoid import WGS84, Ellipsoid
from .names import METHOD_NAMES, PARAMETER_NAMES, SMALL_METHODS, normal
from .projections import ANGLES, TRUE, Projection
from .system import REMEDY, System, vertical_coded
from .units import angle_named, length_named

LONGEST = 100_000
"""Characters that are read."""
DEEPEST = 40
_TOKEN = re.compile(r'\s*(?:"((?:[^"]|"")*)"|([\w.+-]+)|([\[\](),]))')

PROJECTED = ("PROJCS", "PROJCRS", "PROJECTEDCRS", "BASEPROJCRS")
GEOGRAPHIC = ("GEOGCS", "GEOGCRS", "GEOGRAPHICCRS", "GEODCRS", "GEODETICCRS", "BASEGEOGCRS",
              "BASEGEODCRS")  # fmt: skip
VERTICAL = ("VERTCS", "VERT_CS", "VERTCRS", "VERTICALCRS")
COMPOUND = ("COMPD_CS", "COMPOUNDCRS")
LOCAL = ("LOCAL_CS", "ENGCRS", "ENGINEERINGCRS")
BOUND = ("BOUNDCRS", "SOURCECRS")
LENGTHS = ("UNIT", "LENGTHUNIT", "LINUNIT")
ANGULAR = ("UNIT", "ANGLEUNIT", "ANGUNIT")


@dataclass(frozen=True)
class Node:
    """A word with what its brackets hold: texts, numbers as texts, and other nodes."""

    word: str
    parts: tuple[str | Node, ...]

    @property
    def title(self) -> str:
        """The name, which comes first."""
        return self.parts[0] if self.parts and isinstance(self.parts[0], str) else ""

    def every(self, *words: str) -> Iterator[Node]:
        """Yield the nodes directly inside with one of these words."""
        return (part for part in self.parts if isinstance(part, Node) and part.word in words)

    def first(self, *words: str) -> Node | None:
        """Return the first of them, or None."""
        return next(self.every(*words), None)

    def number(self, place: int) -> float | None:
        """Return the number at a place; None where there is none."""
        try:
            value = float(str(self.parts[place]))
        except (IndexError, ValueError):
            return None
        return value if math.isfinite(value) else None


def parsed(text: str) -> list[Node]:
    """Return the nodes of a text; ValueError for a text that is no well-known text."""
    stack: list[tuple[str, list[str | Node]]] = [("", [])]
    word = None
    place = 0
    text = text[:LONGEST].strip().rstrip(",\0")
    while place < len(text):
        token = _TOKEN.match(text, place)
        if token is None:
            raise ValueError("its coordinate system is no well-known text")
        place = token.end()
        quoted, plain, mark = token.groups()
        if mark in ("[", "("):
            if word is None or len(stack) > DEEPEST:
                raise ValueError("its coordinate system is no well-known text")
            stack[-1][1].pop()
            stack.append((word.upper(), []))
        elif mark in ("]", ")"):
            if len(stack) < 2:
                raise ValueError("its coordinate system is no well-known text")
            name, parts = stack.pop()
            stack[-1][1].append(Node(name, tuple(parts)))
        elif mark is None:
            stack[-1][1].append(plain if quoted is None else quoted.replace('""', '"'))
        word = plain
    if len(stack) != 1:
        raise ValueError("its coordinate system is cut off")
    return [one for one in stack[0][1] if isinstance(one, Node)]


def system_of(text: str) -> System:
    """Return the coordinate system of a well-known text.

    Raises ValueError for what is no such text, and for kinds and units that are not known.

    Examples
    --------
    >>> system_of('LOCAL_CS["Laboratory",UNIT["cm",0.01]]').unit
    0.01
    """
    nodes = parsed(text)
    if not nodes:
        raise ValueError("its coordinate system is no well-known text")
    system: System | None = None
    vertical: float | None = None
    for node in _flat(nodes):
        if node.word in VERTICAL:
            vertical = _vertical(node)
        elif system is None:
            system = _horizontal(node)
    if system is None:  # heights alone: a plane of unknown unit says nothing of the place
        raise ValueError("its coordinate system names no plane, only heights")
    return system if vertical is None else replace(system, vertical=vertical)


def _flat(nodes: list[Node]) -> Iterator[Node]:
    """Yield the systems within compound and bound ones."""
    for node in nodes:
        if node.word in COMPOUND or node.word in BOUND:
            inner = [part for part in node.parts if isinstance(part, Node)]
            yield from _flat([one for one in inner if one.word.endswith(("CRS", "CS"))
                              and one.word not in ("TARGETCRS", "CS")])  # fmt: skip
        else:
            yield node


def _horizontal(node: Node) -> System:
    if node.word in PROJECTED:
        return _projected(node)
    if node.word in GEOGRAPHIC:
        return _geographic(node)
    if node.word in LOCAL:
        return System(False, _length(node), name=node.title)
    if node.word in ("GEOCCS",):
        raise ValueError(f"its coordinates are geocentric: {REMEDY}")
    raise ValueError(f"its coordinate system is a {node.word[:30]}, which is not read: {REMEDY}")


def _geographic(node: Node) -> System:
    axes = [one for one in node.every("AXIS") if {"up", "UP"} & set(map(str, one.parts))]
    cartesian = node.first("CS")
    if cartesian and cartesian.title.lower() == "cartesian":
        raise ValueError(f"its coordinates are geocentric: {REMEDY}")
    heights = axes[0].first(*LENGTHS) if axes else node.first("LINUNIT")
    vertical = _size(heights) if heights else None
    return System(
        True, _angle(node), _body(node), vertical=vertical, code=_code(node), name=node.title
    )


def _projected(node: Node) -> System:
    base = node.first(*GEOGRAPHIC)
    unit = _length(node)
    body = _body(base) if base else WGS84
    angle = _angle(base) if base and base.first(*ANGULAR) else 1.0
    code = _code(node)
    projection = projection_in(node, unit, angle)
    known = projection is None or projection.is_known or projection.method == TRUE
    if code is not None and not known:  # the code may tell that lengths are true in its area
        projection = _of_code(code) or projection
    up = [one for one in node.every("AXIS") if {"up", "UP"} & set(map(str, one.parts))]
    vertical = _size(up[0].first(*LENGTHS)) if up else None
    return System(False, unit, body, projection, vertical, code=code, name=node.title)


def _of_code(code: int) -> Projection | None:
    try:
        return System.coded(code).projection
    except ValueError:
        return None


def _vertical(node: Node) -> float:
    """Return the meters per unit of heights, below zero for depths."""
    code = _code(node)
    unit = next(_units_of(node), None)
    if unit is None and code is not None:
        return vertical_coded(code)
    size = _size(unit)
    words = {str(part).lower() for axis in node.every("AXIS") for part in axis.parts}
    turned = any(normal(one.title) == "direction" and (one.number(1) or 0) < 0
                 for one in node.every("PARAMETER"))  # fmt: skip
    return -size if turned or "down" in words else size


def _units_of(node: Node) -> Iterator[Node]:
    """Yield units of length of a system: its own, or those of its axes."""
    yield from node.every(*LENGTHS)
    for axis in node.every("AXIS"):
        yield from axis.every(*LENGTHS)


def _length(node: Node) -> float:
    return _size(next(_units_of(node), None))


def _angle(node: Node) -> float:
    """Return the degrees per unit of the angles of a geographic system."""
    unit = node.first(*ANGULAR)
    for axis in node.every("AXIS"):
        unit = unit or axis.first(*ANGULAR)
    if unit is None:
        return 1.0
    radians = unit.number(1)
    if not radians:
        size = angle_named(unit.title)
        if size is None:
            raise ValueError(f"its unit of angles {unit.title[:40]!r} is not known: {REMEDY}")
        return size
    degrees = math.degrees(radians)
    return 1.0 if abs(degrees - 1) < 0.03 else degrees  # some files round the degree to 0.017


def _size(unit: Node | None) -> float:
    """Return the meters of a unit, from its factor, or from its name."""
    if unit is None:
        raise ValueError("its coordinate system names no unit: state it, for example m or ft")
    factor = unit.number(1)
    if factor is not None and factor > 0:
        return factor
    size = length_named(unit.title)
    if size is None:
        raise ValueError(
            f"its unit of length {unit.title[:40]!r} is not known: state it, for example m or ft"
        )
    return size


def _body(node: Node) -> Ellipsoid:
    """Return the ellipsoid of a geographic system; that of WGS 84 where there is none."""
    for datum in node.every("DATUM", "ENSEMBLE", "GEODETICDATUM", "TRF"):
        shape = datum.first("SPHEROID", "ELLIPSOID")
        if shape is None:
            continue
        radius, flat = shape.number(1), shape.number(2)
        if radius is None:
            break
        unit = shape.first(*LENGTHS)
        return Ellipsoid(radius * (_size(unit) if unit else 1.0), abs(flat or 0.0))
    return WGS84


def _code(node: Node) -> int | None:
    """Return the code of a system in EPSG or of Esri."""
    for one in node.every("AUTHORITY", "ID"):
        if one.title.upper() in ("EPSG", "ESRI") and len(one.parts) > 1:
            text = str(one.parts[1])
            if text.isdigit() and len(text) < 8:
                return int(text)
    return None


def projection_in(node: Node, unit: float, angle: float) -> Projection | None:
    """Return the projection; None for a system that names none."""
    inner = node.first("CONVERSION", "DERIVINGCONVERSION") or node
    method = inner.first("PROJECTION", "METHOD")
    if method is None:
        return None
    values: dict[str, float] = {}
    for one in inner.every("PARAMETER"):
        name, value = PARAMETER_NAMES.get(normal(one.title)), one.number(1)
        if name is None or value is None:
            continue
        own = one.first("LENGTHUNIT", "ANGLEUNIT", "SCALEUNIT", "UNIT")
        factor = own.number(1) if own else None
        if name in ANGLES or name == "lat_n":
            values[name] = value * (angle if factor is None else round(math.degrees(factor), 12))
        elif name in ("x_0", "y_0"):
            values[name] = value * (unit if factor is None else factor)
        else:  # a scale, whose unit PROJ's database calls parts per million for factors too
            values[name] = value
    extension = node.first("EXTENSION")
    web = extension is not None and "+nadgrids=@null" in str(extension.parts)
    return projection_of("Mercator_Auxiliary_Sphere" if web else method.title, values)


def projection_of(name: str, values: Mapping[str, float]) -> Projection:
    """Return the projection of a method and the parameters that a file gives.

    The method is named as OGC, GDAL, Esri or EPSG does; parameters as in PROJ, in degrees and
    meters.
    """
    key = normal(name)
    if key in SMALL_METHODS:
        return Projection(TRUE)
    method = METHOD_NAMES.get(key)
    if method is None:
        return Projection(name.replace("_", " ")[:60])
    given = dict(values)
    natural = given.pop("lat_n", None)
    if natural is not None:
        given.setdefault("lat_1" if "lat_0" in given else "lat_0", natural)
    if method in ("lcc", "aea") and not {"lat_0", "lat_1"} & given.keys():
        return Projection(TRUE)  # a definition without parameters says nothing of lengths
    if method == "lcc":
        given.setdefault("lat_1", given.get("lat_0", 0.0))
        given.setdefault("lat_2", given["lat_1"])
    elif method in ("merc", "cea", "eqc") and "lat_1" in given:
        given.setdefault("lat_ts", given["lat_1"])
    elif method == "stere":
        method = _stereographic(key, given)
    elif method == "omerc":
        swiss = key.startswith("swiss")
        given.setdefault("alpha", 90.0 if swiss else 0.0)
        given.setdefault("gamma", given["alpha"])
        given["center"] = float(swiss or "center" in key or key.endswith("variant_b"))
    if method == "cea" and key == "behrmann":
        given["lat_ts"] = 30.0
    return Projection.of(method, given)


def _stereographic(key: str, given: dict[str, float]) -> str:
    """Complete the parameters of a polar projection; return the method, which may be oblique."""
    parallel = given.get("lat_ts", given.get("lat_1"))
    latitude = given.get("lat_0", parallel if parallel is not None else 90.0)
    if abs(latitude) < 90 - 1e-9 and key == "stereographic":
        return "sterea"
    pole = math.copysign(90.0, latitude)
    if key.endswith("south_pole"):
        pole = -90.0
    given["lat_0"] = pole
    given["lat_ts"] = parallel if parallel is not None else latitude
    return "stere"
