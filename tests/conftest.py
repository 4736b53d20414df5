# SPDX-License-Identifier: GPL-3.0-or-later
"""Settings of every test: where Blender may write, and what follows where Blender crashes."""

import gc
import importlib.util
import os
import sys
import tempfile
from collections.abc import Generator
from importlib.metadata import version
from typing import Any

import hypothesis
import pytest

HAS_BLENDER = importlib.util.find_spec("bpy") is not None

collect_ignore = (
    ["package/test_library.py"]
    if HAS_BLENDER
    else ["blender", "package/test_installation.py", "package/test_zip.py"]
)

if HAS_BLENDER:
    # Before anything imports bpy, so that no test reads or writes the user's own settings.
    _profile = tempfile.TemporaryDirectory(prefix="orogen-profile-")
    os.environ["BLENDER_USER_RESOURCES"] = _profile.name

# The same examples in every run, however slow the machine is at the moment.
hypothesis.settings.register_profile("project", deadline=None, derandomize=True, database=None)
hypothesis.settings.load_profile("project")


def pytest_report_header() -> str:
    if not HAS_BLENDER:
        return "blender: none in this environment; tests that need it are not collected"
    return f"blender: bpy {version('bpy')}, NumPy {version('numpy')}"


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_sessionfinish(session: pytest.Session) -> Generator[None]:
    """End at once after pytest's report, with its exit code, where Blender was loaded.

    bpy 4.2 (and 4.5 at times) crashes while the interpreter shuts down once a property with an
    `update` function was registered, and once did so while pytest removed its plugins; a crash
    turns a passed run into a failed one.
    """
    yield
    if "bpy" in sys.modules:
        gc.disable()
        _profile.cleanup()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(int(session.exitstatus))


_crashed: list[str] = []


@pytest.hookimpl(optionalhook=True)
def pytest_handlecrashitem(crashitem: str, report: pytest.TestReport, sched: Any) -> None:
    """Run a test during which Blender crashed again, once, in a new process.

    bpy 4.2 did so once in code of its own, when Blender's glTF exporter assigned a scene to a
    window. That test passed four hundred times in a row under load. In whole runs glibc's and
    Python's checks of memory found nothing, and Valgrind nothing in the tests of that file.
    """
    if HAS_BLENDER and crashitem not in _crashed:
        _crashed.append(crashitem)
        sched.mark_test_pending(crashitem)
        report.outcome = "rerun"  # pyright: ignore[reportAttributeAccessIssue]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    for name in _crashed:
        terminalreporter.line(f"CRASHED, and was run again: {name}", yellow=True, bold=True)
