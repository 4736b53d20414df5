# SPDX-License-Identifier: GPL-3.0-or-later
"""The bounded cache of results that consist of arrays."""

from dataclasses import dataclass

import numpy as np

from terrain_addon.core.evaluation.cache import AMPLE, PARTS, Cache
from terrain_addon.core.numerics.array_cache import ArrayCache


@dataclass
class Result:
    size: int

    @property
    def arrays(self):
        return [np.empty(self.size, np.uint8)]


class Sized(Result):
    """A large array that takes no memory."""

    @property
    def arrays(self):
        return [np.broadcast_to(np.uint8(0), self.size)]


def kept(cache, *keys):
    return [key for key in keys if cache.get(key) is not None]


def test_results_larger_than_the_limit_are_not_kept():
    cache = ArrayCache(limit=100, most=3)
    cache.put("small", Result(60))
    cache.put("large", Result(101))
    assert kept(cache, "small", "large") == ["small"]
    cache.put("other", Result(60))
    assert kept(cache, "small", "other") == ["other"]


def test_the_most_recent_results_are_kept_whatever_their_size():
    cache = ArrayCache(limit=100, most=5, least=2)
    for number, size in enumerate((10, 20, 500, 600)):
        cache.put(number, Result(size))
    assert kept(cache, 0, 1, 2, 3) == [2, 3]
    for number in range(4, 12):
        cache.put(number, Result(10))
    assert kept(cache, *range(12)) == [7, 8, 9, 10, 11]


def test_held_rivers_are_kept_with_what_they_are_held_from_unless_they_are_large():
    parts, names = Cache().parts, ("solved", "stepped", "held", "beds")
    for size, expected in ((AMPLE // 4, names), (AMPLE // 2, names[-2:])):
        parts.clear()
        for name in names:
            parts.put(name, Sized(size))
        assert kept(parts, *names) == list(expected)


def test_the_drainage_of_a_large_world_is_not_solved_again_for_its_gullies():
    cache = Cache()
    cache.parts.put("drainage", Result(3 * PARTS))
    cache.parts.put("rivers", Result(10))
    assert kept(cache.parts, "drainage", "rivers") == ["drainage", "rivers"]
    nothing = Cache(limit=0).parts
    nothing.put("drainage", Result(3 * PARTS))
    assert kept(nothing, "drainage") == []
