# SPDX-License-Identifier: GPL-3.0-or-later
"""Interface of noise bases, and their registry."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from ..numerics.axis import SquareGrid
from ..numerics.work_arrays import Scratch
from ..settings.params import Setting
from .fractals.fbm import FractalSum
from .fractals.octave import Axis, Field, Octave
from .hashing.cells import Cells


class GridPlan(ABC):
    """A basis prepared for one grid; fills any rows of it, from any thread."""

    rows: int
    """Rows of one call of :meth:`fill`, at most."""
    step: int = 1
    """Their number should be a multiple of this."""
    terms: int = 0
    """Terms per point that are summed in long NumPy calls, which threads can share. Other threads
    run only during such calls: where these take less than about 50 microseconds, one thread is
    faster, and this is 0."""

    @abstractmethod
    def fill(
        self, start: int, stop: int, out: Field, scratch: Scratch, poll: Callable[[], None]
    ) -> None:
        """Write rows start to stop of the grid into ``out`` (stop - start, columns).

        ``poll`` is called every few milliseconds of work; it may raise to stop.
        """


class Basis(ABC):
    """A noise function. Instances live in :data:`BASES`.

    Attributes
    ----------
    name : str
        Key in saved files, permanent.
    label, help : str
        For the user interface.
    dimensions : tuple of int
        (2,), (2, 3): which of ``sample(x, y)`` and ``sample(x, y, z)`` exist.
    settings : tuple of Setting
        Extra settings of this basis, accepted by name.
    single_precision : bool
        FastNoiseLite keeps settings as float32, and so do the bases it has.
    spline_points : mapping of int to int
        By dimensions, lattice points along a cell between which a cubic spline follows an octave to
        a thousandth; without those where it has jumps or creases.
    """

    name: str
    label: str
    help: str
    dimensions: tuple[int, ...]
    settings: tuple[Setting, ...]
    single_precision: bool
    spline_points: Mapping[int, int] = MappingProxyType({})

    def with_settings(self, settings: Mapping[str, Any]) -> Basis:
        """Return the basis with values for all its settings."""
        return self

    def prepare(
        self, octaves: tuple[Octave, ...], dimensions: int
    ) -> tuple[tuple[Octave, ...], Callable[[Axis], None] | None]:
        """Return the octaves, and a change to coordinates (axes, n), in place, once for all
        octaves."""
        return octaves, None

    @abstractmethod
    def points(self, octave: Octave, coords: Axis, out: Field, scratch: Scratch) -> None:
        """Write one octave at points into ``out`` (n,), float32.

        ``coords`` is float64 (axes, n), in this octave's own lattice units; may be overwritten.
        """

    def has_cells(self, octaves: tuple[Octave, ...], dimensions: int) -> bool:
        """Return whether :meth:`in_cells` can be used for these octaves, as :meth:`prepare` gave
        them."""
        return False

    def in_cells(
        self, octave: Octave, cells: Cells, factor: float, out: Field, scratch: Scratch
    ) -> None:
        """Write one octave at points in its cells, times a factor, into ``out`` (n,), float32."""
        raise NotImplementedError

    @abstractmethod
    def slopes(self, octave: Octave, coords: Axis, out: Field, scratch: Scratch) -> None:
        """Write value, x slope and y slope of one octave at points into ``out`` (3, n), float32.

        Values are those of :meth:`points`, to rounding. Slopes are its derivatives, per lattice
        cell; at creases and jumps, those of one side. A slope times its value stays within
        :data:`STEEPEST`. ``coords`` are as for :meth:`points`, x and y first.
        """

    def plan_grid(
        self, x: Axis, y: Axis, z: float | None, total: FractalSum, square: SquareGrid | None
    ) -> GridPlan | None:
        """Return a faster way to fill the grid of 1-D x and y, or None: then every point is
        sampled.

        ``square`` is the grid as one of square cells, or None if its cells are not square.
        """
        return None


BASES: dict[str, Basis] = {}
"""Every noise basis by name."""


def register_basis(basis: Basis) -> None:
    """Enter a basis; ValueError when its name is taken."""
    if basis.name in BASES:
        raise ValueError(f"There is already a noise basis named {basis.name!r}")
    BASES[basis.name] = basis
