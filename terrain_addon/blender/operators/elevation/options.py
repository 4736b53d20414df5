# SPDX-License-Identifier: GPL-3.0-or-later
"""Which elevation files are added as a terrain, and what they do not say themselves."""

import dataclasses
from pathlib import Path
from typing import Any

import bpy
from bpy.props import (
    BoolProperty,
    EnumProperty,
    FloatProperty,
    FloatVectorProperty,
    IntProperty,
    StringProperty,
)

from ....core import Recipe, real_terrain
from ....core.elevation import ZONE, Elevation
from ....core.formats import ENCODINGS, RawLayout
from ....core.real_terrain import EVERY, KINDS, Source
from ...data import elevation_files, scene_place
from ...mesh.new_grid import RESOLUTION
from ..base import UNSEEN
from ..file_browser import FilesBrowser

MOST_POINTS = 1025
"""Points along the longer side, unless another number is chosen."""
RAW = (".raw", ".r16")
FILE, SCENE = "file", "scene"
_UNSAVED: Any = {"SKIP_SAVE"}
_FROM_FILE = ("file", "From File", "What the file says")
_LENGTHS = [
    ("m", "Meters", "Meters"),
    ("ft", "International Feet", "0.3048 m"),
    ("us-ft", "US Survey Feet", "1200/3937 m"),
    ("km", "Kilometers", "1000 m"),
    ("cm", "Centimeters", "0.01 m"),
]
_GUESSED = ("guessed", "Guessed", "What makes the smoothest terrain")


