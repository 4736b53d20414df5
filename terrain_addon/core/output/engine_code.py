# SPDX-License-Identifier: GPL-3.0-or-later
"""A noise layer as code for a game that uses FastNoiseLite.

C++ and C# for the library of Jordan Peck (2020), GDScript for the resource built into Godot 4. The
values are those of the layer, so a game can continue the terrain beyond its border.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..layers.blend import BLENDS
from ..numerics.angles import cos_sin
from ..recipe.recipe import Layer, Recipe

LANGUAGES = {"cpp": "C++", "csharp": "C#", "gdscript": "GDScript"}
"""The languages of :func:`generate`, with labels for the user interface."""

BASES = {
    "opensimplex2": "OpenSimplex2",
    "opensimplex2s": "OpenSimplex2S",
    "cellular": "Cellular",
    "perlin": "Perlin",
    "value_cubic": "ValueCubic",
    "value": "Value",
}
FRACTALS = {
    "none": "None",
    "fbm": "FBm",
    "ridged": "Ridged",
    "ping_pong": "PingPong",
    "billow": "Ridged",
}
INVERTED = ("billow",)
"""Fractals that are minus those of FastNoiseLite, as long as octaves are not weighted."""
GODOT = {
    "OpenSimplex2": "TYPE_SIMPLEX",
    "OpenSimplex2S": "TYPE_SIMPLEX_SMOOTH",
    "FBm": "FRACTAL_FBM",
    "EuclideanSq": "DISTANCE_EUCLIDEAN_SQUARED",
}
"""Names of values in Godot that do not follow from those of FastNoiseLite."""
GODOT_PREFIXES = {
    "NoiseType": "TYPE",
    "FractalType": "FRACTAL",
    "CellularDistanceFunction": "DISTANCE",
    "CellularReturnType": "RETURN",
}
"""How the names of the others begin, by setting."""


def generate(kind: Any, language: str, *, seed: int = 0, missing: Sequence[str] = ()) -> str:
    """Generate the code of a function ``terrain_height(x, y)``, in meters.

    Parameters
    ----------
    kind : settings of a fractal noise layer
    language : a key of :data:`LANGUAGES`
    seed : seed of the recipe, to which the layer's is added
    missing : what the terrain has besides this noise, from :func:`left_out`

    Returns
    -------
    str : source code, with a comment that names what is missing

    Raises
    ------
    ValueError : FastNoiseLite lacks a setting of the layer; the message names it

    Examples
    --------
    >>> from terrain_addon.core import FractalNoise
    >>> code = generate(FractalNoise(basis="perlin", octaves=3), "cpp")
    >>> print(code.splitlines()[-5])
    float terrain_height(float x, float y)
    """
    if language not in LANGUAGES:
        raise ValueError(f"There is no engine language {language!r}; known: {', '.join(LANGUAGES)}")
    obstacle = why_not(kind, language)
    if obstacle:
        raise ValueError(f"FastNoiseLite cannot make this layer: {obstacle}")
    return _WRITERS[language](_plan(kind, seed), _difference(kind, missing))


def why_not(kind: Any, language: str = "") -> str:
    """Return why a layer has no code, as a short phrase; empty if it has.

    Parameters
    ----------
    kind : settings of a layer
    language : a key of :data:`LANGUAGES`; by default what applies to all of them

    Examples
    --------
    >>> from terrain_addon.core import Smooth
    >>> why_not(Smooth())
    'it is not a fractal noise layer'
    """
    if getattr(kind, "key", "") != "fractal_noise":
        return "it is not a fractal noise layer"
    obstacles = {
        f"its basis {kind.basis!r} is not one of {', '.join(BASES)}": kind.basis not in BASES,
        f"its fractal {kind.fractal!r} is not one of {', '.join(FRACTALS)}": (
            kind.fractal not in FRACTALS
        ),
        f"its fractal {kind.fractal!r} has weighted octaves": (
            kind.fractal in INVERTED and kind.weighted_strength > 0
        ),
        "its octaves do not differ by seed": (
            kind.fractal != "none" and kind.octaves > 1 and kind.octave_seeds != "increment"
        ),
        "it is seamless": kind.seamless,
        "Godot warps 3D noise differently": (
            language == "gdscript" and kind.warp_amount and kind.animate
        ),
    }
    return next((text for text, true in obstacles.items() if true), "")


@dataclass(frozen=True)
class _Noise:
    """One FastNoiseLite object: its name and (setting, value) pairs."""

    name: str
    calls: Sequence[tuple[str, Any]]


@dataclass(frozen=True)
class _Plan:
    """The code of a layer, independent of the language.

    Attributes
    ----------
    offset, turn : meters along x and y, and cosine and sine of the angle, both subtracted first
    z : position along the third dimension in meters; None for 2D noise
    height : factor of the noise
    """

    noise: _Noise
    warp: _Noise | None
    offset: tuple[float, float]
    turn: tuple[float, float]
    z: float | None
    height: float

    @property
    def objects(self) -> list[_Noise]:
        return [self.noise, self.warp] if self.warp else [self.noise]


def _plan(kind: Any, seed: int) -> _Plan:
    seed = _signed(seed + kind.seed)
    height = -kind.height if kind.fractal in INVERTED else kind.height
    if kind.fractal != "none" and not kind.normalize:
        height *= sum(kind.gain**k for k in range(kind.octaves))
    return _Plan(
        _Noise("noise", _noise_calls(kind, seed)),
        _Noise("warp", _warp_calls(kind, seed)) if kind.warp_amount else None,
        (kind.offset_x, kind.offset_y),
        cos_sin(kind.rotation),
        kind.evolution * kind.size if kind.animate else None,
        height,
    )


def _noise_calls(kind: Any, seed: int) -> list[tuple[str, Any]]:
    calls: list[tuple[str, Any]] = [
        ("Seed", seed),
        ("NoiseType", BASES[kind.basis]),
        ("Frequency", 1 / kind.size),
        ("FractalType", FRACTALS[kind.fractal]),
    ]
    if kind.fractal != "none":
        calls += [
            ("FractalOctaves", kind.octaves),
            ("FractalLacunarity", kind.lacunarity),
            ("FractalGain", kind.gain),
            ("FractalWeightedStrength", kind.weighted_strength),
        ]
    if kind.fractal == "ping_pong":
        calls.append(("FractalPingPongStrength", kind.ping_pong_strength))
    if kind.basis == "cellular":
        calls += [
            ("CellularDistanceFunction", _camel(kind.distance_function)),
            ("CellularReturnType", _camel(kind.return_type)),
            ("CellularJitter", kind.jitter),
        ]
    return calls


def _warp_calls(kind: Any, seed: int) -> list[tuple[str, Any]]:
    return [
        ("Seed", seed),
        ("DomainWarpType", "OpenSimplex2"),
        ("DomainWarpAmp", kind.warp_amount),
        ("Frequency", 1 / kind.warp_size),
        ("FractalType", "DomainWarpIndependent"),
        ("FractalOctaves", kind.warp_octaves),
    ]


def left_out(recipe: Recipe, layer: Layer) -> list[str]:
    """Describe what a terrain has besides the noise of one of its layers.

    Examples
    --------
    >>> from terrain_addon.core import FractalNoise, Layer, Recipe, Smooth
    >>> noise = Layer.of(FractalNoise())
    >>> left_out(Recipe(layers=(noise, Layer.of(Smooth()))), noise)
    ['one other layer']
    """
    others = sum(one is not layer for one in recipe.active)
    masks = ", ".join(mask.label for mask in layer.masks)
    blend = BLENDS[layer.blend][0]
    parts = {
        "one other layer" if others == 1 else f"{others} other layers": others > 0,
        f"the blend mode {blend}": layer.blend not in ("replace", "add"),
        f"an opacity of {layer.opacity:g}": layer.opacity != 1,
        f"masks of the layer ({masks})": bool(masks),
    }
    return [text for text, true in parts.items() if true]


def _difference(kind: Any, missing: Sequence[str]) -> str:
    text = "This is the whole terrain."
    if missing:
        text = f"The terrain also has {', '.join(missing)}: this is the noise alone."
    if kind.keep_fine or kind.fractal == "none":
        return text
    return f"{text} The terrain leaves out octaves that are too fine for its points."


def _signed(seed: int) -> int:
    """Return a seed as the 32-bit integer that engines take."""
    return (seed + 2**31) % 2**32 - 2**31


def _number(value: float) -> str:
    """Return the shortest text that reads back as the same float32."""
    return np.format_float_positional(np.float32(value), trim="0")


def _literal(value: Any, suffix: str, enum: Callable[[str], str]) -> str:
    if isinstance(value, str):
        return enum(value)
    if isinstance(value, int):
        return str(value)
    return _number(value) + suffix


def _moved(plan: _Plan, suffix: str, keyword: str, end: str) -> list[str]:
    """Return the lines that move and turn x and y into the layer's own coordinates."""
    lines: list[str] = []
    for axis, offset in zip("xy", plan.offset, strict=True):
        if offset:
            lines.append(f"{axis} -= {_number(offset)}{suffix}{end}")
    if plan.turn != (1.0, 0.0):
        cos, sin = (_number(value) + suffix for value in plan.turn)
        lines += [
            f"{keyword} u = {cos} * x + {sin} * y{end}",
            f"y = {cos} * y - {sin} * x{end}",
            f"x = u{end}",
        ]
    return lines


