# SPDX-License-Identifier: GPL-3.0-or-later
"""A contact sheet over a 3D Viewport, drawn with Blender's ``gpu`` module.

Blender's layouts have no picture that is a button: `template_icon` takes no clicks, and
`template_icon_view` needs one to open and shows nothing until all pictures are there.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import blf
import bpy
import gpu
from gpu_extras.batch import batch_for_shader

from ....core.numerics import Floats
from ...live.variations import variations

SIDES = 3
GAP, LINE, FONT = 8, 22, 12
"""Pixels between the parts, of a line of text, and of its letters, at a resolution scale of 1."""
LARGEST = 230
"""The longest side of a picture, in the same pixels."""
HINT = "Click a picture, or press 1 to 9. Esc cancels"
COMPUTING = "..."
FAINT = 0.6
"""Opacity of texts that matter less."""
Rectangle = tuple[float, float, float, float]
"""Left, bottom, width and height in pixels of a region."""
Color = tuple[float, float, float, float]


@dataclass
class Sheet:
    """Nine pictures with a text below each, in the middle of a region.

    Attributes
    ----------
    region : address of the region
    title : what differs
    texts : below the pictures
    hovered : place of the picture under the mouse
    is_under_mouse : whether the mouse is over the sheet
    """

    region: int
    title: str
    texts: Sequence[str]
    hovered: int | None = None
    is_under_mouse: bool = False
    _textures: dict[int, Any] = field(default_factory=dict)
    _handler: Any = None

    shown: ClassVar[list["Sheet"]] = []
    """At most one."""

    @classmethod
    def over(cls, context: bpy.types.Context, title: str, texts: Sequence[str]) -> "Sheet":
        """Show a sheet over the viewport at hand, otherwise the largest one of the window.

        Raises ValueError if there is none.
        """
        cls.close_all()
        areas = [area for area in context.screen.areas if area.type == "VIEW_3D"]
        if not areas:
            raise ValueError("Open a 3D Viewport: the pictures are shown in it")
        area = max(areas, key=lambda area: (area == context.area, area.width * area.height))
        region = next(region for region in area.regions if region.type == "WINDOW")
        sheet = cls(region.as_pointer(), title, texts)
        sheet._handler = bpy.types.SpaceView3D.draw_handler_add(
            sheet._draw, (), "WINDOW", "POST_PIXEL"
        )
        cls.shown.append(sheet)
        area.tag_redraw()
        return sheet

    @classmethod
    def close_all(cls) -> None:
        """Remove the sheet that is shown, if any."""
        for sheet in [*cls.shown]:
            sheet.close()

    def close(self) -> None:
        """Remove the sheet."""
        if self in self.shown:
            self.shown.remove(self)
            bpy.types.SpaceView3D.draw_handler_remove(self._handler, "WINDOW")
            self._textures.clear()
            for area in bpy.context.screen.areas if bpy.context.screen else ():
                area.tag_redraw()

    def point_at(self, context: bpy.types.Context, x: float, y: float) -> bool:
        """Note what is under the mouse, in pixels of the window; False if the viewport is gone."""
        place = self._place(context)
        if place is None or self not in self.shown:
            return False
        area, region = place
        around, cells = _arranged(area, region)
        own = x - region.x, y - region.y
        hovered = next((n for n, cell in enumerate(cells) if _is_inside(cell, *own)), None)
        self.is_under_mouse = _is_inside(around, *own)
        if hovered != self.hovered:
            self.hovered = hovered
            region.tag_redraw()
        return True

    def _place(self, context: bpy.types.Context) -> tuple[bpy.types.Area, bpy.types.Region] | None:
        """Return the area and the region that the sheet covers, if they are still there."""
        return next(
            (
                (area, region)
                for area in context.screen.areas
                for region in area.regions
                if area.type == "VIEW_3D" and region.as_pointer() == self.region
            ),
            None,
        )

    def centers(self, context: bpy.types.Context) -> list[tuple[float, float]]:
        """Return the middle of each picture in pixels of the region."""
        place = self._place(context)
        cells = _arranged(*place)[1] if place else []
        return [(x + width / 2, y + height / 2) for x, y, width, height in cells]

    def _draw(self) -> None:
        context = bpy.context
        if context.region.as_pointer() != self.region:
            return
        theme = context.preferences.themes[0].user_interface
        back, item = theme.wcol_menu_back, theme.wcol_menu_item
        around, cells = _arranged(context.area, context.region)
        gap = _scaled(GAP)
        width, top = around[2] - 2 * gap, around[1] + around[3] - _scaled(LINE)
        _fill(around, (*back.inner[:3], 1.0))
        used = _text(self.title, around[0] + gap, top, (*back.text, 1.0), width)
        hint = around[0] + gap + width
        _text(HINT, hint, top, (*back.text, FAINT), width - used - gap, share=1.0)
        for place, cell in enumerate(cells):
            color = back.text
            if place == self.hovered:
                _fill(cell, tuple(item.inner_sel))
                color = item.text_sel
            self._draw_cell(place, cell, color)

    def _draw_cell(self, place: int, cell: Rectangle, color: Any) -> None:
        x, y, width, height = cell
        above, middle, inside = y + _scaled(LINE), x + width / 2, width - _scaled(GAP)
        text = variations.errors.get(place) or self.texts[place]
        if place in variations.pictures:
            if place not in self._textures:
                self._textures[place] = _texture(variations.pictures[place])
            _picture(self._textures[place], (x, above, width, width))
        elif place not in variations.errors:
            _text(COMPUTING, middle, above + width / 2, (*color, FAINT), inside, share=0.5)
        _text(text, middle, y + _scaled(GAP), (*color, 1.0), inside, share=0.5)
        corner = x + _scaled(GAP), y + height - _scaled(LINE)
        _text(str(place + 1), *corner, (*color, FAINT), inside)


def _arranged(area: bpy.types.Area, region: bpy.types.Region) -> tuple[Rectangle, list[Rectangle]]:
    """Return where the sheet is, and its cells from the top left on."""
    left, bottom, width, height = _free(area, region)
    gap, line = _scaled(GAP), _scaled(LINE)
    side = min(
        (width - (SIDES + 3) * gap) / SIDES,
        (height - (SIDES + 4) * gap - (SIDES + 1) * line) / SIDES,
        _scaled(LARGEST),
    )
    side = max(side, line)
    wide, high = SIDES * side + (SIDES + 1) * gap, SIDES * (side + line + gap) + gap + line
    x, y = left + (width - wide) / 2, bottom + (height - high) / 2
    cells = [
        (
            x + gap + column * (side + gap),
            y + gap + (SIDES - 1 - row) * (side + line + gap),
            side,
            side + line,
        )
        for row in range(SIDES)
        for column in range(SIDES)
    ]
    return (x, y, wide, high), cells


def _free(area: bpy.types.Area, region: bpy.types.Region) -> Rectangle:
    """Return the part of a region that sidebars and headers leave free."""
    left, right, bottom, top = 0, region.width, 0, region.height
    for other in area.regions:
        if other.type == "WINDOW" or min(other.width, other.height) <= 1:
            continue
        x, y = other.x - region.x, other.y - region.y
        side = other.alignment
        if side == "LEFT":
            left = max(left, x + other.width)
        elif side == "RIGHT":
            right = min(right, x)
        elif side == "TOP":
            top = min(top, y)
        elif side == "BOTTOM":
            bottom = max(bottom, y + other.height)
    return left, bottom, right - left, top - bottom


def _is_inside(rectangle: Rectangle, x: float, y: float) -> bool:
    left, bottom, width, height = rectangle
    return left <= x < left + width and bottom <= y < bottom + height


def _scaled(pixels: float) -> float:
    return pixels * (bpy.context.preferences.system.ui_scale or 1.0)


def _corners(rectangle: Rectangle) -> list[tuple[float, float]]:
    x, y, width, height = rectangle
    return [(x, y), (x + width, y), (x + width, y + height), (x, y + height)]


TWO_TRIANGLES = [(0, 1, 2), (0, 2, 3)]


def _fill(rectangle: Rectangle, color: Any) -> None:
    shader = gpu.shader.from_builtin("UNIFORM_COLOR")
    batch = batch_for_shader(shader, "TRIS", {"pos": _corners(rectangle)}, indices=TWO_TRIANGLES)
    shader.uniform_float("color", color)
    _draw_blended(batch, shader)


def _texture(pixels: Floats) -> Any:
    height, width = pixels.shape[:2]
    flat: Any = pixels.reshape(-1)  # an array is a buffer
    buffer = gpu.types.Buffer("FLOAT", pixels.size, flat)
    return gpu.types.GPUTexture((width, height), format="RGBA32F", data=buffer)


def _picture(texture: Any, rectangle: Rectangle) -> None:
    shader = gpu.shader.from_builtin("IMAGE")
    corners = {"pos": _corners(rectangle), "texCoord": [(0, 0), (1, 0), (1, 1), (0, 1)]}
    batch = batch_for_shader(shader, "TRIS", corners, indices=TWO_TRIANGLES)
    shader.uniform_sampler("image", texture)
    _draw_blended(batch, shader)


def _draw_blended(batch: Any, shader: Any) -> None:
    gpu.state.blend_set("ALPHA")  # drawing a text ends it
    batch.draw(shader)
    gpu.state.blend_set("NONE")


def _text(text: str, x: float, y: float, color: Color, room: float, share: float = 0.0) -> float:
    """Draw as much of a text as there is room for, with that share of it left of ``x``.

    Returns its width.
    """
    blf.size(0, _scaled(FONT))
    while len(text) > 1 and blf.dimensions(0, text)[0] > room:
        text = f"{text[:-2]}\N{HORIZONTAL ELLIPSIS}"
    width = blf.dimensions(0, text)[0]
    blf.color(0, *color)
    blf.position(0, x - share * width, y, 0)
    blf.draw(0, text)
    return width
