# SPDX-License-Identifier: GPL-3.0-or-later
"""The soak runs, records what it finds, and goes on after a failure."""

import json
import os
import signal
import sys

import pytest

from tests.soak import __main__ as soak, records, running
from tests.soak.records import Record, cases_done


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.setattr(records, "FOLDER", tmp_path)
    return tmp_path


SMALL = ["recipes:33", "files:npy", "kills:height.npy", "cancels:solve"]


@pytest.mark.slow
@pytest.mark.parametrize("name", [*SMALL, "full_disks:height.npy_read-only"])
def test_a_few_cases_of_each_subject_pass(name, folder):
    if name.startswith("full_disks") and (sys.platform != "linux" or os.geteuid()):
        pytest.skip("a small disk takes root on Linux")
    assert soak.main([name, "--count", "2", "--seed", "3"]) == 0
    (path,) = folder.iterdir()
    found = json.loads(path.read_text())
    assert (found["first"], found["last"], found["failures"]) == (3, 4, [])
    assert sum(found["counts"].values()) >= 2 and found["about"]["processor"] and found["code"]


@pytest.mark.slow
def test_a_run_goes_on_after_cases_that_fail_or_crash(folder, capsys):
    record = running.run(Record.of("tests.architecture.failing_cases", "any"), 1, 5)
    assert record.counts == {"passed": 3, "failed": 1} and (record.first, record.last) == (1, 5)
    assert [one.seed for one in record.failures] == [2, 4, 5]
    failed, crashed, together = record.failures
    assert failed.what == "AssertionError: two" and "SIGABRT" not in failed.detail
    assert crashed.what == f"the process ended with {-signal.SIGABRT}"
    assert "failing_cases.py" in crashed.detail  # where it was
    assert together.what == "AssertionError: all cases since the crash together"
    said = capsys.readouterr().out
    assert all(one.repeat in said for one in record.failures)
    assert "tests.architecture.failing_cases:any --seed 2 --count 1" in failed.repeat
    assert len(json.loads(record.path.read_text())["failures"]) == 3


def test_a_run_continues_after_the_seeds_that_are_recorded():
    for first, last in ((1, 10), (11, 15), (17, 20)):
        one = Record.of("recipes", "33")
        one.first, one.last = first, last
        one.write()
    assert cases_done(Record.of("recipes", "33")) == 15
    assert cases_done(Record.of("files", "npy")) == 0
