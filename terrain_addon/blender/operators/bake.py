# SPDX-License-Identifier: GPL-3.0-or-later
"""Bake images of a terrain, and add a copy with a Displace modifier."""

from collections.abc import Sequence
from typing import Any, TypeVar

import bpy
from bpy.props import BoolProperty

from ...core import Bake
from ...core.numerics import user_message
from ...core.settings import Settings, settings_of
from ..app.preferences import computes_in_background
from ..app.registration import registered
from ..app.status import at_pointer
from ..bake.job import IN_SETS, WHICH, BakedImage, BakeJob, offered
from ..bake.output import LAYERS, Output, pixels
from ..bake.queue import bakes
from ..data.terrains import own_collections
from ..live.cache import CACHE
from ..objects import displace
from ..properties.declare import blender_property, from_blender
from ..properties.recipe import read, read_bare, read_settings
from .base import OnTerrain, Result, reporting

WIDE = 60
"""Characters per line of the dialog."""


def draw_set(layout: Any, terrain: Any, known: Sequence[str]) -> None:
    """Draw the dialog: the images to bake, their settings, size and place."""
    row = layout.row()
    for masks, title in ((False, "Images"), (True, "Masks")):
        keys = [key for key in known if bool(IN_SETS[key].kind.which) == masks]
        box = row.column(align=True)
        box.label(text=title)
        flow = box.grid_flow(columns=2 if masks else 1, even_columns=True, row_major=False)
        for key in keys:
            flow.prop(terrain.bake_set, key)
    layout.separator()
    column = layout.column()
    column.use_property_split = True
    column.use_property_decorate = False
    chosen = [key for key in known if getattr(terrain.bake_set, key)]
    needed = {name for key in chosen for name in IN_SETS[key].kind.settings}
    for setting in settings_of(Bake):
        if setting.name in needed:
            column.prop(terrain.bake, setting.name)
    for line in _lines(terrain):
        layout.label(text=line)


def _lines(terrain: Any) -> list[str]:
    """Describe the size, format and place of the images."""
    output = Output(**read_settings(terrain.bake, Output)).settled
    where = output.where(output.place())
    files = ", layers of one EXR file" if output.format == LAYERS else ", EXR"
    form = ", PNG" if output.is_png else files
    what = pixels(terrain) + (form if output.is_file else "")
    line = f"{what}, {where}"
    return [line] if len(line) <= WIDE else [what, where]


DIALOG_WIDTH = 420

S = TypeVar("S", bound=Settings)


class _Baking(OnTerrain):
    """Base of the operators that bake."""

    bl_options = set()  # starting a bake is no undo step

    reads_only = True

    in_background = False
    """Whether to bake in the background: for buttons, not for scripts."""

    def _settings(self, cls: type[S], group: Any) -> S:
        """Return the settings given to the operator, and the others from the panel."""
        given_to = self.properties.bl_rna.properties
        given = {
            setting.name: from_blender(setting, getattr(self, setting.name))
            for setting in settings_of(cls)
            if setting.name in given_to and self.properties.is_property_set(setting.name)
        }
        return cls(**(read_settings(group, cls) | given))

    def _bake(self, job: BakeJob) -> Result:
        if self.in_background:
            bakes.start(job)
            return {"FINISHED"}
        try:
            with at_pointer() as progress:
                while not job.is_done:
                    job.store(job.make(progress))
        except (ValueError, OSError, MemoryError) as error:
            self.report({"ERROR"}, job.failed(user_message(error)))
            return {"FINISHED"} if job.done else {"CANCELLED"}
        self.report({"INFO"}, str(job))
        return {"FINISHED"}


@registered
class TERRAIN_OT_bake(_Baking):
    """Bake an image of the terrain at any resolution, independent of the mesh"""

    bl_idname = "terrain.bake"
    bl_label = "Bake Image"

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> Result:
        self.in_background = computes_in_background(context)
        return self.execute(context)

    @reporting
    def execute(self, context: bpy.types.Context) -> Result:
        terrain = self.subject(context)[1]
        image = BakedImage.of(
            self.subject_object(context),
            read(terrain),
            self._settings(Bake, terrain.bake),
            self._settings(Output, terrain.bake),
        )
        return self._bake(BakeJob([image], CACHE))


@registered
class TERRAIN_OT_bake_set(_Baking):
    """Bake several images of the terrain at once, each named after what it shows"""

    bl_idname = "terrain.bake_set"
    bl_label = "Bake Set"

    known: Sequence[str] = ()
    """Images that the dialog offers."""

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> Result:
        return self.execute(context) if bpy.app.background else self._show_dialog(context)

    @reporting
    def _show_dialog(self, context: bpy.types.Context) -> Result:
        self.in_background = computes_in_background(context)
        self.known = offered(read_bare(self.subject(context)[1]))
        return context.window_manager.invoke_props_dialog(
            self, width=DIALOG_WIDTH, confirm_text="Bake"
        )

    def draw(self, context: bpy.types.Context) -> None:
        draw_set(self.layout, self.subject(context)[1], self.known)

    @reporting
    def execute(self, context: bpy.types.Context) -> Result:
        terrain = self.subject(context)[1]
        recipe = read(terrain)
        keys = self._keys(terrain.bake_set, offered(recipe))
        common = self._settings(Bake, terrain.bake)
        output = self._settings(Output, terrain.bake)
        item = self.subject_object(context)
        return self._bake(BakeJob.of_set(item, recipe, keys, common, output, CACHE))

    def _keys(self, group: Any, known: list[str]) -> list[str]:
        """Return the images given to the operator, or for others those enabled and available."""
        given = [key for key in IN_SETS if self.properties.is_property_set(key)]
        chosen = [key for key in given if getattr(self, key)]
        return chosen + [key for key in known if key not in given and getattr(group, key)]


for _one in (*settings_of(Bake), *settings_of(Output)):
    TERRAIN_OT_bake.__annotations__[_one.name] = blender_property(_one, None)
    if _one.name not in WHICH:
        TERRAIN_OT_bake_set.__annotations__[_one.name] = blender_property(_one, None)
for _key, _what in IN_SETS.items():
    TERRAIN_OT_bake_set.__annotations__[_key] = BoolProperty(
        name=_what.shown, description=_what.kind.help_of(_what)
    )


@registered
class TERRAIN_OT_displace_setup(OnTerrain):
    """Add a flat copy that a Displace modifier with a heightmap turns into the terrain"""

    bl_idname = "terrain.displace_setup"
    bl_label = "Add Displaced Copy"

    reads_only = True

    @reporting
    def execute(self, context: bpy.types.Context) -> Result:
        item = self.subject_object(context)
        made = displace.flat_copy(item, own_collections(context, item.users_collection))
        for item in context.selected_objects:
            item.select_set(False)
        made.select_set(True)
        context.view_layer.objects.active = made
        return {"FINISHED"}
