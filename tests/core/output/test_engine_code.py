# SPDX-License-Identifier: GPL-3.0-or-later
"""Code for engines: its values are the layer's."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from terrain_addon.core import Grid, Layer, Recipe, evaluate, noise
from terrain_addon.core.layers import LAYERS, MASKS
from terrain_addon.core.output import engine_code

FractalNoise = LAYERS["fractal_noise"]
KINDS = {
    "plain": FractalNoise(),
    "ridged": FractalNoise(
        basis="opensimplex2", fractal="ridged", octaves=4, lacunarity=2.3, gain=0.6,
        weighted_strength=0.4, seed=-77, height=-35.5, size=120.0,
    ),
    "ping_pong": FractalNoise(
        basis="opensimplex2s", fractal="ping_pong", octaves=2, ping_pong_strength=1.7, size=200.0
    ),
    "cellular": FractalNoise(
        basis="cellular", fractal="none", distance_function="hybrid", return_type="distance2_sub",
        jitter=0.7, size=90.0,
    ),
    "billow": FractalNoise(fractal="billow", octaves=3, gain=0.6, normalize=False, size=150.0),
    "turned": FractalNoise(octaves=1, octave_seeds="same", rotation=-270.0, offset_y=3.5),
    "unscaled": FractalNoise(basis="value_cubic", octaves=3, normalize=False, size=90.0),
    "placed": FractalNoise(basis="value", rotation=33.0, offset_x=41.5, offset_y=-7.25),
    "evolved": FractalNoise(animate=True, evolution=1.75, octaves=3),
    "warped": FractalNoise(warp_amount=35.0, warp_size=150.0, warp_octaves=2, rotation=12.0),
}  # fmt: skip
POINTS = np.random.default_rng(1).uniform(-400, 400, (2, 200)).astype(np.float32)


def heights(kind, seed):
    """The layer at the points, one by one."""
    recipe = Recipe(seed=seed, layers=(Layer.of(kind),))
    return [
        float(evaluate(recipe, Grid(1, 1, float(x), float(y), 1.0, 1.0)).height[0, 0])
        for x, y in POINTS.T
    ]


def calls_of(code, language, name):
    """The settings of one noise object in generated C++ or C#."""
    body = re.search(rf"[Mm]ake_{name}\(\)\n.*?return fnl;", code, re.DOTALL)
    assert body, f"no {name} in {language}"
    return dict(re.findall(r"fnl\.Set(\w+)\(([^)]*)\);", body.group()))


def run(code, language):
    """Do what generated C++ or C# says, line by line, in Python, with our FastNoiseLite."""
    x, y = POINTS.astype(np.float64)
    lines = code.split("terrain_height(" if language == "cpp" else "TerrainHeight(")[1].splitlines()
    for line in (line.strip() for line in lines):
        if match := re.fullmatch(r"([xy]) -= (\S+)f;", line):
            moved = float(match.group(2))
            x, y = (x - moved, y) if match.group(1) == "x" else (x, y - moved)
        elif match := re.fullmatch(r"float u = (\S+)f \* x \+ (\S+)f \* y;", line):
            cos, sin = map(float, match.groups())
            x, y = cos * x + sin * y, cos * y - sin * x
        elif "DomainWarp" in line:
            x, y = warped(calls_of(code, language, "warp"), x, y)
        elif match := re.fullmatch(r"return (\S+)f \* noise.GetNoise\(x, y(.*)\);", line):
            z = match.group(2).strip(", f")
            values = sampled(calls_of(code, language, "noise"), x, y, float(z) if z else None)
            return float(match.group(1)) * values
    raise AssertionError("the code returns nothing")


def plain_name(value):
    """An enumerator as our own name: NoiseType_OpenSimplex2S or NoiseType.OpenSimplex2S."""
    name = re.split(r"[._]", value)[-1]
    known = {"FBm": "fbm", "OpenSimplex2": "opensimplex2", "OpenSimplex2S": "opensimplex2s"}
    return known.get(name) or re.sub(r"(?<=[a-z0-9])([A-Z])", r"_\1", name).lower()


def number(calls, name, default=0.0):
    return float(calls.get(name, str(default)).rstrip("f"))