def _place(plan: _Plan, suffix: str) -> str:
    return "x, y" if plan.z is None else f"x, y, {_number(plan.z)}{suffix}"


def _set_up(noise: _Noise, variable: str, enum: Callable[[str, str], str]) -> list[str]:
    return [
        f"{variable}.Set{name}({_literal(value, 'f', lambda v, n=name: enum(n, v))});"
        for name, value in noise.calls
    ]


def _body(plan: _Plan, warp: str) -> list[str]:
    """Return the last lines of the function in C++ and C#, which differ in the call of the warp."""
    lines = [*_moved(plan, "f", "float", ";"), *([warp] if plan.warp else [])]
    return [*lines, f"return {_number(plan.height)}f * noise.GetNoise({_place(plan, 'f')});"]


def _cpp(plan: _Plan, difference: str) -> str:
    makers: list[str] = []
    for one in plan.objects:
        set_up = _set_up(one, "fnl", lambda n, v: f"FastNoiseLite::{n}_{v}")
        makers += [
            f"static FastNoiseLite make_{one.name}()",
            "{",
            "    FastNoiseLite fnl;",
            *(f"    {line}" for line in set_up),
            "    return fnl;",
            "}",
            "",
        ]
    body = [f"static FastNoiseLite {one.name} = make_{one.name}();" for one in plan.objects]
    body += _body(plan, "warp.DomainWarp(x, y);")
    return "\n".join(
        [
            "// Meters in, meters out. Needs FastNoiseLite.h (MIT License, Jordan Peck).",
            f"// {difference}",
            '#include "FastNoiseLite.h"',
            "",
            *makers,
            "float terrain_height(float x, float y)",
            "{",
            *(f"    {line}" for line in body),
            "}",
            "",
        ]
    )


