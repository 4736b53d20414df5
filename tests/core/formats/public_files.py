# SPDX-License-Identifier: GPL-3.0-or-later
"""Files that packages of PyPI hold, read as rasterio reads them or refused.

python -m tests.core.formats.public_files    write what comes of each file to public_files.txt

A line of public_files.txt names a file in a package and what comes of it: ``equal`` to what
rasterio reads, ``alone`` where rasterio refuses it, or ``refused``.
"""

import hashlib
import tarfile
import urllib.request
import warnings
from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np
import rasterio

from terrain_addon.core import formats
from tests.environments import CACHE

LIST = Path(__file__).with_suffix(".txt")
HOST = "https://files.pythonhosted.org/packages/"
PACKAGES = {
    "landlab-2.11.0": (
        "b5/83/fa042b06faf49a316c21ab6726f11ee5b86c1549a83be622ebe85dd4e056/landlab-2.11.0.tar.gz",
        "147443e5f763c0f30d0a749aee078a95755d639cd9f1da5ef1e13bc4bd0334c4",
    ),
    "pillow-13.0.0": (
        "ce/a4/9cc30690a394a8305e8be4c9036aa16d0dfddadd09079860b582f562496d/pillow-13.0.0.tar.gz",
        "cdcd1ba258178f7356d74170c9a81ba4eab6a5d55748bc402a5a2a6fe6be3510",
    ),
    "scikit_image-0.26.0": (
        "a1/b4/2528bb43c67d48053a7a649a9666432dc307d66ba02e3a6d5c40f46655df/"
        "scikit_image-0.26.0.tar.gz",
        "f5f970ab04efad85c24714321fcc91613fcb64ef2a892a13167df2f3e59199fa",
    ),
    "xarray_spatial-0.5.3": (
        "a8/ae/8501c1a111423be48cf67406e6bf4ae0258109f3c03e27e10d6768a36185/"
        "xarray_spatial-0.5.3.tar.gz",
        "2563f5fb00acb61065cf534af572290b4f91f134c0dcaaf84c93a4a37113ebed",
    ),
}
"""Addresses and checksums of sources by their names."""
GRAY = (b"\0", b"\4")
"""Color types of PNG."""
KINDS = (".tif", ".tiff", ".asc", ".png")
COLOR_STEP = 3
"""Of PNG images with colors every third, so that the list has some 300 files."""


def unpacked(packages: Mapping[str, tuple[str, str]] = PACKAGES) -> Path:
    """The folder of all packages, downloaded once; OSError where they cannot be had."""
    folder = CACHE / "public_files"
    for name, (address, checksum) in packages.items():
        if (folder / name).is_dir():
            continue
        folder.mkdir(parents=True, exist_ok=True)
        archive = folder / f"{name}.tar.gz"
        with urllib.request.urlopen(HOST + address, timeout=60) as answer:
            data = answer.read()
        assert hashlib.sha256(data).hexdigest() == checksum, name
        archive.write_bytes(data)
        with tarfile.open(archive) as file:
            file.extractall(folder / f"{name}.new", filter="data")
        archive.unlink()
        (folder / f"{name}.new" / name).rename(folder / name)
        (folder / f"{name}.new").rmdir()
    return folder


def outcome(path: Path) -> str:
    """Read a file twice; AssertionError where the two readers differ."""
    try:
        model = formats.read(path)
    except ValueError as error:
        named = str(error).startswith(path.name)
        return "refused" if named else f"refused without its name: {error}"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", rasterio.errors.NotGeoreferencedWarning)
        try:
            with rasterio.open(path) as file:
                _compare(model, file)
        except rasterio.errors.RasterioIOError:
            return "alone"
    return "equal"


def _compare(model, file):
    """Size, values, voids and place."""
    with np.errstate(over="ignore"):
        values = file.read(1).astype(np.float32)
    assert model.height.shape == values.shape
    void = (file.read_masks(1) == 0) | ~np.isfinite(values)
    marks = model.voids[::-1] & ~void
    assert not marks.any() or np.unique(values[marks]).size == 1  # an undeclared mark
    factor, offset = file.scales[0], file.offsets[0]
    expected = np.where(void | marks, np.nan, values * np.float32(factor) + np.float32(offset))
    np.testing.assert_array_equal(model.height[::-1], expected)
    if model.georeference is not None and not file.transform.is_identity:
        corner = file.transform * (0.5, file.height - 0.5)
        np.testing.assert_allclose(model.georeference.at(0, 0), corner, rtol=1e-9, atol=1e-6)


def listed() -> Iterator[tuple[str, str]]:
    """Names of files below the folder, and what comes of each."""
    for line in LIST.read_text(encoding="utf-8").splitlines():
        result, _, name = line.partition(" ")
        yield name, result


def main() -> None:
    folder = unpacked()
    paths = sorted(one for name in PACKAGES for one in (folder / name).rglob("*") if one.is_file())
    chosen = [one for one in paths if one.suffix in KINDS]
    colors = {one for one in chosen if one.suffix == ".png" and one.read_bytes()[25:26] not in GRAY}
    lines = []
    for path in sorted([*set(chosen) - colors, *sorted(colors)[::COLOR_STEP]]):
        try:
            result = outcome(path)
        except AssertionError as error:
            result = "DIFFERS"
            print(path.relative_to(folder), str(error)[:300])
        lines.append(f"{result} {path.relative_to(folder).as_posix()}")
    LIST.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(len(lines))


if __name__ == "__main__":
    main()
