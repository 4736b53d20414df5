# SPDX-License-Identifier: GPL-3.0-or-later
"""Private words that have left the project stay away; a terrain is never called "land" in code."""

import ast
import re
import tokenize
from pathlib import Path

from tests.architecture.test_files import (
    AS_PUBLISHED,
    ROOT,
    TEXT_SUFFIXES,
    addon_files,
    files,
    text_of,
)

GONE = re.compile(
    r"(?<![A-Za-z])"
    r"(told(?! apart)|untold|furnish|kept_land|retarget|keep_in_step|whole_rows|Wanted)"
    r"(?![A-Za-z])"
)
LAND = re.compile(r"(?<![A-Za-z])lands?(?![A-Za-z])", re.IGNORECASE)
LABEL = re.compile(r"(?=.*\bLands?\b)[\w()/.-]+( [\w()/.-]+){1,4}")
REAL = "Real Land"
"""The name of a layer."""
TESTS = (
    "tests/architecture/",
    "tests/blender/",
    "tests/command_line/",
    "tests/core/",
    "tests/documentation/",
)
THIS = Path(__file__).relative_to(ROOT).as_posix()


def test_private_words_are_gone() -> None:
    found = [
        f"{name}:{number}: {line.strip()}"
        for name in files()
        if Path(name).suffix in TEXT_SUFFIXES and not name.startswith((*AS_PUBLISHED, THIS))
        for number, line in enumerate([name, *text_of(name).splitlines()])
        if GONE.search(line)
    ]
    assert not found, "\n".join(found)


def test_no_identifier_calls_a_terrain_land() -> None:
    """Prose may say land where it means the opposite of sea; islands and headlands are free."""
    found: list[str] = []
    for name in files(".py"):
        if name.startswith(TESTS):  # The names of tests are sentences.
            continue
        with tokenize.open(ROOT / name) as file:
            found += [
                f"{name}:{token.start[0]}: {token.string}"
                for token in tokenize.generate_tokens(file.readline)
                if token.type == tokenize.NAME and LAND.search(token.string)
            ]
    assert not found, "\n".join(found)


def test_no_label_calls_a_terrain_land() -> None:
    found = [
        f"{name}:{node.lineno}: {node.value}"
        for name in addon_files()
        for node in ast.walk(ast.parse(text_of(name)))
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and node.value != REAL
        and LABEL.fullmatch(node.value)
    ]
    assert not found, "\n".join(found)
