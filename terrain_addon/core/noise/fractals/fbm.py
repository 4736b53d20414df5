# SPDX-License-Identifier: GPL-3.0-or-later
"""Sums of octaves: the interface of fractals, and the common sums."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...numerics.work_arrays import Scratch
from ...settings.params import Setting
from .octave import Field, Octave

LARGEST = 1e36
"""Limit of intermediate values: float32 ends at 3.4e38, and noise may leave -1..1 by a little in
each octave."""
MEAN_ABSOLUTE = 0.25
"""About the mean of |noise|: folded octaves too fine for a grid fade to it."""


class Fractal(ABC):
    """One way to combine octaves into one field. Instances live in :data:`FRACTALS`.

    Attributes
    ----------
    name : key in saved files, permanent
    label, help : for the user interface
    settings : extra settings of this fractal, accepted by name
    rest : value that a folded octave too fine for a grid fades to: its mean, so that a coarse
        grid has the level of a fine one
    one_sided : the sum is never negative; normalizing then brings 0..1 to -1..1
    """

    name: str
    label: str
    help: str
    settings: tuple[Setting, ...] = ()
    rest: float = 0.0
    one_sided: bool = False

    @abstractmethod
    def bound(self, gains: Sequence[float], settings: Mapping[str, Any]) -> float:
        """The largest value of the sum, for octaves of those amplitudes and noise in -1..1."""

    def largest(self, total: FractalSum) -> float:
        """The largest intermediate value, about, that float32 must hold."""
        return self.bound(total.gains, total.settings)

    def farthest(self, total: FractalSum) -> float:
        """Largest distance from the given points, in noise units, at which octaves are sampled.

        2**20 of an octave's own cells come on top, which the limits of integers leave free.
        """
        return 0.0

    def plain(self, total: FractalSum) -> bool:
        """Whether the sum is linear in the octaves, so that amplitudes can be folded away."""
        return False

    def fold(self, total: FractalSum, noise: Field, scratch: Scratch) -> None:  # noqa: B027
        """Fold the noise of an octave, in place; by default leave it."""

    @abstractmethod
    def add(
        self,
        total: FractalSum,
        number: int,
        noise: Field,
        out: Field,
        state: Field,
        scratch: Scratch,
    ) -> None:
        """Add octave ``number``, folded; destroys ``noise``.

        Octave 0 initializes ``out`` and ``state``, which keeps what the next octave needs.
        """

    def finish(self, total: FractalSum, out: Field, state: Field, scratch: Scratch) -> None:
        """Add the mean of the octaves too fine for the grid, and scale the sum."""
        noise = scratch("hidden", out.shape)
        for number in range(len(total.octaves), len(total.gains)):
            noise.fill(self.rest)
            self.add(total, number, noise, out, state, scratch)
        total.normalize(out)


FRACTALS: dict[str, Fractal] = {}
"""Every way to sum octaves by name."""


def register_fractal(fractal: Fractal) -> None:
    """Enter a fractal; ValueError when its name is taken."""
    if fractal.name in FRACTALS:
        raise ValueError(f"There is already a fractal named {fractal.name!r}")
    FRACTALS[fractal.name] = fractal


@dataclass(frozen=True)
class FractalSum:
    """A fractal with its settings, ready to add octaves up. Made by :func:`fractal_sum`.

    Attributes
    ----------
    all_octaves : coarse to fine
    presence : weight of each, 0 (too fine for the grid) to 1, without trailing zeros
    gains : amplitude of every octave
    scale, shift : applied to the sum at the end
    """

    fractal: Fractal
    all_octaves: tuple[Octave, ...]
    presence: tuple[float, ...]
    gains: tuple[float, ...]
    scale: float
    shift: float
    gain: float
    weighted_strength: float
    ping_pong_strength: float
    dimensions: int
    settings: Mapping[str, Any]

    @property
    def octaves(self) -> tuple[Octave, ...]:
        """The octaves that are not too fine for the grid."""
        return self.all_octaves[: len(self.presence)]

    @property
    def plain(self) -> bool:
        """The sum is linear in the octaves, so amplitudes can be folded into blend weights."""
        return self.fractal.plain(self)

    def amplitude(self, number: int) -> float:
        """Factor of an octave in a plain sum."""
        return self.gains[number] * self.scale * self.presence[number]

    def normalize(self, out: Field) -> None:
        """Scale and shift the sum, in place."""
        if self.scale != 1:
            out *= np.float32(self.scale)
        if self.shift:
            out += np.float32(self.shift)

    def add(self, number: int, noise: Field, out: Field, state: Field, scratch: Scratch) -> None:
        """Add octave ``number``; destroys ``noise``. All arrays have one shape."""
        fractal, shown = self.fractal, self.presence[number]
        fractal.fold(self, noise, scratch)
        if shown < 1:
            noise *= np.float32(shown)
            if fractal.rest:
                noise += np.float32((1 - shown) * fractal.rest)
        fractal.add(self, number, noise, out, state, scratch)
        if number == len(self.octaves) - 1:
            fractal.finish(self, out, state, scratch)


class AmplitudeSum(Fractal):
    """Sum of amplitude * signal, as in FastNoiseLite (Jordan Peck, 2020).

    Signal and weight are linear in the folded noise. With a weighted strength w, the next
    amplitude is multiplied by ``1 + w * (weight - 1)``.
    """

    def __init__(
        self,
        name: str,
        label: str,
        help: str,
        *,
        fold: Callable[[Field, FractalSum, Scratch], None] | None = None,
        rest: float = 0.0,
        signal: tuple[float, float] = (0.0, 1.0),
        weight: tuple[float, float] = (0.5, 0.5),
    ) -> None:
        self.name, self.label, self.help = name, label, help
        self.rest, self._fold, self._signal, self._weight = rest, fold, signal, weight

    def bound(self, gains: Sequence[float], settings: Mapping[str, Any]) -> float:
        return sum(abs(gain) for gain in gains)

    def largest(self, total: FractalSum) -> float:
        rise = max(1.0, abs(1 - total.weighted_strength))
        rises = powers(rise, len(total.gains))
        return total.scale * sum(abs(g) * r for g, r in zip(total.gains, rises, strict=True))

    def plain(self, total: FractalSum) -> bool:
        return self._fold is None and not total.weighted_strength

    def fold(self, total: FractalSum, noise: Field, scratch: Scratch) -> None:
        if self._fold is not None:
            self._fold(noise, total, scratch)

    def add(
        self,
        total: FractalSum,
        number: int,
        noise: Field,
        out: Field,
        state: Field,
        scratch: Scratch,
    ) -> None:
        start, slope = self._signal
        if not total.weighted_strength:  # start is added once, by finish
            factor = total.gains[number] * total.scale
            noise *= np.float32(slope * factor)
            if number:
                out += noise
            else:
                np.copyto(out, noise)
            return
        if number == 0:
            state.fill(total.gains[0] * total.scale)
            out.fill(0)
        signal = scratch("signal", noise.shape)
        np.multiply(noise, np.float32(slope), out=signal)
        if start:
            signal += np.float32(start)
        signal *= state
        out += signal
        if number + 1 < len(total.gains):
            self._next_amplitude(total, noise, state, scratch)

    def _next_amplitude(
        self, total: FractalSum, noise: Field, state: Field, scratch: Scratch
    ) -> None:
        first, second = self._weight
        strength = total.weighted_strength
        if self._fold is None and total.dimensions == 2:  # FastNoiseLite does so in 2D alone
            one = scratch("one", noise.shape)  # np.minimum with a scalar is five times slower
            one.fill(1)
            np.minimum(noise, one, out=noise)
        noise *= np.float32(total.gain * strength * second)
        noise += np.float32(total.gain * (1 + strength * (first - 1)))
        state *= noise

    def finish(self, total: FractalSum, out: Field, state: Field, scratch: Scratch) -> None:
        hidden = range(len(total.octaves), len(total.gains))
        start, slope = self._signal
        if not total.weighted_strength:
            rest = slope * self.rest * sum(total.gains[k] for k in hidden)
            constant = total.scale * (start * sum(total.gains) + rest)
            if constant:
                out += np.float32(constant)
        elif start + slope * self.rest:
            noise = scratch("hidden", out.shape)
            for number in hidden:
                noise.fill(self.rest)
                self.add(total, number, noise, out, state, scratch)


def absolute(noise: Field, total: FractalSum, scratch: Scratch) -> None:
    """Fold about zero."""
    np.abs(noise, out=noise)


def _ping_pong(noise: Field, total: FractalSum, scratch: Scratch) -> None:
    """Triangle wave 0..1 of (noise + 1) * strength, period 2."""
    noise += np.float32(1)
    noise *= np.float32(total.ping_pong_strength)
    turns = scratch("signal", noise.shape)
    np.multiply(noise, np.float32(0.5), out=turns)
    np.trunc(turns, out=turns)
    turns *= np.float32(2)
    noise -= turns
    noise -= np.float32(1)
    np.abs(noise, out=noise)
    np.subtract(np.float32(1), noise, out=noise)


for _fractal in (
    AmplitudeSum("none", "None", "A single octave of the basis"),
    AmplitudeSum("fbm", "fBm", "Octaves of ever finer noise, each fainter than the last"),
    AmplitudeSum(
        "ridged",
        "Ridged",
        "Sharp crests where the noise changes sign",
        fold=absolute,
        rest=MEAN_ABSOLUTE,
        signal=(1.0, -2.0),
        weight=(1.0, -1.0),
    ),
    AmplitudeSum(
        "billow",
        "Billow",
        "Rounded lumps with sharp creases, also known as turbulence",
        fold=absolute,
        rest=MEAN_ABSOLUTE,
        signal=(-1.0, 2.0),
        weight=(0.0, 1.0),
    ),
    AmplitudeSum(
        "ping_pong",
        "Ping-pong",
        "The noise folded back and forth, like contour bands",
        fold=_ping_pong,
        rest=0.5,
        signal=(-1.0, 2.0),
        weight=(0.0, 1.0),
    ),
):
    register_fractal(_fractal)


def fractal_sum(
    fractal: Fractal,
    octaves: tuple[Octave, ...],
    *,
    gain: float,
    weighted_strength: float,
    ping_pong_strength: float,
    normalize: bool,
    dimensions: int,
    settings: Mapping[str, Any],
    spacing: float = 0.0,
    fade_under: float | None = None,
) -> FractalSum:
    """A sum of those octaves; with ``normalize``, divided by the largest value it can take.

    With ``fade_under``, octaves whose cells are narrower than that many samples of ``spacing``
    fade out, and the others stay as they are. ValueError where float32 cannot hold the sum.
    """
    gains = powers(gain, len(octaves))
    presence = [
        1.0 if fade_under is None else _presence(octave.frequency * spacing, fade_under)
        for octave in octaves
    ]
    while len(presence) > 1 and not presence[-1]:
        presence.pop()
    one_sided = normalize and fractal.one_sided
    scale = (2 if one_sided else 1) / (fractal.bound(gains, settings) or 1.0) if normalize else 1.0
    total = FractalSum(
        fractal,
        octaves,
        tuple(presence),
        gains,
        scale,
        -1.0 if one_sided else 0.0,
        gain,
        weighted_strength,
        ping_pong_strength,
        dimensions,
        settings,
    )
    if not fractal.largest(total) <= LARGEST:  # not a number neither
        raise ValueError(
            "The sum of the octaves grows beyond what numbers can hold: use fewer octaves, or a "
            "gain nearer to 0"
        )
    if scale > LARGEST:
        raise ValueError(
            "The octaves come to less than numbers can tell from 0: use fewer octaves, or a gain "
            "nearer to 1"
        )
    return total


def powers(factor: float, count: int) -> tuple[float, ...]:
    """1, ``factor``, its square and so on; infinite where float64 cannot hold them."""

    def power(k: int) -> float:
        try:
            return factor**k
        except OverflowError:
            return math.inf

    return tuple(power(k) for k in range(count))


def _presence(cells_per_sample: float, limit: float) -> float:
    """1 where cells are ``limit`` samples or wider, 0 at half that, a smoothstep between."""
    t = min(max(2 / (max(cells_per_sample, 1e-30) * limit) - 1, 0.0), 1.0)
    return t * t * (3 - 2 * t)
