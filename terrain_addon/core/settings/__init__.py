# SPDX-License-Identifier: GPL-3.0-or-later
"""Settings declared once, registries of kinds, strict JSON, and files written whole."""

from .atomic_files import check_place, replaced
from .params import NOT_ZERO, Setting, Settings, param, settings_of

__all__ = [
    "NOT_ZERO",
    "Setting",
    "Settings",
    "check_place",
    "param",
    "replaced",
    "settings_of",
]
