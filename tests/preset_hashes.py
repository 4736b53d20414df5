# SPDX-License-Identifier: GPL-3.0-or-later
"""Print a digest of every preset's heights and colors, to compare two checkouts.

python3 tests/environments.py core python -m tests.preset_hashes [RESOLUTION] > build/before.txt

The digests depend on the processor's instruction set (see "Deterministic" in
docs/developer/architecture.md), so run both checkouts on one machine.
"""

import hashlib
import sys

from terrain_addon.core import presets
from terrain_addon.core.output.coloring import evaluate_colored


def main(resolution: int = 129) -> None:
    """Print one line per preset: its name and the first 16 hexadecimal digits of its digest."""
    for name in presets.names():
        recipe = presets.load(name)
        terrain, coloring = evaluate_colored(recipe, recipe.grid(resolution))
        digest = hashlib.sha256(terrain.height.tobytes())
        digest.update(coloring.colors.tobytes())
        print(f"{name:20} {digest.hexdigest()[:16]}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
