# SPDX-License-Identifier: GPL-3.0-or-later
"""Settings of every test: examples, presets, order, recorded times, and Blender's crashes."""

import gc
import importlib.util
import os
import random
import sys
import tempfile
from collections import defaultdict
from collections.abc import Generator
from importlib.metadata import version
from pathlib import Path
from typing import Any

import hypothesis
import pytest

from tests.times import Recorder

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

# The same examples in every run, however slow the machine is at the moment. At night there are
# more, and all presets: `--hypothesis-profile=nightly`.
for _name, _examples in {"quick": 10, "nightly": 200}.items():
    hypothesis.settings.register_profile(
        _name, max_examples=_examples, deadline=None, derandomize=True, database=None
    )
hypothesis.settings.load_profile("quick")

SAMPLED_PRESETS = ["alps", "canyon", "archipelago", "dunes"]
"""Mountains with snow, strata with rivers, land in a sea, and sand, which nothing erodes."""


def pytest_report_header(config: pytest.Config) -> list[str]:
    header = ["blender: none in this environment; tests that need it are not collected"]
    if HAS_BLENDER:
        header = [f"blender: bpy {version('bpy')}, NumPy {version('numpy')}"]
    if (seed := config.getoption("shuffle")) is not None:
        header.append(f"order: --shuffle {seed}")
    return header


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


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("orogen")
    group.addoption("--shuffle", type=int, metavar="SEED", help="run modules and tests shuffled")
    group.addoption("--times", type=Path, metavar="FILE", help="record CPU seconds of each test")


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(Recorder(), "orogen-times")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test with an argument `sampled_preset` with four presets, at night with all."""
    if "sampled_preset" in metafunc.fixturenames:
        from terrain_addon.core import presets

        nightly = hypothesis.settings.get_current_profile_name() == "nightly"
        metafunc.parametrize("sampled_preset", presets.names() if nightly else SAMPLED_PRESETS)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Shuffle the modules, and the tests of each, which share what its fixtures made."""
    if (seed := config.getoption("shuffle")) is None:
        return
    modules: dict[Path, list[pytest.Item]] = defaultdict(list)
    for item in items:
        modules[item.path].append(item)
    chance = random.Random(seed)
    shuffled = list(modules.values())
    chance.shuffle(shuffled)
    for tests in shuffled:
        chance.shuffle(tests)
    items[:] = [item for tests in shuffled for item in tests]


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
