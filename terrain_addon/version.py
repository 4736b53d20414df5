# SPDX-License-Identifier: GPL-3.0-or-later
"""The version of Orogen."""

from __future__ import annotations

import importlib.metadata
import tomllib
from pathlib import Path

_MANIFEST = Path(__file__).parents[1] / "blender_manifest.toml"


def version() -> str:
    """Return the version of Orogen, which the manifest of the extension states.

    A Python package that was installed without the manifest has it in its metadata.
    """
    if _MANIFEST.is_file():
        return tomllib.loads(_MANIFEST.read_text(encoding="utf-8"))["version"]
    return importlib.metadata.version("orogen")
