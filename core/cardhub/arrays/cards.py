"""Where the cards lie, and which they are as far as the viewer knows."""

from collections import Counter
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardhub.arrays.parts import Part, Slots, in_order, relative
from cardhub.cards import Cards
from cardhub.hidden.observation import Observation
from cardhub.table.faces import blanked
from cardhub.table.state import State
from cardhub.table.zones import Zone

Numbers = NDArray[np.intp]


class Lying(NamedTuple):
    """All tokens pile by pile, from the bottom up, and for each its pile, depth, face and back.

    Piles are numbered as the viewer counts them, depths from 0 for a top card; an unseen face is
    negative.
    """

    tokens: Numbers
    piles: Numbers
    depths: Numbers
    faces: Numbers
    backs: Numbers


class Piles:
    """The piles of a table, numbered from each viewer's point of view."""

    def __init__(self, state: State) -> None:
        self.zones: tuple[Zone, ...] = state.zones
        self.counts = [len(zone.piles(state)) for zone in self.zones]
        self.size = sum(self.counts)
        viewers = range(-1, state.seats + 1)
        self._numbers = {viewer: self._numbered(viewer, state.seats) for viewer in viewers}

    def _numbered(self, viewer: int, seats: int) -> Numbers:
        numbers, first = [], 0
        for zone, count in zip(self.zones, self.counts, strict=True):
            per_seat = zone.count == 0
            for pile in range(count):
                numbers.append(first + (relative(pile, viewer, seats) if per_seat else pile))
            first += count
        return np.array(numbers, np.intp)

    def lying(self, observation: Observation[Any]) -> Lying:
        """Return where all tokens lie."""
        state = observation.state
        piles = [pile for zone in self.zones for pile in zone.piles(state)]
        lengths = list(map(len, piles))
        tokens = np.array(list(chain.from_iterable(piles)), np.intp)
        ends = np.repeat(np.cumsum(lengths), lengths)
        return Lying(
            tokens,
            np.repeat(self._numbers[observation.seat], lengths),
            ends - np.arange(1, len(tokens) + 1),
            np.array(blanked(state.face), np.intp)[tokens],
            np.array(state.back, np.intp)[tokens],
        )


class Kinds:
    """The faces and backs of the cards in play, each with its column and number of copies."""

    def __init__(self, cards: Cards, pack: list[int]) -> None:
        faces, backs = Counter(pack), Counter(cards.back_of[face] for face in pack)
        self.faces, self.backs = sorted(faces), sorted(backs)
        self.face_column = _columns(self.faces, len(cards.faces))
        self.back_column = _columns(self.backs, len(cards.backs))
        self.face_copies = np.array([faces[face] for face in self.faces])
        self.back_copies = np.array([backs[back] for back in self.backs])


class Zones:
    """The parts `known` and `unseen`: for each pile how many of each face and back lie there.

    A share of all copies in play: 1 if they all lie there.
    """

    def __init__(self, piles: Piles, kinds: Kinds) -> None:
        self._piles, self._kinds = piles, kinds
        named = ", ".join(_pile_words(z, n) for z, n in zip(piles.zones, piles.counts, strict=True))
        faces, backs = len(kinds.faces), len(kinds.backs)
        words = f"a row for each pile ({named}); in it, the share of each {{}}"
        self.parts = in_order(
            [
                Part(
                    "known", (piles.size, faces), words.format("face that the viewer knows there")
                ),
                Part("unseen", (piles.size, backs), words.format("back of cards unseen there")),
            ]
        )

    def fill(self, slots: Slots, lying: Lying) -> None:
        """Write where cards lie into the section's slots."""
        known, unseen = self.parts
        is_known, kinds = lying.faces >= 0, self._kinds
        columns = kinds.face_column[lying.faces[is_known]]
        _count(slots[known.slots], lying.piles[is_known], columns, kinds.face_copies)
        columns = kinds.back_column[lying.backs[~is_known]]
        _count(slots[unseen.slots], lying.piles[~is_known], columns, kinds.back_copies)


class Tokens:
    """The part `tokens`: a row for each, as actions number them.

    In it, a slot for each pile, face, back and viewer is 1 if the token lies there, is known to
    bear that face, is unseen with that back, is seen by them; one holds 1 for the top of a pile,
    1/2 for the card beneath it, and so on.
    """

    def __init__(self, piles: Piles, kinds: Kinds, tokens: int, seats: int) -> None:
        self._kinds, self._seats = kinds, seats
        self._depth = piles.size
        self._faces = self._depth + 1
        self._backs = self._faces + len(kinds.faces)
        self._seen = self._backs + len(kinds.backs)
        self._shifts = {v: _seen_bits(v, seats) for v in range(-1, seats + 1)}
        words = (
            f"a row for each token: its pile ({piles.size}), how near the top (1), its face if "
            f"known ({len(kinds.faces)}), else its back ({len(kinds.backs)}), who has seen it: "
            f"seats from the viewer's on, spectators ({seats + 1})"
        )
        self.parts = (Part("tokens", (tokens, self._seen + seats + 1), words),)

    def fill(self, slots: Slots, lying: Lying, observation: Observation[Any]) -> None:
        """Write where each token lies and what it bears into the section's slots."""
        rows, tokens, kinds = slots.reshape(self.parts[0].shape), lying.tokens, self._kinds
        faces = self._faces + kinds.face_column[lying.faces]
        backs = self._backs + kinds.back_column[lying.backs]
        rows[tokens, lying.piles] = 1
        rows[tokens, self._depth] = 1 / (1 + lying.depths)
        rows[tokens, np.where(lying.faces >= 0, faces, backs)] = 1
        seen = np.array(observation.state.seen, np.int64)
        rows[:, self._seen :] = seen[:, np.newaxis] >> self._shifts[observation.seat] & 1


def _columns(used: list[int], size: int) -> Numbers:
    columns = np.zeros(size, np.intp)
    columns[used] = np.arange(len(used))
    return columns


def _count(slots: Slots, rows: Numbers, columns: Numbers, copies: Numbers) -> None:
    width = len(copies)
    counts = np.bincount(rows * width + columns, minlength=len(slots))
    slots[:] = (counts.reshape(-1, width) / copies).reshape(-1)


def _seen_bits(viewer: int, seats: int) -> Numbers:
    """Return which bit of `State.seen` is whose: seats from the viewer's on, then spectators."""
    first = max(viewer, 0) if viewer < seats else 0
    return np.array([*((first + step) % seats for step in range(seats)), seats])


def _pile_words(zone: Zone, count: int) -> str:
    return zone.name if zone.count is None else f"{zone.name} {count}"
