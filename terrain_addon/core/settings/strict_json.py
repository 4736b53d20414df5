# SPDX-License-Identifier: GPL-3.0-or-later
"""Strict JSON parsing, for files that people may edit."""

from __future__ import annotations

import json
from typing import Any

from .params import short_repr

BYTE_ORDER_MARK = "\ufeff"
"""At the start of a UTF-8 file by some editors."""


def parsed(text: str | bytes) -> Any:
    """Parse a JSON text or UTF-8 bytes, with or without a byte order mark.

    Raises
    ------
    ValueError
        Not text, invalid JSON, a duplicate key in an object, half a character (an unpaired
        surrogate), or nesting or whole numbers beyond the limits of Python.
    """
    if isinstance(text, bytes):
        try:
            text = text.decode()
        except UnicodeDecodeError:
            raise ValueError("it is no text in UTF-8") from None
    if not isinstance(text, str):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise ValueError(f"it is no text but {short_repr(text)}")
    try:
        data = json.loads(
            text.removeprefix(BYTE_ORDER_MARK), object_pairs_hook=_object, parse_int=_whole
        )
        json.dumps(data, ensure_ascii=False).encode()  # an unpaired surrogate cannot be encoded
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    except UnicodeEncodeError:
        raise ValueError("it holds half a character: write it in full") from None
    return data


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise ValueError(f"it has {short_repr(key)} twice in one object")
        found[key] = value
    return found


def _whole(digits: str) -> int:
    try:
        return int(digits)
    except ValueError:  # Python reads no more than 4300 digits
        raise ValueError("it holds a number that is too long") from None
