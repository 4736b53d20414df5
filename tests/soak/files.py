# SPDX-License-Identifier: GPL-3.0-or-later
"""Changed files of every format: read or refused with a short message, in little time and memory.

The files and the changes of bytes are those of tests/core/formats/test_damaged_files.py and
tests/core/vectors/test_damaged_vectors.py.
"""

import json
import resource
import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from terrain_addon.core import Recipe, presets
from terrain_addon.core.formats import RawLayout, Stated
from terrain_addon.core.formats.geotiff import layout
from tests.core.formats.test_damaged_files import attempt, changed, reading, reworded, samples
from tests.core.vectors import test_damaged_vectors as damaged_vectors

FORMATS = (
    *("tif", "npy", "asc", "flt", "raw", "png", "exr", "hgt", "xyz", "bil", "img", "dt0", "zip"),
    *("world", "aux", "prj", "colors", "recipe", "osm", "gpx", "geojson"),
)
VECTORS = ("osm", "gpx", "geojson")
COUNTS = dict.fromkeys(FORMATS, 100_000)
MEMORY = 4 << 30
MORE = 2 * layout.ANYWAY + (64 << 20)
"""Bytes by which one of these small files may raise the peak of the process."""
SECONDS = 5.0
"""Processor time; the files take a few milliseconds."""
VALUES: tuple[Any, ...] = (
    *(0, 1, -1, 0.5, 100.0, 1e308, -1e308, 5e-324, 10**30, float("nan"), float("inf")),
    *(None, True, "", "x", "true", "#123456", "1", [], {}, [[]], {"kind": "x"}, "é" * 300),
)
TILES = ("a", "N35E138", "S90W180", "n00e000", "N99E999", "é 海")
NUMBERS = (0, 1, 2, 3, 7, 8, 12, 64, 255, 65536, 2**31 - 1, 2**31, 2**63, -1)

Rng = np.random.Generator


@contextmanager
def cases(variant: str, folder: Path) -> Iterator[Callable[[int, Counter[str]], None]]:
    warnings.simplefilter("error")
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    known = {"recipe": recipes, "hgt": tiles, "raw": raw}.get(variant, samples)(folder)
    files = [one for one in (*known, *vectors()) if is_of(variant, one[0])]

    def case(seed: int, counts: Counter[str]) -> None:
        rng = np.random.default_rng(seed)
        name, data, header = files[seed % len(files)]
        start, before = time.process_time(), peak()
        if variant in ("asc", "xyz") and rng.random() < 0.6:
            data = reworded(data, rng)
        if variant == "recipe":
            data = altered(data, rng) if rng.random() < 0.5 else changed(data, rng)
            counts[attempt_json(data)] += 1
        elif variant == "colors":
            counts[attempt_colors(folder, rng)] += 1
        elif variant in VECTORS:
            counts[damaged_vectors.attempt(folder, name, of_vectors(data, name, rng))] += 1
        else:
            how = random_layout(rng) if variant == "raw" else None
            counts[attempt(folder, name, data, header, rng, how)] += 1
        seconds, more = time.process_time() - start, peak() - before
        assert seconds < SECONDS, f"{len(data)} bytes of {name} took {seconds:.1f} s"
        assert more < MORE, f"{len(data)} bytes of {name} took {more >> 20} MiB"

    yield case


def is_of(variant: str, name: str) -> bool:
    """Return whether a file is one of a variant: a suffix, or what its name begins with."""
    return name.endswith(variant) or name.startswith(variant)


def vectors() -> Iterator[tuple[str, bytes, bytes]]:
    """Yield lines and areas in all formats."""
    for name, data in damaged_vectors.samples():
        yield name, data, b""


def of_vectors(data: bytes, name: str, rng: Rng) -> bytes:
    """Return vectors with changes of bytes, of words or of values."""
    if name.endswith("geojson") and rng.random() < 0.5:
        return altered(data, rng)
    changes = changed, reworded, damaged_vectors.revalued
    return changes[int(rng.choice(3, p=(0.2, 0.2, 0.6)))](data, rng)


