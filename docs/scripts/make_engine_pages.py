# SPDX-License-Identifier: GPL-3.0-or-later
"""Write the numbers to type in into the guides to engines: those of the commands on the pages.

python docs/scripts/make_engine_pages.py            run the commands and write the tables
python docs/scripts/make_engine_pages.py --check    fail if the tables state other numbers
"""

from __future__ import annotations

import contextlib
import io
import json
import re
import shlex
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
PAGES = ("to-unreal.md", "to-unity.md", "to-godot.md")
COMMAND = re.compile(r"^orogen (export .*--engine (\w+) .*)$", re.MULTILINE)
NAMED = re.compile(r"`(Alps[\w-]*\.(?:r16|raw|png|exr))`")
TILE = re.compile(r"_x?\d+_")
"""Files of these commands, and what only those of several tiles have in their names."""
ROUNDING = 1e-5
"""Share by which numbers may differ: processors round erosion in their own ways."""


def manifests(page: str) -> dict[str, dict[str, Any]]:
    """Return the manifests, by engine, that the commands on a page make."""
    from terrain_addon.command_line import main

    found: dict[str, dict[str, Any]] = {}
    for command, engine in COMMAND.findall(page):
        with tempfile.TemporaryDirectory() as folder:
            words = shlex.split(command)
            words[words.index("--out") + 1] = f"{folder}/out"
            with contextlib.redirect_stdout(io.StringIO()):
                code = main(words)
            if code:
                raise SystemExit(f"failed: orogen {command}")
            found[engine] = json.loads(Path(folder, "out", "manifest.json").read_text("utf-8"))
    return found


def tables(page: str) -> dict[str, dict[str, list[str]]]:
    """Return the tables on a page by engine: the numbers of each field."""
    found: dict[str, dict[str, list[str]]] = {}
    for engine in re.findall(r"<!-- numbers: (\w+) -->", page):
        rows = [line.strip("| ").split(" | ") for line in _table(page, engine).splitlines()[2:]]
        found[engine] = {row[0]: row[1].split(", ") for row in rows if len(row) == 2}
    return found


def differences(page: str) -> Iterator[str]:
    """Return what the tables on a page state that the manifests do not."""
    made, stated = manifests(page), tables(page)
    if set(made) != set(stated):
        yield f"commands for {sorted(made)}, tables for {sorted(stated)}"
    for engine, rows in stated.items():
        expected = numbers(made[engine]) if engine in made else {}
        if list(rows) != list(expected):
            yield f"{engine}: {list(rows)} are not {list(expected)}"
            continue
        for name, texts in rows.items():
            if not all(map(_equal, texts, expected[name])) or len(texts) != len(expected[name]):
                yield f"{engine}: {name} is {', '.join(expected[name])}, not {', '.join(texts)}"
    files = {one["path"] for manifest in made.values() for one in manifest["files"]}
    named = {name for name in NAMED.findall(page) if not TILE.search(name)}
    for name in sorted(named - files):
        yield f"there is no file {name}, but {', '.join(sorted(files))}"


def numbers(manifest: dict[str, Any]) -> dict[str, list[str]]:
    """Return the numbers of a manifest as texts, by field."""
    return {
        name: [
            f"{one:.9g}" if isinstance(one, float) else str(one)
            for one in (value if isinstance(value, list) else [value])
        ]
        for name, value in manifest["import_settings"].items()
    }


def written(page: str) -> str:
    """Return the page with the tables of its commands."""
    for engine, manifest in manifests(page).items():
        rows = [f"| {name} | {', '.join(texts)} |" for name, texts in numbers(manifest).items()]
        table = "\n".join(["| Field | Enter |", "|---|---|", *rows]) + "\n"
        page = page.replace(_marked(page, engine), f"{_begin(engine)}\n{table}<!-- end -->")
    return page


def _begin(engine: str) -> str:
    return f"<!-- numbers: {engine} -->"


def _marked(page: str, engine: str) -> str:
    """Return the table of an engine with the marks around it."""
    found = re.search(rf"{_begin(engine)}\n.*?<!-- end -->", page, re.DOTALL)
    return found[0] if found else ""


def _table(page: str, engine: str) -> str:
    return _marked(page, engine).removeprefix(f"{_begin(engine)}\n").removesuffix("<!-- end -->")


def _equal(text: str, other: str) -> bool:
    """Return whether two texts are equal, or nearly equal numbers."""
    try:
        one, two = float(text), float(other)
    except ValueError:
        return text == other
    return abs(one - two) <= ROUNDING * max(abs(one), abs(two))


def main() -> int:
    """Write the pages, or check them; return the exit code."""
    failed = False
    for path in (ROOT / "docs" / "guide" / name for name in PAGES):
        text = path.read_text("utf-8")
        if "--check" not in sys.argv:
            path.write_text(written(text), "utf-8")
            continue
        for line in differences(text):
            print(f"{path.name}: {line}; run docs/scripts/make_engine_pages.py", file=sys.stderr)
            failed = True
    return int(failed)


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    sys.exit(main())
