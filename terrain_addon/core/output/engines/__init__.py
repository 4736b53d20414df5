# SPDX-License-Identifier: GPL-3.0-or-later
"""Game engines: the files that they take, and the numbers to type in. One module per engine."""

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
    card,
    named,
    readme,
    scale_range,
)
from .height_files import write_card, write_heights

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
    "card",
    "named",
    "readme",
    "scale_range",
    "write_card",
    "write_heights",
]

load_modules(__name__, first=("engine",))
