# SPDX-License-Identifier: GPL-3.0-or-later
"""The panel Fit to Elevation: progress of the search, and pictures of the best fits."""

from typing import Any

import bpy

from ..app.fitting import fit_search
from ..app.registration import registered
from ..data import previews
from ..data.terrains import active_mesh
from .panels import Panel
from .widths import notice

COLUMNS = 2
SIZE = 5.0
"""Width of a picture in the height of a button."""


@registered
class TERRAIN_PT_fit(Panel):
    bl_idname = "TERRAIN_PT_fit"
    page = "fit-to-elevation"
    bl_label = "Fit to Elevation"
    bl_order = 6
    bl_options = {"DEFAULT_CLOSED"}

    reads_only = True

    def draw(self, context: bpy.types.Context) -> None:
        layout: Any = self.begin(context)[1]
        if fit_search.is_busy():
            found = fit_search.found
            text = "Finishing" if fit_search.is_finishing else f"{found.evaluations} terrains"
            row = layout.row(align=True)
            row.progress(factor=found.share, text=text if found.evaluations else "Starting")
            row.operator("terrain.fit_cancel", text="", icon="CANCEL")
            layout.operator("terrain.fit_finish", text="Finish Early", icon="CHECKMARK")
        else:
            layout.operator("terrain.fit", text="Fit to Elevation...", icon="FILE_FOLDER")
        mesh = active_mesh(context)
        if mesh is None or fit_search.mesh != mesh.session_uid:
            if fit_search.is_busy():
                notice(layout, "Another terrain is being fitted", "INFO")
            return
        text, failed = fit_search.message()
        if text:
            notice(layout, text, "ERROR" if failed else "INFO")
        if fit_search.found.best:
            _best(layout)


def _best(layout: Any) -> None:
    """Draw pictures of the best fits; the number below is the distance from the place."""
    found = fit_search.found
    column = layout.column(align=True)
    column.label(text=fit_search.place(), icon="RNDCURVE")
    column.label(text=f"Distance {found.before:.2f} before", icon="BLANK1")
    grid = layout.grid_flow(row_major=True, columns=COLUMNS, even_columns=True, align=True)
    for number, (_, distance) in enumerate(found.best):
        cell = grid.column(align=True)
        icon = previews.of_file(fit_search.picture(number))
        if icon:
            cell.template_icon(icon, scale=SIZE)
        cell.operator("terrain.fit_apply", text=f"{distance:.2f}").number = number
