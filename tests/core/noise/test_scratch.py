# SPDX-License-Identifier: GPL-3.0-or-later
"""Work arrays, and the memory that later calls use again."""

from __future__ import annotations

import threading
import tracemalloc
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, strategies as st

from terrain_addon.core.numerics import work_arrays as module
from terrain_addon.core.numerics.blocks import even_parts
from terrain_addon.core.numerics.work_arrays import CACHE_LINE, LARGEST, LEAST, Scratch, constant


@pytest.fixture(autouse=True)
def nothing_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_WAITING", {})


def address(array: np.ndarray) -> int:
    return array.ctypes.data


def test_memory_is_used_again_once_no_array_lies_in_it() -> None:
    array = Scratch()("a", (100, 100))
    where = address(array)
    part = array[50:, 3]  # outlives the array and its Scratch
    del array
    assert address(Scratch()("other", (9000,))) != where
    del part
    assert address(Scratch()("other", (2, 4500))) == where


def test_arrays_that_are_in_use_share_no_memory() -> None:
    first, second = Scratch(), Scratch()
    arrays = [s(name, (3000,)) for s in (first, second) for name in "abc"]
    for number, array in enumerate(arrays):
        array.fill(number)
    assert [array[0] for array in arrays] == list(range(6))
    assert not any(np.shares_memory(a, b) for a, b in pairwise(arrays))


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.intp, np.uint32])
@pytest.mark.parametrize("size", [0, 1, LEAST // 4, LEAST // 4 + 1, LARGEST // 8, LARGEST])
def test_every_size_and_type_starts_at_a_cache_line(dtype: type, size: int) -> None:
    for _ in range(2):
        array = Scratch()("a", (size,), dtype)
        assert array.shape == (size,) and array.dtype == dtype
        assert address(array) % CACHE_LINE == 0
        array.fill(7)


def test_a_name_keeps_its_memory_and_grows() -> None:
    scratch = Scratch()
    small = scratch("a", (10,))
    assert np.shares_memory(small, scratch("a", (20,)))
    large = scratch("a", (10**5,))
    small.fill(1)
    large.fill(2)
    assert small.tolist() == [1.0] * 10
    assert np.shares_memory(large, scratch("a", (10,)))


def test_rows_are_those_of_the_array_also_once_it_has_grown() -> None:
    scratch = Scratch()
    for shape in ((2, 10), (3, 10), (2, 10**5), (2, 10)):
        for _ in range(2):
            for number, row in enumerate(scratch.rows("a", shape)):
                row.fill(number)
            assert [*scratch("a", shape)[:, -1]] == [*range(shape[0])]
            scratch("a", shape).fill(-1)


def test_constants_stay_what_they_are() -> None:
    with pytest.raises(ValueError, match="read-only"):
        np.add(constant(1), constant(1), out=constant(2))


def test_what_grows_lets_go_of_its_memory_first() -> None:
    scratch = Scratch()
    tracemalloc.start()
    for size in (2**21, 2**21 + 10**5):
        scratch("a", (size,))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 1.2 * 4 * 2**21


def test_only_so_much_waits_for_its_next_use() -> None:
    scratch = Scratch()
    for number in range(200):
        scratch(str(number), (2**16,))
    del scratch
    (pieces,) = module._WAITING.values()
    assert sum(piece.nbytes for piece in pieces) == module.KEPT


def test_threads_have_arrays_of_their_own() -> None:
    scratch, wrong = Scratch(), list[int]()
    barrier = threading.Barrier(4)

    def work(number: int) -> None:
        for _ in range(50):
            array = scratch("a", (5000,))
            array.fill(number)
            barrier.wait()
            wrong.extend({int(value) for value in array} - {number})
            array = Scratch()("b", (5000,))
            array.fill(number)
            barrier.wait()
            wrong.extend({int(value) for value in array} - {number})

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


@given(st.integers(0, 5000), st.integers(1, 6000))
def test_parts_are_even_and_cover_everything(size: int, most: int) -> None:
    parts = even_parts(size, most)
    covered = [number for part in parts for number in range(size)[part]]
    assert covered == list(range(size))
    lengths = [part.stop - part.start for part in parts]
    assert all(length <= most for length in lengths)
    assert len(parts) <= -(-size // most)
    assert len(set(lengths[:-1])) <= 1 and lengths[-1:] <= lengths[:1]
