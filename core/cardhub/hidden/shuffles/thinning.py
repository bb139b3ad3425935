"""Thinning: fewer weighted states that stand for many, without bias."""

from collections.abc import Hashable, Mapping
from random import Random
from typing import TypeVar

K = TypeVar("K", bound=Hashable)


def thinned(weights: Mapping[K, float], cap: int, rng: Random) -> dict[K, float]:
    """Return at most about `cap` of the states, each with its own weight in expectation.

    States heavier than a bound stay as they are. The lighter ones are sampled systematically, each
    in proportion to its weight, and those kept get the bound as their weight.
    """
    bound = _bound(sorted(weights.values(), reverse=True), cap)
    kept: dict[K, float] = {}
    due = rng.random() * bound
    for state, weight in weights.items():
        if weight >= bound:
            kept[state] = weight
            continue
        due -= weight
        if due < 0:
            kept[state] = bound
            due += bound
    return kept


def _bound(descending: list[float], cap: int) -> float:
    """Return the weight at which the heavier states and the sum of the lighter by it make `cap`."""
    light = sum(descending)
    for heavy, weight in enumerate(descending):
        bound = light / (cap - heavy)
        if weight < bound or heavy == cap - 1:
            return bound
        light -= weight
    return 0.0
