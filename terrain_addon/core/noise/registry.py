# SPDX-License-Identifier: GPL-3.0-or-later
"""What every noise basis offers, and the registries that layers and panels list them from."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any

from ..params import Setting
from .fractal import FractalSum
from .octave import Axis, Field, Octave
from .scratch import Scratch


class GridPlan(ABC):
    """What one basis prepared for one grid; fills any rows of it, from any thread."""

    rows: int
    """How many rows one call of :meth:`fill` should be given."""

    @abstractmethod
    def fill(self, start: int, stop: int, out: Field, scratch: Scratch) -> None:
        """Write rows start to stop of the grid into ``out`` (stop - start, columns)."""


class Basis(ABC):
    """A noise function. Instances live in :data:`BASES`.

    Attributes
    ----------
    name : key in saved files, permanent
    label, help : for the user interface
    dimensions : (2,), (2, 3): which of ``sample(x, y)`` and ``sample(x, y, z)`` exist
    settings : extra settings of this basis, accepted by name
    single_precision : FastNoiseLite keeps settings as float32, and so do the bases it has
    """

    name: str
    label: str
    help: str
    dimensions: tuple[int, ...]
    settings: tuple[Setting, ...]
    single_precision: bool

    @abstractmethod
    def points(
        self,
        octave: Octave,
        coords: Axis,
        out: Field,
        scratch: Scratch,
        settings: Mapping[str, Any],
    ) -> None:
        """Write one octave at points into ``out`` (n,), float32.

        ``coords`` is float64 (axes, n), in this octave's own lattice units; may be overwritten.
        """

    def plan_grid(
        self,
        x: Axis,
        y: Axis,
        z: float | None,
        total: FractalSum,
        settings: Mapping[str, Any],
    ) -> GridPlan | None:
        """A faster way to fill the grid of 1-D x and y, or None: then every point is sampled."""
        return None


BASES: dict[str, Basis] = {}
"""Every noise basis by name."""


def register_basis(basis: Basis) -> None:
    """Enter a basis; ValueError when its name is taken."""
    if basis.name in BASES:
        raise ValueError(f"There is already a noise basis named {basis.name!r}")
    BASES[basis.name] = basis
