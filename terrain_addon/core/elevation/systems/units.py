# SPDX-License-Identifier: GPL-3.0-or-later
"""Units of length and of angles, by their codes and by all names that files have for them."""

from __future__ import annotations

import math
import re
from functools import cache

from .table import sections

METER, DEGREE = 9001, 9102
SURVEY_FOOT = 1200 / 3937
MORE = {
    "ft": ("foot",), "us-ft": ("ftus", "usft", "us_ft", "sft"), "m": ("mtr", "meter"),
    "km": ("kilometer",), "cm": ("centimeter",), "mm": ("millimeter",), "dm": ("decimeter",),
    "deg": ("dd", "decimal degree", "degree of arc", "°"), "in": ("inch", "inches"),
    "grad": ("gon", "grade"), "fath": ("fathom",), "yd": ("yard",), "mi": ("mile",),
    "us-in": ("inch_us",), "us-yd": ("yard_us",), "us-mi": ("mile_us",), "kmi": ("nmi",),
}  # fmt: skip
"""Further names, by one that PROJ has."""
OTHERS = {
    "rod": 5.0292, "rod_us": 16.5 * SURVEY_FOOT, "furlong": 201.168,
    "furlong_us": 660 * SURVEY_FOOT, "fathom_us": 6 * SURVEY_FOOT, "nautical mile us": 1853.248,
    "nautical mile uk": 1853.184, "microinch": 2.54e-8, "mil": 2.54e-5, "micrometer": 1e-6,
    "micron": 1e-6, "um": 1e-6, "nanometer": 1e-9, "decameter": 10.0, "dam": 10.0,
    "hectometer": 100.0, "hm": 100.0, "megameter": 1e6, "50_kilometers": 50_000.0,
    "150_kilometers": 150_000.0,
}  # fmt: skip
"""Units of length that ArcGIS or other tools know and PROJ does not, in meters."""
_WORD = re.compile(r"[a-z]+|°|\d+")
_SAME = {"feet": "foot", "ft": "foot", "metre": "meter", "metres": "meter", "inches": "inch",
         "intl": "", "international": "", "survey": "", "british": "", "s": "", "of": "",
         "usa": "us", "german": "", "legal": "", "statute": ""}  # fmt: skip
"""Words that mean the same, or nothing beside the others."""


def _normal(name: str) -> str:
    """Return the words of a name, each in one form and in one order.

    Examples
    --------
    >>> _normal("US survey foot"), _normal("Foot_US"), _normal("feet (us)")
    ('foot us', 'foot us', 'foot us')
    """
    words = _WORD.findall(name.lower().replace("centre", "center"))
    words = [_SAME.get(word, word) for word in words]
    words = [word[:-1] if len(word) > 3 and word.endswith("s") else word for word in words if word]
    words = [word[:-2] + "er" if word.endswith("metre") else word for word in words]
    if "german" in name.lower():  # its meter is another one
        words.append("german")
    return " ".join(sorted(words))


@cache
def _units() -> tuple[dict[str, dict[str, float]], dict[int, tuple[str, float]]]:
    """Sizes by kind and name, and kinds and sizes by the codes of EPSG."""
    named: dict[str, dict[str, float]] = {"length": {}, "angle": {}}
    coded: dict[int, tuple[str, float]] = {}
    for line in sections()["units"]:
        code, size, kind, *names = line.split(",")
        for name in names:
            for one in (name, *MORE.get(name, ())):
                named[kind].setdefault(_normal(one), float(size))
        if int(code):
            coded[int(code)] = kind, float(size)
    for name, size in OTHERS.items():
        named["length"].setdefault(_normal(name), size)
    return named, coded


def length_named(name: str) -> float | None:
    """Return the meters of a unit of length; None for a name that is not known.

    Examples
    --------
    >>> length_named("US survey foot"), length_named("foot_us"), length_named("league")
    (0.30480060960121924, 0.30480060960121924, None)
    """
    return _units()[0]["length"].get(_normal(name))


def angle_named(name: str) -> float | None:
    """Return the degrees of a unit of angles; None for a name that is not known."""
    size = _units()[0]["angle"].get(_normal(name))
    return None if size is None else _degrees(size)


def length_coded(code: int) -> float | None:
    """Return the meters of a unit of length by its code in EPSG; None if there is none."""
    kind, size = _units()[1].get(code, ("", 0.0))
    return size if kind == "length" else None


def angle_coded(code: int) -> float | None:
    """Return the degrees of a unit of angles by its code in EPSG; None if there is none."""
    kind, size = _units()[1].get(code, ("", 0.0))
    return _degrees(size) if kind == "angle" else None


def code_of_length(size: float) -> int | None:
    """Return the code of the unit with so many meters; None if there is none."""
    near = (code for code, (kind, one) in _units()[1].items()
            if kind == "length" and abs(one / size - 1) < 1e-9)  # fmt: skip
    return next(near, None)


def name_of_length(size: float) -> str:
    """Return the unit with so many meters, for people."""
    usual = {0.3048: "feet", SURVEY_FOOT: "US survey feet", 1000.0: "kilometers",
             0.01: "centimeters", 0.001: "millimeters", 0.1: "decimeters"}  # fmt: skip
    near = (name for one, name in usual.items() if abs(one / size - 1) < 1e-9)
    return next(near, f"units of {size:.7g} m")


def _degrees(radians: float) -> float:
    """Convert, with the degree itself exactly 1."""
    degrees = math.degrees(radians)
    return round(degrees) if abs(degrees - round(degrees)) < 1e-9 < degrees else degrees