def sampled(calls, x, y, z):
    frequency = number(calls, "Frequency")
    coords = [c * frequency for c in ((x, y) if z is None else (x, y, z))]
    settings = {}
    if plain_name(calls["NoiseType"]) == "cellular":
        settings = {
            "distance_function": plain_name(calls["CellularDistanceFunction"]),
            "return_type": plain_name(calls["CellularReturnType"]),
            "jitter": number(calls, "CellularJitter"),
        }
    return noise.sample(
        plain_name(calls["NoiseType"]), *coords, seed=int(calls["Seed"]),
        fractal=plain_name(calls["FractalType"]), octaves=int(calls.get("FractalOctaves", 1)),
        lacunarity=number(calls, "FractalLacunarity", 2.0),
        gain=number(calls, "FractalGain", 0.5),
        weighted_strength=number(calls, "FractalWeightedStrength"),
        ping_pong_strength=number(calls, "FractalPingPongStrength", 2.0), **settings,
    )  # fmt: skip


def warped(calls, x, y):
    assert calls["FractalType"].endswith("DomainWarpIndependent")
    return noise.warp(
        plain_name(calls["DomainWarpType"]), x, y, seed=int(calls["Seed"]),
        amplitude=number(calls, "DomainWarpAmp"), frequency=number(calls, "Frequency"),
        fractal="independent", octaves=int(calls["FractalOctaves"]),
    )  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("language", ["cpp", "csharp"])
@pytest.mark.parametrize("name", KINDS)
def test_what_the_code_says_has_the_values_of_the_layer(name, language):
    kind = KINDS[name]
    code = engine_code.generate(kind, language, seed=9)
    expected = heights(kind, 9)
    np.testing.assert_allclose(run(code, language), expected, atol=3e-4 * abs(kind.height))


@pytest.mark.parametrize("name", [name for name in KINDS if name != "warped"])
def test_fastnoiselite_itself_has_the_values_of_the_layer(name):
    """The settings in the C++ code, given to FastNoiseLite."""
    binding = pytest.importorskip(
        "pyfastnoiselite.pyfastnoiselite", reason="pyfastnoiselite is not installed"
    )
    kind = KINDS[name]
    code = engine_code.generate(kind, "cpp", seed=9)
    calls = calls_of(code, "cpp", "noise")
    source = binding.FastNoiseLite()
    for setting, value in calls.items():
        attribute = re.sub(r"(?<=[a-z0-9])([A-Z])", r"_\1", setting).lower()
        if "::" in value:
            enumeration, entry = value.partition("::")[2].split("_", 1)
            value = getattr(getattr(binding, enumeration), f"{enumeration}_{entry}")
        else:
            value = float(value.rstrip("f")) if "." in value else int(value)
        assert hasattr(source, attribute), attribute
        setattr(source, attribute, value)
    angle = np.radians(kind.rotation)
    x, y = POINTS[0] - kind.offset_x, POINTS[1] - kind.offset_y
    coords = [np.cos(angle) * x + np.sin(angle) * y, np.cos(angle) * y - np.sin(angle) * x]
    if kind.animate:
        coords.append(np.full_like(x, kind.evolution * kind.size))
    values = source.gen_from_coords(np.stack(coords).astype(np.float32))
    [scale] = re.findall(r"return (\S+)f \* noise", code)
    np.testing.assert_allclose(
        float(scale) * values, heights(kind, 9), atol=5e-4 * abs(kind.height)
    )


@pytest.mark.slow
def test_compiled_cpp_has_the_values_of_the_layer(tmp_path):
    compiler = shutil.which("g++") or shutil.which("clang++")
    # The environment has it, if it could be had when that was made.
    header = Path(sys.prefix, "include", "FastNoiseLite.h")
    if compiler is None or not header.is_file():
        pytest.skip(f"needs a C++ compiler and {header}")
    include = '#include "FastNoiseLite.h"'
    parts = [include, "#include <cstdio>"]
    for number, kind in enumerate(KINDS.values()):
        code = engine_code.generate(kind, "cpp", seed=9)
        assert include in code
        parts.append(f"namespace n{number} {{\n{code.replace(include, '')}}}")
    points = ", ".join(f"{{{float(x)!r}f, {float(y)!r}f}}" for x, y in POINTS.T)
    parts.append(f"static float points[][2] = {{{points}}};\nint main() {{")
    parts += [
        f'for (auto &p : points) std::printf("%.9g\\n", n{number}::terrain_height(p[0], p[1]));'
        for number in range(len(KINDS))
    ]
    source, program = tmp_path / "heights.cpp", tmp_path / "heights"
    source.write_text("\n".join([*parts, "}"]))
    command = [compiler, "-std=c++11", "-I", str(header.parent), "-o", str(program), str(source)]
    subprocess.run(command, check=True)
    out = subprocess.run([str(program)], check=True, capture_output=True, text=True).stdout
    values = np.array(out.split(), np.float64).reshape(len(KINDS), -1)
    for found, kind in zip(values, KINDS.values(), strict=True):
        np.testing.assert_allclose(found, heights(kind, 9), atol=5e-4 * abs(kind.height))


