# SPDX-License-Identifier: GPL-3.0-or-later
"""Make the tiles of a world for a program that may end: ``python -m terrain_addon.run_world``.

It ends as soon as its standard input is closed, which the system does when that program dies.
Finished tiles stay, and the next run continues. Errors go to the standard error stream.
"""

from __future__ import annotations

import argparse
import os
import sys
import threading
from collections.abc import Sequence
from pathlib import Path

from .core import worlds
from .core.numerics import user_message


def main(arguments: Sequence[str] | None = None) -> int:
    """Make all missing tiles and the index; return 0, or 1 after an error."""
    parser = argparse.ArgumentParser(prog="terrain_addon.run_world")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--workers", type=int, default=1)
    options = parser.parse_args(arguments)
    threading.Thread(target=_end_with_input, daemon=True).start()
    try:
        world = worlds.World.load(options.folder)
        worlds.run(world, workers=options.workers)
        worlds.finish(world)
    except (ValueError, OSError, MemoryError) as error:
        print(user_message(error), file=sys.stderr)
        return 1
    return 0


def _end_with_input() -> None:
    while os.read(0, 1):  # sys.stdin has a lock that Python would wait for at its end
        pass
    os._exit(130)


if __name__ == "__main__":
    sys.exit(main())
