# SPDX-License-Identifier: GPL-3.0-or-later
"""Add > Mesh > Terrain."""

import dataclasses
import math
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, cast

import bpy
from bpy.props import EnumProperty, FloatProperty, IntProperty, StringProperty
from bpy_extras.object_utils import AddObjectHelper, add_object_align_init
from mathutils import Vector

from ...core import Recipe, presets
from ...core.evaluation import Held, memory
from ...core.numerics import user_message
from ...core.recipe import rescale
from ..app.preferences import prepares_view
from ..app.registration import registered
from ..data.terrains import own_collections, terrain_of
from ..live import clipping, rebuild
from ..materials import terrain_material
from ..mesh import terrain_mesh
from ..mesh.new_grid import RESOLUTION
from ..mesh.signature import Signature
from ..properties import loaded_preset, user_presets
from ..properties.choices import preset_items
from ..properties.declare import permanent_number
from ..properties.recipe import write
from .base import Result, reporting

DEFAULT = "island"
ADDED = "Terrain added: its settings are in the sidebar (N), Terrain tab"
USUAL_LIGHT, BRIGHT_LIGHT = "Default", "paint.sl"
"""Studio lights of Blender, by name."""
NEAREST_VIEW, GOOD_VIEW, FARTHEST_VIEW = 1.2, 1.4, 4.0
"""View distances in terrain sizes: all of it visible, well framed, too far away."""


@registered
class TERRAIN_OT_add(bpy.types.Operator, AddObjectHelper):
    """Add a terrain whose settings stay editable in the sidebar's Terrain tab"""

    bl_idname = "terrain.add"
    bl_label = "Add Terrain"
    bl_options = {"REGISTER", "UNDO"}

    preset: EnumProperty(
        name="Preset",
        description="The preset to start from",
        items=preset_items,
        default=permanent_number(DEFAULT),
    )
    resolution: IntProperty(
        name="Resolution", description="Points along the longer side", **RESOLUTION
    )
    size: FloatProperty(
        name="Size",
        description="Length of the longer side. Everything is scaled, including heights. "
        "0: the size of the preset",
        default=0.0,
        min=0.0,
        max=1e7,
        step=1000,
        subtype="DISTANCE",
        unit="LENGTH",
        options={"SKIP_SAVE"},
    )
    sized_for: StringProperty(
        description="The preset whose size is shown", options={"HIDDEN", "SKIP_SAVE"}
    )
    seed: IntProperty(
        name="Seed",
        description="Number that selects a variation. 0: the seed of the preset",
        default=0,
        options={"SKIP_SAVE"},
    )

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        if context.mode != "OBJECT":
            cls.poll_message_set("Return to Object Mode to add a terrain")
            return False
        return True

    @classmethod
    def description(cls, context: bpy.types.Context, properties: Any) -> str:
        return user_presets.tooltip(properties.preset, cls.__doc__ or "")

    @reporting
    def execute(self, context: bpy.types.Context) -> Result:
        recipe = self._recipe()
        empty = self.preset == user_presets.EMPTY  # a word for another kind of object
        name = "Terrain" if empty else presets.label(self.preset)
        collection = own_collections(context, [context.collection])[0]
        item = make_terrain(name, recipe, self.resolution, collection)
        loaded_preset.remember(terrain_of(cast(Any, item.data)), self.preset)
        item.matrix_world = add_object_align_init(context, cast(Any, self))
        activate(context, item)
        if prepares_view(context):
            show_all(context, max(recipe.size_x, recipe.size_y), cast(Any, self).location)
        self.report({"INFO"}, ADDED)
        return {"FINISHED"}

    def draw(self, context: bpy.types.Context) -> None:
        layout = self.layout
        layout.use_property_split = True
        layout.template_icon_view(self, "preset", show_labels=True)
        for name in ("preset", "resolution", "size", "seed"):
            layout.prop(self, name)
        layout.separator()
        for name in ("align", "location", "rotation"):
            layout.prop(self, name)

    def _recipe(self) -> Recipe:
        recipe = user_presets.load(self.preset)
        own = max(recipe.size_x, recipe.size_y)
        if not self.size or self.sized_for not in ("", self.preset):
            self.size, self.sized_for = own, self.preset
        elif not math.isclose(self.size, own, rel_tol=1e-6):
            recipe = rescale(recipe, self.size / own)
        return dataclasses.replace(recipe, seed=self.seed or recipe.seed)


