# SPDX-License-Identifier: GPL-3.0-or-later
"""Import optional libraries."""

from __future__ import annotations

from importlib import import_module
from typing import Any


def library(name: str, extra: str, what: str = "This") -> Any:
    """Return a library of one of the package's extras; ValueError says what needs it, and how to
    install it.

    Examples
    --------
    >>> library("no_such_library", "dask")
    Traceback (most recent call last):
    ValueError: This needs no_such_library: pip install "orogen[dask]"
    """
    try:
        return import_module(name)
    except ModuleNotFoundError:
        raise ValueError(f'{what} needs {name}: pip install "orogen[{extra}]"') from None
