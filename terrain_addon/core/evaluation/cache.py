# SPDX-License-Identifier: GPL-3.0-or-later
"""What an evaluation keeps for the next one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..numerics.array_cache import ArrayCache
from ..numerics.arrays import Floats

PARTS = 48 * 2**20
"""Bytes of parts of solutions: erosion's drainage at 1024 cells, or sixteen at 256. Large stages
must not displace them: a slider on gullies would solve the drainage again on every tick."""
LEAST_PARTS = 2
"""Number of parts that are kept whatever their size, for the same reason: the last drainage and its
rivers."""
AMPLE = 512 * 2**20
"""Bytes up to which twice as many are kept: with the two that it holds its rivers from, up to 2048
cells. Those of larger ones would double the memory of a large world."""


@dataclass(frozen=True)
class Stage:
    """The terrain after some layers, or one layer alone; a layer's mask is kept as a height too."""

    height: Floats
    fields: Mapping[str, Floats]

    @property
    def arrays(self) -> Sequence[Floats]:
        return (self.height, *self.fields.values())


class Cache(ArrayCache[Stage]):
    """Results of the lower layers, so that changing an upper layer does not compute them again.

    Bounded in bytes and in number: a slider leaves stages that nobody uses again, and reusing
    their memory soon is faster than filling up to the limit. Safe to share between threads.

    Parameters
    ----------
    limit : bytes of stages; 0 keeps none
    most : number of stages
    below : a cache to read what this one lacks; it is never written to, so that what comes from a
        guess does not enter it
    """

    def __init__(
        self, limit: int = 256 * 2**20, most: int = 24, below: Cache | None = None
    ) -> None:
        super().__init__(limit, most, below)
        lower = None if below is None else below.parts
        self.parts = ArrayCache[Any](PARTS, most, lower, LEAST_PARTS if limit else 0, AMPLE)
        """Parts of solutions by the keys that a :class:`~.solution.Solution` has them under."""

    def clear(self) -> None:
        super().clear()
        self.parts.clear()
