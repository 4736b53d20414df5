# SPDX-License-Identifier: GPL-3.0-or-later
"""Recipes of real terrain, and recipes whose maps are files."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from pathlib import Path

from ..elevation import Elevation
from ..layers.generate.height_map import METERS, TRUE_SIZE, HeightMap
from ..layers.maps import Map
from ..recipe.recipe import EARTH, MARS, MOON, Layer, Recipe, Water
from ..settings.input_files import read_text_bytes
from .belts import belts
from .source import Source, as_map, is_elevation, map_of

NAME = "Real Land"
"""Name of the layer that holds real terrain."""
LATITUDE = 45.0
"""Degrees, where a model does not say where it lies."""
FLAT = 1e-6
"""Meters between the lowest and the highest point below which there is no terrain, unless it has a
place."""
SEA_SHARE = 0.002
"""Share of samples below 0 from which a terrain has a sea."""
_SKIES = {"Mars": MARS, "Moon": MOON, "Mercury": MOON}
"""Skies by the name of the body, other than that of the Earth."""


def load_recipe(text: str, *, maps: Mapping[str, Map] | None = None) -> Recipe:
    """Load the recipe in a recipe file, or make the one of elevation files.

    Parameters
    ----------
    text : path of a recipe (.json), or elevation files as :meth:`Source.parse` takes them
    maps : maps of the recipe by name. Others that name elevation files are read, from the folder of
        the recipe

    Raises
    ------
    ValueError : no valid recipe, a damaged elevation file, a map that is missing
    OSError : a file cannot be read

    Examples
    --------
    >>> import tempfile
    >>> header = "ncols 3\\nnrows 2\\nxllcorner 0\\nyllcorner 0\\ncellsize 30\\n"
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "hill.asc")
    ...     _ = path.write_text(header + "4 5 6\\n1 2 3\\n")
    ...     recipe = load_recipe(str(path))
    >>> recipe.size_x, recipe.size_y, recipe.layers[0].name
    (60.0, 30.0, 'Real Land')
    """
    given = dict(maps or {})
    if is_elevation(text):
        if given:
            raise ValueError("An elevation file has no maps")
        source = Source.parse(text)
        assert source is not None
        return recipe_of(source, source.read())
    path = Path(text)
    try:
        recipe = Recipe.from_json(read_text_bytes(path))
    except ValueError as error:
        raise ValueError(f"{path.name}: {error}") from None
    return with_maps(recipe, given, path.parent)


def with_maps(recipe: Recipe, maps: Mapping[str, Map], folder: Path | None = None) -> Recipe:
    """Add the maps that a recipe names: those given, and elevation files in a folder.

    Raises ValueError for a map that is missing, or that it does not name, and for a damaged file;
    OSError for a file that cannot be read.

    Examples
    --------
    >>> recipe = Recipe(layers=(Layer.of(HeightMap(source="Paint")),))
    >>> with_maps(recipe, {})
    Traceback (most recent call last):
    ValueError: The recipe has a map 'Paint', which is not given: add --map Paint=FILE
    """
    names, found = recipe.map_names, dict(maps)
    for name in maps:
        if name not in names:
            known = f"its maps are {', '.join(names)}" if names else "it has none"
            raise ValueError(f"The recipe has no map {name!r}; {known}")
    for name in names:
        if name not in found:
            if not is_elevation(name):
                raise ValueError(
                    f"The recipe has a map {name!r}, which is not given: add --map {name}=FILE"
                )
            found[name] = map_of(name, folder)
    return dataclasses.replace(recipe, maps=tuple(found.values()))


def recipe_of(source: Source, model: Elevation, known: Map | None = None) -> Recipe:
    """Make a recipe of real terrain, of true size and height, with its map.

    A sea at 0 shows where terrain lies below it; for the colors see :func:`~.belts.belts`.

    Parameters
    ----------
    source : where the model comes from
    model : what is there
    known : its map, where it is made already

    Raises
    ------
    ValueError : large voids; a spacing or heights that are not known, or of no terrain
    """
    label = source.label
    if model.stored is not None:
        raise ValueError(
            f"{label} does not say what heights its numbers stand for: name the lowest and the "
            "highest in meters, as in #low=0,high=1800"
        )
    if model.spacing is None:
        raise ValueError(
            f"{label} does not say how far apart its samples are: add it in meters, as in "
            "#spacing=30"
        )
    found = known or as_map(str(source), source, model)
    low, high = found.range
    assert found.size is not None
    size = (round(found.size[0], 2), round(found.size[1], 2))
    _check(label, size, low, high, is_placed=model.georeference is not None)
    sea = low < 0 < high and float((found.values < 0).mean()) >= SEA_SHARE
    layer = Layer.of(HeightMap(source=str(source), values=METERS, fit=TRUE_SIZE), name=NAME)
    return Recipe(
        about=f"Real terrain from {label}.",
        size_x=size[0],
        size_y=size[1],
        sky=_sky(model),
        layers=(layer,),
        water=Water(show=sea),
        palette=belts(found, _latitude(model), sea=sea),
        maps=(found,),
    )


def _sky(model: Elevation) -> str:
    """Return the sky of the body that a model lies on, that of the Earth where it has none."""
    body = model.georeference.system.body.name if model.georeference else ""
    return _SKIES.get(body, EARTH)


def _check(
    label: str, size: tuple[float, float], low: float, high: float, *, is_placed: bool
) -> None:
    """Raise ValueError for numbers that no terrain has; one with a place may be a level lake."""
    smaller, larger = min(size), max(size)
    if smaller < 0.1 or larger > 2e6:
        raise ValueError(
            f"{label} would be {size[0]:.3g} x {size[1]:.3g} m large: name the spacing in meters, "
            "as in #spacing=30"
        )
    level = high - low < FLAT and not is_placed
    if low < -12_000 or (high > 9_000 and high - low > 9 * smaller) or level:
        raise ValueError(
            f"{label} has heights from {low:.6g} to {high:.6g} m, which are none of terrain: it "
            "may have voids with another mark, or another byte order or type"
        )


def _latitude(model: Elevation) -> float:
    rows, columns = model.height.shape
    found = model.georeference and model.georeference.latitude(columns, rows)
    return LATITUDE if found is None else abs(found)
