"""Segments: the tokens of an observation between shuffles, and the mixings that connect them.

A token keeps its card from one shuffle to the next; that interval is a segment. A shuffle ends the
segments of its tokens and begins new ones. Only cards of one back can be mixed up with each other,
so each shuffle is one mixing per back.
"""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from cardhub.model.hidden.constraints.face_masks import FREE
from cardhub.model.table.faces import BLANK, blanked
from cardhub.model.table.state import State

# The number of the deal, where the first shuffle is 0.
DEAL = -1


class Segment:
    """A token between two shuffles, with the same card throughout.

    `face` is BLANK if unseen. `begin` and `end` are the numbers of the shuffles around it: DEAL for
    the first segment, the number of all shuffles for the present one.
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
    """The cards of one back in a shuffle: the segments that end with it and those that begin."""

    left: list[Segment]
    entered: list[Segment]


class Mixing(NamedTuple):
    """One step of the filter: a deal or shuffle of the cards of one back.

    `known` are the known faces that enter the pool, `left` the unseen segments that end, `seen` the
    faces seen afterwards, and `entered` the unseen segments that begin.
    """

    number: int
    known: Counter[int]
    left: list[Segment]
    seen: Counter[int]
    entered: list[Segment]


class Segments:
    """The segments of an observation, computed backwards and only as far as requested.

    Search needs the present only; far back, all cards have often been mixed together.
    """

    __slots__ = ("_before", "_past", "_pools", "present")

    def __init__(self, state: State, faces: Sequence[int], masks: Sequence[int]) -> None:
        self._past = state.shuffle_log
        now = len(state.shuffle_log)
        self.present = [
            Segment(token, back, face, mask, now)
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
            # A segment learns its begin here: the token was in no shuffle between this and `end`.
            entered = self._before[token]
            entered.begin = number
            left = self._before[token] = Segment(token, back, face, mask, number)
            pools.setdefault(back, Pool([], [])).left.append(left)
            pools.setdefault(entered.back, Pool([], [])).entered.append(entered)
        self._pools.append(pools)


def step_back(live: list[Segment], pools: dict[int, Pool]) -> None:
    """Replace the segments after a shuffle, by token, by those before it, in place."""
    for pool in pools.values():
        for segment in pool.left:
            live[segment.token] = segment


class DealtFaces(NamedTuple):
    """The faces of the deal: the copies of each by kind, that is by deck and back.

    `decks` has the deck of each token; it is empty if there is only one deck.
    """

    decks: Sequence[int]
    copies: Sequence[Counter[int]]
    backs: int

    def kind(self, segment: Segment) -> int:
        """Return the kind of a segment that begins with the deal."""
        return segment.back + (self.decks[segment.token] * self.backs if self.decks else 0)

    def of_back(self, back: int) -> Counter[int]:
        """Return the copies of all faces with a back."""
        counts: Counter[int] = Counter()
        for copies in self.copies[back :: self.backs]:
            counts += copies
        return counts


def relevant_mixings(
    segments: Segments, live: Sequence[Segment], now: int, cards: DealtFaces
) -> list[Mixing]:
    """Return the mixings that matter for the unseen segments of `live`, just before shuffle `now`.

    They begin, for each back, with the latest cut, or else with the deal. A cut is a shuffle whose
    pool contains every unseen token of the back.
    """
    live = list(live)
    unseen = Counter(segment.back for segment in live if segment.face == BLANK)
    open_backs = set(unseen)
    mixings: list[Mixing] = []
    for number in range(now - 1, DEAL, -1):
        if not open_backs:
            break
        pools = segments.pools(number)
        for back in open_backs & pools.keys():
            mixing = _mixing(number, pools[back])
            # At a cut all tokens outside the pool are seen, so the pool's content is known. Which
            # of its tokens had which face before makes no difference afterwards. So the filter
            # never goes back beyond a cut, and its cost does not grow with the game.
            if unseen[back] == len(mixing.entered):
                known = cards.of_back(back)
                known.subtract(s.face for s in live if s.back == back and s.begin != number)
                mixing = mixing._replace(known=+known, left=[])
                open_backs.discard(back)
            unseen[back] += len(mixing.left) - len(mixing.entered)
            mixings.append(mixing)
        step_back(live, pools)
    mixings += _deals(live, open_backs, cards) if open_backs else []
    return mixings[::-1]


def _mixing(number: int, pool: Pool) -> Mixing:
    return Mixing(
        number,
        Counter(segment.face for segment in pool.left if segment.face != BLANK),
        [segment for segment in pool.left if segment.face == BLANK],
        Counter(segment.face for segment in pool.entered if segment.face != BLANK),
        [segment for segment in pool.entered if segment.face == BLANK],
    )


def _deals(live: list[Segment], backs: set[int], cards: DealtFaces) -> list[Mixing]:
    dealt: dict[int, list[Segment]] = {}
    for segment in live:
        if segment.back in backs:
            dealt.setdefault(cards.kind(segment), []).append(segment)
    return [
        Mixing(
            DEAL,
            cards.copies[kind],
            [],
            Counter(segment.face for segment in segments if segment.face != BLANK),
            [segment for segment in segments if segment.face == BLANK],
        )
        for kind, segments in dealt.items()
    ]


def components(mixings: Sequence[Mixing]) -> list[list[Mixing]]:
    """Return the connected components of mixings that share segments; these are independent."""
    group_of: dict[int, int] = {}  # of a segment, by its identity
    groups: dict[int, list[Mixing]] = {}
    for number, mixing in enumerate(mixings):
        # Merge all earlier groups that end segments here; the lowest number keeps the order stable,
        # on which equal samples for equal generators depend.
        joined = {group_of[id(segment)] for segment in mixing.left}
        first = min(joined, default=number)
        for other in joined - {first}:
            groups[first] += groups.pop(other)
            group_of.update((key, first) for key, group in group_of.items() if group == other)
        groups.setdefault(first, []).append(mixing)
        group_of.update((id(segment), first) for segment in mixing.entered)
    return [sorted(group, key=lambda mixing: mixing.number) for group in groups.values()]


# The tokens of a shuffle, and their values before it.
Change = tuple[tuple[int, ...], tuple[int, ...]]


def face_snapshots(state: State) -> list[list[int]]:
    """Return the faces by token as dealt, then after each shuffle; the present ones are last.

    Faces that are hidden in the state are BLANK.
    """
    changes = [(shuffle.tokens, shuffle.faces) for shuffle in state.shuffle_log]
    return _undone(blanked(state.face), changes)


def back_snapshots(state: State) -> list[list[int]]:
    """Return the backs by token as dealt, then after each shuffle; the present ones are last."""
    changes = [(shuffle.tokens, shuffle.backs) for shuffle in state.shuffle_log]
    return _undone(list(state.back), changes)


def _undone(present: list[int], changes: Sequence[Change]) -> list[list[int]]:
    # The log has the values just before each shuffle, so the snapshots are computed backwards.
    snapshots = [present]
    for tokens, values in reversed(changes):
        earlier = snapshots[-1][:]
        for token, value in zip(tokens, values, strict=True):
            earlier[token] = value
        snapshots.append(earlier)
    return snapshots[::-1]
