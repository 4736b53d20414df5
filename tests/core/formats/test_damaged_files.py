# SPDX-License-Identifier: GPL-3.0-or-later
"""Damaged files: readers raise ValueError, or read what is there.

tests/soak/files.py reads more of them.
"""

import io
import itertools
import struct
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import PIL.Image
import pyproj
import pytest

from terrain_addon.core import formats
from terrain_addon.core.formats.samples import ANYWAY
from tests.core.formats import hostile_files as hostile
from tests.core.formats.test_geotiff import DATA, geo, real, written
from tests.core.formats.test_grids import FLT, hgt, png

KEYS = ((1024, 1), (1025, 2), (3072, 32632), (3076, 9001))
ASC = FLT.replace("131", "40").replace("103", "30")
ESRI = (
    "BYTEORDER I\nLAYOUT BIL\nNCOLS {}\nNROWS {}\nNBANDS 1\nNBITS 16\nPIXELTYPE SIGNEDINT\n"
    "ULXMAP 500000\nULYMAP 5200000\nXDIM 30\nYDIM 30\nNODATA -9999\n"
)
ENVI = (
    "ENVI\nsamples = {}\nlines = {}\nbands = 1\ndata type = 2\nbyte order = 0\n"
    "map info = {{UTM, 1, 1, 500000, 5200000, 30, 30, 32, North, WGS-84}}\n"
)
WORDS = [
    *b"nan inf -inf 1e400 1e-400 0x10 1_000 - # \0 \x1a 0 -1 99999999999999999999 e . null".split(
        b" "
    ),
    *(b"true", b"[", b"{", b'"', b"\n", b"\r", b" ", b"9" * 400, b"[" * 5000),
]
FEW = 60
"""Changes of each file in the test suite."""


def samples(folder: Path) -> Iterator[tuple[str, bytes, bytes]]:
    """Name, contents, and for float grids the header, of files of all formats."""
    height = real(30, 40)
    for path in DATA.glob("*.tif"):
        yield path.name, path.read_bytes(), b""
    for codec, big in itertools.product((None, "zlib", "lzw", "packbits"), (False, True)):
        path = written(
            folder / "made.tif", height.astype(np.int16), compression=codec, bigtiff=big,
            rowsperstrip=8, extratags=geo(keys=KEYS),
        )  # fmt: skip
        yield f"{codec}_{big}.tif", path.read_bytes(), b""
    np.save(folder / "made.npy", height)
    yield "land.npy", (folder / "made.npy").read_bytes(), b""
    rows = "\n".join(" ".join(f"{one:g}" for one in row) for row in height)
    yield "land.asc", (ASC + rows + "\n").encode(), b""
    yield "land.flt", height.tobytes(), ASC.encode()
    yield "land.raw", real(64, 64).astype("<u2").tobytes(), b""
    yield "filters.png", png(height, [0, 1, 2, 3, 4]), b""
    for suffix in (".exr", ".tif"):
        formats.write(folder / f"own{suffix}", formats.HeightRows(height.shape, [height]))
        yield f"own{suffix}", (folder / f"own{suffix}").read_bytes(), b""
    PIL.Image.fromarray(height.astype(np.uint8)).save(folder / "made.png")
    yield "gray.png", (folder / "made.png").read_bytes(), b""
    yield from tables(height)
    yield "land.dt0", dted(height), b""
    yield from placed(height)


def placed(height: np.ndarray) -> Iterator[tuple[str, bytes, bytes]]:
    """Files whose places and systems stand beside them; the name begins with the kind of those."""
    rows, columns = height.shape
    gray = png(height, [0, 1, 2, 3, 4])
    yield "world.png", gray, b"30\n0\n0\n-30\n500015\n5200015\n"
    yield (
        "aux.png",
        gray,
        (
            b"<PAMDataset><SRS>EPSG:32632</SRS><GeoTransform>500000, 30, 0, 5200000, 0, -30"
            b"</GeoTransform><PAMRasterBand band='1'><NoDataValue>-9999</NoDataValue>"
            b"<Offset>5</Offset><Scale>0.1</Scale><UnitType>ft</UnitType></PAMRasterBand></PAMDataset>"
        ),
    )
    points = "".join(
        f"<GCP Pixel='{x}' Line='{y}' X='{500000 + 30 * x}' Y='{5200000 - 30 * y}'/>"
        for x in (0, columns) for y in (0, rows)
    )  # fmt: skip
    yield "aux_points.png", gray, f"<PAMDataset><GCPList>{points}</GCPList></PAMDataset>".encode()
    text = (ASC + "\n".join(" ".join(f"{one:g}" for one in row) for row in height)).encode()
    for code, version in ((2263, "WKT1_ESRI"), (4326, "WKT1_GDAL"), (3857, "WKT2_2019")):
        yield f"prj{code}.asc", text, pyproj.CRS(code).to_wkt(version).encode()
    old = b"Projection TRANSVERSE\nUnits FEET\nZunits METERS\nParameters\n"
    yield "prj_old.asc", text, old + b"0.9996\n9 0 0.0\n0 0 0.0\n500000\n0\n"
    yield "prj_text.asc", text, b"+proj=utm +zone=32 +ellps=GRS80 +units=m +vunits=ft"


