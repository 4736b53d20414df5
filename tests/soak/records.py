# SPDX-License-Identifier: GPL-3.0-or-later
"""What a run found: counts, failures, and the machine and code that it ran on, as JSON files."""

import json
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any

from tests.benchmarks.timing import machine

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "build" / "soak"
PRINTED = 20
"""Failures of a kind that are printed; the file has them all."""


@dataclass
class Failure:
    """A case that broke a law: its seed, one line on it, all that is known, how to repeat it."""

    seed: int
    what: str
    detail: str
    repeat: str


@dataclass
class Record:
    """One run of a variant: the cases from ``first`` to ``last``, and what they found."""

    name: str
    variant: str
    environment: str
    code: str
    """The commit that changed the product last; with + if files differ from it."""
    date: str
    first: int = 1
    last: int = 0
    seconds: float = 0.0
    counts: Counter[str] = field(default_factory=Counter)
    failures: list[Failure] = field(default_factory=list)
    about: dict[str, Any] = field(default_factory=dict)
    """Processor, Python, NumPy, and Blender if there is one."""

    @classmethod
    def of(cls, name: str, variant: str) -> "Record":
        """Return an empty record of the code as it is, in this environment."""
        environment = Path(sys.prefix).name.rpartition("-")[0] or "python"
        return cls(name, variant, environment, _code(), date.today().isoformat(), about=machine())

    def repeat(self, first: int, count: int = 1) -> str:
        """Return the command that runs some cases again."""
        inside = f"python3 tests/environments.py {self.environment} "
        named = f"{self.name}:{self.variant}"
        return f"{inside}python -m tests.soak {named} --seed {first} --count {count}"

    def fail(self, seed: int, detail: str, count: int = 1) -> None:
        """Add a failure and print it; the first three of a kind in full, and not all of them."""
        lines = [line for line in detail.strip().splitlines() if line.strip()]
        what = lines[-1][:160] if lines else "nothing was said"
        known = sum(one.what == what for one in self.failures)
        self.failures.append(
            Failure(seed, what, detail[-4000:] if known < 3 else "", self.repeat(seed, count))
        )
        if known < PRINTED:
            print(f"FAILED {self.failures[-1].repeat}", flush=True)
            print(detail[-4000:] if known < 3 else f"  again: {what}", flush=True)

    def write(self) -> None:
        """Write the record, one file for each first seed."""
        FOLDER.mkdir(parents=True, exist_ok=True)
        values = {**vars(self), "failures": [vars(one) for one in self.failures]}
        self.path.write_text(json.dumps(values, indent=1) + "\n", encoding="utf-8")

    @property
    def path(self) -> Path:
        return (
            FOLDER / f"{self.name}-{self.variant}-{self.environment}-{self.code}-{self.first}.json"
        )

    def __str__(self) -> str:
        found = ", ".join(f"{count} {what}" for what, count in sorted(self.counts.items()))
        cases = f"{self.last - self.first + 1} cases from {self.first}"
        place = f"{self.name}:{self.variant} in {self.environment}"
        return f"{place}: {cases} in {self.seconds:.0f} s, {len(self.failures)} failed ({found})"


def records() -> Iterator[Record]:
    """Yield all records in build/soak."""
    for path in sorted(FOLDER.glob("*.json")):
        values = json.loads(path.read_text(encoding="utf-8"))
        values["failures"] = [Failure(**one) for one in values["failures"]]
        yield Record(**{**values, "counts": Counter(values["counts"])})


def cases_done(like: Record) -> int:
    """Return the last of the seeds from 1 on that were run on the same code."""
    same = ("name", "variant", "environment", "code")
    done = 0
    found = [one for one in records() if all(getattr(one, k) == getattr(like, k) for k in same)]
    for one in sorted(found, key=lambda one: one.first):
        if one.first <= done + 1:
            done = max(done, one.last)
    return done


def _code() -> str:
    def git(*command: str) -> str:
        listed = ("git", "-C", str(ROOT), *command, "--", "terrain_addon")
        return subprocess.run(listed, capture_output=True, text=True, check=True).stdout.strip()

    changed = "+" if git("status", "--porcelain") else ""
    return git("log", "-1", "--format=%h") + changed


def now() -> float:
    """Seconds of a clock that nobody sets."""
    return time.monotonic()
