# SPDX-License-Identifier: GPL-3.0-or-later
"""Registries of layer and mask kinds."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator, Mapping, Sequence
from typing import Generic, TypeVar

from .params import short_repr

T = TypeVar("T")


class Registry(Mapping[str, type[T]], Generic[T]):
    """Classes by key, in the order of registration. Keys are permanent: saved files hold them."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._classes: dict[str, type[T]] = {}

    def add(self, key: str, cls: type[T]) -> None:
        """Register a class. Raises ValueError if the key is taken or not an identifier."""
        if key in self._classes:
            raise ValueError(f"There is already a {self._what} named {key!r}")
        if not key.isidentifier() or len(key) > 40:
            raise ValueError(f"{key!r} cannot name a {self._what}: use letters and underscores")
        self._classes[key] = cls

    def remove(self, key: str) -> None:
        """Unregister a class, for tests and other extensions."""
        del self._classes[key]

    def find(self, key: object, path: str) -> type[T]:
        """Return the class of a key, or raise a ValueError that names ``path``."""
        if not isinstance(key, str) or key not in self._classes:
            known = ", ".join(sorted(self._classes))
            raise ValueError(
                f"{path}: there is no {self._what} named {short_repr(key)}; known: {known}"
            )
        return self._classes[key]

    def __getitem__(self, key: str) -> type[T]:
        return self._classes[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._classes)

    def __len__(self) -> int:
        return len(self._classes)


def load_modules(package: str, first: Sequence[str] = ()) -> None:
    """Import all modules of a package and its subpackages, so that their classes are registered.

    Modules named in ``first`` come first, the others by name. Those that begin with an underscore
    are skipped.
    """
    path = importlib.import_module(package).__path__
    found = {
        module.name: module.ispkg for module in pkgutil.iter_modules(path) if module.name[0] != "_"
    }
    for name in dict.fromkeys((*first, *sorted(found))):
        if found[name]:
            load_modules(f"{package}.{name}")
        else:
            importlib.import_module(f"{package}.{name}")
