# SPDX-License-Identifier: GPL-3.0-or-later
import gc
import sys
import tracemalloc

import pytest

from terrain_addon.core import Cache, Layer, Palette, Recipe, evaluate
from terrain_addon.core.evaluation import Held, memory
from terrain_addon.core.layers import LAYERS, MASKS
from terrain_addon.core.recipe import grouped

GB = 10**9


def test_what_fits_passes():
    memory.check_mesh(1025, 1025, 4 * GB)
    memory.check_image(4096, 4096, 4 * GB)


def test_what_does_not_fit_is_answered_with_what_would():
    with pytest.raises(
        ValueError,
        match=r"^8193 x 8193 points need about 20 GB, 8 GB are free; 4097 x 4097 would fit$",
    ):
        memory.check_mesh(8193, 8193, 8 * GB)
    with pytest.raises(ValueError, match="8192 x 4096 pixels .* 4096 x 2048 would fit"):
        memory.check_image(8192, 4096, 1 * GB)


@pytest.mark.parametrize("check", [memory.check_mesh, memory.check_image])
@pytest.mark.parametrize("size", [(100001, 50001), (65537, 3), (2, 99999)])
def test_the_size_that_would_fit_does(check, size):
    with pytest.raises(ValueError, match="would fit") as error:
        check(*size, 10**6)
    nx, ny = map(int, str(error.value).rsplit("; ", 1)[1].removesuffix(" would fit").split(" x "))
    check(nx, ny, 10**6)


def test_a_tenth_of_the_free_memory_is_left():
    assert memory.fits(900, 1000)
    assert not memory.fits(901, 1000)


def test_this_machine_tells_its_memory():
    free = memory.available()
    if sys.platform in ("linux", "darwin", "win32"):
        assert free is not None
    assert free is None or 2**20 < free < 2**50


def test_unknown_memory_lets_all_pass(monkeypatch):
    monkeypatch.setattr(memory, "available", lambda: None)
    memory.check_mesh(10**6, 10**6)


def machine(tmp_path, meminfo, limit=None, used=0):
    (tmp_path / "proc").mkdir()
    (tmp_path / "proc/meminfo").write_text(meminfo)
    if limit is not None:
        group = tmp_path / "sys/fs/cgroup"
        group.mkdir(parents=True)
        (group / "memory.max").write_text(f"{limit}\n")
        (group / "memory.current").write_text(f"{used}\n")
    return tmp_path


MEMINFO = "MemTotal: 16000000 kB\nMemFree: 1000000 kB\nMemAvailable:  8000000 kB\n"


@pytest.mark.parametrize(
    ("limit", "used", "free"),
    [
        (None, 0, 8192000000),
        ("max", 5, 8192000000),
        (3 * GB, 1 * GB, 2 * GB),
        (1 * GB, 2 * GB, 0),
        (99 * GB, 1, 8192000000),
    ],
)
def test_linux_and_containers(tmp_path, limit, used, free):
    assert memory._available_linux(machine(tmp_path, MEMINFO, limit, used)) == free


def test_macos():
    text = (
        "Mach Virtual Memory Statistics: (page size of 16384 bytes)\n"
        "Pages free:                               10000.\n"
        "Pages active:                            900000.\n"
        "Pages inactive:                           20000.\n"
        "Pages speculative:                          300.\n"
        "Pages purgeable:                             50.\n"
    )
    assert memory._vm_stat_bytes(text) == (10000 + 20000 + 300 + 50) * 16384
    assert memory._vm_stat_bytes("") is None


def test_land_that_does_not_fit_is_refused_with_what_would():
    memory.check_terrain((1025, 1025), (3000, 3000), free=1)  # so little is not worth asking
    memory.check_terrain((8193, 8193), (8193, 8193), free=2 * GB)
    with pytest.raises(
        ValueError,
        match=r"^16385 x 16385 points need about 7 GB, 2 GB are free; 8193 x 8193 would fit$",
    ):
        memory.check_terrain((16385, 16385), (16385, 16385), free=2 * GB)
    with pytest.raises(ValueError, match="8193 x 8193 points and the margin .* 4097 x 4097 would"):
        memory.check_terrain((8193, 8193), (16385, 16385), free=2 * GB)
    with pytest.raises(ValueError, match="x 2 points need more than 1e9 GB, 2 GB are free"):
        memory.check_terrain((10**400, 2), (10**400, 2), free=2 * GB)