class ElevationOptions(FilesBrowser):
    """Properties of an operator, and what follows from them."""

    filepath: StringProperty(name="File", description="An elevation file", subtype="FILE_PATH")
    filter_glob: StringProperty(
        description="Files shown", default=elevation_files.GLOB, options=UNSEEN
    )
    resolution: IntProperty(
        name="Resolution",
        description="Points along the longer side. 0: a point for each sample, at most 1025",
        **{**RESOLUTION, "default": 0, "min": 0, "soft_min": 0},
        options=_UNSAVED,
    )
    every: EnumProperty(
        name="Samples",
        description="Keep fewer samples of huge files, of means around them",
        items=[
            (str(n), "All" if n == 1 else f"1 of {n}", f"Every {n} samples each way") for n in EVERY
        ],
        options=_UNSAVED,
    )
    fill: BoolProperty(
        name="Fill Large Voids",
        description="Fill large gaps smoothly from their borders, too. Small ones always are",
        options=_UNSAVED,
    )
    system: EnumProperty(
        name="System",
        description="Coordinate system that the heights are resampled to. Their places are then "
        "within a tenth of a sample",
        items=[
            (FILE, "As in the File", "Keep the samples. Degrees count as meters in the middle"),
            (SCENE, "The Scene's", "Fit to the other terrains of the scene"),
            (ZONE, "UTM Zone", "Meters of the zone in which the place lies"),
        ],
        options=_UNSAVED,
    )
    use_part: BoolProperty(
        name="Part", description="Add a part of the terrain only", options=_UNSAVED
    )
    part_size: FloatProperty(
        name="Size",
        description="Length of the sides of the part",
        default=5000.0,
        min=1.0,
        max=1e7,
        step=10_000,
        subtype="DISTANCE",
        options=_UNSAVED,
    )
    part_middle: FloatVectorProperty(
        name="Middle",
        description="Middle of the part, from the middle of the files to the east and the north",
        size=2,
        step=10_000,
        subtype="XYZ_LENGTH",
        options=_UNSAVED,
    )
    spacing: FloatProperty(
        name="Spacing",
        description="Meters between samples. 0: what the file states, or 1 m",
        default=0.0,
        min=0.0,
        max=1e5,
        subtype="DISTANCE",
        options=_UNSAVED,
    )
    coordinate_unit: EnumProperty(
        name="Unit of Coordinates",
        description="Unit of the coordinates, where the file names none or another one",
        items=[_FROM_FILE, *_LENGTHS, ("deg", "Degrees", "Longitude and latitude")],
        options=_UNSAVED,
    )
    height_unit: EnumProperty(
        name="Unit of Heights",
        description="Unit of the heights, where the file names none or another one",
        items=[_FROM_FILE, *_LENGTHS],
        options=_UNSAVED,
    )
    encoding: EnumProperty(
        name="Encoding",
        description="How the colors of a picture stand for heights",
        items=[
            ("auto", "By the Picture", "As its red tells, which a note says, or refused"),
            *((key, name, f"Colors are heights by {name}") for key, name in ENCODINGS.items()),
        ],
        options=_UNSAVED,
    )
    low: FloatProperty(
        name="Lowest",
        description="Height of the lowest number that the file can hold",
        default=0.0,
        min=-1e5,
        max=1e5,
        step=1000,
        subtype="DISTANCE",
        options=_UNSAVED,
    )
    high: FloatProperty(
        name="Highest",
        description="Height of the highest number that the file can hold",
        default=500.0,
        min=-1e5,
        max=1e5,
        step=1000,
        subtype="DISTANCE",
        options=_UNSAVED,
    )
    columns: IntProperty(
        name="Columns",
        description="Numbers in a row. 0: guessed, a square",
        min=0,
        max=65_536,
        options=_UNSAVED,
    )
    rows: IntProperty(
        name="Rows",
        description="Number of rows. 0: guessed, a square",
        min=0,
        max=65_536,
        options=_UNSAVED,
    )
    bits: EnumProperty(
        name="Depth",
        description="Bits of a number",
        items=[
            _GUESSED,
            *((n, f"{n} bits", f"{n} bits of each number") for n in ("8", "16", "32")),
        ],
        options=_UNSAVED,
    )
    order: EnumProperty(
        name="Byte Order",
        description="Order of the bytes of a number",
        items=[
            _GUESSED,
            ("little", "Little-endian", "Lowest byte first, as on PCs"),
            ("big", "Big-endian", "Highest byte first, as on old Macs"),
        ],
        options=_UNSAVED,
    )
    type: EnumProperty(
        name="Numbers",
        description="Type of the numbers",
        items=[_GUESSED, *((name, name.title(), f"{name.title()} numbers") for name in KINDS)],
        options=_UNSAVED,
    )
    north: BoolProperty(
        name="Northern Row First",
        description="The first row is the northern one, as in images",
        options=_UNSAVED,
    )

    def is_plain(self, paths: list[Path]) -> bool:
        """Return whether the numbers of files are no meters by themselves."""
        try:
            return self.opened(paths, ranged=False)[1].stored is not None
        except (ValueError, OSError, MemoryError):
            return False

    def opened(self, paths: list[Path], *, ranged: bool = True) -> tuple[Source, Elevation]:
        """Return the source and the model of files with the chosen settings.

        A spacing that no file states is 1 m, and numbers that are no meters get the chosen range.
        """
        layout = RawLayout()
        if any(map(is_raw, paths)):
            layout = RawLayout(
                columns=self.columns or None,
                rows=self.rows or None,
                bits=int(self.bits) if self.bits != _GUESSED[0] else None,
                order=self.order if self.order != _GUESSED[0] else None,
                kind=KINDS.get(self.type),
                north_first=self.north,
            )
        source = Source(
            elevation_files.named(paths),
            fill=self.fill,
            every=int(self.every),
            spacing=round(self.spacing, 4) or None,
            unit=_stated(self.coordinate_unit),
            heights=_stated(self.height_unit),
            encoding=_stated(self.encoding) if any(map(is_picture, paths)) else None,
            system=self._system(),
            layout=layout,
        )
        model = elevation_files.model_of(source)
        changes: dict[str, float] = {}
        if model.stored is not None and ranged:
            changes |= {"low": round(self.low, 3), "high": round(self.high, 3)}
        if model.spacing is None:
            changes["spacing"] = 1.0
        if changes:
            source = dataclasses.replace(source, **changes)
            model = elevation_files.model_of(source)
        return source, model

    def _system(self) -> str | None:
        """Return the name of the system to resample to; ValueError if the scene has none."""
        if self.system != SCENE:
            return ZONE if self.system == ZONE else None
        system = scene_place.origin_of(bpy.context.scene).system
        if system.epsg is None:
            raise ValueError("The scene's coordinate system has no code of EPSG: keep the file's")
        return f"EPSG:{system.epsg}"

    def recipe(self, source: Source, model: Elevation) -> Recipe:
        recipe = real_terrain.recipe_of(source, model, elevation_files.map_of(str(source)))
        if not self.use_part:
            return recipe
        size_x, size_y = (min(self.part_size, side) for side in (recipe.size_x, recipe.size_y))
        (layer,) = recipe.layers
        x, y = self.part_middle
        place = dataclasses.replace(layer.settings, x=-x, y=-y)
        layers = (dataclasses.replace(layer, settings=place),)
        return dataclasses.replace(recipe, size_x=size_x, size_y=size_y, layers=layers)

    def points(self, recipe: Recipe) -> int | tuple[int, int]:
        """Return the points along the longer side, or those of the samples along X and Y."""
        if self.resolution >= RESOLUTION["min"]:
            return self.resolution
        found = recipe.maps[0]
        assert found.size is not None
        rows, columns = found.values.shape
        nx = max(round(recipe.size_x / found.size[0] * (columns - 1)) + 1, RESOLUTION["min"])
        ny = max(round(recipe.size_y / found.size[1] * (rows - 1)) + 1, RESOLUTION["min"])
        return (nx, ny) if max(nx, ny) <= MOST_POINTS else MOST_POINTS


def _stated(choice: str) -> str | None:
    """Return what a menu states; None where the file says it."""
    return None if choice in ("file", "auto") else choice


def is_picture(path: Path) -> bool:
    """Return whether the colors of a file may be heights."""
    return path.suffix.lower() == ".png"


def is_raw(path: Path) -> bool:
    """Return whether a file does not describe itself."""
    return path.suffix.lower() in RAW
