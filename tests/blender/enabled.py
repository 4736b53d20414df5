# SPDX-License-Identifier: GPL-3.0-or-later
"""Blender with the extension enabled from the source tree.

The clone is linked into the throw-away profile as the installed extension `orogen`, so that its id,
preferences and user folder are those of a real installation. Blender then loads the package as
`bl_ext.user_default.orogen.terrain_addon`; tests import it as `terrain_addon`.
"""

import sys
from pathlib import Path

import bpy

# isort: split
import addon_utils  # Only now: importing bpy puts Blender's own modules on the search path.

ROOT = Path(__file__).parents[2]
EXTENSION = "bl_ext.user_default.orogen"


def enable_from_source() -> None:
    """Link the clone into the profile, if it is not yet, and enable it."""
    repository = bpy.utils.user_resource("EXTENSIONS", path="user_default", create=True)
    link = Path(repository) / "orogen"
    if not link.is_symlink():
        link.symlink_to(ROOT, target_is_directory=True)
    addon_utils.enable(EXTENSION, default_set=True, handle_error=_raise)  # pyright: ignore[reportArgumentType]
    for name in [name for name in sys.modules if name.split(".")[0] == "terrain_addon"]:
        del sys.modules[name]  # of the package before it was disabled
    for name, module in list(sys.modules.items()):
        if name.startswith(f"{EXTENSION}.terrain_addon"):
            sys.modules[name.removeprefix(f"{EXTENSION}.")] = module


def disable() -> None:
    addon_utils.disable(EXTENSION, default_set=True)


def _raise(error: Exception) -> None:
    raise error