def make_terrain(
    name: str, recipe: Recipe, resolution: int | tuple[int, int], collection: bpy.types.Collection
) -> bpy.types.Object:
    """Add a terrain object to a collection; ValueError, and no object, if it cannot be built.

    ``resolution`` is the number of points along the longer side, or those along X and Y.
    """
    grid = recipe.grid(resolution)
    memory.check_mesh(grid.nx, grid.ny, held=Held.of(recipe.active))
    with rebuild.started(recipe, grid) as ahead, terrain_mesh.new(name, grid) as mesh:
        terrain = terrain_of(mesh)
        with rebuild.quiet():
            terrain.is_terrain = True
            terrain.built = str(Signature.bare(grid))
            terrain.square_cells = isinstance(resolution, int)
            counts = (resolution, resolution) if isinstance(resolution, int) else resolution
            terrain.resolution, terrain.resolution_y = counts
            write(terrain, recipe)
        item = bpy.data.objects.new(name, mesh)  # before the rebuild, which adds its water
        collection.objects.link(item)
        try:
            rebuild.update(mesh, rebuild.LONG_PATIENCE, ahead=ahead)
        except ValueError as error:
            _rebuild_without_maps(mesh, recipe, error)
    mesh.materials.append(terrain_material(recipe.material))
    return item


def _rebuild_without_maps(mesh: bpy.types.Mesh, recipe: Recipe, error: ValueError) -> None:
    """Rebuild without layers that need painted maps, which a new mesh does not have, and say so.

    Raises the error if maps are not the cause.
    """
    layers = tuple(
        dataclasses.replace(layer, enabled=layer.enabled and not layer.map_names)
        for layer in recipe.layers
    )
    if layers == recipe.layers:
        raise error
    terrain = terrain_of(mesh)
    with rebuild.quiet():
        write(terrain, dataclasses.replace(recipe, layers=layers))
        rebuild.update(mesh, rebuild.LONG_PATIENCE)
        write(terrain, recipe)
    rebuild.complain(mesh, user_message(error))


def activate(context: bpy.types.Context, item: bpy.types.Object) -> None:
    """Make a new object the only selected one, and active, as Blender's operators do."""
    for other in context.selected_objects:
        other.select_set(False)
    item.select_set(True)
    context.view_layer.objects.active = item
    space: Any = context.space_data
    if isinstance(space, bpy.types.SpaceView3D) and space.local_view:
        for one in (item, *item.children):
            one.local_view_set(space, True)
    if context.preferences.edit.use_enter_edit_mode:
        bpy.ops.object.mode_set(mode="EDIT")


def show_all(context: bpy.types.Context, size: float, place: Any) -> None:
    """Show colors in the viewport, and frame the terrain if it is off-screen or tiny."""
    show_colors(context)
    for space in viewports(context):
        clipping.widen(space, size)
        view = space.region_3d
        aside = (view.view_location - Vector(place)).length
        fits = NEAREST_VIEW * size + aside <= view.view_distance <= FARTHEST_VIEW * size
        if view.view_perspective != "CAMERA" and not fits:
            view.view_location = place
            view.view_distance = GOOD_VIEW * size


def show_colors(context: bpy.types.Context) -> None:
    """Show the colors of meshes in viewports that show the one color of each material.

    Natural ground reflects a tenth of the light, so that Blender's usual lights leave it almost
    black; those for painting are bright. Lights that the user has chosen stay.
    """
    for space in viewports(context):
        if space.shading.type == "SOLID" and space.shading.color_type == "MATERIAL":
            space.shading.color_type = "VERTEX"
            space.shading.show_object_outline = False  # narrow rivers would be black dashes
            if space.shading.light == "STUDIO" and space.shading.studio_light == USUAL_LIGHT:
                space.shading.studio_light = BRIGHT_LIGHT


def show_image(context: bpy.types.Context) -> None:
    """Show images in the viewports that show colors of the mesh."""
    for space in viewports(context):
        if space.shading.type == "SOLID" and space.shading.color_type in ("MATERIAL", "VERTEX"):
            space.shading.color_type = "TEXTURE"


def viewports(context: bpy.types.Context) -> list[Any]:
    """Return the viewport that an operator runs in, or all of the window: from the menu of its
    top bar, an operator runs in none."""
    if isinstance(context.space_data, bpy.types.SpaceView3D):
        return [context.space_data]
    if context.screen is None:  # in the background
        return []
    return [area.spaces.active for area in context.screen.areas if area.type == "VIEW_3D"]


@contextmanager
def kept_in_view(
    context: bpy.types.Context, mesh: bpy.types.Mesh, item: bpy.types.Object
) -> Iterator[None]:
    """Show all of a terrain whose size changes within the context."""
    terrain = terrain_of(mesh)
    before = terrain.size_x, terrain.size_y
    yield
    after = terrain.size_x, terrain.size_y
    if after != before and prepares_view(context):
        show_all(context, max(after) * max(*item.scale), item.matrix_world.translation)
