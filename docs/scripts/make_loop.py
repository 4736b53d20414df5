# SPDX-License-Identifier: GPL-3.0-or-later
"""Join the frames of a slider drag to the moving picture of the README.

    python docs/scripts/make_loop.py build/window/drive_loop

The folder holds the screenshots of tests/window/drive_loop.py. Needs Pillow, of the environment
`core`. Writes docs/pictures/drag.webp, which runs back and forth.
"""

from __future__ import annotations

import sys
from pathlib import Path

from PIL import Image

PICTURE = Path(__file__).resolve().parents[1] / "pictures" / "drag.webp"
CROP = (40, 70, 1310, 900)  # the viewport and its sidebar
WIDTH = 800
MILLISECONDS = 110


def main(folder: Path) -> None:
    """Join the screenshots of a folder."""
    names = sorted(folder.glob("loop-*.png"))
    if len(names) < 2:
        sys.exit(f"{folder} has no screenshots: run `make test-window` first")
    frames = [_small(Image.open(name)) for name in names]
    frames += frames[-2:0:-1]
    lasts = [
        4 * MILLISECONDS if n % (len(names) - 1) == 0 else MILLISECONDS for n in range(len(frames))
    ]
    frames[0].save(
        PICTURE,
        save_all=True,
        append_images=frames[1:],
        duration=lasts,
        loop=0,
        quality=70,
        method=6,
    )
    print(f"{PICTURE.name}: {len(frames)} frames, {PICTURE.stat().st_size // 1024} KiB")


def _small(frame: Image.Image) -> Image.Image:
    part = frame.convert("RGB").crop(CROP)
    height = round(part.height * WIDTH / part.width)
    return part.resize((WIDTH, height), Image.Resampling.LANCZOS)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
