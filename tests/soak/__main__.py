# SPDX-License-Identifier: GPL-3.0-or-later
"""Run many random cases of a subject, each from the seed that is its number.

    python -m tests.soak NAME[:VARIANT]... [--count N] [--seed S]

NAME is a module of this folder with `COUNTS`. Without a variant, all of its variants run. Without
--seed, a run goes on after the seeds that build/soak holds for the same code, up to the default
count. A case that fails, hangs or crashes is reported with the line that repeats it, and the next
one follows. The exit code is 1 if any failed.
"""

import argparse
import sys
from importlib.util import find_spec
from pathlib import Path

from tests.soak.records import Record, cases_done
from tests.soak.running import run, subject

NAMES = sorted(
    path.stem
    for path in Path(__file__).parent.glob("*.py")
    if "\nCOUNTS = " in path.read_text(encoding="utf-8")
)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.soak",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("names", nargs="+", metavar="NAME[:VARIANT]", help=", ".join(NAMES))
    parser.add_argument("--count", type=int, help="cases of each variant")
    parser.add_argument("--seed", type=int, help="number of the first case")
    options = parser.parse_args(arguments)
    failed = 0
    for given in options.names:
        name, _, chosen = given.partition(":")
        if name not in NAMES:
            parser.error(f"no soak is called {name}; there are {', '.join(NAMES)}")
        counts = subject(name).COUNTS
        if chosen and chosen not in counts:
            parser.error(f"{name} has no variant {chosen}; it has {', '.join(counts)}")
        for variant in [chosen] if chosen else usual(counts):
            record = Record.of(name, variant)
            first, count = options.seed, options.count or counts[variant]
            if first is None:
                first = 1 + cases_done(record)
                count = options.count or max(count - first + 1, 0)
            failed += len(run(record, first, count).failures)
    return 1 if failed else 0


def usual(counts: dict[str, int]) -> list[str]:
    """Return the variants that this environment runs: with Blender, those for it if there are."""
    has_blender = find_spec("bpy") is not None
    return [one for one in counts if one.startswith("blender") == has_blender] or list(counts)


if __name__ == "__main__":
    sys.exit(main())
