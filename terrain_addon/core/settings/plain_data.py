# SPDX-License-Identifier: GPL-3.0-or-later
"""Frozen dataclasses of arrays and numbers as JSON and arrays, and back; no pickle, no code."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

Arrays = dict[str, NDArray[Any]]
T = TypeVar("T", bound=type[Any])

_CLASSES: dict[str, type[Any]] = {}


def plain_data(cls: T) -> T:
    """Declare a class as plain data: a dataclass of arrays, numbers, texts, None and other such
    dataclasses.

    Examples
    --------
    >>> @plain_data
    ... @dataclasses.dataclass(frozen=True)
    ... class Ramp:
    ...     height: NDArray[np.float32]
    ...     spacing: float
    >>> arrays: Arrays = {}
    >>> tree = packed(Ramp(np.zeros(3, np.float32), 2.0), "ramp", arrays)
    >>> tree
    {'class': 'Ramp', 'height': {'array': 'ramp-height'}, 'spacing': 2.0}
    >>> unpacked(tree, arrays).spacing
    2.0
    >>> _ = _CLASSES.pop("Ramp")
    """
    known = _CLASSES.setdefault(cls.__name__, cls)
    if known is not cls and known.__qualname__ != cls.__qualname__:
        raise ValueError(f"There are two classes of plain data named {cls.__name__}")
    _CLASSES[cls.__name__] = cls
    return cls


def packed(value: Any, name: str, arrays: Arrays) -> Any:
    """Pack a value as JSON, and add its arrays to ``arrays`` under names that start with ``name``.

    Raises TypeError for a value that is not plain data.
    """
    if isinstance(value, np.ndarray):
        arrays[name] = value
        return {"array": name}
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    name_of_class = type(value).__name__
    if _CLASSES.get(name_of_class) is not type(value):
        raise TypeError(f"{name_of_class} is not plain data: decorate it with plain_data")
    parts = {
        field.name: packed(getattr(value, field.name), f"{name}-{field.name}", arrays)
        for field in dataclasses.fields(value)
    }
    return {"class": name_of_class, **parts}


def unpacked(tree: Any, arrays: Mapping[str, NDArray[Any]]) -> Any:
    """Unpack what :func:`packed` returned; raise ValueError for data that it did not make."""
    if not isinstance(tree, dict):
        return tree
    found: dict[str, Any] = {**tree}
    if set(found) == {"array"} and found["array"] in arrays:
        return arrays[found["array"]]
    name = found.pop("class", None)
    cls = _CLASSES.get(name) if isinstance(name, str) else None
    if cls is None or {field.name for field in dataclasses.fields(cls)} != set(found):
        raise ValueError(f"there is no plain data {name!r} with {', '.join(found)}")
    return cls(**{key: unpacked(part, arrays) for key, part in found.items()})
