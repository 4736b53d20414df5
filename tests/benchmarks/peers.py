# SPDX-License-Identifier: GPL-3.0-or-later
"""What the benchmarks compare with, where it is installed."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any


@cache
def find(name: str) -> Any:
    """The module of that name; None, said aloud once, where there is none.

    ``mathutils`` is there only after ``bpy`` was imported.
    """
    try:
        if name.partition(".")[0] == "mathutils":
            import_module("bpy")
        return import_module(name)
    except ImportError:
        print(f"SKIPPED: {name} is not installed", flush=True)
        return None
