# SPDX-License-Identifier: GPL-3.0-or-later
"""Sums of octaves: the amplitudes, and how each octave enters the sum."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from .octave import Field, Octave
from .scratch import Scratch


@dataclass(frozen=True)
class Fractal:
    """One way to sum octaves.

    Each octave's noise n is folded into a signal s, the sum gains ``amplitude * s``, and with a
    weighted strength w the next amplitude is multiplied by ``1 + w * (weight(n) - 1)``.
    """

    name: str
    label: str
    help: str
    fold: Callable[[Field, FractalSum, Scratch], None]
    """Turns noise into the quantity that ``signal`` and ``weight`` are linear in, in place."""
    signal: tuple[float, float] = (0.0, 1.0)
    """Signal = first + second * folded noise."""
    weight: tuple[float, float] = (0.5, 0.5)
    """Weight = first + second * folded noise."""


FRACTALS: dict[str, Fractal] = {}
"""Every way to sum octaves by name."""


@dataclass(frozen=True)
class FractalSum:
    """A fractal with its settings, ready to add octaves up. Made by :func:`fractal_sum`.

    ``amplitudes`` holds the amplitude of each octave before any weighting by the noise itself,
    ``presence`` how much of each octave is shown, 0 to 1.
    """

    fractal: Fractal
    octaves: tuple[Octave, ...]
    amplitudes: tuple[float, ...]
    presence: tuple[float, ...]
    gain: float
    weighted_strength: float
    ping_pong_strength: float
    dimensions: int

    @property
    def plain(self) -> bool:
        """The sum is linear in the octaves, so amplitudes can be folded into blend weights."""
        return self.fractal.name == "none" or (
            self.fractal.name == "fbm" and not self.weighted_strength
        )

    def add(
        self, number: int, noise: Field, out: Field, amplitude: Field, scratch: Scratch
    ) -> None:
        """Add octave ``number``; destroys ``noise``.

        The first octave initialises ``out`` and ``amplitude``, the running amplitude of weighted
        sums. All four arrays have one shape.
        """
        fractal, strength = self.fractal, self.weighted_strength
        fractal.fold(noise, self, scratch)
        start, slope = fractal.signal
        if not strength or len(self.octaves) == 1:
            factor = self.amplitudes[number] * self.presence[number]
            noise *= np.float32(slope * factor)
            if start:
                noise += np.float32(start * factor)
            if number:
                out += noise
            else:
                np.copyto(out, noise)
            return
        if number == 0:
            amplitude.fill(self.amplitudes[0])
            out.fill(0)
        signal = scratch("signal", noise.shape)
        np.multiply(noise, np.float32(slope * self.presence[number]), out=signal)
        if start:
            signal += np.float32(start * self.presence[number])
        signal *= amplitude
        out += signal
        if number + 1 < len(self.octaves):
            self._weigh(noise, amplitude)

    def _weigh(self, noise: Field, amplitude: Field) -> None:
        """Next amplitude = amplitude * gain * (1 + strength * (weight - 1))."""
        first, second = self.fractal.weight
        strength = self.weighted_strength
        if self.fractal.name == "fbm" and self.dimensions == 2:
            np.minimum(noise, np.float32(1), out=noise)  # as FastNoiseLite does, in 2D alone
        noise *= np.float32(self.gain * strength * second)
        noise += np.float32(self.gain * (1 + strength * (first - 1)))
        amplitude *= noise


def _as_is(noise: Field, total: FractalSum, scratch: Scratch) -> None:
    pass


def _absolute(noise: Field, total: FractalSum, scratch: Scratch) -> None:
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


def _register(*fractals: Fractal) -> None:
    for fractal in fractals:
        FRACTALS[fractal.name] = fractal


_register(
    Fractal("none", "None", "A single octave of the basis", _as_is),
    Fractal("fbm", "fBm", "Octaves of ever finer noise, each fainter than the last", _as_is),
    Fractal(
        "ridged",
        "Ridged",
        "Sharp crests where the noise changes sign",
        _absolute,
        signal=(1.0, -2.0),
        weight=(1.0, -1.0),
    ),
    Fractal(
        "billow",
        "Billow",
        "Rounded lumps with sharp creases, also known as turbulence",
        _absolute,
        signal=(-1.0, 2.0),
        weight=(0.0, 1.0),
    ),
    Fractal(
        "ping_pong",
        "Ping-pong",
        "The noise folded back and forth, like contour bands",
        _ping_pong,
        signal=(-1.0, 2.0),
        weight=(0.0, 1.0),
    ),
)


def fractal_sum(
    fractal: Fractal,
    octaves: tuple[Octave, ...],
    *,
    gain: float,
    weighted_strength: float,
    ping_pong_strength: float,
    normalise: bool,
    dimensions: int,
    spacing: float = 0.0,
    fade_under: float | None = None,
) -> FractalSum:
    """A sum of those octaves; with ``normalise``, divided by the sum of their amplitudes.

    With ``fade_under``, octaves whose cells are narrower than that many samples of ``spacing``
    fade out; those that vanish are left out, and the other amplitudes stay as they are.
    """
    bound = sum(abs(gain) ** k for k in range(len(octaves))) if normalise else 1.0
    presence = [
        1.0 if fade_under is None else _presence(octave.frequency * spacing, fade_under)
        for octave in octaves
    ]
    while len(presence) > 1 and not presence[-1]:
        presence.pop()
    count = len(presence)
    return FractalSum(
        fractal,
        octaves[:count],
        tuple(gain**k / bound for k in range(count)),
        tuple(presence),
        gain,
        weighted_strength,
        ping_pong_strength,
        dimensions,
    )


def _presence(cells_per_sample: float, limit: float) -> float:
    """1 where cells are ``limit`` samples or wider, 0 at half that, a smoothstep between."""
    t = min(max(2 / (max(cells_per_sample, 1e-30) * limit) - 1, 0.0), 1.0)
    return t * t * (3 - 2 * t)