def test_quarter_turns_are_whole_numbers():
    """Their sines and cosines are not, and 6e-17 takes a line of zeros to write."""
    assert "float u = 0.0f * x + 1.0f * y;" in engine_code.generate(KINDS["turned"], "cpp")
    assert "float u" not in engine_code.generate(FractalNoise(rotation=-720.0), "cpp")


def test_gdscript_sets_what_godot_has():
    code = engine_code.generate(KINDS["warped"], "gdscript", seed=9, missing=["3 other layers"])
    assert "noise.noise_type = FastNoiseLite.TYPE_PERLIN" in code
    assert "noise.domain_warp_enabled = true" in code
    assert "noise.domain_warp_amplitude = 35.0" in code
    assert "noise.frequency = 0.0025" in code
    assert "noise.seed = 9" in code
    assert "noise.get_noise_2d(x, y)" in code
    assert "3 other layers" in code
    assert "get_noise_3d" in engine_code.generate(KINDS["evolved"], "gdscript")
    lines = code.splitlines()
    assert all(line.startswith(("\t", "#", "var ", "func ")) or not line for line in lines)


@pytest.mark.parametrize("language", engine_code.LANGUAGES)
def test_what_differs_is_said(language):
    kind, hill = KINDS["plain"], Layer.of(LAYERS["hills"]())
    plain = Layer.of(kind)
    masks = (MASKS["height"](), MASKS["slope"]())
    for layers, text in (
        ((plain,), "This is the whole terrain."),
        ((plain, hill), "has one other layer: this is the noise alone."),
        ((plain, hill, hill), "has 2 other layers: this"),
        ((Layer.of(kind, opacity=0.5, masks=masks),), "an opacity of 0.5, masks of the layer (Hei"),
        ((Layer.of(kind, blend="subtract"),), "has the blend mode Subtract: this"),
    ):
        missing = engine_code.left_out(Recipe(layers=layers), layers[0])
        assert text in engine_code.generate(kind, language, missing=missing)


@pytest.mark.parametrize("language", engine_code.LANGUAGES)
def test_octaves_that_only_the_terrain_leaves_out_are_said(language):
    text = "The terrain leaves out octaves that are too fine for its points."
    assert text in engine_code.generate(FractalNoise(keep_fine=False), language)
    assert text not in engine_code.generate(FractalNoise(), language)
    assert text not in engine_code.generate(FractalNoise(fractal="none", keep_fine=False), language)


@pytest.mark.parametrize(
    ("kind", "reason"),
    [
        (FractalNoise(basis="noiselib"), "its basis 'noiselib'"),
        (FractalNoise(fractal="swiss"), "its fractal 'swiss'"),
        (FractalNoise(fractal="billow", weighted_strength=0.1), "'billow' has weighted octaves"),
        (FractalNoise(octave_seeds="same"), "do not differ by seed"),
        (FractalNoise(seamless=True), "seamless"),
        (LAYERS["ramp"](), "not a fractal noise layer"),
    ],
)
def test_what_an_engine_cannot_make_is_explained(kind, reason):
    assert reason in engine_code.why_not(kind)
    with pytest.raises(ValueError, match="FastNoiseLite cannot make this layer"):
        engine_code.generate(kind, "cpp")


def test_godot_alone_cannot_warp_a_cut_through_3d():
    kind = FractalNoise(animate=True, warp_amount=10.0)
    assert not engine_code.why_not(kind)
    assert "Godot" in engine_code.why_not(kind, "gdscript")


def test_seeds_wrap_to_what_engines_take():
    assert "SetSeed(-2147483648)" in engine_code.generate(
        FractalNoise(seed=2**31 - 1), "cpp", seed=1
    )


def test_languages_are_checked():
    with pytest.raises(ValueError, match="no engine language 'rust'"):
        engine_code.generate(KINDS["plain"], "rust")
