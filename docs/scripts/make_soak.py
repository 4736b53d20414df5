# SPDX-License-Identifier: GPL-3.0-or-later
"""Write the tables of docs/developer/soak.md from the runs in build/soak.

python docs/scripts/make_soak.py

Runs of different cases are added up; of the same cases, the latest run counts. `make clean` before
the runs for a release, so that all are of one state of the code.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

PAGE = Path(__file__).resolve().parents[1] / "developer" / "soak.md"
sys.path.insert(0, str(PAGE.parents[2]))

from tests.soak.records import Record, records  # noqa: E402
from tests.soak.running import subject  # noqa: E402

BEGIN, END = "<!-- Written by make_soak.py -->", "<!-- End -->"
LONGEST = 110
"""Characters of a failure that the page shows."""


def groups() -> dict[tuple[str, str, str], list[Record]]:
    """Return the runs by subject, variant and environment, the latest one last."""
    found: dict[tuple[str, str, str], list[Record]] = {}
    for one in sorted(records(), key=lambda one: one.path.stat().st_mtime, reverse=True):
        several = found.setdefault((one.name, one.variant, one.environment), [])
        if not any(later.first <= one.first and one.last <= later.last for later in several):
            several.insert(0, one)
    return dict(sorted(found.items()))


def page() -> Iterator[str]:
    """Yield the lines of the tables."""
    found = groups()
    yield from (BEGIN, "")
    yield "| Subject | Environment | Cases | Aim | Failed | What came of it | Min | Code | Day |"
    yield "|---|---|--:|--:|--:|---|--:|---|---|"
    for (name, variant, environment), runs in found.items():
        cases = len({seed for one in runs for seed in range(one.first, one.last + 1)})
        counts: Counter[str] = sum((one.counts for one in runs), Counter())
        what = ", ".join(f"{counts[key]:,} {key}" for key in sorted(counts))
        minutes = sum(one.seconds for one in runs) / 60
        failed = len({one.seed for run in runs for one in run.failures})
        codes = ", ".join(f"`{code}`" for code in dict.fromkeys(one.code for one in runs))
        aim = subject(name).COUNTS.get(variant, 0)
        yield (
            f"| {name}: {variant} | {environment} | {cases:,} | {aim:,} | {failed:,} | {what} "
            f"| {minutes:.1f} | {codes} | {max(one.date for one in runs)} |"
        )
    yield from ("", "Failures of these runs, each kind with the number of cases and one seed:", "")
    yield from failures(found) or ["None."]
    machines = {
        f"{one.about['processor']}, {one.about['cores']} cores"
        for runs in found.values()
        for one in runs
    }
    yield from ("", f"Processors: {'; '.join(sorted(machines))}.", "", END)


def failures(found: dict[tuple[str, str, str], list[Record]]) -> list[str]:
    """Return a line for each kind of failure."""
    lines: list[str] = []
    for (name, variant, environment), runs in found.items():
        failed = [one for run in runs for one in run.failures]
        for what, count in Counter(one.what for one in failed).most_common():
            seed = next(one.seed for one in failed if one.what == what)
            text = what[:LONGEST].replace("`", "'")
            lines.append(f"- {name}: {variant} in {environment}, {count} (seed {seed}): `{text}`")
    return lines


def main() -> None:
    """Replace the tables of the page."""
    text = PAGE.read_text(encoding="utf-8")
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    PAGE.write_text(before + "\n".join(page()) + after, encoding="utf-8")


if __name__ == "__main__":
    main()
