# SPDX-License-Identifier: GPL-3.0-or-later
"""The preset that a terrain was loaded from, stored beside its recipe for undo and files."""

import hashlib
import json
from typing import Any

from bpy.props import StringProperty

from ...core import presets
from .recipe import read_bare


def preset_properties() -> dict[str, Any]:
    """Declare properties of a terrain: the preset's name and a digest of its recipe."""
    return {
        "preset": StringProperty(
            name="Preset", description="The preset that was loaded last", options={"HIDDEN"}
        ),
        "preset_digest": StringProperty(
            name="Digest", description="What the recipe was then", options={"HIDDEN"}
        ),
    }


def remember(terrain: Any, name: str) -> None:
    """Note that the recipe of a terrain is now that of a preset."""
    terrain.preset, terrain.preset_digest = name, _digest(terrain)


def title(terrain: Any) -> str:
    """Return the preset's label, and whether the recipe has changed since; "" without a preset."""
    if not terrain.preset:
        return ""
    label = presets.label(terrain.preset)
    return label if _digest(terrain) == terrain.preset_digest else f"{label} (changed)"


def _digest(terrain: Any) -> str:
    """Return a digest of the recipe, or "" if the recipe is invalid.

    It is computed from the properties, whose float32 values may differ from the preset's.
    """
    try:
        text = json.dumps(read_bare(terrain).to_dict())
    except ValueError:
        return ""
    return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()
