"""Stretches and pools: how the cards have gone through the shuffles, as one seat has seen them."""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from cardhub.hidden.constraints.masks import FREE
from cardhub.table.faces import BLANK
from cardhub.table.state import State

DEAL = -1
"""The number of the deal, where the first shuffle is 0."""


class Stretch:
    """A token between two shuffles, always with one card.

    `face` is BLANK while unknown. `begin` and `end` number the shuffles it lies between:
    DEAL at first, the number of shuffles for the present.
    """

    __slots__ = ("back", "begin", "end", "face", "mask", "token")

    def __init__(self, token: int, back: int, face: int, mask: int, end: int) -> None:
        self.token = token
        self.back = back
        self.face = face
        self.mask = mask
        self.begin = DEAL
        self.end = end


class Pool(NamedTuple):
    """A shuffle's cards of one back: the stretches that end with it and those that begin."""

    left: list[Stretch]
    entered: list[Stretch]


class Event(NamedTuple):
    """What the filter goes through: a deal, a cut or a shuffle, of one back.

    The known faces that come in, the unseen stretches that end, the faces seen afterwards, and the
    unseen stretches that begin.
    """

    number: int
    known: Counter[int]
    left: list[Stretch]
    seen: Counter[int]
    entered: list[Stretch]


class History:
    """The shuffles of an observation, worked out backwards and no further than asked for."""

    __slots__ = ("_before", "_past", "_pools", "present")

    def __init__(self, state: State, faces: Sequence[int], masks: Sequence[int]) -> None:
        self._past = state.shuffle_log
        now = len(state.shuffle_log)
        self.present = [
            Stretch(token, back, face, mask, now)
            for token, (back, face, mask) in enumerate(zip(state.back, faces, masks, strict=True))
        ]
        self._before = self.present[:]
        self._pools: list[dict[int, Pool]] = []  # the last shuffle's first

    def pools(self, number: int) -> dict[int, Pool]:
        """Return the pools of a shuffle by back."""
        while len(self._past) - len(self._pools) > number:
            self._go_back()
        return self._pools[len(self._past) - 1 - number]

    def _go_back(self) -> None:
        number = len(self._past) - len(self._pools) - 1
        shuffle = self._past[number]
        masks = shuffle.allowed or (FREE,) * len(shuffle.tokens)
        pools: dict[int, Pool] = {}
        for token, back, face, mask in zip(
            shuffle.tokens, shuffle.backs, shuffle.faces, masks, strict=True
        ):
            entered = self._before[token]
            entered.begin = number
            left = self._before[token] = Stretch(token, back, face, mask, number)
            pools.setdefault(back, Pool([], [])).left.append(left)
            pools.setdefault(entered.back, Pool([], [])).entered.append(entered)
        self._pools.append(pools)


def before(live: list[Stretch], pools: dict[int, Pool]) -> None:
    """Go from the live stretches after a shuffle, by token, to those before it, in place."""
    for pool in pools.values():
        for stretch in pool.left:
            live[stretch.token] = stretch


class Source(NamedTuple):
    """What the deal is known to hold: copies of faces by kind, that is by deck and back.

    `decks` is by token, or empty where there is but one deck.
    """

    decks: Sequence[int]
    copies: Sequence[Counter[int]]
    backs: int

    def kind(self, stretch: Stretch) -> int:
        """Return the kind of a stretch that begins with the deal."""
        return stretch.back + (self.decks[stretch.token] * self.backs if self.decks else 0)

    def of_back(self, back: int) -> Counter[int]:
        """Return the copies of all faces with a back."""
        found: Counter[int] = Counter()
        for copies in self.copies[back :: self.backs]:
            found += copies
        return found


def events(history: History, live: Sequence[Stretch], now: int, source: Source) -> list[Event]:
    """Return what bears on the unseen stretches of `live`, those just before shuffle `now`.

    That begins, back by back, with the latest cut: a shuffle with every unseen token of the back in
    its pool. What the pool holds is then known, and nothing before it tells any more. Without a
    cut it begins with the deal.
    """
    live = list(live)
    unseen = Counter(stretch.back for stretch in live if stretch.face == BLANK)
    is_open = set(unseen)
    found: list[Event] = []
    for number in range(now - 1, DEAL, -1):
        if not is_open:
            break
        pools = history.pools(number)
        for back in is_open & pools.keys():
            event = _event(number, pools[back])
            if unseen[back] == len(event.entered):
                event = event._replace(known=_outside(live, number, source, back), left=[])
                is_open.discard(back)
            unseen[back] += len(event.left) - len(event.entered)
            found.append(event)
        before(live, pools)
    found += _deals(live, is_open, source) if is_open else []
    return found[::-1]


def _event(number: int, pool: Pool) -> Event:
    return Event(
        number,
        Counter(stretch.face for stretch in pool.left if stretch.face != BLANK),
        [stretch for stretch in pool.left if stretch.face == BLANK],
        Counter(stretch.face for stretch in pool.entered if stretch.face != BLANK),
        [stretch for stretch in pool.entered if stretch.face == BLANK],
    )


def _outside(live: list[Stretch], number: int, source: Source, back: int) -> Counter[int]:
    """Return the faces of a back but those on tokens outside a shuffle, all of which are seen."""
    known = source.of_back(back)
    known.subtract(s.face for s in live if s.back == back and s.begin != number)
    return +known


def _deals(live: list[Stretch], backs: set[int], source: Source) -> list[Event]:
    dealt: dict[int, list[Stretch]] = {}
    for stretch in live:
        if stretch.back in backs:
            dealt.setdefault(source.kind(stretch), []).append(stretch)
    return [
        Event(
            DEAL,
            source.copies[kind],
            [],
            Counter(stretch.face for stretch in stretches if stretch.face != BLANK),
            [stretch for stretch in stretches if stretch.face == BLANK],
        )
        for kind, stretches in dealt.items()
    ]


def pieces(found: Sequence[Event]) -> list[list[Event]]:
    """Return events that have no stretch in common apart, in their order; those are independent."""
    group_of: dict[int, int] = {}  # of a stretch, by its identity
    groups: dict[int, list[Event]] = {}
    for number, event in enumerate(found):
        joined = {group_of[id(stretch)] for stretch in event.left}
        first = min(joined, default=number)
        for other in joined - {first}:
            groups[first] += groups.pop(other)
            group_of.update((key, first) for key, group in group_of.items() if group == other)
        groups.setdefault(first, []).append(event)
        group_of.update((id(stretch), first) for stretch in event.entered)
    return [_in_order(events) for events in groups.values()]


def _in_order(events: list[Event]) -> list[Event]:
    return sorted(events, key=lambda event: event.number)