@pytest.mark.slow
def test_enough_memory_is_counted_for_the_masks_that_layers_leave(monkeypatch):
    asked = []
    monkeypatch.setattr(memory, "SMALL", 0)
    monkeypatch.setattr(memory, "available", lambda: 10**12)
    monkeypatch.setattr(memory, "fits", lambda need, free=None: asked.append(need) or True)
    mask = (MASKS["height"](),)
    for erosions in (0, 1, 3):
        eroded = (
            Layer.of(LAYERS["erosion"](resolution="128"), opacity=0.5, masks=mask),
        ) * erosions
        recipe = Recipe(layers=(Layer.of(LAYERS["fractal_noise"](octaves=2)), *eroded))
        cache = Cache(limit=0)
        evaluate(recipe, recipe.grid(9), cache=cache)  # the drainage is kept
        asked.clear()
        tracemalloc.start()
        evaluate(recipe, recipe.grid(1025), cache=cache)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        # Some megabytes are the drainage's, however many points there are.
        assert peak - 2**24 <= max(asked) < 4 * peak


ERODED = Layer.of(LAYERS["erosion"](resolution="128"))


def opened(depth, palette):
    """Groups within groups, each with an erosion of its own."""
    layers = (ERODED,)
    for _ in range(depth):
        layers = grouped((ERODED, *layers), masks=(MASKS["height"](),), palette=palette)
    return (ERODED, *layers)


def test_open_groups_hold_the_terrain_that_they_began_on():
    left = len(LAYERS["erosion"].produces)
    assert Held.of(opened(0, None)) == Held(0, 2 * left)
    assert Held.of(opened(3, None)).heights == 3
    assert Held.of(opened(3, None)).fields == 5 * left
    # One after the other, the first is closed before the next begins.
    beside = grouped([Layer.of(LAYERS["smooth"]())])
    assert Held.of(beside * 3) == Held(1, 0)
    deep, flat = (memory.mesh_bytes(1000, 1000, Held.of(opened(depth, None))) for depth in (5, 0))
    assert flat == memory.mesh_bytes(1000, 1000) < deep


@pytest.mark.slow
def test_enough_memory_is_counted_for_open_groups(monkeypatch):
    asked = []
    monkeypatch.setattr(memory, "SMALL", 0)
    monkeypatch.setattr(memory, "available", lambda: 10**12)
    monkeypatch.setattr(memory, "fits", lambda need, free=None: asked.append(need) or True)
    recipe, cache = Recipe(layers=opened(3, Palette())), Cache(limit=0)
    evaluate(recipe, recipe.grid(9), cache=cache)  # the drainage is kept
    asked.clear()
    tracemalloc.start()
    evaluate(recipe, recipe.grid(513), cache=cache)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak - 2**24 <= max(asked) < 4 * peak


def test_groups_one_after_the_other_are_let_go():
    """Each kept the terrain that it began on until the end."""
    peaks = []
    for groups in (1, 6):
        noise = Layer.of(LAYERS["fractal_noise"](octaves=1))
        recipe = Recipe(layers=(noise, *grouped([noise], opacity=0.5) * groups))
        evaluate(recipe, recipe.grid(257))
        tracemalloc.start()
        evaluate(recipe, recipe.grid(257))
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] - peaks[0] < 2 * 4 * 257**2


@pytest.mark.nightly("memory")
@pytest.mark.parametrize("mode", ["uplift", "plateau", "keep"])
def test_fine_drainage_needs_twenty_fields_and_leaves_its_own(mode):
    """Beside 44 before, for living land, and 56 for relic land."""
    erosion = LAYERS["erosion"](resolution="1024", type=mode)
    recipe = Recipe(layers=(Layer.of(LAYERS["fractal_noise"](octaves=2)), Layer.of(erosion)))
    evaluate(recipe, recipe.grid(1024))  # modules, tables and work arrays are there
    cache = Cache(limit=0)
    gc.collect()
    gc.disable()  # nothing may wait for it
    tracemalloc.start()
    try:
        evaluate(recipe, recipe.grid(1024), cache=cache)
        left, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
        gc.enable()
    assert peak < 20 * 4 * 1024**2
    cells = (1024 + 2 * 96) ** 2
    assert left < 25.5 * cells  # six fields of float32, and directions
