# SPDX-License-Identifier: GPL-3.0-or-later
"""What the zip holds, and that Blender's own validation guards it."""

import re
import shutil
import subprocess
import tomllib
import zipfile
from pathlib import Path

import pytest

from tests.package.build import ROOT, BuildError, build


def test_it_is_named_after_the_manifest(package: Path) -> None:
    manifest = tomllib.loads((ROOT / "blender_manifest.toml").read_text(encoding="utf-8"))
    assert package.name == f"{manifest['id']}-{manifest['version']}.zip"


def test_it_holds_the_extension_and_nothing_else(package: Path, tmp_path: Path) -> None:
    source = _copy_of_committed_files(tmp_path / "source")
    with zipfile.ZipFile(build(tmp_path / "out", source)) as archive:
        packed = {name for name in archive.namelist() if not name.endswith("/")}
    expected = {"blender_manifest.toml", "__init__.py", "LICENSE"} | {
        path.relative_to(source).as_posix()
        for path in (source / "terrain_addon").rglob("*")
        if path.is_file()
    }
    assert packed == expected


def test_it_brings_a_manual_whose_links_lead_somewhere(package: Path) -> None:
    with zipfile.ZipFile(package) as archive:
        names = set(archive.namelist())
        pages = {
            Path(name).name: archive.read(name).decode()
            for name in names
            if name.startswith("terrain_addon/manual/") and name.endswith(".html")
        }
    assert {"user-guide.html", "reference.html", "erosion.html"} <= set(pages)
    for page, text in pages.items():
        for address in re.findall(r'(?:href|src)="([^"]+)"', text):
            target, _, heading = address.partition("#")
            if target.startswith("../"):
                assert f"terrain_addon/{target.removeprefix('../')}" in names, (page, address)
            elif not target.startswith("https://"):
                assert f'id="{heading}"' in pages[target or page] or not heading, (page, address)


def test_caches_and_dot_files_stay_out(tmp_path: Path) -> None:
    source = _copy_of_committed_files(tmp_path / "source")
    for litter in ("terrain_addon/__pycache__/a.pyc", ".secret", "terrain_addon/.b", "build/c.zip"):
        path = source / litter
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"litter")
    with zipfile.ZipFile(build(tmp_path / "out", source)) as archive:
        names = archive.namelist()
    assert not [name for name in names if "pycache" in name or "/." in f"/{name}"]
    assert not [name for name in names if name.startswith("build")]


@pytest.mark.parametrize(
    ("valid", "invalid"), [('"Add Mesh"', '"Nonsense"'), ('"2026 Orogen', '"Orogen')]
)
def test_an_invalid_manifest_is_refused(tmp_path: Path, valid: str, invalid: str) -> None:
    source = _copy_of_committed_files(tmp_path / "source")
    manifest = source / "blender_manifest.toml"
    text = manifest.read_text(encoding="utf-8")
    assert valid in text
    manifest.write_text(text.replace(valid, invalid), encoding="utf-8")
    with pytest.raises(BuildError):
        build(tmp_path / "out", source)


def _copy_of_committed_files(target: Path) -> Path:
    """Copy what git tracks, so that litter in the working tree has no say."""
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).is_file():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, target / name)
    return target