def _csharp(plan: _Plan, difference: str) -> str:
    makers: list[str] = []
    for one in plan.objects:
        set_up = _set_up(one, "fnl", lambda n, v: f"FastNoiseLite.{n}.{v}")
        makers += [
            f"    static readonly FastNoiseLite {one.name} = Make_{one.name}();",
            "",
            f"    static FastNoiseLite Make_{one.name}()",
            "    {",
            "        var fnl = new FastNoiseLite();",
            *(f"        {line}" for line in set_up),
            "        return fnl;",
            "    }",
            "",
        ]
    body = _body(plan, "warp.DomainWarp(ref x, ref y);")
    return "\n".join(
        [
            "// Meters in, meters out. Needs FastNoiseLite.cs (MIT License, Jordan Peck).",
            f"// {difference}",
            "public static class TerrainNoise",
            "{",
            *makers,
            "    public static float TerrainHeight(float x, float y)",
            "    {",
            *(f"        {line}" for line in body),
            "    }",
            "}",
            "",
        ]
    )


GODOT_WARP = {
    "DomainWarpAmp": "domain_warp_amplitude",
    "Frequency": "domain_warp_frequency",
    "FractalOctaves": "domain_warp_fractal_octaves",
}
"""Godot warps inside the noise, with the noise's own seed."""


def _gdscript(plan: _Plan, difference: str) -> str:
    settings = [
        (_snake(name), _literal(value, "", lambda v, n=name: _godot(n, v)))
        for name, value in plan.noise.calls
    ]
    if plan.warp is not None:
        settings += [
            ("domain_warp_enabled", "true"),
            ("domain_warp_type", "FastNoiseLite.DOMAIN_WARP_SIMPLEX"),
            ("domain_warp_fractal_type", "FastNoiseLite.DOMAIN_WARP_FRACTAL_INDEPENDENT"),
            ("domain_warp_fractal_lacunarity", "2.0"),
            ("domain_warp_fractal_gain", "0.5"),
        ]
        settings += [
            (GODOT_WARP[name], _literal(value, "", str))
            for name, value in plan.warp.calls
            if name in GODOT_WARP
        ]
    call = "get_noise_2d" if plan.z is None else "get_noise_3d"
    body = _moved(plan, "", "var", "")
    body.append(f"return {_number(plan.height)} * noise.{call}({_place(plan, '')})")
    lines = [
        "# Meters in, meters out. x and y are the two axes of the ground.",
        f"# {difference}",
        "var noise := FastNoiseLite.new()",
        "",
        "func _init() -> void:",
        *(f"\tnoise.{name} = {value}" for name, value in settings),
        "",
        "func terrain_height(x: float, y: float) -> float:",
        *(f"\t{line}" for line in body),
        "",
    ]
    return "\n".join(lines)


def _godot(name: str, value: str) -> str:
    constant = GODOT.get(value) or f"{GODOT_PREFIXES[name]}_{_snake(value).upper()}"
    return f"FastNoiseLite.{constant}"


def _camel(key: str) -> str:
    return "".join(part.capitalize() for part in key.split("_"))


def _snake(name: str) -> str:
    return "".join(f"_{c.lower()}" if c.isupper() else c for c in name).lstrip("_")


_WRITERS: dict[str, Callable[[_Plan, str], str]] = {
    "cpp": _cpp,
    "csharp": _csharp,
    "gdscript": _gdscript,
}
