# SPDX-License-Identifier: GPL-3.0-or-later
"""Files that say or expand to more than they hold take bounded memory and work, or are refused."""

import itertools
import tracemalloc
import zlib

import numpy as np
import PIL.Image
import pytest

from terrain_addon.core import formats
from terrain_addon.core.formats import samples
from terrain_addon.core.formats.geotiff import blocks, compression, lzw
from terrain_addon.core.numerics.progress import Cancelled
from tests.core.formats import hostile_files as hostile
from tests.core.formats.test_geotiff import real, written
from tests.core.formats.test_grids import hgt, png as filtered

MIB = 1 << 20
DOUBLES = {"columns": 2048, "rows": 1536, "bits": 64, "kind": 3}
"""A TIFF file of 24 MiB in one strip, and 12 MiB of heights."""
SIX = [(name, "f4") for name in "ABCDEY"]


def npy_header(shape, by_columns=False, code="<f8"):
    text = f"{{'descr': '{code}', 'fortran_order': {by_columns}, 'shape': {shape}, }}".ljust(117)
    return b"\x93NUMPY\x01\0" + (118).to_bytes(2, "little") + text.encode() + b"\n"


def asc(columns, rows):
    return f"ncols {columns}\nnrows {rows}\nxllcorner 0\nyllcorner 0\ncellsize 30\n".encode()


