"""The forward filter over the mixings of one component, with weighted states of urns.

The prior of all histories is uniform: each deal and each outcome of each shuffle is equally
likely, by labelled card. A state of the filter is a set of histories in which the same slots have
the same urns; the sets are disjoint. The weight of a state is proportional to the joint probability
of its set and all observations so far. The product of the weights along the mixings is therefore
the exact posterior, as in the forward algorithm of a hidden Markov model.
"""

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from math import fsum
from random import Random
from typing import NamedTuple, TypeVar

from cardhub.model.hidden.constraints.face_masks import FREE
from cardhub.model.hidden.shuffles.segments import Mixing, Segment
from cardhub.model.hidden.shuffles.urns import (
    Counts,
    OpenUrn,
    Urns,
    entering,
    leaving,
    normal,
    revealing,
    splitting,
)

Weights = dict[Urns, float]

K = TypeVar("K", bound=Hashable)


class DeadEndError(Exception):
    """No state is consistent with a mixing; a state lost by thinning may be, if not `is_exact`."""

    def __init__(self, mixing: Mixing | None, is_exact: bool) -> None:
        super().__init__(mixing, is_exact)
        self.mixing = mixing
        self.is_exact = is_exact


class FilterStep(NamedTuple):
    """A mixing in numbers: leaving and entering slots by group, known and seen faces."""

    mixing: Mixing
    leaving: Counts
    known: Counts
    seen: list[tuple[int, int]]
    entering: Counts


class Filter:
    """The filter over the mixings of one component, up to the shuffle `now`.

    Slots that are not distinguished yet are one group; see `urns`. With more than `cap` states the
    filter becomes a particle filter: still unbiased, but no longer exact.
    """

    def __init__(self, mixings: Iterable[Mixing], now: int, cap: int, rng: Random) -> None:
        self._cap = cap
        self._rng = rng
        self.is_exact = True
        self.masks: dict[int, int] = {}
        self.members: dict[int, list[Segment]] = {}
        """The slots of each group that exist at the end."""
        self.steps = self._numbered(mixings, now)

    def run(self) -> Weights:
        """Return the states at the end; raises DeadEndError."""
        states: Weights = {(): 1.0}
        for step in self.steps:
            states = self.limited(self._after(states, step), step.mixing)
        return states

    def limited(self, states: Weights, mixing: Mixing | None = None) -> Weights:
        """Return the states with a maximum weight of 1, thinned if there are too many."""
        top = max(states.values(), default=0.0)
        if not top:
            raise DeadEndError(mixing, self.is_exact)
        # Without scaling, the products of many small probabilities would underflow to 0.
        states = {state: weight / top for state, weight in states.items()}
        if len(states) > self._cap:
            self.is_exact = False
            states = thinned(states, self._cap, self._rng)
        return states

    def split_off(self, states: Weights, group: int, masks: Sequence[int]) -> Weights:
        """Split a group by the masks of its slots; `masks` has one for each slot.

        The first mask keeps the group's number; the others get new groups.
        """
        _, *others = Counter(masks).items()
        for mask, number in others:
            new = self._new_group(mask)
            weights: Weights = {}
            for urns, weight in states.items():
                for share, rows in leaving(urns, {group: number}):
                    # No card moves: the slots that leave the group keep their urn.
                    moved = [
                        (row.content, row.outside | ({new: row.inside} if row.inside else {}))
                        for row in rows
                    ]
                    _add(weights, normal(moved), weight * share)
            states = self.limited(weights)
        return states

    def _numbered(self, mixings: Iterable[Mixing], now: int) -> list[FilterStep]:
        group_of: dict[int, int] = {}  # of a segment, by its identity
        steps = []
        for mixing in mixings:
            by_mask: dict[int, int] = {}
            for segment in mixing.entered:
                # Present masks are applied at the end: applied here, they would split the states.
                mask = segment.mask if segment.end < now else FREE
                if mask not in by_mask:
                    by_mask[mask] = self._new_group(mask)
                group_of[id(segment)] = by_mask[mask]
                if segment.end == now:
                    self.members.setdefault(by_mask[mask], []).append(segment)
            left = Counter(group_of[id(segment)] for segment in mixing.left)
            entered = Counter(group_of[id(segment)] for segment in mixing.entered)
            seen = sorted(mixing.seen.items())
            steps.append(FilterStep(mixing, dict(left), dict(mixing.known), seen, dict(entered)))
        return steps

    def _new_group(self, mask: int) -> int:
        self.masks[len(self.masks)] = mask
        return len(self.masks) - 1

    def _after(self, states: Weights, step: FilterStep) -> Weights:
        weights: Weights = {}
        for urns, weight in states.items():
            for share, entered in self._outcomes(urns, step):
                _add(weights, normal(entered), weight * share)
        return weights

    def _outcomes(
        self, urns: Urns, step: FilterStep
    ) -> Iterator[tuple[float, list[tuple[Counts, Counts]]]]:
        # The same order as on the table: slots leave, their urns are pooled, some faces are seen,
        # and the rest is distributed over the new slots. Each stage multiplies the weight by the
        # conditional probability of its choice.
        masks = [self.masks[group] for group in step.entering]
        for left, rows in leaving(urns, step.leaving):
            for seen, hidden in revealing(_pooled(rows, step.known), step.seen):
                for parted, split in splitting(hidden, masks):
                    for placed, entered in entering(split, step.entering, self.masks):
                        yield left * seen * parted * placed, entered


def _pooled(rows: Iterable[OpenUrn], known: Counts) -> list[OpenUrn]:
    # Urns that are in the pool as a whole become one urn with the known faces: after the shuffle
    # their cards are exchangeable. An urn that is there in part stays separate, because its slots
    # outside hold the rest of its content.
    content, inside, others = known.copy(), sum(known.values()), []
    for row in rows:
        if row.outside or not row.inside:
            others.append(row)
            continue
        for face, count in row.content.items():
            content[face] = content.get(face, 0) + count
        inside += row.inside
    return [*others, OpenUrn(content, {}, inside)] if inside else others


def _add(states: Weights, urns: Urns, weight: float) -> None:
    if weight:
        states[urns] = states.get(urns, 0.0) + weight


def thinned(weights: Mapping[K, float], cap: int, rng: Random) -> dict[K, float]:
    """Return about `cap` states at most; the expected weight of each state is its own weight.

    States with weights above a bound are kept. The others are sampled systematically, in proportion
    to their weights, and get the bound as their weight.
    """
    bound = _bound(sorted(weights.values(), reverse=True), cap)
    kept: dict[K, float] = {}
    # One random offset for all states: this has less variance than a draw for each.
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
    # All heavier states are kept, and of the lighter states the sum of their weights divided by the
    # bound. The returned bound makes the total `cap`.
    light = fsum(descending)
    for heavy, weight in enumerate(descending):
        bound = light / (cap - heavy)
        if weight < bound or heavy == cap - 1:
            return bound
        light -= weight
    return 0.0
