# SPDX-License-Identifier: GPL-3.0-or-later
"""An evolution strategy with a step size for each variable.

The separable CMA-ES: Ros and Hansen, *A simple modification in CMA-ES achieving linear time and
space complexity* (2008), with the weights and rates of Hansen, *The CMA evolution strategy: a
tutorial* (2016). Its covariance is diagonal, so few evaluations suffice to learn it.
"""

from __future__ import annotations

import math

import numpy as np

from ..numerics.arrays import Doubles

SPREAD = 0.2
"""Standard deviation of the first generation, in the unit of the variables."""
LARGEST_STEP = 2.0
"""Factor by which one generation changes the step size, at most."""


class Evolution:
    """Search for the least value of a function of variables from 0 to 1.

    The caller takes the candidates of a generation from :meth:`ask`, and gives the value of each to
    :meth:`tell`. What is drawn beyond 0 or 1 is reflected.

    Parameters
    ----------
    start : (N,) float, values from 0 to 1 that the search starts from
    seed : of the random numbers; the same values give the same search

    Examples
    --------
    >>> search = Evolution(np.full(5, 0.5), seed=1)
    >>> for _ in range(60):
    ...     drawn = search.ask()
    ...     search.tell(drawn, ((drawn - 0.2) ** 2).sum(1))
    >>> search.mean.round(2)
    array([0.2, 0.2, 0.2, 0.2, 0.2])
    """

    def __init__(self, start: Doubles, seed: int) -> None:
        self.mean: Doubles = np.array(start, np.float64)
        count = self.mean.size
        self.size = population(count)
        parents = self.size // 2
        weights = math.log((self.size + 1) / 2) - np.log(np.arange(1, parents + 1))
        self._weights = weights / weights.sum()
        mu = 1 / float(np.square(self._weights).sum())
        self._effective = mu
        self._path_rate = (mu + 2) / (count + mu + 5)
        self._damping = 1 + 2 * max(0.0, math.sqrt((mu - 1) / (count + 1)) - 1) + self._path_rate
        self._shape_path_rate = (4 + mu / count) / (count + 4 + 2 * mu / count)
        # The diagonal has N instead of N^2 / 2 numbers to learn, so the rates may be higher.
        faster = (count + 2) / 3
        rank_one = faster * 2 / ((count + 1.3) ** 2 + mu)
        self._rank_one = min(rank_one, 1.0)
        rank_mu = faster * 2 * (mu - 2 + 1 / mu) / ((count + 2) ** 2 + mu)
        self._rank_mu = min(rank_mu, 1 - self._rank_one)
        self._expected = math.sqrt(count) * (1 - 1 / (4 * count) + 1 / (21 * count**2))
        self._step = SPREAD
        self._variance = np.ones(count)
        self._path = np.zeros(count)
        self._shape_path = np.zeros(count)
        self._generation = 0
        self._random = np.random.default_rng(seed)

    def ask(self) -> Doubles:
        """Return (size, N) float from 0 to 1: the candidates of the next generation."""
        drawn = self._random.standard_normal((self.size, self.mean.size))
        return _reflected(self.mean + self._step * np.sqrt(self._variance) * drawn)

    def tell(self, candidates: Doubles, values: Doubles) -> None:
        """Learn from the values of the candidates, (size,) float; lower is better."""
        self._generation += 1
        ranked = candidates[np.argsort(values, kind="stable")[: self._weights.size]]
        steps = (ranked - self.mean) / self._step
        step = self._weights @ steps
        self.mean = self.mean + self._step * step
        rate, mu, count = self._path_rate, self._effective, self.mean.size
        self._path = (1 - rate) * self._path + math.sqrt(rate * (2 - rate) * mu) * (
            step / np.sqrt(self._variance)
        )
        length = math.sqrt(float(np.square(self._path).sum()))
        settled = length / math.sqrt(1 - (1 - rate) ** (2 * self._generation))
        stalled = settled >= (1.4 + 2 / (count + 1)) * self._expected
        rate = self._shape_path_rate
        kept, one = 1 - rate, 0.0 if stalled else math.sqrt(rate * (2 - rate) * mu)
        self._shape_path = kept * self._shape_path + one * step
        lost = self._rank_one * rate * (2 - rate) if stalled else 0.0
        self._variance = (
            (1 - self._rank_one - self._rank_mu + lost) * self._variance
            + self._rank_one * np.square(self._shape_path)
            + self._rank_mu * (self._weights @ np.square(steps))
        )
        change = math.exp(self._path_rate / self._damping * (length / self._expected - 1))
        self._step *= min(change, LARGEST_STEP)


def population(count: int) -> int:
    """Return the candidates of a generation for that many variables: an even number, for two
    processors."""
    return 2 * math.ceil((4 + 3 * math.log(count)) / 2)


def _reflected(values: Doubles) -> Doubles:
    """Return the values mirrored at 0 and 1 into that range."""
    values = np.abs(values) % 2
    return np.minimum(values, 2 - values)