def attempt_colors(folder: Path, rng: Rng) -> str:
    """Read a tile of web maps of any encoding, smooth or not: what came of it."""
    rows, columns = (int(one) for one in rng.integers(1, 40, 2))
    channels = int(rng.integers(3, 5))
    pixels = np.full((rows, columns, channels), rng.integers(0, 256), np.uint8)
    pixels[..., 0] = rng.choice((0, 1, 2, 126, 160, 255))
    pixels[..., 1] = np.arange(columns) * int(rng.integers(0, 9))
    spread = int(rng.choice((1, 40, 256)))
    pixels[..., 1:] += rng.integers(0, spread, (rows, columns, channels - 1), np.uint8)
    pixels[rng.random((rows, columns)) < 0.05] = rng.choice((0, 128, 255))
    path = folder / "colors.png"
    Image.fromarray(pixels).save(path)
    encoding = rng.choice(("", "mapbox", "terrarium", "gsi"))
    return reading(path, stated=Stated(encoding=str(encoding) or None))


def tiles(folder: Path) -> Iterator[tuple[str, bytes, bytes]]:
    """Yield SRTM tiles under good and bad names, and one that is cut off."""
    height = np.random.default_rng(1).integers(-500, 3000, (1201, 1201)).astype(">i2")
    for name in TILES:
        yield f"{name}.hgt", height.tobytes(), b""
    yield "N01E001.hgt", bytes(100), b""


def recipes(folder: Path) -> Iterator[tuple[str, bytes, bytes]]:
    """Yield the presets of the product."""
    for name in presets.names():
        yield "recipe", presets.load(name).to_json().encode(), b""


def raw(folder: Path) -> Iterator[tuple[str, bytes, bytes]]:
    """Yield squares and rectangles of all types of samples."""
    rng = np.random.default_rng(1)
    for dtype in ("u1", "<u2", ">i2", "<i4", "<f4", ">f4"):
        for shape in ((8, 8), (4, 12)):
            yield f"a{shape[1]}.raw", (rng.random(shape) * 200).astype(dtype).tobytes(), b""


def attempt_json(data: bytes) -> str:
    """Read a changed recipe: what came of it."""
    refusal = ""
    try:
        made = Recipe.from_json(data)
    except ValueError as error:
        refusal = str(error)
    else:
        assert Recipe.from_json(made.to_json()) == made
        return "read"
    assert 0 < len(refusal) < 700, refusal[:2000]
    return "refused"


def altered(data: bytes, rng: Rng) -> bytes:
    """Return JSON in which a few values are others, so that more than its syntax is checked."""
    tree = json.loads(data)
    places: list[tuple[Any, Any]] = []
    waiting = [tree]
    while waiting:
        one = waiting.pop()
        for key, value in one.items() if isinstance(one, dict) else enumerate(one):
            places.append((one, key))
            if isinstance(value, dict | list):
                waiting.append(value)
    for _ in range(rng.integers(1, 4)):
        container, key = places[int(rng.integers(len(places)))]
        container[key] = VALUES[int(rng.integers(len(VALUES)))]
    return json.dumps(tree).encode()


def random_layout(rng: Rng) -> RawLayout | None:
    """Return a layout, good or bad, or None."""
    if rng.random() < 0.5:
        return None
    number = (None, *NUMBERS)
    chosen = [number[int(rng.integers(len(number)))] for _ in range(2)]
    return RawLayout(
        columns=chosen[0],
        rows=chosen[1] if rng.random() < 0.5 else None,
        bits=(None, 8, 16, 32, 24)[int(rng.integers(5))],
        order=(None, "little", "big")[int(rng.integers(3))],
        kind=(None, "u", "i", "f")[int(rng.integers(4))],
        north_first=bool(rng.integers(2)),
    )


def peak() -> int:
    """Bytes of the process at its largest."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
