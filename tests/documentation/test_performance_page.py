# SPDX-License-Identifier: GPL-3.0-or-later
"""The page of figures: its data, its headlines and its missed targets."""

import runpy
from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs"


def test_a_merged_table_replaces_that_of_its_title_and_states_its_machine():
    script = runpy.run_path(str(DOCS / "scripts" / "make_performance.py"))
    about = {
        "cores": 2, "system": "Linux", "python": "3.13", "numpy": "2.4", "load": 1,
    }  # fmt: skip
    row = {"name": "a", "ratio": 1.0, "unit": "a", "measure": "ms", "targets": []}
    run = {
        "machine": {**about, "processor": "First"},
        "tables": {"One": [{**row, "value": 111.0}], "Two": [{**row, "value": 222.0}]},
    }
    later = {
        "machine": {**about, "processor": "Second"},
        "tables": {"Two": [{**row, "value": 333.0}]},
    }
    merged = script["merged"](run, later)
    one, two = (
        "\n".join(script["table"](title, rows, merged["merged"].get(title)))
        for title, rows in merged["tables"].items()
    )
    assert "111" in one and "Second" not in one
    assert "333" in two and "222" not in two and "Measured on Second" in two
    assert run["tables"]["Two"][0]["value"] == 222.0, "left as it was"


def test_the_target_missed_by_most_is_listed():
    script = runpy.run_path(str(DOCS / "scripts" / "make_performance.py"))

    def row(name: str, wanted: str, found: str, met: bool) -> dict:
        return {"name": name, "targets": [{"wanted": wanted, "found": found, "met": met}]}

    tables = {
        "Noise": [
            row("slow", "at most 10 ms", "15 ms", False),
            row("slower", "at least 4 times as fast as a peer", "2 times", False),
            row("fast", "at most 10 ms", "9 ms", True),
        ]
    }
    lines = list(script["targets"](tables))
    assert lines[0].startswith("1 of 3 targets are met")
    assert lines[-1].startswith("| Noise | 2 of 3 | slower |")
