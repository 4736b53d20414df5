# SPDX-License-Identifier: GPL-3.0-or-later
"""Exports for engines: files lead back to meters, and an older export stays whole on failure."""

import dataclasses
import errno
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings as quick, strategies as st

from terrain_addon.command_line import main
from terrain_addon.core import Cancelled, FractalNoise, Levels, Recipe, evaluate, formats
from terrain_addon.core.output.engines import ENGINES
from terrain_addon.core.output.exports import ExportSettings, export, extent_of
from tests.core.output import engine_readers

RECIPE = Recipe(size_x=1200.0, size_y=800.0, layers=(FractalNoise(height=150.0, octaves=4),))
SQUARE = Recipe(size_x=640.0, size_y=640.0, layers=RECIPE.layers)
SMALL = {"unreal": 127, "unity": 33, "terrain3d": 64, "hterrain": 65}


def settings_of(key: str, **others) -> ExportSettings:
    size = SMALL.get(key, 50)
    return ExportSettings(engine=key, **{"size": size, "color": False, "normal": False} | others)


def pairs() -> list[tuple[str, str]]:
    return [(key, suffix) for key, one in ENGINES.items() for suffix in one.suffixes]


@pytest.mark.parametrize(("key", "suffix"), pairs())
@quick(max_examples=4, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_files_of_each_engine_are_within_half_a_step(
    key: str, suffix: str, tmp_path: Path, data: st.DataObject
):
    """By readers of others and by the numbers of the manifest, over ranges, sizes and tiles."""
    height = data.draw(st.sampled_from([0.01, 3.0, 900.0, 8848.0]))
    offset = data.draw(st.sampled_from([0.0, -400.0, 5000.0]))
    columns, rows = data.draw(st.sampled_from([(1, 1), (2, 2), (2, 1), (3, 2)]))
    sizes = [127, 253] if key == "unreal" else [33, 65, 129] if key == "unity" else [65, 129]
    if key == "terrain3d":
        sizes = [65, 129] if columns * rows > 1 else [64, 128, 129]
    elif ENGINES[key].rectangular and key != "unreal":
        sizes = [2, 31, 100]
    levels = Levels(input_min=-1.0, input_max=1.0, output_min=offset, output_max=offset + height)
    layers = (FractalNoise(height=1.0, octaves=3), levels)
    recipe = Recipe(size_x=columns * 600.0, size_y=rows * 600.0, layers=layers)
    about = ExportSettings(
        engine=key,
        size=data.draw(st.sampled_from(sizes)),
        tiles_x=columns,
        tiles_y=rows,
        height=suffix[1:],
        color=False,
        normal=False,
    )
    done = export(recipe, about, tmp_path / "out")
    found = engine_readers.whole(done.folder, done.manifest)
    terrain = evaluate(recipe, recipe.grid(tuple(done.manifest["points"])))
    error = float(np.abs(found - terrain.height).max())
    assert error <= done.verification.half_step * 1.001 + 1e-8
    assert done.verification.error == pytest.approx(error, rel=1e-3, abs=1e-9)
    assert json.loads((done.folder / "manifest.json").read_text()) == done.manifest


@pytest.mark.parametrize(
    ("size", "tiles", "others", "message"),
    [
        (1000, (1, 1), {"engine": "unreal"}, "not 1000: the nearest is 1009"),
        (1000, (1, 1), {"engine": "unity"}, "not 1000: the nearest is 1025"),
        (100, (1, 1), {"engine": "terrain3d"}, "a multiple of 64 samples, not 100: the nearest is"),
        (
            128,
            (2, 1),
            {"engine": "terrain3d"},
            "64 samples and one more, not 128: the nearest is 129",
        ),
        (5000, (1, 1), {"engine": "hterrain"}, "not 5000: the nearest is 4097"),
        (9000, (1, 1), {"engine": "o3de"}, "not 9000: the nearest is 8192"),
        (9000, (1, 1), {"engine": "roblox"}, "not 9000: the nearest is 4096"),
        (1, (1, 1), {"engine": "plain"}, "at least 2 samples"),
        (33, (1, 1), {"engine": "unity", "height": "png"}, "takes heights as .raw, not .png"),
        (33, (1, 1), {"engine": "unity", "name": "hills_3"}, "use 'hills'"),
        (127, (1, 1), {"engine": "unreal", "name": "a4033x4033"}, "use 'a4033-4033'"),
        (127, (1, 1), {"engine": "unreal", "name": "../a"}, "is not a valid file name"),
        (127, (1, 1), {"engine": "unreal", "name": "CON"}, "is not a valid file name"),
        (127, (1, 1), {"engine": "unreal", "masks": ("snow",)}, "No layer of this terrain"),
    ],
)
def test_what_engines_do_not_take_is_refused_with_what_they_do(
    size: int, tiles: tuple[int, int], others: dict, message: str
):
    about = ExportSettings(size=size, tiles_x=tiles[0], tiles_y=tiles[1], **others)
    with pytest.raises(ValueError, match=message):
        extent_of(SQUARE, about)


@pytest.mark.parametrize("tiles", [1, 3])
@pytest.mark.parametrize("key", ENGINES)
def test_every_size_that_is_offered_is_taken(key: str, tiles: int):
    """With numbers of points that the engine computes from what is typed in."""
    engine = ENGINES[key]
    for size in engine.sizes_of(tiles > 1):
        if key == "terrain3d" and tiles * size > 16385:
            continue  # more than it takes in all
        about = ExportSettings(engine=key, size=size, tiles_x=tiles, tiles_y=tiles)
        extent = extent_of(SQUARE, about, -100.0, 900.0)
        assert extent.points == (tiles * (size - 1) + 1,) * 2
        enter = engine.import_settings(extent)
        top, bottom = engine.meters(np.array([65535.0, 0.0]), enter)
        assert (top, bottom) == pytest.approx((900, -100))
        if key == "unreal":
            quads = int(enter["Section Size"].split("x")[0])
            sections = int(enter["Sections Per Component"][0])
            columns, rows = enter["Number of Components"]
            assert (columns * quads * sections + 1, rows * quads * sections + 1) == extent.points
            assert columns * rows <= 1024 * tiles**2
            assert enter["Scale X"] * (extent.points[0] - 1) == pytest.approx(64000, rel=1e-6)
        if key == "unity":
            assert enter["Terrain Width"] * tiles == pytest.approx(640)
        if key == "terrain3d":
            assert size // enter["region_size"] * tiles <= 32
    assert engine.usual in engine.sizes


def test_terrain3d_has_one_spacing():
    for size in (256, 384, 1024):
        extent = extent_of(RECIPE, ExportSettings(engine="terrain3d", size=size))
        assert extent.spacing == pytest.approx((extent.spacing[0],) * 2, rel=0.005)
    assert extent_of(RECIPE, ExportSettings(engine="terrain3d", size=384)).sides == (384, 256)
    with pytest.raises(ValueError, match="has one spacing, but samples are"):
        extent_of(RECIPE, ExportSettings(engine="terrain3d", size=257, tiles_x=2, tiles_y=2))


@given(st.floats(500.0, 50_000.0), st.floats(500.0, 50_000.0), st.sampled_from((256, 1024, 4096)))
def test_terrain3d_takes_terrain_of_any_size_as_one_tile(x: float, y: float, size: int):
    assume(min(x, y) / max(x, y) * size > 110)
    recipe = dataclasses.replace(RECIPE, size_x=x, size_y=y)
    extent = extent_of(recipe, ExportSettings(engine="terrain3d", size=size), 0.0, 100.0)
    enter = ENGINES["terrain3d"].import_settings(extent)
    assert max(extent.sides) == size
    assert enter["r16_size"] == list(extent.sides)
    # The importer places tiles at the corners of regions, and has 32 x 32 of them.
    region = enter["region_size"]
    for place, side in zip("xy", extent.sides, strict=True):
        first = enter[f"import_position {place}"]
        assert first % region == 0
        assert -16 * region <= first and first + side <= 16 * region


def test_rectangles_have_cells_that_are_about_square():
    for key, size, sides in (("unreal", 505, (505, 379)), ("plain", 301, (301, 201))):
        extent = extent_of(RECIPE, ExportSettings(engine=key, size=size))
        assert extent.sides == sides
    assert extent_of(RECIPE, ExportSettings(engine="unity")).sides == (1025, 1025)


def contents(folder: Path) -> dict[str, bytes]:
    return {str(one.relative_to(folder)): one.read_bytes() for one in folder.rglob("*")}


@pytest.mark.parametrize(
    "step", ["KeptTerrain.evaluate", "write_heights", "write_manifest", "check_tile"]
)
def test_an_older_export_stays_whole_when_a_new_one_fails(
    step: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """A full disk at any step leaves the finished files, and nothing beside them."""
    old = export(SQUARE, settings_of("unity"), tmp_path / "out")
    before = contents(old.folder)

    def full(*arguments, **others):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(f"terrain_addon.core.output.exports.exporting.{step}", full)
    with pytest.raises(OSError, match="out could not be written: No space left"):
        export(RECIPE, settings_of("unity"), tmp_path / "out")
    assert contents(old.folder) == before
    assert [one.name for one in tmp_path.iterdir()] == ["out"]


@pytest.mark.skipif(sys.platform == "win32", reason="no limits of processes")
def test_a_limit_of_the_system_is_one_message_and_the_older_export_stays(tmp_path: Path):
    """Files that may not grow: what a quota or a full disk is like, without a mock."""
    most, out = 20_000, str(tmp_path / "out")
    command = ["export", "dunes", "--engine", "unity", "--size", "129", "--out", out]
    assert main([*command, "--seed", "1"]) == 0
    before = contents(tmp_path / "out")
    limited = (
        f"import resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, ({most}, {most})); "
        f"from terrain_addon.command_line import main; sys.exit(main({command!r}))"
    )
    ended = subprocess.run(
        [sys.executable, "-c", limited], capture_output=True, text=True, check=False
    )
    assert ended.returncode == 1
    errors = [line for line in ended.stderr.splitlines() if "File too large" in line]
    assert len(errors) == 1 and "could not be written" in errors[0], ended.stderr
    assert "Traceback" not in ended.stderr
    assert contents(tmp_path / "out") == before
    assert [one.name for one in tmp_path.iterdir()] == ["out"]


UNPRIVILEGED = """
import os, sys
from terrain_addon.command_line import main
command = ["export", "dunes", "--engine", "unity", "--size", "33", "--out"]
assert main([*command, "{closed}/older"]) == 0
os.chmod("{closed}", 0o555)
if not os.geteuid():  # root may write everywhere
    os.seteuid(65534)
    os.chdir("/")
code = main([*command, "{closed}/newer"]) + main([*command, "{closed}/older"])
if not os.getuid():
    os.seteuid(0)
os.chmod("{closed}", 0o700)
sys.exit(code)
"""
"""Exports into a new folder, closes the folder around it, and exports again: beside it, over it."""


@pytest.mark.skipif(sys.platform == "win32", reason="folders have no modes")
def test_a_read_only_folder_is_one_message():
    with tempfile.TemporaryDirectory() as closed:
        script = UNPRIVILEGED.format(closed=closed)
        ended = subprocess.run(
            [sys.executable, "-c", script], capture_output=True, text=True, check=False
        )
        assert ended.returncode == 2, ended.stderr
        assert [line for line in ended.stderr.splitlines() if "orogen:" in line] == [
            f"orogen: {closed}/{name} cannot be written: Permission denied"
            for name in ("newer", "older")
        ]
        assert "Traceback" not in ended.stderr
        assert [one.name for one in Path(closed).iterdir()] == ["older"]
        assert (Path(closed) / "older" / "manifest.json").is_file()


def test_a_cancelled_export_leaves_nothing(tmp_path: Path):
    with pytest.raises(Cancelled):
        export(SQUARE, settings_of("plain"), tmp_path / "out", cancelled=lambda: True)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("suffix", "least"),
    [("raw", lambda stored: stored - 1), ("tif", lambda meters: np.nextafter(meters, 0))],
)
def test_the_least_that_a_damaged_disk_changes_is_noticed(
    suffix: str, least, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    read = formats.read

    def damaged(path, layout=None, **options):
        model = read(path, layout, **options)
        model.height[3] = least(model.height[3])
        return model

    monkeypatch.setattr("terrain_addon.core.output.exports.verification.read", damaged)
    with pytest.raises(OSError, match="what was read back is off by"):
        export(SQUARE, settings_of("plain", height=suffix), tmp_path / "out")
    assert not list(tmp_path.iterdir())


def test_only_earlier_exports_are_replaced(tmp_path: Path):
    """Other files in the folder are refused; what engines put beside files is kept."""
    folder = tmp_path / "out"
    export(SQUARE, settings_of("unity"), folder)
    (folder / "terrain.raw.meta").write_text("guid: 1")
    done = export(RECIPE, settings_of("unity", size=65), folder)
    assert (folder / "terrain.raw.meta").read_text() == "guid: 1"
    assert (folder / "terrain.raw").stat().st_size == 2 * 65 * 65
    assert done.manifest["points"] == [65, 65]
    (folder / "thesis.txt").write_text("years of work")
    before = contents(folder)
    with pytest.raises(ValueError, match="holds other files, such as thesis.txt"):
        export(SQUARE, settings_of("unity"), folder)
    assert contents(folder) == before
    (tmp_path / "file").write_text("")
    with pytest.raises(ValueError, match="is a file: choose a folder"):
        export(SQUARE, settings_of("unity"), tmp_path / "file")


def test_a_range_is_kept_or_refused(tmp_path: Path):
    done = export(SQUARE, settings_of("unity"), tmp_path / "out", range=(-1000.0, 2000.0))
    assert done.manifest["import_settings"]["Terrain Height"] == 3000
    found = engine_readers.whole(done.folder, done.manifest)
    expected = evaluate(SQUARE, SQUARE.grid((33, 33))).height
    assert np.abs(found - expected).max() <= 1500 / 65535 * 1.001
    with pytest.raises(ValueError, match="a range of 0 to 1 m would cut them off"):
        export(SQUARE, settings_of("unity"), tmp_path / "out", range=(0.0, 1.0))


def test_level_ground_has_a_range(tmp_path: Path):
    done = export(Recipe(), settings_of("o3de"), tmp_path / "out")
    assert (done.manifest["high"] - done.manifest["low"], done.verification.error) == (1.0, 0.0)


@pytest.mark.slow
def test_the_command_prints_every_number(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    out = tmp_path / "mesa"
    command = ["export", "mesa", "--engine", "unreal", "--size", "127", "--out", str(out)]
    assert (
        main([*command, "--tiles", "2x1", "--height", ".png", "--name", "hills", "--no-color"]) == 0
    )
    text = capsys.readouterr().out
    about = json.loads((out / "manifest.json").read_text())
    assert all(f"  {name}: " in text for name in about["import_settings"])
    assert "Read back: 2 height files, off by " in text
    names = [f"hills{image}_x{x}_y0.png" for image in ("", "_normal") for x in range(2)]
    assert {one.name for one in out.iterdir()} == {*names, "manifest.json", "README.txt"}
    for extra, code, message in (
        (["--size", "130"], 1, "the nearest is 127"),
        (["--tiles", "2"], 2, "--tiles 2: expected tiles along x and y, as 2x2"),
        (["--range", "5,1"], 2, "expected two heights"),
    ):
        assert main([*command, *extra]) == code
        assert message in capsys.readouterr().err
