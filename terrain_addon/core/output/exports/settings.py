# SPDX-License-Identifier: GPL-3.0-or-later
"""The settings of an export."""

from __future__ import annotations

from ...analysis.fields import FIELDS
from ...recipe.recipe import Recipe
from ...settings.params import Settings, checked_list, param, short_repr
from ..engines import ENGINES, Engine, Extent, named
from ..images.kinds import fields_of

NONE, PACKED, SEPARATE = "none", "packed", "separate"
WEIGHTS = (NONE, PACKED, SEPARATE)
AUTOMATIC = "auto"
USUAL_NAME = "terrain"
MOST_TILES = 256
LAYER = "layer:"
"""Begins the name of a mask that shows where a layer acts; the name of the layer follows."""
SUFFIXES = {"png": "PNG, 16 bit", "r16": "R16", "raw": "RAW, 16 bit", "exr": "OpenEXR, float",
            "tif": "GeoTIFF, float", "npy": "NumPy, float"}  # fmt: skip


class ExportSettings(Settings):
    """The settings of an export.

    Attributes
    ----------
    masks : names of fields, and "layer:" with the name of a layer for where its masks let it act;
        each is written as a gray image, and with weights as a weight map

    Raises
    ------
    ValueError : a value out of range, an unknown field

    Examples
    --------
    >>> ExportSettings(engine="unity", size=513).size
    513
    """

    engine: str = param(
        "unreal",
        "Engine",
        "The program that imports the files",
        choices=[(key, one.label, f"Files for {one.label}") for key, one in ENGINES.items()],
    )
    size: int = param(
        0,
        "Size",
        "Samples along the longer side of a tile, from border to border; 0: the usual size of "
        "the engine",
        min=0,
        max=65536,
    )
    tiles_x: int = param(1, "Tiles X", "Tiles along X", min=1, max=MOST_TILES, soft_max=16)
    tiles_y: int = param(1, "Tiles Y", "Tiles along Y", min=1, max=MOST_TILES, soft_max=16)
    name: str = param(USUAL_NAME, "Name", "What the names of all files begin with")
    height: str = param(
        AUTOMATIC,
        "Heights",
        "Format of the height files",
        choices=[
            (AUTOMATIC, "Automatic", "The usual format of the engine"),
            *((key, label, f"Heights as .{key}") for key, label in SUFFIXES.items()),
        ],
    )
    weights: str = param(
        NONE,
        "Weights",
        "How much of each color of the palette, and of each mask, is at each sample",
        choices=[
            (NONE, "None", "No weight maps"),
            (PACKED, "Packed", "Four weights in each RGBA image"),
            (SEPARATE, "Separate", "A gray image for each weight"),
        ],
    )
    color: bool = param(True, "Color", "An image of the colors")
    normal: bool = param(True, "Normals", "A normal map, its green channel as in the engine")
    masks: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        super().__post_init__()
        names = tuple(dict.fromkeys(checked_list(self.masks, "masks")))
        for name in names:
            if name not in FIELDS and not str(name).startswith(LAYER):
                raise ValueError(
                    f"masks: there is no field {short_repr(name)}; there are {', '.join(FIELDS)}, "
                    f"and {LAYER}NAME for the masks of a layer"
                )
        object.__setattr__(self, "masks", names)

    @property
    def is_tiled(self) -> bool:
        """Whether there are several tiles."""
        return self.tiles_x * self.tiles_y > 1


def extent_of(
    recipe: Recipe, settings: ExportSettings, low: float = 0.0, high: float = 1.0
) -> Extent:
    """Apply the settings to a terrain whose heights range from ``low`` to ``high`` meters.

    Raises
    ------
    ValueError : a size, a format or a name that the engine does not take; a mask that the terrain
        does not have

    Examples
    --------
    >>> recipe = Recipe(size_x=2000.0, size_y=1000.0)
    >>> extent_of(recipe, ExportSettings(engine="plain", size=201)).points
    (201, 101)
    >>> extent_of(recipe, ExportSettings(engine="unity", size=1000))
    Traceback (most recent call last):
    ValueError: Unity takes tiles of 33, 65, 129, 257, 513, 1025, 2049, 4097 samples, not 1000: \
the nearest is 1025
    """
    engine = named(settings.engine)
    engine.check_name(settings.name)
    layers_of(recipe, settings)
    for mask in settings.masks:
        if mask in FIELDS and mask not in fields_of(recipe):
            raise ValueError(f"No layer of this terrain produces {FIELDS[mask].label!r}")
    columns, rows = settings.tiles_x, settings.tiles_y
    size = settings.size or _usual(engine, settings.is_tiled)
    if size < 2:
        raise ValueError(f"A tile has at least 2 samples along a side, not {size}")
    sides = engine.sides(size, recipe.size_x / columns, recipe.size_y / rows)
    extent = Extent(
        low=low,
        high=high,
        size_x=recipe.size_x,
        size_y=recipe.size_y,
        sides=sides,
        columns=columns,
        rows=rows,
        name=settings.name,
        suffix=_suffix(engine, settings),
    )
    engine.check(extent)
    return extent


def layers_of(recipe: Recipe, settings: ExportSettings) -> dict[str, int]:
    """Return the numbers of the layers, from the ground up, whose masks an export writes, by mask.

    Raises ValueError for a name that no layer with masks has, or several.

    Examples
    --------
    >>> from terrain_addon.core import FractalNoise, Layer, presets
    >>> from terrain_addon.core.layers import MASKS
    >>> top = Layer.of(FractalNoise(), name="Hills", masks=(MASKS["slope"](),))
    >>> layers_of(Recipe(layers=(FractalNoise(), top)), ExportSettings(masks=("layer:Hills",)))
    {'layer:Hills': 1}
    """
    layers, active = recipe.layers, sorted(recipe.active_places)
    names = {n: layers[n].name for n in active if layers[n].masks}
    found: dict[str, int] = {}
    for mask in settings.masks:
        if mask.startswith(LAYER):
            name = mask.removeprefix(LAYER)
            places = [n for n, other in names.items() if other == name]
            if len(places) > 1:
                raise ValueError(f"masks: several layers are named {name!r}: rename one")
            if not places:
                known = f"there are {', '.join(names.values())}" if names else "none has masks"
                raise ValueError(f"masks: no layer with masks is named {name!r}; {known}")
            found[mask] = places[0]
    return found


def _usual(engine: Engine, tiled: bool) -> int:
    return min(engine.sizes_of(tiled), key=lambda size: abs(size - engine.usual))


def _suffix(engine: Engine, settings: ExportSettings) -> str:
    if settings.height == AUTOMATIC:
        return ""
    suffix = f".{settings.height}"
    if suffix not in engine.suffixes:
        listed = " or ".join(engine.suffixes)
        raise ValueError(f"{engine.label} takes heights as {listed}, not {suffix}")
    return suffix


def known_masks() -> list[str]:
    """Return the names of the fields that masks may show."""
    return list(FIELDS)
