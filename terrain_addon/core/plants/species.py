# SPDX-License-Identifier: GPL-3.0-or-later
"""Species of plants, and sets of them that grow together, one JSON file each."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from ..numerics.arrays import Floats
from ..recipe import presets
from ..settings.params import (
    Settings,
    checked_list,
    checked_mapping,
    checked_parts,
    checked_values,
    factor_param,
    param,
)
from .habitat import HABITAT, Climate

FOLDER = presets.FOLDER / "plants"
"""The sets of the extension."""
MOST_SPECIES = 64
LEAST_SPAN = 1e-4
"""Of a habitat field or of light, over which suitability rises from none to full."""


class Niche(Settings):
    """The range of a habitat field, or of light, in which a species lives.

    Suitability rises from 0 at ``none_below`` to 1 at ``best_from`` and falls from ``best_to`` to 0
    at ``none_above``.

    Raises
    ------
    ValueError
        Values that do not rise.

    Examples
    --------
    >>> Niche(none_below=0.0, best_from=2.0, best_to=8.0, none_above=10.0).suitability(
    ...     np.float32([-1, 1, 5, 9]))
    array([0. , 0.5, 1. , 0.5], dtype=float32)
    """

    none_below: float = param(0.0, "None Below", "Value at and below which it does not live")
    best_from: float = param(0.0, "Best From", "Value from which it lives best")
    best_to: float = param(1.0, "Best To", "Value up to which it lives best")
    none_above: float = param(1.0, "None Above", "Value at and above which it does not live")

    def __post_init__(self) -> None:
        super().__post_init__()
        if list(self.values) != sorted(self.values):
            raise ValueError(f"a niche must be four values that rise, not {self.values}")

    @property
    def values(self) -> tuple[float, float, float, float]:
        """The four values."""
        return self.none_below, self.best_from, self.best_to, self.none_above

    def suitability(self, values: Floats) -> Floats:
        """Return 0 to 1 for each value."""
        a, b, c, d = self.values
        rising = values - np.float32(a)
        rising *= np.float32(1 / max(b - a, LEAST_SPAN))
        falling = np.float32(d) - values
        falling *= np.float32(1 / max(d - c, LEAST_SPAN))
        found = np.minimum(rising, falling, out=rising)
        return np.clip(found, np.float32(0), np.float32(1), out=found)

    @classmethod
    def from_list(cls, data: Any, path: str) -> Niche:
        """Return a niche from the four numbers of JSON; ValueError, with the path, for others."""
        values = checked_list(data, path)
        if len(values) != 4:
            raise ValueError(f"{path}: expected four numbers that rise, not {len(values)}")
        names = ("none_below", "best_from", "best_to", "none_above")
        try:
            return cls(**dict(zip(names, values, strict=True)))
        except ValueError as error:
            raise ValueError(f"{path}: {error}") from None


SUNLIT = Niche(none_below=-1.0, best_from=0.0, best_to=1.0, none_above=2.0)


class Stratum(Settings):
    """A layer of plants of about one size, such as the canopy.

    Each of its square cells holds one plant at most.
    """

    name: str = param("Canopy", "Name", "Name of the stratum")
    cell: float = param(
        2.4, "Cell", "Side of the cells that hold one plant each", unit="m", min=0.2, max=100.0
    )
    shading: float = factor_param(
        0.35, "Shading", "How much shade of neighbors reduces the height of a plant"
    )


class Species(Settings):
    """A species: its size, where it lives, and how it gathers.

    ``niches`` are ranges of habitat fields by their keys in `HABITAT`; what is scarcest decides
    (Liebig's law of the minimum). ``light`` is the share of light under higher strata that it
    needs. Without ``autumn`` in JSON, its color stays that of summer.
    """

    niches: Mapping[str, Niche] = dataclasses.field(default_factory=dict[str, Niche])
    light: Niche = SUNLIT
    name: str = param("Plant", "Name", "Name of the species")
    stratum: str = param("Canopy", "Stratum", "Name of the stratum that it grows in")
    model: str = param("broadleaf", "Model", "Key of the model that shows it")
    height: float = param(
        20.0, "Height", "Height of a full-grown plant", unit="m", min=0.05, max=150.0
    )
    crown: float = param(
        4.0, "Crown Radius", "Radius of a full-grown crown", unit="m", min=0.02, max=40.0
    )
    abundance: float = param(
        0.8, "Abundance", "Plants that try to grow in a cell where it lives best", min=0.0, max=10.0
    )
    group_size: float = param(120.0, "Group Size", "Size of its groups", unit="m", min=1.0, max=1e5)
    grouping: float = factor_param(0.6, "Grouping", "How much of it stands in groups")
    parent: str = param("", "Parent", "Species whose young it is: it grows around that one")
    seedlings: float = param(
        0.0, "Seedlings", "How many more grow around the parent", min=0.0, max=2.0
    )
    lifespan: float = param(120.0, "Lifespan", "Years that it lives", min=1.0, max=1e4)
    foliage: str = param("#4B5E2C", "Foliage", "Color in summer, or of a rock", color=True)
    autumn: str = param(
        "#4B5E2C", "Autumn", "Color in autumn, that of summer for evergreens", color=True
    )
    in_water: bool = param(
        False, "In Water", "Whether it stands in river beds and shallow water as well"
    )

    @property
    def evergreen(self) -> bool:
        """Whether its color is the same in autumn."""
        return self.foliage == self.autumn

    def __post_init__(self) -> None:
        super().__post_init__()
        unknown = [key for key in self.niches if key not in HABITAT]
        if unknown:
            raise ValueError(
                f"niches.{unknown[0]}: no such habitat field; there are {', '.join(HABITAT)}"
            )

    def to_dict(self) -> dict[str, Any]:
        niches = {key: list(one.values) for key, one in self.niches.items()}
        return {**super().to_dict(), "niches": niches, "light": list(self.light.values)}

    @classmethod
    def from_dict(cls, data: Any, path: str) -> Species:
        values: dict[str, Any] = checked_values(cls, data, path, also=("niches", "light"))
        if "niches" in data:
            niches = checked_mapping(data["niches"], f"{path}.niches")
            values["niches"] = {
                key: Niche.from_list(one, f"{path}.niches.{key}") for key, one in niches.items()
            }
        if "foliage" in values:
            values.setdefault("autumn", values["foliage"])
        if "light" in data:
            values["light"] = Niche.from_list(data["light"], f"{path}.light")
        return cls(**values)


class PlantSet(Settings):
    """Species that grow together, by strata from the highest to the lowest.

    Raises
    ------
    ValueError
        No species or more than 64, names used twice, and strata or parents that are not there.
    """

    strata: tuple[Stratum, ...] = (Stratum(),)
    species: tuple[Species, ...] = (Species(),)
    about: str = param("", "About", "Where these species grow")
    temperature: float = param(
        9.0,
        "Temperature",
        "Mean of a year in degrees C of the lowest ground, where no snow line tells it",
        min=-60.0,
        max=60.0,
    )
    latitude: float = param(
        47.0, "Latitude", "Degrees from the equator, positive in the north", min=-90.0, max=90.0
    )

    @property
    def home(self) -> Climate:
        """The climate that these species are at home in, at the lowest ground."""
        return Climate(temperature=self.temperature, latitude=self.latitude)

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "strata", checked_parts(self.strata, Stratum, "strata"))
        object.__setattr__(self, "species", checked_parts(self.species, Species, "species"))
        if not 1 <= len(self.species) <= MOST_SPECIES:
            raise ValueError(f"species: there must be 1 to {MOST_SPECIES}")
        places = {one.name: n for n, one in enumerate(self.strata)}
        names = [one.name for one in self.species]
        for what, every in (("strata", [s.name for s in self.strata]), ("species", names)):
            twice = next((name for name in every if every.count(name) > 1), None)
            if twice is not None:
                raise ValueError(f"{what}: {twice!r} is there twice")
        for n, one in enumerate(self.species):
            if one.stratum not in places:
                raise ValueError(f"species[{n}].stratum: there is no stratum {one.stratum!r}")
            above = [s.name for s in self.species if places[s.stratum] < places[one.stratum]]
            if one.parent and one.parent not in above:
                raise ValueError(
                    f"species[{n}].parent: no species {one.parent!r} in a higher stratum"
                )

    def of_stratum(self, number: int) -> list[Species]:
        """Return the species of a stratum."""
        name = self.strata[number].name
        return [one for one in self.species if one.stratum == name]

    def to_dict(self) -> dict[str, Any]:
        return {
            **super().to_dict(),
            "strata": [one.to_dict() for one in self.strata],
            "species": [one.to_dict() for one in self.species],
        }

    @classmethod
    def from_dict(cls, data: Any, path: str) -> PlantSet:
        values: dict[str, Any] = checked_values(cls, data, path, also=("strata", "species"))
        for key, kind in (("strata", Stratum), ("species", Species)):
            if key in data:
                items = enumerate(checked_list(data[key], f"{path}.{key}"))
                values[key] = tuple(kind.from_dict(one, f"{path}.{key}[{n}]") for n, one in items)
        return cls(**values)

    @classmethod
    def load(cls, name: str, folder: Path = FOLDER) -> PlantSet:
        """Return the set of that name in a folder. Raises ValueError if it does not exist or is
        invalid.

        >>> PlantSet.load("temperate").strata[0].name
        'Canopy'
        """
        return cls.from_dict(presets.read(name, folder, "set of plants"), name)

    @staticmethod
    def names(folder: Path = FOLDER) -> list[str]:
        """Return the names of the sets in a folder, sorted.

        >>> "temperate" in PlantSet.names()
        True
        """
        return presets.names(folder)
