# SPDX-License-Identifier: GPL-3.0-or-later
"""Run the benchmarks: python -m tests.benchmarks [--out FILE] [NAME...]

NAME is the end of a module's name: noise for bench_noise. Without one, all of them run.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import traceback
from importlib import import_module
from pathlib import Path
from types import ModuleType

from tests.benchmarks.timing import Tables, report, write


def main() -> None:
    names = sorted(path.stem[6:] for path in Path(__file__).parent.glob("bench_*.py"))
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, help="JSON file to write the figures to")
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(names))
    arguments = parser.parse_args()
    unknown = set(arguments.names) - set(names)
    if unknown:
        parser.error(f"no benchmark is called {', '.join(unknown)}; there are {', '.join(names)}")
    found: Tables = {}
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0  # of other programs
    for name in arguments.names or names:
        for title, rows in _tables(name).items():
            report(title, rows)
            found[title] = rows
    if arguments.out is not None:
        write(arguments.out, found, {"load": round(load, 1), **_about()})


def _tables(name: str) -> Tables:
    """Tables of one benchmark; none, with a notice, where it needs a module that is not here."""
    try:
        benchmark = import_module(f"tests.benchmarks.bench_{name}")
    except ModuleNotFoundError as error:
        if error.name not in ("bpy", "distributed", "psutil", "tifffile"):
            raise
        print(f"SKIPPED: {name} needs {error.name}, which this environment lacks", flush=True)
        return {}
    return benchmark.tables()


def _about() -> dict[str, object]:
    blender: ModuleType | None = sys.modules.get("bpy")
    return {"blender": blender.app.version_string} if blender else {}


if __name__ == "__main__":
    # A throw-away profile, and no shutdown of Python: some releases of bpy crash in it.
    with tempfile.TemporaryDirectory(prefix="orogen-profile-") as profile:
        os.environ["BLENDER_USER_RESOURCES"] = profile
        code = 1
        try:
            main()
            code = 0
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else 1
        except Exception:
            traceback.print_exc()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)
