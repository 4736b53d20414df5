# SPDX-License-Identifier: GPL-3.0-or-later
"""What an evaluation keeps for the next one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ..numerics.arrays import Floats


@dataclass(frozen=True)
class Stage:
    """The land after some layers, or a layer alone; where a layer acts is kept as a height too."""

    height: Floats
    masks: Mapping[str, Floats]

    @property
    def nbytes(self) -> int:
        return self.height.nbytes + sum(mask.nbytes for mask in self.masks.values())


class Cache:
    """Results of the lower layers, so that a change of an upper one does not compute them again.

    Bounded by bytes and by number; the least recently used go first. A slider leaves stages that
    are not asked for again: to use their memory soon is faster than to fill all that is allowed.
    Not for use by two threads at once.
    """

    def __init__(self, limit: int = 256 * 2**20, most: int = 24) -> None:
        self.limit, self.most = limit, most
        # Not an OrderedDict: that hashes its keys, whole recipes, each time it is gone through.
        self._stages: dict[object, Stage] = {}

    def get(self, key: object) -> Stage | None:
        stage = self._stages.pop(key, None)
        if stage is not None:
            self._stages[key] = stage  # the last one is the one used last
        return stage

    def put(self, key: object, stage: Stage) -> None:
        for array in (stage.height, *stage.masks.values()):
            array.setflags(write=False)  # whoever gets it next must find it as it is
        self._stages.pop(key, None)
        self._stages[key] = stage
        while len(self._stages) > self.most or self._nbytes() > self.limit:
            del self._stages[next(iter(self._stages))]

    def _nbytes(self) -> int:
        return sum(stage.nbytes for stage in self._stages.values())

    def clear(self) -> None:
        """Forget everything."""
        self._stages.clear()
