# SPDX-License-Identifier: GPL-3.0-or-later
"""The subjects of the soak that need Blender run."""

import pytest

from tests.soak import __main__ as soak, records


@pytest.mark.parametrize("name", ["stateful:actions", "memory:rebuilds"])
def test_one_case_of_each_subject_passes(name, tmp_path, monkeypatch):
    monkeypatch.setattr(records, "FOLDER", tmp_path)
    assert soak.main([name, "--count", "1", "--seed", "1"]) == 0
