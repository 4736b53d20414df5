# SPDX-License-Identifier: GPL-3.0-or-later
"""Files are written whole or not at all, and touch no other file."""

import stat
import sys
from pathlib import Path

import pytest

from terrain_addon.core.settings import check_place, replaced


@pytest.fixture
def terrain(tmp_path):
    """A place for a file, beside a file of the user's that programs may call theirs."""
    (tmp_path / "land.exr.part").write_text("mine")
    return tmp_path / "land.exr"


def others(path):
    return {one.name: one.read_text() for one in path.parent.iterdir() if one != path}


def test_a_new_file_takes_the_place_of_an_older_one_at_the_end(terrain):
    terrain.write_text("old")
    with replaced(terrain) as new:
        new.write_text("new")
        assert new.parent == terrain.parent
        assert terrain.read_text() == "old"
    assert terrain.read_text() == "new"
    assert others(terrain) == {"land.exr.part": "mine"}


def test_what_fails_leaves_the_older_file_and_nothing_else(terrain):
    terrain.write_text("old")
    with pytest.raises(UnicodeEncodeError), replaced(terrain) as new:
        new.write_text("half \udc80", encoding="utf-8")
    assert terrain.read_text() == "old"
    assert others(terrain) == {"land.exr.part": "mine"}


def test_whether_a_place_can_be_written_to_is_found_without_a_trace(terrain):
    check_place(terrain)
    assert not terrain.exists()
    assert others(terrain) == {"land.exr.part": "mine"}


@pytest.mark.skipif(sys.platform == "win32", reason="has no such modes")
def test_a_file_may_be_read_by_whoever_may_read_others(terrain):
    with replaced(terrain) as new:
        new.write_text("new")
    usual = terrain.with_name("usual")
    usual.touch()
    assert stat.S_IMODE(terrain.stat().st_mode) == stat.S_IMODE(usual.stat().st_mode)


@pytest.mark.skipif(sys.platform != "linux", reason="where no program may write")
def test_a_folder_that_cannot_be_written_to_is_reported():
    path = Path("/proc/land.exr")
    with pytest.raises(OSError, match="^/proc/land.exr cannot be written: "):
        check_place(path)
    with pytest.raises(OSError, match="^/proc/land.exr cannot be written: "), replaced(path):
        pass


def test_a_name_that_is_too_long_is_reported(tmp_path):
    with pytest.raises(OSError, match="cannot be written"):
        check_place(tmp_path / ("n" * 300))
