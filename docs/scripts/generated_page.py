# SPDX-License-Identifier: GPL-3.0-or-later
"""Pages of the docs that scripts write, or with ``--check`` compare with what they would write."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def write_or_check(page: Path, text: str, script: str) -> int:
    """Write a page, or with ``--check`` on the command line compare it; return the exit code.

    ``script`` is the path of the script that writes it, for the message.
    """
    name = page.relative_to(ROOT)
    if "--check" not in sys.argv:
        page.write_text(text, encoding="utf-8")
        print(f"Wrote {name}")
        return 0
    if page.is_file() and page.read_text(encoding="utf-8") == text:
        return 0
    print(f"{name} is out of date: run python {Path(script).resolve().relative_to(ROOT)}")
    return 1
