# SPDX-License-Identifier: GPL-3.0-or-later
"""The dialog that asks which images a set holds."""

from collections.abc import Sequence
from typing import Any

from ...core import Bake, settings_of
from ..bake_orders import IN_SETS
from ..baking import PNG, Output, pixels, place
from ..recipes import read_settings

WIDE = 60
"""Characters of a line of the dialog."""


def draw_set(layout: Any, terrain: Any, known: Sequence[str]) -> None:
    """The dialog: what to make of what the terrain has, and how and where that is made."""
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
    asked = {name for key in chosen for name in IN_SETS[key].kind.settings}
    for one in settings_of(Bake):
        if one.name in asked:
            column.prop(terrain.bake, one.name)
    for line in _lines(terrain):
        layout.label(text=line)


def _lines(terrain: Any) -> list[str]:
    """Size, format and place of the images, as the panel has them."""
    output = Output(**read_settings(terrain.bake, Output))
    parts = []
    if output.is_file:
        parts.append(f"to {place(output)}")
    if output.is_image:
        parts.append("into this blend file")
    where = " and ".join(parts)
    form = ", PNG" if output.format == PNG else ", EXR"
    what = pixels(terrain) + (form if output.is_file else "")
    line = f"{what}, {where}"
    return [line] if len(line) <= WIDE else [what, where]
