"""Drawing the faces of the unseen tokens of one piece, as its filter leaves them."""

from bisect import bisect_right
from collections import Counter
from itertools import accumulate
from random import Random
from typing import NamedTuple

from cardhub.hidden.constraints.drawing import ContradictionError, Draw, contradiction, drawing
from cardhub.hidden.constraints.feasibility import violation
from cardhub.hidden.constraints.masks import FREE, bits_of
from cardhub.hidden.constraints.sampler import ATTEMPTS, Sampler, ViolationError
from cardhub.hidden.shuffles.filtering import DeadEndError, Filter, Weights
from cardhub.hidden.shuffles.history import Event, Stretch
from cardhub.hidden.shuffles.lumps import Lump

CAP = 256
"""How many states a filter keeps at first."""


def piece_drawing(events: list[Event], now: int, seed: str) -> Draw | None:
    """Return a draw of what is unseen just before the shuffle `now` among independent events.

    None if all of that is seen. Raises ContradictionError.
    """
    members = [stretch for event in events for stretch in event.entered if stretch.end == now]
    if not members:
        return None
    content: Counter[int] = Counter()
    for event in events:
        content.update(event.known)
        content.subtract(event.seen)
    tokens, masks = [s.token for s in members], [s.mask for s in members]
    if min(content.values()) < 0:
        last = max(event.number for event in events)
        raise ContradictionError(tokens, number=last)
    pool = list(content.elements())
    if len(events) == 1:
        return drawing(pool, tokens, masks)
    try:
        return PieceDraw(events, now, seed)
    except DeadEndError as error:
        found = violation(pool, masks)
        if found is not None:
            raise contradiction(tokens, found) from None
        number = events[-1].number if error.event is None else error.event.number
        entered = tokens if error.event is None else [s.token for s in error.event.entered]
        raise ContradictionError(entered, number=number) from None


class Share(NamedTuple):
    """A lump's part in the draw: a sampler by mask, and for each mask the groups it fills."""

    sampler: Sampler
    groups: list[list[tuple[int, int]]]


class PieceDraw:
    """Draws the unseen faces of one piece; every draw is independent and exact.

    `seed` decides what is thinned where there are too many states: it is made of the observation,
    so that equal generators give equal draws.
    """

    def __init__(self, events: list[Event], now: int, seed: str, cap: int = CAP) -> None:
        while True:
            try:
                self._prepare(events, now, cap, Random(f"{seed} {cap}"))
                return
            except DeadEndError as error:
                # Thinning may have thrown away the only states that go on; with caps that grow it
                # ends with the exact filter, which fails only where no world exists.
                if error.is_exact:
                    raise
                cap *= 4

    def draw(self, rng: Random, faces: list[int]) -> None:
        """Lay faces on the unseen tokens, in a list by token."""
        rejected = 0
        while (bags := self._attempt(rng)) is None:
            rejected += 1
            if rejected == ATTEMPTS:
                self._finish()
        random = rng.random
        for group, tokens in self._tokens.items():
            # Every group is shuffled, since it may have been filled lump by lump.
            bag = sorted(bags[group], key=lambda _: random())
            for token, face in zip(tokens, bag, strict=True):
                faces[token] = face

    def _prepare(self, events: list[Event], now: int, cap: int, rng: Random) -> None:
        run = Filter(events, now, cap, rng)
        states = run.run()
        self._tokens: dict[int, list[int]] = {}
        self._masks: dict[int, int] = {}
        present = bits_of(face for lumps in states for lump in lumps for face, _ in lump.content)
        for group, members in run.members.items():
            states = self._told_apart(run, states, group, members, present)
        self._weigh(states)
        if not self._shares:
            raise DeadEndError(None, run.is_exact)

    def _told_apart(
        self, run: Filter, states: Weights, group: int, members: list[Stretch], present: int
    ) -> Weights:
        """Split a group by the masks its slots have now."""
        by_mask: dict[int, list[int]] = {}
        for stretch in members:
            mask = stretch.mask & present
            by_mask.setdefault(FREE if mask == present else mask, []).append(stretch.token)
        masks = [mask for mask, tokens in by_mask.items() for _ in tokens]
        first = len(run.masks)
        states = run.split_off(states, group, masks)
        numbers = [group, *range(first, len(run.masks))]
        for number, (mask, tokens) in zip(numbers, by_mask.items(), strict=True):
            self._tokens[number] = tokens
            self._masks[number] = mask
        return states

    def _weigh(self, states: Weights) -> None:
        """Keep the states that the present masks leave possible, with weights."""
        samplers: dict[Lump, Share | None] = {}
        self._shares: list[list[Share]] = []
        self._weights: list[float] = []
        for lumps, weight in states.items():
            shares = [
                samplers[lump] if lump in samplers else samplers.setdefault(lump, self._share(lump))
                for lump in lumps
            ]
            found = [share for share in shares if share is not None]
            if len(found) == len(shares):
                self._shares.append(found)
                self._weights.append(weight)
        self._sum_up()

    def _share(self, lump: Lump) -> Share | None:
        faces = [face for face, count in lump.content for _ in range(count)]
        groups: dict[int, list[tuple[int, int]]] = {}
        for group, count in lump.slots:
            groups.setdefault(self._masks[group], []).append((group, count))
        sizes = {mask: sum(count for _, count in each) for mask, each in groups.items()}
        try:
            return Share(Sampler(faces, sizes), list(groups.values()))
        except ViolationError:
            return None

    def _sum_up(self) -> None:
        weights = list(self._weights)
        for index, shares in enumerate(self._shares):
            for share in shares:
                weights[index] *= share.sampler.weight
        self._sums = list(accumulate(weights))

    def _attempt(self, rng: Random) -> dict[int, list[int]] | None:
        """Return faces by group; None if one of the samplers rejects, which begins all again."""
        sums = self._sums
        chosen = bisect_right(sums, rng.random() * sums[-1]) if len(sums) > 1 else 0
        bags: dict[int, list[int]] = {group: [] for group in self._tokens}
        for sampler, groups in self._shares[min(chosen, len(sums) - 1)]:
            drawn = sampler.draw(rng)
            if drawn is None:
                return None
            for faces, parts in zip(drawn, groups, strict=True):
                first = 0
                for group, count in parts:
                    bags[group] += faces[first : first + count]
                    first += count
        return bags

    def _finish(self) -> None:
        for sampler in {id(s.sampler): s.sampler for each in self._shares for s in each}.values():
            if sampler.may_reject:
                sampler.finish()
        self._sum_up()
