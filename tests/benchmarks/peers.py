# SPDX-License-Identifier: GPL-3.0-or-later
"""Libraries that the benchmarks compare with, where they are installed."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any


@cache
def find(name: str) -> Any:
    """Return a module, or None with a single notice where it is not installed.

    ``mathutils`` can be imported only after ``bpy``.
    """
    try:
        if name.partition(".")[0] == "mathutils":
            import_module("bpy")
        return import_module(name)
    except ImportError:
        print(f"SKIPPED: {name} is not installed", flush=True)
        return None
