# SPDX-License-Identifier: GPL-3.0-or-later
"""XML as a stream of elements, for files that anybody may have written."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol
from xml.parsers import expat

DEEPEST = 32
"""Elements within each other."""
SLICE = 2**20
"""Bytes that are parsed at once."""


class Elements(Protocol):
    """What takes the elements of a file, by their names without a namespace."""

    def start(self, name: str, values: dict[str, str]) -> None:
        """Take an element that begins, with its attributes."""
        ...

    def end(self, name: str) -> None:
        """Take an element that ends."""
        ...


def parse(content: bytes, root: str, elements: Elements) -> None:
    """Hand over the elements of an XML text.

    Declarations of entities, which could grow without a limit, are refused with every document
    type: neither GPX nor OpenStreetMap has one.

    Raises ValueError for a text of another kind, one that is cut, and elements nested too deeply.
    """
    parser = expat.ParserCreate()
    parser.buffer_text = True
    depth = 0

    def start(name: str, values: dict[str, str]) -> None:
        nonlocal depth
        name = name.rpartition(":")[2]
        if depth == 0 and name != root:
            raise ValueError(
                f"it is no file of its kind: it begins with <{name[:40]}>, not <{root}>"
            )
        depth += 1
        if depth > DEEPEST:
            raise ValueError("its elements are nested too deeply")
        elements.start(name, values)

    def end(name: str) -> None:
        nonlocal depth
        depth -= 1
        elements.end(name.rpartition(":")[2])

    def refuse(*_: object) -> None:
        raise ValueError("it declares a document type (<!DOCTYPE), which is not read: remove it")

    handlers: dict[str, Callable[..., None]] = {
        "StartElementHandler": start,
        "EndElementHandler": end,
        "StartDoctypeDeclHandler": refuse,
    }
    for name, handler in handlers.items():
        setattr(parser, name, handler)
    try:
        for place in range(0, len(content), SLICE):
            parser.Parse(content[place : place + SLICE], False)
        parser.Parse(b"", True)
    except expat.ExpatError as error:
        raise ValueError(f"it is no whole XML file: {error}") from None
    except (LookupError, UnicodeError):
        raise ValueError("it is in an encoding that is not known: save it in UTF-8") from None


def number(values: dict[str, str], name: str) -> float:
    """Return an attribute that is a number; ValueError for another."""
    try:
        return float(values[name])
    except (KeyError, ValueError):
        raise ValueError(f"it has a point whose {name!r} is no number") from None
