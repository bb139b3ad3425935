"""The forward filter: what the shuffles of one piece leave known, as weighted states of lumps.

Worlds are weighed as chance makes them: each deal and each outcome of each shuffle is equally
likely by labelled card. The states of the filter are disjoint sets of worlds, and a state's weight
is proportional to the probability of its set and of all that has been seen up to this event.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from random import Random
from typing import NamedTuple

from cardhub.hidden.constraints.masks import FREE
from cardhub.hidden.shuffles.history import Event, Stretch
from cardhub.hidden.shuffles.lumps import (
    Counts,
    Lumps,
    Row,
    entering,
    leaving,
    normal,
    revealing,
    splitting,
)
from cardhub.hidden.shuffles.thinning import thinned

Weights = dict[Lumps, float]


class DeadEndError(Exception):
    """No state is consistent with an event; what has been thinned away might have been."""

    def __init__(self, event: Event | None, is_exact: bool) -> None:
        super().__init__(event, is_exact)
        self.event = event
        self.is_exact = is_exact


class Step(NamedTuple):
    """An event in numbers: slots by group that leave and that enter, known and seen faces."""

    event: Event
    leaving: Counts
    known: Counts
    seen: list[tuple[int, int]]
    entering: Counts


class Filter:
    """Goes through the events of one piece, up to the shuffle `now`."""

    def __init__(self, events: Iterable[Event], now: int, cap: int, rng: Random) -> None:
        self._cap = cap
        self._rng = rng
        self.is_exact = True
        self.masks: dict[int, int] = {}
        self.members: dict[int, list[Stretch]] = {}
        """The slots of each group that are still there at the end."""
        self.steps = self._numbered(events, now)

    def run(self) -> Weights:
        """Return the states at the end; raises DeadEndError."""
        states: Weights = {(): 1.0}
        for step in self.steps:
            states = self.limited(self._after(states, step), step.event)
        return states

    def limited(self, states: Weights, event: Event | None = None) -> Weights:
        """Return states with weights at most 1, thinned if they are too many."""
        top = max(states.values(), default=0.0)
        if not top:
            raise DeadEndError(event, self.is_exact)
        states = {state: weight / top for state, weight in states.items()}
        if len(states) > self._cap:
            self.is_exact = False
            states = thinned(states, self._cap, self._rng)
        return states

    def split_off(self, states: Weights, group: int, masks: Sequence[int]) -> Weights:
        """Tell the slots of a group apart by masks; `masks` has one for each slot.

        The first mask keeps the group's number; the others get groups of their own.
        """
        _, *others = Counter(masks).items()
        for mask, number in others:
            new = self._new_group(mask)
            found: Weights = {}
            for lumps, weight in states.items():
                for share, rows in leaving(lumps, {group: number}):
                    # Nothing is shuffled: what leaves the group enters the new one in its lump.
                    moved = [
                        (row.content, row.outside | ({new: row.inside} if row.inside else {}))
                        for row in rows
                    ]
                    _add(found, normal(moved), weight * share)
            states = self.limited(found)
        return states

    def _numbered(self, events: Iterable[Event], now: int) -> list[Step]:
        group_of: dict[int, int] = {}  # of a stretch, by its identity
        steps = []
        for event in events:
            by_mask: dict[int, int] = {}
            for stretch in event.entered:
                # Present masks are for the end: told apart that early they would make more states.
                mask = stretch.mask if stretch.end < now else FREE
                if mask not in by_mask:
                    by_mask[mask] = self._new_group(mask)
                group_of[id(stretch)] = by_mask[mask]
                if stretch.end == now:
                    self.members.setdefault(by_mask[mask], []).append(stretch)
            left = Counter(group_of[id(stretch)] for stretch in event.left)
            entered = Counter(group_of[id(stretch)] for stretch in event.entered)
            seen = sorted(event.seen.items())
            steps.append(Step(event, dict(left), dict(event.known), seen, dict(entered)))
        return steps

    def _new_group(self, mask: int) -> int:
        self.masks[len(self.masks)] = mask
        return len(self.masks) - 1

    def _after(self, states: Weights, step: Step) -> Weights:
        found: Weights = {}
        for lumps, weight in states.items():
            for share, entered in self._outcomes(lumps, step):
                _add(found, normal(entered), weight * share)
        return found

    def _outcomes(
        self, lumps: Lumps, step: Step
    ) -> Iterator[tuple[float, list[tuple[Counts, Counts]]]]:
        """Yield what an event can make of one state, with weights."""
        masks = [self.masks[group] for group in step.entering]
        for left, rows in leaving(lumps, step.leaving):
            for seen, hidden in revealing(_pooled(rows, step.known), step.seen):
                for told, split in splitting(hidden, masks):
                    for laid, entered in entering(split, step.entering, self.masks):
                        yield left * seen * told * laid, entered


def _pooled(rows: Iterable[Row], known: Counts) -> list[Row]:
    """Make one lump of the known faces and of all lumps that are in the pool as a whole.

    From here on their cards are exchangeable, wherever they came from. A lump that is there in part
    stays by itself, as its other slots hold the rest of its content.
    """
    content, inside, others = known.copy(), sum(known.values()), []
    for row in rows:
        if row.outside or not row.inside:
            others.append(row)
            continue
        for face, count in row.content.items():
            content[face] = content.get(face, 0) + count
        inside += row.inside
    return [*others, Row(content, {}, inside)] if inside else others


def _add(states: Weights, lumps: Lumps, weight: float) -> None:
    if weight:
        states[lumps] = states.get(lumps, 0.0) + weight
