# SPDX-License-Identifier: GPL-3.0-or-later
"""Files are written whole or not at all, and touch no other file."""

import gc
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from terrain_addon.core.settings import check_place, replaced, work_folder
from terrain_addon.core.settings.work_folder import MARK

ROOT = Path(__file__).parents[3]


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


def write(path, text):
    with replaced(path) as new:
        new.write_text(text)


@pytest.mark.skipif(sys.platform == "win32", reason="links need special rights")
@pytest.mark.parametrize("there", [True, False])
def test_a_symbolic_link_leads_to_the_new_file(terrain, tmp_path, there):
    (tmp_path / "disk").mkdir()
    kept = tmp_path / "disk" / "real.exr"
    if there:
        kept.write_text("old")
    terrain.symlink_to(Path("disk", "real.exr"))
    check_place(terrain)
    write(terrain, "new")
    assert terrain.is_symlink() and not kept.is_symlink()
    assert kept.read_text() == terrain.read_text() == "new"
    assert [one.name for one in kept.parent.iterdir()] == ["real.exr"]


@pytest.mark.skipif(sys.platform == "win32", reason="has no such modes")
@pytest.mark.parametrize("mode", [0o600, 0o664, 0o755])
def test_a_file_keeps_its_permissions(terrain, mode):
    terrain.write_text("old")
    terrain.chmod(mode)
    write(terrain, "new")
    assert terrain.read_text() == "new"
    assert stat.S_IMODE(terrain.stat().st_mode) == mode


@pytest.mark.parametrize("old", ["old", "an old one that is much longer than the new one"])
def test_all_names_of_a_file_show_the_new_content(terrain, tmp_path, old):
    terrain.write_text(old)
    other = tmp_path / "also.exr"
    other.hardlink_to(terrain)
    write(terrain, "a new one")
    assert other.samefile(terrain)
    assert other.read_text() == "a new one"
    assert {one.name for one in tmp_path.iterdir()} == {"land.exr", "also.exr", "land.exr.part"}


@pytest.mark.skipif(sys.platform == "win32", reason="has no such limit")
def test_a_full_disk_leaves_a_file_of_several_names_as_it_is(terrain, tmp_path):
    """The limit on the size of files lies between the old size and the new one."""
    import resource
    import signal

    terrain.write_text("old")
    (tmp_path / "also.exr").hardlink_to(terrain)
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)

    def fill_the_disk():
        with replaced(terrain) as new:
            new.write_bytes(b"n" * 5000)
            resource.setrlimit(resource.RLIMIT_FSIZE, (4000, before[1]))

    try:
        with pytest.raises(OSError, match="too large"):
            fill_the_disk()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)
    assert terrain.read_text() == "old"
    assert {one.name for one in tmp_path.iterdir()} == {"land.exr", "also.exr", "land.exr.part"}


@pytest.mark.skipif(sys.platform == "win32", reason="has no named pipes in folders")
def test_what_is_no_file_is_refused_and_stays(tmp_path):
    pipe, loop = tmp_path / "pipe.exr", tmp_path / "loop.exr"
    os.mkfifo(pipe)
    loop.symlink_to(loop)
    for path, message in (
        (pipe, "pipe.exr is a device or a pipe, not a file: choose another name"),
        (Path("/dev/null"), "/dev/null is a device or a pipe"),
        (loop, "loop.exr cannot be written: Too many levels of symbolic links"),
        (tmp_path, "is a folder: choose another name"),
        (tmp_path / "nul\0.exr", "cannot be written: .*embedded null"),
    ):
        for attempt in (check_place, lambda path: write(path, "new")):
            with pytest.raises(OSError, match=message):
                attempt(path)
    assert {one.name for one in tmp_path.iterdir()} == {"pipe.exr", "loop.exr"}
    assert pipe.is_fifo() and Path("/dev/null").is_char_device()


def test_a_read_only_file_is_refused_and_stays(terrain):
    terrain.write_text("old")
    terrain.chmod(0o444)
    for attempt in (check_place, lambda path: write(path, "new")):
        with pytest.raises(OSError, match="is read-only: choose another name"):
            attempt(terrain)
    assert terrain.read_text() == "old"


KILLED = """
import os, sys, signal
from pathlib import Path
from terrain_addon.core.settings import replaced
with replaced(Path(sys.argv[1])) as new:
    new.write_text("half")
    if sys.argv[2:]:
        print(new, flush=True)
        sys.stdin.read()
    os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="has no kill -9")
def test_what_a_killed_process_left_goes_with_the_next_write(terrain, tmp_path):
    terrain.write_text("old")
    command = [sys.executable, "-c", KILLED, str(terrain)]
    killed = subprocess.run(command, cwd=ROOT, check=False)
    assert killed.returncode == -9
    assert terrain.read_text() == "old"
    [left] = [one for one in tmp_path.iterdir() if one.name not in ("land.exr", "land.exr.part")]
    elsewhere = left.with_name(left.name.replace("land.exr.", "land.exr.0"))
    elsewhere.write_text("of a file whose name begins like this one")
    with subprocess.Popen(
        [*command, "wait"], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as running:
        assert running.stdout and running.stdin
        in_use = Path(running.stdout.readline().rstrip("\n"))
        write(terrain, "new")
        found = {one.name for one in tmp_path.iterdir()}
        running.stdin.close()
    assert found == {"land.exr", "land.exr.part", elsewhere.name, in_use.name}
    assert terrain.read_text() == "new"


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs /proc")
def test_what_a_zombie_left_goes_with_the_next_write(terrain, tmp_path):
    """A killed process exists until its parent asks how it ended."""
    command = [sys.executable, "-c", KILLED, str(terrain)]
    with subprocess.Popen(command, cwd=ROOT) as zombie:
        os.waitid(os.P_PID, zombie.pid, os.WEXITED | os.WNOWAIT)
        assert len(list(tmp_path.iterdir())) == 2
        write(terrain, "new")
        assert {one.name for one in tmp_path.iterdir()} == {"land.exr", "land.exr.part"}


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="has no device that is always full")
def test_a_work_folder_on_a_full_disk_is_refused_and_its_mark_is_closed(tmp_path):
    """A mark that is closed later would fail again, and print a traceback."""
    folder = tmp_path / "land.unfinished"
    folder.mkdir()
    (folder / MARK).symlink_to("/dev/full")
    refused = pytest.raises(OSError, match=r"land\.unfinished cannot be written: No space left")
    with refused, work_folder(folder, "the plan"):
        pytest.fail("there is no room")
    gc.collect()
    assert not folder.exists()