def tables(height: np.ndarray) -> Iterator[tuple[str, bytes, bytes]]:
    """Points as text, binary grids with both kinds of headers, colors, and archives."""
    rows, columns = height.shape
    points = [f"{i * 30},{j * 30},{height[j, i]:g}" for j in range(rows) for i in range(columns)]
    yield "land.xyz", ("x,y,z\n" + "\n".join(points) + "\n").encode(), b""
    yield "plain.xyz", "\n".join(points).replace(",", " ").encode(), b""
    numbers = height.astype("<i2").tobytes()
    yield "land.bil", numbers, (ESRI.format(columns, rows)).encode()
    yield "land.img", numbers, (ENVI.format(columns, rows)).encode()
    number = np.round((height + 10_000) * 10).astype(np.int64)
    colors = np.stack([number >> 16, (number >> 8) & 255, number & 255], -1).astype(np.uint8)
    lines = np.zeros((rows, 1 + 3 * columns), np.uint8)
    lines[:, 1:] = colors.reshape(rows, -1)
    yield (
        "colors.png",
        hostile.png(columns, rows, zlib.compress(lines.tobytes()), depth=8, kind=2),
        b"",
    )
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("data/land.bil", numbers)
        archive.writestr("data/land.hdr", ESRI.format(columns, rows))
    yield "land.zip", packed.getvalue(), b""


def dted(height: np.ndarray) -> bytes:
    """A tile of DTED, by its specification."""
    rows, columns = height.shape
    label = f"UHL10070000E0460000N03000300{'':19}{columns:04d}{rows:04d}0".encode().ljust(80)
    out = label + b" " * 144 + b"WGS84".ljust(504) + b" " * 2700
    for number, column in enumerate(height.T[:, ::-1].astype(">i2")):
        record = bytes([0xAA]) + struct.pack(">I", number)[1:] + struct.pack(">HH", number, 0)
        record += column.tobytes()
        out += record + sum(record).to_bytes(4, "big")
    return out


def changed(data: bytes, rng: np.random.Generator) -> bytes:
    """The bytes with one to eight changes, more of them in the first kilobyte."""
    out = bytearray(data)
    for _ in range(rng.integers(1, 9)):
        if not out:
            break
        reach = len(out) if rng.random() < 0.4 else min(len(out), 1024)
        place = int(rng.integers(reach))
        kind = rng.integers(6)
        if kind == 0:
            out[place] = int(rng.integers(256))
        elif kind == 1:
            out[place] ^= 1 << int(rng.integers(8))
        elif kind == 2:
            numbers = (0, 1, 127, 255, 2**15, 2**16 - 1, 2**31 - 1, 2**32 - 1, 2**63 - 1)
            number = numbers[int(rng.integers(len(numbers)))]
            size = int(rng.choice((2, 4, 8)))
            out[place : place + size] = (number % 256**size).to_bytes(size, "little")
        elif kind == 3:
            del out[place : place + int(rng.integers(1, 9))]
        elif kind == 4:
            out[place:place] = out[place : place + int(rng.integers(1, 40))]
        elif rng.random() < 0.2:
            del out[place:]
    return bytes(out)


def reworded(data: bytes, rng: np.random.Generator) -> bytes:
    """A text with a few words put in, taken out or doubled."""
    for _ in range(rng.integers(1, 4)):
        place = int(rng.integers(len(data) + 1))
        other = int(rng.integers(len(data) + 1))
        word = WORDS[int(rng.integers(len(WORDS)))]
        end = place + int(rng.integers(9))
        data = (
            data[:place] + word + data[place:],
            data[:place] + word + data[end:],
            data[:place] + data[end:],
            data[:place] + data[other : other + 20] + data[place:],
        )[int(rng.integers(4))]
    return data


