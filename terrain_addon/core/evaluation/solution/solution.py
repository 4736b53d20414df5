# SPDX-License-Identifier: GPL-3.0-or-later
"""What layers and masks find out about a whole terrain, once for all of its windows."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...layers import WHOLE, LayerKind, Mask
from ...layers.context import Inputs
from ...numerics.array_cache import ArrayCache, Arrays
from ...recipe.recipe import Layer, Recipe
from .files import read_parts, write_parts

Given = tuple[Mapping[str, str], Mapping[str, str]]
"""Digests of maps and of shapes, by their names."""


@dataclass(frozen=True)
class Solution:
    """The parts of an evaluation that depend on a whole terrain; made by :func:`~.solving.solve`.

    With it, :func:`~.stack.evaluate` makes any window on any grid from what lies around it alone,
    and all windows have the bits of the whole. It serves all recipes with the same parts, such as
    those with other colors or other gullies.

    Attributes
    ----------
    parts : plain data, frozen dataclasses of arrays and numbers, by a digest of all that they
        follow from
    """

    parts: Mapping[str, Arrays]

    def save(self, folder: str | Path) -> None:
        """Write the solution into a folder, which replaces an older one once it is complete.

        Arrays are .npy files, everything else is in a JSON file, with the versions of Orogen and
        NumPy and the features of the processor.

        Raises
        ------
        ValueError : the folder holds something else
        OSError : it cannot be written

        Examples
        --------
        >>> import tempfile
        >>> from terrain_addon.core import Erosion, FractalNoise, Recipe, Solution, evaluate, solve
        >>> recipe = Recipe(layers=(FractalNoise(), Erosion(resolution="128")))
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     solve(recipe).save(f"{folder}/solution")
        ...     solution = Solution.load(f"{folder}/solution")
        >>> terrain = evaluate(recipe, recipe.grid(33), solution=solution)
        """
        write_parts(Path(folder), self.parts)

    @classmethod
    def load(cls, folder: str | Path) -> Solution:
        """Return the solution in a folder. Its arrays are mapped into memory: what is not used is
        not read. The folder must stay while they are in use.

        Raises
        ------
        ValueError : no solution, a damaged one, or one of another version of Orogen or NumPy
        OSError : it cannot be read
        """
        return cls(read_parts(Path(folder)))

    def part(self, key: str) -> Arrays:
        """Return the part of that key; ValueError if there is none."""
        if key not in self.parts:
            raise ValueError("The solution is that of another terrain: solve this recipe")
        return self.parts[key]


class KnownParts:
    """The parts that one evaluation uses: from a solution, from a cache, or made.

    Attributes
    ----------
    used : the parts so far by their keys
    """

    def __init__(self, cache: ArrayCache[Any], solution: Solution | None) -> None:
        self.used: dict[str, Arrays] = {}
        self._cache, self._solution = cache, solution

    def get(self, key: str, make: Callable[[], Arrays]) -> Arrays:
        """Return a part, made if there is no solution and it is not known yet."""
        if key not in self.used:
            self.used[key] = self._found(key, make)
        return self.used[key]

    def _found(self, key: str, make: Callable[[], Arrays]) -> Arrays:
        if self._solution is not None:
            return self._solution.part(key)
        known: Arrays | None = self._cache.get(key)
        if known is None:
            known = make()
            for array in known.arrays:
                array.setflags(write=False)
            self._cache.put(key, known)
        return known


def has_whole_parts(recipe: Recipe) -> bool:
    """Return whether a layer or a mask of a recipe depends on the whole terrain.

    Examples
    --------
    >>> from terrain_addon.core import Erosion, Recipe
    >>> has_whole_parts(Recipe()), has_whole_parts(Recipe(layers=(Erosion(),)))
    (False, True)
    """
    return any(
        layer.settings.depends_on == WHOLE or any(mask.whole for mask in layer.masks)
        for layer in recipe.active
    )


def part_key(
    recipe: Recipe, below: Sequence[Layer], owner: LayerKind | Mask | None, inputs: Inputs
) -> str:
    """Return a digest of everything that a part of a solution depends on.

    Parameters
    ----------
    recipe : its seed, extent, radius of fields, water level, snow line, maps and shapes count
    below : the active layers that make the terrain that the part is solved for
    owner : the layer or mask that solves it, whose maps and shapes count; None for the finished
        terrain
    inputs : what else it depends on
    """
    given = _given(recipe)
    kinds = [layer.settings for layer in below]
    if isinstance(owner, LayerKind):
        kinds.append(owner)
    follows_from = (
        recipe.seed,
        recipe.size_x,
        recipe.size_y,
        recipe.field_radius,
        *(("seamless",) if recipe.seamless else ()),
        *recipe.read_by(kinds),
        *recipe.habitat_read_by(below),
        [_layer(layer, given) for layer in below],
        None if owner is None else (owner.key, _inputs(owner, given)),
        inputs,
    )
    text = json.dumps(follows_from, separators=(",", ":"))
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def _layer(layer: Layer, given: Given) -> Any:
    """Return everything that the heights of a layer depend on: neither its name nor its switch."""
    data = layer.to_dict()
    known = [data[name] for name in ("kind", "settings", "masks", "blend", "opacity")]
    rivers, count = layer.for_rivers.settings, layer.settings.holds
    found: list[Any] = [] if rivers == layer.settings else [rivers.to_dict()]
    found += [] if count is None else [count]
    return [*known, _inputs(layer, given), *found]


def _given(recipe: Recipe) -> Given:
    """Return the digests of the maps and of the shapes of a recipe, by their names."""
    maps = {one.name: f"{one.digest.hex()} {one.to_border}" for one in recipe.maps}
    return maps, {shape.name: shape.digest.hex() for shape in recipe.shapes}


def _inputs(owner: Layer | LayerKind | Mask, given: Given) -> list[str]:
    """Return the digests of the maps and of the shapes that it names, "" for one that is
    missing."""
    maps, shapes = given
    found = [maps.get(name, "") for name in owner.map_names]
    return found + [shapes.get(name, "") for name in owner.shape_names]
