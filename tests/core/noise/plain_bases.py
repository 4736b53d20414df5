# SPDX-License-Identifier: GPL-3.0-or-later
"""The plain references by the names of the bases."""

from __future__ import annotations

from tests.core.noise import plain, plain_simplex
from tests.core.noise.plain import Noise

BASES: dict[str, Noise] = {
    "perlin": plain.perlin,
    "value": plain.value,
    "value_cubic": plain.value_cubic,
    "white": plain.white,
    "noiselib": plain.noiselib,
    "cosine_value": plain.cosine_value,
    "hash_perlin": plain.hash_perlin,
    "permutation_perlin": plain.permutation_perlin,
    "opensimplex2": plain_simplex.opensimplex2,
    "opensimplex2s": plain_simplex.opensimplex2s,
    "cellular": plain_simplex.cellular,
}
