# SPDX-License-Identifier: GPL-3.0-or-later
"""Make an island with the operators of the extension: picture, file and maps (`make demo`).

python docs/scripts/demo.py --out build/demo --large
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
RESOLUTION = 1025
MAP = 4096
MAPS = (
    ("island_heightmap.exr", "Heights in meters", "heightmap", "exr", MAP, "meters"),
    ("island_heightmap.png", "Heights for a game engine", "heightmap", "png", MAP, "normalized"),
    ("island_color.png", "Colors", "color", "png", MAP // 2, "normalized"),
    ("island_normal.png", "Normals", "normal", "png", MAP // 2, "normalized"),
)
"""File, what it holds, image, format, pixels along a side, and what its numbers are."""
PICTURE, LARGE = (960, 540, 10), (1920, 1080, 64)
"""Width, height and samples of the pictures."""


def main(out: Path, *, large: bool) -> None:
    """Write the files of the island to a folder, the picture first."""
    import bpy

    sys.path[:0] = [str(ROOT), str(ROOT / "docs" / "scripts")]
    import terrain_addon

    out.mkdir(parents=True, exist_ok=True)
    tell(f"Blender {bpy.app.version_string} makes an island:")
    log = out / "blender.log"
    with blender_output_in(log):
        bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
        terrain_addon.register()
        with step(f"Terrain, {RESOLUTION} x {RESOLUTION} points"):
            bpy.ops.terrain.add(preset="island", resolution=RESOLUTION)
        island = bpy.context.object
        assert island
        picture(island, PICTURE, out / "island.png")
        with step("Terrain, sea, light and camera as a Blender file", out / "island.blend"):
            bpy.ops.wm.save_as_mainfile(filepath=str(out / "island.blend"), check_existing=False)
        for name, text, image, kind, size, values in MAPS:
            with step(f"{text}, {size} x {size} pixels", out / name):
                bake(out / name, image, kind, size, values)
        if large:
            picture(island, LARGE, out / "island_large.png")
    log.unlink()


def picture(terrain: Any, size: tuple[int, int, int], path: Path) -> None:
    """Render a terrain."""
    import studio

    width, height, samples = size
    with step(f"Picture, {width} x {height} pixels, rendered with Cycles", path):
        studio.photograph(terrain, path, width=width, height=height, samples=samples)


def bake(path: Path, image: str, kind: str, size: int, values: str) -> None:
    """Bake one map to a file."""
    import bpy

    done = bpy.ops.terrain.bake(
        image=image, format=kind, width=size, target="file", filepath=str(path), values=values
    )
    if done != {"FINISHED"}:
        raise RuntimeError(f"{path.name} was not baked")


@contextmanager
def step(text: str, path: Path | None = None) -> Iterator[None]:
    """Print a line for a step, then its time and the file that it wrote."""
    tell(f"  {text} ...", end="")
    begun = time.perf_counter()
    yield
    took = f" {time.perf_counter() - begun:.1f} s"
    tell(took if path is None else f"{took}: {shown(path)}")


def shown(path: Path) -> str:
    """Return a path as seen from the current folder, where it is below it."""
    here = Path.cwd()
    return str(path.relative_to(here) if path.is_relative_to(here) else path)


@contextmanager
def blender_output_in(log: Path) -> Iterator[None]:
    """Redirect standard output, to which Blender prints, to a file."""
    sys.stdout.flush()
    terminal = os.dup(1)
    with log.open("w") as file:
        os.dup2(file.fileno(), 1)
    try:
        yield
    finally:
        sys.stdout.flush()
        os.dup2(terminal, 1)
        os.close(terminal)


def tell(text: str, end: str = "\n") -> None:
    """Print to standard error, which stays the terminal."""
    print(text, end=end, file=sys.stderr, flush=True)


def run() -> int:
    """Make the demo in a temporary profile; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "demo")
    parser.add_argument(
        "--large", action="store_true", help=f"also a picture of {LARGE[0]} x {LARGE[1]} pixels"
    )
    options = parser.parse_args()
    out = options.out.resolve()
    begun = time.perf_counter()
    with tempfile.TemporaryDirectory(prefix="orogen-") as profile:
        os.environ["BLENDER_USER_RESOURCES"] = profile  # before bpy is imported
        try:
            main(out, large=options.large)
        except Exception:
            traceback.print_exc()
            tell(f"What Blender printed is in {shown(out / 'blender.log')}")
            return 1
    tell(f"Done in {time.perf_counter() - begun:.0f} s: look at {shown(out / 'island.png')}")
    if not options.large:
        tell(f"For a picture of {LARGE[0]} x {LARGE[1]} pixels: make demo LARGE=1")
    return 0


if __name__ == "__main__":
    status = run()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)  # Some releases of bpy crash while the interpreter shuts down.
