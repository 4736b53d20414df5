# SPDX-License-Identifier: GPL-3.0-or-later
"""The zip, built once by the Blender that runs the tests."""

from pathlib import Path

import pytest

from tests.package.build import build


@pytest.fixture(scope="session")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The extension's zip."""
    return build(tmp_path_factory.mktemp("package"))
