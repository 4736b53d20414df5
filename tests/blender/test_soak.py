# SPDX-License-Identifier: GPL-3.0-or-later
"""The subjects of the soak that need Blender run."""

import pytest

from tests.soak import records, running


@pytest.mark.slow
@pytest.mark.parametrize(("name", "variant"), [("stateful", "6"), ("memory", "rebuilds")])
def test_one_case_of_each_subject_passes(name, variant, tmp_path, monkeypatch):
    monkeypatch.setattr(records, "FOLDER", tmp_path)
    record = running.run(records.Record.of(name, variant), 1, 1)
    assert not record.failures and record.counts
