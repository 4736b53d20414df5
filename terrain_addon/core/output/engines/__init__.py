# SPDX-License-Identifier: GPL-3.0-or-later
"""Game engines: the files that they take, and the import settings. One module per engine."""

from ...settings.registry import load_modules
from .engine import (
    COLOR,
    CONTROL,
    DIRECTX,
    ENGINES,
    HEIGHT,
    MASK,
    NORMAL,
    OPENGL,
    WEIGHTS,
    Engine,
    Extent,
    as_text,
    export_manifest,
    named,
    readme,
    scale_range,
)
from .height_files import card_place, write_heights, write_manifest

__all__ = [
    "COLOR",
    "CONTROL",
    "DIRECTX",
    "ENGINES",
    "HEIGHT",
    "MASK",
    "NORMAL",
    "OPENGL",
    "WEIGHTS",
    "Engine",
    "Extent",
    "as_text",
    "card_place",
    "export_manifest",
    "named",
    "readme",
    "scale_range",
    "write_heights",
    "write_manifest",
]

load_modules(__name__, first=("engine",))
