# SPDX-License-Identifier: GPL-3.0-or-later
"""Some 300 public files read as rasterio reads them, or are refused."""

import pytest

pytest.importorskip("rasterio", reason="the oldest NumPy has no rasterio")
from tests.core.formats import public_files


@pytest.mark.nightly("examples")
def test_public_files_are_read_as_rasterio_reads_them():
    try:
        folder = public_files.unpacked()
    except OSError as error:
        pytest.skip(f"the packages cannot be had here: {error}")
    expected = dict(public_files.listed())
    assert len(expected) >= 300
    found = {name: public_files.outcome(folder / name) for name in expected}
    assert found == expected