def resealed(data: bytes) -> bytes:
    """A PNG file with the checksums of its changed chunks, so that what they hold is read."""
    out, place = bytearray(data[:8]), 8
    while place + 12 <= len(data):
        length = int.from_bytes(data[place : place + 4], "big")
        chunk = data[place + 4 : place + 8 + length]
        out += data[place : place + 4] + chunk + zlib.crc32(chunk).to_bytes(4, "big")
        place += 12 + length
    return bytes(out)


def beside(path: Path) -> Path:
    """The file beside one that says more about it."""
    endings = {"world": ".pgw", "prj": ".prj", "aux": f"{path.suffix}.aux.xml"}
    found = (ending for kind, ending in endings.items() if path.name.startswith(kind))
    return path.with_suffix(next(found, ".hdr"))


def attempt(
    folder: Path,
    name: str,
    data: bytes,
    header: bytes,
    rng: np.random.Generator,
    how: formats.RawLayout | None = None,
) -> str:
    """Change and read a file: what came of it. Any other exception than ValueError goes on."""
    path = folder / name
    if header and rng.random() < 0.6:
        header = (reworded if rng.random() < 0.5 else changed)(header, rng)
    else:
        data = changed(data, rng)
    if name.endswith("png") and rng.random() < 0.8:
        data = resealed(data)
    path.write_bytes(data)
    if header:
        beside(path).write_bytes(header)
    return reading(path, how)


def reading(
    path: Path, how: formats.RawLayout | None = None, stated: formats.Stated | None = None
) -> str:
    """Read a file: what came of it."""
    size = path.stat().st_size
    refusal = ""
    try:
        model = formats.read(path, how, stated=stated)
    except ValueError as error:
        refusal = str(error)
    else:
        assert model.height.dtype == np.float32 and not np.isinf(model.height).any()
        assert model.height.size * 4 <= max(2 * ANYWAY, 1100 * size)
        return "read"
    assert refusal.startswith(path.name) and len(refusal) < 400, refusal
    return "refused"


@pytest.mark.slow
@pytest.mark.filterwarnings("error")
def test_changed_files_are_read_or_refused(tmp_path):
    rng = np.random.default_rng(25)
    found = Counter(
        attempt(tmp_path, name, data, header, rng)
        for name, data, header in samples(tmp_path)
        for _ in range(FEW)
    )
    assert min(found["read"], found["refused"]) > 100, found


@pytest.mark.filterwarnings("error")
def test_tiles_of_srtm_of_any_contents_are_read(tmp_path):
    rng = np.random.default_rng(25)
    path = tmp_path / "N00E000.hgt"
    path.write_bytes(rng.bytes(2 * 1201**2))
    assert formats.read(path).height.shape == (1201, 1201)
    path.write_bytes(hgt(1201).tobytes()[:-1])
    with pytest.raises(ValueError, match=r"^N00E000\.hgt: an SRTM tile has"):
        formats.read(path)


@pytest.mark.parametrize("place", [2**44 + 1, 2**63 - 1, 2**63, 2**64 - 1])
def test_blocks_at_places_that_no_file_has_are_refused(tmp_path, place):
    """The system refuses to seek there."""
    height = real(30, 40)
    exr = tmp_path / "far.exr"
    formats.write(exr, formats.HeightRows(height.shape, [height]))
    data = bytearray(exr.read_bytes())
    table = 16  # bytes: two blocks of 16 rows each, the first one behind it
    (at,) = (n for n in range(400) if int.from_bytes(data[n : n + 8], "little") == n + table)
    data[at : at + 8] = place.to_bytes(8, "little")
    exr.write_bytes(data)
    with pytest.raises(ValueError, match=r"^far\.exr: this is not a complete OpenEXR file"):
        formats.read(exr)
    tif = written(tmp_path / "far.tif", height, bigtiff=True, rowsperstrip=30)
    data = bytearray(tif.read_bytes())
    entry = struct.pack("<HHQ", 273, 16, 1)  # StripOffsets, one number of 64 bits
    at = data.index(entry) + len(entry)
    data[at : at + 8] = place.to_bytes(8, "little")
    tif.write_bytes(data)
    with pytest.raises(ValueError, match=r"^far\.tif: this is not a complete TIFF file"):
        formats.read(tif)
