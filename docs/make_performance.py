# SPDX-License-Identifier: GPL-3.0-or-later
"""Write docs/performance.md from docs/performance.json, a recorded run of the benchmarks.

python docs/make_performance.py            write the page
python docs/make_performance.py --check    fail when the page does not fit the run

To record another run: make bench, then copy build/benchmarks.json to docs/performance.json.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

DOCS = Path(__file__).resolve().parent
RUN = DOCS / "performance.json"
PAGE = DOCS / "performance.md"
HEAD = """# Performance

Made by `docs/make_performance.py` from `docs/performance.json`, one run of `make bench`; do not
edit by hand.

Everything runs in one process. The ways that a table compares take turns, and each figure is the
median of its turns, so a busy moment hits all of them alike: ratios are to be trusted more than
milliseconds. NumPy is all that the extension computes with; `np.copyto` of an array of the same
size says what the memory alone would take. Times of ways that take one point after the other are
measured on fewer points and scaled up.
"""


def page(run: dict[str, Any]) -> str:
    """The whole page as Markdown."""
    return "\n".join(
        [HEAD, *machine(run["machine"]), "", "## Targets", "", *targets(run["tables"])]
        + [line for title, rows in run["tables"].items() for line in table(title, rows)]
        + [""]
    )


def machine(about: dict[str, Any]) -> Iterator[str]:
    """What the numbers were measured on."""
    yield f"Measured on {about['processor']}, {about['cores']} cores, {about['system']}, with"
    blender = f" and Blender {about['blender']}" if "blender" in about else ""
    yield f"Python {about['python']}, NumPy {about['numpy']}{blender}. The load of other programs"
    yield f"was {about['load']:g} when the run began. With a load above 0.5 the milliseconds come"
    yield "out too high, and what lives on memory, as NumPy does, suffers more than loops do."


def targets(tables: dict[str, Any]) -> Iterator[str]:
    """All that was promised, met or not."""
    yield "| What | Target | Is | |"
    yield "|---|---|--:|---|"
    for title, rows in tables.items():
        for row in rows:
            for target in row["targets"]:
                verdict = "met" if target["met"] else "**missed**"
                what = f"{title}: {row['name']}"
                yield f"| {what} | {target['wanted']} | {target['found']} | {verdict} |"


def table(title: str, rows: list[dict[str, Any]]) -> Iterator[str]:
    """One comparison."""
    unit, measure = rows[0]["unit"], rows[0]["measure"]
    yield from ("", f"## {title}", "", f"| | {measure} | x {unit} |", "|---|--:|--:|")
    for row in rows:
        yield f"| {row['name']} | {number(row['value'])} | {number(row['ratio'])} |"


def number(value: float) -> str:
    """Three digits, without an exponent."""
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}"


def main() -> int:
    """Write or check the page; the exit code."""
    text = page(json.loads(RUN.read_text(encoding="utf-8")))
    if "--check" not in sys.argv:
        PAGE.write_text(text, encoding="utf-8")
        return 0
    if PAGE.is_file() and PAGE.read_text(encoding="utf-8") == text:
        return 0
    print("docs/performance.md does not fit docs/performance.json: run docs/make_performance.py")
    return 1


if __name__ == "__main__":
    sys.exit(main())
