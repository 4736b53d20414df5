# SPDX-License-Identifier: GPL-3.0-or-later
"""Finishes terrains that came into the scene as previews.

A terrain that was appended from another file, or copied after its rebuild was canceled, shows a
preview that no job replaces.
"""

import bpy
from bpy.app.handlers import persistent

from ..app.registration import handlers_factory
from . import rebuild


@persistent
def _on_update(scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph) -> None:
    if depsgraph.mode == "RENDER" or bpy.app.is_job_running("RENDER"):
        return
    changed = (update.id.original for update in depsgraph.updates)
    rebuild.finish_previews(one for one in changed if isinstance(one, bpy.types.Mesh))


register, unregister = handlers_factory({"depsgraph_update_post": _on_update})
