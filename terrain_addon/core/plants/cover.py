# SPDX-License-Identifier: GPL-3.0-or-later
"""All plants of a terrain: those of its groups where they act, and those of the ground around."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Sequence

import numpy as np

from ..evaluation.cache import Cache
from ..evaluation.stack import layer_weight
from ..layers.groups import path_to
from ..layers.shape.group import Group
from ..numerics.arrays import Floats
from ..numerics.progress import Cancel, Progress, no_progress
from ..recipe.recipe import Recipe, tree_of
from .growth import Avoid, grow
from .habitat import Habitat
from .lattice import Box
from .plants import Plants
from .species import PlantSet, Species


def planted(recipe: Recipe) -> dict[int, str]:
    """Return the sets of species that active groups name, by their places in the list of layers."""
    found: dict[int, str] = {}
    for place in sorted(recipe.active_places):
        kind = recipe.layers[place].settings
        if isinstance(kind, Group) and kind.plants:
            found[place] = kind.plants
    return found


def cover(
    recipe: Recipe,
    habitat: Habitat,
    ground: PlantSet | None,
    *,
    load: Callable[[str], PlantSet] = PlantSet.load,
    groups: bool = True,
    seed: int = 0,
    box: Box | None = None,
    avoid: Avoid | None = None,
    progress: Progress | None = None,
    cancelled: Cancel | None = None,
) -> list[tuple[PlantSet, Plants]]:
    """Return the plants of a terrain with the set of each.

    The set of a group grows where the group acts, by its masks and opacity, those of the groups
    around it, and its density. The ground has its own set elsewhere. Where groups overlap, the one
    above in the list comes first. Which plants stand in a border follows from their rank, so any
    window has the same ones.

    Parameters
    ----------
    recipe : Recipe
        The terrain.
    habitat : Habitat
        Its habitat.
    ground : PlantSet or None
        Species where no group has others; None for no plants there.
    load : callable
        Returns the set of a name that a group has; ValueError if there is none.
    groups : bool
        Whether groups have plants of their own: otherwise the ground's grow in them too.
    seed : int
        Added to that of the recipe, for other plants on the same terrain.
    box, avoid, progress, cancelled
        As for :func:`grow`.

    Returns
    -------
    list of (PlantSet, Plants)
        The ground first, then the groups from the ground up.

    Examples
    --------
    >>> from terrain_addon.core import FractalNoise, Layer
    >>> hills = Recipe(layers=(Layer.of(FractalNoise(height=80.0)),), size_x=300.0, size_y=300.0)
    >>> ((species, plants),) = cover(hills, Habitat.of(hills), PlantSet())
    >>> len(plants) > 0
    True
    """
    shares = _shares(recipe, habitat, cancelled) if groups else {}
    rest = np.float32(1)
    found: list[tuple[PlantSet, Plants]] = []
    count = max(len(shares) + (ground is not None), 1)

    def grown(species: PlantSet) -> Plants:
        done = len(found)
        report = progress or no_progress
        return grow(
            habitat,
            species,
            seed=recipe.seed + seed,
            box=box,
            avoid=avoid,
            progress=lambda share: report((done + share) / count),
            cancelled=cancelled,
        )

    for place, share in reversed(shares.items()):
        kind = recipe.layers[place].settings
        assert isinstance(kind, Group)
        species, limit = load(kind.plants), share * rest * np.float32(kind.density)
        rest = rest * (np.float32(1) - share)
        found.insert(0, (species, _thinned(grown(species), habitat, limit)))
    if ground is not None:
        plants = grown(ground)
        if shares:
            plants = _thinned(plants, habitat, np.asarray(rest))
        found.insert(0, (ground, plants))
    return found


def kinds_of(sets: Iterable[PlantSet]) -> tuple[Species, ...]:
    """Return the species of several sets, each name once: the first set that has it decides."""
    kinds: dict[str, Species] = {}
    for own in sets:
        for one in own.species:
            kinds.setdefault(one.name, one)
    return tuple(kinds.values())


def together(parts: Sequence[tuple[PlantSet, Plants]]) -> tuple[tuple[Species, ...], Plants]:
    """Return the species of several sets, each name once, and all plants, whose species are
    numbers among them."""
    kinds = kinds_of(own for own, _ in parts)
    numbers = {one.name: n for n, one in enumerate(kinds)}
    joined: list[Plants] = []
    for own, plants in parts:
        table = np.array([numbers[one.name] for one in own.species], np.int32)
        joined.append(dataclasses.replace(plants, species=table[plants.species]))
    return kinds, Plants.joined(joined)


def _shares(recipe: Recipe, habitat: Habitat, cancelled: Cancel | None) -> dict[int, Floats]:
    """Return how far each group with plants acts at the points of the habitat, 0 to 1, by place."""
    nodes, cache = tree_of(recipe.layers), Cache()
    shares: dict[int, Floats] = {}
    for place in planted(recipe):
        share = np.ones(habitat.grid.shape, np.float32)
        for node in path_to(nodes, place):
            layer = recipe.layers[node.place]
            share *= np.float32(layer.opacity)
            if layer.masks:
                share *= layer_weight(
                    recipe, node.place, habitat.grid, cache=cache, cancelled=cancelled
                )
        shares[place] = share
    return shares


def _thinned(plants: Plants, habitat: Habitat, limit: Floats) -> Plants:
    """Return the plants whose rank is below a limit on the grid of the habitat, 0 to 1."""
    return plants.thinned(habitat.at(limit, plants.x, plants.y))
