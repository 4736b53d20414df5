# SPDX-License-Identifier: GPL-3.0-or-later
"""Plants: species that compete for the places where they live."""

from .clearings import Clearings
from .cover import cover, kinds_of, planted, together
from .engines import PLANT_FILES, check_suffix, write_for_engine
from .gltf import write_glb
from .growth import grow, halo
from .habitat import HABITAT, Climate, Habitat, climate_of
from .lattice import Box
from .plants import Plants, write_csv
from .species import Niche, PlantSet, Species, Stratum

__all__ = [
    "HABITAT",
    "PLANT_FILES",
    "Box",
    "Clearings",
    "Climate",
    "Habitat",
    "Niche",
    "PlantSet",
    "Plants",
    "Species",
    "Stratum",
    "check_suffix",
    "climate_of",
    "cover",
    "grow",
    "halo",
    "kinds_of",
    "planted",
    "together",
    "write_csv",
    "write_for_engine",
    "write_glb",
]
