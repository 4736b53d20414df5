# SPDX-License-Identifier: GPL-3.0-or-later
"""The guides to engines state the numbers and the files of the commands that they show."""

import importlib.util
from pathlib import Path
from typing import Any

import pytest

DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture(scope="module")
def pages() -> Any:
    """The script."""
    spec = importlib.util.spec_from_file_location(
        "make_engine_pages", DOCS / "scripts" / "make_engine_pages.py"
    )
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.slow
def test_the_guides_state_the_numbers_of_their_commands(pages: Any):
    """After a change of the preset, docs/scripts/make_engine_pages.py writes them."""
    for name in pages.PAGES:
        text = (DOCS / "guide" / name).read_text("utf-8")
        assert list(pages.differences(text)) == [], name
        assert pages.tables(text), name


def test_other_numbers_and_files_are_found(pages: Any, monkeypatch: pytest.MonkeyPatch):
    manifest = {
        "import_settings": {"Size": [2, 1.5], "Order": "Windows"},
        "files": [{"path": "Alps.raw"}],
    }
    monkeypatch.setattr(pages, "manifests", lambda page: {"unity": manifest})
    page = "`Alps.raw`\n<!-- numbers: unity -->\nnothing yet\n<!-- end -->\n"
    page = pages.written(page)
    assert "| Size | 2, 1.5 |\n| Order | Windows |\n<!-- end -->" in page
    assert list(pages.differences(page)) == []
    assert list(pages.differences(page.replace("1.5", "1.500001"))) == []
    for old, new in (("1.5", "1.6"), (", 1.5", ""), ("Windows", "Mac"), ("Order", "Byte Order")):
        assert len(list(pages.differences(page.replace(old, new)))) == 1
    assert "no file Alps.png" in next(pages.differences(page.replace("Alps.raw", "Alps.png")))