BOMBS = {
    "lzw.tif": lambda: hostile.tiff(1024, 1024, hostile.lzw_zeros(60), compression=5),
    "strip.tif": lambda: hostile.tiff(
        **DOUBLES, data=hostile.deflated(24 * MIB), compression=8
    ),
    "packbits.tif": lambda: hostile.tiff(
        **DOUBLES, data=b"\x81\0" * (24 * MIB // 128), compression=32773
    ),
    "wide.exr": lambda: hostile.exr(
        1 << 22, 1, SIX, 2, [hostile.deflated(24 << 22)]
    ),
    "alpha.png": lambda: hostile.png(
        1 << 21, 8, zlib.compress((b"\0" + bytes(4 << 21)) * 8, 1), kind=4
    ),
}  # fmt: skip
SPARSE = {
    "plain.tif": (lambda: hostile.tiff(**DOUBLES, data=b"", counts=24 * MIB), 25 * MIB),
    "rows.npy": (lambda: npy_header((2048, 1536)), 25 * MIB),
    "columns.npy": (lambda: npy_header((2048, 1536), True), 25 * MIB),
    "floats.raw": (bytes, 25 * MIB),
}
"""Beginnings of files, and their sizes: what follows takes no room on the disk."""
LARGE = ("lzw.tif", "alpha.png")
"""Files of which codes or rows take most of the memory that a reader may take."""


def made(folder, name):
    path = folder / name
    if name in BOMBS:
        path.write_bytes(BOMBS[name]())
        return path
    begin, size = SPARSE[name]
    with path.open("wb") as file:
        file.write(begin())
        file.truncate(size)
    return path


@pytest.mark.parametrize("name", [*BOMBS, *SPARSE])
def test_a_reader_takes_little_memory_beside_the_heights(tmp_path, name):
    path = made(tmp_path, name)
    layout = formats.RawLayout(2560, 2560, 32, "little", "f") if name.endswith("raw") else None
    tracemalloc.start()
    try:
        height = formats.read(path, layout).height
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    most = samples.ANYWAY if name in LARGE else 16 * MIB
    assert peak - height.nbytes < most, f"{(peak - height.nbytes) / MIB:.0f} MiB"
    assert np.array_equal(height, np.full_like(height, height[0, 0]), equal_nan=True)


REFUSED = {
    "many.tif": (lambda: hostile.tiff(1, 70_000, zlib.compress(b"\1"), compression=8, strip=1),
                 "70000 blocks are too many"),
    "tiles.tif": (lambda: hostile.tiff(1, 4096, hostile.deflated(16 * MIB), compression=8,
                                       tile=(16, MIB)), "would be decompressed"),
    "row.tif": (lambda: hostile.tiff(9 * MIB, 1, hostile.deflated(9 * MIB), compression=8),
                "rows of 9437184 bytes are longer"),
    "row.png": (lambda: hostile.png(5 * MIB, 1, hostile.deflated(10 * MIB + 1)),
                "rows of 10485760 bytes are longer"),
    "chunks.png": (lambda: hostile.png(2, 2, zlib.compress(bytes(10)),
                                       between=hostile.chunk(b"tEXt", b"") * 10_001),
                   "too many chunks"),
    "channels.exr": (lambda: hostile.exr(2000, 1, [(f"c{k}", "f4") for k in range(9000)], 3,
                                         [hostile.deflated(9000 * 8000)]), "would be decompressed"),
    "many.exr": (lambda: hostile.exr_header(1, 70_000, [("Y", "f4")], 2) + bytes(8 * 70_000),
                 "70000 blocks are too many"),
    "far.exr": (lambda: hostile.exr_header(1, 1, [("Y", "f4")], 2) + b"\xff" * 8, "cut off"),
    "spaces.asc": (lambda: asc(1, 1) + b"1" + b" " * (2 * MIB), "too long for 1 x 1 heights"),
    "lines.asc": (lambda: b"\n" * 2000 + asc(1, 1) + b"1\n", "no rows"),
    "digits.asc": (lambda: asc(1, 1) + b"1" * 1_000_000 + b"\n", "more than numbers"),
    "header.npy": (lambda: b"\x93NUMPY\x02\0" + (2 * MIB).to_bytes(4, "little") + b" " * 3 * MIB,
                   "not a complete .npy file"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_what_takes_too_much_work_is_refused_before_it_is_done(tmp_path, name):
    make, message = REFUSED[name]
    path = tmp_path / name
    path.write_bytes(make())
    asked = []
    tracemalloc.start()
    try:
        with pytest.raises(ValueError, match=rf"^{name}: .*{message}"):
            formats.read(path, cancelled=lambda: bool(asked.append(1)))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert len(asked) < 20 and peak < 16 * MIB


def test_the_ratio_of_deflate_bounds_the_samples_of_a_file(tmp_path):
    """A block that is left out takes no bytes: nothing else bounds the samples of such a file."""
    path = tmp_path / "left_out.tif"
    small = hostile.tiff(4000, 4000, b"", bits=32, kind=3, counts=0)
    path.write_bytes(small)
    assert formats.read(path).height.shape == (4000, 4000)
    file = hostile.tiff(4200, 4200, b"", bits=32, kind=3, counts=0)
    enough = -(-4 * 4200 * 4200 // samples.MOST_RATIO)
    path.write_bytes(file.ljust(enough - 1, b"\0"))
    with pytest.raises(ValueError, match=f"{enough - 1} bytes cannot hold 4200 x 4200 samples"):
        formats.read(path)
    path.write_bytes(file.ljust(enough, b"\0"))
    assert formats.read(path).height.shape == (4200, 4200)
    assert 1032 < samples.MOST_RATIO < 1200  # zlib's ratio


@pytest.mark.parametrize("size", [256, 1 << 16])
def test_no_more_strings_of_lzw_are_written_than_are_wanted(tmp_path, monkeypatch, size):
    """Also if a block of a few bytes has codes for more."""
    written_bytes = []
    write = lzw._write
    monkeypatch.setattr(lzw, "_write", lambda out, *args: (written_bytes.append(out.size),
                                                           write(out, *args)))  # fmt: skip
    data = hostile.lzw_zeros(1)[: 2 * size]
    path = tmp_path / "blocks.tif"
    path.write_bytes(hostile.tiff(size, 64, data, compression=5, strip=1))
    assert not formats.read(path).height.any()
    assert sum(written_bytes) < 1.5 * 64 * size


@pytest.mark.parametrize("filters", [[1], [2], [3], [4], [4, 3, 2, 1, 0]])
@pytest.mark.parametrize("shape", [(1, 3000), (3000, 1), (5, 2000), (70, 70)])
def test_thin_images_of_any_filter_are_read_in_few_steps(tmp_path, filters, shape):
    values = np.random.default_rng(1).integers(0, 65536, shape).astype(np.uint16)
    path = tmp_path / "thin.png"
    path.write_bytes(filtered(values, filters))
    asked = []
    model = formats.read(path, cancelled=lambda: bool(asked.append(1)))
    np.testing.assert_array_equal(model.height[::-1], values.astype(np.float32))
    assert len(asked) < 200  # one a diagonal, or one a piece


def test_the_gray_of_an_image_is_read_where_its_alpha_is_not_zero(tmp_path):
    values = np.random.default_rng(1).integers(0, 256, (90, 80, 2)).astype(np.uint8)
    PIL.Image.fromarray(values, "LA").save(tmp_path / "land.png")
    height = formats.read(tmp_path / "land.png").height
    gray = np.where(values[..., 1] > 0, values[..., 0], np.nan)
    np.testing.assert_array_equal(height[::-1], gray.astype(np.float32))
    assert np.isnan(height).any()


@pytest.mark.parametrize("codec", [None, "zlib", "lzw", "packbits"])
@pytest.mark.parametrize("code", ["u1", "i2", "f4", "f8"])
def test_a_large_strip_is_read_in_parts(tmp_path, monkeypatch, codec, code):
    monkeypatch.setattr(blocks, "BATCH", 1000)
    monkeypatch.setattr(lzw, "GROUP", 1000)
    monkeypatch.setattr(lzw, "WRITTEN", 1000)
    monkeypatch.setattr(compression, "PIECE", 300)
    monkeypatch.setattr(lzw, "PIECE", 8000)
    values = np.random.default_rng(1).normal(size=(103, 131)).cumsum(1) + real()
    values = (values % 256 if code == "u1" else values).astype(code)
    predictors = [1] if codec in (None, "packbits") else [1, 3 if code[0] == "f" else 2]
    for predictor, order in itertools.product(predictors, "<>"):
        options = {"predictor": predictor} if predictor > 1 else {}
        path = written(tmp_path / "dem.tif", values, compression=codec, byteorder=order, **options)
        height = formats.read(path).height
        np.testing.assert_array_equal(height[::-1], values.astype(np.float32))


@pytest.mark.parametrize("compression", [0, 2, 3])
@pytest.mark.parametrize("wanted", ["u4", "f2", "f4"])
@pytest.mark.parametrize(("piece", "shape"), [(30, (33, 21)), (MIB, (33, 21)), (MIB, (2, 70_001))])
def test_a_channel_among_others_is_read_in_parts(
    tmp_path, monkeypatch, compression, wanted, piece, shape
):
    monkeypatch.setattr("terrain_addon.core.formats.exr.PIECE", piece)
    rng = np.random.default_rng(1)
    rows, columns = shape
    channels = [("B", "f2"), ("Y", wanted), ("Z", "f4")]
    parts = [(rng.random(shape) * 1000).astype(f"<{code}") for _, code in channels]
    plain = [b"".join(part[row].tobytes() for part in parts) for row in range(rows)]
    lines = 16 if compression == 3 else 1
    blocks = [b"".join(plain[row : row + lines]) for row in range(0, rows, lines)]
    if compression:
        blocks = [min(block, hostile.exr_block(block), key=len) for block in blocks]
    path = tmp_path / "land.exr"
    path.write_bytes(hostile.exr(columns, rows, channels, compression, blocks))
    height = formats.read(path).height
    np.testing.assert_array_equal(height[::-1], parts[1].astype(np.float32))


def test_the_first_of_two_equal_tags_counts(tmp_path):
    path = tmp_path / "twice.tif"
    file = hostile.tiff(3, 2, bytes(range(6)))
    width, length = file.find(b"\x00\x01\x04\x00"), file.find(b"\x01\x01\x04\x00")
    photometric = file.find(b"\x06\x01\x04\x00")
    assert 0 < width < length < photometric
    path.write_bytes(file[:photometric] + b"\0\1" + file[photometric + 2 :])  # a width of 1
    np.testing.assert_array_equal(formats.read(path).height, [[3, 4, 5], [0, 1, 2]])


def whole_files(folder):
    """A file of each format, of half a million samples or more."""
    height = np.resize(real(300, 300), (800, 800))
    for codec in (None, "zlib", "lzw", "packbits"):
        yield written(folder / f"{codec}.tif", height, compression=codec)
    for suffix in (".exr", ".tif", ".npy", ".r16"):
        formats.write(folder / f"own{suffix}", formats.HeightRows(height.shape, [height]))
        yield folder / f"own{suffix}"
    (folder / "N01E001.hgt").write_bytes(hgt(1201).tobytes())
    yield folder / "N01E001.hgt"
    (folder / "land.flt").write_bytes(height.astype("<f4").tobytes())
    (folder / "land.hdr").write_bytes(asc(800, 800))
    yield folder / "land.flt"
    (folder / "land.asc").write_bytes(asc(1000, 600) + b"1 " * 600_000)
    yield folder / "land.asc"
    PIL.Image.fromarray(height.astype(np.uint16)).save(folder / "land.png")
    yield folder / "land.png"


def test_reading_is_cancelled_within_bounded_work(tmp_path):
    for path in whole_files(tmp_path):
        asked = []
        formats.read(path, cancelled=lambda: bool(asked.append(1)))  # noqa: B023  # called here
        assert len(asked) >= 2, path.name
        left = iter([False] * (len(asked) - 1))
        with pytest.raises(Cancelled):
            formats.read(path, cancelled=lambda: next(left, True))  # noqa: B023
