# SPDX-License-Identifier: GPL-3.0-or-later
"""Make an island with the operators of the extension: file, picture and maps (`make demo`).

python docs/scripts/demo.py --out build/demo
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

ROOT = Path(__file__).resolve().parents[2]
RESOLUTION = 1025
MAP = 4096
# Maps besides the EXR heightmap: file, image, format, pixels along a side.
MAPS = (
    ("island_heightmap.png", "heightmap", "png", MAP),
    ("island_color.png", "color", "png", MAP // 2),
    ("island_normal.png", "normal", "png", MAP // 2),
)


def main(out: Path) -> None:
    """Write the files of the island to a folder."""
    import bpy

    sys.path[:0] = [str(ROOT), str(ROOT / "docs" / "scripts")]
    import studio

    import terrain_addon

    out.mkdir(parents=True, exist_ok=True)
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    terrain_addon.register()
    print(f"Blender {bpy.app.version_string}, into {out}", flush=True)
    with step(f"Island, {RESOLUTION} x {RESOLUTION} points"):
        bpy.ops.terrain.add(preset="island", resolution=RESOLUTION)
    island = bpy.context.object
    assert island
    with step(f"Heightmap, {MAP} x {MAP}, EXR 32 bit, meters"):
        bake(out / "island_heightmap.exr", "heightmap", "exr", MAP, values="meters")
    for name, image, kind, size in MAPS:
        with step(f"{image.capitalize()}, {size} x {size}, PNG 16 bit"):
            bake(out / name, image, kind, size)
    with step("island.blend"):
        bpy.ops.wm.save_as_mainfile(filepath=str(out / "island.blend"), check_existing=False)
    with step("Picture, rendered with Cycles"), quiet(out / "cycles.log"):
        studio.photograph(island, out / "island.png")


def bake(path: Path, image: str, kind: str, size: int, **settings: str) -> None:
    """Bake one map to a file."""
    import bpy

    done = bpy.ops.terrain.bake(
        image=image, format=kind, width=size, target="file", filepath=str(path), **settings
    )
    if done != {"FINISHED"}:
        raise RuntimeError(f"{path.name} was not baked")


@contextmanager
def step(text: str) -> Iterator[None]:
    """Print a line for a step, with the time it took."""
    print(f"  {text} ...", end="", flush=True)
    begun = time.perf_counter()
    yield
    print(f" {time.perf_counter() - begun:.2f} s", flush=True)


@contextmanager
def quiet(log: Path) -> Iterator[None]:
    """Redirect the output of Blender to a log file, which is deleted on success."""
    sys.stdout.flush()
    kept = os.dup(1)
    with log.open("w") as file:
        os.dup2(file.fileno(), 1)
    try:
        yield
    finally:
        sys.stdout.flush()
        os.dup2(kept, 1)
        os.close(kept)
    log.unlink()


def run() -> int:
    """Make the demo in a temporary profile; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "demo")
    options = parser.parse_args()
    begun = time.perf_counter()
    with tempfile.TemporaryDirectory(prefix="orogen-") as profile:
        os.environ["BLENDER_USER_RESOURCES"] = profile  # before bpy is imported
        try:
            main(options.out.resolve())
        except Exception:
            traceback.print_exc()
            return 1
    print(f"Done in {time.perf_counter() - begun:.1f} s", flush=True)
    return 0


if __name__ == "__main__":
    status = run()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)  # Some releases of bpy crash while the interpreter shuts down.
